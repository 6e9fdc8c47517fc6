"""Per-query differences between two systems, one line for each query that changed."""

from collections.abc import Mapping

from relviz.draw.canvas import Canvas, measure
from relviz.draw.figure import WIDTH, Figure, on_narrow_pages_too
from relviz.draw.palette import BLUE, INK, LINE, MUTED, ORANGE
from relviz.locale import say

__all__ = ["differences"]

PITCH, TOP = 24, 64
EQUAL = 1e-9  # two scores that are nearer than this are the same number, added up in another order


@on_narrow_pages_too
def differences(values: Mapping[str, float], *, width: float = WIDTH) -> Figure:
    """Differences B - A by query, lowest first, with their mean; queries without a difference are counted below.

    A triangle points up where B is better, down where A is. width: in pixels. Used in lesson 05.
    """
    values = dict(values)  # a pandas Series too
    if not values:
        raise ValueError(say("errors.no_difference"))
    changed = sorted(((d, q) for q, d in values.items() if abs(d) > EQUAL), key=lambda pair: pair[0])
    up, down, equal = sum(d > 0 for d, _ in changed), sum(d < 0 for d, _ in changed), len(values) - len(changed)
    mean = sum(values.values()) / len(values)
    reach = max([abs(d) for d, _ in changed], default=0) or 1
    # Beyond these ends stand the names, and the numbers.
    name = min(max((measure(query, 14) for _, query in changed), default=0), 240) if width == WIDTH else 44
    left, right = max(130, 20 + name + 76 if width == WIDTH else 0), width - (90 if width == WIDTH else 74)
    zero, unit = (left + right) / 2, (right - left) / 2 / reach

    bottom = TOP + PITCH * len(changed)
    canvas = Canvas(bottom + 62, width)
    canvas.text(20, 28, say("draw.diff.down", count=down), fill=ORANGE, bold=True)
    canvas.text(width - 20, 28, say("draw.diff.up", count=up), fill=BLUE, bold=True, anchor="end")
    canvas.shape("path", d=f"M{zero:g} {TOP - 14}V{bottom}", stroke=MUTED)
    for row, (d, query) in enumerate(changed):
        y = TOP + PITCH * row
        canvas.shape("path", d=f"M{left:g} {y:g}H{right:g}", stroke=LINE)
        canvas.text(20, y + 5, query, width=name)
        _line(canvas, d, zero, zero + d * unit, y)
    canvas.text(20, bottom + 20, say("draw.diff.equal", count=equal), fill=MUTED)
    x = zero + mean * unit
    canvas.shape("path", d=f"M{x:.1f} {TOP - 14}V{bottom + 24}", stroke=INK, stroke_width=2, stroke_dasharray="5 4")
    words = say("draw.diff.mean", mean=f"{mean:+.3f}")
    middle = min(max(x, 20 + measure(words, 14, bold=True) / 2), width - 20 - measure(words, 14, bold=True) / 2)
    canvas.text(middle, bottom + 44, words, bold=True, anchor="middle")

    listed = say("draw.comma").join(f"{query} {d:+.3f}" for d, query in changed)
    counts = [say("draw.diff.up", count=up), say("draw.diff.down", count=down), say("draw.diff.equal", count=equal)]
    summary = say("draw.semicolon").join([*counts, words])
    return canvas.figure(say("draw.diff.alt", words=summary, listed=listed or "-"))


def _line(canvas: Canvas, d: float, zero: float, x: float, y: float) -> None:
    color, tip = (BLUE, -6) if d > 0 else (ORANGE, 6)
    canvas.shape("path", d=f"M{zero:.1f} {y:g}H{x:.1f}", stroke=color, stroke_width=3)
    canvas.shape("path", d=f"M{x:.1f} {y + tip:g}l6 {-2 * tip:g}h-12z", fill=color)
    beside = 12 if d > 0 else -12
    canvas.text(x + beside, y + 5, f"{d:+.3f}", size=13, fill=color, anchor="start" if d > 0 else "end")
