"""What the golden tests share: the command, TAP, work folders, the oracle."""
import contextlib
import filecmp
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.environ.get('top_srcdir') or os.path.join(HERE, '..', '..')
SHARED = os.environ.get('T2T_SHARED') or os.path.join(TOP, '..', 'shared')
SANITIZER = os.environ.get('T2T_SANITIZER') or ''
LONG = os.environ.get('T2T_LONG', '') not in ('', '0')
SURROGATE = re.compile('[\ud800-\udfff]')
TIMEOUT = 120 * (10 if SANITIZER else 1)
# Real traces of more bytes, compressed, are for T2T_LONG where a judge takes its time.
MOST_BYTES = (130 if SANITIZER else 1200) << 10

sys.path.insert(0, os.path.join(HERE, '..', 'gen'))
sys.setrecursionlimit(10000)


def traces_of_time(paths):
    """Those of them that there is time for."""
    return [p for p in paths if LONG or os.path.getsize(p) < MOST_BYTES]


def find_oracle():
    """The module of the tree rules, or None."""
    path = os.path.join(SHARED, 'oracle')
    if not os.path.isfile(os.path.join(path, 'tree_oracle.py')):
        return None
    if path not in sys.path:
        sys.path.insert(0, path)
    sys.dont_write_bytecode = True
    import tree_oracle
    return tree_oracle


def find_tables():
    """The module of the tables, which reads the tree's, or None."""
    if find_oracle() is None:
        return None
    import tables_oracle
    return tables_oracle


def csv_difference(wanted, found, folder):
    """How two tables differ, by the rules of compare_csv.py: lines, or none."""
    find_oracle()
    import compare_csv
    paths = []
    for name, text in (('wanted.csv', wanted), ('found.csv', found)):
        paths.append(os.path.join(folder, name))
        with open(paths[-1], 'w', encoding='utf-8', errors='surrogateescape', newline='') as f:
            f.write(text)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        different = compare_csv.main(*paths)
    for path in paths:
        os.remove(path)
    return said.getvalue().splitlines() if different else []


def printable(value):
    """A name as `dump` prints it."""
    return SURROGATE.sub('\ufffd', json.dumps(value, ensure_ascii=False)[1:-1]) if isinstance(value, str) else '-'


def output(arguments, stdin=b''):
    """What a program prints, given `stdin`."""
    p = subprocess.run(arguments, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if p.returncode:
        raise RuntimeError('%s ended with %d: %s' % (arguments, p.returncode, p.stderr.decode('utf-8', 'replace')))
    return p.stdout


def attempt(arguments, stdin):
    """The same, or None if the program fails."""
    p = subprocess.run(arguments, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return None if p.returncode else p.stdout


def id_order(tree, oracle):
    """The nodes of an oracle's tree in order of their ids: preorder; lanes by side, pid, tid; siblings by start, layer, recorded id
    and position, GPU events after host calls of equal start."""
    events = tree.events
    rank = lambda v: (0, 0, b'') if v is None else (1, v, b'') if isinstance(v, int) else (2, 0, v.encode('utf-8', 'surrogatepass'))
    children = {}
    for i, flags in enumerate(tree.flags):
        if flags:
            children.setdefault(tree.parent[i], []).append(i)

    def key(i):
        if 'G' in tree.flags[i]:
            return tree.start[i], 1, 0, 0, i
        return tree.start[i], 0, oracle.LAYER[tree.category[i]], tree.recorded_order(i), i

    def lane(i):
        return 'G' in tree.flags[i], rank(oracle.lane_id(events[i].get('pid'))), rank(oracle.lane_id(events[i].get('tid')))
    out, stack = [], sorted(children.get(-1, []), key=lambda i: (lane(i), key(i)), reverse=True)
    while stack:
        i = stack.pop()
        out.append(i)
        stack += sorted(children.get(i, []), key=key, reverse=True)
    return out


def same(a, b):
    return filecmp.cmp(a, b, shallow=False)


@contextlib.contextmanager
def work_folder():
    path = tempfile.mkdtemp(prefix='golden.', dir=os.environ.get('top_builddir') or None)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


class Result:
    def __init__(self, arguments, status, out, err):
        self.arguments, self.status, self.out, self.err = arguments, status, out, err

    def text(self):
        return self.out.decode('utf-8', 'surrogateescape')

    def message(self):
        return self.err.decode('utf-8', 'backslashreplace')

    def said(self):
        status = 'was killed after %d s' % TIMEOUT if self.status is None else 'ended with %d' % self.status
        return 't2t %s %s: %s' % (' '.join(map(os.path.basename, self.arguments)), status, self.message().strip()[-2000:] or '(silent)')


class Command:
    """$T2T, or t2t in the build folder."""

    def __init__(self, folder):
        self.path = os.environ.get('T2T') or os.path.join(os.environ.get('builddir') or '.', 't2t')
        self.folder = folder
        if not os.access(self.path, os.X_OK):
            print('Bail out! no command %s; set T2T' % self.path)
            sys.exit(1)

    def run(self, *arguments, stdin=None):
        """`stdin` is a file, bytes that come through a pipe, or a command whose output does."""
        source = None
        if isinstance(stdin, bytes):
            return self.feed(arguments, stdin)
        if isinstance(stdin, (list, tuple)):
            source = subprocess.Popen(stdin, stdout=subprocess.PIPE)
            stdin = source.stdout
        try:
            p = subprocess.run([self.path, *arguments], stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               timeout=TIMEOUT)
            return Result(arguments, p.returncode, p.stdout, p.stderr)
        except subprocess.TimeoutExpired as e:
            return Result(arguments, None, e.stdout or b'', e.stderr or b'')
        finally:
            if source:
                source.stdout.close()
                source.kill()
                source.wait()

    def feed(self, arguments, data):
        try:
            p = subprocess.run([self.path, *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
            return Result(arguments, p.returncode, p.stdout, p.stderr)
        except subprocess.TimeoutExpired as e:
            return Result(arguments, None, e.stdout or b'', e.stderr or b'')


class Tap:
    """Test lines; what is wrong goes before its line as comments."""

    def __init__(self):
        self.count, self.failed = 0, 0

    def line(self, good, what, notes=()):
        self.count += 1
        self.failed += not good
        for note in notes[:30]:
            print('# ' + str(note).encode('utf-8', 'backslashreplace').decode().replace('\n', '\n#   '))
        if len(notes) > 30:
            print('# and %d more' % (len(notes) - 30))
        print('%s %d - %s' % ('ok' if good else 'not ok', self.count, what.replace('#', 'no. ')), flush=True)

    def skip(self, what, why):
        self.count += 1
        print('ok %d - %s # SKIP %s' % (self.count, what, why), flush=True)

    def skip_all(self, why):
        print('1..0 # SKIP ' + why)
        return 0

    def finish(self):
        print('1..%d' % self.count)
        return 1 if self.failed else 0
