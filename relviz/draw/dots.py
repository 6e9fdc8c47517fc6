"""Per-query differences between two systems, one line for each query that changed."""

from collections.abc import Mapping

from relviz.draw.canvas import WIDTH, Canvas
from relviz.draw.figure import Figure
from relviz.draw.palette import BLUE, INK, LINE, MUTED, ORANGE
from relviz.locale import say

__all__ = ["differences"]

PITCH, TOP, LEFT, RIGHT = 24, 64, 130, 90
EQUAL = 1e-9  # two scores that are nearer than this are the same number, added up in another order


def differences(values: Mapping[str, float]) -> Figure:
    """Differences B - A by query, lowest first, with their mean; queries without a difference are counted below.

    A triangle points up where B is better, down where A is. Used in lesson 05.
    """
    values = dict(values)  # a pandas Series too
    if not values:
        raise ValueError("there is no difference to draw: values is empty")
    changed = sorted(((d, q) for q, d in values.items() if abs(d) > EQUAL), key=lambda pair: pair[0])
    up, down, equal = sum(d > 0 for d, _ in changed), sum(d < 0 for d, _ in changed), len(values) - len(changed)
    mean = sum(values.values()) / len(values)
    reach = max([abs(d) for d, _ in changed], default=0) or 1
    zero, unit = (LEFT + WIDTH - RIGHT) / 2, (WIDTH - LEFT - RIGHT) / 2 / reach

    bottom = TOP + PITCH * len(changed)
    canvas = Canvas(bottom + 62)
    canvas.text(20, 28, say("draw.diff.down", count=down), fill=ORANGE, bold=True)
    canvas.text(WIDTH - 20, 28, say("draw.diff.up", count=up), fill=BLUE, bold=True, anchor="end")
    canvas.shape("path", d=f"M{zero:g} {TOP - 14}V{bottom}", stroke=MUTED)
    for row, (d, query) in enumerate(changed):
        _line(canvas, query, d, zero, zero + d * unit, TOP + PITCH * row)
    canvas.text(20, bottom + 20, say("draw.diff.equal", count=equal), fill=MUTED)
    x = zero + mean * unit
    canvas.shape("path", d=f"M{x:.1f} {TOP - 14}V{bottom + 24}", stroke=INK, stroke_width=2, stroke_dasharray="5 4")
    canvas.text(x, bottom + 44, say("draw.diff.mean", mean=f"{mean:+.3f}"), bold=True, anchor="middle")

    listed = say("draw.comma").join(f"{query} {d:+.3f}" for d, query in changed)
    counts = [say("draw.diff.up", count=up), say("draw.diff.down", count=down), say("draw.diff.equal", count=equal)]
    words = [say("draw.semicolon").join(counts), say("draw.diff.mean", mean=f"{mean:+.3f}")]
    return canvas.figure(say("draw.diff.alt", words=say("draw.semicolon").join(words), listed=listed or "-"))


def _line(canvas: Canvas, query: str, d: float, zero: float, x: float, y: float) -> None:
    color, tip = (BLUE, -6) if d > 0 else (ORANGE, 6)
    canvas.text(20, y + 5, query, width=LEFT - 30)
    canvas.shape("path", d=f"M{LEFT} {y:g}H{WIDTH - RIGHT}", stroke=LINE)
    canvas.shape("path", d=f"M{zero:.1f} {y:g}H{x:.1f}", stroke=color, stroke_width=3)
    canvas.shape("path", d=f"M{x:.1f} {y + tip:g}l6 {-2 * tip:g}h-12z", fill=color)
    beside = 12 if d > 0 else -12
    canvas.text(x + beside, y + 5, f"{d:+.3f}", size=13, fill=color, anchor="start" if d > 0 else "end")
