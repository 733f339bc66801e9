"""What `build` and `compare` share: the programs that are run beside each other on a trace, the figures of their rounds, and the targets.

A job is a name and a function that runs a program once and returns a dictionary of what was measured, with `s`, the seconds that are judged:

- a build: from its start to its end, without the wait for the disk at its end, which is `sync_s`
- a walk with a parser: from the mapped file to the last event, without the end of the process
- any other program: from its start to its end
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import measure
from measure import HERE, Stop

MEMORY = '256M'
PACKAGES = {'simdjson': 'g++ libsimdjson-dev', 'rapidjson': 'g++ rapidjson-dev', 'igzip': 'isal', 'zstd': 'zstd', 'json.load': 'python3'}
LOAD = 'import json, sys; print(len(json.load(open(sys.argv[1], encoding="utf-8", errors="surrogateescape"), strict=False)))'
LOAD_BYTES = 9                                                 # of memory a byte of text, at least


# ---- one program -------------------------------------------------------------------------
def plain_job(command):
    def once():
        r = measure.run(command)
        return {'s': r.wall_s, 'cpu_s': r.cpu_s, 'anon_bytes': r.anon_bytes}
    return once


def walk_job(command, events):
    """A parser; it must have seen as many events as the trace has, where that is known."""
    def once():
        r = measure.run(command, keep_output=True)
        said = json.loads(r.out)
        if events is not None and said['events'] != events:
            raise Stop('%s saw %d events, not %d' % (' '.join(command), said['events'], events))
        return {'s': said['seconds'], 'wall_s': r.wall_s, 'cpu_s': r.cpu_s, 'anon_bytes': r.anon_bytes, 'said': said}
    return once


def build_job(command, index, facts=None, stdin=None):
    """`t2t build ... -o index`; `facts` gets what is the same each time."""
    def once():
        if os.path.exists(index):
            os.remove(index)
        r = measure.run([*command, '-o', index, '-v'], stdin=stdin or subprocess.DEVNULL)
        sync = seconds(r.err, 'waiting for the disk')
        if facts is not None and not facts:
            facts.update(index_bytes=os.path.getsize(index), json_bytes=count(r.err, 'JSON'), digest=digest(index),
                         events=elements(command[0], index))
        os.remove(index)
        return {'s': r.wall_s - sync, 'wall_s': r.wall_s, 'cpu_s': r.cpu_s, 'anon_bytes': r.anon_bytes, 'sync_s': sync,
                'read_s': seconds(r.err, 'reading and parsing'), 'merge_s': seconds(r.err, 'tree and index')}
    return once


def seconds(said, what):
    """A time that `build -v` says."""
    m = re.search(r'^ *%s +([\d.,]+) (ns|us|ms|s)$' % what, said, re.M)
    if not m:
        raise Stop('t2t build -v does not say the time of %s: %s' % (what, said.strip()[:500]))
    return float(m.group(1).replace(',', '')) * {'ns': 1e-9, 'us': 1e-6, 'ms': 1e-3, 's': 1}[m.group(2)]


def count(said, what):
    """A number of bytes that `build -v` says."""
    m = re.search(r'^ *%s +([\d,]+) bytes$' % what, said, re.M)
    if not m:
        raise Stop('t2t build -v does not say the bytes of %s: %s' % (what, said.strip()[:500]))
    return int(m.group(1).replace(',', ''))


def elements(t2t, index):
    """The number of elements of traceEvents."""
    return json.loads(measure.run([t2t, 'info', index, '--format', 'json'], keep_output=True).out)['elements']


def digest(path):
    h = hashlib.sha256()
    with open(path, 'rb') as f:
        while True:
            block = f.read(1 << 20)
            if not block:
                return h.hexdigest()
            h.update(block)


def compiled(name, folder):
    """The path of a walk with a parser of C++, compiled for this machine.  A Stop where it cannot be."""
    source, program = os.path.join(HERE, 'walk_%s.cc' % name), os.path.join(folder, 'walk_' + name)
    compiler = os.environ.get('CXX') or 'g++'
    if not shutil.which(compiler):
        raise Stop('%s is not installed' % compiler)
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        r = subprocess.run([compiler, '-std=c++17', '-O3', '-march=native', '-o', program, source, *(['-lsimdjson'] if name == 'simdjson' else [])],
                           stderr=subprocess.PIPE, check=False)
        if r.returncode:
            reason = re.search(r'error: (.*)', r.stderr.decode('utf-8', 'replace'))
            raise Stop('%s: %s' % (os.path.basename(source), reason.group(1) if reason else 'it cannot be compiled'))
    return program


# ---- all of a trace ----------------------------------------------------------------------
def threads_to_try():
    """1, 2, 4 and so on, and all processors."""
    n, found = measure.processors(), {1, 2, 4}
    found |= {1 << k for k in range(1, 10) if 1 << k <= n} | {n}
    return sorted(found)


def name_of(label, variant):
    return '%s %s' % (label, variant)


def variants(path, trace, missing):
    """{variant: (its trace, its options)} of a build; what cannot be measured goes to `missing`."""
    found = {'-j2': (path, ['-j', '2']), '-j1': (path, ['-j', '1'])}
    for suffix in ('.gz', '.zst'):
        try:
            found['-j2 ' + suffix] = (trace.packed(path, suffix), ['-j', '2'])
        except Stop as e:
            missing['-j2 ' + suffix] = str(e)
    found['-j2 --memory ' + MEMORY] = (path, ['-j', '2', '--memory', MEMORY])
    found['-j2 --no-layouts'] = (path, ['-j', '2', '--no-layouts'])
    for n in threads_to_try():
        found.setdefault('-j%d' % n, (path, ['-j', str(n)]))
    return found


def yardstick(name, path, folder, events, packed):
    """The job of a program that builds are compared with.  A Stop where it cannot be run."""
    if name in ('simdjson', 'rapidjson'):
        # What is no object in the array of events is no event of rapidjson.
        return walk_job([compiled(name, folder), path], events if name == 'simdjson' else None)
    if name == 'json.load':
        if measure.memory_bytes('MemAvailable') < LOAD_BYTES * os.path.getsize(path):
            raise Stop('it needs more memory than there is')
        return plain_job([sys.executable, '-c', LOAD, path])
    program, suffix = {'igzip': ('igzip', '.gz'), 'zstd': ('zstd', '.zst'), 'cat': ('cat', None)}[name]
    if not shutil.which(program):
        raise Stop('%s is not installed' % program)
    if not suffix:
        return plain_job([program, '--', path])
    if suffix not in packed:
        raise Stop('there is no %s' % suffix)
    return plain_job([program, '-dc', packed[suffix]])


# What is compared stands beside each other.
ORDER = ('cat', '-j2', 'simdjson', '-j1', 'rapidjson', 'igzip', '-j2 .gz', '-j2 .zst', 'zstd')


def plan(t2ts, trace, size, folder, yardsticks, only=''):
    """The jobs of a trace, in their order; what cannot be measured, and why; and what is the same each time.  `t2ts` is {label: command}."""
    path, missing, jobs, facts = trace.plain(size), {}, {}, {}
    builds = variants(path, trace, missing)
    packed = {v[-4:].strip(): p for v, (p, _) in builds.items() if v.endswith(('.gz', '.zst'))}
    for p in {path, *packed.values()}:
        measure.warm(p)
    first, *_ = t2ts.values()
    probe = {}
    build_job([first, 'build', path], os.path.join(folder, 'bench.t2t'), probe)()
    for name in [*ORDER, *(v for v in builds if v not in ORDER), *(y for y in yardsticks if y not in ORDER)]:
        if name in builds and only in name:
            source, options = builds[name]
            for label, t2t in t2ts.items():
                key = name_of(label, name)
                facts[key] = {}
                jobs[key] = build_job([t2t, 'build', source, *options], os.path.join(folder, 'bench.t2t'), facts[key])
        elif name in yardsticks:
            try:
                jobs[name] = yardstick(name, path, folder, probe['events'], packed)
            except Stop as e:
                missing[name] = str(e)
    return jobs, missing, {'trace': trace.describe(), 'bytes': os.path.getsize(path), 'events': probe['events'], 'builds': facts}


class Figures:
    """All that was measured with a trace."""

    def __init__(self, name, facts, missing):
        self.name, self.facts, self.missing, self.rounds = name, facts, missing, {}

    def add(self, found):
        self.rounds.update(found)

    def has(self, *names):
        return all(self.rounds.get(n) for n in names)

    def all(self, name, key='s'):
        return [r[key] for r in self.rounds[name]]

    def median(self, name, key='s'):
        return measure.median(self.all(name, key))

    def ratio(self, above, below):
        """The median of the ratios of the rounds; None: one of them was not measured."""
        return measure.median_of_ratios(self.all(above), self.all(below)) if self.has(above, below) else None

    def peak(self, name):
        """Bytes of memory; None: not measured."""
        return max(self.all(name, 'anon_bytes')) if self.has(name) else None

    def odd_ones(self):
        """Builds whose index has other bytes than another one of the same file."""
        first, found = {}, []
        for name, facts in self.facts['builds'].items():
            kind = name.rpartition(' ')[2]
            kind = kind if kind in ('.gz', '.zst') or kind[0] == '@' else ''
            if facts and facts['digest'] != first.setdefault(kind, facts['digest']):
                found.append(name)
        return found

    def as_data(self):
        return {'facts': self.facts, 'missing': self.missing, 'rounds': self.rounds}


# ---- targets -----------------------------------------------------------------------------
BASE_MEMORY, EVENT_MEMORY, BOUND_MEMORY, INDEX_PERCENT = 64e6, 110, 300e6, 20


class Target:
    """A figure and its limit.  `figure` takes Figures and the label of a build; it returns None where it was not measured."""

    def __init__(self, against, wording, limit, figure, form='%.2f', at_least=False):
        self.against, self.wording, self.limit, self.figure, self.form, self.at_least = against, wording, limit, figure, form, at_least

    def judge(self, figures, label):
        """What it is, and whether the target is met; None, None: not measured."""
        value = self.figure(figures, label)
        if value is None:
            return None, None
        return value, value >= self.limit if self.at_least else value <= self.limit

    def text(self, figures, label):
        value, met = self.judge(figures, label)
        return 'not measured' if value is None else self.form % value + (' met' if met else ' **missed**')


def build_ratio(above, below):
    """Of two jobs, of which those that begin with - are builds."""
    def figure(f, label):
        return f.ratio(*(name_of(label, n) if n.startswith('-') else n for n in (above, below)))
    return figure


def event_memory(f, label):
    peak = f.peak(name_of(label, '-j2'))
    return None if peak is None else max(0.0, peak - BASE_MEMORY) / max(1, f.facts['events'])


def peak_mb(variant):
    def figure(f, label):
        peak = f.peak(name_of(label, variant))
        return None if peak is None else peak / 1e6
    return figure


def index_percent(f, label):
    facts = f.facts['builds'].get(name_of(label, '-j2'))
    return 100 * facts['index_bytes'] / facts['json_bytes'] if facts else None


BEYOND = '-j2 @large', '-j2 @base', '-j2 --memory %s @large' % MEMORY, '-j2 --memory %s @stream' % MEMORY
LARGE, SMALL, LARGE_BOUND, STREAM = BEYOND
TARGETS = (
    Target('`cat trace >/dev/null`', 'at most 5.5 times its time (better: 3.5)', 5.5, build_ratio('-j2', 'cat')),
    Target('simdjson, a walk on demand, one thread', '-j2 at least 3.5 times as fast', 3.5, build_ratio('simdjson', '-j2'), at_least=True),
    Target('simdjson, a walk on demand, one thread', '-j1 at least 2 times as fast', 2, build_ratio('simdjson', '-j1'), at_least=True),
    Target('`igzip -dc` of the .gz alone', 'at most 2.3 times its time', 2.3, build_ratio('-j2 .gz', 'igzip')),
    Target('`zstd -dc` of the .zst alone', 'at most 1.7 times its time', 1.7, build_ratio('-j2 .zst', 'zstd')),
    Target('-j1', '-j2 at least 1.35 times as fast', 1.35, build_ratio('-j1', '-j2'), at_least=True),
    Target('JSON text', 'index at most 20 %', INDEX_PERCENT, index_percent, '%.1f %%'),
    Target('memory', 'at most 64 MB + 110 bytes an event', EVENT_MEMORY, event_memory, '64 MB + %.0f'),
    Target('memory, --memory %s' % MEMORY, 'at most 300 MB', BOUND_MEMORY / 1e6, peak_mb('-j2 --memory %s' % MEMORY), '%.0f MB'),
)


def large_targets(size, large):
    """The time is that of a trace 3.94 times as large, else in proportion."""
    times = 4.8 * measure.size_of(large) / measure.size_of(size) / 3.94
    return (
        Target('%s: the trace of %s' % (large, size), 'at most %.3g times its time' % times, times, build_ratio(LARGE, SMALL)),
        Target('%s: without --memory' % large, '--memory %s at most 2 times its time' % MEMORY, 2, build_ratio(LARGE_BOUND, LARGE)),
        Target('%s: memory, --memory %s' % (large, MEMORY), 'at most 300 MB', BOUND_MEMORY / 1e6, peak_mb(LARGE_BOUND), '%.0f MB'),
    )


def stream_targets(size):
    return Target('%s from a pipe: memory, --memory %s' % (size, MEMORY), 'at most 300 MB', BOUND_MEMORY / 1e6, peak_mb(STREAM), '%.0f MB'),


def judged(targets, all_figures, labels):
    """What each target says of each trace and build, as data."""
    found = []
    for target in targets:
        for f in all_figures:
            for label in labels:
                value, met = target.judge(f, label)
                found.append({'against': target.against, 'target': target.wording, 'limit': target.limit, 'trace': f.name, 'build': label,
                              'figure': value, 'met': met})
    return found


def target_table(targets, all_figures, labels):
    """Lines of Markdown: a column for each trace, or for each trace and build."""
    head = ['against', 'target', *(f.name if len(labels) == 1 else '%s, %s' % (f.name, label) for f in all_figures for label in labels)]
    return measure.markdown(head, [[t.against, t.wording, *(t.text(f, label) for f in all_figures for label in labels)] for t in targets])


def packages_text(all_figures):
    """What was not measured, and what to install for it."""
    lines = []
    for name, reason in sorted({(n, r) for f in all_figures for n, r in f.missing.items()}):
        lines.append('Not measured: %s: %s%s' % (name, reason, ' (Debian: %s)' % PACKAGES[name] if name in PACKAGES else ''))
    return lines


def tell_round(number, last):
    """A line of a round, for who waits."""
    measure.say('round %d: %s' % (number, ', '.join('%s %.3f' % (k, v['s']) for k, v in last.items())))
