#!/usr/bin/env python3
"""Runs tests/cases/*.case against the command: one TAP line a case.

    run_cases.py [CASE...]                       with $T2T
    run_cases.py --verify-with-oracle [CASE...]  compares the cases with the oracle instead
    run_cases.py --print-tree CASE...            what the oracle makes of it, to begin a case with

tests/cases/README.md says what a case looks like.  From its tree every line of
`t2t dump` follows, and the ids, times and counts that `show` and `info` answer.
Each case is built with one worker and with eight, in small chunks, and once
more with its elements far apart.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import anomalies                                                   # noqa: E402
import elements                                                    # noqa: E402
import golden                                                      # noqa: E402
from golden import printable                                       # noqa: E402

CASES = os.path.join(HERE, '..', 'cases')
LINE = re.compile(r'( *)(.+?) (-?\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)((?: [XC])*)(?: -> (.+))?')
OPERATION, FRAME, GPU = 'cpu_op', 'python_function', ('kernel', 'gpu_memcpy', 'gpu_memset')
BUILDS = (('-j1',), ('-j8', '--chunk', '1K'))


def nanoseconds(text):
    """Microseconds with at most three decimals."""
    whole, _, fraction = text.lstrip('-').partition('.')
    value = int(whole) * 1000 + int((fraction + '000')[:3])
    return -value if text.startswith('-') else value


def microseconds(ns):
    sign, ns = ('-' if ns < 0 else ''), abs(ns)
    return sign + ('%d.%03d' % (ns // 1000, ns % 1000)).rstrip('0').rstrip('.')


class Case:
    """One file: the document, its elements, and what the tree should be."""

    def __init__(self, path):
        self.name = os.path.splitext(os.path.basename(path))[0]
        with open(path, 'rb') as f:
            text = f.read().decode('utf-8')
        title, *sections = re.split(r'^%% ', text, flags=re.M)
        self.section = dict(s.split('\n', 1) for s in sections)
        self.title = ' '.join(line.lstrip('# ') for line in title.splitlines())
        if 'trace' in self.section:
            self.texts = self.section['trace'].rstrip('\n').split('\n')
            self.document = '{"traceEvents":[\n' + ',\n'.join(self.texts) + '\n]}\n'
        else:
            self.texts = None
            self.document = self.section['document']
        top = json.loads(self.document.encode().decode('utf-8-sig'))
        self.elements = top if isinstance(top, list) else top['traceEvents']
        self.read_tree()
        self.read_anomalies()

    def wide(self):
        """The document with so much space between elements that each is in a chunk of its own; None if there is no list of them."""
        if self.texts is None:
            return None
        return '{"traceEvents":[' + (',' + ' ' * 1100 + '\n').join(self.texts) + ']}'

    # ---- what is expected ---------------------------------------------------------
    def field(self, i, key):
        e = self.elements[i]
        v = e.get(key) if isinstance(e, dict) else None
        return v if isinstance(v, str) else None

    def position(self, word):
        """The position of an element called by `word`: its name as dump prints it, or @N."""
        if re.fullmatch(r'@\d+', word):
            return int(word[1:])
        found = [i for i in range(len(self.elements)) if printable(self.field(i, 'name')) == word]
        if len(found) != 1:
            raise ValueError('%s: %d elements are called %s' % (self.name, len(found), word))
        return found[0]

    def read_tree(self):
        n = len(self.elements)
        self.parent, self.forward, self.module, self.flags = [-1] * n, [-1] * n, [-1] * n, [''] * n
        self.order, self.start, self.end = [], {}, {}                   # order: positions by id; times in ns
        above = []
        for line in self.section.get('tree', '').split('\n'):
            if not line.strip():
                continue
            m = LINE.fullmatch(line)
            if not m:
                raise ValueError('%s: cannot read %r' % (self.name, line))
            depth, i = len(m.group(1)) // 2, self.position(m.group(2))
            del above[depth:]
            self.parent[i] = above[-1] if above else -1
            above.append(i)
            self.order.append(i)
            self.start[i] = nanoseconds(m.group(3))
            self.end[i] = self.start[i] + nanoseconds(m.group(4))
            self.forward[i] = self.position(m.group(6)) if m.group(6) else -1
            self.flags[i] = ('G' if self.field(i, 'cat') in GPU else 'P') + m.group(5).replace(' ', '')
        for i in self.order:
            if 'G' in self.flags[i] and self.parent[i] != -1:
                self.flags[i] += 'L'
            if self.field(i, 'cat') == OPERATION and not any(self.field(j, 'cat') == OPERATION for j in self.above(i)):
                self.flags[i] += 'R'
            self.module[i] = next((j for j in self.above(i) if self.field(j, 'cat') == FRAME
                                   and (self.field(j, 'name') or '').startswith('nn.Module:')), -1)

    def read_anomalies(self):
        """None: the case says nothing of them."""
        lines = [line for line in self.section.get('anomalies', '').split('\n') if line.strip()]
        self.anomalies = None
        if lines:
            self.anomalies = {} if lines == ['none'] else {k: int(n) for k, n in (line.split() for line in lines)}

    def above(self, i):
        while self.parent[i] != -1:
            i = self.parent[i]
            yield i

    def lines(self):
        """What `dump` should print."""
        below = [0] * len(self.elements)
        for i in self.order:
            if 'G' in self.flags[i]:
                for j in self.above(i):
                    below[j] += 1
        for i in range(len(self.elements)):
            launch = self.parent[i] if 'G' in self.flags[i] else -1
            yield '\t'.join(map(str, (i, printable(self.field(i, 'cat')), printable(self.field(i, 'name')), self.parent[i], launch,
                                      self.forward[i], self.flags[i] or '-', below[i], self.module[i])))

    # ---- what was found --------------------------------------------------------------
    def check_dump(self, text):
        """Nothing, or how the dump differs."""
        wanted, found = list(self.lines()), text.split('\n')[:-1]
        if wanted == found:
            return []
        return ['wanted ' + w if w else 'missing' for w in wanted if w not in found] + ['found  ' + f for f in found if f not in wanted]


def check_with_oracle(case, oracle):
    """How the case differs from the oracle: its lines, and the times and the order that the lines do not show."""
    number = oracle.Number
    top = json.loads(case.document.encode().decode('utf-8-sig'), parse_float=number, parse_int=number, parse_constant=number)
    events = top if isinstance(top, list) else top['traceEvents']
    tree = oracle.Tree(events)
    bad = case.check_dump('\n'.join(tree.lines()) + '\n' if events else '')
    for i in case.order:
        if tree.end[i] is not None and (tree.start[i], tree.end[i]) != (case.start[i], case.end[i]):
            bad.append('%d: time is %s+%s' % (i, microseconds(tree.start[i]), microseconds(tree.end[i] - tree.start[i])))
    if not bad and golden.id_order(tree, oracle) != case.order:
        bad.append('order is %s' % golden.id_order(tree, oracle))
    return bad


def print_tree(path, oracle):
    case = Case(path)
    number = oracle.Number
    top = json.loads(case.document.encode().decode('utf-8-sig'), parse_float=number, parse_int=number, parse_constant=number)
    tree = oracle.Tree(top if isinstance(top, list) else top['traceEvents'])
    names = [printable(case.field(i, 'name')) for i in range(len(case.elements))]
    called = lambda i: names[i] if names.count(names[i]) == 1 and names[i].strip('@ -') == names[i] != '' else '@%d' % i
    depth = {-1: -1}
    for i in golden.id_order(tree, oracle):
        depth[i] = depth[tree.parent[i]] + 1
        flags = ''.join(' ' + f for f in tree.flags[i] if f in 'XC')
        print('  ' * depth[i] + '%s %s+%s%s%s' % (called(i), microseconds(tree.start[i]), microseconds(tree.end[i] - tree.start[i]), flags,
                                                  ' -> ' + called(tree.forward[i]) if tree.forward[i] != -1 else ''))


def run(case, command, folder):
    """Builds in every way; what is wrong, as lines."""
    bad = []
    for variant, text in (('', case.document), (' wide', case.wide())):
        if text is None:
            continue
        trace = os.path.join(folder, case.name + '.json')
        with open(trace, 'wb') as f:
            f.write(text.encode('utf-8'))
        indexes = []
        for options in BUILDS:
            what = ' '.join(options) + variant + ': '
            index = os.path.join(folder, case.name + ''.join(options) + '.t2t')
            r = command.run('build', trace, '-o', index, *options)
            if r.status:
                bad.append(what + r.said())
                continue
            indexes.append(index)
            r = command.run('dump', index)
            bad += [what + b for b in ([r.said()] if r.status else case.check_dump(r.text()))]
        if len(indexes) == len(BUILDS) and not golden.same(*indexes):
            bad.append('the indexes differ' + variant)
        if indexes and not variant:
            bad += check_more(case, command, indexes[0])
        for path in indexes:
            os.remove(path)
    return bad


def check_more(case, command, index):
    """Ids, times and arguments of `show`, counts of `info`."""
    bad = elements.check(command, index, case.document.encode('utf-8'), case, case.order)
    r = command.run('info', index, '--format', 'json')
    if r.status:
        return bad + [r.said()]
    try:
        found = {a['kind']: a['count'] for a in json.loads(r.out.decode('utf-8'))['anomalies']}
    except ValueError as e:
        return bad + ['info prints no JSON: %s' % e]
    return bad + (anomalies.difference(found, case.anomalies) if case.anomalies is not None else [])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--verify-with-oracle', action='store_true')
    p.add_argument('--print-tree', action='store_true')
    p.add_argument('case', nargs='*')
    o = p.parse_args()
    paths = o.case or sorted(glob.glob(os.path.join(CASES, '*.case')))
    tap = golden.Tap()
    oracle = golden.find_oracle() if o.verify_with_oracle or o.print_tree else None
    if (o.verify_with_oracle or o.print_tree) and oracle is None:
        return tap.skip_all('no oracle at %s' % golden.SHARED)
    if o.print_tree:
        for path in paths:
            print_tree(path, oracle)
        return 0
    with golden.work_folder() as folder:
        command = None if oracle else golden.Command(folder)

        def outcome(path):
            try:
                case = Case(path)
                return (check_with_oracle(case, oracle) if oracle else run(case, command, folder)), '%s: %s' % (case.name, case.title)
            except (ValueError, KeyError) as e:
                return [repr(e)], os.path.basename(path)
        with concurrent.futures.ThreadPoolExecutor(1 if oracle else 2) as pool:
            for bad, what in pool.map(outcome, paths):
                tap.line(not bad, what, bad)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
