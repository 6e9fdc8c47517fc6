"""One mark for each query: scores or differences, and how often a query was drawn."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from relviz.draw.canvas import SMALLEST, Canvas, measure, number
from relviz.draw.figure import WIDTH, Figure, on_narrow_pages_too
from relviz.draw.palette import BLUE, INK, LINE, MUTED, ORANGE
from relviz.locale import say

__all__ = ["Band", "queries"]

LEFT, RIGHT = 62, 18
PLOT = 132
DOT = 9  # from one drawn dot to the next below it
MOST_KEYED = 40  # of more queries nothing glides: a key each would be most of the file


@dataclass(frozen=True)
class Band:
    """Values of queries, from left to right, under a title; between them and the next band the queries that were drawn.

    signed: the values are differences, so that up means B is better and down A. drawn: places of the drawn queries.
    span: values that the axis has to reach, and rows: how deep the drawn dots have to reach, both so that they are the
    same in pictures that are compared.
    """

    title: str
    values: Sequence[float]
    key: str = "query"
    signed: bool = True
    color: str = INK
    drawn: Sequence[int] = ()
    mean: float | None = None
    span: tuple[float, float] = (0.0, 0.0)
    rows: int = 0


@on_narrow_pages_too
def queries(bands: Sequence[Band], names: Sequence[str], *, total: str = "", width: float = WIDTH) -> Figure:
    """Bands of marks, one column for each query, and the result on a line of its own.

    width: in pixels; where a column is too narrow for the name of its query, the first and the last are named.
    Used in lesson 09.
    """
    heights = [26 + PLOT + 36 + (deepest * DOT + 8 if (deepest := _deepest(band)) else 0) for band in bands]
    canvas = Canvas(sum(heights) + 12 + (42 if total else 8), width)
    top = 10.0
    for band, height in zip(bands, heights):
        _band(canvas, band, names, top)
        top += height
    if total:
        canvas.shape("path", d=f"M20 {number(top + 6)}H{number(width - 20)}", stroke=LINE)
        canvas.text(20, top + 34, total, size=18, bold=True, width=width - 40)
    parts = [_alt(band, names) for band in bands]
    return canvas.figure(say("text.gap").join([*parts, total] if total else parts))


def _band(canvas: Canvas, band: Band, names: Sequence[str], top: float) -> None:
    right, mean = canvas.width - RIGHT, ""
    if band.mean is not None:
        mean = "- - " + say("draw.diff.mean", mean=_value(band.mean, band))
    canvas.text(20, top + 14, band.title, bold=True, fill=MUTED, width=right - 20 - measure(mean, 14))
    column = (right - LEFT) / len(band.values)
    low, high = min(*band.span, *band.values), max(*band.span, *band.values)
    unit = (PLOT - 24) / ((high - low) or 1)

    def x(place: int) -> float:
        return LEFT + (place + 0.5) * column

    def y(value: float) -> float:
        return top + 36 + (high - value) * unit

    ends = [value for value in (low, high) if abs(y(value) - y(0)) > SMALLEST]
    for value in (0.0, *ends):
        canvas.text(LEFT - 10, y(value) + 4, _value(value, band), size=12, fill=MUTED, anchor="end")
    canvas.shape("path", d=f"M{LEFT} {number(y(0))}H{number(right)}", stroke=MUTED)
    for color, fill, marked in _groups(band):
        shapes = [(f"{band.key}:{names[i]}", x(i), y(band.values[i]), _mark(band, i, column, unit)) for i in marked]
        with canvas.group(fill=fill, stroke=color, stroke_width=1.5):
            _shapes(canvas, shapes, keyed=len(names) <= MOST_KEYED)
    if band.mean is not None:
        there = f"M{LEFT} {number(y(band.mean))}H{number(right)}"
        canvas.shape("path", d=there, stroke=INK, stroke_dasharray="5 4")
        canvas.text(right, top + 14, mean, anchor="end")
    bottom = top + 26 + PLOT
    widest = max(measure(name, SMALLEST) for name in names)
    rows = 1 if widest <= column - 4 else 2  # in turns, where one line is too narrow
    if widest <= rows * column - 4:
        for place, name in enumerate(names):
            canvas.text(x(place), bottom + 12 + place % rows * 14, name, size=12, fill=MUTED, anchor="middle")
    elif not (band.drawn or band.rows):
        half = (right - LEFT) / 2
        canvas.text(LEFT, bottom + 12, names[0], size=12, fill=MUTED, width=half)
        canvas.text(right, bottom + 12, names[-1], size=12, fill=MUTED, anchor="end", width=half)
    if band.drawn:
        canvas.text(LEFT - 10, bottom + 45, say("draw.drawn"), size=12, fill=MUTED, anchor="end", width=LEFT - 20)
        count: Counter[int] = Counter()
        dots = []
        for n, place in enumerate(band.drawn):
            dots.append((f"{band.key} drawn:{n}", x(place), bottom + 40 + count[place] * DOT, min(3.6, column / 2.4)))
            count[place] += 1
        with canvas.group(fill=band.color):
            _shapes(canvas, [(key, a, b, _circle(r)) for key, a, b, r in dots], keyed=len(names) <= MOST_KEYED)


def _groups(band: Band) -> list[tuple[str, str, list[int]]]:
    """Marks of one colour: the colour, what fills them, and their places."""
    everywhere = range(len(band.values))
    if not band.signed:
        return [(band.color, band.color, [*everywhere])]
    looks = {1: (BLUE, BLUE), 0: (MUTED, "#fff"), -1: (ORANGE, ORANGE)}
    signs = [int(value > 0) - int(value < 0) for value in band.values]
    return [(*look, places) for sign, look in looks.items() if (places := [i for i in everywhere if signs[i] == sign])]


def _mark(band: Band, place: int, column: float, unit: float) -> str:
    """A stem to the zero line and its head, as a path that starts where the value lies."""
    value, r = band.values[place], min(4.4, column / 2.6)
    stem = f"v{number(value * unit)}m0 {number(-value * unit)}" if value else ""
    if not band.signed or not value:
        return stem + _circle(r)
    tip, back = (-1.4 * r, 2.2 * r) if value > 0 else (1.4 * r, -2.2 * r)
    return f"{stem}m0 {number(tip)}l{number(1.1 * r)} {number(back)}h{number(-2.2 * r)}z"


def _circle(r: float) -> str:
    return f"m0 {number(-r)}a{number(r)} {number(r)} 0 1 0 .1 0z"


def _shapes(canvas: Canvas, shapes: Sequence[tuple[str, float, float, str]], *, keyed: bool) -> None:
    """Key, place and path of each shape; without keys all of them are one path."""
    if keyed:
        for key, x, y, path in shapes:
            canvas.shape("path", data_key=key, transform=f"translate({number(x)},{number(y)})", d="M0 0" + path)
    else:
        canvas.shape("path", d="".join(f"M{number(x)} {number(y)}{path}" for _, x, y, path in shapes))


def _deepest(band: Band) -> int:
    return max([band.rows, *Counter(band.drawn).values()])


def _value(value: float, band: Band) -> str:
    return f"{value:+.3f}" if band.signed and value else f"{value:.3g}"


def _alt(band: Band, names: Sequence[str]) -> str:
    place = range(len(band.values))
    least, most = min(place, key=band.values.__getitem__), max(place, key=band.values.__getitem__)
    places = {
        "title": band.title,
        "n": len(names),
        "up": sum(value > 0 for value in band.values),
        "down": sum(value < 0 for value in band.values),
        "equal": sum(value == 0 for value in band.values),
        "least": f"{names[least]} {_value(band.values[least], band)}",
        "most": f"{names[most]} {_value(band.values[most], band)}",
    }
    words = [say("draw.band_signed" if band.signed else "draw.band", **places)]
    if band.mean is not None:
        words.append(say("draw.diff.mean", mean=_value(band.mean, band)) + say("draw.stop"))
    if band.drawn:
        often, count = Counter(band.drawn).most_common(1)[0]
        missing = len(names) - len(set(band.drawn))
        words.append(say("draw.band_drawn", n=len(band.drawn), missing=missing, name=names[often], count=count))
    return say("text.gap").join(words)
