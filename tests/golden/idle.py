"""The tables of launches and of gaps, slowly: a judge of its own, which follows include/trace2tree/idle.h and shares no idea with the library.

Stands on the oracles of the tree and of the tables; every question is answered by looking at everything.
"""
import collections
from fractions import Fraction

import golden

WAIT_CALLS = ('cudaStreamWaitEvent', 'cuStreamWaitEvent', 'hipStreamWaitEvent')
LEAST, MOST = -1 << 63, (1 << 63) - 1
GPU_CATEGORIES = ('kernel', 'gpu_memcpy', 'gpu_memset')


def label(value):
    return 'None' if value is None else str(value)


def clamp(ns):
    return max(LEAST, min(MOST, ns))


def table_sum(values):
    """A sum past the largest integer of a table is that."""
    return min(sum(values), (1 << 64) - 1)


def percent(part, total):
    return float(Fraction(100 * part, total)) if total else float('nan')


def rank(value):
    return (0, 0, b'') if value is None else (1, value, b'') if isinstance(value, int) else (2, 0, value.encode('utf-8', 'surrogatepass'))


class Idle:
    """All that tables are made of.  Events are places in traceEvents; `id` has their ids."""

    def __init__(self, path, linked_only=False, between=None, device=None):
        self.oracle, tables = golden.find_oracle(), golden.find_tables()
        self.trace = trace = tables.Trace(path, linked_only)
        self.tree = t = trace.tree
        self.name, self.start, self.end = trace.name, t.start, t.end
        order = golden.id_order(t, self.oracle)
        self.id = {place: number for number, place in enumerate(order)}
        self.layer = [self.oracle.LAYER.get(c) for c in t.category]
        starts = [t.start[i] for i in order if not ('G' in t.flags[i] and t.start[i] == 0)]
        self.origin = min(starts) if starts else 0
        self.gpu = sorted(trace.gpu, key=self.id.get)
        every = tables.Trace(path, False).gpu if linked_only else self.gpu
        self.launch = {g: t.launch[g] if 'L' in t.flags[g] else None for g in every}
        self.launched = {g: self.start[g] if self.launch[g] is None else self.start[self.launch[g]] for g in every}
        self.queues = collections.defaultdict(list)     # linked or not, whatever is selected
        for g in every:
            self.queues[self.stream(g)].append(g)
        self.between, self.device = between, device
        self.selected = [g for g in self.gpu if (not between or between[0] <= self.start[g] < between[1])
                         and (device is None or label(self.stream(g)[0]) == device)]
        self.streams = collections.defaultdict(list)
        for g in self.gpu:
            self.streams[self.stream(g)].append(g)
        self.host = [i for i in order if 'G' not in t.flags[i]]
        self.find_calls()
        self.find_waits()

    def stream(self, g):
        return self.trace.lane(g)

    def named(self, g):
        return [label(v) for v in self.stream(g)]

    def op(self, g):
        return self.trace.launcher_name[self.trace.launcher[g]]

    # ---- launches --------------------------------------------------------------------------------------------------
    def delay(self, g):
        return clamp(self.start[g] - self.launched[g])

    def depth(self, g):
        at = self.launched[g]
        return sum(1 for e in self.queues[self.stream(g)] if self.launched[e] < at < self.end[e])

    def launches_by(self, key, head):
        rows = [[head, 'gpu_events', 'launches', 'host_ns', 'delay_mean', 'delay_median', 'delay_p99_ns', 'delay_min_ns', 'delay_max_ns',
                 'negative', 'depth_mean', 'depth_max', 'empty', 'percent', 'slowest_id', 'first_index']]
        groups = collections.defaultdict(list)
        for g in self.selected:
            if self.launch[g] is not None:
                groups[key(g)].append(g)
        for name, of in sorted(groups.items(), key=lambda item: (-len(item[1]), min(item[1]))):
            n, delays, depths = len(of), sorted(map(self.delay, of)), [self.depth(g) for g in of]
            calls = {self.launch[g] for g in of}
            slowest = min(of, key=lambda g: (-self.delay(g), self.id[g]))
            p99 = next(d for d in delays if 100 * sum(1 for x in delays if x <= d) >= 99 * n)
            rows.append([name, n, len(calls), table_sum(self.end[i] - self.start[i] for i in calls), float(Fraction(sum(delays), n)),
                         float(Fraction(delays[(n - 1) // 2] + delays[n // 2], 2)), p99, delays[0], delays[-1], sum(1 for d in delays if d < 0),
                         float(Fraction(sum(depths), n)), max(depths), depths.count(0), percent(depths.count(0), n), self.id[slowest], min(of)])
        return rows

    def launches_by_op(self):
        return self.launches_by(self.op, 'op')

    def launches_by_call(self):
        return self.launches_by(lambda g: self.name[self.launch[g]], 'call')

    def launches_by_event(self):
        rows = [['id', 'kernel', 'op', 'device', 'stream', 'launch_id', 'launch_ns', 'delay_ns', 'depth', 'dur_ns']]
        of = sorted((g for g in self.selected if self.launch[g] is not None), key=lambda g: (-self.delay(g), g))
        return rows + [[self.id[g], self.name[g], self.op(g), *self.named(g), self.id[self.launch[g]], clamp(self.launched[g] - self.origin),
                        self.delay(g), self.depth(g), self.end[g] - self.start[g]] for g in of]

    def launches_host_only(self):
        rows = [['call', 'count', 'host_ns', 'mean', 'max_ns', 'percent', 'longest_id']]
        used = {self.tree.launch[g] for g, f in enumerate(self.tree.flags) if 'L' in f}
        groups = collections.defaultdict(list)
        if self.device is not None:
            return rows
        for i in self.host:
            if self.layer[i] == self.oracle.LAUNCH and i not in used and (
                    not self.between or self.between[0] <= self.start[i] < self.between[1]):
                groups[self.name[i]].append(i)
        ns = lambda i: self.end[i] - self.start[i]
        total = sum(ns(i) for of in groups.values() for i in of)
        for name, of in sorted(groups.items(), key=lambda item: (-sum(map(ns, item[1])), min(item[1]))):
            longest = min(of, key=lambda i: (-ns(i), self.id[i]))
            rows.append([name, len(of), table_sum(map(ns, of)), float(Fraction(sum(map(ns, of)), len(of))), ns(longest),
                         percent(sum(map(ns, of)), total), self.id[longest]])
        return rows

    def launches_unlinked(self):
        rows = [['device', 'stream', 'category', 'kernel', 'count', 'sum_ns', 'mean', 'early', 'first_id']]
        groups = collections.defaultdict(list)
        for g in self.selected:
            if self.launch[g] is None:
                groups[self.stream(g), self.tree.category[g], self.name[g]].append(g)
        ns = lambda g: self.end[g] - self.start[g]
        for (stream, category, name), of in sorted(groups.items(), key=lambda item: (-sum(map(ns, item[1])), min(item[1]))):
            linked = [self.start[g] for g in self.streams[stream] if self.launch[g] is not None]
            early = sum(1 for g in of if not linked or self.start[g] < min(linked))
            rows.append([label(stream[0]), label(stream[1]), category, name, len(of), table_sum(map(ns, of)),
                         float(Fraction(sum(map(ns, of)), len(of))), early, min(self.id[g] for g in of)])
        return rows

    # ---- what the host did -------------------------------------------------------------------------------------------
    def find_calls(self):
        """When each call of the host ran, as the tree nests it: up to the end of what it is in and to the start of the next call of the
        thread that is not in it."""
        self.threads = collections.defaultdict(list)
        for i in self.host:
            self.threads[self.trace.lane(i)].append(i)
        self.above, self.runs = {}, {}
        for of in self.threads.values():
            for n, i in enumerate(of):
                parent = self.tree.parent[i]
                self.above[i] = self.above[parent] + [parent] if parent != -1 else []
            for n, i in enumerate(of):
                end = self.end[i]
                if self.above[i]:
                    end = min(end, self.runs[self.above[i][-1]][1])
                behind = n + 1
                while behind < len(of) and i in self.above[of[behind]]:
                    behind += 1
                if behind < len(of):
                    end = min(end, self.start[of[behind]])
                self.runs[i] = self.start[i], max(end, self.start[i])

    def share(self, i, hole):
        return max(0, min(self.runs[i][1], hole[1]) - max(self.runs[i][0], hole[0]))

    def call_during(self, hole, launch):
        if launch is None:
            return None
        thread = self.threads[self.trace.lane(launch)]
        outermost = [i for i in thread if not self.above[i] and self.share(i, hole)]
        if not outermost:
            return None
        best = max(outermost, key=lambda i: (self.share(i, hole), -self.id[i]))
        time = self.share(best, hole)
        if hole[1] - hole[0] - sum(self.share(i, hole) for i in outermost) > time:
            return None
        inner = [i for i in thread if best in self.above[i] and 2 * self.share(i, hole) > time]
        return max(inner, key=lambda i: len(self.above[i])) if inner else best

    # ---- holes -------------------------------------------------------------------------------------------------------
    def find_waits(self):
        """(lane, time, event) of each wait."""
        t, said = self.tree, lambda i, key: self.oracle.compact(t.args[i].get(key))
        streams = {self.trace.lane(i) for i, c in enumerate(t.category) if c in GPU_CATEGORIES}
        records = [i for i, name in enumerate(self.name) if name == 'Stream Wait Event' and i not in self.id
                   and self.trace.events[i].get('ph') == 'X' and t.start[i] is not None and self.trace.lane(i) in streams]
        self.by_call = not records
        if records:
            records = [i for i in records if said(i, 'stream') == 'null' or said(i, 'stream') != said(i, 'wait_on_stream')]
        else:
            records = [i for i in self.host if self.name[i] in WAIT_CALLS and self.layer[i] == self.oracle.LAUNCH]
        rest = len(self.id)
        for i in range(len(self.name)):
            if i not in self.id:                                   # outside the tree: in file order
                self.id[i] = rest
                rest += 1
        self.waits = [(self.trace.lane(i), t.start[i], self.id[i], i) for i in records]

    def wait_of(self, g):
        if self.launch[g] is None:
            return None
        lane = self.trace.lane(self.launch[g] if self.by_call else g)
        mine = lambda e: self.launch[e] is not None and self.trace.lane(self.launch[e] if self.by_call else e) == lane
        earlier = [self.launched[e] for e in self.gpu if mine(e) and self.launched[e] < self.launched[g]]
        waits = [w for w in self.waits if w[0] == lane and w[1] <= self.launched[g] and (not earlier or w[1] > max(earlier))]
        return max(waits, key=lambda w: (w[1], w[2]))[3] if waits else None

    def blocker(self, g, hole):
        stream = self.stream(g)
        others = [e for s, of in self.streams.items() if s != stream and s[0] == stream[0] for e in of
                  if self.start[e] < hole[1] and self.end[e] > self.start[e]]
        if not others:
            return None
        last = min(others, key=lambda e: (-self.end[e], self.start[e], self.id[e]))
        return last if self.end[last] > hole[0] else None

    def holes(self, least):
        """[(stream, start, end, next, before, class, cause, call)] of what is selected, and {stream: (events, busy)}."""
        out, work, chosen = [], {}, set(self.selected)
        for stream in sorted(self.streams, key=lambda s: (rank(s[0]), rank(s[1]))):
            of = sorted(self.streams[stream], key=lambda g: (self.start[g], self.launch[g] is None, self.launched[g], self.id[g]))
            covered, before, events, busy = None, None, 0, 0
            for g in of:
                if g in chosen:
                    events += 1
                if self.end[g] <= self.start[g]:
                    continue
                if covered is not None and self.start[g] > covered and g in chosen:
                    out.append((stream, covered, self.start[g], g, before) + self.classed(covered, self.start[g], g, before, least))
                if covered is None or self.end[g] > covered:
                    if g in chosen:
                        busy += self.end[g] - (self.start[g] if covered is None else max(covered, self.start[g]))
                    covered, before = self.end[g], g
            if events:
                work[stream] = events, busy
        return out, work

    def classed(self, start, end, g, before, least):
        """class, cause, its name, call."""
        if end - start < least:
            return 'short', None, '', None
        hole = start, end
        call = self.call_during(hole, self.launch[g])
        if call is None:
            call = self.call_during(hole, self.launch[before])
        if self.launch[g] is not None and self.launched[g] > start:
            return 'host', call, '(no call)' if call is None else self.name[call], call
        wait, other = self.wait_of(g), self.blocker(g, hole)
        if wait is not None or (other is not None and 2 * self.end[other] > start + end):
            cause = wait if other is None else other
            return 'stream', cause, self.name[cause], call
        return 'other', None, '', call

    # ---- gaps --------------------------------------------------------------------------------------------------------
    def gaps_by_stream(self, least):
        rows = [['device', 'stream', 'class', 'count', 'sum_ns', 'mean', 'max_ns', 'percent', 'cause', 'cause_percent']]
        holes, work = self.holes(least)
        for stream, (events, busy) in work.items():
            mine = [h for h in holes if h[0] == stream]
            total = busy + sum(h[2] - h[1] for h in mine)
            for kind in ('host', 'stream', 'other') + (('short',) if least else ()):
                of = [h for h in mine if h[5] == kind]
                ns, causes = sum(h[2] - h[1] for h in of), collections.Counter()
                for h in of:
                    causes[h[7]] += h[2] - h[1]
                top = max(causes, key=causes.get) if of else None   # of equals the first
                rows.append([label(stream[0]), label(stream[1]), kind, len(of), ns, float(Fraction(ns, len(of))) if of else None,
                             max(h[2] - h[1] for h in of) if of else None, percent(ns, total), top,
                             percent(causes[top], ns) if of else None])
            rows.append([label(stream[0]), label(stream[1]), 'busy', events, busy, None, None, percent(busy, total), None, None])
        return rows

    def grouped(self, least, key):
        """Groups of holes in the order of rows, and the time of all."""
        holes = sorted(self.holes(least)[0], key=lambda h: (h[1], self.id[h[3]]))
        groups = collections.defaultdict(list)
        for h in holes:
            groups[key(h)].append(h)
        ns = lambda of: sum(h[2] - h[1] for h in of)
        return sorted(groups.items(), key=lambda item: (-ns(item[1]), holes.index(item[1][0]))), ns(holes)

    def gaps_by_cause(self, least):
        rows = [['class', 'cause', 'count', 'sum_ns', 'mean', 'max_ns', 'percent', 'next_id', 'cause_id']]
        groups, total = self.grouped(least, lambda h: (h[5], h[7]))
        for (kind, name), of in groups:
            ns, longest = sum(h[2] - h[1] for h in of), max(of, key=lambda h: h[2] - h[1])
            rows.append([kind, name, len(of), table_sum([ns]), float(Fraction(ns, len(of))), longest[2] - longest[1], percent(ns, total),
                         self.id[longest[3]], None if longest[6] is None else self.id[longest[6]]])
        return rows

    def gaps_by_op(self, least):
        rows = [['op', 'count', 'sum_ns', 'host_ns', 'stream_ns', 'other_ns', 'short_ns', 'mean', 'max_ns', 'percent', 'next_id']]
        groups, total = self.grouped(least, lambda h: self.op(h[3]))
        for name, of in groups:
            ns, longest = sum(h[2] - h[1] for h in of), max(of, key=lambda h: h[2] - h[1])
            rows.append([name, len(of), table_sum([ns])] + [table_sum(h[2] - h[1] for h in of if h[5] == kind) for kind in ('host', 'stream', 'other', 'short')]
                        + [float(Fraction(ns, len(of))), longest[2] - longest[1], percent(ns, total), self.id[longest[3]]])
        return rows

    def gaps_by_hole(self, least):
        rows = [['start_ns', 'dur_ns', 'class', 'device', 'stream', 'cause', 'op', 'next', 'delay_ns', 'host', 'in_call_ns', 'next_id', 'before_id',
                 'host_id', 'cause_id']]
        number = lambda i: None if i is None else self.id[i]
        for stream, start, end, g, before, kind, cause, name, call in sorted(self.holes(least)[0],
                                                                             key=lambda h: (h[1] - h[2], h[1], self.id[h[3]])):
            if kind != 'short':
                rows.append([clamp(start - self.origin), end - start, kind, label(stream[0]), label(stream[1]), name, self.op(g), self.name[g],
                             None if self.launch[g] is None else self.delay(g), None if call is None else self.name[call],
                             None if call is None else self.share(call, (start, end)), self.id[g], self.id[before], number(call), number(cause)])
        return rows


LAUNCHES = {'op': Idle.launches_by_op, 'call': Idle.launches_by_call, 'event': Idle.launches_by_event, 'host-only': Idle.launches_host_only,
            'unlinked': Idle.launches_unlinked}
GAPS = {'stream': Idle.gaps_by_stream, 'cause': Idle.gaps_by_cause, 'op': Idle.gaps_by_op, 'hole': Idle.gaps_by_hole}
