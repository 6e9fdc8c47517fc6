"""Mean differences with their intervals, and the differences of all queries from lowest to highest."""

from collections.abc import Sequence
from dataclasses import dataclass

from relviz.draw.canvas import LINE_HEIGHT, Canvas, wrap
from relviz.draw.figure import WIDTH, Figure, on_narrow_pages_too
from relviz.draw.palette import BLUE, GROUND, INK, LINE, MUTED, ORANGE
from relviz.locale import say
from relviz.significance import TOLERANCE

__all__ = ["Interval", "intervals", "profile", "signed"]

PITCH, TOP = 36, 44


@dataclass(frozen=True)
class Interval:
    """A line of the picture: a name, the mean difference, its interval, and whether it counts as shown."""

    name: str
    mean: float
    low: float
    high: float
    shown: bool


@on_narrow_pages_too
def intervals(rows: Sequence[Interval], title: str, *, width: float = WIDTH) -> Figure:
    """One line per difference: a dot for the mean, a bar for the interval, and the line of no difference.

    The dot is full where the difference is shown, hollow where it is not. width: in pixels; in a narrow picture name
    and numbers stand above the bar, not beside it. Used in lesson 12.
    """
    beside = width == WIDTH
    left, right, pitch = (200, 540, PITCH) if beside else (20, width - 20, PITCH + 38)
    low, high = min([0.0, *(row.low for row in rows)]), max([0.0, *(row.high for row in rows)])
    if low == high:
        low, high = -1.0, 1.0
    unit = (right - left - 20) / (high - low)
    heading = wrap(title, width - 40, 14)
    top = TOP + LINE_HEIGHT * (len(heading) - 1)
    bottom = top + pitch * len(rows)
    canvas = Canvas(bottom + 34, width)

    def x(value: float) -> float:
        return left + 10 + (value - low) * unit

    canvas.title(heading)
    if beside:
        canvas.shape("path", d=f"M{x(0):.1f} {top - 4}V{bottom + 4}", stroke=MUTED, stroke_width=1.5)
    canvas.text(x(0), bottom + 22, "0", anchor="middle", fill=MUTED, size=13)
    for i, row in enumerate(rows):
        y = top + pitch * (i + 1) - PITCH / 2
        ink = BLUE if row.mean > 0 else ORANGE if row.mean < 0 else INK
        numbers = _numbers(row)
        canvas.shape("path", d=f"M{left} {y:g}H{right:g}", stroke=LINE)
        if beside:
            canvas.text(20, y + 5, row.name, width=left - 36)
            canvas.text(right + 20, y + 5, numbers, fill=ink)
        else:
            canvas.text(20, y - 33, row.name, width=width - 40)
            canvas.text(20, y - 14, numbers, fill=ink, width=width - 40)
            canvas.shape("path", d=f"M{x(0):.1f} {y - 10:g}v20", stroke=MUTED, stroke_width=1.5)
        ends = f"M{x(row.low):.1f} {y - 6:g}v12M{x(row.high):.1f} {y - 6:g}v12"
        canvas.shape("path", d=f"M{x(row.low):.1f} {y:g}H{x(row.high):.1f}{ends}", stroke=ink, stroke_width=3)
        fill = ink if row.shown else GROUND
        canvas.shape("circle", cx=x(row.mean), cy=y, r=6.5, fill=fill, stroke=ink, stroke_width=2.5)
    words = [
        f"{row.name} {_numbers(row)}{say('draw.interval.shown' if row.shown else 'draw.interval.not')}" for row in rows
    ]
    return canvas.figure(say("draw.panel", title=title, rows=say("draw.semicolon").join(words)))


@on_narrow_pages_too
def profile(values: Sequence[float], title: str, *, reach: float = 0.0, width: float = WIDTH) -> Figure:
    """A bar per query, lowest difference first; of more queries than fit, evenly spaced ones.

    reach: up to where the scale goes at least, so that several pictures can share one. width: in pixels. Used in
    lesson 12.
    """
    ordered = sorted(values)
    columns = int(width) - 60  # no more bars than pixels
    shown = ordered if len(ordered) <= columns else [ordered[i * len(ordered) // columns] for i in range(columns)]
    reach = max(abs(ordered[0]), abs(ordered[-1]), reach) or 1.0
    heading = wrap(title, width - 40, 14)
    below = LINE_HEIGHT * (len(heading) - 1)
    top, height, left, right = 76 + below, 170, 76, width - 20
    zero, unit, pitch = top + height / 2, height / 2 / reach, (right - left) / len(shown)
    canvas = Canvas(top + height + 24, width)
    canvas.title(heading)
    up, down = sum(d > 0 for d in ordered), sum(d < 0 for d in ordered)
    counts = [
        say("draw.profile.down", count=down),
        say("draw.profile.equal", count=len(ordered) - up - down),
        say("draw.profile.up", count=up),
    ]
    first = left if width == WIDTH else 20
    canvas.text(first, 54 + below, counts[0], fill=ORANGE)
    canvas.text((first + right) / 2, 54 + below, counts[1], fill=MUTED, anchor="middle")
    canvas.text(right, 54 + below, counts[2], fill=BLUE, anchor="end")
    for ink, sign in ((ORANGE, -1), (BLUE, 1)):
        gap = 1 if pitch > 4 else 0
        bars = [
            f"M{left + i * pitch:.1f} {zero:.1f}h{pitch - gap:.2f}v{-d * unit:.1f}h{gap - pitch:.2f}z"
            for i, d in enumerate(shown)
            if d * sign > 0
        ]
        if bars:
            canvas.shape("path", d="".join(bars), fill=ink)
    canvas.shape("path", d=f"M{left} {zero:.1f}H{right:g}", stroke=MUTED)
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
