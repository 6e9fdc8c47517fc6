"""A long ranking as bars in rows, and the window that is being looked at."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from relviz.draw.canvas import SMALLEST, Canvas, measure, number
from relviz.draw.figure import NARROW, WIDTH, Figure
from relviz.draw.palette import BLUE, GREEN, LINE, MUTED, TINT
from relviz.locale import say

__all__ = ["cells", "has_names"]

MARGIN = 20
PER_ROW = 20
FEWEST = 10  # cells are no wider than if there were so many; as many fit side by side on a narrow page
MOST_NAMES = 40  # of more documents the place of origin is written instead of the name
MOST_NUMBERED = 9_999  # wider numbers do not fit under a bar
MOST_ROWS = 5
MOST_KEYED = 40


def cells(
    docs: Sequence[str],
    heights: Sequence[float],
    window: tuple[int, int] | None = None,
    *,
    origins: Sequence[int] = (),
    then: tuple[int, int] = (0, 0),
    width: float = WIDTH,
) -> Figure:
    """The documents in ranked order, twenty to a row, each with a bar (0 to 1: how good it is).

    window: start and end of the places that are looked at, drawn as a band; then: of those that are looked at next.
    Up to forty documents with short names are named; of others, `origins` (the place from 0 at which each started) are
    written, and only those of the two windows glide. Of more than a hundred, the rows around the window, the first and
    the last are drawn. width: in pixels; a row of up to ten with names of a letter or two has a form for narrow pages
    too. Used in lesson 04.
    """
    docs, heights = list(docs), list(heights)  # for the narrow form, which is drawn later
    looked_at = range(*(window or (0, 0)))
    named = has_names(docs, width)
    labels = (
        docs if named else [f"{place + 1}" if place < MOST_NUMBERED else "" for place in origins] or [""] * len(docs)
    )
    keys = docs if named else [f"from {place + 1}" for place in origins] or docs
    rows = max(1, -(-len(docs) // PER_ROW))
    tall, shown = 96 if rows == 1 else 40, _rows(rows, looked_at or range(*then))
    gaps = sum(below - above > 1 for above, below in pairwise(shown))
    canvas = Canvas(len(shown) * (tall + 60) + gaps * 24 + 16, width)
    cell = _cell(docs, width)
    bar = cell - (16 if width == WIDTH else 8)
    spots: list[Spot] = []
    y = 20.0 + tall
    for row, above in zip(shown, [-1, *shown]):
        if row - above > 1:
            skipped = say("draw.places_between", count=f"{(row - above - 1) * PER_ROW:,}")
            canvas.text(MARGIN, y - tall - 2, skipped, size=13, fill=MUTED)
            y += 24
        here = range(row * PER_ROW, min((row + 1) * PER_ROW, len(docs)))
        spots += [
            Spot(place, MARGIN + (place - here.start + 0.5) * cell, y, 2 + (tall - 2) * heights[place])
            for place in here
        ]
        _row(canvas, spots[-len(here) :] if here else [], [p for p in here if p in looked_at], y, tall, cell)
        y += tall + 60

    near = {*looked_at, *range(*then)}
    gliding = [spot for spot in spots if named or spot.place in near]
    still = [spot for spot in spots if not (named or spot.place in near)]
    if len(gliding) > MOST_KEYED:  # a key each would be most of the file
        gliding, still = [], spots
    for color, inside in ((GREEN, False), (BLUE, True)):
        stems = [f"M{number(s.x)} {number(s.y)}v-{s.bar:.0f}" for s in still if (s.place in looked_at) == inside]
        if stems:
            canvas.shape("path", d="".join(stems), stroke=color, stroke_width=bar)
    with canvas.group(font_size=13 if named else 12, text_anchor="middle", fill=MUTED):
        room = cell - 2 if named else None
        for spot in gliding:
            with canvas.moving(keys[spot.place], spot.x, spot.y):
                half, color = number(bar / 2), BLUE if spot.place in looked_at else GREEN
                canvas.shape("path", d=f"M-{half} 0v-{spot.bar:.0f}H{half}V0z", fill=color)
                canvas.text(0, 17, labels[spot.place], size=13 if named else None, width=room)
        for spot in still:
            if labels[spot.place]:
                canvas.text(spot.x, spot.y + 17, labels[spot.place], width=room)
    words = say("draw.comma").join([*docs[:PER_ROW], *["…"] * (len(docs) > PER_ROW)])
    at = {"start": looked_at.start + 1, "end": looked_at.stop}
    figure = canvas.figure(say("draw.cells_window" if looked_at else "draw.cells", docs=words, **at))
    if width == WIDTH and len(docs) <= FEWEST and has_names(docs, NARROW):
        figure = replace(figure, narrow=lambda: cells(docs, heights, window, then=then, width=NARROW))
    return figure


def has_names(docs: Sequence[str], width: float = WIDTH) -> bool:
    """Whether the names of the documents stand under their bars: few enough, and short enough to be told apart."""
    return len(docs) <= MOST_NAMES and all(measure(doc, SMALLEST) <= _cell(docs, width) - 2 for doc in docs)


def _cell(docs: Sequence[str], width: float) -> float:
    return (width - 2 * MARGIN) / min(PER_ROW, max(len(docs), FEWEST))


@dataclass(frozen=True)
class Spot:
    """Where the document of a place is drawn: the foot of its bar, and how tall that is."""

    place: int
    x: float
    y: float
    bar: float


def _rows(rows: int, window: range) -> list[int]:
    """The rows that are drawn: those at the ends of the window, the first, the last, and the neighbours of these."""
    top, bottom = window.start // PER_ROW, max(window.stop - 1, 0) // PER_ROW
    wanted = [top, bottom, 0, rows - 1, *(row for i in range(1, MOST_ROWS) for row in (top - i, bottom + i))]
    shown = list(dict.fromkeys(row for row in wanted if 0 <= row < rows))
    return sorted(shown[:MOST_ROWS])


def _row(canvas: Canvas, spots: Sequence[Spot], window: Sequence[int], y: float, tall: float, cell: float) -> None:
    """The ground line of a row, which places it holds, and the band of the window."""
    if not spots:
        return
    first, last = spots[0], spots[-1]
    if window:
        left = first.x + (window[0] - first.place - 0.5) * cell
        look: dict[str, str | float] = {"fill": TINT, "stroke": BLUE, "stroke_width": 2, "rx": 6}
        canvas.shape("rect", x=left, y=y - tall - 8, width=len(window) * cell, height=tall + 32, **look)
    canvas.shape("path", d=f"M{number(first.x - cell / 2)} {number(y)}H{number(last.x + cell / 2)}", stroke=LINE)
    ends = {"start": f"{first.place + 1:,}", "end": f"{last.place + 1:,}"}
    canvas.text(MARGIN, y + 38, say("draw.places", **ends), size=12, fill=MUTED)
