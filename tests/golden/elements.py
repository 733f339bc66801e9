"""Compares what `t2t show --format json` says of every element with the document."""
import json
from decimal import Decimal, InvalidOperation


def number(text):
    """A number's exact value, or its text where the exponent is past all measure."""
    try:
        return 'number', Decimal(text)
    except InvalidOperation:
        return 'number', text


def parse(text, texts=False):
    """JSON as data: objects as lists of pairs, numbers exact; with `texts` also as they are written."""
    of = (lambda t: number(t) + (t,)) if texts else number
    return json.loads(text, parse_int=of, parse_float=of, object_pairs_hook=lambda pairs: ('object', pairs))


def origin(tree, order):
    """What printed times count from: the earliest start of a node, GPU events that start at 0 aside."""
    starts = [tree.start[i] for i in order if not ('G' in tree.flags[i] and tree.start[i] == 0)]
    return min(starts) if starts else 0


def arguments(event):
    """The members of an event's args as data; of several args the last counts."""
    found = None
    if isinstance(event, tuple) and event[0] == 'object':
        for k, v in event[1]:
            if k == 'args':
                found = v
    return found[1] if isinstance(found, tuple) and found[0] == 'object' else []


def check(command, index, data, tree, order):
    """How ids, places, times, links and arguments of the index differ from the document and its tree (the oracle's, or one like it), as
    lines; `order`: the positions of the nodes by id."""
    top = parse(data.decode('utf-8-sig'))
    events = top if isinstance(top, list) else next(v for k, v in reversed(top[1]) if k == 'traceEvents')
    if not events:
        return []
    bad = []
    ids = {i: n for n, i in enumerate(order)}
    for i in range(len(events)):
        ids.setdefault(i, len(ids))
    first = origin(tree, order)
    for at in range(0, len(events), 2000):
        r = command.run('show', index, *('@%d' % i for i in range(at, min(at + 2000, len(events)))), '--format', 'json')
        if r.status:
            return bad + [r.said()]
        lines = r.out.decode('utf-8', 'surrogatepass').split('\n')[:-1]
        if len(lines) != min(2000, len(events) - at):
            return bad + ['show: %d lines' % len(lines)]
        for i, line in enumerate(lines, at):
            bad += ['element %d: %s' % (i, b) for b in check_one(dict(parse(line)[1]), i, events[i], tree, ids, first)]
            if len(bad) > 20:
                return bad
    return bad


def check_one(found, i, event, tree, ids, first):
    integer = lambda key: None if found[key] is None else int(found[key][1])
    wanted = {'id': ids[i], 'position': i, 'parent': ids.get(tree.parent[i]), 'module': ids.get(tree.module[i]), 'forward': ids.get(tree.forward[i])}
    if tree.flags[i]:
        wanted['start_ns'], wanted['dur_ns'] = tree.start[i] - first, tree.end[i] - tree.start[i]
    for key, value in wanted.items():
        if integer(key) != value:
            yield 'wanted %s %s, found %s' % (key, value, integer(key))
    if found['in_tree'] != bool(tree.flags[i]):
        yield 'in the tree: found %s' % found['in_tree']
    if found['args'][1] != arguments(event):
        yield 'arguments: wanted %.300r, found %.300r' % (arguments(event), found['args'][1])
