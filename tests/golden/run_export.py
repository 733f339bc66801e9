#!/usr/bin/env python3
"""Compares what the command exports with what it was given; prints TAP.

    run_export.py random [--seeds N] [--first N] [--seed S [--keep FILE]]    made by tests/gen
    run_export.py real [TRACE...]                                            $T2T_SHARED/traces

An export is equal as data to its source: the same keys in the same order, duplicates too, the same values, numbers exact and with the sign of
zero, halves of surrogate pairs.  An index built of the export has the same dump, and its export is the same, byte for byte.  The command is $T2T,
or t2t in $builddir.  With T2T_LONG=1 there are more traces.
"""
import argparse
import glob
import gzip
import itertools
import json
import multiprocessing
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import golden                                                      # noqa: E402
from golden import Command, Tap                                    # noqa: E402

NO_TRACES = ('rocprofv3_908_results.json.gz',)                    # of another program
SPACE = re.compile(r'[ \t\n\r]*')
NUMBER = re.compile(r'(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?')


def no_constant(text):
    raise ValueError('%s is no JSON' % text)


# Numbers stay text, as bytes: no string is equal to one.  Objects are tuples of pairs, arrays are lists.
DECODER = json.JSONDecoder(parse_int=str.encode, parse_float=str.encode, parse_constant=no_constant, object_pairs_hook=tuple)


def exact(number):
    """A number as (sign, digits without zeros at either end, power of ten)."""
    sign, whole, fraction, power = NUMBER.fullmatch(number.decode()).groups()
    digits = (whole + (fraction or '')).lstrip('0')
    kept = digits.rstrip('0')
    return sign, kept, int(power or 0) - len(fraction or '') + len(digits) - len(kept) if kept else 0


def canonical(value):
    """A value with exact numbers."""
    if isinstance(value, bytes):
        return exact(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map(canonical, value))
    return value


class Text:
    """A document read piece by piece, so that a large one needs little memory."""

    def __init__(self, data):
        self.text, self.at = data.decode('utf-8-sig'), 0

    def peek(self):
        self.at = SPACE.match(self.text, self.at).end()
        return self.text[self.at:self.at + 1]

    def take(self, byte):
        if self.peek() != byte:
            raise ValueError('%r wanted at %d' % (byte, self.at))
        self.at += 1

    def value(self):
        self.peek()
        value, self.at = DECODER.raw_decode(self.text, self.at)
        return value

    def pieces(self):
        """The elements of traceEvents and the other members, each with what it is."""
        if self.peek() == '[':
            yield 'bare', None
            yield from self.elements()
        else:
            yield from self.members()
        if self.peek():
            raise ValueError('more at %d' % self.at)

    def members(self):
        self.take('{')
        while self.peek() != '}':
            key = self.value()
            self.take(':')
            if key == 'traceEvents' and self.peek() == '[':
                yield 'events', None
                yield from self.elements()
            else:
                yield 'member', (key, self.value())
            if self.peek() != '}':
                self.take(',')
        self.take('}')

    def elements(self):
        self.take('[')
        while self.peek() != ']':
            yield 'element', self.value()
            if self.peek() != ']':
                self.take(',')
        self.take(']')
        yield 'end', None


def difference(source, export):
    """How two documents differ as data: lines, or none."""
    out = []
    try:
        pairs = itertools.zip_longest(Text(source).pieces(), Text(export).pieces())
        for i, (a, b) in enumerate(pairs):
            if a != b and canonical(a) != canonical(b):
                out += ['piece %d: wanted %s' % (i, repr(a)[:300]), '          found %s' % repr(b)[:300]]
                if len(out) > 8:
                    break
    except ValueError as e:
        out.append('the export cannot be read: %s' % e)
    return out


class Export:
    """Exports a trace, and what was exported once more."""

    def __init__(self, folder):
        self.command, self.folder, self.bad = Command(folder), folder, []

    def run(self, *arguments):
        r = self.command.run(*arguments)
        if r.status:
            self.bad.append(r.said())
        return r.out

    def path(self, name):
        return os.path.join(self.folder, name)

    def once(self, trace, name):
        """The export and the dump of a trace; writes the export to a file too."""
        index, out = self.path(name + '.t2t'), self.path(name + '.json')
        self.run('build', '-q', '-f', trace, '-o', index)
        if self.bad:
            return None, None
        dump = self.run('dump', index)
        self.run('export', '--to', 'trace', index, '-o', out)
        os.remove(index)
        if self.bad:
            return None, None
        with open(out, 'rb') as f:
            return f.read(), dump

    def check(self, trace, source):
        first, dump = self.once(trace, 'first')
        if not self.bad:
            self.bad += difference(source, first)
            second, dump_again = self.once(self.path('first.json'), 'second')
        if not self.bad:
            if first != second:
                self.bad.append('the export of the export differs from it')
            if dump != dump_again:
                self.bad.append('the dump of the export differs')
        for name in os.listdir(self.folder):
            os.remove(self.path(name))
        return self.bad


# ---- random traces -----------------------------------------------------------------------
def random_batch(job):
    """[(seed, what is wrong)] of some seeds, in a process of its own."""
    import random_trace
    seeds, folder, out = job[0], os.path.join(job[1], 'from-%d' % job[0][0]), []
    os.mkdir(folder)
    for seed in seeds:
        data = random_trace.make(seed).data()
        trace = os.path.join(folder, 'trace.json')
        with open(trace, 'wb') as f:
            f.write(data)
        out.append((seed, Export(folder).check(trace, data)))
    os.rmdir(folder)
    return out


def large_members(folder):
    """Members that are far larger than what they take in the index, before and behind the events."""
    source = b'{"a":"%s","traceEvents":[{"ph":"X"}],"b":"%s"}' % (b'x' * 200_000_000, b'y' * 200_000_000)
    trace = os.path.join(folder, 'large.json')
    with open(trace, 'wb') as f:
        f.write(source)
    export = Export(folder)
    first, _ = export.once(trace, 'first')
    if not export.bad and first != source.replace(b'[{"ph":"X"}]', b'[\n{"ph":"X"}\n]'):
        export.bad.append('the export differs')
    export.run('build', '-q', trace)
    info = export.run('info', '--format', 'json', trace).decode()
    if not export.bad and not ('x' * 1000 in info and 'y' * 1000 in info):
        export.bad.append('a member is not shown')
    return export.bad


def random_traces(o):
    import random_trace
    tap, by_profile = Tap(), {}
    if o.seed is not None:
        o.first, o.seeds = o.seed, 1
        if o.keep:
            with open(o.keep, 'wb') as f:
                f.write(random_trace.make(o.seed).data())
    seeds = list(range(o.first, o.first + (o.seeds or (2000 if golden.LONG else 30 if golden.SANITIZER else 150))))
    with golden.work_folder() as folder, multiprocessing.Pool(max(1, min(4, os.cpu_count() or 1))) as pool:
        for part in pool.imap(random_batch, [(seeds[i:i + 5], folder) for i in range(0, len(seeds), 5)]):
            for seed, bad in part:
                by_profile.setdefault(random_trace.ORDER[seed % len(random_trace.ORDER)], []).append((seed, bad))
    for profile, members in by_profile.items():
        notes = ['seed %d: %s' % (seed, '\n'.join(bad[:8])) for seed, bad in members if bad]
        tap.line(not notes, '%d traces of profile %s come back' % (len(members), profile), notes)
        if notes:
            print('# see: tests/golden/run_export.py random --seed N --keep FILE')
    if golden.LONG:
        with golden.work_folder() as folder:
            bad = large_members(folder)
        tap.line(not bad, 'members of 200 MB come back', bad)
    return tap.finish()


# ---- real traces -------------------------------------------------------------------------
def real_trace(path):
    """What is wrong with what comes back of it, or with its refusal."""
    with golden.work_folder() as folder:
        try:
            with gzip.open(path) as f:
                source = f.read()
            if os.path.basename(path) in NO_TRACES:
                r = Command(folder).run('build', path, '-o', os.path.join(folder, 'x.t2t'))
                return [] if r.status == 3 and ': not-a-trace: ' in r.message() else ['is to be refused: ' + r.said()]
            return Export(folder).check(path, source)
        except OSError as e:
            return [str(e)]


def real_traces(o):
    tap = Tap()
    paths = o.trace or sorted(glob.glob(os.path.join(golden.SHARED, 'traces', '*.json.gz')))
    if not paths:
        return tap.skip_all('no traces in %s' % golden.SHARED)
    if not o.trace:
        paths = golden.traces_of_time(paths)
    with multiprocessing.Pool(max(1, min(2, os.cpu_count() or 1))) as pool:
        for path, bad in zip(paths, pool.imap(real_trace, paths)):
            refused = os.path.basename(path) in NO_TRACES
            tap.line(not bad, os.path.basename(path)[:-len('.json.gz')] + (' is refused' if refused else ' comes back'), bad)
    return tap.finish()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = p.add_subparsers(dest='mode', required=True)
    m = modes.add_parser('random')
    m.add_argument('--seeds', type=int, metavar='N')
    m.add_argument('--first', type=int, default=0, metavar='N')
    m.add_argument('--seed', type=int, metavar='S')
    m.add_argument('--keep', metavar='FILE', help='where to write the trace of --seed')
    m.set_defaults(run=random_traces)
    m = modes.add_parser('real')
    m.add_argument('trace', nargs='*')
    m.set_defaults(run=real_traces)
    o = p.parse_args()
    return o.run(o)


if __name__ == '__main__':
    sys.exit(main())
