"""Writes a picture of lines, as SVG: a row of panels, each with curves over an axis in steps of equal width for equal ratios."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 400, 300, 62, 44, 84, 16
LEAST = 34                                                     # between the middles of two texts below an axis
COLORS = ('#1f6fb4', '#c8501e', '#2f8f4e', '#7a4fa3', '#8a6d1d', '#555555')
DASHES = ('', '6 3', '2 3')


class Panel:
    """`curves` is {name: [(x, y)]}; x and y are above 0; x_text prints an x."""

    def __init__(self, title, x_label, y_label, curves, x_text=lambda x: '%g' % x):
        self.title, self.x_label, self.y_label, self.x_text = title, x_label, y_label, x_text
        self.curves = {name: sorted(points) for name, points in curves.items() if points}


def round_step(most):
    """A round number that goes into `most` four to eight times."""
    step = 10.0 ** math.floor(math.log10(most / 4))
    return next(step * k for k in (1, 2, 5, 10) if most / (step * k) <= 8)


def text(x, y, words, size=11, anchor='middle', more=''):
    return '<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s"%s>%s</text>' % (x, y, size, anchor, more, escape(words))


def draw_panel(panel, left):
    """The elements of a panel whose left edge is there."""
    points = [p for curve in panel.curves.values() for p in curve]
    out = [text(left + WIDTH / 2, 22, panel.title, 14)]
    if not points:
        return out + [text(left + WIDTH / 2, HEIGHT / 2, 'not measured')]
    xs = sorted({x for x, _ in points})
    low, high, top = math.log(xs[0]), math.log(xs[-1]), max(y for _, y in points) * 1.08
    x0, x1, y0, y1 = left + LEFT, left + WIDTH - RIGHT, HEIGHT - BOTTOM, TOP
    place_x = lambda x: (x0 + x1) / 2 if high == low else x0 + 10 + (x1 - x0 - 20) * (math.log(x) - low) / (high - low)
    place_y = lambda y: y0 - (y0 - y1) * y / top
    step = round_step(top)
    for k in range(int(top / step) + 1):
        y = place_y(k * step)
        out.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#ddd"/>' % (x0, y, x1, y))
        out.append(text(x0 - 6, y + 4, '%g' % round(k * step, 9), anchor='end'))
    last = -LEAST
    for x in xs:
        at = place_x(x)
        out.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#888"/>' % (at, y0, at, y0 + 4))
        if at - last >= LEAST:
            out.append(text(at, y0 + 16, panel.x_text(x)))
            last = at
    out.append('<path d="M%.1f %.1fV%.1fH%.1f" fill="none" stroke="#444"/>' % (x0, y1, y0, x1))
    out.append(text((x0 + x1) / 2, y0 + 32, panel.x_label))
    middle = left + 14, (y0 + y1) / 2
    out.append(text(*middle, panel.y_label, more=' transform="rotate(-90 %.1f %.1f)"' % middle))
    for n, (name, curve) in enumerate(panel.curves.items()):
        color, dash = COLORS[n % len(COLORS)], DASHES[n // len(COLORS) % len(DASHES)]
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>' % (
            ' '.join('%.1f,%.1f' % (place_x(x), place_y(y)) for x, y in curve), color, ' stroke-dasharray="%s"' % dash if dash else ''))
        out += ['<circle cx="%.1f" cy="%.1f" r="3" fill="%s"><title>%s: %s, %.4g</title></circle>' % (
            place_x(x), place_y(y), color, escape(name), escape(panel.x_text(x)), y) for x, y in curve]
        key_x, key_y = x0 + (n % 2) * (x1 - x0) / 2, y0 + 50 + 14 * (n // 2)
        out.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="2"/>' % (key_x, key_y - 4, key_x + 16, key_y - 4, color))
        out.append(text(key_x + 20, key_y, name, anchor='start'))
    return out


def draw(path, panels, caption):
    """Writes the picture."""
    width, height = WIDTH * len(panels), HEIGHT + 20
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" fill="#222">' % (
        width, height, width, height), '<rect width="100%" height="100%" fill="#fff"/>']
    for n, panel in enumerate(panels):
        out += draw_panel(panel, n * WIDTH)
    out += [text(8, height - 8, caption, 10, 'start'), '</svg>']
    with open(path, 'w', encoding='utf-8') as f:
        f.write('\n'.join(out) + '\n')
