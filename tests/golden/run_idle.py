#!/usr/bin/env python3
"""Compares `launches` and `gaps` with the judge of idle.py, and with what must be so of them; prints TAP.

    run_idle.py random [--seeds N] [--first N]     traces of tests/gen, and such with several threads, streams and waits
    run_idle.py random --seed S [--keep FILE]      one of them
    run_idle.py real [TRACE...]                    $T2T_SHARED/traces: small ones by the judge, of all the sums

The command is $T2T, or t2t in $builddir.
"""
import argparse
import csv
import glob
import gzip
import io
import json
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import golden                                                      # noqa: E402
import idle                                                        # noqa: E402
from golden import Command, Tap                                    # noqa: E402

BUDGET = 4000                                                      # events of a trace that the judge still takes, x 6 with T2T_LONG=1
GPU_BUDGET = 400                                                   # of them on GPUs without it: it compares each with each


def busy_trace(seed):
    """Several threads, streams and devices: ties, graphs, waits by record or by call, clocks that disagree, calls that cross."""
    rng = random.Random(seed)
    events, number = [], 0
    threads = [(1, t) for t in range(1, 1 + rng.randint(1, 3))]
    streams = [(rng.randint(0, 1), rng.choice((7, 7, 20, 'stream 7', None))) for _ in range(rng.randint(1, 4))]
    waits = rng.choice(('record', 'call', 'both', 'none'))
    step = rng.choice((1, 3, 10))
    free = {s: rng.randint(0, 5) for s in streams}
    nameless = rng.random() < 0.3

    def add(category, name, lane, ts, dur, **args):
        e = {'ph': 'X', 'cat': category, 'name': name, 'pid': lane[0], 'tid': lane[1], 'ts': ts, 'dur': dur, 'args': args}
        if nameless and rng.random() < 0.2:
            e['name'] = rng.choice(('', 5, None))
            if e['name'] is None:
                del e['name']
        if lane[1] is None:
            del e['tid']
        events.append(e)

    for thread in threads:
        at, open_until = rng.randint(0, 20), 0
        for _ in range(rng.randint(1, 25)):
            at += rng.choice((0, 0, 1, 2, 5, 30)) * step
            if rng.random() < 0.5:
                open_until = at + rng.randint(0, 40) * step
                add(rng.choice(('cpu_op', 'python_function')), rng.choice(('aten::mm', 'aten::add', 'execute', 'f')), thread, at,
                    open_until - at)
                at += rng.choice((0, 1, 3))
            if waits in ('call', 'both') and rng.random() < 0.3:
                add('cuda_runtime', rng.choice(('cudaStreamWaitEvent', 'hipStreamWaitEvent', 'cudaEventRecord')), thread, at, 1)
                at += rng.choice((0, 1, 2))
            stream = rng.choice(streams)
            if waits in ('record', 'both') and rng.random() < 0.3:
                add(rng.choice(('cuda_sync', 'cuda_sync', 'kernel', 'overhead')), 'Stream Wait Event', rng.choice(streams + [(5, 5)]), at, 1,
                    **rng.choice(({'stream': 7, 'wait_on_stream': 7}, {'stream': 7, 'wait_on_stream': 20}, {})))
                at += rng.choice((0, 1, 2))
            number += 1
            add(rng.choice(('cuda_runtime', 'cuda_driver')), rng.choice(('cudaLaunchKernel', 'cudaGraphLaunch', 'hipMemcpyAsync')), thread, at,
                rng.choice((0, 1, 2, 9)), correlation=number)
            at += rng.choice((0, 1, 4))
            for _ in range(rng.choice((0, 1, 1, 1, 1, 3))):
                start = max(free[stream], at) + rng.choice((0, 0, 0, 1, 2, 7, 40)) * step - rng.choice((0,) * 9 + (15,))
                dur = rng.choice((0, 1, 2, 5, 20)) * step
                add(rng.choice(('kernel', 'kernel', 'gpu_memcpy', 'gpu_memset')), rng.choice(('gemm', 'ncclKernel', 'copy')), stream, start, dur,
                    correlation=number if rng.random() < 0.9 else 100000 + number)
                free[stream] = max(free[stream] - rng.choice((0,) * 5 + (4,)), start + dur)
    if rng.random() < 0.5:
        rng.shuffle(events)
    return json.dumps({'traceEvents': events}).encode()


class Checks:
    """Checks one trace."""

    def __init__(self, folder):
        self.command, self.folder, self.tables = Command(folder), folder, golden.find_tables()

    def rows(self, index, bad, *options):
        """A table as CSV text and as rows, or None."""
        r = self.command.run(*options[:1], index, *options[1:], '--format', 'csv')
        if r.status:
            bad.append(r.said())
            return None, None
        return r.text(), list(csv.reader(io.StringIO(r.text(), newline='')))

    def compare(self, index, judged, make, bad, *options):
        found, _ = self.rows(index, bad, *options)
        if found is None:
            return
        wanted = io.StringIO()
        self.tables.write(make(judged), wanted)
        lines = golden.csv_difference(wanted.getvalue(), found, self.folder)
        if lines:
            bad += [' '.join(options) + ':'] + lines

    def refused(self, index, rows, bad, *options):
        """What cannot have rows is wrong use."""
        r = self.command.run(*options[:1], index, *options[1:])
        if r.status != 2 or len(rows) > 1:
            bad.append('%s is not refused: %s' % (' '.join(options), r.said()))

    def judge(self, path, index, seed, bad):
        """Every table, of everything and of a selection."""
        rng = random.Random(seed)
        everything = idle.Idle(path)
        starts = sorted(everything.start[g] for g in everything.gpu) or [0]
        window = sorted((rng.choice(starts), rng.choice(starts)))
        devices = sorted({idle.label(everything.stream(g)[0]) for g in everything.gpu}) or ['0']
        device = rng.choice(devices)
        origin = everything.origin
        ways = [(everything, ()), (idle.Idle(path, True), ('--linked-only',))]
        if all(abs(w - origin) < 1 << 62 for w in window):
            ways.append((idle.Idle(path, False, window), ('--between', '%dns' % (window[0] - origin), '%dns' % (window[1] - origin))))
        if everything.gpu and not device.startswith('-') and device.isprintable() and device:
            ways.append((idle.Idle(path, seed % 2 == 0, None, device), ('--device', device) + (('--linked-only',) if seed % 2 == 0 else ())))
        for judged, options in ways:
            for by, make in idle.LAUNCHES.items():
                if by == 'host-only' and '--device' in options or by == 'unlinked' and '--linked-only' in options:
                    self.refused(index, make(judged), bad, 'launches', '--by', by, *options)
                else:
                    self.compare(index, judged, make, bad, 'launches', '--by', by, *options)
            holes = [h[2] - h[1] for h in judged.holes(0)[0]]
            least = rng.choice(holes) if holes else 1
            for by, make in idle.GAPS.items():
                self.compare(index, judged, lambda j, make=make: make(j, 0), bad, 'gaps', '--by', by, *options)
                self.compare(index, judged, lambda j, make=make: make(j, least), bad, 'gaps', '--by', by, '--min', '%dns' % least, *options)

    def sums(self, index, bad):
        """What must be so of any trace."""
        def number(row, column):
            return int(row[column])

        def total(table, column):
            return sum(number(r, table[0].index(column)) for r in table[1:])

        def check(good, what):
            if not good:
                bad.append(what)
        got = {}
        for by in idle.GAPS:
            _, got[by] = self.rows(index, bad, 'gaps', '--by', by)
        for by in idle.LAUNCHES:
            _, got['launches ' + by] = self.rows(index, bad, 'launches', '--by', by)
        _, timeline = self.rows(index, bad, 'timeline')
        _, kernels = self.rows(index, bad, 'kernels')
        if bad:
            return
        streams, lanes = got['stream'], {}
        for row in streams[1:]:
            lanes.setdefault((row[0], row[1]), {})[row[2]] = row
        idle_ns = sum(number(r, 4) for r in streams[1:] if r[2] != 'busy')
        holes = sum(number(r, 3) for r in streams[1:] if r[2] != 'busy')
        for by in ('cause', 'op'):
            check(total(got[by], 'sum_ns') == idle_ns and total(got[by], 'count') == holes, 'gaps --by %s: holes of other streams' % by)
        check(total(got['hole'], 'dur_ns') == idle_ns and len(got['hole']) - 1 == holes, 'gaps --by hole: other holes')
        for by in ('host', 'stream', 'other'):
            check(sum(number(r, 4) for r in streams[1:] if r[2] == by) == total(got['op'], by + '_ns'), 'gaps --by op: %s' % by)
        events = sum(number(r, 3) for r in streams[1:] if r[2] == 'busy')
        check(events == total(kernels, 'count'), 'gaps: %d events of %d' % (events, total(kernels, 'count')))
        # A device of one stream is as idle as its stream, and idle + busy is the total.
        for lane, rows in lanes.items():
            if sum(1 for other in lanes if other[0] == lane[0]) > 1:
                continue
            of = {r[1]: int(r[2]) for r in timeline[1:] if r[0] == lane[0]}
            check(number(rows['busy'], 4) == of['busy_time'], 'gaps: %s is busy for another time' % (lane,))
            check(sum(number(r, 4) for k, r in rows.items() if k != 'busy') == of['idle_time'], 'gaps: %s is idle for another time' % (lane,))
        linked = total(got['launches op'], 'gpu_events')
        check(linked == total(got['launches call'], 'gpu_events') == len(got['launches event']) - 1, 'launches: counts differ')
        check(linked + total(got['launches unlinked'], 'count') == events, 'launches: linked and unlinked are not all')
        check(total(got['launches op'], 'empty') == sum(1 for r in got['launches event'][1:] if r[8] == '0'), 'launches: empty')
        check(total(got['launches call'], 'negative') == sum(1 for r in got['launches event'][1:] if int(r[7]) < 0), 'launches: negative')

    def check(self, path, seed, judge=True):
        bad = []
        index = os.path.join(self.folder, 'trace.t2t')
        r = self.command.run('build', '-q', '--force', path, '-o', index)
        if r.status:
            return [r.said()]
        self.sums(index, bad)
        if judge:
            self.judge(path, index, seed, bad)
        os.remove(index)
        return bad


def random_traces(o):
    import random_trace
    tap = Tap()
    if golden.find_oracle() is None:
        return tap.skip_all('no oracle in %s' % golden.SHARED)
    count = o.seeds or (1000 if golden.LONG else 8 if golden.SANITIZER else 30)
    seeds = [o.seed] if o.seed is not None else range(o.first, o.first + count)
    with golden.work_folder() as folder:
        path = os.path.join(folder, 'trace.json')
        for what, make in (('of several streams', busy_trace), ('of tests/gen', lambda s: random_trace.make(s).data())):
            notes, judged = [], 0
            for seed in seeds:
                data = make(seed)
                with open(path, 'wb') as f:
                    f.write(data)
                if o.keep and what == 'of several streams':
                    with open(o.keep, 'wb') as f:
                        f.write(data)
                small = len(golden.find_oracle().load(path)) <= BUDGET
                judged += small
                bad = Checks(folder).check(path, seed, small)
                if bad:
                    notes.append('seed %d: %s' % (seed, '\n'.join(bad[:12])))
            tap.line(not notes, '%d traces %s, %d judged' % (len(seeds), what, judged), notes)
    return tap.finish()


def real_traces(o):
    tap = Tap()
    paths = o.trace or sorted(glob.glob(os.path.join(golden.SHARED, 'traces', '*.json.gz')))
    if not paths or golden.find_oracle() is None:
        return tap.skip_all('no traces in %s' % golden.SHARED)
    if not o.trace:
        paths = golden.traces_of_time(paths)
    with golden.work_folder() as folder:
        for path in paths:
            with gzip.open(path) as f:
                document = json.loads(f.read())
            if not isinstance(document, (dict, list)) or isinstance(document, dict) and 'traceEvents' not in document:
                continue
            events = document['traceEvents'] if isinstance(document, dict) else document
            on_gpus = sum(isinstance(e, dict) and e.get('cat') in ('kernel', 'gpu_memcpy', 'gpu_memset') for e in events)
            judge = len(events) <= BUDGET * 6 if golden.LONG else len(events) <= BUDGET and on_gpus <= GPU_BUDGET
            bad = Checks(folder).check(path, 1, judge)
            tap.line(not bad, os.path.basename(path)[:-len('.json.gz')] + (', judged' if judge else ''), bad)
    return tap.finish()


if __name__ == '__main__':
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('what', choices=('random', 'real'))
    p.add_argument('trace', nargs='*')
    p.add_argument('--seeds', type=int)
    p.add_argument('--first', type=int, default=0)
    p.add_argument('--seed', type=int)
    p.add_argument('--keep')
    options = p.parse_args()
    sys.exit(random_traces(options) if options.what == 'random' else real_traces(options))
