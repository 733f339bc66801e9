#!/usr/bin/env python3
"""run_faults.py TEST - the command while the machine fails, by shim.c.

Every run must end by itself, with a status and one line, or do what it does
when nothing fails; what was there is there as it was, or what was asked for is,
whole; and nothing else is.  Environment: tests/README.md.  T2T_LONG=1 tries
every call where else some are left out, and more signals.

  calls    each call of the system fails, a build, queries and an export
  memory   each allocation fails, the same
  spill    the same where a build does not fit its memory
  cut      files that are mapped lose their end
  killed   SIGKILL at calls and at moments; the next build cleans up
  signals  SIGTERM and SIGINT at moments
  limits   ulimit -f; disks that are full; builds at once
"""
import errno
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOP = os.environ.get("top_srcdir", ".")
BUILD = os.environ.get("top_builddir", ".")
SHIM = os.path.join(BUILD, "tests/fault/.libs/shim.so")
LONG = os.environ.get("T2T_LONG", "") not in ("", "0")
SANITIZER = os.environ.get("T2T_SANITIZER", "")
TIMEOUT = 60

# What the shim counts, and how it fails.
WAYS = [
    ("open", errno.EMFILE), ("open", errno.EACCES), ("read", errno.EIO),
    ("read", errno.EINTR), ("read", "short"), ("write", errno.ENOSPC),
    ("write", errno.EIO), ("write", errno.EINTR), ("write", "short"),
    ("close", errno.EIO), ("fstat", errno.EIO), ("fsync", errno.EIO),
    ("fsync", errno.ENOSPC), ("link", errno.EACCES), ("link", errno.ENOSPC),
    ("mmap", errno.ENOMEM), ("mmap", errno.ENODEV), ("rename", errno.EACCES),
    ("sync_range", errno.EIO), ("thread", errno.EAGAIN),
]
QUERIES = [
    ["info"], ["check"], ["tree"], ["show", "@0", "@3", "@4"],
    ["stack", "@3", "--through-backward"], ["find", "--regex", "a.*m"],
    ["timeline"], ["ops"], ["kernels"], ["launches"], ["gaps"], ["modules"],
    ["collectives"], ["links"], ["dump"], ["export", "--to", "trace"],
    ["tree", "--format", "json"], ["info", "--format", "json"],
    ["ops", "--format", "csv"],
]


class Report:
    """TAP lines."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def line(self, good, text, remarks=()):
        self.count += 1
        self.failed += not good
        for remark in list(remarks)[:10]:
            print("# " + remark.replace("\n", " | ")[:400])
        print("%sok %d - %s" % ("" if good else "not ", self.count, text),
              flush=True)

    def skip(self, text, why):
        self.count += 1
        print("ok %d - %s # SKIP %s" % (self.count, text, why), flush=True)

    def end(self):
        print("1..%d" % self.count)
        sys.exit(self.failed > 0)


class Place:
    """A folder with a trace and, if asked for, an index of another one."""

    def __init__(self, folder, trace, old):
        self.folder = folder
        os.makedirs(folder)
        self.trace = os.path.join(folder, "x.json")
        self.index = self.trace + ".t2t"
        self.content = trace
        self.old = old
        self.reset()

    def reset(self):
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        write(self.trace, self.content)
        # the index has the time of the trace in it
        os.utime(self.trace, ns=(10 ** 18, 10 ** 18))
        if self.old is not None:
            write(self.index, self.old)

    def litter(self):
        want = {"x.json"} | ({"x.json.t2t"} if self.has_index() else set())
        return sorted(set(os.listdir(self.folder)) - want)

    def has_index(self):
        return os.path.exists(self.index)


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def event(n):
    """The n-th event of the trace: some of each kind."""
    ts = 100 * n
    return [
        {"ph": "X", "cat": "python_function", "name": "nn.Module: Net_%d" %
         (n % 3), "pid": 1, "tid": 2, "ts": ts, "dur": 90,
         "args": {"Python id": n + 1, "Python parent id": None}},
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2,
         "ts": ts + 10, "dur": 30, "args": {
             "Sequence number": n, "Fwd thread id": 0, "External id": n,
             "Input Dims": [[2, n], []], "Input type": ["float", ""]}},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel",
         "pid": 1, "tid": 2, "ts": ts + 15, "dur": 5,
         "args": {"correlation": n, "External id": n}},
        {"ph": "X", "cat": "kernel", "name": "gemm_%d" % (n % 4), "pid": 0,
         "tid": 7, "ts": ts + 40, "dur": 50.5,
         "args": {"correlation": n, "stream": 7, "device": 0}},
        {"ph": "X", "cat": "cpu_op", "pid": 1, "tid": 3, "name":
         "autograd::engine::evaluate_function: MmBackward0", "ts": ts + 60,
         "dur": 10, "args": {"Sequence number": n, "Fwd thread id": 1}},
        {"ph": "X", "cat": "kernel", "pid": 0, "tid": 9, "ts": ts + 20,
         "dur": 30, "name": "ncclDevKernel_AllReduce_Sum_f32",
         "args": {"stream": 9, "device": 0, "Collective name": "allreduce"}},
        17, {"ph": "i", "pid": 1, "tid": 2, "ts": "x", "name": "a\n\u001b"},
    ]


def make_trace(count):
    events = [e for n in range(count) for e in event(n)]
    events.append({"ph": "M", "name": "process_name", "pid": 1,
                   "args": {"name": "python"}})
    return json.dumps({"schemaVersion": 1, "distributedInfo": {"rank": 0},
                       "traceEvents": events}).encode()


def program():
    """The command itself, not libtool's script, and what it needs."""
    inner = os.path.join(BUILD, ".libs/t2t")
    env = dict(os.environ, LC_ALL="C", COLUMNS="80")
    if os.path.exists(inner):
        env["LD_LIBRARY_PATH"] = os.path.join(BUILD, ".libs")
        return inner, env
    return os.path.join(BUILD, "t2t"), env


T2T, ENV = program()


class Run:
    """One run; `fault` is (call, n, how, on)."""

    def __init__(self, words, folder, fault=None, cut=None):
        env = dict(ENV, TMPDIR=folder)
        hit = folder + ".hit"
        if fault:
            call, n, how, on = fault
            env.update(LD_PRELOAD=SHIM, T2T_FAULT_HIT=hit,
                       T2T_FAULT="%s:%d:%s" % (call, n, how))
            if on:
                env["T2T_FAULT_ON"] = "1"
            if cut:
                env["T2T_FAULT_PATH"] = cut
        try:
            done = subprocess.run([T2T] + words, env=env, timeout=TIMEOUT,
                                  stdin=subprocess.DEVNULL,
                                  capture_output=True)
            self.status, self.out = done.returncode, done.stdout
            self.err = done.stderr.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            self.status, self.out, self.err = "hangs", b"", ""
        self.hit = os.path.exists(hit)
        if self.hit:
            os.unlink(hit)

    def is_clean_failure(self):
        lines = self.err.splitlines()
        return self.status == 5 and len(lines) == 1 and re.match(
            r"t2t: .*(io|no-memory|no-space): .", lines[0])


def numbers(most):
    """Which calls fail: each; of many, fewer the further on, if not LONG."""
    n = 1
    while n <= most:
        yield n
        n += 1 if LONG or n < 300 else n // 100


def sweep(report, name, place, words, want, ways, judge):
    """Fails each call in each way until none is left to fail."""
    bad = []
    runs = 0
    for call, how in ways:
        for on in (False, True):
            if on and how == "short":
                continue
            if on and how == errno.EINTR:
                continue  # no machine is interrupted for ever
            for n in numbers(100000):
                if on and n > 10 and n % 10 and not LONG:
                    continue
                place.reset()
                run = Run(words, place.folder, (call, n, how, on))
                if not run.hit:
                    break
                runs += 1
                wrong = judge(run, place, want)
                if wrong:
                    bad.append("%s:%d:%s%s: %s; status %s: %s" % (
                        call, n, how, "+" if on else "", wrong, run.status,
                        run.err))
    report.line(not bad and runs > 0, "%s: %d failures" % (name, runs), bad)


def judge_build(run, place, want):
    litter = place.litter()
    if litter:
        return "leaves " + " ".join(litter)
    there = read(place.index) if place.has_index() else None
    if run.status == 0:
        return "" if there == want else "status 0 and another index"
    if there != place.old:
        return "the old index is not as it was"
    return "" if run.is_clean_failure() else "no clean failure"


def judge_query(run, place, want):
    if place.litter() or read(place.index) != place.old:
        return "leaves " + " ".join(place.litter())
    if run.status == want[0]:
        return "" if run.out == want[1] else "status %d, another answer" % \
            run.status
    return "" if run.is_clean_failure() else "no clean failure"


class Test:
    def __init__(self, work):
        self.work = work
        self.report = Report()
        self.trace = make_trace(20)
        place = Place(os.path.join(work, "first"), self.trace, None)
        self.want = self.build_of(place)
        other = Place(os.path.join(work, "other"), make_trace(3), None)
        self.other = self.build_of(other)

    @staticmethod
    def build_of(place):
        run = Run(["build", "-q", place.trace], place.folder)
        if run.status:
            sys.exit("cannot build: %s" % run.err)
        return read(place.index)

    def builds(self, ways):
        for old in (None, self.other):
            for jobs in ("1", "2"):
                name = "build -j%s, %s" % (jobs, "an old index" if old else
                                           "no index")
                place = Place(os.path.join(self.work, "b" + jobs +
                                           "ny"[old is not None]),
                              self.trace, old)
                sweep(self.report, name, place, [
                    "build", "-q", "--force", "-j" + jobs, place.trace],
                      self.want, ways, judge_build)

    def queries(self, ways):
        for n, query in enumerate(QUERIES):
            place = Place(os.path.join(self.work, "q%d" % n), self.trace,
                          self.want)
            words = [query[0], place.index] + query[1:]
            if query[0] == "find":
                words = [query[0], place.index, query[2], query[1]]
            run = Run(words, place.folder)
            if run.status not in (0, 1):
                self.report.line(False, " ".join(query), [run.err])
                continue
            sweep(self.report, " ".join(query), place, words,
                  (run.status, run.out), ways, judge_query)

    def calls(self):
        self.builds(WAYS)
        self.queries([w for w in WAYS if w[0] in (
            "open", "read", "write", "close", "fstat", "mmap")])

    def memory(self):
        ways = [("memory", errno.ENOMEM)]
        self.builds(ways)
        self.queries(ways)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        self.report.line(most < 200, "none takes more than 200 MB then",
                         ["%d MB" % most])

    def spill(self):
        """What does not fit 8 MB is in a file: about 170,000 events."""
        trace = make_trace(25000)
        place = Place(os.path.join(self.work, "s"), trace, None)
        words = ["build", "-q", "-j2", "--memory", "1", place.trace]
        whole = Run(words, place.folder)
        want = read(place.index)
        bad = []
        runs = 0
        faults = [(c, n, h) for c in ("fallocate", "mmap", "open", "write")
                  for h in (errno.ENOSPC, errno.EIO) for n in range(1, 6)]
        faults += [("memory", random.randrange(1, 9000), errno.ENOMEM)
                   for _ in range(200 if LONG else 10)]
        hit = set()
        for call, n, how in faults:
            place.reset()
            run = Run(words, place.folder, (call, n, how, call == "write"))
            if not run.hit:
                continue
            runs += 1
            hit.add(call)
            wrong = judge_build(run, place, want)
            if wrong:
                bad.append("%s:%d:%s: %s; status %s: %s" % (
                    call, n, how, wrong, run.status, run.err))
        self.report.line(whole.status == 0 and "fallocate" in hit and not bad,
                         "a build that does not fit its memory: %d failures"
                         % runs, bad)

    def cut(self):
        """The file is cut just after it is mapped."""
        place = Place(os.path.join(self.work, "c"), make_trace(1000),
                      self.other)
        fault = ("mmap", 1, "cut", False)
        bad = []
        for words in (["build", "-q", "--force", "-j1"], ["build", "-q", "-j4",
                      "--force"], ["build", "-q", "--force", "--salvage"]):
            # an index that is there is mapped, too, before
            for nth in (1, 2):
                place.old = None if nth == 1 else self.other
                place.reset()
                run = Run(words + [place.trace], place.folder,
                          ("mmap", nth, "cut", False), place.trace)
                wrong = judge_build(run, place, b"")
                if not run.hit or wrong or not re.search(
                        "was cut while it was read|has changed while",
                        run.err):
                    bad.append("%s: %s, status %s: %s" % (
                        " ".join(words), wrong, run.status, run.err))
        self.report.line(not bad, "a trace that is cut gets no index", bad)
        place.old = None
        place.reset()
        place.old = self.build_of(place)
        for query in QUERIES:
            words = [query[0], place.index] + query[1:]
            if query[0] == "find":
                words = [query[0], place.index, query[2], query[1]]
            place.reset()
            answer = os.path.join(place.folder, "answer")
            if query[0] != "check":
                words += ["-o", answer]
            run = Run(words, place.folder, fault, place.index)
            good = run.hit and run.is_clean_failure() and not place.litter()
            self.report.line(good and "was cut" in run.err,
                             " ".join(query) + " of an index that is cut",
                             ["status %s: %s" % (run.status, run.err)])

    def killed(self):
        """The next build leaves the index alone in its folder."""
        bad = []
        runs = 0
        for old in (None, self.other):
            place = Place(os.path.join(self.work, "ny"[old is not None]),
                          self.trace, old)
            words = ["build", "-q", "--force", "-j2", place.trace]
            for call in ("open", "write", "link", "rename", "close", "fsync",
                         "thread"):
                for n in numbers(100000):
                    place.reset()
                    run = Run(words, place.folder, (call, n, "die", False))
                    if not run.hit:
                        break
                    runs += 1
                    bad += self.after_kill(run, place, "%s:%d" % (call, n))
        self.report.line(not bad and runs > 20, "killed at %d calls" % runs,
                         bad)
        self.killed_with_names()
        self.private_killed()
        self.output_killed()
        self.moments(signal.SIGKILL, 200 if LONG else 40)

    def after_kill(self, run, place, name):
        bad = []
        there = read(place.index) if place.has_index() else None
        litter = place.litter()
        if run.status != -signal.SIGKILL:
            bad.append("%s: status %s" % (name, run.status))
        if there not in (place.old, self.want):
            bad.append("%s: another index" % name)
        if len(litter) > 1:
            bad.append("%s leaves %s" % (name, " ".join(litter)))
        again = Run(["build", "-q", "--force", place.trace], place.folder)
        if again.status or place.litter() or read(place.index) != self.want:
            bad.append("%s: then a build leaves %s: %s" % (
                name, " ".join(place.litter()), again.err))
        return bad

    def killed_with_names(self):
        """Where no file is without a name: open() refuses O_TMPFILE, once for
        the trial and the second time for the index."""
        place = Place(os.path.join(self.work, "named"), self.trace, None)
        bad = []
        left = 0
        for n in range(1, 200):
            place.reset()
            run = Run(["build", "-q", "-j1", place.trace], place.folder,
                      ("named", n, "die", False))
            if not run.hit:
                break
            left += len(place.litter())
            bad += self.after_kill(run, place, "write %d" % n)
        self.report.line(not bad and left > 3,
                         "killed where files have names: %d were left, and "
                         "removed" % left, bad)

    def private_killed(self):
        """A private index: the folder of it is removed by the next."""
        place = Place(os.path.join(self.work, "p"), self.trace, None)
        words = ["check", "-q", place.trace]
        bad = []
        left = 0
        for call in ("open", "write", "link"):
            for n in numbers(100000):
                place.reset()
                run = Run(words, place.folder, (call, n, "die", False))
                if not run.hit:
                    break
                litter = place.litter()
                left += len(litter)
                if len(litter) > 1:
                    bad.append("%s:%d leaves %s" % (call, n, litter))
                again = Run(words, place.folder)
                if again.status not in (0, 1) or place.litter():
                    bad.append("%s:%d: then %s is left: %s" % (
                        call, n, place.litter(), again.err))
                    for name in place.litter():
                        shutil.rmtree(os.path.join(place.folder, name))
        self.report.line(not bad and left > 3, "a private index, killed: %d "
                         "folders were left, and removed" % left, bad)

    def output_killed(self):
        """The file of -o: the old one or the new one, whole; what is left is
        removed by the next command that writes it.  `named` is write() where
        no file is without a name."""
        place = Place(os.path.join(self.work, "o"), self.trace, self.want)
        answer = os.path.join(place.folder, "answer")
        words = ["dump", place.index, "-o", answer]
        want = Run(words[:2], place.folder).out
        bad = []
        runs = 0
        left = dict.fromkeys(("open", "write", "link", "rename", "close",
                              "named"), 0)
        for call, old in ((c, o) for c in left for o in (None, b"old")):
            for n in numbers(100000):
                place.reset()
                if old:
                    write(answer, old)
                run = Run(words, place.folder, (call, n, "die", False))
                if not run.hit:
                    break
                runs += 1
                there = read(answer) if os.path.exists(answer) else None
                litter = [f for f in place.litter() if f != "answer"]
                left[call] += len(litter)
                if there not in (old, want) or len(litter) > 1 or \
                        not all(".t2t-tmp" in name for name in litter):
                    bad.append("%s:%d leaves %s" % (call, n, litter))
                again = Run(words, place.folder)
                if again.status or place.litter() != ["answer"] or \
                        read(answer) != want:
                    bad.append("%s:%d: then %s is left: %s" % (
                        call, n, place.litter(), again.err))
        self.report.line(not bad and not left["write"] and left["named"] > 0,
                         "-o FILE, killed at %d calls: %s were left, and "
                         "removed" % (runs, left), bad)

    def moments(self, number, trials):
        """A signal at a moment of a build."""
        trace = make_trace(4000)
        place = Place(os.path.join(self.work, "m%d" % number), trace, None)
        began = time.monotonic()
        new = self.build_of(place)
        took = time.monotonic() - began
        place.old = self.other
        env = dict(ENV, TMPDIR=place.folder)
        bad = []
        seen = {}
        for _ in range(trials):
            place.reset()
            build = subprocess.Popen(
                [T2T, "build", "-q", "--force", place.trace], env=env,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE)
            time.sleep(random.uniform(0, 1.2 * took))
            build.send_signal(number)
            err = build.communicate(timeout=TIMEOUT)[1].decode()
            status = build.returncode
            seen[status] = seen.get(status, 0) + 1
            there = read(place.index)
            litter = place.litter()
            lines = err.splitlines()
            if status == 0 and there != new:
                bad.append("status 0 and another index")
            elif status == 128 + number and (there != self.other or
                                             lines != ["t2t: interrupted"]):
                bad.append("interrupted: %s" % err)
            elif there not in (self.other, new):
                bad.append("status %d and another index" % status)
            elif status not in (0, 128 + number, -number):
                bad.append("status %d: %s" % (status, err))
            if len(litter) > (number == signal.SIGKILL):
                bad.append("leaves " + " ".join(litter))
            if litter and not bad:
                Run(["build", "-q", "--force", place.trace], place.folder)
                if place.litter():
                    bad.append("stays: " + " ".join(place.litter()))
        self.report.line(not bad, "signal %d at %d moments" % (number, trials),
                         bad + ["%s: %d times" % s for s in seen.items()])

    def signals(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            self.moments(number, 200 if LONG else 40)

    def limits(self):
        place = Place(os.path.join(self.work, "u"), self.trace, self.other)
        bad = []
        runs = 0
        for blocks in range(0, 12):
            place.reset()
            done = subprocess.run(
                ["sh", "-c", "ulimit -f %d; exec \"$@\"" % blocks, "sh", T2T,
                 "build", "-q", "--force", place.trace], env=ENV,
                capture_output=True, timeout=TIMEOUT)
            err = done.stderr.decode()
            there = read(place.index)
            if done.returncode == 0 and there == self.want:
                break
            runs += 1
            if done.returncode != 5 or there != self.other or place.litter() \
                    or err.count("\n") != 1 or "no-space: " not in err:
                bad.append("%d blocks: status %d: %s" % (
                    blocks, done.returncode, err))
        self.report.line(runs > 2 and not bad, "%d limits of ulimit -f" % runs,
                         bad)
        self.full()
        self.no_more_files()
        self.at_once()

    def full(self):
        """A file system with too little room, in a namespace of its own: the
        script prints status, names, whether the old index is as it was, and
        whether the new one is whole."""
        place = Place(os.path.join(self.work, "full"), self.trace, None)
        disk = os.path.join(self.work, "disk")
        old, new = (os.path.join(self.work, name) for name in ("old", "new"))
        os.mkdir(disk)
        write(old, self.other)
        write(new, self.want)
        script = """
            mount -t tmpfs -o size=$1k none "$2" || exit 99
            [ "$5" = no ] || cp "$3" "$2/x.t2t" || exit 98
            "$6" build -q --force "$7" -o "$2/x.t2t"
            echo $? $(ls -A "$2")
            cmp -s "$2/x.t2t" "$3" && echo old
            cmp -s "$2/x.t2t" "$4" && echo new"""
        bad = []
        runs = 0
        if not shutil.which("unshare"):
            self.report.skip("disks that are full", "no unshare")
            return
        for first in ("no", "yes"):
            for size in range(4, 400, 4):
                done = subprocess.run(
                    ["unshare", "-rm", "sh", "-c", script, "sh", str(size),
                     disk, old, new, first, T2T, place.trace], env=ENV,
                    capture_output=True, text=True, timeout=TIMEOUT)
                if done.returncode == 98:
                    continue  # not even the old one has room
                if not done.stdout:
                    self.report.skip("disks that are full",
                                     "no tmpfs can be mounted")
                    return
                if done.stdout == "0 x.t2t\nnew\n":
                    break
                runs += 1
                want = "5\n" if first == "no" else "5 x.t2t\nold\n"
                if done.stdout != want or done.stderr.count("\n") != 1 or \
                        "no-space: " not in done.stderr:
                    bad.append("%d KB: %s%s" % (size, done.stdout,
                                                done.stderr))
        self.report.line(runs > 2 and not bad, "%d disks that are full" % runs,
                         bad)

    def no_more_files(self):
        """A file system that has room, but for no file more: what is there
        stays.  The root and FILE are its files."""
        place = Place(os.path.join(self.work, "files"), self.trace, None)
        disk = os.path.join(self.work, "files", "disk")
        index = os.path.join(self.work, "index.t2t")
        os.mkdir(disk)
        write(index, self.want)
        script = """
            mount -t tmpfs -o nr_inodes=$1 none "$2" || exit 99
            [ "$1" = 1 ] || echo old >"$2/x" || exit 98
            shift 2
            "$@"
            echo $? $(ls -A "$0") $(cat "$0/x" 2>&1)"""
        for words in ["build", "-q", "--force", place.trace], ["ops", index]:
            for files in 1, 2:
                done = subprocess.run(
                    ["unshare", "-rm", "sh", "-c", script, disk, str(files),
                     disk, T2T, *words, "-o", disk + "/x"], env=ENV,
                    capture_output=True, text=True, timeout=TIMEOUT)
                name = "%s, and no file can be made, %d there" % (
                    words[0], files - 1)
                if not done.stdout:
                    self.report.skip(name, "no tmpfs can be mounted")
                    continue
                self.report.line(
                    done.stdout.startswith("5 x old\n" if files == 2 else
                                           "5 cat:") and
                    done.stderr.count("\n") == 1 and
                    "no-space: " in done.stderr, name,
                    [done.stdout, done.stderr])

    def at_once(self):
        """Builds of one index at the same time."""
        trace = make_trace(1000)
        place = Place(os.path.join(self.work, "two"), trace, None)
        new = self.build_of(place)
        bad = []
        rounds = 100 if LONG else 15
        for n in range(rounds):
            place.old = self.other if n % 2 else None
            place.reset()
            builds = [subprocess.Popen(
                [T2T, "build", "--force", "-q", place.trace], env=ENV,
                stderr=subprocess.PIPE) for _ in range(2 + n % 3)]
            for build in builds:
                err = build.communicate(timeout=TIMEOUT)[1].decode()
                if build.returncode or err:
                    bad.append("status %d: %s" % (build.returncode, err))
            if read(place.index) != new or place.litter():
                bad.append("another index, or left: %s" % place.litter())
        self.report.line(not bad, "builds at the same time, %d times" % rounds,
                         bad)


def main():
    test = sys.argv[1]
    if not os.path.exists(SHIM):
        print("1..0 # SKIP no shared library to preload was built")
        return
    if SANITIZER:
        print("1..0 # SKIP the sanitizers have a malloc of their own")
        return
    random.seed(os.environ.get("T2T_SEED", "1"))
    work = tempfile.mkdtemp(prefix="test.", dir=BUILD)
    try:
        it = Test(os.path.abspath(work))
        getattr(it, test)()
    finally:
        shutil.rmtree(work)
    it.report.end()


if __name__ == "__main__":
    main()
