"""The sums that must agree: within a report, between its tables, and with what `dump` and `find` say of the same index.

difference(command, index, folder, options) says what is wrong, as lines. It knows no judge, so it holds for any trace.
"""
import collections
import csv
import io
import json
import os
import re
import shutil

COMMUNICATION = re.compile('nccl|rccl|cross_device_reduce', re.I | re.A)
LAST, MOST = (1 << 63) - 1, (1 << 64) - 1                            # times and sums stop there
csv.field_size_limit(1 << 30)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline='')))


def total(rows, column):
    return min(MOST, sum(int(r[column]) for r in rows))


class Events:
    """The GPU events as `dump` and `find` have them."""

    def __init__(self, command, index):
        origin = json.loads(command.must('info', index, '--format', 'json'))['origin_ns']
        self.rows = [line.split('\t') for line in command.must('dump', index).split('\n')[:-1]]
        self.parent = [int(r[3]) for r in self.rows]
        self.forward = [int(r[5]) for r in self.rows]
        self.module = [int(r[8]) for r in self.rows]
        self.linked, self.communicates, self.ns = {}, {}, {}
        for e in json.loads(command.must('find', index, '', '--layer', 'gpu', '--format', 'json') or '[]'):
            i, start = e['position'], int(e['start_ns']) + origin
            self.linked[i] = 'L' in self.rows[i][6]
            self.communicates[i] = self.rows[i][1] != 'gpu_memcpy' and bool(COMMUNICATION.search(self.rows[i][2]))
            self.ns[i] = min(start + int(e['dur_ns']), LAST) - start

    def owner(self, i):
        """The module frame that a GPU event belongs to, backward work to that of the forward operation, or -1."""
        i = self.parent[i]
        while i != -1:
            if self.rows[i][1] == 'python_function' and self.rows[i][2].startswith('nn.Module:'):
                return i
            if self.forward[i] != -1 and self.module[self.forward[i]] != -1:
                return self.module[self.forward[i]]
            i = self.parent[i]
        return -1


class Sums:
    def __init__(self, tables, by_module, events, chosen):
        self.tables, self.by_module, self.events, self.chosen, self.bad = tables, by_module, events, chosen, []

    def same(self, what, *values):
        if len(set(values)) > 1:
            self.bad.append('%s: %s' % (what, ' '.join(map(str, values))))

    def holds(self, what, is_so):
        if not is_so:
            self.bad.append(what)

    def all(self):
        self.operations()
        self.shares()
        self.kernels()
        self.timeline()
        self.modules('modules', self.events.module.__getitem__)
        self.modules('modules-with-backward', self.events.owner)
        self.collectives()
        return self.bad

    def operations(self):
        t = self.tables
        self.same('direct_ns by launcher, category, name, arguments, module', total(t['launchers'], 'direct_ns'),
                  total(t['ops-by-category'], 'direct_ns'), total(t['ops-by-name'], 'direct_ns'),
                  total(t['ops-by-args'], 'direct_ns_sum'), total(self.by_module, 'direct_ns'))
        self.same('subtree_ns by launcher, name, arguments, module', total(t['launchers'], 'subtree_ns'),
                  total(t['ops-by-name'], 'subtree_ns'), total(t['ops-by-args'], 'subtree_ns_sum'), total(self.by_module, 'subtree_ns'))
        self.same('launchers', len(t['launchers']), total(t['ops-by-category'], 'count'), total(t['ops-by-name'], 'count'),
                  total(t['ops-by-args'], 'count'), total(self.by_module, 'count'))
        for r in t['launchers']:
            self.holds('launcher %s: direct_ns > subtree_ns' % r['index'], int(r['direct_ns']) <= int(r['subtree_ns']))
        for r in t['ops-by-args']:
            for what in ('direct_ns_', 'subtree_ns_'):
                self.summary(r, what + 'sum', what + 'mean', what + 'min', what + 'max')
        if self.chosen is not None:
            self.same('direct kernels and events that are no communication', total(t['launchers'], 'direct_kernels'),
                      sum(not self.events.communicates[i] for i in self.chosen))

    def summary(self, r, sum_, mean, least, most):
        """A sum is the mean times the count, and the mean lies between the ends."""
        count, mean = int(r['count']), float(r[mean])
        near = lambda a, b: abs(a - b) <= 1e-12 * max(abs(a), abs(b))
        self.holds('%s is not %d times the mean %r' % (r[sum_], count, mean), near(int(r[sum_]), mean * count))
        if int(r[sum_]) < MOST:
            self.holds('mean %r between %s and %s' % (mean, r[least], r[most]),
                       int(r[least]) <= mean * (1 + 1e-15) and mean * (1 - 1e-15) <= int(r[most]))

    def shares(self):
        """Percentages add up to 100, in order of the sums."""
        tables = {n: (self.tables[n], c) for n, c in (('ops-by-category', 'direct_ns'), ('ops-by-name', 'direct_ns'),
                                                      ('ops-by-args', 'direct_ns_sum'), ('kernels', 'sum_ns'))}
        tables['ops-by-module'] = self.by_module, 'direct_ns'
        for name, (rows, column) in tables.items():
            amounts = [int(r[column]) for r in rows]
            self.holds('%s is not in order of %s' % (name, column), amounts == sorted(amounts, reverse=True))
            if 0 < sum(amounts) < MOST:
                self.holds('percent of ' + name, abs(sum(float(r['percent']) for r in rows) - 100) < 1e-7)
                self.holds('cumulative_percent of ' + name, float(rows[-1].get('cumulative_percent', 100)) == 100)
            firsts = [r['first_index'] for r in rows]
            self.holds('first_index of %s twice' % name, len(set(firsts)) == len(firsts))

    def kernels(self):
        rows = self.tables['kernels']
        for r in rows:
            self.summary(r, 'sum_ns', 'mean', 'min_ns', 'max_ns')
        if self.chosen is not None:
            self.same('kernels and durations', total(rows, 'sum_ns'), min(MOST, sum(self.events.ns[i] for i in self.chosen)))
            self.same('kernels and events', total(rows, 'count'), len(self.chosen))

    def timeline(self):
        blocks = collections.OrderedDict()
        for r in self.tables['timeline']:
            blocks.setdefault(r['device'], {})[r['type'].replace('_time', '')] = int(r['time_ns'])
        for device, b in blocks.items():
            self.same('timeline of %s: parts and total' % device,
                      b['computation'] + b['exposed_comm'] + b['exposed_memcpy'] + b['idle'], b['total'])
            self.same('timeline of %s: busy and idle' % device, b['busy'] + b['idle'], b['total'])
            self.holds('timeline of %s: exposed more than there is' % device,
                       b['exposed_comm'] <= b['total_comm'] and b['exposed_memcpy'] <= b['total_memcpy'])
        all_ = blocks.pop('all')
        for column in ('busy', 'computation', 'total_comm', 'total_memcpy'):
            each = [b[column] for b in blocks.values()] or [0]
            self.holds('timeline: %s of all is not between the largest and the sum of devices' % column,
                       max(each) <= all_[column] <= sum(each))
        durations = total(self.tables['kernels'], 'sum_ns')
        self.holds('timeline: busy longer than all durations', all_['busy'] <= durations or durations == MOST)

    def modules(self, name, owner):
        rows, events = {int(r['index']): r for r in self.tables[name]}, collections.Counter()
        for i, r in rows.items():
            own, gpu, parent = int(r['own_ns']), int(r['gpu_ns']), int(r['parent'])
            self.holds('%s %d: own_ns > gpu_ns' % (name, i), own <= gpu)
            events[parent] += int(r['gpu_events'])
            self.holds('%s %d: no parent %d' % (name, i, parent), parent == -1 or parent in rows)
            if parent in rows:
                self.holds('%s %d: more than its parent' % (name, i),
                           gpu <= int(rows[parent]['gpu_ns']) and int(r['gpu_events']) <= int(rows[parent]['gpu_events']))
            if 'gpu_ns_fwd' in r:
                forward, backward = int(r['gpu_ns_fwd']), int(r['gpu_ns_bwd'])
                self.holds('%s %d: forward and backward' % (name, i), max(forward, backward) <= gpu <= forward + backward)
                self.same('%s %d: events' % (name, i), int(r['gpu_events']), int(r['gpu_events_fwd']) + int(r['gpu_events_bwd']))
        for i, r in rows.items():
            self.holds('%s %d: fewer events than its children' % (name, i), events[i] <= int(r['gpu_events']))
        if self.chosen is not None:
            outside = sum(owner(i) == -1 for i in self.chosen)
            self.same('%s: events of roots and outside, and all' % name, events[-1] + outside, len(self.chosen))

    def collectives(self):
        rows = self.tables['collectives']
        for r in rows:
            self.summary(r, 'sum_ns', 'mean', 'min_ns', 'max_ns')
        if self.chosen is not None:
            kernels = [i for i in self.chosen if self.events.communicates[i] and self.events.rows[i][1] == 'kernel']
            self.same('collectives and kernels', total(rows, 'count'), len(kernels))
            self.same('collectives and durations', total(rows, 'sum_ns'), min(MOST, sum(self.events.ns[i] for i in kernels)))


class Must:
    """A command that does not fail."""

    def __init__(self, command):
        self.command = command

    def must(self, *arguments):
        r = self.command.run(*arguments)
        if r.status:
            raise RuntimeError(r.said())
        return r.text()


def difference(command, index, folder):
    """What is wrong with all tables of an index, with and without --linked-only, of a device, of a step."""
    folder, must, out = os.path.join(folder, 'sums'), Must(command), []
    try:
        events = Events(must, index)
        info = json.loads(must.must('info', index, '--format', 'json'))
        ways = [((), list(events.ns)), (('--linked-only',), [i for i, linked in events.linked.items() if linked])]
        device = str(info['devices'][-1]['device']) if info['devices'] else ''
        if device and '\0' not in device and '\ufffd' not in device:
            ways.append((('--device', device), None))
        steps, window = ('--step', '0-99999'), ('--between', '0', '9999s')
        if any_step(must, index):
            window = steps + window
        elif command.run('ops', index, *steps).status != 2:
            out.append('ops of steps that are not there is no wrong use')
        ways.append((window, None))
        for options, chosen in ways:
            must.must('report', index, '--csv-dir', folder, *options)
            tables = {}
            for name in os.listdir(folder):
                with open(os.path.join(folder, name), encoding='utf-8', errors='surrogateescape', newline='') as f:
                    tables[name[:-len('.csv')]] = rows_of(f.read())
            by_module = rows_of(must.must('ops', index, '--by', 'module', '--format', 'csv', *options))
            lines = Sums(tables, by_module, events, chosen).all()
            if chosen is None:
                lines += selected(must, index, options, tables)
            if not options:
                lines += linked_pairs(tables, events)
            out += [' '.join(options) + ': ' + line for line in lines]
            shutil.rmtree(folder)
    except RuntimeError as e:
        out.append(str(e))
    return out


def any_step(must, index):
    rows = rows_of(must.must('timeline', index, '--by', 'step', '--format', 'csv'))
    return any(int(r['step'].split('#')[1]) <= 99999 for r in rows if r['step'] != '(no step)')


def selected(must, index, options, tables):
    """Kernels are as many as the selection says it is of. A timeline also takes those that reach into a window."""
    said = json.loads(must.must('kernels', index, '--format', 'json', *options))['selection']
    count = total(tables['kernels'], 'count')
    return [] if said['gpu_events'] == count else ['%d kernels of %d selected' % (count, said['gpu_events'])]


def linked_pairs(tables, events):
    pairs = sorted([f, b] for b, f in enumerate(events.forward) if f != -1)
    return [] if pairs == [[int(r['forward']), int(r['backward'])] for r in tables['links']] else ['links are not those of dump']
