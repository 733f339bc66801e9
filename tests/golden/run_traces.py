#!/usr/bin/env python3
"""Compares the command with the oracle and with reference results; prints TAP.

    run_traces.py random [--seeds N] [--first N] [--profile P]    made by tests/gen, judged by the oracle
    run_traces.py random --seed S [--keep FILE] [--reduce]        one of them, in every way; see what is wrong
    run_traces.py real [--all] [TRACE...]                         $T2T_SHARED/traces against $T2T_SHARED/reference
    run_traces.py scaled [TRACE...]                               some of them, enlarged by scale_trace.py in each of its layouts
    run_traces.py cases [CASE...]                                 $T2T_SHARED/cases
    run_traces.py example                                         examples/two_steps.json

The command is $T2T, or t2t in $builddir.  With T2T_LONG=1 everything is done.
"""
import argparse
import concurrent.futures
import contextlib
import glob
import gzip
import io
import json
import multiprocessing
import os
import random
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import golden                                                      # noqa: E402
from golden import Command, Tap                                    # noqa: E402
import anomalies                                                   # noqa: E402
import elements                                                    # noqa: E402
import sums                                                        # noqa: E402

ZSTD = shutil.which('zstd')


def pipe_of(path):
    return ['cat', '--', path]


def compress(path, how, pieces=1):
    """Writes path.gz or path.zst of several members or frames; answers its name."""
    with open(path, 'rb') as f:
        data = f.read()
    size = max(1, -(-len(data) // pieces))
    name = path + '.' + how
    with open(name, 'wb') as f:
        for at in range(0, max(1, len(data)), size):
            part = data[at:at + size]
            if how == 'gz':
                f.write(gzip.compress(part, 6, mtime=0))
            else:
                f.write(golden.output(['zstd', '-qc1'], part))
    return name


def first_difference(wanted, found):
    """A few lines that say how two dumps differ."""
    a, b = wanted.split('\n'), found.split('\n')
    out = ['%d lines wanted, %d found' % (len(a) - 1, len(b) - 1)] if len(a) != len(b) else []
    for x, y in zip(a, b):
        if x != y:
            out += ['wanted ' + x[:300], 'found  ' + y[:300]]
            if len(out) > 12:
                break
    return out


def repeats_inside(data):
    """Whether an object inside an argument repeats a key: the index keeps both, Python's json the last."""
    found = []

    def pairs(items):
        repeated = len({k for k, _ in items}) < len(items)
        inside = any(isinstance(v, tuple) and v[0] for _, v in items) or any(isinstance(v, list) and deep(v) for _, v in items)
        return (repeated or inside, dict(items))

    def deep(values):
        return any(isinstance(v, tuple) and v[0] or isinstance(v, list) and deep(v) for v in values)

    def look(event):
        args = event[1].get('args') if isinstance(event, tuple) else None
        values = args[1].values() if isinstance(args, tuple) else ()
        found.append(deep(list(values)))
    document = json.loads(data.decode('utf-8-sig', 'surrogatepass'), object_pairs_hook=pairs)
    for event in document[1].get('traceEvents', ()) if isinstance(document, tuple) else document:
        look(event)
    return any(found)


# ---- random traces -----------------------------------------------------------------------
class Random:
    """Checks one random trace; `thorough` does everything that else is done for a part of the seeds."""

    def __init__(self, folder, thorough=False):
        self.oracle = golden.find_oracle()
        self.tables = golden.find_tables()
        self.command, self.folder, self.thorough = Command(folder), folder, thorough
        self.stem = os.path.join(folder, 'seed')

    def turn(self, seed, every, at=0):
        """Seeds take turns, counted within their profile."""
        import random_trace
        return self.thorough or seed // len(random_trace.ORDER) % every == at

    def check(self, seed, data):
        """What is wrong, as lines."""
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self.stem)
        os.mkdir(self.stem)
        trace = os.path.join(self.stem, 'trace.json')
        with open(trace, 'wb') as f:
            f.write(data)
        events = self.oracle.load(trace)
        tree = self.oracle.Tree(events)
        wanted = ''.join(line + '\n' for line in tree.lines())
        bad, built = [], []
        ways = [('-j1',), ('-j2',)]
        ways += [('-j3', '--chunk', '1K')] if self.turn(seed, 2) else [('-j2', '--chunk', '7K')]
        ways += [('-j1', '--chunk', '1K'), ('-j8', '--chunk', '3000')] if self.thorough else []
        for options in ways:
            index = self.index(trace, options, bad)
            if index:
                built.append(index)
                if not built[1:]:
                    self.dump(index, wanted, options, bad)
                elif not golden.same(built[0], index):
                    bad.append('the index of %s differs from that of %s' % (' '.join(options), ' '.join(ways[0])))
                    self.dump(index, wanted, options, bad)
        if built and self.turn(seed, 2, 1):
            self.report(trace, built[0], bad)
        if built and self.turn(seed, 3):
            bad += elements.check(self.command, built[0], data, tree, golden.id_order(tree, self.oracle))
        if built and self.turn(seed, 2):
            self.odd_things(data, tree, built[0], bad)
        self.containers(seed, trace, wanted, bad)
        left = {os.path.basename(p) for p in os.listdir(self.stem)} - {os.path.basename(p) for p in built}
        left -= {'trace.json', 'trace.json.gz', 'trace.json.zst'}
        if left:
            bad.append('left behind: ' + ' '.join(sorted(left)))
        return bad

    def index(self, trace, options, bad, stdin=None):
        name = os.path.join(self.stem, ''.join(options) + '.t2t')
        r = self.command.run('build', trace, '-o', name, *options, stdin=stdin)
        if r.status or not self.quiet(r):
            bad.append(r.said())
        return None if r.status else name

    def quiet(self, r):
        """What a build may say on stderr: its result, in a line that begins with the command's name, and remarks on it, which are indented."""
        return all(line.startswith(('t2t: ', '  ')) for line in r.message().splitlines())

    def dump(self, index, wanted, what, bad):
        r = self.command.run('dump', index)
        if r.status:
            bad.append(r.said())
        elif r.text() != wanted:
            bad += ['%s: the dump differs from the oracle' % ' '.join(what)] + first_difference(wanted, r.text())

    def report(self, trace, index, bad):
        """Every table, with what is not linked and without. The judge's sums have no end; a table's stop at 2^64 - 1."""
        with open(trace, 'rb') as f:
            if repeats_inside(f.read()):
                return
        for options in ((), ('--linked-only',)):
            folder = os.path.join(self.stem, 'report')
            r = self.command.run('report', index, '--csv-dir', folder, *options)
            if r.status:
                bad.append(r.said())
                return
            judged = self.tables.Trace(trace, bool(options))
            for name, make in self.tables.TABLES.items():
                buffer = io.StringIO()
                self.tables.write([[min(c, sums.MOST) if isinstance(c, int) else c for c in row] for row in make(judged)], buffer)
                with open(os.path.join(folder, name + '.csv'), encoding='utf-8', errors='surrogateescape', newline='') as f:
                    lines = golden.csv_difference(buffer.getvalue(), f.read(), self.stem)
                if lines:
                    bad += ['%s %s:' % (name, ' '.join(options))] + lines
            shutil.rmtree(folder)
        bad += sums.difference(self.command, index, self.stem)

    def odd_things(self, data, tree, index, bad):
        r = self.command.run('info', index, '--format', 'json')
        if r.status:
            bad.append(r.said())
            return
        try:
            found = {a['kind']: a['count'] for a in json.loads(r.out.decode('utf-8'))['anomalies']}
        except ValueError as e:
            bad.append('info prints no JSON: %s' % e)
            return
        bad += anomalies.difference(found, anomalies.expected(data, tree, self.oracle))

    def containers(self, seed, trace, wanted, bad):
        """The same from gzip, zstd and a pipe, for a part of the seeds each."""
        for every, at, how in ((4, 0, 'gz'), (4, 1, 'zst'), (4, 2, 'pipe'), (8, 3, 'gz pipe'), (8, 7, 'zst pipe')):
            if not self.turn(seed, every, at) or 'zst' in how and not ZSTD:
                continue
            path = compress(trace, how.split()[0], 1 + seed % 3) if how != 'pipe' else trace
            stdin = pipe_of(path) if 'pipe' in how else None
            index = self.index('-' if stdin else path, ('-j%d' % (1 + seed % 2),), bad, stdin)
            if index:
                self.dump(index, wanted, (how,), bad)
                os.remove(index)

    def reduce(self, seed, trace):
        """Leaves elements out as long as something is wrong; the positions that stay."""
        def fails(keep):
            data = trace.data(keep)
            try:
                return bool(self.check(seed, data))
            except (ValueError, KeyError, TypeError, AttributeError):
                return False
        keep, parts = list(range(len(trace.pieces[1]))), 2
        while len(keep) > 1:
            size = max(1, len(keep) // parts)
            for at in range(0, len(keep), size):
                less = keep[:at] + keep[at + size:]
                if fails(less):
                    keep, parts = less, max(2, parts - 1)
                    break
            else:
                if size == 1:
                    break
                parts = min(len(keep), 2 * parts)
        return keep


def random_batch(job):
    """[(seed, what is wrong)] of some seeds, in a process of its own."""
    import random_trace
    seeds, profile, folder = job
    folder = os.path.join(folder, 'from-%d' % seeds[0])
    os.mkdir(folder)
    r = Random(folder)
    out = [(seed, r.check(seed, random_trace.make(seed, profile).data())) for seed in seeds]
    shutil.rmtree(folder)
    return out


def random_traces(o):
    import random_trace
    tap = Tap()
    if golden.find_oracle() is None:
        return tap.skip_all('no oracle in %s' % golden.SHARED)
    with golden.work_folder() as folder:
        if o.seed is not None:
            return one_random(o, folder, tap)
        seeds = range(o.first, o.first + (o.seeds or (2000 if golden.LONG else 45 if golden.SANITIZER else 150)))
        jobs = [(list(seeds[i:i + 5]), o.profile, folder) for i in range(0, len(seeds), 5)]
        results = []
        with multiprocessing.Pool(max(1, min(4, os.cpu_count() or 1))) as pool:
            for part in pool.imap(random_batch, jobs):
                results += part
    by_profile = {}
    for seed, bad in results:
        by_profile.setdefault(o.profile or random_trace.ORDER[seed % len(random_trace.ORDER)], []).append((seed, bad))
    for profile, members in by_profile.items():
        notes = []
        for seed, bad in members:
            if bad:
                notes.append('seed %d: %s' % (seed, '\n'.join(bad[:8])))
        tap.line(not notes, '%d traces of profile %s' % (len(members), profile), notes)
        if notes:
            print('# see: tests/golden/run_traces.py random --seed N --reduce --keep FILE')
    if not ZSTD:
        tap.skip('traces in zstd', 'no zstd')
    return tap.finish()


def one_random(o, folder, tap):
    import random_trace
    trace = random_trace.make(o.seed, o.profile)
    r = Random(folder, True)
    bad = r.check(o.seed, trace.data())
    keep = None
    if bad and o.reduce:
        keep = r.reduce(o.seed, trace)
        bad = ['of %d elements these are enough: %s' % (len(trace.pieces[1]), ' '.join(map(str, keep)))] + r.check(o.seed, trace.data(keep))
    if o.keep:
        with open(o.keep, 'wb') as f:
            f.write(trace.data(keep))
    tap.line(not bad, 'seed %d, profile %s, style %s' % (o.seed, trace.profile, trace.style), bad)
    return tap.finish()


# ---- real traces ---------------------------------------------------------------------------
class Real:
    """Checks one real trace against its reference."""

    def __init__(self, path, folder, everything):
        self.path, self.folder, self.everything = path, folder, everything
        self.name = os.path.basename(path)[:-len('.json.gz')]
        self.reference = os.path.join(golden.SHARED, 'reference', self.name)
        self.command, self.bad, self.wanted = Command(folder), [], None

    def check(self):
        if not os.path.isfile(os.path.join(self.reference, 'tree.tsv.zst')):
            return self.refused()
        self.wanted = golden.output(['zstd', '-dcq', '--', os.path.join(self.reference, 'tree.tsv.zst')])
        with gzip.open(self.path) as f:
            data = f.read()
        plain = os.path.join(self.folder, 'trace.json')
        with open(plain, 'wb') as f:
            f.write(data)
        small = len(data) < 6 << 20
        jobs = (1, 2) if self.everything else (2,)
        for j in jobs:
            index = self.build(self.path, 'gz -j%d' % j, '-j%d' % j)
            if index:
                self.report(index)
                self.dump(index, 'gz -j%d' % j)
                os.remove(index)
        self.same_indexes(plain, small)
        if small or self.everything:
            for j in jobs:
                self.others(plain, '-j%d' % j)
        return self.bad

    def refused(self):
        """A file without traceEvents."""
        r = self.command.run('build', self.path, '-o', os.path.join(self.folder, 'x.t2t'))
        if r.status != 3 or not re.fullmatch(r't2t: .*: not-a-trace: .*\n', r.message()):
            self.bad.append('wanted exit status 3 and one line, not-a-trace: ' + r.said())
        if os.listdir(self.folder):
            self.bad.append('left behind: ' + ' '.join(os.listdir(self.folder)))
        return self.bad

    def build(self, trace, what, *options, stdin=None):
        index = os.path.join(self.folder, re.sub(r'\W+', '_', what) + '.t2t')
        r = self.command.run('build', trace, '-o', index, *options, stdin=stdin)
        if r.status:
            self.bad.append(what + ': ' + r.said())
            return None
        return index

    def dump(self, index, what):
        r = self.command.run('dump', index)
        if r.status:
            self.bad.append(what + ': ' + r.said())
        elif r.out != self.wanted:
            self.bad += [what + ': the dump differs'] + first_difference(self.wanted.decode('utf-8', 'replace'), r.text())

    def report(self, index):
        """Every table of the reference."""
        folder = os.path.join(self.folder, 'report')
        r = self.command.run('report', index, '--csv-dir', folder)
        if r.status:
            self.bad.append(r.said())
            return
        wanted = sorted(n for n in os.listdir(self.reference) if re.search(r'\.csv(\.zst)?$', n))
        for name in wanted:
            path = os.path.join(self.reference, name)
            if name.endswith('.zst'):
                text = golden.output(['zstd', '-dcq', '--', path]).decode('utf-8')
            else:
                with open(path, encoding='utf-8', newline='') as f:
                    text = f.read()
            with open(os.path.join(folder, name.replace('.zst', '')), encoding='utf-8', newline='') as f:
                lines = golden.csv_difference(text, f.read(), self.folder)
            if lines:
                self.bad += [name + ':'] + lines
        if len(wanted) < len(golden.find_tables().TABLES) if golden.find_tables() else not wanted:
            self.bad.append('only %d tables in the reference' % len(wanted))
        shutil.rmtree(folder)
        self.bad += sums.difference(self.command, index, self.folder)

    def same_indexes(self, plain, small):
        """Any number of workers and any chunk gives the same index."""
        ways = [('-j1',), ('-j2',), ('-j8',)] + [('-j2', '--chunk', c) for c in ('1K', '7K', '128K', '1M')]
        if not self.everything:
            ways = ways[:3] + ways[3:5] if small else [ways[0], ways[1]]
        first = None
        for options in ways:
            index = self.build(plain, 'json ' + ' '.join(options), *options)
            if not index:
                continue
            if first is None:
                first = index
                self.dump(index, 'json ' + ' '.join(options))
            else:
                if not golden.same(first, index):
                    self.bad.append('the index of %s differs' % ' '.join(options))
                    self.dump(index, 'json ' + ' '.join(options))
                os.remove(index)
        if first:
            os.remove(first)

    def others(self, plain, job):
        for what, path, stdin in (('zst', None, None), ('pipe', '-', plain), ('gz pipe', '-', self.path)):
            if what == 'zst':
                path = plain + '.zst'
                if not os.path.exists(path):
                    compress(plain, 'zst', 3)
            index = self.build(path, what + ' ' + job, job, stdin=pipe_of(stdin) if stdin else None)
            if index:
                self.dump(index, what + ' ' + job)
                os.remove(index)


def real_traces(o):
    tap = Tap()
    paths = o.trace or sorted(glob.glob(os.path.join(golden.SHARED, 'traces', '*.json.gz')))
    if not paths:
        return tap.skip_all('no traces in %s' % golden.SHARED)
    if not ZSTD:
        return tap.skip_all('no zstd')
    if golden.SANITIZER and not golden.LONG:
        paths = [p for p in paths if os.path.getsize(p) < 130 << 10]
    for path in paths:
        with golden.work_folder() as folder:
            bad = Real(path, folder, o.all or golden.LONG).check()
        tap.line(not bad, os.path.basename(path)[:-len('.json.gz')], bad)
    return tap.finish()


# ---- scaled traces ------------------------------------------------------------------------
def scaled_traces(o):
    """Real traces three times over, in each layout of scale_trace.py, judged by the oracle."""
    tap, oracle = Tap(), golden.find_oracle()
    tool = os.path.join(golden.SHARED, 'tools', 'scale_trace.py')
    if oracle is None or not os.path.isfile(tool):
        return tap.skip_all('no oracle or scale_trace.py in %s' % golden.SHARED)
    names = ['hta_event_sync', 'torch_compile_triton']
    if golden.LONG:
        names += ['h100_bert_small', 'hta_alexnet_2023', 'mi300_sglang_decode', 'hta_rank_non_gpu', 'h100_vit_nsfw']
    for path in o.trace or [os.path.join(golden.SHARED, 'traces', n + '.json.gz') for n in names]:
        for style in ('kineto', 'kineto2', 'indent2', 'indent4', 'compact', 'min'):
            with golden.work_folder() as folder:
                trace = os.path.join(folder, 'trace.json')
                golden.output([sys.executable, '-B', tool, path, trace, '-n', '3', '--style', style, '--order', 'replica' if style == 'min' else 'section'])
                check, bad = Random(folder, True), []
                os.mkdir(check.stem)
                wanted = ''.join(line + '\n' for line in oracle.Tree(oracle.load(trace)).lines())
                built = []
                for options in (('-j1',), ('-j2', '--chunk', '7K')):
                    index = check.index(trace, options, bad)
                    if index:
                        check.dump(index, wanted, options, bad)
                        built.append(index)
                if len(built) == 2 and not golden.same(*built):
                    bad.append('the indexes differ')
            tap.line(not bad, '%s three times, %s' % (os.path.basename(path).split('.')[0], style), bad)
    return tap.finish()


# ---- cases -------------------------------------------------------------------------------
class Block:
    """A block of an expect.md: what must come out."""

    def __init__(self, text):
        self.want, self.tree, in_tree = {}, {}, False
        for line in text.splitlines():
            key, _, value = line.strip().partition(': ')
            in_tree = in_tree and line.startswith(' ')
            if line == 'tree:':
                in_tree = True
            elif in_tree:
                self.tree[int(key)] = value
            else:
                self.want[key] = value


class SharedCase:
    """One folder of $T2T_SHARED/cases: its input and what must come out."""

    TIMELINE = {'total': 'total_time', 'busy': 'busy_time', 'idle': 'idle_time', 'computation': 'computation_time', 'exposed_comm': 'exposed_comm_time',
                'exposed_memcpy': 'exposed_memcpy_time'}

    def __init__(self, path, folder):
        self.path, self.folder, self.command, self.bad = path, folder, Command(folder), []
        with open(os.path.join(path, 'expect.md'), encoding='utf-8') as f:
            blocks = dict(re.findall(r'^```(expect(?:-lenient)?)\n(.*?)^```', f.read(), re.M | re.S))
        self.strict = Block(blocks['expect'])
        self.lenient = Block(blocks['expect-lenient']) if 'expect-lenient' in blocks else None

    def check(self):
        """Every mode, for the input as it is, piped and in other containers, beside a copy of it, so that all that is left behind is seen."""
        name = next(n for n in ('trace.json', 'trace.json.gz') if os.path.exists(os.path.join(self.path, n)))
        with open(os.path.join(self.path, name), 'rb') as f:
            data = f.read()
        ways = [(name, data, ('-j1',)), (name, data, ('-j4', '--chunk', '1K')), ('-', data, ('-j4', '--chunk', '1K'))]
        if name == 'trace.json' and data[:2] != b'\x1f\x8b':
            ways.append(('trace.json.gz', gzip.compress(data, 1, mtime=0), ('-j4', '--chunk', '1K')))
            if ZSTD and data:
                ways.append(('trace.json.zst', golden.output(['zstd', '-qc1'], data), ('-j1', '--chunk', '1K')))
        for way in ways:
            for mode, block in self.modes():
                before = len(self.bad)
                self.block, self.want, self.tree = block, block.want, block.tree
                self.build(*way, mode)
                self.bad[before:] = ['%s %s: %s' % (way[0], ' '.join(way[2] + mode), text) for text in self.bad[before:]]
        return self.bad

    def modes(self):
        """Options and the block that holds with them."""
        yield ('--strict',), self.strict
        repaired = self.lenient and self.lenient.want['exit'] == '0'
        yield (), self.lenient if repaired else self.strict
        if self.lenient:
            yield ('--salvage',), self.lenient

    def build(self, name, data, options, mode):
        files = [] if name == '-' else [name]
        index = os.path.join(self.folder, (name if files else 'x') + '.t2t')
        trace = os.path.join(self.folder, name) if files else '-'
        if files:
            with open(trace, 'wb') as f:
                f.write(data)
        r = self.command.run('build', trace, '-o', index, *options, *mode, stdin=None if files else data)
        left = sorted(os.listdir(self.folder))
        if self.want['exit'] == 'nonzero':
            self.refused(r, name if files else 'standard input', left, files)
        elif r.status != int(self.want['exit']):
            self.bad.append('wanted exit status %s: %s' % (self.want['exit'], r.said()))
        elif left != sorted(files + [os.path.basename(index)]):
            self.bad.append('files after the build: ' + ' '.join(left))
        else:
            self.accepted(index)
        for rest in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, rest))

    def refused(self, r, name, left, files):
        said, want = r.message().rstrip('\n'), self.want
        m = re.fullmatch(r't2t: (.*?): ([a-z0-9-]+): (.*?)(?: \(at byte (\d+)(?: of the compressed file)?\))?', said)
        if r.status != 3:
            self.bad.append('wanted exit status 3: ' + r.said())
        elif not m or name not in m.group(1):
            self.bad.append('no line of the form "t2t: FILE: CLASS: TEXT (at byte N)": ' + said)
        else:
            if m.group(2) != want.get('error', m.group(2)):
                self.bad.append('wanted class %s: %s' % (want['error'], said))
            at = want.get('offset', want.get('coffset'))
            near = 2 if want.get('error') == 'json-escape' else 0
            if at is not None and (m.group(4) is None or abs(int(m.group(4)) - int(at)) > near):
                self.bad.append('wanted byte %s: %s' % (at, said))
        if left != files:
            self.bad.append('left behind: ' + ' '.join(left))

    def accepted(self, index):
        r = self.command.run('dump', index)
        if r.status:
            self.bad.append(r.said())
            return
        rows = [line.split('\t') for line in r.text().split('\n')[:-1]]
        if len(rows) != int(self.want['events']):
            self.bad.append('wanted %s events, found %d' % (self.want['events'], len(rows)))
            return
        for i, wanted in self.tree.items():
            parent, flags = rows[i][3], rows[i][6]
            unlinked = 'G' in flags and 'L' not in flags
            found = 'x' if flags == '-' else '- (unlinked)' if unlinked else '-' if parent == '-1' else parent
            if found != wanted and not (wanted == '-' and unlinked):
                self.bad.append('%d: wanted parent %s, found %s' % (i, wanted, found))
        for key, value in self.want.items():
            what, _, number = key.partition(' ')
            if what == 'name':
                if rows[int(number)][2] != golden.printable(json.loads(value)):
                    self.bad.append('%s: found %s' % (key, rows[int(number)][2]))
            elif what in ('dur', 'arg'):
                self.property(index, what, int(number), value)
            elif what == 'timeline':
                self.timeline(index, value)

    def property(self, index, what, i, value):
        r = self.command.run('show', index, '@%d' % i, '--format', 'json')
        if r.status:
            self.bad.append(r.said())
            return
        found = json.loads(r.text(), parse_int=str, parse_float=str)
        if what == 'dur' and found['dur_ns'] != str(microseconds(value)):
            self.bad.append('dur %d: wanted %s us, found %s ns' % (i, value, found['dur_ns']))
        for key, wanted in (part.split(' = ') for part in value.split(', ')) if what == 'arg' else ():
            if found['args'].get(key) != wanted:
                self.bad.append('arg %d: wanted %s = %s, found %s' % (i, key, wanted, found['args'].get(key)))

    def timeline(self, index, value):
        for part in value.split('; '):
            selection, _, figures = part.rpartition(': ')
            r = self.command.run('timeline', index, '--format', 'csv', *(('--linked-only',) if selection == 'linked' else ()))
            if r.status:
                self.bad.append(r.said())
                continue
            found = {row[1]: row[2] for row in (line.split(',') for line in r.text().splitlines()) if row[0] == 'all'}
            for key, wanted in (f.split('=') for f in figures.split()):
                if found.get(self.TIMELINE[key]) != str(microseconds(wanted)):
                    self.bad.append('timeline %s: wanted %s us, found %s ns' % (key, wanted, found.get(self.TIMELINE[key])))


def microseconds(text):
    whole, _, fraction = text.partition('.')
    return int(whole) * 1000 + int((fraction + '000')[:3])


def shared_cases(o):
    tap = Tap()
    paths = o.case or sorted(p for p in glob.glob(os.path.join(golden.SHARED, 'cases', '*')) if os.path.isdir(p))
    if not paths:
        return tap.skip_all('no cases in %s' % golden.SHARED)

    def outcome(path):
        with golden.work_folder() as folder:
            return SharedCase(path, folder).check()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, bad in zip(paths, pool.map(outcome, paths)):
            tap.line(not bad, os.path.basename(os.path.normpath(path)), bad)
    return tap.finish()


# ---- the example -----------------------------------------------------------------------
def example(o):
    """The example is what its script writes, and its tree is what the oracle says."""
    tap, trace = Tap(), os.path.join(golden.TOP, 'examples', 'two_steps.json')
    with open(trace, 'rb') as f:
        data = f.read()
    tap.line(golden.output([sys.executable, '-B', os.path.join(golden.TOP, 'examples', 'make_two_steps.py'), '-']) == data,
             'two_steps.json is what make_two_steps.py writes')
    with golden.work_folder() as folder:
        command, index, bad = Command(folder), os.path.join(folder, 'example.t2t'), []
        r = command.run('build', trace, '-o', index)
        if r.status:
            tap.line(False, 'it is built', [r.said()])
            return tap.finish()
        if golden.find_oracle() is None:
            tap.skip('its tree and times', 'no oracle in %s' % golden.SHARED)
            return tap.finish()
        check = Random(folder)
        os.mkdir(check.stem)
        tree = check.oracle.Tree(check.oracle.load(trace))
        check.dump(index, ''.join(line + '\n' for line in tree.lines()), ('example',), bad)
        check.report(trace, index, bad)
        bad += elements.check(command, index, data, tree, golden.id_order(tree, check.oracle))
        tap.line(not bad, 'its tree, times and arguments', bad)
    return tap.finish()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = p.add_subparsers(dest='mode', required=True)
    m = modes.add_parser('random')
    m.add_argument('--seeds', type=int, metavar='N')
    m.add_argument('--first', type=int, default=0, metavar='N')
    m.add_argument('--profile')
    m.add_argument('--seed', type=int, metavar='S')
    m.add_argument('--keep', metavar='FILE', help='where to write the trace of --seed')
    m.add_argument('--reduce', action='store_true', help='leave out what is not needed to see what is wrong')
    m.set_defaults(run=random_traces)
    m = modes.add_parser('real')
    m.add_argument('--all', action='store_true', help='all containers, workers and chunks for large traces too')
    m.add_argument('trace', nargs='*')
    m.set_defaults(run=real_traces)
    m = modes.add_parser('scaled')
    m.add_argument('trace', nargs='*')
    m.set_defaults(run=scaled_traces)
    m = modes.add_parser('cases')
    m.add_argument('case', nargs='*')
    m.set_defaults(run=shared_cases)
    modes.add_parser('example').set_defaults(run=example)
    o = p.parse_args()
    return o.run(o)


if __name__ == '__main__':
    sys.exit(main())
