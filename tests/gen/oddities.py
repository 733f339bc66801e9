"""What is odd in random_trace.py: numbers, ids, strings, members, and the turning
of made-up events into elements of traceEvents.

Everything here is valid JSON that real or careless writers could produce; each
function draws one oddity from a table of them.
"""
import re

import jsontext
from jsontext import Obj, Raw

MISSING = object()                       # a member that is not written
INTEGER = re.compile(r'-?(?:0|[1-9][0-9]*)')
NUMBER = re.compile(r'-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?')
ID_KEYS = ('correlation', 'External id', 'Python id', 'Python parent id', 'Sequence number', 'Fwd thread id')

# Families of ids that are equal, or only look so.
LANE_IDS = (
    (Raw(0), '0', Raw('-0'), '-0', Raw('0.0'), '00', '', False),
    (Raw(7), '7', Raw('7.0'), '7.0', '007', '+7', ' 7', '7 ', Raw('7e0'), '7e0', '-7', Raw(-7), 'stream 7'),
    (Raw(1), '1', True, 'true', 'True', Raw(-1), '-1', Raw('1.5'), '1.5', Raw('1.50')),
    (None, MISSING, 'null', 'None', '', [], '[]', Raw(0)),
    (Raw(1 << 63), str(1 << 63), Raw((1 << 63) - 1), Raw(-(1 << 63)), str(-(1 << 63)), Raw(-(1 << 63) - 1), str(-(1 << 63) - 1), Raw(-1)),
    (Raw((1 << 64) - 1), str((1 << 64) - 1), Raw(1 << 64), str(1 << 64), Raw(0), Raw(-1), Raw('1' * 40), '1' * 40, '0' + str((1 << 64) - 1)),
    ([Raw(1), 'a'], '[1,"a"]', '[1, "a"]', ['1', 'a'], [None, [True]], '[null,[true]]', []),
    (Obj([('a', Raw(1))]), '{"a":1}', Obj([('a', '1')]), Obj(), '{}'),
    ('thr\u00e4d', ['thr\u00e4d'], '["thr\u00e4d"]', 'a"b\\c', ['a"b\\c'], 'a\x00b', ['a\x00b'], 'a', 'a\x00'),
    ('\ud800', '\ufffd', ['\ud800'], '\U0001f600', ['\U0001f600', '\ud800'], '["\U0001f600","\ud800"]'),
    ('Spans', 'stream 7', 'nul', 'nul\x00', 'null', 'CPU functions', 'x' * 300, 'x' * 301))

HOSTILE = (
    '}, {"ph": "X", "cat": "kernel", "ts": 1', '"}]}', '{"traceEvents": [', '"', '""', '\\', '\\\\', '\\"', '\\\\"', '\\' * 7, '"' * 6, '{[}]', '}{',
    '],', '}],"x":[{', 'null', '\x00', 'a\x00b\x1f', '\n', 'line\r\nline', 'tab\there', '\b\f', '\x7f', '\u0080\u00a0', '\u2028\u2029', '\ufeff',
    '\ufffe\uffff', 'caf\u00e9', '\u65e5\u672c\u8a9e', '\U0001f600', '\U0010ffff', '\ud800', '\udfff', '\ude00\ud83d', 'x\udc00y', 'a/b', '</script>',
    'C:\\temp\\new', '\\u0041', '\\ud83d', '$`%s%d', "'", '<lambda>(int)#1}, std::array<char*, 2ul> >', ' ', '\t', 'a\\', '\\\\\\"}, {"ph":"X"}')

# Text or another value where a time should be.
NO_TIMES = ('', 'abc', ' 1', '1 ', '1.', '.5', '+1', '01', '-', '--1', '1e', '1e+', '0x10', 'NaN', 'Infinity', '1_0', '1,5', '1.5.2', '\u0661', '1\x00', True, False,
            [], [Raw(1)], Obj(), Obj([('ts', Raw(5))]), '-1.-234', '1e5e5', 'null')
ZEROS = ('-0', '0', '0.0', '-0.000', '0e99', '0E-999999999999999999999', '-0.0e+5')
HUGE = ('1e300', '-1e300', '99999999999999999999', '-99999999999999999999', '9223372036854775.807', '9223372036854775.808', '9223372036854775.8074',
        '9223372036854775.8075', '-9223372036854775.808', '-9223372036854775.8085', '-9223372036854775.8086', '-9223372036854775.809',
        '18446744073709551616', '1e999999999999999999999', '9.223372036854775807e15', '92233720368547758070e-4', '1' + '0' * 400, '0.' + '0' * 400 + '1')


def compact(v):
    """A value as JSON text without spaces, as the rules for ids have it."""
    return jsontext.Writer(None, 'min').value(v)


def plain_time(ns, places=3):
    sign, ns = ('-', -ns) if ns < 0 else ('', ns)
    text = '%s%d.%03d' % (sign, ns // 1000, ns % 1000)
    return text if places == 3 else text.rstrip('0').rstrip('.')


class Oddities:
    def __init__(self, rng):
        self.rng = rng
        self.family = rng.choice(LANE_IDS)

    # ---- numbers -------------------------------------------------------------------
    def integer(self, value):
        """An id that should have been the integer `value`."""
        rng, value = self.rng, int(value)
        return rng.choice((
            lambda: str(value), lambda: str(value), lambda: str(value), lambda: Raw(value + (1 << 63)), lambda: str(value + (1 << 63)),
            lambda: Raw((1 << 64) - 1 - value), lambda: Raw((1 << 64) + value), lambda: str((1 << 64) + value), lambda: Raw(-value), lambda: Raw(0),
            lambda: Raw('-0'), lambda: '0', lambda: '00%d' % value, lambda: Raw('%d.0' % value), lambda: Raw('%de0' % value), lambda: '%d.0' % value,
            lambda: None, lambda: True, lambda: [Raw(value)], lambda: Obj([('id', Raw(value))]), lambda: '', lambda: 'abc', lambda: ' %d' % value,
            lambda: Raw(1 << 62), lambda: Raw('9' * 20), lambda: Raw(-(1 << 63))))()

    def respell(self, v):
        """The same id in another spelling, where there is one."""
        rng = self.rng
        if v is None or v is MISSING:
            return rng.choice((None, MISSING))
        if isinstance(v, Raw) or isinstance(v, str) and NUMBER.fullmatch(v):
            if INTEGER.fullmatch(v) and int(v) == 0:
                return rng.choice((Raw('0'), Raw('-0'), '0', '-0'))
            return str(v) if isinstance(v, Raw) else Raw(v)
        if not isinstance(v, str):
            return str(compact(v))
        return v

    def lane_id(self):
        return self.rng.choice(self.family if self.rng.random() < 0.7 else self.rng.choice(LANE_IDS))

    def exponent(self, ns, scale=-3):
        """`ns` nanoseconds as microseconds with an exponent, exactly."""
        rng = self.rng
        sign, digits = ('-' if ns < 0 else ''), str(abs(ns))
        zeros = '0' * rng.choice((0, 0, 1, 4))
        power = scale - len(zeros)
        digits += zeros
        point = rng.randint(0, len(digits))
        power += len(digits) - point
        whole, fraction = digits[:point] or '0', digits[point:]
        if len(whole) > 1 and whole[0] == '0':                      # only when ns is 0
            whole = '0'
        text = sign + whole + ('.' + fraction if fraction else '')
        plus = rng.choice(('', '+')) if power >= 0 else '-'
        return text + rng.choice('eE') + plus + '0' * rng.choice((0, 0, 2)) + str(abs(power))

    def long(self, ns):
        """More than three decimals that round to `ns`."""
        rng = self.rng
        if rng.random() < 0.7 or ns <= 0:
            return plain_time(ns) + rng.choice(('0', '0000', '1', '49', '4999999999999999999999', '0000001', '4', '3' * 60))
        return plain_time(ns - 1) + rng.choice(('9', '51', '5000000000000000000001', '6', '50000001'))

    def tie(self, ns):
        """Exactly between two nanoseconds."""
        rng = self.rng
        text = plain_time(ns) + '5' + '0' * rng.choice((0, 0, 1, 5))
        if rng.random() < 0.25:
            return self.exponent(ns * 10 + (5 if ns >= 0 else -5), -4)
        return text

    def time(self, ns, form):
        """A readable time as a member's value, in one of the forms."""
        rng = self.rng
        if form == 'mixed':
            form = rng.choice(('f3', 'trim', 'exponent', 'long', 'quoted', 'f3'))
        if form == 'f3':
            return Raw(plain_time(ns))
        if form in ('trim', 'int'):
            return Raw(plain_time(ns, 0))
        if form == 'quoted':
            return plain_time(ns, rng.choice((0, 3))) if rng.random() < 0.6 else self.exponent(ns)
        return Raw({'exponent': self.exponent, 'long': self.long, 'tie': self.tie}[form](ns))

    def odd_time(self, ns, is_duration):
        rng, draw = self.rng, self.rng.random()
        if draw < 0.55:
            return self.time(ns, rng.choice(('exponent', 'exponent', 'long', 'tie', 'quoted', 'quoted', 'int')))
        if draw < 0.63:
            return MISSING
        if draw < 0.68:
            return None
        if draw < 0.78:
            return rng.choice(NO_TIMES)
        if draw < 0.84:
            return Raw(rng.choice(ZEROS))
        if draw < 0.92 and is_duration:
            return Raw(plain_time(-abs(ns) - 1))
        return Raw(rng.choice(HUGE)) if rng.random() < 0.7 else str(rng.choice(HUGE))

    # ---- text and values --------------------------------------------------------------
    def hostile(self):
        rng = self.rng
        draw = rng.random()
        if draw < 0.75:
            return ''.join(rng.choice(HOSTILE) for _ in range(rng.choice((1, 1, 1, 2, 3, 6))))
        if draw < 0.85:
            return rng.choice(('x', '\\', '"', '\u00e9', '{"', '}, {"ph"', '\U0001f600')) * rng.randint(1, 60)
        if draw < 0.854:
            return rng.choice(('x', 'a/b ', '\\"', '\u65e5', '}, {"ph')) * rng.randint(20000, 60000)
        if draw < 0.93:
            return ''.join(chr(rng.choice((rng.randrange(128), rng.randrange(0x800), rng.randrange(0x110000)))) for _ in range(rng.randint(1, 40)))
        return rng.choice(HOSTILE) + rng.choice(('long ', 'tile<int, 4>::', '\\"')) * rng.randint(100, 2500) + rng.choice(HOSTILE)

    def event_like(self):
        rng = self.rng
        return Obj([('ph', 'X'), ('cat', rng.choice(('kernel', 'cpu_op', 'cuda_runtime'))), ('name', 'inner'), ('pid', Raw(4000)), ('tid', Raw(4000)),
                    ('ts', Raw(1)), ('dur', Raw(2)), ('args', Obj([('correlation', Raw(rng.randint(1, 50)))]))])

    def value(self, depth=0):
        """Any JSON value."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.2:
            return self.hostile()
        if draw < 0.35:
            return Raw(rng.choice(('0', '-0', '5', '1.5', '-2.50', '1e5', '1E-7', '18446744073709551615', '-9223372036854775808', '0.30000000000000004',
                                   '1' * 50, '1e400', '1E+400', '-1.0e-400', '-0.0', '-0e5', '0.1000', '100', '123456789012345678901234567890.5')))
        if draw < 0.45:
            return rng.choice((None, True, False, [], Obj(), ''))
        if draw < 0.6:
            return [self.event_like() for _ in range(rng.randint(1, 3))]
        if draw < 0.66:
            n = rng.choice((2, 5, 30, 100, 400))
            a, b = rng.choice((('[', ']'), ('{"a":', '}'), ('[[],', ']')))
            return Raw(a * n + '"x"' + b * n) if n < 100 or a == '[' else Raw('[' * n + ']' * n)
        if depth > 3:
            return Raw(rng.randint(0, 9))
        if draw < 0.85:
            return [self.value(depth + 1) for _ in range(rng.randint(0, 4))]
        return Obj([(self.key(), self.value(depth + 1)) for _ in range(rng.randint(0, 4))])

    def key(self):
        return self.rng.choice(('', 'a', 'name', 'traceEvents', 'correlation', 'args', 'key with space', 'k\u00e9y', '"', '\\', 'kernel_file', self.hostile()[:40]))

    def no_object(self):
        """An element of traceEvents that is no event."""
        rng = self.rng
        return rng.choice((Obj(), Obj(), Raw(5), Raw('-1.5e3'), None, 'x', '', True, False, [], [self.event_like()], [[]],
                           Obj([('args', Obj())]), Obj([('', None)]), Obj([('traceEvents', [self.event_like()])]), self.hostile()))

    def members(self, between):
        """Members of the document beside traceEvents."""
        rng, out = self.rng, []
        for _ in range(rng.randint(*between)):
            out.append(rng.choice((
                lambda: ('schemaVersion', Raw(1)), lambda: ('deviceProperties', [Obj([('id', Raw(0)), ('name', 'GPU'), ('totalGlobalMem', Raw(85018279936))])]),
                lambda: ('distributedInfo', Obj([('rank', Raw(1)), ('world_size', Raw(2)), ('pg_config', [Obj([('ranks', '[0, 1]')])])])),
                lambda: ('baseTimeNanoseconds', Raw(1751410836000000000)), lambda: ('displayTimeUnit', 'ms'), lambda: ('traceName', 'made.json'),
                lambda: ('metadata', Obj([('traceEvents', [self.event_like()]), ('x', Obj([('traceEvents', [])]))])),
                lambda: ('traceEvents2', [self.event_like(), Obj()]), lambda: ('TraceEvents', []), lambda: ('traceEvent', '"traceEvents": [{"ph": "X"}]'),
                lambda: ('text', '}, {"ph": "X", "cat": "kernel", "name": "k"}, {"ph": "' + self.hostile()), lambda: ('long', 'pad ' * rng.randint(10, 1500)),
                lambda: ('list', [self.event_like() for _ in range(rng.randint(2, 12))]), lambda: (self.hostile(), self.value()), lambda: ('', self.value()),
                lambda: ('stackFrames', Obj([('1', Obj([('name', 'f')]))])), lambda: ('INFO', ['a log line with "quotes" and {braces}, [brackets]'])))())
        if out and rng.random() < 0.1:
            out.append((rng.choice(out)[0], self.value()))            # a key once more
        return [(k, v) for k, v in out if k != 'traceEvents']


class Renderer:
    """Turns a Maker's events into elements of traceEvents in file order."""

    def __init__(self, maker):
        self.maker, self.rng, self.odd = maker, maker.rng, maker.odd
        self.form, self.key_order = maker.pick('time'), maker.pick('keys')

    def elements(self):
        placed = self.place(self.maker.pick('order'))
        out = []
        for event, closing in placed:
            element = self.closing(event) if closing else self.element(event)
            out.append(self.disturb(element))
            while self.maker.chance('odd_element') and len(out) < 3 * len(placed):
                out.append(self.odd.no_object())
        return out

    # ---- file order --------------------------------------------------------------------
    def place(self, order):
        """(event, whether it is the E of a pair) in file order."""
        rng, maker = self.rng, self.maker
        items = []                                                  # (section, place, time, 1 for a start, event, closing)
        gpu_first = rng.random() < 0.5
        for i, e in enumerate(maker.events):
            place = i
            if gpu_first and e.cat in ('kernel', 'gpu_memcpy', 'gpu_memset'):
                place = i - 2.5
            items.append((e.section, place, e.start, 1, e, False))
            if e.phase == 'X' and maker.chance('pair'):
                e.phase = 'B'
                if rng.random() < 0.93:
                    items.append((e.section, self.after(i), e.end, 0, e, True))
        if order == 'sections':
            items.sort(key=lambda x: x[:2])
        elif order == 'time':
            items.sort(key=lambda x: (x[2], x[3]))
        elif order == 'end':
            items.sort(key=lambda x: (x[0], x[4].end if x[4].end is not None else x[2], x[5]))
        elif order == 'reverse':
            items.reverse()
        else:
            rng.shuffle(items)
        return [(x[4], x[5]) for x in items]

    def after(self, i):
        """Where the E of event i stands: before the first later event of its lane that starts at or after its end."""
        events, e = self.maker.events, self.maker.events[i]
        for j in range(i + 1, len(events)):
            if events[j].lane is e.lane and events[j].section == e.section and events[j].start >= e.end:
                return j - 0.4
        return len(events)

    # ---- one element -------------------------------------------------------------------
    def lane_value(self, v):
        if isinstance(v, int) and not isinstance(v, bool):
            v = Raw(v)
        return self.odd.respell(v) if self.maker.chance('spell') else v

    def time(self, ns, is_duration=False):
        if self.maker.chance('odd_time'):
            return self.odd.odd_time(ns, is_duration)
        return self.odd.time(ns, self.form)

    def element(self, e):
        m = {'ph': e.phase, 'name': e.name, 'pid': self.lane_value(e.lane.pid), 'tid': self.lane_value(e.lane.tid), 'ts': self.time(e.start)}
        if e.cat is not None:
            m['cat'] = e.cat
        if e.end is not None and (e.phase == 'X' or self.rng.random() < 0.05):
            m['dur'] = self.time(e.end - e.start, True)
        m.update(e.more)
        if e.args or self.rng.random() < 0.02:
            m['args'] = Obj((k, self.argument(k, v)) for k, v in e.args)
        if 'args' in m and self.rng.random() < 0.01:
            m['args'] = Obj()
        for k in self.rng.sample(('id', 'tts', 'bp', 'sf'), 1) if self.rng.random() < 0.03 else ():
            m.setdefault(k, Raw(3))
        return Obj((k, m[k]) for k in self.keys(e.phase, m) if m[k] is not MISSING)

    def argument(self, key, v):
        if key in ID_KEYS and self.maker.chance('odd_id'):
            v = self.odd.respell(v)
        return None if v is MISSING else v

    def closing(self, e):
        rng = self.rng
        at = e.end if rng.random() < 0.97 else e.start - 1000
        m = {'ph': 'E', 'pid': self.lane_value(e.lane.pid), 'tid': self.lane_value(e.lane.tid), 'ts': self.time(at)}
        if rng.random() < 0.5:
            m['cat'] = e.cat if rng.random() < 0.8 else 'python_function'
        if rng.random() < 0.5:
            m['name'] = e.name if rng.random() < 0.9 else 'another'
        if rng.random() < 0.2:
            m['args'] = Obj([('result', Raw(1))])
        return Obj((k, v) for k, v in m.items() if v is not MISSING and v is not None or k in ('pid', 'tid') and v is None)

    def keys(self, phase, m):
        if self.key_order == 'shuffle':
            keys = list(m)
            self.rng.shuffle(keys)
            return keys
        first = {'kineto': ('ph', 'cat', 'name', 'pid', 'tid', 'ts', 'dur'), 'span': ('ph', 'cat', 'ts', 'dur', 'pid', 'tid', 'name'),
                 'jax': ('pid', 'tid', 'ts', 'name', 'cat', 'ph', 'dur'), 'args first': ('args', 'name', 'ph', 'tid', 'pid', 'dur', 'ts')}[self.key_order]
        if self.key_order == 'kineto' and phase in ('s', 'f'):
            first = ('ph', 'id', 'pid', 'tid', 'ts', 'cat', 'name', 'bp')
        elif self.key_order == 'kineto' and phase == 'M':
            first = ('name', 'ph', 'ts', 'pid', 'tid')
        return [k for k in first if k in m] + [k for k in m if k not in first]

    # ---- what goes wrong with it ----------------------------------------------------------
    def disturb(self, x):
        maker = self.maker
        if maker.chance('odd_value'):
            self.odd_value(x)
        if maker.chance('hostile'):
            self.be_hostile(x)
        if maker.chance('duplicate'):
            self.duplicate(x)
        return x

    def odd_value(self, x):
        rng, odd = self.rng, self.odd
        key = rng.choice(('name', 'name', 'cat', 'args', 'args', 'ph', 'pid', 'tid', 'id', 'argument', 'argument', 'more', 'more'))
        if key == 'more':
            x.insert(rng.randint(0, len(x)), (odd.key() if rng.random() < 0.6 else rng.choice(('correlation', 'External id', 'dur2')), odd.value()))
        elif key == 'argument':
            args = x.get('args')
            if isinstance(args, Obj) and args:
                i = rng.randrange(len(args))
                args[i] = (args[i][0], rng.choice((None, True, odd.value(), odd.value(), 'x', Raw('1.5'))))
        elif rng.random() < 0.3:
            x.drop(key)
        elif key in ('pid', 'tid', 'id'):
            v = odd.lane_id()
            x.drop(key) if v is MISSING else x.set(key, v)
        elif key == 'ph':
            x.set(key, rng.choice(('x', 'XX', '', 'X ', Raw(5), None, ['X'], True, '\u00d7', 'Xx', 'b', 'M', '\x00', 'E', 'B', 's')))
        elif key == 'cat':
            x.set(key, rng.choice((None, Raw(5), '', ['cpu_op'], Obj(), 'cpu_op,kernel', ' cpu_op', 'CPU_OP', 'kernel\x00', 'python_function ', True)))
        else:
            x.set(key, rng.choice((None, Raw(5), Raw('1.50'), '', [], Obj(), True, ['a', Raw(1)], [Obj([('correlation', Raw(3))])], 'text', odd.value())))

    def be_hostile(self, x):
        rng, odd = self.rng, self.odd
        draw = rng.random()
        if draw < 0.6 and isinstance(x.get('name'), str):
            x.set('name', x.get('name') + odd.hostile() if rng.random() < 0.8 else odd.hostile())
            return
        args = x.get('args')
        if not isinstance(args, Obj):
            return
        value = odd.value()
        key = odd.key()
        if key in ID_KEYS and rng.random() < 0.7:
            key += '2'
        args.insert(rng.randint(0, len(args)), (key, value))

    def duplicate(self, x):
        """A key once more: the last one counts."""
        rng, odd = self.rng, self.odd
        args = x.get('args')
        into = args if isinstance(args, Obj) and args and rng.random() < 0.5 else x
        if not into:
            return
        key, old = rng.choice(into)
        new = rng.choice((None, Raw(rng.randint(0, 500)), 'decoy', Obj([('correlation', Raw(1))]), odd.value(), old))
        if key in ('pid', 'tid', 'id'):                              # no object with duplicate keys as an id
            new = rng.choice((None, Raw(rng.randint(0, 500)), 'decoy', old))
        if rng.random() < 0.7:
            into.insert(rng.randint(0, next(i for i, (k, _) in enumerate(into) if k == key)), (key, new))
        else:
            into.append((key, new))
