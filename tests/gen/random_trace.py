#!/usr/bin/env python3
"""Makes one small random trace from a seed: the odd along with the ordinary.

    random_trace.py SEED [--profile P] [--style S] [-o FILE] [--describe]

The same seed gives the same bytes.  Most events are ordinary, so that deep trees
and links form; each profile makes one kind of oddity frequent, the others rare.
"""
import argparse
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import jsontext                                                    # noqa: E402
from jsontext import Obj, Raw                                      # noqa: E402
import oddities                                                    # noqa: E402

# What a profile does not name is as here.  Numbers are probabilities unless said.
ORDINARY = {
    'events': (20, 260),                 # about how many
    'processes': (1, 1, 1, 2),           # one of these
    'threads': (1, 2, 3),                # with a forward part, in each process
    'grid': (1, 1, 10, 1000),            # ns: times are multiples of this
    'base': ('zero', 'relative', 'relative', 'absolute', 'negative'),
    'python': 0.5,                       # a call is a Python frame
    'gpu': 0.8,                          # a launch has GPU events
    'backward': 0.4,                     # a thread has a backward thread
    'cross': 0.02,                       # a call runs over its parent or sibling
    'zero': 0.02,                        # a call without duration
    'unlinked': 0.03,                    # a GPU event whose launch is missing
    'early': 0.03,                       # a GPU event before its launch
    'odd_id': 0.01,                      # an odd correlation, External id, ...
    'wrong_parent': 0.03,                # a recorded parent that is null, missing, another
    'reuse': 0.01,                       # a correlation used once more
    'flows': 0.8,                        # ac2g flows are written for a process
    'same_numbers': 0.0,                 # processes count correlations from one start
    'external_only': 0.03,               # no correlation in the whole file
    'external_is_correlation': 0.1,      # in the whole file
    'typed': 0.7,                        # Fwd thread id is there
    'pair': 0.01,                        # a B and an E instead of an X
    'odd_time': 0.01,                    # ts or dur of another form or none
    'odd_value': 0.01,                   # a member that is missing or of another type
    'odd_lane': 0.1,                     # a lane whose ids are no plain integers
    'spell': 0.01,                       # a lane id spelled in another way
    'duplicate': 0.005,                  # a key that stands twice
    'odd_element': 0.01,                 # an element that is no object, or empty
    'hostile': 0.01,                     # a name or an argument that hurts
    'noise': 0.15,                       # events outside the tree, per event
    'order': ('sections', 'sections', 'sections', 'time', 'shuffle', 'reverse', 'end'),
    'keys': ('kineto', 'kineto', 'kineto', 'span', 'jax', 'shuffle'),
    'time': ('f3', 'f3', 'trim', 'f3'),  # how ordinary times are written
    'style': jsontext.STYLES,
    'escapes': ('plain', 'plain', 'ascii'),
    'members': (0, 4),                   # members before and after the events, each
    'bare': 0.02,                        # the document is an array
    'mark': 0.02,                        # a byte order mark
}
PROFILES = {
    'realistic': {'style': ('kineto', 'kineto2', 'indent2', 'indent4', 'compact'), 'order': ('sections',),
                  'keys': ('kineto',), 'backward': 0.8, 'grid': (1,), 'odd_lane': 0},
    'python': {'python': 0.85, 'wrong_parent': 0.15, 'cross': 0.12, 'threads': (1, 2), 'gpu': 0.5},
    'crossing': {'cross': 0.25, 'grid': (1, 10, 1000), 'wrong_parent': 0.2},
    'ties': {'grid': (1000, 10000, 50000), 'zero': 0.15, 'cross': 0.08, 'time': ('trim', 'f3', 'int'), 'wrong_parent': 0.2},
    'ranks': {'processes': (2, 2, 3), 'same_numbers': 1.0, 'flows': 0.5, 'threads': (1,), 'reuse': 0.05, 'spell': 0.05,
              'backward': 0.2},
    'links': {'odd_id': 0.12, 'reuse': 0.12, 'unlinked': 0.1, 'early': 0.15, 'processes': (1, 2), 'same_numbers': 0.5,
              'external_only': 0.15, 'external_is_correlation': 0.2},
    'external': {'external_only': 0.7, 'external_is_correlation': 0.8, 'odd_id': 0.05, 'cross': 0.1, 'processes': (1, 2),
                 'same_numbers': 0.5},
    'backward': {'backward': 1.0, 'threads': (1, 2), 'typed': 0.5, 'odd_id': 0.06, 'python': 0.35, 'spell': 0.03,
                 'grid': (1, 1000, 20000)},
    'pairs': {'pair': 0.5, 'order': ('time', 'time', 'sections', 'shuffle'), 'odd_value': 0.03, 'cross': 0.05},
    'times': {'odd_time': 0.3, 'time': ('f3', 'trim', 'exponent', 'long', 'tie', 'quoted', 'mixed'), 'grid': (1, 1, 500),
              'base': ('zero', 'relative', 'absolute', 'negative', 'maximum', 'minimum', 'tiny'), 'cross': 0.08},
    'values': {'odd_value': 0.15, 'odd_time': 0.05, 'duplicate': 0.08, 'odd_element': 0.06},
    'strings': {'hostile': 0.3, 'escapes': ('plain', 'ascii', 'random', 'random'), 'odd_lane': 0.4},
    'lanes': {'odd_lane': 0.8, 'spell': 0.25, 'processes': (1, 2, 3), 'threads': (2, 3), 'backward': 0.6, 'noise': 0.3},
    'layout': {'style': ('wild', 'wild', 'crlf', 'old', 'lines', 'min', 'kineto2'), 'members': (2, 9), 'bare': 0.15,
               'mark': 0.25, 'escapes': ('plain', 'random'), 'keys': ('shuffle', 'jax', 'args first'), 'hostile': 0.08,
               'odd_element': 0.04},
    'everything': {'cross': 0.08, 'zero': 0.06, 'odd_id': 0.04, 'wrong_parent': 0.1, 'reuse': 0.04, 'pair': 0.08,
                   'odd_time': 0.06, 'odd_value': 0.04, 'odd_lane': 0.5, 'spell': 0.08, 'duplicate': 0.04,
                   'odd_element': 0.03, 'hostile': 0.08, 'processes': (1, 2, 3), 'same_numbers': 0.5,
                   'grid': (1, 1000), 'escapes': ('plain', 'random'), 'members': (0, 6)},
}
ORDER = tuple(PROFILES)
LARGE_EVERY = 53                         # of so many seeds one is large: many chunks of the default size

HOST_CALLS = ('cudaLaunchKernel', 'cudaLaunchKernelExC', 'cudaMemcpyAsync', 'cudaMemsetAsync', 'cudaGraphLaunch',
              'hipLaunchKernel', 'hipModuleLaunchKernel', 'cudaStreamSynchronize', 'INVALID')
LAUNCH_CATEGORIES = ('cuda_runtime',) * 8 + ('cuda_driver', 'xpu_runtime', 'xpu_driver', 'privateuse1_runtime',
                                             'privateuse1_driver')
OPERATIONS = ('aten::mm', 'aten::linear', 'aten::addmm', 'aten::add_', 'aten::copy_', 'aten::to', 'aten::relu',
              'triton_poi_fused_0', 'execute', 'record_param_comms', 'custom::op<float>')
FRAMES = ('model.py(12): forward', 'train.py(7): step', '<built-in method run of object at 0x7f00>',
          'torch/utils/checkpoint.py(9): recompute_fn', 'lib/loop.py(3): <listcomp>')
MODULES = ('nn.Module: Model_0', 'nn.Module: Block_1', 'nn.Module: Linear_2', 'nn.Module: Linear_3', 'nn.Module: ReLU_0',
           'nn.Module:', 'nn.Module: Attention_1')
KERNELS = ('void gemm_tile<float, 128>(float*, int)', 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(args)',
           'void at::native::vectorized_elementwise_kernel<4, at::native::{lambda(float)#1}, std::array<char*, 2ul> >(int)',
           'MEMORY_COPY_HOST_TO_DEVICE', '__amd_rocclr_copyBuffer.kd', '__amd_rocclr_fillBufferAligned',
           'RCCL_broadcast', 'cross_device_reduce_1stage', 'void at::native::reduce_kernel<512>(int)', 'triton_poi_fused_0')
ENGINE = 'autograd::engine::evaluate_function: '


class Event:
    """An event before it becomes text; times in ns."""

    def __init__(self, cat, name, lane, start, end, args=None, phase='X', more=()):
        self.cat, self.name, self.lane, self.start, self.end = cat, name, lane, start, end
        self.args, self.phase, self.more = Obj(args or ()), phase, list(more)
        self.section = 1

    def number(self, key):
        return self.args.get(key)


class Lane:
    """A (pid, tid) as values, and how far its GPU stream is busy."""

    def __init__(self, pid, tid):
        self.pid, self.tid, self.free = pid, tid, None


class Context:
    """What is open around a call while a thread is made up."""

    def __init__(self, frame=None, op=None, launch=None, backward=None):
        self.frame, self.op, self.launch, self.backward = frame, op, launch, backward

    def inside(self, **more):
        c = Context(self.frame, self.op, self.launch, self.backward)
        for k, v in more.items():
            setattr(c, k, v)
        return c


class Process:
    def __init__(self, pid, correlation, flows):
        self.pid, self.correlation, self.flows = pid, correlation, flows
        self.used, self.forward = [], []


class Maker:
    """Makes up the events of one trace."""

    def __init__(self, seed, profile=None):
        self.rng = random.Random('trace %d' % seed)
        self.large = profile is None and seed % LARGE_EVERY == LARGE_EVERY - 1
        self.profile = profile or ORDER[seed % len(ORDER)]
        self.knob = dict(ORDINARY)
        self.knob.update(PROFILES[self.profile])
        self.grid = self.pick('grid')
        self.count = self.rng.randint(*self.knob['events'])
        if self.large:
            self.count = self.rng.randint(2500, 4000)
        self.events, self.elements = [], []
        self.next = {'External id': self.rng.choice((1, 100)), 'Python id': 1, 'Ev Idx': 0, 'Sequence number': self.rng.randint(0, 40),
                     'flow': 1}
        self.only_external = self.chance('external_only')
        self.external_is_correlation = self.chance('external_is_correlation')
        self.typed = self.chance('typed')
        self.length = max(20, self.count) * max(self.rng.choice((500, 3000, 20000)), self.grid * self.rng.choice((1, 2, 5)))
        self.base = self.start_of_time()
        self.odd = oddities.Oddities(self.rng)

    # ---- drawing -----------------------------------------------------------------
    def chance(self, knob):
        return self.rng.random() < self.knob[knob]

    def pick(self, knob):
        return self.rng.choice(self.knob[knob])

    def number(self, space, step=1):
        self.next[space] += step
        return self.next[space] - step

    def start_of_time(self):
        kind = self.pick('base')
        at = {'zero': 0, 'tiny': 1, 'relative': 4458676522690655 // self.rng.randint(1, 1000), 'absolute': 1712195495519689047,
              'negative': -self.length // 2, 'maximum': (1 << 63) - 1 - self.length // 2,
              'minimum': -(1 << 63) - self.length // 2}[kind]
        return at // self.grid * self.grid

    def cuts(self, start, end, n):
        """n points in [start, end) on the grid, ascending."""
        span = max(1, (end - start) // self.grid)
        return sorted(start + self.rng.randrange(span) * self.grid for _ in range(n))

    # ---- lanes -------------------------------------------------------------------
    def lane(self, pid, tid):
        if self.chance('odd_lane'):
            if self.rng.random() < 0.5:
                tid = self.odd.lane_id()
            elif self.rng.random() < 0.4:
                pid = self.odd.lane_id()
        return Lane(pid, tid)

    def gpu_lanes(self, host):
        n = self.rng.choice((1, 1, 2, 3))
        if self.rng.random() < 0.2:                                 # the ids of a host thread
            return [Lane(host.pid, host.tid)] + [self.lane(0, 7 + i) for i in range(n - 1)]
        device = self.rng.choice((0, 0, 1, 2))
        return [self.lane(device, self.rng.choice((0, 7, 7 + i, 20 + i))) for i in range(n)]

    # ---- the whole ----------------------------------------------------------------
    def make(self):
        rng = self.rng
        start = rng.randint(1, 5000)
        if self.external_is_correlation and rng.random() < 0.5:     # the two kinds of number meet by chance
            start = self.next['External id'] + rng.randint(0, 4)
        gpu = None
        for p in range(self.pick('processes')):
            pid = 4000 + 10 * p
            first = start if self.chance('same_numbers') else start + 100000 * p
            process = Process(pid, first, self.chance('flows'))
            for t in range(self.pick('threads')):
                lane = self.lane(pid, pid + t if rng.random() < 0.8 else rng.choice((0, 7, -5 - t, 3000000000 + t)))
                if gpu is None or rng.random() < 0.6:
                    gpu = self.gpu_lanes(lane)
                self.process, self.streams = process, gpu
                self.thread(lane)
        for _ in range(int(len(self.events) * self.knob['noise'])):
            self.noise()
        self.cross()
        return self

    def thread(self, lane):
        whole = self.base, self.base + self.length
        share = max(10, self.count // 4)
        self.budget = min(share * 3, self.count - len(self.events)) if self.events else share * 2
        if not self.chance('backward'):
            self.fill(lane, *whole, Context(), 0)
            return
        middle = self.base + self.length // 2 // self.grid * self.grid
        self.process.forward = []
        self.fill(lane, whole[0], middle, Context(), 0)
        self.budget += share
        other = lane if self.rng.random() < 0.15 else Lane(lane.pid, self.rng.choice((9001, 9002, 'pt_autograd_0')))
        self.backward(other, middle if self.rng.random() < 0.9 else whole[0], whole[1])

    def fill(self, lane, start, end, context, depth):
        """Calls of one thread within [start, end)."""
        rng = self.rng
        if end - start < 2 * self.grid or depth > 40:
            return
        n = rng.choice((1, 1, 2, 3, 4)) if depth else max(rng.choice((2, 3, 5, 8)), self.budget // 15)
        points = self.cuts(start, end, 2 * n)
        for i in range(n):
            if self.budget <= 0:
                return
            a, b = points[2 * i], points[2 * i + 1]
            if rng.random() < 0.15:
                a = points[2 * i - 1] if i else start                # touches the one before, or its parent's start
            if rng.random() < 0.1:
                b = end
            if self.chance('zero'):
                b = a
            if b < a:
                a, b = b, a
            self.call(lane, a, b, context, depth)

    def call(self, lane, start, end, context, depth):
        rng = self.rng
        self.budget -= 1
        draw = rng.random()
        if context.launch:
            if context.launch.cat != 'cuda_driver' and draw < 0.35:
                self.launch(lane, start, end, context)
        elif context.op and draw < 0.45 or draw < 0.08:
            self.launch(lane, start, end, context)
        elif rng.random() < self.knob['python'] * (0.25 if context.op else 1):
            self.frame(lane, start, end, context, depth)
        elif draw > 0.96:
            self.add(Event('user_annotation', rng.choice(('ProfilerStep#1', 'region')), lane, start, end,
                           [('External id', self.integer(self.number('External id')))]))
            self.fill(lane, start, end, context, depth + 1)
        else:
            self.operation(lane, start, end, context, depth)

    # ---- the layers ----------------------------------------------------------------
    def add(self, event, section=1):
        event.section = section
        self.events.append(event)
        return event

    def integer(self, value):
        """A number of an id; rarely an odd one or one in quotes."""
        return self.odd.integer(value) if self.chance('odd_id') else Raw(value)

    def frame(self, lane, start, end, context, depth):
        rng, number = self.rng, self.number('Python id')
        module = rng.random() < 0.3
        args = [('Python id', self.integer(number))]
        parent = context.frame
        if self.chance('wrong_parent'):
            args += rng.choice(([], [('Python parent id', None)], [('Python parent id', Raw(rng.randint(0, number + 3)))]))
        else:
            args.append(('Python parent id', self.integer(parent) if parent is not None else None))
        if module:
            args.append(('Python module id', Raw(rng.randint(0, 5))))
        if rng.random() < 0.05:
            args = [a for a in args if a[0] != 'Python id']
        rng.random() < 0.2 and rng.shuffle(args)
        self.add(Event('python_function', rng.choice(MODULES if module else FRAMES), lane, start, end, args), 2)
        self.fill(lane, start, end, context.inside(frame=number), depth + 1)

    def operation(self, lane, start, end, context, depth):
        rng, number = self.rng, self.number('External id')
        args = [('External id', self.integer(number))]
        if rng.random() < 0.04:
            args = [] if rng.random() < 0.5 else [('External id', Raw(rng.randint(1, number)))]
        sequence = None
        if context.backward:
            if rng.random() < 0.5:
                args += self.sequence(context.backward, 1)
        elif rng.random() < 0.5:
            again = context.op is not None and context.op.number('Sequence number') is not None and rng.random() < 0.6
            sequence = self.next['Sequence number'] - 1 if again else self.number('Sequence number', rng.choice((1, 1, 2)))
            args += self.sequence(sequence, 0)
        args.append(('Ev Idx', Raw(self.number('Ev Idx'))))
        if rng.random() < 0.5:
            args += self.shapes()
        event = self.add(Event('cpu_op', rng.choice(OPERATIONS), lane, start, end, args))
        if sequence is not None:
            self.process.forward.append((sequence, event))
        self.fill(lane, start, end, context.inside(op=event), depth + 1)

    def sequence(self, number, thread):
        args = [('Sequence number', self.integer(number))]
        if self.typed and self.rng.random() < 0.95:
            args.append(('Fwd thread id', self.odd.integer(thread) if self.chance('odd_id') else Raw(thread)))
        return args

    def shapes(self):
        rng = self.rng
        dims = [[Raw(rng.randint(1, 4096)) for _ in range(rng.randint(0, 3))] for _ in range(rng.randint(0, 4))]
        if rng.random() < 0.15:
            dims.append([[Raw(2), Raw(3)], [Raw(4)]])
        return [('Input Dims', dims), ('Input type', [rng.choice(('float', 'long int', '', 'c10::BFloat16')) for _ in dims]),
                ('Concrete Inputs', [rng.choice(('', '1', '[1, -1]', 'False', '1.0000000000000001e-05')) for _ in dims])]

    def launch(self, lane, start, end, context):
        rng, process = self.rng, self.process
        outer = context.launch
        if outer is not None and rng.random() < 0.7:
            correlation = outer.number('correlation')                # a driver call inside a runtime call
        elif process.used and self.chance('reuse'):
            correlation = rng.choice(process.used)
        else:
            correlation = self.integer(process.correlation)
            process.correlation += rng.choice((1, 1, 1, 3))
        process.used.append(correlation)
        args = [('cbid', Raw(rng.randint(1, 400)))]
        external = context.op.number('External id') if context.op else None
        if self.external_is_correlation:
            external = correlation
        elif self.chance('wrong_parent'):
            external = Raw(rng.randint(0, self.next['External id']))
        if self.only_external and not self.external_is_correlation and rng.random() < 0.3:
            external = Raw(process.correlation)
        if external is not None:
            args.insert(rng.randint(0, 1), ('External id', external))
        if not self.only_external and rng.random() < 0.98:
            args.append(('correlation', correlation))
        cat = rng.choice(LAUNCH_CATEGORIES) if outer is None else 'cuda_driver'
        event = self.add(Event(cat, rng.choice(HOST_CALLS), lane, start, end, args), 3)
        if outer is None or rng.random() < 0.3:
            if self.chance('gpu'):
                for _ in range(rng.choice((1, 1, 1, 1, 1, 2, 4))):
                    self.gpu_event(event, external)
        if process.flows and rng.random() < 0.9:
            self.flow('ac2g', 's', correlation, lane, start)
        self.fill(lane, start, end, context.inside(launch=event), 30)

    def gpu_event(self, launch, external):
        rng = self.rng
        lane = rng.choice(self.streams)
        start = (launch.start if self.chance('early') else launch.end) + rng.choice((-2, 0, 1, 5, 50, 500)) * self.grid
        if lane.free is not None and rng.random() < 0.9:
            start = max(start, lane.free)
        end = start + rng.randrange(max(1, self.length // 20 // self.grid)) * self.grid
        if self.chance('zero'):
            end = start
        lane.free = max(end, lane.free or end)
        cat = rng.choice(('kernel',) * 6 + ('gpu_memcpy', 'gpu_memset'))
        args = [('stream', Raw(rng.randint(0, 9))), ('device', Raw(0))]
        if external is not None and rng.random() < 0.8:
            args.insert(0, ('External id', external))
        if not self.only_external:
            value = launch.number('correlation')
            if self.chance('unlinked'):
                value = self.integer(self.process.correlation + 7777777)
            if value is not None and rng.random() < 0.98:
                args.insert(rng.randint(0, len(args)), ('correlation', value))
        if rng.random() < 0.2:
            args.append(('blocks per SM', rng.choice((Raw('0.8'), Raw(8), 'inf'))))
        event = self.add(Event(cat, rng.choice(KERNELS), lane, start, end, args), 3)
        if self.process.flows and rng.random() < 0.8:
            number = launch.number('correlation') or external
            if number is not None:
                self.flow('ac2g', 'f', number, lane, start)
        return event

    def flow(self, cat, phase, number, lane, at):
        if self.rng.random() < 0.1:
            cat = {'ac2g': 'async_cpu_to_gpu', 'fwdbwd': 'forward_backward'}[cat]
        more = [('id', number)]
        if phase == 'f':
            more.append(('bp', 'e'))
        return self.add(Event(cat, cat, lane, at, None, None, phase, more), 3 if cat in ('ac2g', 'async_cpu_to_gpu') else 1)

    # ---- backward -------------------------------------------------------------------
    def backward(self, lane, start, end):
        rng = self.rng
        forward = [f for f in self.process.forward if rng.random() < 0.8]
        rng.random() < 0.8 and forward.reverse()
        points = self.cuts(start, end, 2 * len(forward))
        for i, (sequence, op) in enumerate(forward):
            if self.budget <= 0:
                break
            a, b = points[2 * i], points[2 * i + 1]
            for _ in range(rng.choice((1, 1, 1, 1, 2))):
                self.evaluate(lane, a, b, sequence, op)

    def evaluate(self, lane, start, end, sequence, op):
        rng = self.rng
        self.budget -= 2
        name = op.name.split('::')[-1].capitalize() + 'Backward0'
        args = [('External id', self.integer(self.number('External id')))]
        if rng.random() < 0.9:
            args += self.sequence(sequence, 1)
        outer = self.add(Event('cpu_op', ENGINE + name, lane, start, end, args))
        a, b = (start, end) if rng.random() < 0.3 else self.cuts(start, end, 2)
        inner = self.add(Event('cpu_op', name, lane, a, b, [('External id', Raw(self.number('External id')))]
                               + (self.sequence(sequence, 1) if rng.random() < 0.8 else [])))
        self.fill(lane, a, b, Context(op=inner, backward=sequence), 2)
        while rng.random() < (0.6 if self.process.flows else 0.2):
            target = rng.choice((outer, inner, inner, inner, op))
            number = self.number('flow', rng.choice((1, 1, 1, 0)))
            number = self.odd.lane_id() if self.chance('odd_id') else Raw(number)
            source = op if rng.random() < 0.9 else rng.choice(self.process.forward)[1]
            off = self.grid if rng.random() < 0.05 else 0
            self.flow('fwdbwd', 's', number, source.lane, source.start + off)
            for _ in range(rng.choice((1, 1, 1, 1, 2))):
                self.flow('fwdbwd', 'f', number, lane, target.start)

    # ---- crossings ------------------------------------------------------------------
    def cross(self):
        """Moves ends and starts of calls past those around them: by little or by much."""
        rng = self.rng
        lengths = [e.end - e.start for e in self.events if e.end is not None and e.end > e.start] or [1000]
        for e in self.events:
            if e.end is None or e.phase != 'X' or not self.chance('cross'):
                continue
            by = rng.choice((self.grid, 2 * self.grid, rng.choice(lengths), rng.choice(lengths) // 2, max(lengths)))
            by = max(1, by // self.grid) * self.grid
            if rng.random() < 0.75:
                e.end += by
            else:
                e.start -= by

    # ---- beside the tree --------------------------------------------------------------
    def noise(self):
        rng = self.rng
        lane = rng.choice(self.events).lane
        at = self.base + rng.randrange(max(1, self.length))
        kind = rng.choice(('M', 'M', 'M', 'i', 'i', 'C', 'Trace', 'gpu_user_annotation', 'overhead', 'cuda_sync', 'unknown', 'b', 't',
                           'O', 'E', 'B', 'near miss'))
        if kind == 'M':
            name = rng.choice(('process_name', 'thread_name', 'process_labels', 'thread_sort_index'))
            args = [('sort_index', Raw(rng.randint(0, 99)))] if 'sort' in name else [('name', rng.choice(('python', 'stream 7', 'GPU 0')))]
            self.add(Event(None, name, lane, rng.choice((0, at)), None, args, 'M'), 4)
        elif kind == 'i':
            self.add(Event('cpu_instant_event', '[memory]', lane, at, None, [('Bytes', Raw(-rng.randint(1, 99))), ('Addr', Raw(1 << 46))],
                           'i', [('s', 't')]))
        elif kind == 'C':
            self.add(Event(None, 'counter', Lane('GPU 0 Counters', lane.tid), at, None, [('', Raw('0.5'))], 'C'))
        elif kind == 'Trace':
            self.add(Event('Trace', 'PyTorch Profiler (0)', Lane('Spans', 'PyTorch Profiler'), at, at + 5000, [('Op count', Raw(0))]), 4)
        elif kind in ('b', 't', 'O'):
            self.add(Event('cpu_op', 'async', lane, at, None, None, rng.choice(('b', 'e', 'n', 't', 'O', 'R')), [('id', Raw(3))]))
        elif kind in ('B', 'E'):
            self.add(Event(rng.choice(('cpu_op', 'python_function', None)), 'open', lane, at, None, None, kind))
        elif kind == 'near miss':                                   # names that only look like those with a meaning
            cat = rng.choice(('cpu_op', 'python_function'))
            name = rng.choice(('nn.Module', 'xnn.Module: A', 'nn.module: B', ENGINE[:-2], 'x' + ENGINE, ENGINE.strip()))
            args = [('Sequence number', Raw(rng.randint(0, 30)))]
            self.add(Event(cat, name, lane, at, at + rng.randrange(2000) * self.grid, args))
        else:
            cat = rng.choice(('Kernel', 'cpu_op2', 'cpu', '', 'KERNEL', 'gpu_memcpy2', 'Operator')) if kind == 'unknown' else kind
            self.add(Event(cat, rng.choice(('Buffer Flush', 'aten::mm', 'region')), lane, at, at + rng.randrange(3000),
                           [('correlation', Raw(rng.randint(0, 5000)))]), 3)


class Trace:
    """A finished trace: its text in pieces, so that elements can be left out."""

    def __init__(self, maker, style=None):
        self.profile, rng = maker.profile, maker.rng
        self.style = style or maker.pick('style')
        self.escapes = maker.pick('escapes')
        writer = jsontext.Writer(rng, self.style, self.escapes, rng.choice((0.02, 0.15, 0.6)))
        elements = oddities.Renderer(maker).elements()
        self.bare = maker.chance('bare')
        self.mark = maker.chance('mark')
        before, after = maker.odd.members(maker.knob['members']), maker.odd.members(maker.knob['members'])
        self.pieces = writer.pieces(before, elements, after, self.bare)

    def data(self, keep=None):
        """The bytes; only the elements of which `keep` lists the positions."""
        head, texts, seps, tail = self.pieces
        if keep is not None:
            texts, seps = [texts[i] for i in keep], [seps[i - 1] for i in keep[1:]]
        return jsontext.assemble(head, texts, seps, tail, self.mark)


def make(seed, profile=None, style=None):
    return Trace(Maker(seed, profile).make(), style)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('seed', type=int)
    p.add_argument('--profile', choices=ORDER)
    p.add_argument('--style', choices=jsontext.STYLES)
    p.add_argument('-o', metavar='FILE', help='write there instead of standard output')
    p.add_argument('--describe', action='store_true', help='say what the seed makes, and no more')
    o = p.parse_args()
    trace = make(o.seed, o.profile, o.style)
    data = trace.data()
    if o.describe:
        print('profile %s, style %s, escapes %s, %d elements, %d bytes' % (trace.profile, trace.style, trace.escapes,
                                                                          len(trace.pieces[1]), len(data)))
    elif o.o:
        with open(o.o, 'wb') as f:
            f.write(data)
    else:
        sys.stdout.buffer.write(data)


if __name__ == '__main__':
    main()
