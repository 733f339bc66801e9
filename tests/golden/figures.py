#!/usr/bin/env python3
"""What TraceLens, the tool whose tables ours are to be compared with, prints for some real traces; TAP.

Its figures are those of $T2T_SHARED/tables-of-tracelens.md. It counts in doubles of microseconds on the trace's clock, so a figure may differ
from an exact one by two units in the last place of a double of that size for every interval that is part of it. Where its definitions differ
from ours, the difference is told by a figure of ours: what it leaves out.
"""
import csv
import io
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import golden                                                      # noqa: E402
import sums                                                        # noqa: E402
from golden import Command, Tap                                    # noqa: E402

csv.field_size_limit(1 << 30)


class Trace:
    """A trace, its tables, and what of them is compared."""

    def __init__(self, tap, folder, name):
        self.tap, self.name, self.command = tap, name, Command(folder)
        self.index = os.path.join(folder, name + '.t2t')
        self.must('build', os.path.join(golden.SHARED, 'traces', name + '.json.gz'), '-o', self.index)
        info = json.loads(self.must('info', self.index, '--format', 'json'))
        self.step_ns = 2 * math.ulp(info['last_end_ns'] / 1000) * 1000      # what an interval may be off

    def must(self, *arguments):
        r = self.command.run(*arguments)
        if r.status:
            raise RuntimeError(r.said())
        return r.text()

    def table(self, *arguments):
        text = self.must(*arguments, self.index, '--format', 'csv')
        return list(csv.DictReader(io.StringIO(text, newline='')))

    def row(self, rows, **cells):
        found = [r for r in rows if all(r[k] == str(v) for k, v in cells.items())]
        if len(found) != 1:
            raise RuntimeError('%s: %d rows of %s' % (self.name, len(found), cells))
        return found[0]

    def is_exactly(self, what, found, wanted):
        self.tap.line(str(found) == str(wanted), '%s: %s is %s' % (self.name, what, wanted), ['found %s' % found])

    def is_near(self, what, found, wanted, off):
        """`off` is how far they may be apart."""
        self.tap.line(abs(float(found) - wanted) <= off, '%s: %s is %r' % (self.name, what, wanted),
                      ['found %s, off by %g of at most %g' % (found, abs(float(found) - wanted), off)])

    def is_time(self, what, found_ns, wanted_us, intervals):
        self.is_near(what + ' in us', float(found_ns) / 1000, wanted_us, (intervals * self.step_ns) / 1000)

    def is_share(self, what, found, wanted, part_off_ns, total_ns):
        """A percentage of a total: both may be off."""
        self.is_near(what, found, wanted, 100 * 2 * part_off_ns / total_ns)


def bert(t):
    linked = ('--linked-only',)
    rows = t.table('timeline', *linked)
    events = sum(int(r['count']) for r in t.table('kernels', *linked))
    computation = t.row(rows, device='all', type='computation_time')
    total = t.row(rows, device='all', type='total_time')
    t.is_time('computation_time', computation['time_ns'], 307.19775390625, events)
    t.is_share('its share', computation['percent'], 7.86109300556382, events * t.step_ns, float(total['time_ns']))
    t.is_time('total_time', total['time_ns'], 3907.824951171875, 1)
    t.is_near('its share', total['percent'], 100.0, 0)
    addmm = t.row(t.table('ops', *linked), name='aten::addmm')
    direct = 197.59814453125 / 0.63857156495249946 * 1000           # of all operations
    t.is_exactly('operations addmm', addmm['count'], 26)
    t.is_exactly('categories of addmm', addmm['categories'], '["GEMM"]')
    t.is_time('direct time of addmm', addmm['direct_ns'], 197.59814453125, 26)
    t.is_time('subtree time of addmm', addmm['subtree_ns'], 197.59814453125, 26)
    t.is_share('share of addmm', addmm['percent'], 63.857156495249946, events * t.step_ns, direct)
    t.is_share('cumulative share of addmm', addmm['cumulative_percent'], 63.857156495249946, events * t.step_ns, direct)
    gemm = t.table('ops', '--by', 'category', *linked)[0]
    t.is_exactly('first category', gemm['category'], 'GEMM')
    t.is_exactly('operations of it', gemm['count'], 26)
    t.is_time('its direct time', gemm['direct_ns'], 197.59814453125, 26)
    t.is_share('its share', gemm['percent'], 63.857156495249946, events * t.step_ns, direct)
    bert_arguments(t, t.table('ops', '--by', 'args', *linked)[0], events, direct)
    bert_kernels(t, t.table('kernels', *linked), float(total['time_ns']))


def bert_arguments(t, first, events, direct):
    for column, wanted in (('name', 'aten::addmm'), ('category', 'GEMM'), ('process_name', 'python3'),
                           ('thread_name', 'thread 19392 (python3)'), ('input_dims', '[[512],[141,512],[512,512],[],[]]'),
                           ('count', 17), ('first_index', 48)):
        t.is_exactly('%s of the first operation by arguments' % column, first[column], wanted)
    for column, wanted, intervals in (('sum', 98.718017578125, 17), ('mean', 5.806942210477941, 1), ('std', 0.11484330395890131, 1),
                                      ('min', 5.633056640625, 1), ('max', 6.080078125, 1)):
        t.is_time('its direct_ns_' + column, first['direct_ns_' + column], wanted, intervals)
        t.is_time('its subtree_ns_' + column, first['subtree_ns_' + column], wanted, intervals)
    t.is_share('its share', first['percent'], 31.90238406510043, events * t.step_ns, direct)


def bert_kernels(t, rows, total_ns):
    """It has kernels only here, without copies and fills, and durations as they are in the trace."""
    kernels = [r for r in rows if not r['kernel'].startswith(('Memcpy', 'Memset'))]
    first, durations = kernels[0], sum(int(r['sum_ns']) for r in kernels)
    t.is_exactly('category of the first kernel', first['category'], 'GEMM')
    t.is_exactly('launcher of it', first['launcher'], 'aten::addmm')
    t.is_exactly('it is of cutlass', first['kernel'].startswith('void cutlass::Kernel2<'), True)
    for column, wanted in (('stream', 7), ('count', 17), ('sum_ns', 98718), ('min_ns', 5633), ('max_ns', 6080)):
        t.is_exactly(column + ' of it', first[column], wanted)
    t.is_near('mean of it in us', float(first['mean']) / 1000, 5.8069411764705885, 1e-14)
    t.is_near('its share of the time of kernels', 100 * 98718 / durations, 32.135079444135194, 1e-13)
    t.is_share('its share of the total time', 100 * 98718 / total_ns, 2.5261622829445454, t.step_ns, total_ns)


def resnet(t):
    """There a fill belongs to no launch, as the flow of hipMemset has no start; here it does."""
    events = sums.Events(sums.Must(t.command), t.index)
    linked = [i for i in events.ns if events.linked[i] and events.rows[i][1] != 'gpu_memset']
    resnet_module(t, events, linked)
    of_module = [i for i in linked if events.module[i] != -1]
    by_link = [i for i in linked if events.module[i] == -1 and events.owner(i) != -1]
    for what, members, count, ms in (('a module', of_module, 1413, 10.5), ('one by a link', by_link, 795, 8.9)):
        t.is_exactly('GPU events with %s, without fills' % what, len(members), count)
        t.is_near('their time in ms', sum(events.ns[i] for i in members) / 1e6, ms, 0.05)
    kernels = t.table('kernels')
    t.is_exactly('kernels without a launch', sum(int(r['count']) for r in kernels if r['launcher'] == '(unlinked)'), 968)
    t.is_exactly('links by flows', len(t.table('links')), 213)
    copy = t.row(t.table('ops', '--by', 'launcher', '--linked-only'), index=5726)
    t.is_exactly('name of 5726', copy['name'], 'aten::copy_')
    t.is_time('direct time of 5726', copy['direct_ns'], 4.719, 1)
    resnet_collectives(t)


def resnet_module(t, events, linked):
    """The first DistributedDataParallel."""
    module = 8640
    row = t.row(t.table('modules', '--forward-only', '--linked-only'), index=module)
    below = {i for i in events.ns if is_below(events.parent, i, module)}
    rest = below.intersection(linked)
    t.is_exactly('name of module %d' % module, row['name'], 'nn.Module: DistributedDataParallel_0')
    t.is_exactly('GPU events below it', row['gpu_events'], len(below))
    t.is_exactly('without fills', len(rest), 274)
    t.is_time('time of them', busy(t, rest), 2131.2392578125, len(rest))
    t.is_exactly('time of all of them', row['gpu_ns'], busy(t, below))
    t.is_time('time that is of no module in it', row['own_ns'], 281.1376953125, len(rest))


def is_below(parent, i, node):
    while i not in (-1, node):
        i = parent[i]
    return i == node


def busy(t, members):
    """How long any of some GPU events ran, in ns."""
    found = json.loads(t.must('find', t.index, '', '--layer', 'gpu', '--format', 'json'))
    ns, reach = 0, -math.inf
    for start, end in sorted((e['start_ns'], e['start_ns'] + e['dur_ns']) for e in found if e['position'] in members):
        ns += max(0, end - max(start, reach))
        reach = max(reach, end)
    return ns


def resnet_collectives(t):
    rows = t.table('collectives')
    first = rows[0]
    for column, wanted in (('process_group_name', '"0"'), ('process_group_ranks', '"[0, 1, 2, 3, 4, 5, 6, 7]"'),
                           ('collective_name', '"allreduce"'), ('group_size', 8), ('dtype', '"BFloat16"'), ('in_msg_nelems', 8816192),
                           ('out_msg_nelems', 8816192), ('in_split_size', '"[]"'), ('out_split_size', '"[]"'), ('stream', 4), ('count', 3),
                           ('sum_ns', 26798240), ('min_ns', 8656708), ('max_ns', 9208906)):
        t.is_exactly('%s of the first collective' % column, first[column], wanted)
    t.is_near('message in MB', int(first['in_msg_bytes']) / 2 ** 20, 16.8155517578125, 0)
    t.is_near('mean in us', float(first['mean']) / 1000, 8932.746666666668, 1e-11)
    t.is_near('std in us', float(first['std']) / 1000, 276.099019776118, 1e-10)
    t.is_exactly('collectives', sum(int(r['count']) for r in rows), 17)
    t.is_exactly('collectives that say nothing', sum(int(r['count']) for r in rows if r['process_group_name'] == 'null'), 5)


def timesformer(t):
    rows = t.table('modules', '--forward-only', '--linked-only')
    t.is_exactly('modules without GPU work', sum(r['gpu_events'] == '0' for r in rows), 110)


def qwen(t):
    """Kernels that were launched before the trace: it divides their time, too, by the time of the others."""
    rows = t.table('kernels')
    t.is_exactly('GPU events', sum(int(r['count']) for r in rows), 1707)
    t.is_exactly('without a launch', sum(int(r['count']) for r in rows if r['launcher'] == '(unlinked)'), 509)
    total = t.row(t.table('timeline', '--linked-only'), device='all', type='total_time')
    t.is_exactly('percent of its total time', int(100 * sum(int(r['sum_ns']) for r in rows) / float(total['time_ns'])), 130)


TRACES = {'h100_bert_small': bert, 'mi300_resnet_act_checkpoint': resnet, 'mi300_timesformer': timesformer, 'h100_qwen_0.5b': qwen}


def main():
    tap = Tap()
    if not os.path.isdir(os.path.join(golden.SHARED, 'traces')):
        return tap.skip_all('no traces in %s' % golden.SHARED)
    for name, compare in TRACES.items():
        with golden.work_folder() as folder:
            try:
                compare(Trace(tap, folder, name))
            except RuntimeError as e:
                tap.line(False, name, [str(e)])
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
