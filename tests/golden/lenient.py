"""What a reader makes of text that is damaged inside values: the judge of repairs.

Finds the first bad byte with strict.py, repairs it if it is inside a value, and begins anew.  Slow, plain, and independent of the command.
"""
import re

import strict

WORD = re.compile(rb'[0-9A-Za-z_.+-]*')


class Repaired:
    """The text put right as far as that is possible: `data`; `counts` of strings and numbers repaired by kind; `bad` is what ends it, with its byte in the
    original, or None."""

    def __init__(self, data, events=b'traceEvents'):
        self.original, self.data, self.events = data, data, events
        self.counts, self.bad, self.longer, self.strings = {}, None, 0, set()
        while True:
            bad = strict.first_bad(self.data)
            if bad is None:
                break
            if not self.mend(bad):
                bad.at -= self.longer
                self.bad = bad
                break

    def count(self, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def in_string(self, kind, start):
        if (kind, start) not in self.strings:
            self.strings.add((kind, start))
            self.count(kind)

    def put(self, start, end, text):
        self.data = self.data[:start] + text + self.data[end:]
        self.longer += len(text) - (end - start)

    def string_at(self, at):
        """Where the string begins that byte `at` stands in, or None; what is before is sound."""
        i, start = 0, None
        while i < at:
            byte = self.data[i]
            if byte == 0x22:
                start = i if start is None else None
            elif byte == 0x5c and start is not None:
                i += 1
                if i >= at:
                    break
            i += 1
        return start

    def mend(self, bad):
        at, data = bad.at, self.data
        if at >= len(data):
            return self.close(at)
        if data[at:at + 1] == b']' and self.is_dangling(at):
            comma = data[:at].rstrip(b' \t\r\n')
            self.put(len(comma) - 1, len(comma), b' ')
            self.count('trailing-comma')
            return True
        start = self.string_at(at)
        if start is None:
            return 'json-number' in bad.classes and self.number(bad)
        if 'json-escape' in bad.classes:
            back = data.rfind(b'\\', start, at)
            self.put(back, back, b'\\')
            self.in_string('repaired-escape', start)
        elif 'json-control-char' in bad.classes:
            self.put(at, at + 1, b'\\u%04x' % data[at])
            self.in_string('repaired-control-char', start)
        elif 'utf8' in bad.classes:
            first = at
            while first > start + 1 and data[first - 1] >= 0x80 and not self.whole(data, first, at):
                first -= 1
            end = at if first < at else at + 1
            self.put(first, end, b'\xef\xbf\xbd' * (end - first))
            self.in_string('repaired-utf8', start)
        else:
            return False
        return True

    @staticmethod
    def whole(data, first, at):
        """Whether what is before `first` ends with whole characters, so that the sequence which is cut short begins there."""
        for size in (1, 2, 3, 4):
            try:
                data[max(first - size, 0):first].decode()
                return True
            except UnicodeDecodeError:
                pass
        try:
            data[max(first - 3, 0):first].decode('utf-8', 'surrogatepass')
            return True
        except UnicodeDecodeError:
            return False

    def number(self, bad):
        data, start = self.data, bad.at
        while start and re.match(rb'[0-9A-Za-z_.+-]', data[start - 1:start]):
            start -= 1
        text = data[start:WORD.match(data, start).end()]
        begun = text[:1] in b'-0123456789' and text[:1]
        # words but true, false and null that begin as numbers of other languages do
        if not begun and not re.match(rb'[NIi+.]|na', text):
            return False
        self.put(start, start + len(text), b'null')
        self.count('repaired-number')
        return True

    def array_of_events(self):
        """Where the array of events begins: behind its bracket."""
        text = self.data.lstrip(b'\xef\xbb\xbf \t\r\n')
        return len(self.data) - len(text) + 1 if text[:1] == b'[' else None

    def is_dangling(self, at):
        """Whether a comma stands before the bracket that closes the array of events."""
        before = self.data[:at].rstrip(b' \t\r\n')
        if not before.endswith(b','):
            return False
        trial = before[:-1] + b']'
        for rest in (b'', b'}'):
            if strict.first_bad(trial + rest) is None:
                top = strict_loads(trial + rest)
                if not rest:
                    return isinstance(top, list)
                return top and list(top)[-1][0] == 'traceEvents'
        return False

    def close(self, at):
        """The end of a bare array may be missing."""
        if self.array_of_events() is None:
            return False
        text = self.data.rstrip(b' \t\r\n')
        text = text[:-1] if text.endswith(b',') else text
        if strict.first_bad(text + b']') is not None or re.search(rb'[0-9.+-]$|[eE]$', text):
            return False
        self.data = text + b']'
        self.count('array-not-closed')
        return True


def strict_loads(data):
    import json
    return json.loads(data.decode('utf-8-sig', 'surrogatepass'), object_pairs_hook=list)
