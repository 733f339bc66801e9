#!/usr/bin/env python3
"""Says how often the random traces exercise each rule of the tree.

    coverage.py [--seeds N] [--first N] [--stats]

Makes N traces (2000), lets the oracle read them and counts.  --stats prints
the counts; without it only what never occurred.  The oracle is found in
$T2T_SHARED/oracle, by default ../shared beside the source tree.
Exit status: 0 everything occurs, 1 something never does, 77 no oracle.
"""
import argparse
import collections
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import random_trace                                                # noqa: E402

SHARED = os.environ.get('T2T_SHARED') or os.path.join(HERE, '..', '..', '..', 'shared')
LAYOUTS = tuple('style ' + s for s in random_trace.jsontext.STYLES)
# What must occur, and at least how often in 1,000 seeds.
WANTED = dict.fromkeys((
    'flag P', 'flag X', 'flag C', 'flag R', 'flag G', 'flag L', 'flag XC', 'outside', 'depth 5 or more', 'depth 9 or more',
    'crossing: to the recorded frame', 'crossing: to the recorded operation', 'crossing: by the time lost', 'crossing: nothing popped',
    'crossing: several popped', 'order: by layer', 'order: by recorded id', 'order: by position', 'sibling at the end of another',
    'equal intervals nest', 'no duration', 'same ids on both sides',
    'launch by correlation', 'launch by External id', 'launch owns several', 'launch after its GPU event', 'unlinked GPU event',
    'call inside a call owns', 'number shared in a process', 'owner by flow', 'several processes, unlinked', 'number past 2^63',
    'number in quotes', 'External id is correlation', 'file without correlation',
    'forward by flow', 'forward by flow to the engine event above', 'forward by flow without engine event', 'forward by number, typed',
    'forward by number, not typed', 'several backward of one forward', 'candidates of equal start', 'several flows with one id',
    'several links to one event', 'flow place shared by several', 'module', 'module above a GPU event', 'nested modules',
    'pair', 'pair not closed', 'E without B', 'B or E of no category', 'node without readable dur', 'node past int64', 'ts not readable',
    'ts past int64', 'ts negative', 'ts in quotes', 'ts with exponent', 'ts rounded', 'ts tie', 'no ts', 'no dur', 'dur negative', 'phase missing',
    'phase no string', 'name missing', 'name no string', 'category missing', 'category no string', 'args no object', 'duplicate key',
    'duplicate key in args', 'no object', 'empty object', 'lane missing id', 'lane null', 'lane text', 'lane other type', 'lane integer in quotes',
    'lane past int64', 'lane negative', 'half surrogate', 'control character', 'non-ASCII', 'long name', 'bare array', 'byte order mark',
    'members after', 'members twice', 'huge string', 'empty args', 'key of the events escaped', 'minus zero', 'nested traceEvents', 'one kilobyte or more', '256 kilobytes or more') + LAYOUTS, 10)


def find_oracle():
    path = os.path.join(SHARED, 'oracle')
    if not os.path.isfile(os.path.join(path, 'tree_oracle.py')):
        return None
    sys.path.insert(0, path)
    import tree_oracle
    return tree_oracle


class Counter:
    """Counts over traces; `oracle` is the module of the tree rules."""

    def __init__(self, oracle):
        self.oracle, self.count = oracle, collections.Counter()
        count, python = self.count, oracle.PYTHON

        class Tree(oracle.Tree):
            def uncross(self, i, stack):
                before = len(stack)
                wanted = self.recorded_parent(i)
                known = wanted and any(self.is_recorded_parent(j, wanted) for j, _ in stack)
                super().uncross(i, stack)
                popped = before - len(stack)
                count['crossing: ' + ('by the time lost' if not known else 'to the recorded frame' if wanted[0] == python
                                      else 'to the recorded operation')] += 1
                count['crossing: nothing popped'] += popped == 0
                count['crossing: several popped'] += popped > 1

            def link_backward(self):
                super().link_backward()
                count_backward(self, oracle, count)

        self.tree_class = Tree

    def trace(self, trace, data):
        count, oracle = self.count, self.oracle
        count['style ' + trace.style] += 1
        count['profile ' + trace.profile] += 1
        count['bare array'] += trace.bare
        count['byte order mark'] += trace.mark
        top, duplicates, huge = read(data, oracle)
        events = top if isinstance(top, list) else top['traceEvents']
        count['members after'] += isinstance(top, dict) and list(top)[-1] != 'traceEvents'
        count['members twice'] += top.repeats if isinstance(top, dict) else False
        count['key of the events escaped'] += isinstance(top, dict) and data.count(b'"traceEvents"') == 0
        count['huge string'] += huge
        count['empty args'] += sum(isinstance(e, dict) and e.get('args') == {} for e in events)
        count['minus zero'] += sum(isinstance(e, dict) and any(isinstance(v, oracle.Number) and v.startswith('-0') and float(v) == 0
                                                               for v in (e.get('ts'), e.get('dur'))) for e in events)
        count['nested traceEvents'] += data.count(b'traceEvents"') > 1
        count['one kilobyte or more'] += len(data) > 1024
        count['256 kilobytes or more'] += len(data) > 1 << 18
        count['elements'] += len(events)
        count['bytes'] += len(data)
        count['duplicate key'] += duplicates
        count['duplicate key in args'] += sum(isinstance(e, dict) and getattr(e.get('args'), 'repeats', False) for e in events)
        tree = self.tree_class(events)
        count_tree(tree, oracle, count)
        count_links(tree, oracle, count)
        for e in events:
            count_values(e, oracle, count)
        return tree


class Dict(dict):
    repeats = False


def read(data, oracle):
    repeated = [0, 0]

    def hook(pairs):
        d = Dict(pairs)
        d.repeats = len(d) != len(pairs)
        repeated[0] += d.repeats
        repeated[1] += sum(isinstance(v, str) and len(v) >= 20000 for v in d.values())
        return d
    n = oracle.Number
    return json.loads(data.decode('utf-8-sig'), parse_float=n, parse_int=n, parse_constant=n, object_pairs_hook=hook), *repeated


def count_tree(t, oracle, count):
    depth = [0] * len(t.events)
    lanes = collections.defaultdict(list)
    sides = [set(), set()]
    for i, flags in enumerate(t.flags):
        for f in set(flags):
            count['flag ' + f] += 1
        count['flag XC'] += 'X' in flags and 'C' in flags
        count['outside'] += flags == ''
        if flags:
            lane = oracle.lane_id(t.events[i].get('pid')), oracle.lane_id(t.events[i].get('tid'))
            sides['G' in flags].add(lane)
            count['node past int64'] += t.end[i] == oracle.INT64_MAX
            count['module'] += t.module[i] != -1
            count['module above a GPU event'] += 'G' in flags and t.module[i] != -1
            count['nested modules'] += t.module[i] != -1 and t.module[t.module[i]] != -1
            if 'P' in flags:
                lanes[lane].append(i)
    count['same ids on both sides'] += len(sides[0] & sides[1])
    for lane in lanes.values():
        lane.sort(key=lambda i: (t.start[i], oracle.LAYER[t.category[i]], t.recorded_order(i), i))
        for a, b in zip([None] + lane, lane):
            if t.parent[b] != -1:
                depth[b] = depth[t.parent[b]] + 1
                count['equal intervals nest'] += (t.start[t.parent[b]], t.end[t.parent[b]]) == (t.start[b], t.end[b])
            count['depth 5 or more'] += depth[b] >= 5
            count['depth 9 or more'] += depth[b] >= 9
            count['no duration'] += t.start[b] == t.end[b]
            if a is None:
                continue
            count['sibling at the end of another'] += t.end[a] == t.start[b] > t.start[a] and t.parent[a] == t.parent[b]
            if t.start[a] == t.start[b]:
                layer = oracle.LAYER[t.category[a]] != oracle.LAYER[t.category[b]]
                recorded = t.recorded_order(a) != t.recorded_order(b)
                count['order: by ' + ('layer' if layer else 'recorded id' if recorded else 'position')] += 1
    count['pair'] += sum(isinstance(e, dict) and e.get('ph') == 'B' and t.end[i] is not None for i, e in enumerate(t.events))


def count_links(t, oracle, count):
    whole, of = oracle.whole, collections.defaultdict(list)
    launches = [i for i, c in enumerate(t.category) if oracle.LAYER.get(c) == oracle.LAUNCH and t.end[i] is not None]
    by_correlation = any((whole(t.args[i].get('correlation')) or 0) > 0 for i in launches)
    key = 'correlation' if by_correlation else 'External id'
    calls = collections.defaultdict(list)
    for i in launches:
        number = whole(t.args[i].get(key))
        if number is not None and number > 0:
            calls[number].append(i)
            count['External id is correlation'] += by_correlation and number == whole(t.args[i].get('External id'))
    count['file without correlation'] += bool(launches) and not by_correlation
    pid = lambda i: oracle.lane_id(t.events[i].get('pid'))
    for i, flags in enumerate(t.flags):
        if 'G' not in flags:
            continue
        value = t.args[i].get(key)
        number = whole(value)
        same = calls.get(number, [])
        several = len({pid(j) for j in same}) > 1
        if 'L' not in flags:
            count['unlinked GPU event'] += 1
            count['several processes, unlinked'] += several
            continue
        of[t.launch[i]].append(i)
        count['launch by ' + key] += 1
        count['owner by flow'] += several
        count['number shared in a process'] += not several and len(same) > 1
        count['call inside a call owns'] += t.parent[t.launch[i]] in same
        count['number past 2^63'] += number >= 1 << 63
        count['number in quotes'] += oracle.is_text(value) != oracle.is_text(t.args[t.launch[i]].get(key))
        count['launch after its GPU event'] += t.start[i] < t.start[t.launch[i]]
    count['launch owns several'] += sum(len(g) > 1 for g in of.values())


def count_backward(t, oracle, count):
    """Like Tree.link_backward: which of its branches were taken."""
    lane_id, whole = oracle.lane_id, oracle.whole
    at = collections.defaultdict(list)
    for i, e in enumerate(t.events):
        if t.category[i] == 'cpu_op' and t.end[i] is not None:
            at[lane_id(e.get('pid')), lane_id(e.get('tid')), t.start[i]].append(i)
    flows, by_flow = {'s': {}, 'f': {}}, set()
    for e in t.events:
        if isinstance(e, dict) and e.get('cat') in ('fwdbwd', 'forward_backward') and e.get('ph') in ('s', 'f') and e.get('id') is not None:
            place = lane_id(e.get('pid')), lane_id(e.get('tid')), oracle.nanoseconds(e.get('ts'))
            count['several flows with one id'] += lane_id(e['id']) in flows[e['ph']]
            flows[e['ph']].setdefault(lane_id(e['id']), place)
    for number, place in flows['f'].items():
        source = flows['s'].get(number)
        if source in at and place in at:
            b = t.engine_event(at[place][-1])
            count['several links to one event'] += b in by_flow
            by_flow.add(b)
            count['flow place shared by several'] += len(at[place]) > 1 or len(at[source]) > 1
            engine = str(t.events[b].get('name', '')).startswith(oracle.ENGINE)
            count['forward by flow'] += 1
            count['forward by flow without engine event'] += not engine
            count['forward by flow to the engine event above'] += engine and b != at[place][-1]
    members = collections.defaultdict(list)
    for i, c in enumerate(t.category):
        if c == 'cpu_op' and t.end[i] is not None:
            members[whole(t.args[i].get('Sequence number'))].append(i)
    taken = collections.Counter()
    for b, f in enumerate(t.forward):
        if f == -1:
            continue
        taken[f] += 1
        if b not in by_flow:
            group = members[whole(t.args[b].get('Sequence number'))]
            typed = all(whole(t.args[i].get('Fwd thread id')) is not None for i in group)
            count['forward by number, ' + ('typed' if typed else 'not typed')] += 1
            count['candidates of equal start'] += any(t.start[i] == t.start[f] and i != f for i in group)
    count['several backward of one forward'] += sum(n > 1 for n in taken.values())


def count_values(e, oracle, count):
    """What is odd in one element."""
    if not isinstance(e, dict) or not e:
        count['empty object' if isinstance(e, dict) else 'no object'] += 1
        return
    text = lambda k: k in e and not oracle.is_text(e[k])
    ts, phase = e.get('ts'), e.get('ph')
    count['phase missing'] += 'ph' not in e
    count['phase no string'] += text('ph')
    count['name missing'] += 'name' not in e
    count['name no string'] += text('name')
    count['category missing'] += 'cat' not in e
    count['category no string'] += text('cat')
    count['args no object'] += 'args' in e and not isinstance(e['args'], dict)
    count['B or E of no category'] += phase in ('B', 'E') and 'cat' not in e
    if phase == 'X':
        dur, ns = oracle.nanoseconds(e.get('dur')), oracle.nanoseconds(ts)
        count['no ts'] += 'ts' not in e
        count['ts not readable'] += ns is None
        count['ts past int64'] += ns is not None and not -1 << 63 <= ns <= oracle.INT64_MAX
        count['ts negative'] += (ns or 0) < 0
        count['ts in quotes'] += oracle.is_text(ts) and ns is not None
        count['no dur'] += 'dur' not in e
        count['node without readable dur'] += dur is None
        count['dur negative'] += (dur or 0) < 0
        if isinstance(ts, str) and ns is not None:
            mantissa, _, exponent = ts.lower().partition('e')
            fraction = mantissa.partition('.')[2]
            count['ts with exponent'] += bool(exponent)
            count['ts rounded'] += not exponent and fraction[3:].strip('0') != ''
            count['ts tie'] += not exponent and fraction[3:].rstrip('0') == '5'
    for key in ('pid', 'tid'):
        v = e.get(key)
        number = oracle.whole(v)
        count['lane missing id'] += key not in e
        count['lane null'] += key in e and v is None
        count['lane text'] += oracle.is_text(v) and number is None
        count['lane integer in quotes'] += oracle.is_text(v) and number is not None
        count['lane other type'] += v is not None and not oracle.is_text(v) and number is None
        count['lane past int64'] += number is not None and number > oracle.INT64_MAX
        count['lane negative'] += number is not None and number < 0
    name = e.get('name')
    if oracle.is_text(name):
        count['half surrogate'] += bool(oracle.SURROGATE.search(name))
        count['control character'] += any(c < ' ' for c in name)
        count['non-ASCII'] += not name.isascii()
        count['long name'] += len(name) > 1000


def count_pairs(t, count, oracle):
    """B and E that found no partner."""
    opened = collections.Counter()
    for e in t.events:
        if isinstance(e, dict) and e.get('ph') in ('B', 'E') and not isinstance(e.get('ph'), oracle.Number):
            ns = oracle.nanoseconds(e.get('ts'))
            if ns is None or not -1 << 63 <= ns <= oracle.INT64_MAX:
                continue
            lane = oracle.lane_id(e.get('pid')), oracle.lane_id(e.get('tid'))
            if e['ph'] == 'B':
                opened[lane] += 1
            elif opened[lane]:
                opened[lane] -= 1
            else:
                count['E without B'] += 1
    count['pair not closed'] += sum(opened.values())


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--seeds', type=int, default=2000, metavar='N')
    p.add_argument('--first', type=int, default=0, metavar='N')
    p.add_argument('--stats', action='store_true')
    o = p.parse_args()
    oracle = find_oracle()
    if oracle is None:
        print('no oracle at %s' % SHARED, file=sys.stderr)
        return 77
    c = Counter(oracle)
    for seed in range(o.first, o.first + o.seeds):
        trace = random_trace.make(seed)
        try:
            tree = c.trace(trace, trace.data())
        except Exception:
            print('seed %d' % seed, file=sys.stderr)
            raise
        count_pairs(tree, c.count, oracle)
    if o.stats:
        for key in sorted(c.count):
            print('%9d  %s' % (c.count[key], key))
    rare = [k for k, least in WANTED.items() if c.count[k] < max(1, least * o.seeds // 1000)]
    for key in rare:
        print('too rare: %d  %s' % (c.count[key], key))
    return 1 if rare else 0


if __name__ == '__main__':
    sys.exit(main())
