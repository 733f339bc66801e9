#!/usr/bin/env python3
"""Damages traces and compares what becomes of them with judges; prints TAP.

    run_damage.py traces [--seeds N] [--first N] [--seed S] [--keep FILE]    random traces, damaged: strict, repaired, salvaged
    run_damage.py documents [--seeds N] [--first N]                          documents of every kind: what --strict accepts is JSON
    run_damage.py cuts [--seeds N]                                           a real trace, cut anywhere: salvage keeps all whole events

The command is $T2T, or t2t in $builddir.  With T2T_LONG=1 everything is done.
"""
import argparse
import decimal
import gzip
import json
import multiprocessing
import os
import random
import re
import shutil
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import golden                                                      # noqa: E402
from golden import Command, Tap                                    # noqa: E402
import lenient                                                     # noqa: E402
import strict                                                      # noqa: E402
from run_traces import first_difference                            # noqa: E402

ZSTD = shutil.which('zstd')


def event_spans(data):
    """First byte and end of each event of a document that is ASCII."""
    text, decoder = data.decode('ascii'), json.JSONDecoder()
    at = text.index('[', text.index('"traceEvents"')) + 1
    while True:
        while text[at] in ' \t\r\n,':
            at += 1
        if text[at] == ']':
            return
        end = decoder.raw_decode(text, at)[1]
        yield at, end
        at = end


class Damage:
    """Checks that a damaged trace is refused with the right class and byte, always the same, and that nothing is left behind."""

    PIECES = (b'"', b'\\', b',', b':', b'{', b'}', b'[', b']', b'\\u12', b'\\x', b'\n', b'\x00', b'\xff', b'\xc3', b'\xed\xa0\x80', b'1', b'-', b'.', b'e',
              b'NaN', b'inf', b'null', b'tru', b'},{', b' ', b'\xef\xbb\xbf', b'//', b"'", b',,', b'{}', b'0')

    def __init__(self, folder):
        self.command, self.folder, self.oracle, self.spans = Command(folder), folder, golden.find_oracle(), None

    def make(self, seed):
        """The damaged bytes, and what was done."""
        import random_trace
        rng = random.Random('damage %d' % seed)
        data = random_trace.make(seed if seed % random_trace.LARGE_EVERY != random_trace.LARGE_EVERY - 1 else 0).data()
        done = []
        for _ in range(rng.choice((1, 1, 1, 2))):
            if rng.random() < 0.4:
                data, how = self.spoil_value(rng, data)
                done.append(how)
                continue
            at, size = rng.randrange(len(data)), rng.choice((1, 1, 1, 2, 5, 40, 1500))
            how = rng.choice(('delete', 'insert', 'replace', 'cut', 'repeat', 'append', 'bit'))
            piece = rng.choice(self.PIECES) if rng.random() < 0.8 else bytes([rng.randrange(256)])
            data = {'delete': lambda: data[:at] + data[at + size:], 'insert': lambda: data[:at] + piece + data[at:],
                    'replace': lambda: data[:at] + piece + data[at + len(piece):], 'cut': lambda: data[:at],
                    'repeat': lambda: data[:at + size] + data[at:], 'append': lambda: data + piece,
                    'bit': lambda: data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]}[how]()
            done.append('%s at %d' % (how, at))
            if not data:
                break
        return data, ', '.join(done)

    @staticmethod
    def spoil_value(rng, data):
        """Damage that aims inside a string or at a number."""
        at = rng.randrange(len(data))
        if rng.random() < 0.3:
            m = re.compile(rb'[:,\[]\s*(-?[0-9][0-9.eE+-]*)').search(data, at)
            if m:
                word = rng.choice((b'NaN', b'-Infinity', b'inf', b'nan', b'01', b'1.', b'.5', b'+1', b'1e', b'0x1F', b'-', b'None', b'1_0'))
                return data[:m.start(1)] + word + data[m.end(1):], 'number at %d is %s' % (m.start(1), word.decode())
        m = re.compile(rb'"[^"\\]*"').search(data, at)
        if not m:
            return data, 'nothing'
        at = rng.randrange(m.start() + 1, m.end())
        piece = rng.choice((b'\\q', b'\\', b'\\u12', b'\\uD8', b'\n', b'\x00', b'\x1b[0m', b'\xff', b'\xe2\x82', b'\xf0\x9f\x98', b'\xc0\xaf', b'\xed\xa0\x80',
                            b'C:\\Users\\x\\', b'\xff\xfe\xff', b'\t\t'))
        return data[:at] + piece + data[at:], '%r in a string at %d' % (piece, at)

    def check(self, seed):
        data, done = self.make(seed)
        return ['%s: %s' % (done, b) for b in self.plain(seed, data)] + ['container: ' + b for b in self.packed(seed)] + \
            ['salvage: ' + b for b in self.kept(seed)]

    def plain(self, seed, data):
        """The three modes: strict refuses all damage, the default what no repair helps, salvage hardly any."""
        trace = os.path.join(self.folder, 'trace.json')
        with open(trace, 'wb') as f:
            f.write(data)
        bad = []
        for mode, ways in (('--strict', (('-j1',), ('-j2', '--chunk', '1K'), ('-j4', '--chunk', '3K'))),
                           ('--repair', (('-j1',), ('-j4', '--chunk', '1K'))), ('--salvage', (('-j1',), ('-j4', '--chunk', '1K')))):
            bad += ['%s: %s' % (mode, b) for b in self.mode(data, trace, mode, ways)]
        return bad

    def mode(self, data, trace, mode, ways):
        said, bad, dumps = [], [], set()
        index = os.path.join(self.folder, 'x.t2t')
        for options in ways:
            r = self.command.run('build', trace, '-o', index, *options, *((mode,) if mode != '--repair' else ()))
            said.append((r.status, r.message() if r.status == 3 else ''))
            if r.status in (0, 4):
                with open(index, 'rb') as f:
                    dumps.add(f.read())
                if options == ways[0]:
                    bad += getattr(self, 'accepted_' + mode[2:])(data, index, r)
                os.remove(index)
            if os.listdir(self.folder) != ['trace.json']:
                return ['left behind: ' + ' '.join(os.listdir(self.folder))]
        if len(set(said)) != 1 or len(dumps) > 1:
            bad.append('not the same with other workers and chunks: %s' % said)
        if mode == '--repair':
            bad += self.listed(trace, r)
        if mode == '--strict':
            return bad or self.judge(data, r)
        return bad or (self.judge_repair(data, r) if mode == '--repair' else self.judge_salvage(data, r))

    def listed(self, trace, r):
        """What check lists comes to the end that a build, `r`, comes to: repairs first, then what it refuses, then what it does not reach."""
        c = self.command.run('check', '--format', 'json', trace)
        if c.status == 3:
            return [] if r.status == 3 else ['built, but ' + c.said()]
        damages = json.loads(c.text())['damages']
        ends = [d['default'] for d in damages]
        first = ends.index('refused') if 'refused' in ends else len(ends)
        if ends != ['repaired'] * first + ['refused'] * (first < len(ends)) + ['not reached'] * (len(ends) - first - 1):
            return ['check: not in the order of a build: %s' % ends]
        if c.status != (1 if ends else 0) or (r.status == 3) != (first < len(ends)):
            return ['check ended with %d: %s, but %s' % (c.status, ends, r.said())]
        m = re.search(r': ([a-z0-9-]+): [^\n]*?(?: \(at byte (\d+)(?: of the compressed file)?\))?\n', r.message())
        if r.status == 3 and (damages[first]['class'], str(damages[first]['offset'])) != m.groups():
            return ['check: %s at %s, but %s' % (damages[first]['class'], damages[first]['offset'], r.said())]
        return []

    def accepted_strict(self, data, index, r):
        return self.accepted(data, index)

    def accepted_repair(self, data, index, r):
        """What is repaired is what the judge repairs, and so are the counts."""
        repaired = lenient.Repaired(data)
        if repaired.bad:
            return ['was accepted: %s at byte %d' % (repaired.bad.classes, repaired.bad.at)]
        found = json.loads(self.command.run('info', index, '--format', 'json').text())['anomalies']
        counts = {row['kind']: row['count'] for row in found if re.match('repaired|trailing-comma|array-not', row['kind'])}
        bad = [] if counts == repaired.counts else ['wanted repairs %s, found %s' % (repaired.counts, counts)]
        return bad + self.accepted(repaired.data, index)

    def accepted_salvage(self, data, index, r):
        """Whole events from before the first damage are all there, and what is there is sound."""
        check = self.command.run('check', index)
        bad = [] if check.status in (0, 2) else [check.said()]
        repaired = lenient.Repaired(data)
        if not repaired.bad:
            return bad + ([] if r.status == 0 else ['nothing is lost, but ' + r.said()]) + self.accepted_repair(data, index, r)
        if r.status != 4:
            return bad + ['wanted exit status 4: ' + r.said()]
        return bad

    def judge_repair(self, data, r):
        if r.status == 0:
            return []
        repaired = lenient.Repaired(data)
        if repaired.bad is None and self.trace_of(repaired.data) is not None:
            return ['can be repaired, but ' + r.said()]
        return self.judge_refusal(data, r, repaired.bad)

    def judge_salvage(self, data, r):
        """Refused is only what has no array of events."""
        if r.status in (0, 4):
            return []
        repaired = lenient.Repaired(data)
        if re.search(rb'"traceEvents"\s*:\s*\[', data) or data.lstrip(b'\xef\xbb\xbf \t\r\n')[:1] == b'[':
            if not (b'\\u0000' in data or data.count(b'traceEvents') > 1 or self.is_utf16(data) or self.is_too_deep(r)):
                return ['has events, but ' + r.said()]
        return [] if r.status == 3 else ['wanted exit status 3: ' + r.said()]

    EXAMPLE = os.path.join(os.environ.get('top_srcdir') or '.', 'examples', 'two_steps.json')

    def kept(self, seed):
        """Salvage keeps every event that a damage did not touch, wherever it is and whatever it does to the text around."""
        if not self.spans:
            with open(self.EXAMPLE, 'rb') as f:
                self.example = f.read()
            self.spans = list(event_spans(self.example))
        rng = random.Random('salvage %d' % seed)
        head = rng.random() < 0.3
        at, size = rng.randrange(*((1, self.spans[0][0]) if head else (self.spans[0][0], self.spans[-1][1]))), rng.choice((0, 0, 1, 1, 3, 30, 700))
        size = min(size, self.spans[-1][1] - at)
        piece = rng.choice(self.PIECES + (b'', b'"', b'{', b'[')) if size else rng.choice(self.PIECES)
        trace, index = os.path.join(self.folder, 'trace.json'), os.path.join(self.folder, 'x.t2t')
        with open(trace, 'wb') as f:
            f.write(self.example[:at] + piece + self.example[at + size:])
        r = self.command.run('build', trace, '-o', index, '--salvage', '-j2', '--chunk', rng.choice(('1K', '5K', '1M')))
        if r.status == 3 and head and ': no traceEvents array at the top ' in r.message():
            return []                                               # its name is another one now
        if r.status not in (0, 4):
            return ['%r instead of %d bytes at %d: %s' % (piece, size, at, r.said())]
        exact = {'parse_float': decimal.Decimal, 'parse_int': decimal.Decimal}
        out = json.loads(self.command.run('export', index, '--to', 'trace').text(), **exact)
        os.remove(index)
        bad = []
        for first, end in self.spans:
            event = self.example[first:end]
            if (end < at or first > at + size) and json.loads(event, **exact) not in out['traceEvents']:
                bad.append('%r instead of %d bytes at %d: this is lost: %s' % (piece, size, at, event[:60]))
        if not head and set(out) != set(json.loads(self.example)):
            bad.append('%r instead of %d bytes at %d: members %s' % (piece, size, at, sorted(out)))
        return bad

    @staticmethod
    def is_too_deep(r):
        return ': limit: ' in r.message()

    @staticmethod
    def is_utf16(data):
        return data[:3] != b'\xef\xbb\xbf' and data[:1] in (b'\xfe', b'\xff', b'\x00') or b'\x00' in data[1:2]

    def trace_of(self, data):
        """The events, None if it is no trace; raises ValueError if it is no JSON."""
        def constant(text):
            raise ValueError(text)
        number = self.oracle.Number
        top = json.loads(data.decode('utf-8-sig'), parse_float=number, parse_int=number, parse_constant=constant)
        events = top.get('traceEvents') if isinstance(top, dict) else top
        return events if isinstance(events, list) else None

    def accepted(self, data, index):
        try:
            events = self.trace_of(data)
        except ValueError as e:
            return ['was accepted: %s' % e]
        if events is None:
            return ['was accepted and is no trace']
        r = self.command.run('dump', index)
        wanted = ''.join(line + '\n' for line in self.oracle.Tree(events).lines())
        return [] if r.text() == wanted else first_difference(wanted, r.text())

    def judge(self, data, r):
        """Whether an outcome of --strict is right."""
        if self.is_utf16(data):
            return [] if r.status == 3 else ['wanted exit status 3: ' + r.said()]     # may be taken for UTF-16
        wrong = strict.first_bad(data)
        try:
            events, python = self.trace_of(data), None
        except ValueError as e:
            events, python = None, e
        if bool(wrong) != bool(python):
            return ['the judges differ: byte %s, %s' % (wrong and wrong.at, python)]
        if not wrong and events is not None:
            return [] if r.status == 0 else ['valid, but ' + r.said()]
        return self.judge_refusal(data, r, wrong)

    def judge_refusal(self, data, r, wrong):
        if self.is_utf16(data):
            return [] if r.status == 3 else ['wanted exit status 3: ' + r.said()]
        m = re.fullmatch(r't2t: .*?: ([a-z0-9-]+): [^\n]*?(?: \(at byte (\d+)(?: of the compressed file)?\))?\n', r.message())
        if r.status != 3 or not m:
            return ['wanted exit status 3 and one line: ' + r.said()]
        if not wrong or m.group(1) == 'not-a-trace' and not re.search(rb'traceEvents"\s*:\s*\[', data[:wrong.at]) and data.lstrip()[:1] != b'[':
            return [] if m.group(1) == 'not-a-trace' else ['wanted not-a-trace: ' + r.said()]
        if m.group(1) not in wrong.classes or m.group(2) is None or abs(int(m.group(2)) - wrong.at) > wrong.slack:
            return ['wanted %s at byte %d: %s' % (' or '.join(sorted(wrong.classes)), wrong.at, r.said())]
        return []

    def packed(self, seed):
        """A sound trace in a damaged container."""
        import random_trace
        rng = random.Random('container %d' % seed)
        plain = random_trace.make(seed % 40).data()
        how = rng.choice(('gz', 'gz', 'zst')) if ZSTD else 'gz'
        data = gzip.compress(plain, 6, mtime=0) if how == 'gz' else golden.output(['zstd', '-qc1'], plain)
        at = rng.randrange(10, len(data))
        data = data[:at] if rng.random() < 0.5 else data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]
        path = os.path.join(self.folder, 'trace.json.' + how)
        with open(path, 'wb') as f:
            f.write(data)
        index = os.path.join(self.folder, 'x.t2t')
        r = self.command.run('build', path, '-o', index, '-j%d' % rng.choice((1, 2)))
        wanted = self.container(data, how, plain)
        m = re.fullmatch(r't2t: .*?: ([a-z0-9-]+): [^\n]*\n', r.message())
        bad = []
        if not wanted:
            bad = [] if r.status == 0 else ['sound %s, but %s' % (how, r.said())]
        elif r.status != 3 or not m or m.group(1) not in wanted:
            bad = ['wanted %s: %s' % (' or '.join(sorted(wanted)), r.said())]
        bad += self.listed(path, r)
        for name in os.listdir(self.folder):
            if name.startswith('x.t2t') and (name != 'x.t2t' or wanted):
                bad.append('left behind: ' + name)
            os.remove(os.path.join(self.folder, name))
        return bad

    def container(self, data, how, plain):
        """The classes that may be said of a container; none if it is sound."""
        if how == 'zst':
            p = golden.attempt(['zstd', '-dqc'], data)
            return set() if p == plain else {'zstd-data', 'zstd-truncated'}
        try:
            return set() if gzip.decompress(data) == plain else {'gzip-data'}
        except EOFError:                                            # a bit may have made the data longer: what came out counts
            bad = strict.first_bad(zlib.decompressobj(31).decompress(data))
            return {'gzip-truncated'} | (bad.classes if bad else set()) - {'truncated'}
        except gzip.BadGzipFile:
            return {'gzip-crc', 'gzip-data'}
        except (zlib.error, OSError):
            return {'gzip-data'}


def damage_batch(job):
    seeds, folder = job
    folder = os.path.join(folder, 'from-%d' % seeds[0])
    os.mkdir(folder)
    d = Damage(folder)
    return [(seed, d.check(seed)) for seed in seeds]


def damaged_traces(o):
    if golden.find_oracle() is None:
        return Tap().skip_all('no oracle in %s' % golden.SHARED)
    if o.keep:
        with golden.work_folder() as folder, open(o.keep, 'wb') as f:
            f.write(Damage(folder).make(o.seed or 0)[0])
    return batches(o, damage_batch, 'damaged traces', 10, o.seeds or (2000 if golden.LONG else 20 if golden.SANITIZER else 40))


# ---- documents -------------------------------------------------------------------------
class Documents:
    """Checks that --strict accepts just what RFC 8259 allows, with documents that are made to be at the edge of it."""

    def __init__(self, folder):
        self.command, self.folder = Command(folder), folder

    NUMBERS = ('0', '-0', '1', '-1', '12345678901234567890123', '0.5', '-0.0', '1e5', '1E+5', '1e-400', '1.5e308', '9' * 400, '0.' + '1' * 300, '01', '-', '+1', '.5',
               '1.', '1e', '1e+', '0x1', 'NaN', 'Infinity', '-Infinity', 'inf', '1_0', '--1', '1.2.3', '\u0661', '1e1.5')
    STRINGS = ('a', '', '\\"', '\\\\', '\\/', '\\b\\f\\n\\r\\t', '\\u0000', '\\ud834\\udd1e', '\\ud834', '\\udd1e', '\\uD8', '\\u12g4', '\\x41', '\\u', '\\', '\\\'', '\t', '\n', '\0',
               '\x1f', '\x7f', '\u0080', '\u20ac', '\U0001f600', '\ufeff', '\u2028', '\ufffe')
    WORDS = ('true', 'false', 'null', 'True', 'nul', 'nulll', 'none', 'undefined', 'truefalse', "'a'", '/*c*/1', '//', '(', '')
    BYTES = (b'\x80', b'\xff', b'\xc3', b'\xc0\xaf', b'\xe2\x82', b'\xed\xa0\x80', b'\xf4\x90\x80\x80', b'\xf0\x80\x80\x80', b'\xef\xbb\xbf')
    SPACES = ('', '', '', ' ', '\n', '\t', '\r\n', '\x0b', '\x0c', '\u00a0', '\x00')

    def space(self, rng):
        return rng.choice(self.SPACES[:7]) if rng.random() < 0.99 else rng.choice(self.SPACES)

    def value(self, rng, depth=0):
        kind = rng.random()
        if kind < 0.25:
            return rng.choice(self.NUMBERS[:13] if rng.random() < 0.9 else self.NUMBERS)
        if kind < 0.5:
            return '"%s"' % ''.join(rng.choice(self.STRINGS[:9] if rng.random() < 0.93 else self.STRINGS) for _ in range(rng.randrange(3)))
        if kind < 0.6 or depth > 4:
            return rng.choice(self.WORDS[:3] if rng.random() < 0.93 else self.WORDS)
        s = self.space(rng)
        items = [self.value(rng, depth + 1) for _ in range(rng.randrange(4))]
        if kind < 0.8:
            return '[' + s + (s + ',' + s).join(items) + s + ']'
        keys = ['"%s"' % rng.choice(('a', 'a', 'b', '\\u0061', '', 'ph')) for _ in items]
        return '{' + s + (s + ',' + s).join(k + s + ':' + s + v for k, v in zip(keys, items)) + s + '}'

    def make(self, seed):
        rng = random.Random('document %d' % seed)
        value = self.value(rng)
        if rng.random() < 0.02:
            n = rng.choice((100, 1000, 5000, 9990, 10000))
            value = rng.choice(('[', '{"a":')) * n
            value += ('1' if value[0] == '{' else '') + (']' if value[0] == '[' else '}') * (n if rng.random() < 0.7 else n - 1)
        text = rng.choice(('{"traceEvents":[{"ph":"X","args":{"v":%s}}]}', '{"traceEvents":[%s]}', '{"a":%s,"traceEvents":[]}', '{"traceEvents":[],"z":%s}', '[%s]',
                           '{"traceEvents":[{"ph":"X","ts":1,"dur":%s}]}', '{"traceEvents":[{"name":%s,"ph":"X"},1]}')) % value
        data = text.encode('utf-8', 'surrogatepass')
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
            at = rng.randrange(len(data) + 1)
            how = rng.randrange(6)
            piece = rng.choice(self.BYTES) if rng.random() < 0.3 else rng.choice('{}[],:"\\0-.eE \n\x00\x1ftfn/').encode()
            data = (data[:at] + piece + data[at:], data[:at] + data[at + 1:], data[:at] + piece + data[at + len(piece):], data + piece, data[:at],
                    data[:at] + data[at:at + rng.randrange(1, 9)] + data[at:])[how]
        return data

    @staticmethod
    def is_json(data):
        """Python's json, and the gaps of it closed: constants, recursion, digits; and strict.py must agree."""
        def constant(text):
            raise ValueError(text)
        bad = strict.first_bad(data)
        try:
            text = data[3:].decode() if data[:3] == b'\xef\xbb\xbf' else data.decode()
            try:
                json.loads(text, parse_constant=constant, parse_int=str, parse_float=str)
            except RecursionError:
                return bad is None                                  # deeper than Python goes: strict.py alone
            python = True
        except ValueError:
            python = False
        if python != (bad is None):
            raise AssertionError('the judges differ: %r, %s' % (python, bad))
        return python

    def check(self, seed):
        data = self.make(seed)
        trace, index = os.path.join(self.folder, 'x.json'), os.path.join(self.folder, 'x.t2t')
        with open(trace, 'wb') as f:
            f.write(data)
        r = self.command.run('build', trace, '-o', index, '--strict', '-f', '-q', *(('-j1',), ('-j2', '--chunk', '64'))[seed % 2])
        good = self.is_json(data)
        wanted = 0 if good and self.is_trace(data) else 3
        if r.status != wanted:
            return ['%r: JSON %s, wanted %d, %s' % (data[:200], good, wanted, r.said())]
        return []

    class Members(list):
        """Of an object, with duplicates."""

    def is_trace(self, data):
        """Whether JSON has one array of events at its top."""
        try:
            top = json.loads(data.decode('utf-8-sig'), object_pairs_hook=self.Members, parse_int=str, parse_float=str)
        except RecursionError:                                      # of the keys all but the one of the events are short
            return data.count(b'"traceEvents"') == 1 or data.lstrip(b'\xef\xbb\xbf \t\r\n')[:1] == b'['
        if not isinstance(top, self.Members):
            return isinstance(top, list)
        events = [value for key, value in top if key == 'traceEvents']
        return len(events) == 1 and isinstance(events[0], list) and not isinstance(events[0], self.Members)


def documents_batch(job):
    seeds, folder = job
    folder = os.path.join(folder, 'from-%d' % seeds[0])
    os.mkdir(folder)
    d = Documents(folder)
    return [(seed, d.check(seed)) for seed in seeds]


def documents(o):
    return batches(o, documents_batch, 'documents', 100, o.seeds or (20000 if golden.LONG else 600))


def batches(o, batch, what, size, count):
    """Runs a check of seeds in processes of their own; a test line for each batch."""
    tap = Tap()
    seeds = [o.seed] if getattr(o, 'seed', None) is not None else range(o.first, o.first + count)
    with golden.work_folder() as folder:
        jobs = [(list(seeds[i:i + size]), folder) for i in range(0, len(seeds), size)]
        with multiprocessing.Pool(max(1, min(4, os.cpu_count() or 1))) as pool:
            for i, part in enumerate(pool.imap(batch, jobs)):
                notes = ['seed %d: %s' % (seed, '\n'.join(bad[:8])) for seed, bad in part if bad]
                tap.line(not notes, '%s %d to %d' % (what, jobs[i][0][0], jobs[i][0][-1]), notes)
    return tap.finish()


# ---- cuts ------------------------------------------------------------------------------
class Cuts:
    """Checks that of a trace cut anywhere salvage keeps the whole events, and that the message names the byte."""

    TRACE = 'h100_bert_small.json.gz'

    def __init__(self, folder, path):
        self.command, self.folder, self.oracle = Command(folder), folder, golden.find_oracle()
        with gzip.open(path) as f:
            self.data = f.read()
        number = self.oracle.Number
        self.events = json.loads(self.data, parse_float=number, parse_int=number)['traceEvents']
        self.spans = list(event_spans(self.data))
        self.array = self.data.index(b'[', self.data.index(b'"traceEvents"')) + 1

    def check(self, seed):
        rng = random.Random('cut %d' % seed)
        at = rng.randrange(self.array, len(self.data) - 3)
        path, index = os.path.join(self.folder, 'cut.json'), os.path.join(self.folder, 'cut.t2t')
        data, how = self.data[:at], seed % 4
        if how == 3:
            path, data = path + '.gz', gzip.compress(data, 1, mtime=0)
        with open(path, 'wb') as f:
            f.write(data)
        options = (('-j1',), ('-j4', '--chunk', '1K'), ())[seed % 3]
        bad = []
        r = self.command.run('build', path, '-o', index, *options)
        m = re.search(r' \(at byte (\d+)\)', r.message())
        if r.status != 3 or not m or int(m.group(1)) != at or ': truncated: ' not in r.message():
            bad.append('cut at %d: %s' % (at, r.said()))
        r = self.command.run('build', path, '-o', index, '--salvage', *options)
        whole = sum(1 for _, end in self.spans if end <= at)
        wanted = ''.join(line + '\n' for line in self.oracle.Tree(self.events[:whole]).lines())
        dump = self.command.run('dump', index)
        if r.status != 4 or dump.text() != wanted:
            bad.append('cut at %d, %d whole events: %s %s' % (at, whole, r.said(), first_difference(wanted, dump.text())))
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))
        return bad


def cuts_batch(job):
    seeds, folder = job
    folder = os.path.join(folder, 'from-%d' % seeds[0])
    os.mkdir(folder)
    d = Cuts(folder, os.path.join(golden.SHARED, 'traces', Cuts.TRACE))
    return [(seed, d.check(seed)) for seed in seeds]


def cuts(o):
    if golden.find_oracle() is None or not os.path.exists(os.path.join(golden.SHARED, 'traces', Cuts.TRACE)):
        return Tap().skip_all('no %s in %s' % (Cuts.TRACE, golden.SHARED))
    return batches(o, cuts_batch, 'cuts', 10, o.seeds or (500 if golden.LONG else 20))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = p.add_subparsers(dest='mode', required=True)
    for name, run in (('traces', damaged_traces), ('documents', documents), ('cuts', cuts)):
        m = modes.add_parser(name)
        m.add_argument('--seeds', type=int, metavar='N')
        m.add_argument('--first', type=int, default=0, metavar='N')
        m.add_argument('--seed', type=int, metavar='S')
        m.add_argument('--keep', metavar='FILE', help='traces: where to write the text of --seed')
        m.set_defaults(run=run)
    o = p.parse_args()
    return o.run(o)


if __name__ == '__main__':
    sys.exit(main())
