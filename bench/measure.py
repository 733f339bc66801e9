"""What the programs of this folder share: running a program in turn with others, its time, its memory, and what the machine was.

A Run is one run of a program.  Its memory is the peak of RssAnon in /proc/PID/status, read every SAMPLE_S seconds: what it holds itself, without
mapped files.  Stop is raised where something cannot be measured, with the reason.
"""
import os
import platform
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SAMPLE_S = 0.005
HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.environ.get('T2T_SHARED') or os.path.join(HERE, '..', '..', 'shared')
DEFAULT_T2T = os.environ.get('T2T') or os.path.join(HERE, '..', 'build', 't2t')
PATIENCE = 20                                                 # times the limit of a program, on the clock of a busy machine
BUSY_PERCENT = 5                                              # of the processors, by others: figures are no good


class Stop(Exception):
    """It cannot be measured; the text says why."""


class TooLong(Stop):
    """A program was ended because it took longer than allowed."""


# ---- one run -----------------------------------------------------------------------------
ENVIRONMENT = {}                                              # of a program that needs another one than ours, by its path


def program(path):
    """The path of a command itself.  What lies in a build folder may be a script of libtool around it, which takes longer than many a command."""
    found = shutil.which(path)
    if not found:
        raise Stop('%s is no command' % path)
    real = os.path.join(os.path.dirname(os.path.abspath(found)), '.libs', os.path.basename(found))
    with open(found, 'rb') as f:
        if f.read(2) != b'#!' or not os.path.exists(real):
            return found
    ENVIRONMENT[real] = dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(real))
    return real


class Sampler(threading.Thread):
    """The peak of RssAnon of a process, in bytes."""

    def __init__(self, pid, every=SAMPLE_S):
        super().__init__(daemon=True)
        self.path, self.every, self.peak, self.samples = '/proc/%d/status' % pid, every, 0, 0
        self.ended = threading.Event()

    def run(self):
        try:
            with open(self.path, 'rb', buffering=0) as f:
                while not self.ended.is_set():
                    m = re.search(rb'\nRssAnon:\s*(\d+) kB', os.pread(f.fileno(), 8192, 0))
                    if m:
                        self.peak = max(self.peak, int(m.group(1)) << 10)
                        self.samples += 1
                    self.ended.wait(self.every)
        except OSError:                                        # it is gone
            pass

    def stop(self):
        self.ended.set()
        self.join()
        return self.peak


class Run:
    """One run: seconds on the clock and of the processors, bytes of memory at its peak, status, what it printed."""

    def __init__(self, wall_s, cpu_s, anon_bytes, status, out, err):
        self.wall_s, self.cpu_s, self.anon_bytes = wall_s, cpu_s, anon_bytes
        self.status, self.out, self.err = status, out, err


def run(arguments, keep_output=False, stdin=subprocess.DEVNULL, limit_s=None, every=SAMPLE_S, statuses=(0,)):
    """Runs a program.  Its standard output goes nowhere unless it is kept; its messages are kept.  A status that is not in `statuses` is a Stop.
    TooLong: it took `limit_s` of the processor, or PATIENCE times that of the clock."""
    with tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as out:
        begin = time.perf_counter()
        p = subprocess.Popen(arguments, stdin=stdin, stdout=out if keep_output else subprocess.DEVNULL, stderr=err,
                             env=ENVIRONMENT.get(arguments[0]))
        sampler = Sampler(p.pid, every)
        sampler.start()
        late = threading.Timer(PATIENCE * limit_s, p.kill) if limit_s else None
        if late:
            late.start()
            resource.prlimit(p.pid, resource.RLIMIT_CPU, (max(1, int(limit_s)), resource.RLIM_INFINITY))
        _, status, usage = os.wait4(p.pid, 0)
        wall = time.perf_counter() - begin
        p.returncode = os.waitstatus_to_exitcode(status)
        peak = sampler.stop()
        if late:
            late.cancel()
            if p.returncode == -signal.SIGXCPU or p.returncode == -signal.SIGKILL and wall >= PATIENCE * limit_s:
                raise TooLong('%s took longer than %g s' % (' '.join(arguments), limit_s))
        out.seek(0)
        err.seek(0)
        said = Run(wall, usage.ru_utime + usage.ru_stime, peak, p.returncode, out.read().decode('utf-8', 'replace'), err.read().decode('utf-8', 'replace'))
    if said.status not in statuses:
        raise Stop('%s ended with %d: %s' % (' '.join(arguments), said.status, said.err.strip()[:500]))
    return said


# ---- figures -----------------------------------------------------------------------------
def median(values):
    return statistics.median(values)


def median_of_ratios(above, below):
    """The median over the rounds of one list of times divided by another."""
    return statistics.median(a / max(b, 1e-9) for a, b in zip(above, below))


def in_turn(jobs, rounds, tell):
    """Runs every job once in each round, forwards and backwards in turn, so that neighbours stay neighbours and a machine that gets slower hits all
    alike.  `jobs` is {name: function}; the answer {name: [what the function returned]}."""
    found = {name: [] for name in jobs}
    for n in range(rounds):
        for name in list(jobs) if n % 2 == 0 else reversed(list(jobs)):
            found[name].append(jobs[name]())
        tell(n + 1, {name: each[-1] for name, each in found.items()})
    return found


def warm(path):
    """Reads a file into the page cache."""
    with open(path, 'rb', buffering=0) as f:
        while f.read(1 << 20):
            pass


def need_room(folder, size, what):
    """A Stop where the folder has no room for so many bytes."""
    free = shutil.disk_usage(folder).free
    if free < size:
        raise Stop('%s needs %.1f GB in %s, which has %.1f GB' % (what, size / 1e9, folder, free / 1e9))


def size_of(text):
    """Bytes of a size such as 4.2G; 1G is 2^30."""
    m = re.fullmatch(r'(\d+(?:\.\d+)?)([kKmMgG]?)', text)
    if not m:
        raise ValueError('a size is like 200M or 1G')
    return int(float(m.group(1)) * {'': 1, 'k': 1 << 10, 'm': 1 << 20, 'g': 1 << 30}[m.group(2).lower()])


# ---- the machine -------------------------------------------------------------------------
def first_match(path, regex, default='?'):
    try:
        with open(path, encoding='utf-8', errors='replace') as f:
            m = re.search(regex, f.read(), re.M)
    except OSError:
        m = None
    return m.group(1).strip() if m else default


def memory_bytes(key='MemTotal'):
    return int(first_match('/proc/meminfo', r'^%s:\s*(\d+) kB' % key, '0')) << 10


def processors():
    return len(os.sched_getaffinity(0))


def vectors():
    """What the product and simdjson may choose by."""
    flags = set(first_match('/proc/cpuinfo', r'^(?:flags|Features)\s*:(.*)', '').split())
    return 'AVX-512' if 'avx512bw' in flags else 'AVX2' if 'avx2' in flags else 'NEON' if 'asimd' in flags else 'no wide vectors'


class Machine:
    """What the machine is, and what others did with it since the object was made."""

    def __init__(self):
        self.load = os.getloadavg()[0]
        self.begin = time.perf_counter()
        self.ticks, self.own = self.busy_ticks(), self.own_seconds()

    @staticmethod
    def busy_ticks():
        """Ticks of all processors that somebody worked, and that were stolen."""
        words = [int(w) for w in first_match('/proc/stat', r'^cpu (.*)', '0 0 0 0 0 0 0 0').split()]
        return sum(words[:3]) + sum(words[5:7]), words[7]

    @staticmethod
    def own_seconds():
        t = os.times()
        return t.user + t.system + t.children_user + t.children_system

    def describe(self, other_seconds=0):
        """A dictionary; `other_seconds` of the processors were those of programs that are not waited for yet."""
        took = max(1e-3, time.perf_counter() - self.begin) * (os.cpu_count() or 1)
        busy, stolen = (b - a for a, b in zip(self.ticks, self.busy_ticks()))
        tick = os.sysconf('SC_CLK_TCK')
        others = busy / tick - (self.own_seconds() - self.own) - other_seconds
        return {
            'processor': first_match('/proc/cpuinfo', r'^model name\s*:(.*)', platform.machine()), 'vectors': vectors(), 'processors': processors(),
            'memory_bytes': memory_bytes(), 'kernel': platform.release(), 'architecture': platform.machine(),
            'system': first_match('/etc/os-release', r'^PRETTY_NAME="?([^"\n]*)', platform.system()),
            'date': time.strftime('%Y-%m-%d', time.gmtime()), 'load_before': self.load,
            'others_percent': max(0.0, 100 * others / took), 'stolen_percent': 100 * stolen / tick / took,
        }


def is_busy(machine):
    return machine['others_percent'] + machine['stolen_percent'] > BUSY_PERCENT


def machine_text(m):
    """The machine in a sentence."""
    text = '%d processors (%s, %s), %.0f GB, %s, Linux %s; others took %.1f %% of the processors, the host %.1f %%' % (
        m['processors'], m['processor'], m['vectors'], m['memory_bytes'] / 1e9, m['system'], m['kernel'], m['others_percent'], m['stolen_percent'])
    return text + ('; **a busy machine: these figures are not to be quoted**' if is_busy(m) else '')


def say(text):
    """Progress, for who waits."""
    print(text, file=sys.stderr, flush=True)


def markdown(head, rows):
    """The lines of a table."""
    line = lambda cells: '| ' + ' | '.join(cells) + ' |'
    return [line(head), '|' + '---|' * len(head), *map(line, rows)]
