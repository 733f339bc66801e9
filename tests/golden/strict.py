"""Where a text stops being JSON: the first byte that no valid document could have there, and what may be said of it.

Plain and independent of the command: the judge of its messages about damaged text.
"""
import re

SPACE = re.compile(rb'[ \t\n\r]*')
TEXT = re.compile(rb'[^"\\\x00-\x1f\x80-\xff]*')
NUMBER = re.compile(rb'-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?')
# The longest start of a number that may still become one.
PREFIX = re.compile(rb'-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:(?<=[0-9])[eE][+-]?[0-9]*)?)?')
HEX = b'0123456789abcdefABCDEF'
UTF8 = [(0xc2, 0xdf, [(0x80, 0xbf)]), (0xe0, 0xe0, [(0xa0, 0xbf), (0x80, 0xbf)]), (0xe1, 0xec, [(0x80, 0xbf)] * 2),
        (0xed, 0xed, [(0x80, 0x9f), (0x80, 0xbf)]), (0xee, 0xef, [(0x80, 0xbf)] * 2), (0xf0, 0xf0, [(0x90, 0xbf)] + [(0x80, 0xbf)] * 2),
        (0xf1, 0xf3, [(0x80, 0xbf)] * 3), (0xf4, 0xf4, [(0x80, 0x8f)] + [(0x80, 0xbf)] * 2)]
SYNTAX = {'json-syntax'}


class Bad(Exception):
    """Byte `at`, of which one of `classes` may be said; `slack` bytes either way."""

    def __init__(self, at, classes, slack=0):
        super().__init__(at)
        self.at, self.classes, self.slack = at, set(classes), slack


def first_bad(data):
    """None if `data` is one JSON document, else Bad."""
    at = 3 if data[:3] == b'\xef\xbb\xbf' else 0
    try:
        at = value(data, at)
        at = SPACE.match(data, at).end()
        if at < len(data):
            raise Bad(at, {'extra-data'})
    except Bad as bad:
        if bad.at >= len(data):
            return Bad(len(data), {'truncated'})
        return bad
    return None


def value(data, at):
    """The end of the value at `at`, white space before it allowed."""
    stack = []                                                      # closing brackets
    while True:
        at = SPACE.match(data, at).end()
        byte = data[at:at + 1]
        if byte in (b'{', b'['):
            stack.append(b'}' if byte == b'{' else b']')
            at = SPACE.match(data, at + 1).end()
            if data[at:at + 1] == stack[-1]:
                at += 1
                stack.pop()
            elif byte == b'{':
                at = key(data, at)
                continue
            else:
                continue
        else:
            at = scalar(data, at)
        while stack:                                                # after a value
            at = SPACE.match(data, at).end()
            byte = data[at:at + 1]
            if byte == stack[-1]:
                at += 1
                stack.pop()
            elif byte == b',':
                at += 1
                if stack[-1] == b'}':
                    at = key(data, SPACE.match(data, at).end())
                break
            else:
                raise odd(data, at, SYNTAX)
        else:
            return at


def odd(data, at, classes):
    """A byte that is none of those that may stand there; it may be bad UTF-8 too."""
    return Bad(at, classes | {'utf8'} if data[at:at + 1] >= b'\x80' else classes)


def key(data, at):
    """The place behind the colon of a key."""
    if data[at:at + 1] != b'"':
        raise odd(data, at, SYNTAX)
    at = SPACE.match(data, string(data, at)).end()
    if data[at:at + 1] != b':':
        raise odd(data, at, SYNTAX)
    return at + 1


def scalar(data, at):
    byte = data[at:at + 1]
    if byte == b'"':
        return string(data, at)
    for word in (b'true', b'false', b'null'):
        if byte == word[:1]:
            n = 1
            while n < len(word) and data[at + n:at + n + 1] == word[n:n + 1]:
                n += 1
            if n == len(word):
                return at + n
            raise odd(data, at + n, {'json-syntax', 'json-number'})
    if byte and byte in b'-0123456789':
        m = NUMBER.match(data, at)
        end = PREFIX.match(data, at).end()
        if m and m.end() == end and not re.match(rb'[0-9A-Za-z_.+-]', data[end:end + 1]):
            return end
        raise Bad(end, {'json-number'})
    raise odd(data, at, {'json-syntax', 'json-number'} if byte.isalpha() or byte in b'+.' else SYNTAX)


def string(data, at):
    at += 1
    while True:
        at = TEXT.match(data, at).end()
        byte = data[at:at + 1]
        if byte == b'"':
            return at + 1
        if byte == b'\\':
            at = escape(data, at)
        elif byte >= b'\x80':
            at = sequence(data, at)
        else:
            raise Bad(at, {'json-control-char'})                     # or the end


def escape(data, at):
    letter = data[at + 1:at + 2]
    if letter == b'u':
        for i in range(at + 2, at + 6):
            if data[i:i + 1] == b'' or data[i] not in HEX:
                raise Bad(i, {'json-escape'}, 5)
        return at + 6
    if letter == b'' or letter not in b'"\\/bfnrt':
        raise Bad(at + 1, {'json-escape'}, 2)
    return at + 2


def sequence(data, at):
    for first, last, rest in UTF8:
        if first <= data[at] <= last:
            for i, (low, high) in enumerate(rest, at + 1):
                if i >= len(data) or not low <= data[i] <= high:
                    raise Bad(i, {'utf8'}, 3)
            return at + 1 + len(rest)
    raise Bad(at, {'utf8'})
