"""Index files that are not quite as the writer makes them: from the future, foreign, damaged, and damaged with right checksums."""
import random
import struct

import reader2
from xxh3 import xxh3

# Of the first n bytes of what run_reader2.py makes up, by xxHash 0.8.1.
CHECKSUMS = ((0, 0x2d06800538d394c2), (1, 0xc44bdff4074eecdb), (3, 0x09fa62ce4c680afd), (4, 0x79957825ae360e50), (8, 0x6f76cea09120eca3),
             (9, 0xe61cb893fb73db09), (16, 0xb80f857ffdbd8662), (17, 0x102f6c911d360fdc), (32, 0xe2346f7176c04cea), (33, 0x91b1c1d8396c59d8),
             (128, 0x4393023f1d2c9012), (129, 0xb547e1a8d2d18300), (240, 0xca18e353545d6591), (241, 0x9953dcc39642e886),
             (1024, 0x790241df082b58b9), (1025, 0x039e940b990e880f), (4096, 0xef3a034ec89b284a))
RANDOM = 150
LARGE = b'\xff\xff\xff\x7f'
HUGE = b'\xff' * 8
# A column of the section table, and what becomes of its value.
ROWS = (
    ('an id of 0', 0, lambda v: 0),
    ('an unknown id', 0, lambda v: v + 1000),
    ('bytes of a record', 1, lambda v: v * 2),
    ('not aligned', 2, lambda v: v + 8),
    ('past the end', 2, lambda v: 1 << 63),
    ('too long', 3, lambda v: 1 << 63),
    ('records', 4, lambda v: v + 1),
)
# A section, a byte in it, and what stands there instead.
PUTS = (
    ('name', 4, 0, LARGE),
    ('lane', 5, 0, LARGE),
    ('category', 6, 0, b'\xff\xff'),
    ('phase', 7, 0, b'\x80'),
    ('parent', 8, 4, LARGE),
    ('size', 9, 0, LARGE),
    ('size, 0', 9, 0, bytes(4)),
    ('GPU rank', 11, 4, LARGE),
    ('GPU node', 12, 0, LARGE),
    ('backward id', 14, 0, LARGE),
    ('forward id', 14, 4, LARGE),
    ('pair', 15, 0, LARGE),
    ('side of a lane', 16, 0, b'\3'),
    ('kind of a pid', 16, 1, b'\4'),
    ('text of a lane', 16, 24, LARGE),
    ('first node of a lane', 16, 32, LARGE),
    ('nodes of a lane', 16, 36, LARGE),
    ('text of a category', 17, 0, LARGE),
    ('offset of a string', 18, 8, HUGE),
    ('no UTF-8', 19, 0, b'\xff'),
    ('template', 20, 0, LARGE),
    ('place of a frame', 22, 0, HUGE),
    ('frame in another section', 22, 0, bytes(8)),
    ('bytes of a frame', 22, 8, LARGE),
    ('raw bytes of a frame', 22, 12, LARGE),
    ('checksum of a frame', 22, 16, b'abcdefgh'),
    ('frame of positions', 23, 0, bytes(8)),
    ('frame of ids', 24, 0, bytes(8)),
    ('frame of the envelope', 25, 8, bytes(4)),
    ('key of a member', 26, 0, LARGE),
    ('place of a value', 26, 8, HUGE),
    ('bytes of a value', 26, 16, HUGE),
    ('array', 30, 0, HUGE),
    ('array, 0', 30, 0, bytes(8)),
)


class Image:
    """An index as bytes that can be changed; `sealed` gives it right checksums."""

    def __init__(self, data):
        self.data = bytearray(data)
        self.table_at, self.count = struct.unpack_from('<QI', data, 24)
        self.rows = [list(reader2.SECTION.unpack_from(data, self.table_at + i * 48)) for i in range(self.count)]

    def row(self, number):
        return next(row for row in self.rows if row[0] == number)

    def place(self, number):
        """Where a section begins, and its bytes."""
        row = self.row(number)
        return row[2], row[3]

    def put(self, number, at, data):
        """Replaces bytes of a section."""
        first, _ = self.place(number)
        self.data[first + at:first + at + len(data)] = data
        return self

    def header(self, at, form, value):
        struct.pack_into('<' + form, self.data, at, value)
        return self

    def add(self, number, record, data, aligned=64):
        """A new section at the end."""
        while len(self.data) % aligned:
            self.data.append(0)
        self.rows.append([number, record, len(self.data), len(data), len(data) // record if record else 0, 0, 0])
        self.data += data
        return self

    def sealed(self, move=False):
        """With the checksums of sections, table and header; `move` puts the table to the end."""
        for row in self.rows:
            if row[2] + row[3] <= len(self.data):
                row[5] = xxh3(bytes(self.data[row[2]:row[2] + row[3]]))
        table = b''.join(reader2.SECTION.pack(*row) for row in self.rows)
        if move:
            self.data[self.table_at:self.table_at + 48 * self.count] = bytes(48 * self.count)
            self.data += bytes(-len(self.data) % 8)
            self.table_at = len(self.data)
        self.data[self.table_at:self.table_at + len(table)] = table
        self.header(16, 'Q', len(self.data)).header(24, 'Q', self.table_at).header(32, 'I', len(self.rows)).header(88, 'Q', xxh3(table))
        return self.only_header()

    def only_header(self):
        self.header(120, 'Q', xxh3(bytes(self.data[:120])))
        return bytes(self.data)


def future(data):
    """What a later minor version may add."""
    yield 'as it is', data, None
    yield 'minor version 9', Image(data).header(10, 'H', 9).only_header(), None
    yield 'minor version 65535', Image(data).header(10, 'H', 65535).only_header(), None
    yield 'a section 1000', Image(data).header(10, 'H', 9).add(1000, 16, b'some bytes more ' * 9).sealed(True), None
    yield 'an empty section', Image(data).header(10, 'H', 9).add(41, 8, b'').sealed(True), None
    yield 'an unknown section without a later minor version', Image(data).add(41, 8, b'').sealed(True), None
    yield 'records of no size', Image(data).header(10, 'H', 9).add(41, 0, b'abc').sealed(True), None
    yield 'not aligned', Image(data).header(10, 'H', 9).add(41, 3, b'abcabc', 1).add(2 ** 32 - 1, 1, b'x', 1).sealed(True), None
    yield 'a flag', with_flag(data), None
    image = Image(data).header(10, 'H', 9)
    at, size = image.place(19)
    image.data[at:at + size] = image.data[at:at + size].replace(b'cuda_runtime', b'cuda_somewhat'[:12])
    yield 'nodes of an unknown category', image.sealed(), None
    image = Image(data).header(10, 'H', 9)
    row = image.row(27)
    row[3], row[4], row[2] = row[3] + 32, row[4] + 1, len(data) + -len(data) % 64
    at, size = Image(data).place(27)
    image.data += bytes(row[2] - len(data)) + data[at:at + size] + reader2.ANOMALY.pack(777, 0, 5, 3, 0)
    image.data[at:at + size] = bytes(size)
    yield 'a kind of anomaly, elsewhere in the file', with_offset(image, data), None


def with_offset(image, data):
    """The offset of the anomaly that was added is that of element 3."""
    at, size = image.place(27)
    raw = element_frame(data)
    struct.pack_into('<Q', image.data, at + size - 8, sum(reader2.varints(raw)[:4]))
    return image.sealed(True)


def element_frame(data):
    at, small, _, _ = reader2.FRAME.unpack_from(data, Image(data).place(22)[0])
    return reader2.unpacked([data[at:at + small]])


def with_flag(data):
    image = Image(data).header(10, 'H', 9)
    at, _ = image.place(10)
    image.data[at + 5] |= 0xe0
    return image.sealed()


def foreign(data):
    """What is no index of this version.  Not the empty file, which the command takes for a trace."""
    yield '127 bytes', data[:127], reader2.DAMAGE
    yield 'another magic', b'\x88' + data[1:], reader2.FORMAT
    yield 'line ends changed', data.replace(b'\r\n', b'\n'), reader2.FORMAT
    for major in (0, 2, 256):
        yield 'major version %d' % major, Image(data).header(8, 'H', major).only_header(), reader2.VERSION
        yield 'major version %d, old checksum' % major, bytes(Image(data).header(8, 'H', major).data), reader2.VERSION


def damaged(data):
    """A changed byte anywhere, and another length."""
    rng = random.Random(5)
    image = Image(data)
    for what, cut in [('cut at %d' % n, data[:n]) for n in (128, 129, len(data) // 2, len(data) - 1)] + [('a byte more', data + b'\0')]:
        yield what, cut, reader2.DAMAGE
    places = [('header', at) for at in (12, 64, 100, 127)] + [('table', image.table_at + at) for at in (0, 50)]
    for number, _, at, size, _, _, _ in image.rows:
        places += [('section %d' % number, at + rng.randrange(size))] if size else []
    for what, at in places:
        yield '%s, byte %d' % (what, at), data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:], reader2.DAMAGE


def contradictions(data):
    """Damage with right checksums that a reader must see when it opens the file, or reads it all."""
    yield 'bytes of the header', Image(data).header(12, 'I', 136).only_header(), reader2.DAMAGE
    yield 'bytes of the file', Image(data).header(16, 'Q', len(data) + 1).only_header(), reader2.DAMAGE
    yield 'more nodes than elements', Image(data).header(68, 'I', 2 ** 31).only_header(), reader2.DAMAGE
    yield 'elements past all', Image(data).header(64, 'I', 2 ** 32 - 1).only_header(), reader2.DAMAGE
    yield 'the table past the end', Image(data).header(24, 'Q', 2 ** 64 - 8).only_header(), reader2.DAMAGE
    yield 'the table in the header', Image(data).header(24, 'Q', 64).only_header(), reader2.DAMAGE
    yield 'many sections', Image(data).header(32, 'I', 2 ** 32 - 1).only_header(), reader2.DAMAGE
    for what, column, value in ROWS:
        for number in (1, 14, 30):
            image = Image(data)
            image.row(number)[column] = value(image.row(number)[column])
            yield '%s: section %d' % (what, number), image.sealed(), reader2.DAMAGE
    for what, number, at, put in PUTS:
        yield what, Image(data).put(number, at, put).sealed(), reader2.DAMAGE


def at_random(data):
    """Any bytes anywhere, with right checksums: neither reader may do anything but refuse, or read the same."""
    rng = random.Random(77)
    for turn in range(RANDOM):
        image = Image(data)
        number = rng.choice([row[0] for row in image.rows if row[3]])
        _, size = image.place(number)
        at = rng.randrange(size)
        put = rng.choice((b'\0', b'\xff', b'\xff\xff\xff\xff', b'\0\0\0\0', bytes([rng.randrange(256)]), b'\1\0\0\0', b'\x7f'))
        yield 'change %d: section %d, byte %d: %s' % (turn, number, at, put.hex()), image.put(number, at, put[:size - at]).sealed(), ''


GROUPS = (('what a later minor version may add', future), ('what is no index, or of another version', foreign),
          ('damage anywhere is seen', damaged), ('contradictions with right checksums', contradictions),
          ('anything with right checksums', at_random))
