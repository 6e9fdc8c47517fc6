"""One mark for each query: scores or differences, and how often a query was drawn."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from relviz.draw.canvas import SMALLEST, Canvas, measure, number
from relviz.draw.figure import WIDTH, Figure, on_narrow_pages_too
from relviz.draw.palette import BLUE, INK, LINE, MUTED, ORANGE
from relviz.locale import say

__all__ = ["Band", "queries"]

LEFT, RIGHT = 62, 18
PLOT = 132
DOT = 9  # from one drawn dot to the next below it


@dataclass(frozen=True)
class Band:
    """Values of queries, from left to right, under a title; between them and the next band the queries that were drawn.

    signed: the values are differences, so that up means B is better and down A. drawn: places of the drawn queries.
    span: values that the axis has to reach, so that it is the same in pictures that are compared.
    """

    title: str
    values: Sequence[float]
    key: str = "query"
    signed: bool = True
    color: str = INK
    drawn: Sequence[int] = ()
    mean: float | None = None
    span: tuple[float, float] = (0.0, 0.0)


@on_narrow_pages_too
def queries(bands: Sequence[Band], names: Sequence[str], *, total: str = "", width: float = WIDTH) -> Figure:
    """Bands of marks, one column for each query, and the result on a line of its own.

    width: in pixels; where a column is too narrow for the name of its query, the first and the last are named.
    Used in lesson 09.
    """
    heights = [26 + PLOT + 36 + (_deepest(band) * DOT + 8 if band.drawn else 0) for band in bands]
    canvas = Canvas(sum(heights) + 12 + (42 if total else 8), width)
    top = 10.0
    for band, height in zip(bands, heights):
        _band(canvas, band, names, top)
        top += height
    if total:
        canvas.shape("path", d=f"M20 {number(top + 6)}H{number(width - 20)}", stroke=LINE)
        canvas.text(20, top + 34, total, size=18, bold=True, width=width - 40)
    parts = [_alt(band, names) for band in bands]
    return canvas.figure(" ".join([*parts, total] if total else parts))


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

    for value in sorted({low, 0.0, high}):
        canvas.text(LEFT - 10, y(value) + 4, _value(value, band), size=12, fill=MUTED, anchor="end")
    canvas.shape("path", d=f"M{LEFT} {number(y(0))}H{number(right)}", stroke=MUTED)
    for place, (name, value) in enumerate(zip(names, band.values)):
        with canvas.moving(f"{band.key}:{name}", x(place), y(value)):
            _mark(canvas, value, band, min(5.0, column / 2.4), y(0) - y(value))
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
    elif not band.drawn:
        half = (right - LEFT) / 2
        canvas.text(LEFT, bottom + 12, names[0], size=12, fill=MUTED, width=half)
        canvas.text(right, bottom + 12, names[-1], size=12, fill=MUTED, anchor="end", width=half)
    _drawn(canvas, band, x, bottom + 40, min(3.6, column / 2.4))


def _mark(canvas: Canvas, value: float, band: Band, r: float, to_zero: float) -> None:
    """A mark with a stem to the zero line."""
    color = band.color if not band.signed else BLUE if value > 0 else ORANGE
    if value:
        canvas.shape("path", d=f"M0 0v{number(to_zero)}", stroke=color, stroke_width=1.5)
    if not band.signed:
        canvas.shape("circle", r=r, fill=color)
    elif value == 0:
        canvas.shape("circle", r=r * 0.8, fill="#fff", stroke=MUTED, stroke_width=1.5)
    else:
        tip, back = (-1.3 * r, 2 * r) if value > 0 else (1.3 * r, -2 * r)
        canvas.shape("path", d=f"M0 {number(tip)}l{number(r)} {number(back)}h{number(-2 * r)}z", fill=color)


def _drawn(canvas: Canvas, band: Band, x: Callable[[int], float], y: float, r: float) -> None:
    if not band.drawn:
        return
    canvas.text(LEFT - 10, y + 5, say("draw.drawn"), size=12, fill=MUTED, anchor="end", width=LEFT - 20)
    count: Counter[int] = Counter()
    with canvas.group(fill=band.color):
        for n, place in enumerate(band.drawn):
            there = f"translate({number(x(place))},{number(y + count[place] * DOT)})"
            canvas.shape("circle", data_key=f"{band.key} drawn:{n}", transform=there, r=r)
            count[place] += 1


def _deepest(band: Band) -> int:
    return max(Counter(band.drawn).values(), default=0)


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
    return " ".join(words)
