"""Lists of documents: ranks, grades, what each place adds, and the sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from relviz.draw.canvas import Canvas, measure, number, wrap
from relviz.draw.figure import WIDTH, Figure
from relviz.draw.palette import BLUE, GREEN, GROUND, INK, LINE, MUTED, SERIES, TINT
from relviz.locale import say

__all__ = ["MOST_LOOSE", "UNJUDGED", "Panel", "Row", "Sum", "lists"]

MARGIN, GAP = 20, 24
GRADE_WIDTH = 34
MOST_ROWS = 20  # of a longer list the rest is counted, not drawn
MOST_LOOSE = 12  # rows of a longer list stand close
SUM_PITCH = 30
NAME, VALUE = 130, 70  # before the bar of a sum
UNJUDGED = "?"  # in place of a grade: nobody has judged this document


@dataclass(frozen=True)
class Row:
    """One place of a list: a document (or a term), its grade if it has one, a note, and bars that the note explains.

    grade: a number, UNJUDGED, or None in lists without grades. active: what the step is about. waiting: not looked at
    yet, or cut off. An empty `doc` is an empty place.
    """

    doc: str
    grade: int | str | None = None
    note: str = ""
    bars: Sequence[float] = ()
    active: bool = False
    waiting: bool = False


@dataclass(frozen=True)
class Panel:
    """A list under a title. `key` tells its documents from the same ones elsewhere; `below` stand under a cut line.

    Without a key they do not glide. color: of its bars when each row has one. ranks: number the rows, as a ranking
    does and a set does not.
    """

    title: str
    rows: Sequence[Row]
    key: str = ""
    below: Sequence[Row] = ()
    cut: str = ""
    color: str = BLUE
    ranks: bool = True


@dataclass(frozen=True)
class Sum:
    """A sum as a bar: its parts laid end to end, in the colour of the panel that they come from, behind its value."""

    name: str
    value: str
    parts: Sequence[float] = ()
    color: str = BLUE


@dataclass(frozen=True)
class Layout:
    """Where things stand: how far rows lie apart, how wide a panel is, and how wide the narrowest of the trace."""

    pitch: float
    width: float
    narrow: float
    longest: float

    @property
    def card(self) -> float:
        """How tall a card is."""
        return self.pitch - (10 if self.pitch > 30 else 4)


def lists(
    *bands: Sequence[Panel],
    total: str = "",
    scale: float = 0,
    columns: int = 1,
    sums: Sequence[Sum] = (),
    sum_scale: float = 0,
    dense: bool = False,
) -> Figure:
    """Panels in bands from top to bottom, side by side within a band, then sums, then the result in words.

    Bars of one figure share one scale: the longest one, or `scale` if that is more. Where figures of one trace are
    compared, `scale`, `columns` (how many panels stand side by side in the widest of them), `sum_scale` and `dense`
    are the same in all, so that nothing changes its size from one to the next. Used in lesson 02.
    """
    longest = max([scale, *(sum(row.bars) for band in bands for panel in band for row in _all(panel))]) or 1
    side_by_side = max(map(len, bands))
    pitch = 28 if dense or any(len(_all(panel)) > MOST_LOOSE for band in bands for panel in band) else 44
    layout = Layout(pitch, _width(side_by_side), _width(max(columns, side_by_side)), longest)
    heights = [max(_height(panel, pitch) for panel in band) for band in bands]
    lines = _lines(total)
    canvas = Canvas(
        sum(heights)
        + GAP * len(bands)
        + (SUM_PITCH * len(sums) + 12 if sums else 0)
        + (20 + 22 * len(lines) if total else 0)
    )
    top = 12.0
    for band, height in zip(bands, heights):
        for i, panel in enumerate(band):
            _panel(canvas, panel, MARGIN + i * (layout.width + GAP), top, layout)
        top += height + GAP
    if sums:
        _sums(canvas, sums, top, sum_scale)
        top += SUM_PITCH * len(sums) + 12
    if total:
        canvas.shape("path", d=f"M{MARGIN} {top - 8:g}H{WIDTH - MARGIN}", stroke=LINE)
        for i, line in enumerate(lines):
            canvas.text(
                MARGIN, top + 20 + 22 * i, line.rstrip(), size=18 if len(lines) == 1 else 15, bold=True, width=_width(1)
            )
    parts = [_alt(panel) for band in bands for panel in band]
    words = [say("draw.semicolon").join(f"{bar.name} {bar.value}" for bar in sums) + say("draw.stop")] if sums else []
    return canvas.figure(say("text.gap").join([*parts, *words, *([total] if total else [])]))


def grade_mark(canvas: Canvas, x: float, y: float, grade: int | str) -> None:
    """A grade around (x, y): hollow circle 0, diamond 1, filled square 2, filled octagon above; with its number.

    Dashed circle and question mark: not judged.
    """
    if grade == UNJUDGED:
        canvas.shape("circle", cx=x, cy=y, r=10, fill="none", stroke=MUTED, stroke_width=1.5, stroke_dasharray="3 3")
    elif grade == 0:
        canvas.shape("circle", cx=x, cy=y, r=10, fill="none", stroke=MUTED, stroke_width=1.5)
    elif grade == 1:
        canvas.shape("path", d=f"M{x:g} {y - 13:g}l13 13l-13 13l-13-13z", fill=GROUND, stroke=GREEN, stroke_width=2)
    elif grade == 2:
        canvas.shape("path", d=f"M{x - 10:g} {y - 10:g}h20v20h-20z", fill=GREEN)
    else:
        canvas.shape("path", d=f"M{x - 5:g} {y - 12:g}h10l7 7v10l-7 7h-10l-7-7v-10z", fill=GREEN)
    ink = MUTED if grade in (0, UNJUDGED) else GREEN if grade == 1 else "#fff"
    canvas.text(x, y + 5, str(grade), fill=ink, anchor="middle")


def _width(columns: int) -> float:
    return (WIDTH - 2 * MARGIN - GAP * (columns - 1)) / columns


def _lines(total: str) -> list[str]:
    """A long result goes on in the next line, smaller, before it would be cut."""
    return [total] if measure(total, 18, bold=True) <= _width(1) else wrap(total, _width(1), 15, bold=True)[:4]


def _panel(canvas: Canvas, panel: Panel, x: float, y: float, layout: Layout) -> None:
    canvas.text(x, y + 14, panel.title, bold=True, fill=MUTED, width=layout.width)
    left = 28 if panel.ranks else 0
    card = _card(panel, layout, left)
    shown = panel.rows[:MOST_ROWS]
    places = [(row, y + 28 + i * layout.pitch) for i, row in enumerate(shown)]
    if panel.ranks:
        with canvas.group(fill=MUTED, text_anchor="end"):
            for i, (_, top) in enumerate(places):
                canvas.text(x + 16, top + layout.card / 2 + 5, str(i + 1))
    y += 28 + len(shown) * layout.pitch
    if len(shown) < len(panel.rows):
        canvas.text(x + left, y + 20, say("draw.more", count=len(panel.rows) - len(shown)), fill=MUTED)
        y += layout.pitch
    if panel.below:
        canvas.shape("path", d=f"M{x:g} {y + 4:g}h{layout.width:g}", stroke=MUTED, stroke_dasharray="4 4")
        canvas.text(x, y + 22, panel.cut, size=13, fill=MUTED, width=layout.width)
        places += [(row, y + 32 + i * layout.pitch) for i, row in enumerate(panel.below)]
    for row, top in places:
        _doc(canvas, panel, row, x + left, top, card, layout)
    note_x = x + left + card + 14
    with canvas.group(fill=MUTED):
        for row, top in places:
            if row.note:
                base = top + layout.card / 2 + (5 if not sum(row.bars) else 0 if layout.pitch > 30 else 2)
                ink = INK if row.active else None
                canvas.text(note_x, base, row.note, fill=ink, width=x + layout.width - note_x)
    _bars(canvas, panel, places, note_x, (layout.narrow - left - card - 14) / layout.longest, layout)


def _card(panel: Panel, layout: Layout, left: float) -> float:
    """How wide the cards of a panel are: as wide as the longest name needs, if that leaves room for the notes."""
    graded = any(row.grade is not None for row in _all(panel))
    names = max((measure(row.doc, 15) for row in _all(panel)), default=0)
    most = layout.narrow * 0.44 if layout.narrow > 300 else layout.narrow - left - 74
    if not any(row.note or row.bars for row in _all(panel)) and layout.narrow == layout.width:
        most = layout.width * 0.9
    return round(min(max(names + 26, 52) + GRADE_WIDTH * graded, most))


def _doc(canvas: Canvas, panel: Panel, row: Row, x: float, y: float, card: float, layout: Layout) -> None:
    outline: dict[str, Any] = {"fill": "#fff", "stroke": LINE}
    if row.active:
        outline = {"fill": TINT, "stroke": BLUE, "stroke_width": 2 if layout.pitch > 30 else None}
    box = {"width": card, "height": layout.card, "rx": 6}
    middle = layout.card / 2
    if not row.doc:
        canvas.shape("rect", x=x, y=y, **box, fill="none", stroke=LINE, stroke_dasharray="4 4")
        canvas.text(x + 12, y + middle + 5, say("draw.empty_place"), size=13, fill=MUTED)
        return
    with canvas.moving(f"{panel.key}:{row.doc}" if panel.key else "", x, y):
        if row.active or layout.pitch > 30:
            canvas.shape("rect", **box, **outline)
        indent = 12.0
        if row.grade is not None:
            grade_mark(canvas, 20, middle, row.grade)
            indent = 6 + GRADE_WIDTH
        ink = MUTED if row.waiting else None
        canvas.text(indent, middle + 5, row.doc, size=15, fill=ink, width=card - indent - 8)


def _bars(
    canvas: Canvas, panel: Panel, places: Sequence[tuple[Row, float]], x: float, unit: float, layout: Layout
) -> None:
    """The bars of all rows; a row of several has one colour for each, in the order of the lists they come from."""
    shapes: dict[str, list[str]] = {}
    for row, top in places:
        y, tall = (top + 24, 8) if layout.pitch > 30 else (top + 19, 5)
        for i, bar in enumerate(row.bars):
            if bar * unit > 1:
                color = panel.color if len(row.bars) == 1 else SERIES[i % len(SERIES)]
                start, length = number(x + sum(row.bars[:i]) * unit), number(bar * unit - 1)
                shapes.setdefault(color, []).append(f"M{start} {number(y)}h{length}v{tall}h-{length}z")
    for color, paths in shapes.items():
        canvas.shape("path", d="".join(paths), fill=color)


def _sums(canvas: Canvas, sums: Sequence[Sum], top: float, scale: float) -> None:
    start = MARGIN + NAME + VALUE + 14
    unit = (WIDTH - MARGIN - start) / (max(scale, *(sum(bar.parts) for bar in sums)) or 1)
    for i, bar in enumerate(sums):
        y = top + SUM_PITCH * i
        canvas.text(MARGIN, y + 15, bar.name, bold=True, fill=bar.color, width=NAME)
        canvas.text(MARGIN + NAME + VALUE, y + 15, bar.value, bold=True, fill=bar.color, anchor="end")
        canvas.shape("path", d=f"M{start} {number(y + 20)}H{WIDTH - MARGIN}", stroke=LINE)
        parts = [*bar.parts[:MOST_LOOSE], sum(bar.parts[MOST_LOOSE:])]  # what is too small to be seen, in one
        for part, length in enumerate(parts):
            if length:
                place = {"x": start + sum(parts[:part]) * unit, "y": y + 2}
                size = {"width": max(length * unit - 1.5, 0.5), "height": 18}
                canvas.shape("rect", data_key=f"sum {i}:{part}", **place, **size, fill=bar.color)


def _all(panel: Panel) -> list[Row]:
    return [*panel.rows[:MOST_ROWS], *panel.below]


def _height(panel: Panel, pitch: float) -> float:
    places = len(_all(panel)) + (len(panel.rows) > MOST_ROWS)
    return 20 + pitch * places + (32 if panel.below else 0)


def _alt(panel: Panel) -> str:
    rows = [_row_alt(row, i + 1 if panel.ranks else None) for i, row in enumerate(panel.rows[:MOST_LOOSE])]
    if len(panel.rows) > MOST_LOOSE:
        rows.append(say("draw.more", count=len(panel.rows) - MOST_LOOSE))
    if panel.below:
        rows.append(
            say("draw.below", cut=panel.cut, rows=say("draw.comma").join(_row_alt(r, None) for r in panel.below))
        )
    return say("draw.panel", title=panel.title, rows=say("draw.semicolon").join(rows))


def _row_alt(row: Row, rank: int | None) -> str:
    parts = [row.doc or say("draw.empty_place")]
    if row.grade is not None:
        parts.append(say("draw.unjudged") if row.grade == UNJUDGED else say("draw.grade", grade=row.grade))
    if row.note:
        parts.append(row.note)
    words = say("draw.comma").join(parts)
    return words if rank is None else say("draw.rank", rank=rank, words=words)
