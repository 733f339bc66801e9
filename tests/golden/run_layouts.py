#!/usr/bin/env python3
"""Builds with learned layouts and without (--no-layouts) and compares: index, exit status, messages; prints TAP.

    run_layouts.py all                          what `make check` runs of these:
    run_layouts.py real [TRACE...]              $T2T_SHARED/traces, or these
    run_layouts.py scaled                       one of them, three times over, in each layout of scale_trace.py
    run_layouts.py cases                        tests/cases, the example, $T2T_SHARED/cases
    run_layouts.py random [--seeds N] [--seed S]    tests/gen
    run_layouts.py mutated [--seeds N] [--seed S] [--keep FILE]    documents of a few kinds of events, damaged

The command is $T2T, or t2t in $builddir.  With T2T_LONG=1 everything is done.
"""
import argparse
import glob
import multiprocessing
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import golden                                                      # noqa: E402
from golden import Command, Tap                                    # noqa: E402
import run_cases                                                   # noqa: E402
import run_damage                                                  # noqa: E402

WAYS = (('-j1',), ('-j4', '--chunk', '1K'))


class Twice:
    """Builds a trace with and without layouts, in some ways."""

    def __init__(self, folder):
        self.command, self.folder = Command(folder), folder

    def build(self, trace, *options):
        """What came of it: index, status, message without times."""
        index = os.path.join(self.folder, 'index.t2t')
        if os.path.exists(index):
            os.remove(index)
        r = self.command.run('build', trace, '-o', index, '-f', '-q', *options)
        data = None
        if os.path.exists(index):
            with open(index, 'rb') as f:
                data = f.read()
        return data, r.status, r.message()

    def compare(self, trace, modes=((),), ways=WAYS):
        """What differs, in words."""
        bad = []
        for mode in modes:
            wanted = self.build(trace, '--no-layouts', '-j1', *mode)
            for way in ways:
                found = self.build(trace, *mode, *way)
                if found != wanted:
                    same = ['index', 'status', 'message']
                    same = ', '.join(s for s, a, b in zip(same, wanted, found) if a != b)
                    bad.append('%s: %s differ: %d %s, with layouts %d %s' % (' '.join(mode + way), same, wanted[1], wanted[2], found[1], found[2]))
        return bad

    def text(self, data, modes=((),)):
        path = os.path.join(self.folder, 'trace.json')
        with open(path, 'wb') as f:
            f.write(data)
        return self.compare(path, modes)


def real(tap, o):
    paths = getattr(o, 'trace', None) or sorted(glob.glob(os.path.join(golden.SHARED, 'traces', '*.json.gz')))
    if not paths:
        tap.skip('real traces', 'none in %s' % golden.SHARED)
    for path in paths:
        if not golden.LONG and not getattr(o, 'trace', None) and os.path.getsize(path) > 500000:
            continue
        with golden.work_folder() as folder:
            bad = Twice(folder).compare(path)
        tap.line(not bad, os.path.basename(path), bad)


def scaled(tap, o):
    tool = os.path.join(golden.SHARED, 'tools', 'scale_trace.py')
    names = ['hta_event_sync'] + (['h100_bert_small', 'mi300_sglang_decode', 'torch_compile_triton'] if golden.LONG else [])
    if not os.path.isfile(tool):
        tap.skip('scaled traces', 'no scale_trace.py in %s' % golden.SHARED)
        return
    for name in names:
        source = os.path.join(golden.SHARED, 'traces', name + '.json.gz')
        for style in ('kineto', 'kineto2', 'indent2', 'indent4', 'compact', 'min'):
            with golden.work_folder() as folder:
                trace = os.path.join(folder, 'scaled.json')
                golden.output([sys.executable, '-B', tool, source, trace, '-n', '3', '--style', style])
                bad = Twice(folder).compare(trace)
            tap.line(not bad, '%s, %s' % (name, style), bad)


def case_traces(folder):
    """Traces of tests/cases, the example, and $T2T_SHARED/cases."""
    for path in sorted(glob.glob(os.path.join(golden.TOP, 'tests', 'cases', '*.case'))):
        trace = os.path.join(folder, 'case.json')
        with open(trace, 'w', encoding='utf-8') as f:
            f.write(run_cases.Case(path).document)
        yield os.path.basename(path), trace
    yield 'two_steps.json', os.path.join(golden.TOP, 'examples', 'two_steps.json')
    for path in sorted(glob.glob(os.path.join(golden.SHARED, 'cases', '*', '*.json*'))):
        yield os.path.basename(os.path.dirname(path)), path


def cases(tap, o):
    with golden.work_folder() as folder:
        twice, count, notes = Twice(folder), 0, []
        for name, trace in case_traces(folder):
            count += 1
            notes += ['%s: %s' % (name, b) for b in twice.compare(trace, ((), ('--strict',), ('--salvage',)))]
    tap.line(count and not notes, '%d cases' % count, notes)


# ---- documents made at random -------------------------------------------------------------------
class Documents(Twice):
    """Many events of few kinds, in one style, values at the edges, and damage."""

    STYLES = ((',', ':', ''), (', ', ': ', ''), (', ', ': ', '\n    '), (',\n      ', ': ', '\n      '), (' , ', ' : ', ' '))
    NUMBERS = ('0', '1', '7', '-1', '21587', '123456789', '1234567890123456', '12345678901234567', '123456789012345678', '1234567890123456789',
               '9223372036854775807', '9223372036854775808', '18446744073709551616', '-0', '0.5', '1.25', '1.125', '1.1234', '0.1234567890123456789', '1e3', '1E-2',
               '01', '1.', '-', 'NaN')
    STRINGS = ('a', '', 'aten::mm', 'torch/nn/modules/linear.py(124): forward', 'x' * 70, '<built-in>', 'é', 'a b c d e f g €', '\\n', '\\u0041', '\\\\', '\\"', '\t', '\\q',
               'autograd::engine::evaluate_function: AddBackward0', '7', '0x5')
    CONTAINERS = ('[]', '[[5, 1], []]', '["", "[1, 5]"]', '["]"]', '{"a": 1}', '[1,2]', '[1,,2]', '[', '[{"a":[1, 2]}]')
    KINDS = ((('ph', '"X"'), ('cat', '"cpu_op"'), ('name', 's'), ('pid', 'n'), ('tid', 'n'), ('ts', 't'), ('dur', 't'),
              ('args', (('External id', 'n'), ('Sequence number', 'n'), ('Fwd thread id', 'n'), ('Input Dims', 'c'), ('Input type', 'c'), ('Ev Idx', 'n')))),
             (('ph', '"X"'), ('cat', '"python_function"'), ('name', 's'), ('pid', 'n'), ('tid', 'n'), ('ts', 't'), ('dur', 't'),
              ('args', (('Python parent id', 'n'), ('Python id', 'n'), ('Ev Idx', 'n')))),
             (('ph', '"X"'), ('cat', '"kernel"'), ('name', 's'), ('pid', 'n'), ('tid', 'n'), ('ts', 't'), ('dur', 't'),
              ('args', (('correlation', 'n'), ('blocks per SM', 'd'), ('grid', 'c'), ('stream', 'n'), ('on', 'true'), ('kind', 's')))),
             (('ph', '"f"'), ('id', 'n'), ('pid', 'n'), ('tid', 's'), ('ts', 't'), ('cat', '"ac2g"'), ('name', '"ac2g"'), ('bp', '"e"')),
             (('name', 's'), ('ph', '"i"'), ('s', '"t"'), ('ts', 't'), ('args', (('Bytes', 'n'), ('Addr', 'n')))),
             (('ph', '"M"'), ('name', '"thread_name"'), ('pid', 'n'), ('tid', 'n'), ('args', (('name', 's'),))))

    def value(self, rng, what):
        odd = rng.random() < 0.04
        if odd and rng.random() < 0.3:
            return rng.choice((rng.choice(self.NUMBERS), '"%s"' % rng.choice(self.STRINGS), rng.choice(self.CONTAINERS), 'null', 'false'))
        if what == 's':
            return '"%s"' % (rng.choice(self.STRINGS) if odd else rng.choice(self.STRINGS[:6]))
        if what == 'n':
            return rng.choice(self.NUMBERS) if odd else str(rng.choice((rng.randrange(10), rng.randrange(10**6), rng.randrange(10**10))))
        if what == 't':
            return rng.choice(self.NUMBERS) if odd else '%d%s' % (rng.randrange(10**rng.randrange(1, 14)), rng.choice(('', '.%d' % rng.randrange(1000))))
        if what == 'd':
            return rng.choice(self.NUMBERS) if odd else '%.6g' % rng.choice((0, rng.random(), 3.0))
        if what == 'c':
            return rng.choice(self.CONTAINERS) if odd else rng.choice(self.CONTAINERS[:5])
        return what

    def event(self, rng, members, style):
        comma, colon, space = style
        members = [m for m in members if rng.random() > 0.01]
        if rng.random() < 0.01 and members:
            members.append(rng.choice(members))
        inside = comma.join('"%s"%s%s' % (k, colon, self.event(rng, v, style) if isinstance(v, tuple) else self.value(rng, v)) for k, v in members)
        return '{' + space + inside + space + '}'

    def make(self, seed):
        rng = random.Random('layouts %d' % seed)
        if rng.random() < 0.3:
            return run_damage.Damage(self.folder).make(seed)[0]
        style = rng.choice(self.STYLES)
        events = [self.event(rng, rng.choice(self.KINDS), style) for _ in range(rng.choice((3, 20, 60)))]
        data = ('{"traceEvents": [' + (',' + style[2]).join(events) + ']}').encode()
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            at, size = rng.randrange(len(data)), rng.choice((0, 1, 1, 2, 5, 40))
            data = data[:at] + (rng.choice(run_damage.Damage.PIECES) if rng.random() < 0.8 else b'') + data[at + size:]
        return data

    def check(self, seed):
        mode = ((), ('--strict',), ('--salvage',))[seed % 3]
        return self.text(self.make(seed), (mode,))


def documents_batch(job):
    seeds, folder = job
    folder = os.path.join(folder, 'from-%d' % seeds[0])
    os.mkdir(folder)
    d = Documents(folder)
    return [(seed, d.check(seed)) for seed in seeds]


def random_batch(job):
    import random_trace
    seeds, folder = job
    folder = os.path.join(folder, 'from-%d' % seeds[0])
    os.mkdir(folder)
    twice = Twice(folder)
    return [(seed, twice.text(random_trace.make(seed).data())) for seed in seeds]


def batches(tap, o, batch, what, size, count):
    one = getattr(o, 'seed', None)
    seeds = range(getattr(o, 'seeds', None) or count) if one is None else [one]
    with golden.work_folder() as folder:
        jobs = [(list(seeds[i:i + size]), folder) for i in range(0, len(seeds), size)]
        with multiprocessing.Pool(max(1, min(4, os.cpu_count() or 1))) as pool:
            for (part, _), found in zip(jobs, pool.imap(batch, jobs)):
                notes = ['seed %d: %s' % (seed, '\n'.join(bad)) for seed, bad in found if bad]
                tap.line(not notes, '%s %d to %d' % (what, part[0], part[-1]), notes)


def random_traces(tap, o):
    batches(tap, o, random_batch, 'random traces', 20, 1000 if golden.LONG else 60)


def mutated(tap, o):
    if getattr(o, 'keep', None):
        with golden.work_folder() as folder, open(o.keep, 'wb') as f:
            f.write(Documents(folder).make(o.seed or 0))
    batches(tap, o, documents_batch, 'documents', 100, 10000 if golden.LONG else 300)


def everything(tap, o):
    for run in (cases, real, scaled, random_traces, mutated):
        run(tap, o)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = p.add_subparsers(dest='mode', required=True)
    for name, run in (('all', everything), ('real', real), ('scaled', scaled), ('cases', cases), ('random', random_traces), ('mutated', mutated)):
        m = modes.add_parser(name)
        m.set_defaults(run=run)
        if name == 'real':
            m.add_argument('trace', nargs='*')
        if name in ('random', 'mutated'):
            m.add_argument('--seeds', type=int, metavar='N')
            m.add_argument('--seed', type=int, metavar='S')
            m.add_argument('--keep', metavar='FILE', help='where to write the text of --seed')
    o = p.parse_args()
    tap = Tap()
    o.run(tap, o)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
