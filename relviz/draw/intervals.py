"""Mean differences with their intervals, and the differences of all queries from lowest to highest."""

from collections.abc import Sequence
from dataclasses import dataclass

from relviz.draw.canvas import WIDTH, Canvas
from relviz.draw.figure import Figure
from relviz.draw.palette import BLUE, GROUND, INK, LINE, MUTED, ORANGE
from relviz.locale import say
from relviz.significance import TOLERANCE

__all__ = ["Interval", "intervals", "profile", "signed"]

PITCH, TOP = 36, 44
LEFT, RIGHT = 200, 540  # the axis; names stand before it, numbers behind
COLUMNS = 700  # no more bars than pixels


@dataclass(frozen=True)
class Interval:
    """A line of the picture: a name, the mean difference, its interval, and whether it counts as shown."""

    name: str
    mean: float
    low: float
    high: float
    shown: bool


def intervals(rows: Sequence[Interval], title: str) -> Figure:
    """One line per difference: a dot for the mean, a bar for the interval, and the line of no difference.

    The dot is full where the difference is shown, hollow where it is not. Used in lesson 12.
    """
    low, high = min([0.0, *(row.low for row in rows)]), max([0.0, *(row.high for row in rows)])
    if low == high:
        low, high = -1.0, 1.0
    unit = (RIGHT - LEFT - 20) / (high - low)
    bottom = TOP + PITCH * len(rows)
    canvas = Canvas(bottom + 34)

    def x(value: float) -> float:
        return LEFT + 10 + (value - low) * unit

    canvas.text(20, 26, title, bold=True, width=WIDTH - 40)
    canvas.shape("path", d=f"M{x(0):.1f} {TOP - 4}V{bottom + 4}", stroke=MUTED, stroke_width=1.5)
    canvas.text(x(0), bottom + 22, "0", anchor="middle", fill=MUTED, size=13)
    for i, row in enumerate(rows):
        y = TOP + PITCH * i + PITCH / 2
        ink = BLUE if row.mean > 0 else ORANGE if row.mean < 0 else INK
        canvas.shape("path", d=f"M{LEFT} {y:g}H{RIGHT}", stroke=LINE)
        canvas.text(20, y + 5, row.name, width=LEFT - 36)
        ends = f"M{x(row.low):.1f} {y - 6:g}v12M{x(row.high):.1f} {y - 6:g}v12"
        canvas.shape("path", d=f"M{x(row.low):.1f} {y:g}H{x(row.high):.1f}{ends}", stroke=ink, stroke_width=3)
        fill = ink if row.shown else GROUND
        canvas.shape("circle", cx=x(row.mean), cy=y, r=6.5, fill=fill, stroke=ink, stroke_width=2.5)
        canvas.text(RIGHT + 20, y + 5, _numbers(row), fill=ink)
    words = [
        f"{row.name} {_numbers(row)} {say('draw.interval.shown' if row.shown else 'draw.interval.not')}" for row in rows
    ]
    return canvas.figure(say("draw.panel", title=title, rows=say("draw.semicolon").join(words)))


def profile(values: Sequence[float], title: str) -> Figure:
    """A bar per query, lowest difference first; of more queries than fit, evenly spaced ones. Used in lesson 12."""
    ordered = sorted(values)
    shown = ordered if len(ordered) <= COLUMNS else [ordered[i * len(ordered) // COLUMNS] for i in range(COLUMNS)]
    reach = max(abs(ordered[0]), abs(ordered[-1])) or 1.0
    top, height, left, right = 76, 170, 76, WIDTH - 20
    zero, unit, pitch = top + height / 2, height / 2 / reach, (right - left) / len(shown)
    canvas = Canvas(top + height + 24)
    canvas.text(20, 26, title, bold=True, width=WIDTH - 40)
    up, down = sum(d > 0 for d in ordered), sum(d < 0 for d in ordered)
    counts = [
        say("draw.profile.down", count=down),
        say("draw.profile.equal", count=len(ordered) - up - down),
        say("draw.profile.up", count=up),
    ]
    canvas.text(left, 54, counts[0], fill=ORANGE)
    canvas.text((left + right) / 2, 54, counts[1], fill=MUTED, anchor="middle")
    canvas.text(right, 54, counts[2], fill=BLUE, anchor="end")
    for ink, sign in ((ORANGE, -1), (BLUE, 1)):
        gap = 1 if pitch > 4 else 0
        bars = [
            f"M{left + i * pitch:.1f} {zero:.1f}h{pitch - gap:.2f}v{-d * unit:.1f}h{gap - pitch:.2f}z"
            for i, d in enumerate(shown)
            if d * sign > 0
        ]
        if bars:
            canvas.shape("path", d="".join(bars), fill=ink)
    canvas.shape("path", d=f"M{left} {zero:.1f}H{right}", stroke=MUTED)
    for value, y in ((reach, top + 5), (0, zero + 5), (-reach, top + height + 5)):
        canvas.text(left - 10, y, f"{value:+.2f}" if value else "0", anchor="end", size=13, fill=MUTED)
    ends = say("draw.profile.ends", low=signed(ordered[0]), high=signed(ordered[-1]))
    return canvas.figure(say("draw.panel", title=title, rows=say("draw.semicolon").join([*counts, ends])))


def signed(value: float, digits: int = 3) -> str:
    """So many digits with a sign, or the first that is not 0; a hair below 0 is 0."""
    if abs(value) > TOLERANCE and round(value, digits) == 0:
        return f"{value:+.1g}"
    return f"{round(value, digits) + 0.0:+.{digits}f}"


def _numbers(row: Interval) -> str:
    return f"{signed(row.mean)} [{signed(row.low)}, {signed(row.high)}]"
