#!/usr/bin/env python3
"""A second reader of the index, written from doc/format.md alone; plain Python and the command zstd.

    reader2.py INDEX dump        the tree as `t2t dump` prints it: one line an element, in file order
    reader2.py INDEX elements    the JSON of each element, in file order, one a line
    reader2.py INDEX nodes       every column of every node, by id
    reader2.py INDEX trace       the whole document
    reader2.py INDEX check       read everything, and compare what the index says twice

Refuses with exit status 3 and one line.  The whole file is read into memory and every checksum is verified.
"""
import argparse
import array
import collections
import json
import os
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from xxh3 import xxh3                                              # noqa: E402

MAGIC = bytes.fromhex('895432540d0a1a0a')
MAJOR = 1
HEADER = struct.Struct('<8sHHIQQIIQqQIIqqQ24sQ')
SECTION = struct.Struct('<IIQQQQQ')
FRAME = struct.Struct('<QIIQ')
LANE = struct.Struct('<BBB5xQQIIIIIIqq')
MEMBER = struct.Struct('<IIQQQ')
ANOMALY = struct.Struct('<IIQQQ')
LONG = struct.Struct('<IIQ')
PAIR = struct.Struct('<II')
NONE = 0xffffffff
LEAST = -1 << 63
MASK = (1 << 64) - 1

# id: name, bytes of a record, and the array's type code or the record's struct
SECTIONS = {
    1: ('START', 8, 'q'), 2: ('DURATION', 4, 'I'), 3: ('LONG_DURATIONS', 16, LONG), 4: ('NAME', 4, 'I'), 5: ('LANE', 4, 'I'),
    6: ('CATEGORY', 2, 'H'), 7: ('PHASE', 1, 'B'), 8: ('PARENT', 4, 'I'), 9: ('SIZE', 4, 'I'), 10: ('FLAGS', 1, 'B'),
    11: ('GPU_RANK', 4, 'I'), 12: ('GPU_NODE', 4, 'I'), 13: ('GPU_SUM', 8, 'Q'), 14: ('FORWARD', 8, PAIR), 15: ('BACKWARD', 8, PAIR),
    16: ('LANES', 64, LANE), 17: ('CATEGORIES', 4, 'I'), 18: ('STRING_OFFSET', 8, 'Q'), 19: ('STRING_BYTES', 1, None),
    20: ('SHAPES', 4, 'I'), 21: ('FRAMES', 1, None), 22: ('ELEMENT_FRAMES', 24, FRAME), 23: ('ORDER_FRAMES', 24, FRAME),
    24: ('PLACE_FRAMES', 24, FRAME), 25: ('ENVELOPE_FRAMES', 24, FRAME), 26: ('MEMBERS', 32, MEMBER), 27: ('ANOMALIES', 32, ANOMALY),
    28: ('SOURCE_NAME', 1, None), 29: ('ID_FRAMES', 1, None), 30: ('ARRAY', 8, 'Q')}
ELEMENT_FRAME, ID_FRAME, ENVELOPE_FRAME = 4096, 16384, 65536
MOST_VALUES = 1024

CROSSED, CUT, ROOT_OPERATION, GPU, LINKED = 1, 2, 4, 8, 16
HOST_SIDE, GPU_SIDE, NO_SIDE = 0, 1, 2
MISSING, SIGNED, UNSIGNED, TEXT = 0, 1, 2, 3
BY_NAME, BY_PID, BY_TID, BY_START, BY_DURATION, INTEGER, DECIMAL, JSON_TEXT = range(1, 9)
SLOT = re.compile('([\x00-\x1f])')
SURROGATE = re.compile('[\ud800-\udfff]')


FORMAT, VERSION, DAMAGE = 'index-format', 'index-version', 'index-damage'


class Refused(Exception):
    """The file is no index that this reader accepts; `kind` is the class of the error."""

    def __init__(self, what, kind=DAMAGE):
        super().__init__(kind + ': ' + what)
        self.kind = kind


def need(true, what, *values, kind=DAMAGE):
    if not true:
        raise Refused(what % values if values else what, kind)


def varints(data):
    """All varints of some bytes."""
    out, value, shift = [], 0, 0
    for byte in data:
        if byte < 128:
            out.append(value | byte << shift)
            value = shift = 0
        else:
            value |= (byte & 127) << shift
            shift += 7
            need(shift < 70, 'a varint of more than ten bytes')
    need(shift == 0, 'a varint without an end')
    need(not out or max(out) <= MASK, 'a varint of more than 64 bits')
    return out


def unzigzag(v):
    return v >> 1 ^ -(v & 1)


def running(values):
    """What a column of differences, zigzag and modulo 2^64, stands for."""
    out, last = [], 0
    for v in values:
        last = (last + unzigzag(v) + (1 << 63) & MASK) - (1 << 63)
        out.append(last)
    return out


def decimal(mantissa, digits):
    need(1 <= digits <= 18, 'a number with %d digits behind the point', digits)
    text = '%0*d' % (digits + 1, abs(mantissa))
    return ('-' if mantissa < 0 else '') + text[:-digits] + '.' + text[-digits:]


def microseconds(ns):
    """Exact; no more digits than it needs."""
    whole, rest = divmod(abs(ns), 1000)
    text = '%d.%03d' % (whole, rest)
    return ('-' if ns < 0 else '') + text.rstrip('0').rstrip('.')


def quoted(text):
    """A JSON string: nothing is escaped but what must be, and halves of surrogate pairs."""
    return SURROGATE.sub(lambda m: '\\u%04x' % ord(m.group()), json.dumps(text, ensure_ascii=False))


def content_size(frame):
    """What the header of a zstd frame says of its size, or None (RFC 8878, 3.1.1.1)."""
    if len(frame) < 6 or frame[:4] != b'\x28\xb5\x2f\xfd':
        return None
    flags = frame[4]
    single = flags >> 5 & 1
    at = 5 + (not single) + (0, 1, 2, 4)[flags & 3]
    size = (single, 2, 4, 8)[flags >> 6]
    if not size:
        return None
    value = int.from_bytes(frame[at:at + size], 'little')
    return value + 256 if size == 2 else value


def unpacked(frames):
    """What zstd frames hold, one behind the other."""
    if not frames:
        return b''
    try:
        p = subprocess.run(['zstd', '-dcq'], input=b''.join(frames), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except OSError as e:
        raise Refused('zstd: %s' % e) from e
    need(p.returncode == 0, 'frames that zstd refuses: %s', p.stderr.decode('utf-8', 'replace').strip())
    return p.stdout


class Lane:
    def __init__(self, record):
        (self.side, self.pid_kind, self.tid_kind, self.pid, self.tid, self.process, self.thread, self.first, self.nodes,
         self.elements, _, self.earliest, self.latest) = record


class Index:
    """One index; every list is as long as the specification says, and every number in it was compared with its bound."""

    def __init__(self, path):
        with open(path, 'rb') as f:
            self.data = f.read()
        self.read_header()
        self.read_sections()
        self.read_columns()
        self.read_strings()
        self.read_lanes()
        self.check_bounds()
        self.read_frames()

    # ---- header and sections -------------------------------------------------------------
    def read_header(self):
        data = self.data
        need(data[:8] == MAGIC, 'the magic is not there', kind=FORMAT)
        need(len(data) >= HEADER.size, 'shorter than a header')
        (_, major, self.minor, header_bytes, file_bytes, self.table_at, self.section_count, _, self.source_bytes,
         self.source_mtime_ns, self.document_bytes, self.count, self.nodes, self.origin, self.last_end, table_sum, writer,
         header_sum) = HEADER.unpack_from(data)
        need(major == MAJOR, 'version %d, not %d', major, MAJOR, kind=VERSION)
        need(xxh3(data[:120]) == header_sum, 'the checksum of the header is wrong')
        need(header_bytes == HEADER.size, 'a header of %d bytes', header_bytes)
        need(file_bytes == len(data), '%d bytes, not %d as the header says', len(data), file_bytes)
        need(self.nodes <= self.count < NONE, '%d nodes of %d elements', self.nodes, self.count)
        need(HEADER.size <= self.table_at <= len(data) and self.table_at % 8 == 0, 'the section table is not in the file')
        need(self.section_count <= (len(data) - self.table_at) // SECTION.size, 'the section table leaves the file')
        table = data[self.table_at:self.table_at + self.section_count * SECTION.size]
        need(xxh3(table) == table_sum, 'the checksum of the section table is wrong')
        self.table = list(SECTION.iter_unpack(table))
        self.writer = writer.rstrip(b'\0').decode('utf-8', 'replace')

    def read_sections(self):
        """section: id -> its bytes, of the ones known."""
        self.section, last = {}, 0
        used = [(0, HEADER.size), (self.table_at, self.table_at + self.section_count * SECTION.size)]
        for number, record, at, size, records, _, _ in self.table:
            need(number > last, 'sections are not ascending by id')
            need(at <= len(self.data) and size <= len(self.data) - at, 'section %d is not in the file', number)
            last = number
            used.append((at, at + size))
            if number in SECTIONS:
                need(at % 64 == 0, 'section %d is not aligned', number)
                need(record == SECTIONS[number][1] and size == record * records, 'section %d: %d records of %d bytes in %d', number,
                     records, record, size)
                self.section[number] = self.data[at:at + size]
        for number, (name, _, _) in SECTIONS.items():
            need(number in self.section, 'no section %d, %s', number, name)
        for number, _, at, size, _, checksum, _ in self.table:
            need(xxh3(self.data[at:at + size]) == checksum, 'the checksum of section %d is wrong', number)
        self.check_gaps(sorted(used))

    def check_gaps(self, used):
        end = 0
        for first, last in used + [(len(self.data), len(self.data))]:
            need(first >= end or first == last, 'sections overlap at byte %d', first)
            need(not any(self.data[end:first]), 'the gap at byte %d is not zero', end)
            end = max(end, last)

    def read_columns(self):
        """An attribute for each section, by its name in small letters."""
        for number, (name, _, of) in SECTIONS.items():
            part = self.section[number]
            if isinstance(of, str):
                part = array.array(of, part)
                if sys.byteorder == 'big':
                    part.byteswap()
            elif of:
                part = list(of.iter_unpack(part))
            setattr(self, name.lower(), part)
        e, n = self.count, self.nodes
        wanted = {1: e, 2: e, 4: e, 5: e, 6: e, 7: e, 8: n, 9: n, 10: n, 11: n + 1, 13: len(self.gpu_node) + 1,
                  22: -(-e // ELEMENT_FRAME), 23: -(-e // ID_FRAME), 24: -(-e // ID_FRAME), 30: 1}
        for number, records in wanted.items():
            name, size, _ = SECTIONS[number]
            need(len(self.section[number]) == records * size, '%s: not %d records', name, records)
        need(len(self.gpu_node) <= n and len(self.forward) <= n and len(self.backward) == len(self.forward)
             and len(self.long_durations) <= e and len(self.categories) <= 1 << 16, 'a section has too many records')

    def read_strings(self):
        """strings: as Python text, halves of surrogate pairs as such."""
        at = self.string_offset
        need(len(at) >= 1 and at[0] == 0 and at[-1] == len(self.string_bytes) and all(map(int.__le__, at, at[1:])),
             'the offsets of strings are not in order')
        try:
            self.strings = [self.string_bytes[a:b].decode('utf-8', 'surrogatepass') for a, b in zip(at, at[1:])]
        except UnicodeDecodeError as e:
            raise Refused('a string that is not UTF-8: %s' % e) from e
        try:
            self.source = self.source_name.decode('utf-8', 'surrogateescape')
        except UnicodeDecodeError as e:
            raise Refused('the name of the source: %s' % e) from e

    def text(self, number):
        """A string by its id, or None."""
        return None if number == NONE else self.strings[number]

    def read_lanes(self):
        self.lanes = [Lane(r) for r in self.lanes]
        strings, n = len(self.strings), self.nodes
        for i, lane in enumerate(self.lanes):
            need(lane.side <= NO_SIDE and lane.pid_kind <= TEXT and lane.tid_kind <= TEXT, 'lane %d: an unknown kind', i)
            need(lane.first <= n and lane.nodes <= n - lane.first, 'lane %d: nodes that are none', i)
            need(all(s == NONE or s < strings for s in (lane.process, lane.thread)), 'lane %d: a string that is none', i)
            lane.process, lane.thread = self.text(lane.process), self.text(lane.thread)
            lane.pid, lane.tid = self.lane_id(lane.pid_kind, lane.pid), self.lane_id(lane.tid_kind, lane.tid)

    def lane_id(self, kind, value):
        """None, an integer or text."""
        if kind == TEXT:
            need(value < len(self.strings), 'a lane with a string that is none')
            return self.strings[value]
        if kind == UNSIGNED:
            need(value >= 1 << 63, 'a lane with a number below 2^63 that should not be')
            return value
        return None if kind == MISSING else value - (1 << 64) * (value >> 63)

    def check_bounds(self):
        """No number out of a record is used before it passed here."""
        n, e, strings = self.nodes, self.count, len(self.strings)

        def below(what, values, bound, none=True):
            need(all(v < bound or none and v == NONE for v in set(values)), '%s: a number past %d', what, bound)
        below('NAME', self.name, strings)
        below('LANE', self.lane, len(self.lanes))
        below('CATEGORY', self.category, len(self.categories), False)
        below('CATEGORIES', self.categories, strings)
        below('SHAPES', self.shapes, strings, False)
        below('PHASE', self.phase, 128, False)
        below('GPU_NODE', self.gpu_node, n, False)
        below('FORWARD', [i for pair in self.forward for i in pair], n, False)
        below('BACKWARD', [i for pair in self.backward for i in pair], n, False)
        need(all(p == NONE or p < i for i, p in enumerate(self.parent)), 'PARENT: a parent behind its child')
        need(all(0 < s <= n - i for i, s in enumerate(self.size)), 'SIZE: a subtree past the nodes')
        need(all(a <= b <= a + 1 for a, b in zip(self.gpu_rank, self.gpu_rank[1:])) and self.gpu_rank[0] == 0
             and self.gpu_rank[-1] == len(self.gpu_node), 'GPU_RANK does not count GPU events')
        need(all(self.lane[i] != NONE for i in range(n)), 'a node that is no object')
        self.long = {i: duration for i, _, duration in self.long_durations}
        ids = [row[0] for row in self.long_durations]
        need(ids == sorted(set(ids)) and all(i < e for i in ids), 'LONG_DURATIONS is not in order')
        need(all(self.duration[i] == NONE for i in ids), 'LONG_DURATIONS: an element that has its own')
        need(self.duration.count(NONE) == len(self.long), 'a duration is missing in LONG_DURATIONS')
        self.forward_of = dict(self.forward)
        self.category_name = [self.text(c) for c in self.categories]

    # ---- frames ------------------------------------------------------------------------------
    def read_frames(self):
        raw = self.frames_of((self.element_frames, 21), (self.order_frames, 29), (self.place_frames, 29), (self.envelope_frames, 21))
        self.element_raw, order, place, envelope = raw
        self.position = self.permutation(order, 'ORDER_FRAMES')
        self.id = self.permutation(place, 'PLACE_FRAMES')
        need(all(self.id[p] == i for i, p in enumerate(self.position)), 'ids and positions do not fit each other')
        need(all(len(f) == ENVELOPE_FRAME for f in envelope[:-1]) and all(0 < len(f) <= ENVELOPE_FRAME for f in envelope),
             'a frame of the envelope has the wrong size')
        self.envelope = b''.join(envelope)
        self.check_envelope()
        self.templates = [self.template(self.strings[s]) for s in self.shapes]

    def frames_of(self, *directories):
        """The raw bytes of each frame of each directory; all go through zstd at once."""
        packed, sizes = [], []
        sections = {row[0]: (row[2], row[3]) for row in self.table}
        for directory, holder in directories:
            first, size = sections[holder]
            for at, small, large, checksum in directory:
                need(first <= at <= first + size and small <= first + size - at, 'a frame outside of %s', SECTIONS[holder][0])
                need(large <= (64 << 20) + 1024 * small, 'a frame that grows too much')
                packed.append(self.data[at:at + small])
                need(content_size(packed[-1]) == large, 'a frame that does not say its size')
                sizes.append((large, checksum))
        data, at, raw = unpacked(packed), 0, []
        need(len(data) == sum(large for large, _ in sizes), 'frames that do not have the size that the directory says')
        for large, checksum in sizes:
            raw.append(data[at:at + large])
            at += large
            need(xxh3(raw[-1]) == checksum, 'the checksum of frame %d is wrong', len(raw) - 1)
        out, at = [], 0
        for directory, _ in directories:
            out.append(raw[at:at + len(directory)])
            at += len(directory)
        return out

    def permutation(self, frames, what):
        """The places that a directory of ids or positions holds."""
        out = array.array('I')
        for number, raw in enumerate(frames):
            values = varints(raw)
            need(len(values) == min(ID_FRAME, self.count - number * ID_FRAME), '%s: frame %d has %d numbers', what, number, len(values))
            last = -1
            for v in values:
                last += unzigzag(v) + 1
                need(0 <= last < self.count, '%s: a number past the elements', what)
                out.append(last)
        return out

    def check_envelope(self):
        size = len(self.envelope)
        need(1 <= self.array[0] < size and self.envelope[self.array[0] - 1:self.array[0] + 1] == b'[]', 'ARRAY is not between brackets')
        self.member = []
        for key, _, at, length, place in self.members:
            need(key < len(self.strings), 'a member without a key')
            need(at <= size and length <= size - at, 'a member outside of the envelope')
            need(place < self.document_bytes, 'a member outside of the document')
            self.member.append((self.strings[key], self.envelope[at:at + length], place))
        kinds = [a[0] for a in self.anomalies]
        need(kinds == sorted(set(kinds)), 'the kinds of ANOMALIES are not ascending')
        for _, _, count, position, _ in self.anomalies:
            need(count > 0 and (position == MASK or position < self.count), 'an anomaly of no element')

    # ---- elements ---------------------------------------------------------------------------
    def template(self, text):
        """(format, slots): the template with %s for each slot."""
        parts = SLOT.split(text)
        slots = [ord(s) for s in parts[1::2]]
        need(all(BY_NAME <= s <= JSON_TEXT for s in slots), 'a template with an unknown slot')
        values = sum(s >= INTEGER for s in slots) + slots.count(DECIMAL)
        need(values <= MOST_VALUES, 'a template with %d values', values)
        return '%s'.join(p.replace('%', '%%') for p in parts[0::2]), slots

    def elements(self):
        """(offset in the document, JSON text) of each element, in file order."""
        self.quoted = {}
        for number, raw in enumerate(self.element_raw):
            first = number * ELEMENT_FRAME
            ids = self.id[first:first + ELEMENT_FRAME]
            yield from zip(*self.element_frame(varints(raw), ids))

    def element_frame(self, values, ids):
        count = len(ids)
        need(len(values) >= 2 * count, 'an element frame ends early')
        offsets, at = [], 0
        for v in values[:count]:
            at += v
            offsets.append(at)
        need(at < self.document_bytes, 'an element behind the document')
        of_shape = collections.defaultdict(list)                    # keeps the order of first use
        for place, shape in enumerate(values[count:2 * count]):
            need(shape < len(self.templates), 'a shape that is none')
            of_shape[shape].append(place)
        texts, at = [None] * count, 2 * count
        for shape, places in of_shape.items():
            pattern, slots = self.templates[shape]
            columns = []
            for slot in slots:
                column, at = self.column(slot, values, at, [ids[p] for p in places])
                columns.append(column)
            for place, row in zip(places, zip(*columns) if columns else [()] * len(places)):
                texts[place] = pattern % row
        need(at == len(values), 'an element frame with %d numbers too many', len(values) - at)
        return offsets, texts

    def column(self, slot, values, at, ids):
        """The texts of one slot of the elements `ids`, and where the numbers of the next begin."""
        n = len(ids)
        if slot == BY_NAME:
            return [self.quoted_string(self.name[i]) for i in ids], at
        if slot == BY_PID:
            return [self.id_text(self.lane[i], True) for i in ids], at
        if slot == BY_TID:
            return [self.id_text(self.lane[i], False) for i in ids], at
        if slot == BY_START:
            need(all(self.start[i] != LEAST for i in ids), 'the time of an element that has none')
            return [microseconds(self.start[i]) for i in ids], at
        if slot == BY_DURATION:
            return [microseconds(self.duration_of(i)) for i in ids], at
        end = at + (2 * n if slot == DECIMAL else n)
        need(end <= len(values), 'an element frame ends early')
        if slot == INTEGER:
            return list(map(str, running(values[at:end]))), end
        if slot == DECIMAL:
            return list(map(decimal, running(values[at:at + n]), values[at + n:end])), end
        need(max(values[at:end]) < len(self.strings), 'a text that is none')
        return [self.strings[s] for s in values[at:end]], end

    def quoted_string(self, number):
        need(number != NONE, 'the name of an element that has none')
        if number not in self.quoted:
            self.quoted[number] = quoted(self.strings[number])
        return self.quoted[number]

    def id_text(self, lane, pid):
        need(lane != NONE, 'the lane of an element that has none')
        value = self.lanes[lane].pid if pid else self.lanes[lane].tid
        need(value is not None, 'the id of a lane that has none')
        return quoted(value) if isinstance(value, str) else str(value)

    def document(self):
        """The text of the trace, equal as data to its source."""
        at, lines = self.array[0], ',\n'.join(text for _, text in self.elements()).encode()
        return self.envelope[:at] + (b'\n' + lines + b'\n' if lines else b'') + self.envelope[at:]

    # ---- properties of elements and nodes -----------------------------------------------------
    def duration_of(self, i):
        return self.long.get(i, self.duration[i])

    def name_of(self, i):
        return self.text(self.name[i])

    def category_of(self, i):
        return self.category_name[self.category[i]]

    def subtree(self, i):
        return range(i, i + self.size[i])

    def gpu_below(self, i):
        """The GPU events below node i, itself aside: how many, and the sum of their durations."""
        own = bool(self.flags[i] & GPU)
        first, last = self.gpu_rank[i] + own, self.gpu_rank[i + self.size[i]]
        return last - first, self.gpu_sum[last] - self.gpu_sum[first] & MASK

    def modules(self):
        """For each node its nearest frame of a module above it, or NONE."""
        is_module = [self.category_of(i) == 'python_function' and (self.name_of(i) or '').startswith('nn.Module:') for i in range(self.nodes)]
        out = []
        for p in self.parent:
            out.append(NONE if p == NONE else p if is_module[p] else out[p])
        return out

    # ---- what is printed ----------------------------------------------------------------------
    def dump(self):
        modules = self.modules()

        def printable(text):
            return '-' if text is None else SURROGATE.sub('\ufffd', json.dumps(text, ensure_ascii=False)[1:-1])

        def place(i):
            return -1 if i == NONE else self.position[i]
        names, categories = list(map(printable, self.strings)), list(map(printable, self.category_name))
        for position, i in enumerate(self.id):
            row = [position, categories[self.category[i]], '-' if self.name[i] == NONE else names[self.name[i]]]
            if i < self.nodes:
                f, parent = self.flags[i], place(self.parent[i])
                letters = 'GL'[:1 + bool(f & LINKED)] if f & GPU else 'P'
                letters += 'X' * bool(f & CROSSED) + 'C' * bool(f & CUT) + 'R' * bool(f & ROOT_OPERATION)
                row += [parent, parent if f & GPU else -1, place(self.forward_of.get(i, NONE)), letters, self.gpu_below(i)[0], place(modules[i])]
            else:
                row += [-1, -1, -1, '-', 0, -1]
            yield '\t'.join(map(str, row))

    NODE_COLUMNS = ('id', 'position', 'category', 'name', 'phase', 'lane', 'side', 'pid', 'tid', 'start_ns', 'dur_ns', 'parent', 'size',
                    'flags', 'gpu_events', 'gpu_sum_ns', 'module', 'forward', 'backward')

    def node_rows(self):
        modules, backward = self.modules(), collections.defaultdict(list)
        for f, b in self.backward:
            backward[f].append(b)

        def some(i):
            return None if i == NONE else i
        for i in range(self.nodes):
            lane = self.lanes[self.lane[i]]
            yield (i, self.position[i], self.category_of(i), self.name_of(i), chr(self.phase[i]) if self.phase[i] else None, self.lane[i],
                   lane.side, lane.pid, lane.tid, self.start[i], self.duration_of(i), some(self.parent[i]), self.size[i], self.flags[i],
                   *self.gpu_below(i), some(modules[i]), self.forward_of.get(i), backward.get(i, []))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('index')
    p.add_argument('what', choices=('dump', 'elements', 'nodes', 'trace', 'check'))
    o = p.parse_args()
    out = sys.stdout.buffer
    try:
        index = Index(o.index)
        if o.what == 'check':
            import verify
            verify.check(index)
        elif o.what == 'trace':
            out.write(index.document())
        elif o.what == 'nodes':
            out.write(('\t'.join(Index.NODE_COLUMNS) + '\n').encode())
            for row in index.node_rows():
                out.write(('\t'.join(quoted(v) if isinstance(v, str) else json.dumps(v) for v in row) + '\n').encode())
        else:
            for line in index.dump() if o.what == 'dump' else (text for _, text in index.elements()):
                out.write(line.encode() + b'\n')
        out.flush()
    except (Refused, OSError) as e:
        print('reader2: %s: %s' % (o.index, e), file=sys.stderr)
        return 3
    return 0


if __name__ == '__main__':
    import reader2                                                 # the same module that verify sees
    sys.exit(reader2.main())
