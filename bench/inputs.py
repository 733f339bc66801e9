"""The traces that builds are measured with: a real one scaled up, or a synthetic one where none is at hand, or a file as it is; its .gz and .zst.

What is made lies in the folder of the work and is used again the next time; a name tells all that it depends on.
"""
import os
import shutil
import subprocess
import sys

import measure
from measure import HERE, SHARED, Stop

SCALE = os.path.join(SHARED, 'tools', 'scale_trace.py')
REAL = {'inference': 'h100_owlv2_large.json.gz', 'training': 'mi300_resnet_act_checkpoint.json.gz'}


class Trace:
    """A trace by name: `source` is the real one that is scaled up, None: a synthetic one is made; `given` a file that is taken as it is."""

    def __init__(self, name, folder, source=None, given=None):
        self.name, self.folder, self.source, self.given = name, folder, source, given

    def describe(self):
        return os.path.basename(self.given or self.source or 'synthetic %s' % self.name)

    def generator(self, size, output):
        """The command that writes it, at least `size` large, such as 1G; `output` is a file, or - for standard output."""
        if self.source:
            return [sys.executable, '-B', SCALE, self.source, output, '--size', size]
        return [sys.executable, '-B', os.path.join(HERE, 'synthetic'), '--kind', self.name, '--size', size] + ([] if output == '-' else ['-o', output])

    def plain(self, size):
        """The path of the trace of that size, made when it is not there yet."""
        if self.given:
            return self.given
        stem = os.path.basename(self.source).split('.')[0] if self.source else 'synthetic-' + self.name
        path = os.path.join(self.folder, '%s-%s.json' % (stem, size))
        if not os.path.exists(path):
            measure.need_room(self.folder, 1.1 * measure.size_of(size), os.path.basename(path))
            make(path, self.generator(size, path + '.part'))
        return path

    def packed(self, path, suffix):
        """The path of the compressed trace: beside it, or made.  A Stop where the program is missing."""
        if os.path.exists(path + suffix):
            return path + suffix
        packed = os.path.join(self.folder, os.path.basename(path) + suffix)
        if not os.path.exists(packed):
            # As the profiler packs: one member, level 9.
            command = {'.gz': ['gzip', '-9', '-n', '-c', path], '.zst': ['zstd', '-3', '-q', '-c', path]}[suffix]
            if not shutil.which(command[0]):
                raise Stop('%s is not installed' % command[0])
            with open(packed + '.part', 'wb') as out:
                make(packed, command, out)
        return packed


def make(path, command, out=subprocess.DEVNULL):
    """Runs what writes PATH.part, or `out`, and gives it its name when it is whole."""
    measure.say('making %s ...' % path)
    r = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=False)
    if r.returncode:
        if os.path.exists(path + '.part'):
            os.remove(path + '.part')
        raise Stop('%s ended with %d: %s' % (' '.join(command), r.returncode, r.stderr.decode('utf-8', 'replace').strip()[:500]))
    os.rename(path + '.part', path)


def pairs(texts):
    """{name: value} of NAME=VALUE, as --source and --input take them."""
    found = {}
    for text in texts:
        name, equals, value = text.partition('=')
        if not equals or not name or not value:
            raise ValueError('NAME=FILE is needed, not %s' % text)
        found[name] = value
    return found


def choose(folder, sources, given, only):
    """The traces, by their names: those given, else the sources, else real ones where they are, else synthetic ones."""
    found = {}
    names = list(given) or list(sources) or list(REAL)
    for name in names:
        source = sources.get(name) or os.path.join(SHARED, 'traces', REAL.get(name, ''))
        if name in given:
            found[name] = Trace(name, folder, given=given[name])
        elif name in sources or os.path.isfile(source) and os.path.exists(SCALE):
            found[name] = Trace(name, folder, source=source)
        elif name in REAL:
            found[name] = Trace(name, folder)
    if only:
        found = {name: t for name, t in found.items() if name in only}
    if not found:
        raise Stop('no trace of that name')
    for trace in found.values():
        for path in (trace.given, trace.source):
            if path and not os.path.exists(path):
                raise Stop('%s is not there' % path)
    return found
