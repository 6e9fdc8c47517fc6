"""A long ranking as bars in rows, and the window that is being looked at."""

from collections.abc import Sequence
from typing import Any

from relviz.draw.canvas import WIDTH, Canvas, number
from relviz.draw.figure import Figure
from relviz.draw.palette import BLUE, GREEN, LINE, MUTED, TINT
from relviz.locale import say

__all__ = ["cells"]

MARGIN = 20
PER_ROW = 20
MOST_NAMES = 40


def cells(docs: Sequence[str], heights: Sequence[float], window: tuple[int, int] | None = None) -> Figure:
    """The documents in ranked order, twenty to a row, each with a bar (0 to 1: how good it is).

    Up to forty documents are named. window: start and end of the places that are looked at, drawn as a band.
    Used in lesson 08.
    """
    named = len(docs) <= MOST_NAMES
    rows = max(1, -(-len(docs) // PER_ROW))
    tall = 96 if rows == 1 else 40
    cell = (WIDTH - 2 * MARGIN) / min(PER_ROW, max(len(docs), 10))
    pitch = tall + (60 if named else 44)
    canvas = Canvas(rows * pitch + 16)
    start, end = window or (0, 0)

    def corner(place: int) -> tuple[float, float]:
        """Left end of the base line of a place."""
        return MARGIN + place % PER_ROW * cell, 20 + place // PER_ROW * pitch + tall

    for row in range(rows):
        first, last = row * PER_ROW, min((row + 1) * PER_ROW, len(docs))
        x, y = corner(first)
        left, right = max(start, first), min(end, last)
        if left < right:
            box = {"x": corner(left)[0], "y": y - tall - 8, "width": (right - left) * cell}
            look: dict[str, Any] = {"fill": TINT, "stroke": BLUE, "stroke_width": 2, "rx": 6}
            canvas.shape("rect", **box, height=tall + (32 if named else 14), **look)
        canvas.shape("path", d=f"M{number(x)} {y}h{number((last - first) * cell)}", stroke=LINE)
        for place in sorted({first, last - 1}) if docs else ():
            middle = corner(place)[0] + cell / 2
            canvas.text(middle, y + (40 if named else 22), f"{place + 1}.", size=12, fill=MUTED, anchor="middle")

    inside = range(start, end)
    for color, places in ((GREEN, [p for p in range(len(docs)) if p not in inside]), (BLUE, inside)):
        # Without names a bar is one stroke, because a group each would be most of the file.
        look = {"fill": color} if named else {"stroke": color, "stroke_width": number(cell - 16)}
        with canvas.group(**look):
            for place in places:
                x, y = corner(place)
                bar = f"{2 + (tall - 2) * heights[place]:.0f}"
                if named:
                    with canvas.moving(docs[place], x + 8, y):
                        canvas.shape("path", d=f"M0 0h{number(cell - 16)}v-{bar}H0z")
                        canvas.text(cell / 2 - 8, 17, docs[place], size=13, fill=MUTED, anchor="middle", width=cell - 2)
                else:
                    there = f"translate({number(x + cell / 2)},{number(y)})"
                    canvas.shape("path", data_key=docs[place], transform=there, d=f"M0 0v-{bar}")
    shown = say("draw.comma").join([*docs[:PER_ROW], *["…"] * (len(docs) > PER_ROW)])
    if window is None:
        return canvas.figure(say("draw.cells", docs=shown))
    return canvas.figure(say("draw.cells_window", docs=shown, start=start + 1, end=end))
