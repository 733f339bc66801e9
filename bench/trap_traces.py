"""The traces of `traps`: each is made of what could take longer than in proportion; `count` is how much of it."""
import math

EVENT = '{"ph":"X","cat":"%s","name":"%s","pid":%d,"tid":%d,"ts":%d.%03d,"dur":%d.%03d,"args":{%s}}'
MILLION = 1000000
FAR = 10 ** 9                                                  # ns: when GPUs begin


class Writer:
    """Writes a trace of complete events; times in ns."""

    def __init__(self, path):
        self.file, self.first = open(path, 'w', encoding='ascii'), True
        self.file.write('[')

    def element(self, text):
        self.file.write(text if self.first else ',\n' + text)
        self.first = False

    def add(self, category, name, tid, start, duration, args='', pid=1):
        self.element(EVENT % (category, name, pid, tid, *divmod(start, 1000), *divmod(duration, 1000), args))

    def launch(self, start, duration, number, tid=1):
        self.add('cuda_runtime', 'cudaLaunchKernel', tid, start, duration, '"correlation":%d' % number)

    def kernel(self, name, start, duration, number=None, stream=7):
        said = '"stream":%d' % stream + (',"correlation":%d' % number if number else '')
        self.add('kernel', name, stream, start, duration, said, pid=0)

    def close(self):
        self.file.write(']\n')
        self.file.close()


# ---- one thing, often --------------------------------------------------------------------
def overlap(w, count):
    """kernels that all run at a time, each of an operation of its own"""
    for i in range(1, count + 1):
        w.add('cpu_op', 'aten::op%d' % (i % 97), 1, 1000 * i, 900, '"Input Dims":[[%d]]' % (i % 89))
        w.launch(1000 * i + 10, 100, i)
        w.kernel('kernel_%d' % (i % 83), FAR + i, FAR + i * 7919 % count, i, i % 64)


def wide(w, count):
    """kernels under one operation in one module"""
    w.add('python_function', 'nn.Module: Net_0', 1, 0, 1000 * count + 9000)
    w.add('cpu_op', 'aten::wide', 1, 10, 1000 * count + 5000)
    for i in range(1, count + 1):
        w.launch(1000 * i, 100, i)
        w.kernel('kernel_%d' % (i % 83), FAR + 700 * i, 900, i)


def deep(w, count):
    """calls in each other: frames, modules and operations in turn; each operation launches a kernel"""
    for i in range(count):
        kind = i % 4
        if kind == 3:
            w.add('cpu_op', 'aten::op%d' % (i % 97), 1, 100 * i, 10 ** 10)
            w.launch(100 * i + 10, 10, i + 1)
            w.kernel('kernel_%d' % (i % 83), 2 * 10 ** 10 + 700 * (i * 7919 % count), 900, i + 1)
        else:
            w.add('python_function', 'nn.Module: M_%d' % (i % 50) if kind == 1 else 'f%d' % (i % 50), 1, 100 * i, 10 ** 10)


def ties(w, count):
    """operations, launches and kernels, where all of a layer starts together"""
    for i in range(1, count + 1):
        w.add('cpu_op', 'aten::op%d' % (i % 97), 1, 0, 10 ** 6)
        w.launch(0, 10, i)
        w.kernel('void at::native::%s_%d' % ('reduce' if i % 2 else 'elementwise', i % 83), FAR, i, i)


def equal(w, count):
    """kernels that start together, without a launch"""
    for i in range(count):
        w.kernel('kernel_%d' % (i * 7919 % 1009), FAR, i % 100003, None, i % 7)


def starts(w, count):
    """calls of one thread that start together, of different lengths, as if each were in the one before"""
    for i in range(count):
        w.add('cpu_op', 'aten::op%d' % (i % 97), 1, 1000, 2 * MILLION + count - i)


def steps(w, count):
    """steps within one that goes over all of them, with ten kernels each"""
    w.add('user_annotation', 'ProfilerStep#0', 1, 0, 10 ** 6 * count + 10 ** 6)
    for i in range(1, count + 1):
        w.add('user_annotation', 'ProfilerStep#%d' % i, 1, 10 ** 6 * i, 1000)
        for k in range(10):
            at = 10 ** 6 * i + 5000 * k + (900 if k else 0)
            w.launch(at, 100, 10 * i + k)
            w.kernel('kernel_%d' % k, at + 1000, 900, 10 * i + k)


def correlation(w, count):
    """kernels of one launch"""
    w.add('cpu_op', 'aten::graph', 1, 0, 9000)
    w.launch(1000, 5000, 7)
    for i in range(count):
        w.kernel('kernel_%d' % (i % 83), FAR + 700 * i, 600, 7, i % 4)


def lanes(w, count):
    """threads of one call each"""
    for i in range(count):
        w.add('cpu_op', 'aten::op%d' % (i % 97), i + 1, 1000 + i, 500)


def names(w, count):
    """calls, each of a name of its own"""
    for i in range(count):
        w.add('cpu_op', 'request_%d_%d' % (i, i * 7919 % count), 1, 1000 * i, 900)


def crossing(w, count):
    """calls that each run over the end of the one before"""
    for i in range(count):
        w.add('cpu_op', 'aten::op%d' % (i % 97), 1, 1000 * i, 1900)


def all_crossing(w, count):
    """calls that each run over the ends of a thousand others"""
    for i in range(count):
        w.add('cpu_op', 'aten::op%d' % (i % 97), 1, 1000 * i, 1000 * 1000 + 1)


def launched(w, order):
    """Operations with a launch and a kernel each, in that order of time."""
    for i in order:
        w.add('cpu_op', 'aten::op%d' % (i % 97), 1, 10000 * i, 9000)
        w.launch(10000 * i + 1000, 5000, i + 1)
        w.kernel('kernel_%d' % (i % 83), 10000 * i + 9500, 8000, i + 1)


def reverse(w, count):
    """events in the order of time, backwards: operations, launches and kernels"""
    launched(w, range(count // 3, -1, -1))


def shuffled(w, count):
    """the same events in an order that looks like none"""
    number = count // 3 + 1
    step = next(n for n in range(2654435761 % number + 1, 2 * number + 2) if math.gcd(n, number) == 1)
    launched(w, (i * step % number for i in range(number)))


def huge(w, count):
    """bytes of an argument of one event among a few others"""
    w.add('cpu_op', 'aten::first', 1, 1000, 900)
    w.file.write(',\n{"ph":"X","cat":"cpu_op","name":"aten::huge","pid":1,"tid":1,"ts":5,"dur":3,"args":{"Stack":[')
    line = '"%05d ' + 'torch/nn/modules/module.py(%d): ' % 1773 + '_' * 60 + '",'     # few values: an element may have so many
    block = ''.join(line % i for i in range(1000))
    for _ in range(count // len(block)):
        w.file.write(block)
    w.file.write('""]}}')
    w.add('cpu_op', 'aten::last', 1, 10000, 900)


def text(w, count):
    """bytes of the name of one event among a few others"""
    w.add('cpu_op', 'aten::first', 1, 1000, 900)
    w.file.write(',\n{"ph":"X","cat":"cpu_op","pid":1,"tid":1,"ts":5,"dur":3,"name":"')
    for _ in range(count // 4096):
        w.file.write('aten::' * 682 + '\\"\\n')
    w.file.write('"}')
    w.add('cpu_op', 'aten::last', 1, 10000, 900)


def damages(w, count):
    """events of which every second one lacks a quote, a colon or a comma"""
    for i in range(count):
        w.add('cpu_op', 'aten::op%d' % (i % 97), 1, 2000 * i, 900)
        w.element(('{"ph":"X,"cat":"cpu_op","name":"lost","pid":1,"tid":1,"ts":%d,"dur":1}', '{"ph":"X","cat" "cpu_op","name":"lost","ts":%d}',
                   '{"ph":"X" "cat":"cpu_op","name":"lost","pid":1,"tid":1,"ts":%d,"dur":1}')[i % 3] % (2 * i + 1))


class Trap:
    """How much of it there is at 1x, by default, and what else is asked of its index."""

    def __init__(self, make, count, more=(), options=()):
        self.make, self.count, self.more, self.options = make, count, more, options

    def describe(self):
        return '%s %s' % (format(self.count, ','), self.make.__doc__)


TRAPS = {
    'starts': Trap(starts, MILLION),
    'equal': Trap(equal, MILLION),
    'ties': Trap(ties, 100000),
    'deep': Trap(deep, 100000, ['kernels --module M_7']),
    'correlation': Trap(correlation, MILLION),
    'wide': Trap(wide, 100000),
    'lanes': Trap(lanes, MILLION),
    'names': Trap(names, MILLION),
    'crossing': Trap(crossing, MILLION),
    'all-crossing': Trap(all_crossing, MILLION),
    'reverse': Trap(reverse, MILLION),
    'shuffled': Trap(shuffled, MILLION),
    'huge': Trap(huge, 200 * MILLION),
    'text': Trap(text, 50 * MILLION),
    'damages': Trap(damages, MILLION, options=['--salvage']),
    'overlap': Trap(overlap, 4000),
    'steps': Trap(steps, 10000, ['kernels --step 5']),
}
