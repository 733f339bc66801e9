"""What `t2t info` should count as odd in a trace, from the text and the oracle's tree alone."""
import collections

import elements

INT64 = range(-1 << 63, 1 << 63)


def last(event, key):
    """The value that counts; a missing one is a pair of its own."""
    found = MISSING
    for k, v in event:
        if k == key:
            found = v
    return found


MISSING = ('missing', None)


def is_text(v):
    return isinstance(v, str)


def is_object(v):
    return isinstance(v, tuple) and v[0] == 'object'


def repeats(pairs):
    return len({k for k, _ in pairs}) != len(pairs)


class Times:
    """What the text of a time says, read with the oracle's numbers."""

    def __init__(self, v, oracle):
        self.ns = self.quoted = self.exponent = self.rounded = None
        text = v if is_text(v) else v[2] if isinstance(v, tuple) and v[0] == 'number' else None
        if text is None or oracle.nanoseconds(text) is None:
            return
        self.ns, self.quoted = oracle.nanoseconds(text), is_text(v)
        mantissa, e, exponent = text.lower().partition('e')
        self.exponent = bool(e)
        whole, _, fraction = mantissa.lstrip('-').partition('.')
        digits = (whole + fraction).strip('0')
        # The place of the last digit that is not 0, counted behind the point.
        places = len(fraction) - int(exponent or 0) - (len(whole + fraction) - len((whole + fraction).rstrip('0')))
        self.rounded = bool(digits) and places > 3


def expected(data, tree, oracle):
    """Kind -> count."""
    count = collections.Counter()
    top = elements.parse(data.decode('utf-8-sig'), texts=True)
    events = last(top[1], 'traceEvents') if is_object(top) else top
    if is_object(top):
        count['duplicate-member'] = len(top[1]) - len({k for k, _ in top[1]})
    count['byte-order-mark'] = data[:3] == b'\xef\xbb\xbf'
    for e in events:
        if is_object(e):
            count.update(of_event(e[1], oracle))
        else:
            count['not-an-object'] += 1
    pairs(tree, oracle, count)
    launches = collections.defaultdict(set)
    by_correlation = any((oracle.whole(tree.args[i].get('correlation')) or 0) > 0 for i, c in enumerate(tree.category)
                         if oracle.LAYER.get(c) == oracle.LAUNCH and 'P' in tree.flags[i])
    key = 'correlation' if by_correlation else 'External id'
    for i, flags in enumerate(tree.flags):
        if oracle.LAYER.get(tree.category[i]) == oracle.LAUNCH and 'P' in flags:
            launches[oracle.whole(tree.args[i].get(key))].add(oracle.lane_id(tree.events[i].get('pid')))
    for i, flags in enumerate(tree.flags):
        count['crossed'] += 'X' in flags
        count['cut'] += 'C' in flags
        if 'G' in flags:
            number = oracle.whole(tree.args[i].get(key))
            count['gpu-without-launch'] += 'L' not in flags
            count['shared-correlation'] += 'L' not in flags and (number or 0) > 0 and len(launches[number]) > 1
            count['gpu-at-zero'] += tree.start[i] == 0
    return count


def of_event(event, oracle):
    """The kinds that one event counts for, each once."""
    phase, ts, dur, args = (last(event, k) for k in ('ph', 'ts', 'dur', 'args'))
    start, length = Times(ts, oracle), Times(dur, oracle)
    has_start = start.ns is not None and start.ns in INT64
    out = set()

    def note(kind, when):
        if when:
            out.add(kind)
    note('no-phase', not is_text(phase))
    note('no-time', phase != 'M' and not has_start)
    note('negative-time', has_start and start.ns < 0)
    for what in ('quoted', 'exponent', 'rounded'):
        note(what + '-time', getattr(start, what) or getattr(length, what))
    if phase == 'X':
        note('no-duration', dur is MISSING)
        note('bad-duration', dur is not MISSING and (length.ns is None or length.ns < 0))
        note('end-overflow', has_start and start.ns + max(0, length.ns or 0) not in INT64)
        note('no-name', not is_text(last(event, 'name')))
        note('no-category', not is_text(last(event, 'cat')))
    note('bad-arguments', args is not MISSING and not is_object(args))
    note('duplicate-key', repeats(event) or any(k == 'args' and is_object(v) and repeats(v[1]) for k, v in event))
    return out


def pairs(tree, oracle, count):
    """B and E that found no partner."""
    opened = collections.Counter()
    for e in tree.events:
        phase = e.get('ph') if isinstance(e, dict) else None
        ns = oracle.nanoseconds(e.get('ts')) if phase in ('B', 'E') and oracle.is_text(phase) else None
        if ns is None or ns not in INT64:
            continue
        lane = oracle.lane_id(e.get('pid')), oracle.lane_id(e.get('tid'))
        if phase == 'B':
            opened[lane] += 1
        elif opened[lane]:
            opened[lane] -= 1
        else:
            count['unmatched-end'] += 1
    count['unclosed-begin'] = sum(opened.values())


def difference(found, wanted):
    """Lines, or none."""
    return ['%s: wanted %d, found %d' % (k, wanted.get(k, 0), found.get(k, 0)) for k in sorted({*found, *wanted})
            if found.get(k, 0) != wanted.get(k, 0)]
