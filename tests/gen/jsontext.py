"""Writes JSON text in the layouts that traces come in, and in worse ones.

Values are None, True, False, str, list, Obj (an object: pairs, so that keys may
repeat) and Raw (text that is written as it is: numbers, spelled by the caller).
"""

SPACE = (' ', '  ', '\n', '\t', '\r\n', '\r', '\n    ', ' \t \n')
SHORT = {'"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t'}

# style: open, between members, array open, between elements, array end, close
LAYOUT = {
    'kineto': ('{\n  ', ',\n  ', '[\n  ', ',\n  ', '\n  ]', '\n}\n'),
    'kineto2': (' {\n  ', ',\n  ', '[\n  ', ',\n  ', '\n  ]', ' }\n'),
    'indent2': ('{\n  ', ',\n  ', '[\n    ', ',\n    ', '\n  ]', '\n}'),
    'indent4': ('{\n    ', ',\n    ', '[\n        ', ',\n        ', '\n    ]', '\n}'),
    'compact': ('{', ', ', '[', ', ', ']', '}'),
    'min': ('{', ',', '[', ',', ']', '}'),
    'lines': ('{', ',\n', '[\n', ',\n', '\n]', '}\n'),
    'old': ('\n{\n  ', ', \n  ', '[\n  ', ',\n  ', '\n  ]', '\n} \n'),
    'crlf': ('{\r\n\t', ',\r\n\t', '[\r\n\t\t', ',\r\n\t\t', '\r\n\t]', '\r\n}\r\n'),
    'wild': ('{', ',', '[', ',', ']', '}'),
}
STYLES = tuple(LAYOUT)
ESCAPES = ('plain', 'ascii', 'random')
_INDENT = {'indent2': ('\n', '  '), 'indent4': ('\n', '    '), 'crlf': ('\r\n', '\t')}


class Raw(str):
    """JSON text, written as it is."""


class Obj(list):
    """The members of an object: (key, value) pairs in order."""

    def get(self, key, default=None):
        """The value that counts: of duplicate keys the last."""
        for k, v in reversed(self):
            if k == key:
                return v
        return default

    def set(self, key, value):
        """Changes every member `key`, or adds one."""
        found = False
        for i, (k, _) in enumerate(self):
            if k == key:
                self[i] = (k, value)
                found = True
        if not found:
            self.append((key, value))

    def drop(self, key):
        self[:] = [(k, v) for k, v in self if k != key]


class Writer:
    """One document's style.  `rng` is drawn from by the styles that vary."""

    def __init__(self, rng, style='compact', escapes='plain', rate=0.15):
        self.rng, self.style, self.escapes, self.rate = rng, style, escapes, rate
        self.comma, self.colon = (',', ':') if style in ('min', 'lines') else (', ', ': ')
        self.indent = _INDENT.get(style)

    # ---- values ----------------------------------------------------------------
    def space(self):
        """White space that may be anywhere, most often none."""
        if self.style != 'wild' or self.rng.random() < 0.6:
            return ''
        return ''.join(self.rng.choice(SPACE) for _ in range(self.rng.choice((1, 1, 1, 2, 5))))

    def escape(self, code):
        form = '\\u%04x' if self.rng.random() < 0.5 else '\\u%04X'
        if code < 0x10000:
            return form % code
        code -= 0x10000
        return form % (0xd800 + (code >> 10)) + form % (0xdc00 + (code & 0x3ff))

    def character(self, c):
        code = ord(c)
        if self.escapes == 'random' and self.rng.random() < self.rate:
            return '\\/' if c == '/' and self.rng.random() < 0.7 else self.escape(code)
        if c in SHORT:
            return SHORT[c]
        if code < 0x20 or 0xd800 <= code < 0xe000:
            return '\\u%04x' % code
        if code > 0x7e and self.escapes == 'ascii':
            return self.escape(code)
        return c

    def quote(self, text):
        if isinstance(text, Raw):
            return text
        return '"' + ''.join(map(self.character, text)) + '"'

    def value(self, v, depth=0):
        """`depth` is that of the value, for the indented styles."""
        if isinstance(v, str):
            return self.quote(v)
        if v is None:
            return 'null'
        if v is True or v is False:
            return 'true' if v else 'false'
        if isinstance(v, Obj):
            return self.group('{', [self.pair(k, x, depth + 1) for k, x in v], '}', depth)
        if isinstance(v, (list, tuple)):
            return self.group('[', [self.value(x, depth + 1) for x in v], ']', depth)
        raise TypeError(type(v))

    def pair(self, key, v, depth):
        colon = self.space() + ':' + self.space() if self.style == 'wild' else self.colon
        return self.quote(key) + colon + self.value(v, depth)

    def group(self, a, items, b, depth):
        if not items:
            return a + self.space() + b
        if self.style == 'wild':
            return a + ','.join(self.space() + i + self.space() for i in items) + b
        if not self.indent or len(items) > 40 and b == ']':
            return a + self.comma.join(items) + b
        new_line, unit = self.indent
        pad = new_line + unit * (depth + 1)
        return a + pad + (',' + pad).join(items) + new_line + unit * depth + b

    # ---- elements of traceEvents -------------------------------------------------
    def element(self, v):
        if isinstance(v, Obj) and v and self.style in ('kineto', 'kineto2', 'old'):
            return self.kineto(v)
        return self.value(v, 2)

    def kineto(self, event):
        """Two or three lines an event, or one line a member, args on a line of its own."""
        flow = event.get('ph') in ('s', 'f', 't')
        lines, line = [], []
        for k, v in event:
            if k == 'args' and isinstance(v, Obj):
                if line:
                    lines.append(', '.join(line))
                line = []
                lines.append(self.kineto_args(v))
                continue
            line.append(self.pair(k, v, 0))
            if self.style == 'kineto2' or k == ('ts' if flow else 'tid'):
                lines.append(', '.join(line))
                line = []
        if line:
            lines.append(', '.join(line))
        between = ', \n    ' if self.style == 'old' else ',\n    '
        text = between.join(lines)
        if self.style == 'kineto2':
            text = text.replace(',\n    "args": {\n', '\n    ,\n    "args": {\n')
        return '{\n    ' + text + '\n  }'

    def kineto_args(self, args):
        parts = [self.pair(k, v, 0) for k, v in args]
        out = ''
        for i, part in enumerate(parts):
            if i:
                tight = args[i - 1][0] == 'External id'
                out += ' ,' if self.style == 'old' else ',' if tight else ', '
            out += part
        return '"args": {\n      ' + out + '\n    }'

    # ---- the document ------------------------------------------------------------
    def pieces(self, before, elements, after, bare=False):
        """The document as (head, [element text], separators, tail): what reads
        head + element + separator + element ... + tail.  There is one separator
        fewer than elements."""
        open_, between, array, sep, array_end, close = LAYOUT[self.style]
        wild = self.style == 'wild'
        member = lambda kv: self.pair(kv[0], kv[1], 1)
        if wild:
            joined = lambda kvs: ''.join(self.space() + member(kv) + self.space() + ',' for kv in kvs)
            head = self.space() + open_ + joined(before) + self.space() + self.quote('traceEvents') + self.space() + ':'
            head = (self.space() if bare else head + self.space()) + array + self.space()
            tail = self.space() + array_end + self.space()
            if not bare:
                tail += ''.join(',' + self.space() + member(kv) + self.space() for kv in after) + close + self.space()
        else:
            head = open_ + ''.join(member(kv) + between for kv in before) + self.quote('traceEvents') + self.colon
            head = ('' if bare else head) + array
            tail = array_end + ('' if bare else ''.join(between + member(kv) for kv in after) + close)
        texts = [self.element(e) for e in elements]
        seps = [self.space() + ',' + self.space() if wild else sep for _ in texts[1:]]
        return head, texts, seps, tail


def assemble(head, texts, seps, tail, mark=False):
    """The bytes of what pieces() answers; `mark` puts a byte order mark before it."""
    out = [head]
    for i, text in enumerate(texts):
        if i:
            out.append(seps[i - 1])
        out.append(text)
    out.append(tail)
    return (b'\xef\xbb\xbf' if mark else b'') + ''.join(out).encode('utf-8')
