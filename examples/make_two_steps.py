#!/usr/bin/env python3
"""Writes two_steps.json, a made-up profiler trace: two training steps of a small model.

    make_two_steps.py [FILE]        (default: two_steps.json beside this script; - for standard output)

Everything is invented, in the layout that torch.profiler writes: a network of
three linear layers, its modules and Python frames, forward on the main thread,
backward on autograd's, kernels on stream 7, the gradients' all-reduce on stream
20, a captured graph of three kernels in the second step.  The same bytes at
every run; a test compares them with the file.
"""
import contextlib
import json
import os
import sys

PID, MAIN, ENGINE_THREAD = 4211, 4211, 4290
DEVICE, COMPUTE, COLLECTIVES = 0, 7, 20
BASE_NS = 1751410836000000000
BEGIN = 2087455310204118                                            # ns after BASE_NS
BATCH, WIDTHS = 64, (512, 1024, 512, 10)
ENGINE = 'autograd::engine::evaluate_function: '
GEMM = 'void tile_gemm_kernel<float, 128, 64, {0}>(float const*, float const*, float*, int, int, int)'
ELEMENTWISE = ('void at::native::vectorized_elementwise_kernel<4, at::native::{0}(at::TensorIteratorBase&)::{{lambda()#1}}::operator()() const::'
               '{{lambda(float)#1}}, std::array<char*, 2ul> >(int, at::native::{0}, std::array<char*, 2ul>)')
REDUCE = 'void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::{0}, unsigned int, float, 4> >(int)'
MULTI = 'void at::native::multi_tensor_apply_kernel<at::native::TensorListMetadata<2>, at::native::{0}<float, 2> >(int)'
GROUP = [('Process Group Name', '0'), ('Process Group Description', 'default_pg'), ('Process Group Ranks', '[0, 1]')]
CALLS = {'cudaLaunchKernel': 211, 'cudaMemcpyAsync': 41, 'cudaMemsetAsync': 51, 'cudaGraphLaunch': 311, 'cudaStreamWaitEvent': 147,
         'cudaEventRecord': 135, 'cudaDeviceSynchronize': 165, 'cudaLaunchKernelExC': 430}


class Jitter:
    """Numbers that look measured, the same at every run."""

    def __init__(self):
        self.state = 20250702

    def __call__(self, low, high):
        self.state = (self.state * 1103515245 + 12345) % (1 << 31)
        return low + (self.state >> 8) % (high - low + 1)


jitter = Jitter()


class Thread:
    def __init__(self, tid):
        self.tid, self.now, self.frames, self.ops = tid, BEGIN, [], []


class Maker:
    """Takes calls in the order they happen and keeps what the profiler would have written."""

    def __init__(self):
        self.host, self.python, self.activity, self.annotations = [], [], [], []
        self.record, self.external, self.frame, self.correlation, self.sequence, self.flow = 0, 0, 0, 5100, 70, 0
        self.free = {COMPUTE: 0, COLLECTIVES: 0}                    # when a stream has done its work
        self.spans = {}                                             # annotation -> stream -> [start, end]
        self.open, self.allocated, self.modules = [], 64 << 20, {}

    def next(self, what):
        setattr(self, what, getattr(self, what) + 1)
        return getattr(self, what)

    # ---- calls on the host --------------------------------------------------------
    @contextlib.contextmanager
    def call(self, t, into, cat, name, args, lead=(300, 900), tail=(200, 700)):
        """One event around what happens inside."""
        t.now += jitter(*lead)
        event = {'ph': 'X', 'cat': cat, 'name': name, 'pid': PID, 'tid': t.tid, 'ts': t.now, 'dur': 0, 'args': args}
        into.append(event)
        t.now += jitter(*tail)
        yield event
        t.now += jitter(*tail)
        event['dur'] = t.now - event['ts']

    @contextlib.contextmanager
    def python_frame(self, t, name, module=None):
        number, parent = self.next('frame'), t.frames[-1] if t.frames else None
        args = [('Python parent id', parent), ('Python id', number)]
        if module is not None:
            args.append(('Python module id', self.modules.setdefault(module, len(self.modules))))
        args.append(('Ev Idx', self.next('record')))
        t.frames.append(number)
        with self.call(t, self.python, 'python_function', name, args) as event:
            yield event
        t.frames.pop()

    @contextlib.contextmanager
    def op(self, t, name, inputs=(), sequence=None, forward_thread=0, extra=(), cat='cpu_op'):
        """`inputs`: (shape, type, text) each."""
        number = self.next('external')
        args = [('External id', number)]
        if sequence is not None:
            args += [('Sequence number', sequence), ('Fwd thread id', forward_thread)]
        args.append(('Record function id', 0))
        args += list(extra)
        if inputs:
            args += [('Concrete Inputs', [text for _, _, text in inputs]), ('Input type', [kind for _, kind, _ in inputs]),
                     ('Input Strides', [strides(shape) for shape, _, _ in inputs]), ('Input Dims', [shape for shape, _, _ in inputs])]
        args.append(('Ev Idx', self.next('record')))
        with self.call(t, self.host, cat, name, args) as event:
            event['external'] = number
            t.ops.append(event)
            if cat == 'user_annotation':
                self.open.append(event)
            yield event
            t.ops.pop()
            if cat == 'user_annotation':
                self.open.remove(event)

    def annotation(self, t, name):
        return self.op(t, name, extra=[('scope', 'user_scope')], cat='user_annotation')

    def memory(self, t, size):
        self.allocated += size
        args = [('Total Reserved', 256 << 20), ('Total Allocated', self.allocated), ('Bytes', size), ('Addr', (1 << 47) - 4096 - self.allocated),
                ('Device Id', DEVICE), ('Device Type', 1), ('Ev Idx', self.next('record'))]
        self.host.append({'ph': 'i', 'cat': 'cpu_instant_event', 's': 't', 'name': '[memory]', 'pid': PID, 'tid': t.tid, 'ts': t.now, 'args': args})

    # ---- launches and what they start -----------------------------------------------
    def runtime(self, t, name, gpu=(), stream=COMPUTE, dur=(3000, 5200), after=0):
        """A call, and its GPU events: (category, name, ns, arguments) each."""
        correlation = self.next('correlation')
        op = next((o for o in reversed(t.ops) if o['cat'] == 'cpu_op'), None)
        external = [('External id', op['external'])] if op else []
        t.now += jitter(250, 600)
        start, length = t.now, jitter(*dur)
        t.now += length + jitter(200, 500)
        bound = []
        for i, (cat, kernel, ns, more) in enumerate(gpu):
            at = max(start + length + jitter(1100, 1900), self.free[stream] + jitter(400, 1000), after)
            if i:
                at = self.free[stream] + jitter(700, 1200)
            ns = ns * jitter(96, 104) // 100
            self.free[stream] = at + ns
            args = external + [('device', DEVICE), ('context', 1), ('stream', stream), ('correlation', correlation)] + list(more)
            if cat == 'gpu_memcpy':
                args.append(('memory bandwidth (GB/s)', dict(more)['bytes'] / ns))
            event = {'ph': 'X', 'cat': cat, 'name': kernel, 'pid': DEVICE, 'tid': stream, 'ts': at, 'dur': ns, 'args': args}
            bound += [event, self.flow_end('ac2g', 'f', correlation, event)]
            for a in self.open:
                span = self.spans.setdefault(a['external'], (a['name'], {}))[1].setdefault(stream, [at, at + ns])
                span[:] = min(span[0], at), max(span[1], at + ns)
        call = {'ph': 'X', 'cat': 'cuda_runtime', 'name': name, 'pid': PID, 'tid': t.tid, 'ts': start, 'dur': length,
                'args': external + [('cbid', CALLS[name]), ('correlation', correlation)]}
        self.activity += bound + [call]
        if gpu:
            self.activity.append(self.flow_end('ac2g', 's', correlation, call))
        return call

    def flow_end(self, cat, phase, number, at):
        event = {'ph': phase, 'id': number, 'pid': at['pid'], 'tid': at['tid'], 'ts': at['ts'], 'cat': cat, 'name': cat}
        if phase == 'f':
            event['bp'] = 'e'
        return event

    def kernel(self, t, name, ns, grid=(64, 1, 1), block=(256, 1, 1), call='cudaLaunchKernel', stream=COMPUTE, more=(), after=0):
        warps = block[0] * block[1] // 32
        args = [('queued', 0), ('registers per thread', 32 if block[0] > 256 else 64), ('shared memory', 0), ('blocks per SM', grid[0] * grid[1] / 80),
                ('warps per SM', grid[0] * grid[1] * warps / 80), ('grid', list(grid)), ('block', list(block)),
                ('est. achieved occupancy %', min(100, grid[0] * grid[1] * warps * 100 // (80 * 48)))]
        self.runtime(t, call, [('kernel', name, ns, args + list(more))], stream, after=after)

    def wait(self, t, name, until):
        """A call that returns when the GPU has come to `until`."""
        call = self.runtime(t, name, dur=(2000, 2600))
        call['dur'] = max(call['dur'], until + jitter(900, 1500) - call['ts'])
        t.now = max(t.now, call['ts'] + call['dur'] + jitter(200, 500))


def strides(shape):
    if shape and isinstance(shape[0], list):
        return [strides(s) for s in shape]
    out = []
    for n in reversed(shape):
        out.insert(0, out[0] * previous if out else 1)
        previous = n
    return out


def tensor(*shape):
    return list(shape), 'float', ''


def scalar(text):
    return [], 'Scalar', text


NONE = ([], '', '')


# ---- the model -------------------------------------------------------------------------
class Training:
    def __init__(self):
        self.m = Maker()
        self.main, self.engine = Thread(MAIN), Thread(ENGINE_THREAD)
        self.tape = []                                              # what backward has to undo

    def run(self):
        with self.m.python_frame(self.main, 'train.py(58): main'):
            for step in range(2):
                with self.m.annotation(self.main, 'ProfilerStep#%d' % step):
                    self.step(step)
                self.main.now += jitter(30000, 40000)
        return self.m

    def step(self, step):
        m, t = self.m, self.main
        self.tape = []
        with m.python_frame(t, 'train.py(31): train_step'):
            with m.python_frame(t, 'data.py(17): next_batch'):
                t.now += jitter(140000, 170000)
                with m.op(t, 'aten::to', [tensor(BATCH, WIDTHS[0]), NONE, scalar('False')]):
                    with m.op(t, 'aten::copy_', [tensor(BATCH, WIDTHS[0]), tensor(BATCH, WIDTHS[0]), scalar('False')]):
                        size = BATCH * WIDTHS[0] * 4
                        m.memory(t, size)
                        m.runtime(t, 'cudaMemcpyAsync', [('gpu_memcpy', 'Memcpy HtoD (Pinned -> Device)', 11800, [('bytes', size)])])
            with m.python_frame(t, 'nn.Module: TinyNet_0', 'net'), m.python_frame(t, 'model.py(24): forward'):
                for layer in range(3):
                    self.linear(t, layer)
                    if layer < 2:
                        self.relu(t, layer)
            self.loss(t)
            self.backward(step)
            self.optimizer(t, step)
            if step == 1:
                with m.python_frame(t, 'metrics.py(9): replay'):
                    parts = [('kernel', GEMM.format(8), 15500, [('grid', [16, 1, 1]), ('block', [128, 1, 1])]),
                             ('kernel', REDUCE.format('MeanOps'), 6900, [('grid', [8, 1, 1]), ('block', [32, 16, 1])]),
                             ('kernel', ELEMENTWISE.format('CUDAFunctor_add'), 3100, [('grid', [4, 1, 1]), ('block', [128, 1, 1])])]
                    m.runtime(t, 'cudaGraphLaunch', parts, dur=(9000, 11000))
            with m.python_frame(t, 'torch/cuda/__init__.py(981): synchronize'):
                m.wait(t, 'cudaDeviceSynchronize', max(m.free.values()))

    # ---- forward ---------------------------------------------------------------------
    def linear(self, t, layer):
        m, a, b = self.m, WIDTHS[layer], WIDTHS[layer + 1]
        with m.python_frame(t, 'nn.Module: Linear_%d' % layer, 'linear %d' % layer), m.python_frame(t, 'torch/nn/modules/linear.py(124): forward'):
            inputs = [tensor(BATCH, a), tensor(b, a), tensor(b)]
            with m.op(t, 'aten::linear', inputs, m.sequence + 1):
                with m.op(t, 'aten::t', [tensor(b, a)], m.sequence + 1):
                    with m.op(t, 'aten::transpose', [tensor(b, a), scalar('0'), scalar('1')], m.sequence + 1):
                        pass
                with m.op(t, 'aten::addmm', [tensor(b), tensor(BATCH, a), tensor(a, b), scalar('1'), scalar('1')], m.next('sequence')) as op:
                    m.memory(t, BATCH * b * 4)
                    m.kernel(t, GEMM.format(32), max(2700, a * b // 24), (max(1, b // 64), 1, 1), (256, 1, 1))
        self.tape.append(('Addmm', m.sequence, op, layer))

    def relu(self, t, layer):
        m, shape = self.m, tensor(BATCH, WIDTHS[layer + 1])
        with m.python_frame(t, 'nn.Module: ReLU_%d' % layer, 'relu %d' % layer), m.python_frame(t, 'torch/nn/modules/activation.py(133): forward'):
            with m.op(t, 'aten::relu', [shape], m.next('sequence')) as op, m.op(t, 'aten::clamp_min', [shape, scalar('0')]):
                m.kernel(t, ELEMENTWISE.format('launch_clamp_scalar'), 4200, (64, 1, 1), (128, 1, 1))
        self.tape.append(('Relu', m.sequence, op, layer))

    def loss(self, t):
        m, shape = self.m, tensor(BATCH, WIDTHS[3])
        with m.python_frame(t, 'torch/nn/functional.py(3400): cross_entropy'), m.op(t, 'aten::cross_entropy_loss', [shape, tensor(BATCH), NONE]):
            with m.op(t, 'aten::log_softmax', [shape, scalar('1'), NONE]):
                with m.op(t, 'aten::_log_softmax', [shape, scalar('1'), scalar('False')], m.next('sequence')) as op:
                    m.kernel(t, 'void softmax_warp_forward<float, float, float, 4, true, false>(float*, float const*, int, int, int)', 5200, (16, 1, 1))
            self.tape.append(('LogSoftmax', m.sequence, op, 0))
            with m.op(t, 'aten::nll_loss_forward', [shape, tensor(BATCH), NONE, scalar('1'), scalar('-100')], m.next('sequence')) as op:
                m.kernel(t, 'void at::native::nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>(float*, float*, float const*, long const*)', 6100,
                         (1, 1, 1), (32, 1, 1))
            self.tape.append(('NllLoss', m.sequence, op, 0))

    # ---- backward, on autograd's thread ----------------------------------------------------
    def backward(self, step):
        m, main, t = self.m, self.main, self.engine
        with m.python_frame(main, 'torch/_tensor.py(570): backward'), m.python_frame(main, 'torch/autograd/graph.py(815): _engine_run_backward'):
            t.now = max(t.now, main.now + jitter(4000, 6000))
            for kind, sequence, op, layer in reversed(self.tape):
                with m.op(t, ENGINE + kind + 'Backward0', sequence=sequence, forward_thread=1):
                    shape = tensor(BATCH, WIDTHS[layer + 1] if kind in ('Addmm', 'Relu') else WIDTHS[3])
                    with m.op(t, kind + 'Backward0', [shape], sequence, 1) as inner:
                        number = m.next('flow')
                        m.host.append(m.flow_end('fwdbwd', 'f', number, inner))
                        m.host.append(m.flow_end('fwdbwd', 's', number, op))
                        self.gradient(t, kind, layer)
                if kind == 'Addmm':
                    self.accumulate(t, layer)
                if step == 1 and kind == 'Addmm' and layer == 1:
                    self.all_reduce(t)
            main.now = max(main.now, t.now + jitter(3000, 5000))

    def gradient(self, t, kind, layer):
        m = self.m
        if kind == 'Addmm':
            a, b = WIDTHS[layer], WIDTHS[layer + 1]
            if layer:
                with m.op(t, 'aten::mm', [tensor(BATCH, b), tensor(b, a)]):
                    m.kernel(t, GEMM.format(16), max(2600, a * b // 23), (max(1, a // 64), 1, 1), (256, 1, 1))
            with m.op(t, 'aten::mm', [tensor(b, BATCH), tensor(BATCH, a)]):
                m.memory(t, a * b * 4)
                m.kernel(t, GEMM.format(16), max(2900, a * b // 22), (max(1, b // 64), 2, 1), (256, 1, 1))
            with m.op(t, 'aten::sum', [tensor(BATCH, b), ([], 'ScalarList', '[0]'), scalar('True'), NONE]):
                m.kernel(t, REDUCE.format('sum_functor'), 5600, (max(1, b // 128), 1, 1), (32, 16, 1))
        elif kind == 'Relu':
            with m.op(t, 'aten::threshold_backward', [tensor(BATCH, WIDTHS[layer + 1]), tensor(BATCH, WIDTHS[layer + 1]), scalar('0')]):
                m.kernel(t, ELEMENTWISE.format('threshold_kernel_impl'), 4700, (64, 1, 1), (128, 1, 1))
        elif kind == 'LogSoftmax':
            with m.op(t, 'aten::_log_softmax_backward_data', [tensor(BATCH, WIDTHS[3]), tensor(BATCH, WIDTHS[3]), scalar('1'), scalar('6')]):
                m.kernel(t, 'void softmax_warp_backward<float, float, float, 4, true, false>(float*, float const*, float const*, int, int, int)', 5000,
                         (16, 1, 1))
        else:
            with m.op(t, 'aten::nll_loss_backward', [tensor(), tensor(BATCH, WIDTHS[3]), tensor(BATCH)]):
                with m.op(t, 'aten::zero_', [tensor(BATCH, WIDTHS[3])]):
                    m.runtime(t, 'cudaMemsetAsync', [('gpu_memset', 'Memset (Device)', 1500, [('bytes', BATCH * WIDTHS[3] * 4)])])
                m.kernel(t, 'void at::native::nll_loss_backward_reduce_cuda_kernel_2d<float, long>(float*, float const*, long const*)', 4900,
                         (1, 1, 1), (32, 1, 1))

    def accumulate(self, t, layer):
        m, shape = self.m, tensor(WIDTHS[layer + 1], WIDTHS[layer])
        with m.op(t, ENGINE + 'torch::autograd::AccumulateGrad'), m.op(t, 'torch::autograd::AccumulateGrad', [shape]):
            with m.op(t, 'aten::detach', [shape]):
                pass

    def all_reduce(self, t):
        m, count = self.m, sum(a * b + b for a, b in zip(WIDTHS, WIDTHS[1:]))
        collective = [('Collective name', 'allreduce'), ('In msg nelems', count), ('Out msg nelems', count), ('Group size', 2), ('dtype', 'Float'),
                      ('In split size', '[]'), ('Out split size', '[]')] + GROUP
        inputs = [([[count]], 'TensorList', ''), scalar('1'), scalar('0'), scalar('0'), scalar('2')]
        with m.annotation(t, 'nccl:all_reduce'):
            with m.op(t, 'record_param_comms', inputs, extra=collective + [('Rank', 0), ('Global rank start', 0), ('Global rank stride', 1)]):
                m.runtime(t, 'cudaStreamWaitEvent', dur=(900, 1300))
                m.kernel(t, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)', 126000, (4, 1, 1), (512, 1, 1), 'cudaLaunchKernelExC',
                         COLLECTIVES, collective, m.free[COMPUTE])
                m.runtime(t, 'cudaEventRecord', dur=(900, 1300), stream=COLLECTIVES)

    # ---- optimizer ---------------------------------------------------------------------------
    def optimizer(self, t, step):
        m = self.m
        shapes = [s for a, b in zip(WIDTHS, WIDTHS[1:]) for s in ([b, a], [b])]
        tensors = (shapes, 'TensorList', '')
        with m.python_frame(t, 'torch/optim/optimizer.py(495): wrapper'), m.annotation(t, 'Optimizer.step#SGD.step'):
            with m.python_frame(t, 'torch/optim/sgd.py(108): step'):
                if step == 1:
                    m.runtime(t, 'cudaStreamWaitEvent', dur=(900, 1300))
                    m.free[COMPUTE] = max(m.free.values())
                    with m.op(t, 'aten::_foreach_div_', [tensors, scalar('2')]):
                        m.kernel(t, MULTI.format('BinaryOpScalarFunctor'), 13500, (80, 1, 1), (512, 1, 1))
                for name, functor, ns in (('aten::_foreach_mul_', 'BinaryOpScalarFunctor', 13200), ('aten::_foreach_add_', 'BinaryOpListAlphaFunctor', 17800),
                                          ('aten::_foreach_add_', 'BinaryOpListAlphaFunctor', 17800)):
                    with m.op(t, name, [tensors, tensors, scalar('1')] if 'add' in name else [tensors, scalar('0.90000000000000002')]):
                        m.kernel(t, MULTI.format(functor), ns, (80, 1, 1), (512, 1, 1))
        with m.python_frame(t, 'torch/optim/optimizer.py(954): zero_grad'):
            m.memory(t, -sum(a * b * 4 for a, b in zip(WIDTHS, WIDTHS[1:])))


# ---- text, in the profiler's own layout -------------------------------------------------------
def us(ns):
    return '%d.%03d' % (ns // 1000, ns % 1000)


def text(value):
    return us(value.ns) if isinstance(value, Time) else json.dumps(value)


class Time:
    def __init__(self, ns):
        self.ns = ns


def joined(pairs):
    out = ''
    for i, (k, v) in enumerate(pairs):
        if i:
            out += ',' if pairs[i - 1][0] == 'External id' else ', '
        out += '%s: %s' % (json.dumps(k), text(v))
    return out


def element(lines, args=None):
    body = ',\n    '.join(joined(line) for line in lines)
    if args is not None:
        body += ',\n    "args": {\n      %s\n    }' % joined(args)
    return '  {\n    %s\n  }' % body


def event(e):
    ts = ('ts', Time(e['ts']))
    get = lambda *keys: [(k, e[k]) for k in keys if k in e]
    if e['ph'] == 'X':
        return element([get('ph', 'cat', 'name', 'pid', 'tid'), [ts, ('dur', Time(e['dur']))]], e['args'])
    if e['ph'] == 'i':
        return element([get('ph', 'cat', 's', 'name'), get('pid', 'tid'), [ts]], e['args'])
    return element([get('ph', 'id', 'pid', 'tid') + [ts], get('cat', 'name', 'bp')])


def metadata(name, pid, tid, key, value, ts):
    return element([[('name', name), ('ph', 'M'), ('ts', Time(ts)), ('pid', pid), ('tid', tid)]], [(key, value)])


def names(ts):
    processes = [(PID, 'python3', 'CPU', 5000000)] + [(d, 'python3', 'GPU %d' % d, 5000001 + d) for d in range(2)]
    for pid, name, label, order in processes:
        yield metadata('process_name', pid, 0, 'name', name, ts)
        yield metadata('process_labels', pid, 0, 'labels', label, ts)
        yield metadata('process_sort_index', pid, 0, 'sort_index', order, ts)
    for tid, name in ((MAIN, 'thread %d (python3)' % MAIN), (ENGINE_THREAD, 'thread %d (pt_autograd_0)' % ENGINE_THREAD)):
        yield metadata('thread_name', PID, tid, 'name', name, ts)
        yield metadata('thread_sort_index', PID, tid, 'sort_index', tid, ts)
    for stream in (COMPUTE, COLLECTIVES):
        yield metadata('thread_name', DEVICE, stream, 'name', 'stream %d ' % stream, ts)
        yield metadata('thread_sort_index', DEVICE, stream, 'sort_index', stream, ts)


def document(m):
    m.host.sort(key=lambda e: e['ts'])
    m.python.sort(key=lambda e: e['ts'])
    begin = BEGIN - 52000
    end = max(e['ts'] + e.get('dur', 0) for e in m.python + m.activity) + 61000
    out = [event(e) for e in m.host + m.python + m.activity]
    for external, (name, streams) in m.spans.items():
        for stream, (a, b) in streams.items():
            out.append(event({'ph': 'X', 'cat': 'gpu_user_annotation', 'name': name, 'pid': DEVICE, 'tid': stream, 'ts': a - 1, 'dur': b - a + 2,
                              'args': [('External id', external)]}))
    out.append(element([[('ph', 'X'), ('cat', 'overhead'), ('name', 'Activity Buffer Request'), ('pid', -1), ('tid', 0)],
                        [('ts', Time(BEGIN - 31000)), ('dur', Time(1204500))]]))
    out += names(begin)
    out.append(element([[('ph', 'X'), ('cat', 'Trace'), ('ts', Time(begin)), ('dur', Time(end - begin))], [('pid', 'Spans'), ('tid', 'PyTorch Profiler')],
                        [('name', 'PyTorch Profiler (0)')]], [('Op count', 0)]))
    out.append(metadata('process_sort_index', 'Spans', 0, 'sort_index', 536870912, begin))
    for name, pid, tid, ts in (('Iteration Start: PyTorch Profiler', 'Traces', 'Trace PyTorch Profiler', begin), ('Record Window End', '', '', end)):
        out.append(element([[('name', name), ('ph', 'i'), ('s', 'g')], [('pid', pid), ('tid', tid), ('ts', Time(ts))]]))
    devices = ',\n'.join(
        '    {\n      "id": %d, "name": "Example GPU 24GB", "totalGlobalMem": 25438126080,\n      "computeMajor": 8, "computeMinor": 6,\n'
        '      "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 1536,\n      "regsPerBlock": 65536, "warpSize": 32,\n'
        '      "sharedMemPerBlock": 49152, "numSms": 80\n    , "regsPerMultiprocessor": 65536, "sharedMemPerBlockOptin": 101376, '
        '"sharedMemPerMultiprocessor": 102400\n    }' % d for d in range(2))
    return ('\n{\n  "schemaVersion": 1,\n  "deviceProperties": [\n' + devices + '\n  ],\n'
            '  "cupti_version": 22,\n  "cuda_runtime_version": 12040,\n  "cuda_driver_version": 12040,\n'
            '  "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 2, "pg_count": 1, "pg_config": [{"pg_name": "0", "pg_desc": "default_pg", '
            '"backend_config": "cuda:nccl", "pg_size": 2, "ranks": [0, 1]}], "nccl_version": "2.21.5"},\n'
            '  "record_shapes": 1,\n  "profile_memory": 1,\n  "with_stack": 1,\n  "with_modules": 1,\n'
            '  "trace_id": "5A1B0F3C9D2E48778A6C4E10B7D2F901",\n  "displayTimeUnit": "ms",\n  "baseTimeNanoseconds": %d,\n'
            '  "traceEvents": [\n' % BASE_NS + ',\n'.join(out) + '\n  ],\n  "traceName": "two_steps.json"\n}\n')


def main():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'two_steps.json')
    path = sys.argv[1] if len(sys.argv) > 1 else beside
    made = document(Training().run())
    if path == '-':
        sys.stdout.write(made)
        return
    with open(path, 'w', encoding='utf-8', newline='') as f:
        f.write(made)


if __name__ == '__main__':
    main()
