"""Lists of documents: ranks, grades, what each place adds, and the sum."""

from collections.abc import Sequence
from dataclasses import dataclass

from relviz.draw.canvas import WIDTH, Canvas, measure
from relviz.draw.figure import Figure
from relviz.draw.palette import BLUE, GREEN, GROUND, INK, LINE, MUTED, SERIES, TINT
from relviz.locale import say

__all__ = ["Panel", "Row", "lists"]

MARGIN, GAP = 20, 24
PITCH, CARD = 44, 34
GRADE_WIDTH = 34
MOST_ROWS = 20  # of a longer list the rest is counted, not drawn


@dataclass(frozen=True)
class Row:
    """One place of a list: a document (or a term), its grade if it has one, a note, and bars that the note explains.

    active: what the step is about. waiting: not looked at yet, or cut off. An empty `doc` is an empty place.
    """

    doc: str
    grade: int | None = None
    note: str = ""
    bars: Sequence[float] = ()
    active: bool = False
    waiting: bool = False


@dataclass(frozen=True)
class Panel:
    """A list under a title. `key` tells its documents from the same ones elsewhere; `below` stand under a cut line.

    color: of its bars when each row has one. ranks: number the rows, as a ranking does and a set does not.
    """

    title: str
    rows: Sequence[Row]
    key: str = ""
    below: Sequence[Row] = ()
    cut: str = ""
    color: str = BLUE
    ranks: bool = True


def lists(*bands: Sequence[Panel], total: str = "", scale: float = 0) -> Figure:
    """Panels in bands from top to bottom, side by side within a band, and the result on a line of its own.

    Bars of one figure share one scale: the longest one, or `scale` if that is more (the same in all steps).
    Used in lesson 02.
    """
    longest = max([scale, *(sum(row.bars) for band in bands for panel in band for row in _all(panel))]) or 1
    heights = [max(map(_height, band)) for band in bands]
    canvas = Canvas(sum(heights) + GAP * len(bands) + (42 if total else 0))
    top = 12.0
    columns = max(map(len, bands))
    width = (WIDTH - 2 * MARGIN - GAP * (columns - 1)) / columns
    for band, height in zip(bands, heights):
        for i, panel in enumerate(band):
            _panel(canvas, panel, MARGIN + i * (width + GAP), top, width, longest)
        top += height + GAP
    if total:
        canvas.shape("path", d=f"M{MARGIN} {top - 8:g}H{WIDTH - MARGIN}", stroke=LINE)
        canvas.text(MARGIN, top + 20, total, size=18, bold=True, width=WIDTH - 2 * MARGIN)
    parts = [_alt(panel) for band in bands for panel in band]
    return canvas.figure(" ".join([*parts, total] if total else parts))


def grade_mark(canvas: Canvas, x: float, y: float, grade: int) -> None:
    """A grade around (x, y): hollow circle 0, diamond 1, filled square 2, filled octagon above; with its number."""
    if grade == 0:
        canvas.shape("circle", cx=x, cy=y, r=10, fill="none", stroke=MUTED, stroke_width=1.5)
    elif grade == 1:
        canvas.shape("path", d=f"M{x:g} {y - 13:g}l13 13l-13 13l-13-13z", fill=GROUND, stroke=GREEN, stroke_width=2)
    elif grade == 2:
        canvas.shape("rect", x=x - 10, y=y - 10, width=20, height=20, rx=2, fill=GREEN)
    else:
        canvas.shape("path", d=f"M{x - 5:g} {y - 12:g}h10l7 7v10l-7 7h-10l-7-7v-10z", fill=GREEN)
    ink = MUTED if grade == 0 else GREEN if grade == 1 else GROUND
    canvas.text(x, y + 4.5, str(grade), size=13, fill=ink, anchor="middle", bold=grade > 0)


def _panel(canvas: Canvas, panel: Panel, x: float, y: float, width: float, longest: float) -> None:
    canvas.text(x, y + 14, panel.title, bold=True, fill=MUTED, width=width)
    graded = any(row.grade is not None for row in _all(panel))
    names = max((measure(row.doc, 15) for row in _all(panel)), default=0)
    card = min(max(names + 26, 52) + GRADE_WIDTH * graded, width * (0.44 if _noted(panel) else 0.9))
    left = 28 if panel.ranks else 0
    shown = panel.rows[:MOST_ROWS]
    for i, row in enumerate(shown):
        top = y + 28 + i * PITCH
        if panel.ranks:
            canvas.text(x + 16, top + 22, str(i + 1), fill=MUTED, anchor="end")
        _row(canvas, panel, row, x + left, top, card, width - left, longest)
    y += 28 + len(shown) * PITCH
    if len(shown) < len(panel.rows):
        canvas.text(x + left, y + 22, say("draw.more", count=len(panel.rows) - len(shown)), fill=MUTED)
        y += PITCH
    if panel.below:
        canvas.shape("path", d=f"M{x:g} {y + 4:g}h{width:g}", stroke=MUTED, stroke_dasharray="4 4")
        canvas.text(x, y + 22, panel.cut, size=13, fill=MUTED, width=width)
        for i, row in enumerate(panel.below):
            _row(canvas, panel, row, x + left, y + 32 + i * PITCH, card, width - left, longest)


def _row(canvas: Canvas, panel: Panel, row: Row, x: float, y: float, card: float, width: float, longest: float) -> None:
    if not row.doc:
        canvas.shape("rect", x=x, y=y, width=card, height=CARD, rx=6, fill="none", stroke=LINE, stroke_dasharray="4 4")
        canvas.text(x + 12, y + 22, say("draw.empty_place"), size=13, fill=MUTED)
    else:
        with canvas.moving(f"{panel.key}:{row.doc}", x, y):
            outline = (
                {"fill": TINT, "stroke": BLUE, "stroke_width": 2.0} if row.active else {"fill": "#fff", "stroke": LINE}
            )
            canvas.shape("rect", width=card, height=CARD, rx=6, **outline)
            indent = 12.0
            if row.grade is not None:
                grade_mark(canvas, 20, CARD / 2, row.grade)
                indent = 6 + GRADE_WIDTH
            room = card - indent - 8
            canvas.text(indent, 22, row.doc, size=15, fill=MUTED if row.waiting else INK, width=room)
    note_x, room = x + card + 14, width - card - 14
    canvas.text(note_x, y + (16 if sum(row.bars) else 22), row.note, fill=INK if row.active else MUTED, width=room)
    for i, bar in enumerate(row.bars):
        color = panel.color if len(row.bars) == 1 else SERIES[i % len(SERIES)]
        start, length = room * sum(row.bars[:i]) / longest, room * bar / longest
        canvas.shape("rect", x=note_x + start, y=y + 24, width=max(length - 1, 0), height=8, fill=color)


def _all(panel: Panel) -> list[Row]:
    return [*panel.rows[:MOST_ROWS], *panel.below]


def _noted(panel: Panel) -> bool:
    return any(row.note or row.bars for row in _all(panel))


def _height(panel: Panel) -> float:
    places = len(_all(panel)) + (len(panel.rows) > MOST_ROWS)
    return 20 + PITCH * places + (32 if panel.below else 0)


def _alt(panel: Panel) -> str:
    rows = [_row_alt(row, i + 1 if panel.ranks else None) for i, row in enumerate(panel.rows[:MOST_ROWS])]
    if len(panel.rows) > MOST_ROWS:
        rows.append(say("draw.more", count=len(panel.rows) - MOST_ROWS))
    if panel.below:
        rows.append(
            say("draw.below", cut=panel.cut, rows=say("draw.comma").join(_row_alt(r, None) for r in panel.below))
        )
    return say("draw.panel", title=panel.title, rows=say("draw.semicolon").join(rows))


def _row_alt(row: Row, rank: int | None) -> str:
    parts = [row.doc or say("draw.empty_place")]
    if row.grade is not None:
        parts.append(say("draw.grade", grade=row.grade))
    if row.note:
        parts.append(row.note)
    words = say("draw.comma").join(parts)
    return words if rank is None else say("draw.rank", rank=rank, words=words)
