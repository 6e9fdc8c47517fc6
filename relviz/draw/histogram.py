"""How often each value came up, and how far out the observed one lies."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from relviz.draw.canvas import Canvas, measure, number
from relviz.draw.figure import WIDTH, Figure, on_narrow_pages_too
from relviz.draw.palette import BLUE, INK, LINE, MUTED, ORANGE, TINT
from relviz.locale import say
from relviz.significance import TOLERANCE

__all__ = ["histogram", "reach"]

Numbers = Sequence[float] | np.ndarray[Any, Any]
Place = Callable[[float], float]
LEFT, TOP = 20, 62
LABEL = 72  # beside the end of an interval stands its value
BELOW = 78  # from the foot of the bars to the edge: the interval, the axis and its numbers
BINS = 40


@on_narrow_pages_too
def histogram(
    values: Numbers,
    *,
    interval: tuple[float, float] | None = None,
    observed: float | None = None,
    span: tuple[float, float] | None = None,
    title: str = "",
    other: Numbers = (),
    names: tuple[str, str] = ("", ""),
    both_sides: bool = False,
    height: float = 270,
    width: float = WIDTH,
) -> Figure:
    """Bars, the interval under them, and a line where the observed value lies.

    span: the range of the axis, the same in pictures that are compared: `reach` of the largest of them. other: a
    second set, drawn as an outline; `names` say which is which. both_sides: mark -observed as well, and all that lies
    as far out as these two. height, width: in pixels. Used in lesson 09.
    """
    values, other = np.asarray(values, dtype=float), np.asarray(other, dtype=float)
    low, high = span or reach([*values, *other, *(interval or ())], observed, both_sides=both_sides, width=width)
    bar = (high - low) / BINS
    if both_sides and observed is not None and abs(observed) > bar:
        bar = abs(observed) / round(abs(observed) / bar)  # so that the observed value lies between two bars
    edges = bar * np.arange(math.floor(low / bar), math.ceil(high / bar) + 1)
    base, right = height - BELOW, width - 20
    canvas = Canvas(height, width)

    def x(value: float) -> float:
        return LEFT + (value - low) / (high - low) * (right - LEFT)

    canvas.text(20, 28, title, bold=True, fill=MUTED, width=width - 40)
    lines = [] if observed is None else [observed, *([-observed] if both_sides and observed else [])]
    if both_sides and observed is not None:
        for start, end in ((LEFT, x(-abs(observed))), (x(abs(observed)), right)):
            canvas.shape("rect", x=start, y=TOP - 16, width=max(end - start, 0), height=base - TOP + 16, fill=TINT)
    counts = _count(values, edges)
    share = values.size / other.size if other.size else 0.0
    beside = _count(other, edges) * share
    unit = (base - TOP - 6) / (max(counts.max(), beside.max()) or 1)
    canvas.shape("path", d=_outline(counts, edges, x, base, unit), fill=BLUE)
    if both_sides and observed is not None:
        far = _count(values[np.abs(values) >= abs(observed) - TOLERANCE], edges)
        canvas.shape("path", d=_outline(far, edges, x, base, unit), fill=ORANGE)
    if other.size:
        canvas.shape("path", d=_outline(beside, edges, x, base, unit), fill="none", stroke=ORANGE, stroke_width=2)
        for row, name, color in zip((TOP, TOP + 20), names, (BLUE, ORANGE)):
            canvas.text(right, row, name, fill=color, anchor="end", bold=True)
    _axis(canvas, low, high, x, base + 38)
    words = [title] if title else []
    if interval is not None:
        y, labels = base + 18, [f"{end:+.3f}" for end in interval]
        line = f"M{number(x(interval[0]))} {number(y)}H{number(x(interval[1]))}"
        marks = "".join(f"M{number(x(end))} {number(y - 7)}v14" for end in interval)
        canvas.shape("path", d=line + marks, stroke=INK, stroke_width=3)
        for end, label, side in zip(interval, labels, (-1, 1)):
            _beside(canvas, x(end), y + 5, label, side, bold=True, turned=10)
        words.append(say("draw.interval", low=labels[0], high=labels[1]))
    for value in lines:
        dashed: dict[str, Any] = {"stroke": INK, "stroke_width": 1.5, "stroke_dasharray": "5 4"}
        canvas.shape("path", d=f"M{number(x(value))} {TOP - 16}V{number(base)}", **dashed)
        label = say("draw.observed", value=f"{value:+.3f}") if value == observed else f"{value:+.3f}"
        _beside(canvas, x(value), TOP - 4, label, -1 if value == -abs(value) and both_sides else 1)
        words += [label] if value == observed else []
    ends = {"low": f"{values.min():+.3f}", "high": f"{values.max():+.3f}"}
    words.append(say("draw.spread", n=f"{values.size:,}", **ends))
    return canvas.figure(say("draw.semicolon").join(words))


def reach(
    values: Numbers, observed: float | None = None, *, both_sides: bool = False, width: float = WIDTH
) -> tuple[float, float]:
    """The range of an axis that holds the values and the observed one, with room at both ends for what is written."""
    held = np.append(np.asarray(values, dtype=float), [] if observed is None else observed)
    low, high = float(held.min()), float(held.max())
    if both_sides:
        low, high = -max(-low, high), max(-low, high)
    room = (high - low) * LABEL / (width - 2 * LEFT - 2 * LABEL) or 0.5
    return low - room, high + room


def ticks(low: float, high: float, most: int) -> Iterator[float]:
    """Round numbers of the range: multiples of 1, 2 or 5 times a power of ten, at most so many."""
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    width = next(m * power for m in (1, 2, 5, 10) if m * power >= rough)
    yield from (i * width for i in range(math.ceil(low / width), math.floor(high / width) + 1))


def _count(values: np.ndarray[Any, Any], edges: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """How many values lie in each bar; one on an edge belongs to the bar further out, whatever its last bits."""
    rounded = np.round(values, 12) + 0.0  # no -0
    return np.histogram(rounded + np.copysign(TOLERANCE, rounded), edges)[0]


def _outline(counts: np.ndarray[Any, Any], edges: np.ndarray[Any, Any], x: Place, base: float, unit: float) -> str:
    """The steps of the bars as one path, from the first that is not empty to the last."""
    filled = np.flatnonzero(counts)
    if not filled.size:
        return f"M{LEFT} {number(base)}"
    bars = range(filled[0], filled[-1] + 1)
    steps = "".join(f"V{number(base - counts[i] * unit)}H{number(x(edges[i + 1]))}" for i in bars)
    return f"M{number(x(edges[filled[0]]))} {number(base)}{steps}V{number(base)}"


def _axis(canvas: Canvas, low: float, high: float, x: Place, y: float) -> None:
    right = canvas.width - 20
    canvas.shape("path", d=f"M{LEFT} {number(y)}H{number(right)}", stroke=LINE)
    for value in ticks(low, high, round(canvas.width / 80)):
        if LEFT + 16 < x(value) < right - 16:
            canvas.shape("path", d=f"M{number(x(value))} {number(y)}v5", stroke=MUTED)
            canvas.text(x(value), y + 20, f"{value:.6g}", size=13, fill=MUTED, anchor="middle")


def _beside(
    canvas: Canvas, x: float, y: float, words: str, side: int, *, bold: bool = False, turned: float = 0
) -> None:
    """Words to the right (1) or left (-1) of a place; where the edge is too near, on its other side, `turned` lower."""
    gap = 8
    if not 0 <= x + side * (gap + measure(words, 14, bold=bold)) <= canvas.width:
        side, y = -side, y + turned
    canvas.text(x + side * gap, y, words, anchor="start" if side > 0 else "end", bold=bold)
