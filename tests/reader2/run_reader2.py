#!/usr/bin/env python3
"""Compares the second reader with the command and with the traces themselves; prints TAP.

    run_reader2.py                    what `make check` does; with T2T_LONG=1 all of it
    run_reader2.py --all              every real trace, all of each
    run_reader2.py TRACE...           these traces, all of each
    run_reader2.py --seed N           one random trace

The command is $T2T, or t2t in $builddir.
"""
import argparse
import glob
import gzip
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'golden')]
import elements                                                    # noqa: E402
import golden                                                      # noqa: E402
import images                                                      # noqa: E402
import reader2                                                     # noqa: E402
import run_cases                                                   # noqa: E402
import verify                                                      # noqa: E402
import xxh3                                                        # noqa: E402

# Real traces of more bytes than this when compressed are for --all and T2T_LONG.
MOST_BYTES = 130_000
# Of an index of more elements than this, the command is asked about some only.
MOST_ASKED = 6_000
SEEDS, SEEDS_LONG = 27, 2000
LAYERS = {0: None, 1: 'python', 2: 'operation', 3: 'launch', 4: 'gpu'}
SIDES = {reader2.HOST_SIDE: 'host', reader2.GPU_SIDE: 'gpu', reader2.NO_SIDE: None}
FLAGS = ((reader2.CROSSED, 'crossed'), (reader2.CUT, 'cut'), (reader2.ROOT_OPERATION, 'root-operation'), (reader2.GPU, 'gpu'),
         (reader2.LINKED, 'linked'))
SPACE = ' \t\n\r'


def shown(text):
    """A text as the command prints it in JSON: half of a surrogate pair is U+FFFD."""
    return golden.SURROGATE.sub('\ufffd', text) if isinstance(text, str) else text


# ---- one index -------------------------------------------------------------------------------
class Comparison:
    """One index, its document, and the command."""

    def __init__(self, command, trace, path, document, everything):
        self.command, self.trace, self.path, self.document, self.everything = command, trace, path, document, everything
        self.bad = []

    def check(self):
        """What is wrong, as lines."""
        try:
            self.index = reader2.Index(self.path)
            verify.check(self.index)
            self.texts = [(offset, text) for offset, text in self.index.elements()]
        except reader2.Refused as e:
            return ['refused: %s' % e]
        self.check_dump()
        self.check_document()
        self.check_places()
        self.check_members()
        self.check_tree()
        self.check_show()
        self.check_info()
        return self.bad

    def differ(self, what, wanted, found):
        if wanted != found:
            self.bad.append('%s: wanted %.300r, found %.300r' % (what, wanted, found))

    def ask(self, *arguments):
        r = self.command.run(*arguments)
        if r.status:
            self.bad.append(r.said())
        return b'' if r.status else r.out

    def check_dump(self):
        ours = ''.join(line + '\n' for line in self.index.dump()).encode()
        theirs = self.ask('dump', self.path)
        if ours != theirs:
            pairs = zip(ours.split(b'\n'), theirs.split(b'\n'))
            self.bad += ['dump: the reader has %r, the command %r' % pair for pair in pairs if pair[0] != pair[1]][:5] or ['dump: length']

    def check_document(self):
        """Equal as data to the source; every element the same text as the command exports."""
        source = elements.parse(self.document.decode('utf-8-sig'))
        if elements.parse(self.index.document().decode()) != source:
            self.bad.append('the document is another')
        self.differ('elements', len(self.texts), self.index.count)
        if self.index.document() != self.ask('export', self.path, '--to', 'trace'):
            self.bad.append('the exported trace has another text')

    def check_places(self):
        """Each element stands in the document where the index says."""
        decoder = json.JSONDecoder(parse_int=elements.number, parse_float=elements.number, object_pairs_hook=lambda pairs: ('object', pairs))
        ends = [offset for offset, _ in self.texts[1:]] + [len(self.document)]
        for position, ((offset, text), end) in enumerate(zip(self.texts, ends)):
            try:
                there = self.document[offset:end].decode()
                value, after = decoder.raw_decode(there)
            except ValueError as e:
                self.bad.append('element %d is not at byte %d: %s' % (position, offset, e))
                continue
            if value != elements.parse(text):
                self.bad.append('element %d at byte %d is %.200r, not %.200r' % (position, offset, there, text))
            if end < len(self.document) and there[after:].strip(SPACE) != ',':
                self.bad.append('element %d: the next begins too late' % position)

    def check_members(self):
        top = elements.parse(self.document.decode('utf-8-sig'))
        pairs = top[1] if isinstance(top, tuple) else []
        last = max((k for k, (key, _) in enumerate(pairs) if key == 'traceEvents'), default=-1)
        self.differ('keys', [key for k, (key, _) in enumerate(pairs) if k != last], [key for key, _, _ in self.index.member])
        for (key, value), (_, text, place) in zip((p for k, p in enumerate(pairs) if k != last), self.index.member):
            if elements.parse(text.decode()) != value or self.document[place:place + len(text)] != text:
                self.bad.append('member %r is not where the index says' % key)

    # ---- against the command ------------------------------------------------------------------
    def objects(self, text):
        return json.loads(text.decode('utf-8', 'surrogatepass') or 'null')

    def check_tree(self):
        """Every node, every column."""
        if self.index.count > MOST_ASKED and not self.everything:
            return
        found = self.objects(self.ask('tree', self.path, '--format', 'json')) or []
        rows = [dict(zip(self.index.NODE_COLUMNS, row)) for row in self.index.node_rows()]
        self.differ('nodes', len(rows), len(found))
        for row, node in zip(rows, found):
            self.differ_in('node %d' % row['id'], self.as_printed(row), node)

    def differ_in(self, what, wanted, found):
        self.differ(what, wanted, {key: found.get(key, 'no such key') for key in wanted})

    def as_printed(self, row):
        """A row of the second reader with the keys of the command."""
        index, i = self.index, row['id']
        layer = verify.LAYERS.get(row['category'], 0)
        lane = index.lanes[row['lane']]
        out = {key: row[key] for key in ('id', 'position', 'name', 'category', 'phase', 'dur_ns', 'parent', 'size', 'module', 'forward', 'backward')}
        out['layer'], out['in_tree'], out['start_ns'] = LAYERS[layer], True, row['start_ns'] - index.origin
        out['flags'] = [name for bit, name in FLAGS if row['flags'] & bit]
        out['lane'], out['name'], out['category'] = self.lane_as_printed(lane), shown(out['name']), shown(out['category'])
        # The command counts a GPU event as one below itself here.
        own = layer == verify.GPU_LAYER
        out['gpu_events'], out['gpu_sum_ns'] = row['gpu_events'] + own, row['gpu_sum_ns'] + own * row['dur_ns'] & reader2.MASK
        return out

    def lane_as_printed(self, lane):
        return {'side': SIDES[lane.side], 'pid': shown(lane.pid), 'tid': shown(lane.tid), 'process_name': shown(lane.process),
                'thread_name': shown(lane.thread)}

    def check_show(self):
        """Arguments as they are written, byte offsets, and what `show` says of elements outside the tree."""
        positions = list(range(len(self.texts)))
        if len(positions) > MOST_ASKED and not self.everything:
            positions = sorted(random.Random(1).sample(positions, 500))
        for at in range(0, len(positions), 2000):
            part = positions[at:at + 2000]
            lines = self.ask('show', self.path, *('@%d' % p for p in part), '--format', 'json').split(b'\n')[:-1]
            self.differ('lines of show', len(part), len(lines))
            for position, line in zip(part, lines):
                self.check_shown(position, line.decode('utf-8', 'surrogatepass'))

    def check_shown(self, position, line):
        offset, text = self.texts[position]
        mine, found = elements.parse(text, texts=True), dict(elements.parse(line, texts=True)[1])
        i = self.index.id[position]
        args = None
        if isinstance(mine, tuple) and mine[0] == 'object':
            args = dict(mine[1]).get('args')
        args = args[1] if isinstance(args, tuple) and args[0] == 'object' else []
        self.differ('args of element %d' % position, args, found['args'][1])
        start = None if self.index.start[i] == reader2.LEAST and i >= self.index.nodes else self.index.start[i] - self.index.origin
        lane = None if self.index.lane[i] == reader2.NONE else self.index.lanes[self.index.lane[i]]
        wanted = {'id': i, 'position': position, 'name': shown(self.index.name_of(i)), 'category': shown(self.index.category_of(i)),
                  'start_ns': start, 'in_tree': i < self.index.nodes, 'offset': offset}
        wanted['lane'] = self.lane_as_printed(lane) if lane else {}
        self.differ_in('element %d' % position, wanted, json.loads(line))

    def check_info(self):
        """The header, lanes, members and anomalies."""
        index, found = self.index, self.objects(self.ask('info', self.path, '--format', 'json')) or {}
        linked = sum(bool(f & reader2.LINKED) for f in index.flags)
        wanted = {'elements': index.count, 'nodes': index.nodes, 'gpu_events': len(index.gpu_node), 'linked_gpu_events': linked,
                  'forward_links': len(index.forward), 'origin_ns': index.origin, 'last_end_ns': index.last_end}
        wanted['source'] = {'name': index.source, 'bytes': index.source_bytes, 'mtime_ns': index.source_mtime_ns,
                            'document_bytes': index.document_bytes}
        self.differ_in('info', wanted, found)
        self.differ('mtime', os.stat(self.trace).st_mtime_ns, index.source_mtime_ns)
        self.differ('bytes', (len(self.document),) * 2, (index.source_bytes, index.document_bytes))
        self.differ('source', os.path.basename(self.trace), index.source)
        none = lambda v: None if v == reader2.MASK else v
        wanted = [{'kind': verify.KINDS[kind], 'count': count, 'first_position': none(at), 'first_offset': none(offset)}
                  for kind, _, count, at, offset in index.anomalies]
        self.differ('anomalies', wanted, [{key: a[key] for key in ('kind', 'count', 'first_position', 'first_offset')} for a in found['anomalies']])
        wanted = [[lane.process, lane.thread, lane.elements, lane.nodes, lane.earliest - index.origin] for lane in index.lanes]
        lanes = [[lane[key] for key in ('process', 'thread', 'events', 'nodes', 'start_ns')] for lane in found['lanes']]
        for a, b in zip(wanted, lanes):
            a[:2] = map(shown, a[:2])
            a[4] = None if b[4] is None else a[4]
        self.differ('lanes', wanted, lanes)


def compare(document, everything, folder, name='trace'):
    """Builds the index of a document, and compares; what is wrong, as lines."""
    command = golden.Command(folder)
    trace, index = os.path.join(folder, name + '.json'), os.path.join(folder, name + '.t2t')
    with open(trace, 'wb') as f:
        f.write(document)
    r = command.run('build', '-q', trace, '-o', index, '-j1')
    if r.status:
        return [r.said()]
    bad = Comparison(command, trace, index, document, everything).check()
    os.remove(trace)
    os.remove(index)
    return bad


# ---- documents that nobody else makes -------------------------------------------------------------
NUMBERS = ('0', '-0', '-0.0', '0.0', '1e5', '1E-5', '0.000000000000000001', '-0.000000000000000001', '0.0000000000000000001',
           '9223372036854775807', '-9223372036854775808', '9223372036854775808', '-9223372036854775809', '9.223372036854775807',
           '-9.223372036854775808', '9.223372036854775808', '922337203685477580.8', '12.50', '-0.05', '100.00', '1.0',
           '123456789012345678901234567890', '1.7976931348623157e308')


def event(n, **more):
    return dict({'ph': 'X', 'cat': 'cpu_op', 'name': 'op', 'pid': 1, 'tid': 1, 'ts': 10 * n, 'dur': 5}, **more)


def metadata(what, pid, tid, args):
    return {'ph': 'M', 'name': what, 'pid': pid, 'tid': tid, 'ts': 0, 'args': args}


def documents():
    """(name, text)."""
    def of(*events, **members):
        return json.dumps(dict({'traceEvents': list(events)}, **members))
    yield 'an envelope of three frames', of(event(1), before='é' * 40_000, after=['x' * 60] * 1_000)
    edge = len(of(event(1), x='')) - len(json.dumps(event(1)))
    for more in (-1, 0, 1):
        yield 'an envelope of a frame and %d bytes' % more, of(event(1), x='x' * (65_536 - edge + more))
    yield 'values in 1,024 slots', of(*(event(n, args={'k%d' % i: i * n for i in range(1_024)}) for n in range(3)))
    yield 'values in more slots', of(*(event(n, args={'k%d' % i: i * n for i in range(1_025)}) for n in range(3)))
    yield 'decimals in 1,024 slots', of(*(event(n, args={'k%d' % i: i + 0.25 for i in range(512 + n)}) for n in range(3)))
    yield 'numbers', '{"traceEvents":[%s]}' % ','.join('{"ph":"X","cat":"cpu_op","name":"n","pid":1,"tid":1,"ts":%d,"dur":1,"args":{"a":%s}}' % (i, n)
                                                      for i, n in enumerate(NUMBERS * 2))
    yield 'times', '{"traceEvents":[%s]}' % ','.join('{"ph":"X","cat":"cpu_op","name":"n","pid":1,"tid":1,"ts":%s,"dur":%s}' % (a, b) for a in (
        '0', '-0.001', '1.5', '1.50', '12', '0.0005', '0.0015', '-9223372036854775.808', '9223372036854775.807', '9223372036854775.808') for b in (
            '0', '0.001', '4294967.294', '4294967.295', '4294967.296', '5e3', '-1', '0.0005'))
    names = [metadata('process_name', 1, 0, {'name': name}) for name in ('first', 'last')]
    names += [metadata('thread_name', 1, 1, args)
              for args in ({'name': 'a'}, {'name': 'b'}, {'name': 7}, {}, None, {'name': 'c', 'x': 1}, {'name': None})]
    names.append(dict(names[0], ph='X', args={'name': 'no M'}))
    yield 'names of processes and threads', of(event(1), *names, event(2, pid='1', tid='1'), event(3, pid=2))
    yield 'names that are empty', of(event(1), metadata('process_name', 1, 0, {'name': 'x'}), metadata('process_name', 1, 0, {'name': ''}))
    for count in (4_096, 4_097, 16_385):
        yield '%d elements' % count, of(*(event(n if n % 3 else -n, args={'External id': n}) for n in range(count)))
    yield 'no elements', '{"a" : [ ] , "traceEvents" : [ \n ] , "b":{}}'
    yield 'traceEvents inside others', '{"a":{"traceEvents":[1]},"traceEvents":[[],{},"x",null,{"traceEvents":[2]}],"traceEvent":[3]}'


# ---- what is compared ----------------------------------------------------------------------------
def of_file(path):
    with open(path, 'rb') as f:
        data = f.read()
    return gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data


def shared_cases():
    """The traces of $T2T_SHARED/cases that are accepted."""
    for path in sorted(glob.glob(os.path.join(golden.SHARED, 'cases', '*', 'trace.json*'))):
        with open(os.path.join(os.path.dirname(path), 'expect.md'), encoding='utf-8') as f:
            if '\nexit: nonzero' not in f.read():
                yield path


def job(what):
    """(name, what is wrong or None for not a trace)."""
    kind, value, everything, folder = what
    folder = tempfile.mkdtemp(dir=folder)
    try:
        if kind == 'seed':
            import random_trace
            return value, compare(random_trace.make(value).data(), everything, folder)
        if kind == 'case':
            case = run_cases.Case(value)
            return case.name, compare(case.document.encode(), everything, folder)
        if kind == 'document':
            return value, compare(dict(documents())[value].encode(), everything, folder)
        data = of_file(value)
        top = json.loads(data.decode('utf-8-sig'))
        if not isinstance(top if isinstance(top, list) else top.get('traceEvents'), list):
            return os.path.basename(value), None
        return os.path.relpath(value, golden.SHARED) if kind == 'shared case' else os.path.basename(value), compare(data, everything, folder)
    finally:
        shutil.rmtree(folder)


def work_list(o, long):
    if o.seed is not None:
        return [('seed', o.seed, True)]
    if o.trace:
        return [('trace', path, True) for path in o.trace]
    real = sorted(glob.glob(os.path.join(golden.SHARED, 'traces', '*.json.gz')), key=os.path.getsize, reverse=True)
    if o.all:
        return [('trace', path, True) for path in real]
    seeds = SEEDS_LONG if long else SEEDS // 3 if golden.SANITIZER else SEEDS
    most = 100_000 if golden.SANITIZER else MOST_BYTES
    out = [('trace', path, long) for path in real if long or os.path.getsize(path) <= most]
    out.append(('trace', os.path.join(golden.TOP, 'examples', 'two_steps.json'), True))
    out += [('case', path, True) for path in sorted(glob.glob(os.path.join(run_cases.CASES, '*.case')))]
    out += [('document', what, False) for what, _ in documents()]
    out += [('shared case', path, True) for path in shared_cases()]
    return out + [('seed', seed, True) for seed in range(seeds)]


def compare_all(tap, jobs, folder):
    groups = {'case': [], 'document': [], 'shared case': [], 'seed': []}
    with multiprocessing.Pool(min(4, os.cpu_count() or 1)) as pool:
        for (kind, *_), (name, bad) in zip(jobs, pool.imap(job, [j + (folder,) for j in jobs], 1)):
            if kind in groups:
                groups[kind].append((name, bad))
            elif bad is None:
                tap.line(True, name + ': is no trace')
            else:
                tap.line(not bad, name, bad)
    for kind, members in groups.items():
        if members:
            notes = ['%s %s: %s' % (kind, name, '\n'.join(bad[:5])) for name, bad in members if bad]
            tap.line(not notes, '%d made-up traces: %ss' % (len(members), kind), notes)


# ---- other files ---------------------------------------------------------------------------------
def check_checksum(tap):
    data = bytes((i * i * 7 + i * 31 + (i >> 3)) & 255 for i in range(4096))
    bad = ['%d bytes: %016x' % (n, xxh3.xxh3(data[:n])) for n, wanted in images.CHECKSUMS if xxh3.xxh3(data[:n]) != wanted]
    tap.line(not bad, 'xxh3 is that of the library, for each of its ways', bad)


def check_images(tap, folder):
    """Files of a later minor version read; damaged and foreign ones do not."""
    command, index = golden.Command(folder), os.path.join(folder, 'example.t2t')
    r = command.run('build', '-q', os.path.join(golden.TOP, 'examples', 'two_steps.json'), '-o', index)
    if r.status:
        tap.line(False, 'the example is built', [r.said()])
        return
    with open(index, 'rb') as f:
        sound = f.read()
    for name, cases in images.GROUPS:
        bad = []
        for what, data, wanted in cases(sound):
            bad += ['%s: %s' % (what, b) for b in read_both(command, folder, data, wanted)]
        tap.line(not bad, name, bad)


def read_both(command, folder, data, wanted):
    """What the reader and the command make of a file: `wanted` is None for sound, the class of the error, or '' for one of them."""
    path = os.path.join(folder, 'image.t2t')
    with open(path, 'wb') as f:
        f.write(data)
    ours = said = refused = None
    try:
        index = reader2.Index(path)
        ours = ''.join(line + '\n' for line in index.dump()).encode()
        for _ in index.elements():
            pass
        index.document()
        verify.check(index)
    except reader2.Refused as e:
        said, refused = e.kind, e
    if wanted != '' and said != wanted:
        yield 'the reader: wanted %s, said %s' % (wanted, said)
    r = command.run('dump', path)
    if r.status not in (0, 3):
        yield 'the command: ' + r.said()
    elif said is None and (r.status, r.out) != (0, ours):
        yield 'the dumps differ, or ' + r.said()
    r = command.run('check', path, '--format', 'json')
    if r.status not in (0, 1, 3):
        yield 'the command: ' + r.said()
        return
    found = json.loads(r.text())['damages'] if r.out else [{'class': r.message().split(': ')[2]}]
    if said is None and found:
        yield 'the reader takes it, the command does not: %s' % found
    if said is not None and not found:
        yield 'the command takes it, the reader does not: %s' % refused
    if wanted and [wanted] != [damage['class'] for damage in found[:1]]:
        yield 'the command: wanted %s, found %s' % (wanted, found)


def check_command(tap, folder):
    """The reader as a program."""
    index = os.path.join(folder, 'example.t2t')
    run = lambda *a: subprocess.run([sys.executable, '-B', os.path.join(HERE, 'reader2.py'), *a], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    bad, i = [], reader2.Index(index)
    lines = {'dump': i.dump(), 'elements': (text for _, text in i.elements()), 'check': ()}
    texts = {what: ''.join(line + '\n' for line in of) for what, of in lines.items()}
    for what, wanted in dict(texts, trace=i.document().decode()).items():
        p = run(index, what)
        if p.returncode or p.stdout.decode() != wanted or p.stderr:
            bad.append('%s ends with %d: %s' % (what, p.returncode, p.stderr.decode()[-500:]))
    rows = run(index, 'nodes').stdout.decode().split('\n')[:-1]
    if len(rows) != i.nodes + 1 or rows[0].split('\t') != list(i.NODE_COLUMNS) or len(set(row.count('\t') for row in rows)) != 1:
        bad.append('nodes: not one row of all columns for each')
    p = run(os.path.join(golden.TOP, 'examples', 'two_steps.json'), 'dump')
    if p.returncode != 3 or b'index-format' not in p.stderr or p.stderr.count(b'\n') != 1:
        bad.append('a trace is taken for an index: %d %s' % (p.returncode, p.stderr.decode()))
    tap.line(not bad, 'the reader as a program', bad)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--all', action='store_true')
    p.add_argument('--seed', type=int)
    p.add_argument('trace', nargs='*')
    o = p.parse_args()
    tap = golden.Tap()
    if not shutil.which('zstd'):
        return tap.skip_all('no zstd')
    with golden.work_folder() as folder:
        if not (o.all or o.trace or o.seed is not None):
            check_checksum(tap)
            check_images(tap, folder)
            check_command(tap, folder)
            if not os.path.isdir(os.path.join(golden.SHARED, 'traces')):
                tap.skip('real traces', 'none in %s' % golden.SHARED)
        compare_all(tap, work_list(o, golden.LONG), folder)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
