"""What an index says twice, compared: the columns with the elements, the tree with its order, the sums with what they sum up."""
import collections
import json
import re

from reader2 import CROSSED, CUT, GPU, GPU_SIDE, HOST_SIDE, LEAST, LINKED, MASK, MISSING, NO_SIDE, NONE, ROOT_OPERATION, SIGNED, TEXT, \
    UNSIGNED, Refused, need

LAYERS = {'python_function': 1, 'cpu_op': 2, 'cuda_runtime': 3, 'cuda_driver': 3, 'xpu_runtime': 3, 'xpu_driver': 3,
          'privateuse1_runtime': 3, 'privateuse1_driver': 3, 'kernel': 4, 'gpu_memcpy': 4, 'gpu_memset': 4}
OPERATION, LAUNCH, GPU_LAYER = 2, 3, 4
KINDS = ('not-an-object', 'no-phase', 'no-time', 'no-duration', 'bad-duration', 'end-overflow', 'no-name', 'no-category', 'bad-arguments',
         'quoted-time', 'exponent-time', 'negative-time', 'rounded-time', 'duplicate-key', 'unmatched-end', 'unclosed-begin', 'crossed', 'cut',
         'gpu-without-launch', 'shared-correlation', 'gpu-at-zero', 'byte-order-mark', 'duplicate-member',
         'repaired-escape', 'repaired-control-char', 'repaired-utf8', 'repaired-number', 'trailing-comma', 'array-not-closed')
FIRST_REPAIR = 23
MINOR = 1               # the last minor version that this reader knows
LAST_TIME = (1 << 63) - 1
NUMBER = re.compile(r'(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?')
INTEGER = re.compile(r'-?(?:0|[1-9][0-9]*)')


class Number(str):
    """A JSON number as it is written."""


def nanoseconds(value):
    """Of microseconds as a number, or as text of one; digits past the third decimal round half to even.  None: it is no number."""
    m = NUMBER.fullmatch(value) if isinstance(value, str) else None
    if not m:
        return None
    digits = int(m[2] + (m[3] or ''))
    power = max(-9999, min(9999, int(m[4] or 0))) - len(m[3] or '') + 3
    if digits == 0:
        return 0
    if power < 0:
        digits, rest = divmod(digits, 10 ** -power)
        digits += 2 * rest > 10 ** -power or 2 * rest == 10 ** -power and digits & 1
    else:
        digits *= 10 ** min(power, 40)
    return -digits if m[1] else digits


def compact(value):
    """JSON text without white space, numbers as written, halves of surrogate pairs as they are."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, list):
        return '[' + ','.join(map(compact, value)) + ']'
    if isinstance(value, dict):
        return '{' + ','.join(json.dumps(k, ensure_ascii=False) + ':' + compact(v) for k, v in value.items()) + '}'
    return json.dumps(value, ensure_ascii=False)


def lane_id(value):
    """(kind, id) that a pid or tid stands for."""
    if value is None:
        return MISSING, None
    if isinstance(value, str) and INTEGER.fullmatch(value) and -1 << 63 <= int(value) < 1 << 64:
        return (SIGNED if int(value) < 1 << 63 else UNSIGNED), int(value)
    return TEXT, str(value) if isinstance(value, str) else compact(value)


def check(index):
    """Raises Refused where the index contradicts itself or the order that the specification demands."""
    layers = [LAYERS.get(name, 0) for name in index.category_name]
    layer = [layers[c] for c in index.category]
    check_strings(index)
    check_tree(index)
    check_siblings(index, layer)
    check_flags(index, layer)
    check_gpu(index)
    check_links(index)
    check_lanes(index)
    check_times(index)
    check_elements(index, layer)
    check_members(index)


def check_strings(index):
    need(len(set(index.strings)) == len(index.strings), 'a string is there twice')
    need(len(set(index.categories)) == len(index.categories), 'a category is there twice')


def check_tree(index):
    """Preorder, and lanes in order."""
    open_until, last_root = [], 0
    for i in range(index.nodes):
        while open_until and open_until[-1][1] == i:
            open_until.pop()
        above, end = open_until[-1] if open_until else (NONE, index.nodes)
        need(index.parent[i] == above, 'node %d: parent %d, but it is in the subtree of %d', i, index.parent[i], above)
        need(i + index.size[i] <= end, 'node %d: its subtree leaves that of its parent', i)
        open_until.append((i, i + index.size[i]))
        if above == NONE:
            need(last_root <= index.lane[i], 'node %d: lanes are not in order', i)
            last_root = index.lane[i]
        elif not index.flags[i] & GPU:
            need(index.lane[i] == index.lane[above], 'node %d: not in the lane of its parent', i)
    outside = [index.position[i] for i in range(index.nodes, index.count)]
    need(outside == sorted(outside), 'elements outside the tree are not by position')


def check_siblings(index, layer):
    """By start, then layer; GPU events then by position."""
    last = {}
    for i in range(index.nodes):
        gpu = layer[i] == GPU_LAYER
        if not layer[i]:
            continue                                                # of a later minor version
        key = index.start[i], layer[i], index.position[i] if gpu else 0
        group = index.parent[i] if index.parent[i] != NONE else ('lane', index.lane[i])
        need(last.get(group, key) <= key, 'node %d: not in the order of its siblings', i)
        last[group] = key


def check_flags(index, layer):
    ends, operation = [], []                                        # as nested; of a node or one above it
    for i in range(index.nodes):
        flags, parent = index.flags[i], index.parent[i]
        above = False if parent == NONE else operation[parent]
        end = index.start[i] + index.duration_of(i)
        need(index.minor > MINOR or layer[i], 'node %d: its category has no layer', i)
        need(bool(flags & GPU) == (layer[i] == GPU_LAYER), 'node %d: a GPU event, or not?', i)
        need(bool(flags & ROOT_OPERATION) == (layer[i] == OPERATION and not above), 'node %d: a root operation, or not?', i)
        if flags & GPU:
            need(bool(flags & LINKED) == (parent != NONE), 'node %d: linked, or not?', i)
            need(parent == NONE or layer[parent] == LAUNCH or index.minor > MINOR and not layer[parent], 'node %d: its parent is no launch', i)
            need(not flags & (CROSSED | CUT), 'node %d: a GPU event that is nested', i)
        else:
            need(not flags & LINKED, 'node %d: linked, but no GPU event', i)
            outlasts = parent != NONE and end > ends[parent]
            need(bool(flags & CUT) == outlasts, 'node %d: cut, or not?', i)
            need(not flags & CUT or flags & CROSSED, 'node %d: cut, and did not cross', i)
            end = min(end, ends[parent]) if parent != NONE else end
        ends.append(end)
        operation.append(above or layer[i] == OPERATION)


def check_gpu(index):
    wanted = [i for i in range(index.nodes) if index.flags[i] & GPU]
    need(wanted == list(index.gpu_node), 'GPU_NODE is not what FLAGS says')
    rank = total = 0
    for i in range(index.nodes):
        need(index.gpu_rank[i] == rank, 'GPU_RANK: node %d', i)
        if index.flags[i] & GPU:
            need(index.gpu_sum[rank] == total, 'GPU_SUM: record %d', rank)
            rank += 1
            total = total + index.duration_of(i) & MASK
    need(index.gpu_sum[rank] == total, 'GPU_SUM: the last record')


def check_links(index):
    backward = [b for b, _ in index.forward]
    need(backward == sorted(set(backward)), 'FORWARD is not ascending')
    need(index.backward == sorted((f, b) for b, f in index.forward), 'BACKWARD does not hold the pairs of FORWARD')


def sortable(value):
    return 0 if value is None else value.encode('utf-8', 'surrogatepass') if isinstance(value, str) else value


def check_lanes(index):
    rank = {MISSING: 0, SIGNED: 1, UNSIGNED: 1, TEXT: 2}
    order = [(lane.side, rank[lane.pid_kind], sortable(lane.pid), rank[lane.tid_kind], sortable(lane.tid)) for lane in index.lanes]
    need(all(a < b for a, b in zip(order, order[1:])), 'lanes are not in order')
    count, nodes, first, times = collections.Counter(index.lane), collections.Counter(), {}, {}
    for i in range(index.nodes):
        lane, end = index.lane[i], index.start[i] + index.duration_of(i)
        low, high = times.get(lane, (index.start[i], end))
        times[lane] = min(low, index.start[i]), max(high, end)
        if index.parent[i] == NONE:
            nodes[lane] += index.size[i]
            first.setdefault(lane, i)
    processes, threads = {}, {}
    for k, lane in enumerate(index.lanes):
        need(lane.elements == count[k], 'lane %d: %d elements, not %d', k, count[k], lane.elements)
        need(lane.nodes == nodes[k], 'lane %d: %d nodes, not %d', k, nodes[k], lane.nodes)
        need(lane.first == first.get(k, index.nodes), 'lane %d: begins with node %d', k, first.get(k, index.nodes))
        need((lane.earliest, lane.latest) == times.get(k, (0, 0)), 'lane %d: times are %s', k, times.get(k, (0, 0)))
        pid = lane.pid_kind, lane.pid
        need(processes.setdefault(pid, lane.process) == lane.process, 'lane %d: its process has two names', k)
        thread = pid, lane.tid_kind, lane.tid
        need(threads.setdefault(thread, lane.thread) == lane.thread, 'lane %d: its thread has two names', k)


def check_times(index):
    starts = [index.start[i] for i in range(index.nodes) if not (index.flags[i] & GPU and index.start[i] == 0)]
    need(index.origin == min(starts, default=0), 'the origin is %d', min(starts, default=0))
    ends = [index.start[i] + index.duration_of(i) for i in range(index.nodes)]
    need(index.last_end == max(ends, default=0), 'the last end is %d', max(ends, default=0))


# ---- elements --------------------------------------------------------------------------------
def check_elements(index, layer):
    """Every element is JSON, and what the columns say of it is what it says."""
    offsets, pairs, names = [], Pairs(), Names()
    for position, (offset, text) in enumerate(index.elements()):
        i = index.id[position]
        need(not offsets or offset > offsets[-1], 'element %d: does not begin behind the one before', position)
        offsets.append(offset)
        try:
            value = json.loads(text, parse_float=Number, parse_int=Number)
        except (ValueError, RecursionError) as e:
            raise Refused('element %d is no JSON: %s' % (position, e)) from e
        if not isinstance(value, dict):
            of_none = index.lane[i], index.name[i], index.phase[i], index.start[i], index.duration[i]
            need(of_none == (NONE, NONE, 0, LEAST, 0), 'element %d is no object, but has properties', position)
            continue
        event = Event(i, value)
        wrong = what_differs(index, event, layer[i])
        need(not wrong, 'element %d: the index has another %s', position, wrong)
        pairs.add(event)
        names.add(event)
    for i, duration in pairs.durations():
        need(index.duration_of(i) == duration, 'element %d: the index has another duration', index.position[i])
    for k, lane in enumerate(index.lanes):
        pid, tid = (lane.pid_kind, lane.pid), (lane.tid_kind, lane.tid)
        need((lane.process, lane.thread) == (names.process.get(pid), names.thread.get((pid, tid))), 'lane %d: the index has other names', k)
    for kind, _, _, position, offset in index.anomalies:
        if position != MASK and kind < len(KINDS):
            at = offsets[position]
            need(offset >= at if kind >= FIRST_REPAIR else offset == at, 'anomaly %d: not where its element is', kind)
        need(index.minor > MINOR or kind < len(KINDS), 'anomaly %d: unknown', kind)


def check_members(index):
    """Each value is one JSON value."""
    for key, text, _ in index.member:
        try:
            json.loads(text)
        except (ValueError, RecursionError) as e:
            raise Refused('member %r is no JSON: %s' % (key, e)) from e


def text_of(value, key):
    found = value.get(key)
    return found if isinstance(found, str) and not isinstance(found, Number) else None


class Event:
    """What an element says of the properties that have columns."""

    def __init__(self, number, value):
        self.number, self.value = number, value
        self.name, self.category, phase = (text_of(value, key) for key in ('name', 'cat', 'ph'))
        self.phase = phase if phase and len(phase) == 1 and phase < '\x80' else ''
        start = nanoseconds(value.get('ts'))
        self.start = start if start is not None and LEAST <= start <= LAST_TIME else None
        self.thread = lane_id(value.get('pid')), lane_id(value.get('tid'))

    def end(self):
        """Of an X: a duration that is missing, below 0 or no number is 0; no end is past the last time."""
        return min(self.start + max(0, nanoseconds(self.value.get('dur')) or 0), LAST_TIME)


def what_differs(index, event, layer):
    """The first of its properties that a column has otherwise, or None."""
    i = event.number
    if (index.name_of(i), index.category_of(i)) != (event.name, event.category):
        return 'name or category'
    if index.phase[i] != (ord(event.phase) if event.phase else 0):
        return 'phase'
    unknown_layer = index.minor > MINOR and i < index.nodes and not layer
    lane = index.lanes[index.lane[i]] if index.lane[i] != NONE else None
    side = GPU_SIDE if layer == GPU_LAYER else HOST_SIDE if layer else NO_SIDE
    if not lane or (lane.side != side and not unknown_layer) or ((lane.pid_kind, lane.pid), (lane.tid_kind, lane.tid)) != event.thread:
        return 'lane'
    if index.start[i] != (LEAST if event.start is None else event.start):
        return 'start'
    timed = event.start is not None
    if event.phase != 'B' and index.duration_of(i) != (event.end() - event.start if event.phase == 'X' and timed else 0):
        return 'duration'
    in_tree = bool((layer or unknown_layer) and event.phase in ('X', 'B') and timed)
    return 'place: in the tree or not' if (i < index.nodes) != in_tree else None


class Pairs:
    """B and E of one pid and tid, matched by a stack in file order; what is left open ends with the last X, B or E there."""

    def __init__(self):
        self.open, self.last, self.closed = collections.defaultdict(list), {}, {}

    def add(self, event):
        if event.start is None:
            if event.phase == 'B':
                self.closed[event.number] = 0
            return
        if event.phase in ('X', 'B', 'E'):
            end = event.end() if event.phase == 'X' else event.start
            self.last[event.thread] = max(self.last.get(event.thread, end), end)
        if event.phase == 'B':
            self.open[event.thread].append(event)
        elif event.phase == 'E' and self.open[event.thread]:
            begin = self.open[event.thread].pop()
            self.closed[begin.number] = max(event.start - begin.start, 0)

    def durations(self):
        """(id, duration) of each B."""
        for thread, left in self.open.items():
            for begin in left:
                self.closed[begin.number] = self.last[thread] - begin.start
        return self.closed.items()


class Names:
    """The names of processes and threads: the last M of a pid, or a pid and tid, that has one."""

    def __init__(self):
        self.process, self.thread = {}, {}

    def add(self, event):
        args = event.value.get('args')
        name = text_of(args, 'name') if isinstance(args, dict) else None
        if event.phase == 'M' and name is not None:
            if event.name == 'process_name':
                self.process[event.thread[0]] = name
            elif event.name == 'thread_name':
                self.thread[event.thread] = name
