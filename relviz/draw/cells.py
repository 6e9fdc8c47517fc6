"""A long ranking as small cells in rows, and the window that is being looked at."""

from collections.abc import Sequence
from typing import Any

from relviz.draw.canvas import Canvas, number
from relviz.draw.figure import Figure
from relviz.draw.palette import BLUE, GREEN, LINE, MUTED, TINT
from relviz.locale import say

__all__ = ["cells"]

MARGIN = 20
PER_ROW, CELL, PITCH = 20, 36, 62
MOST_NAMES = 40


def cells(docs: Sequence[str], heights: Sequence[float], window: tuple[int, int] | None = None) -> Figure:
    """The documents in ranked order, twenty to a row, each with a bar (0 to 1: how good it is).

    Up to forty documents are named. window: start and end of the places that are looked at, drawn as a band.
    Used in lesson 08.
    """
    rows = max(1, -(-len(docs) // PER_ROW))
    canvas = Canvas(rows * (PITCH + 22) + 24)
    start, end = window or (0, 0)
    for row in range(rows):
        left, right = max(start, row * PER_ROW), min(end, (row + 1) * PER_ROW)
        y = 16 + row * (PITCH + 22)
        if left < right:
            x, width = MARGIN + left % PER_ROW * CELL, (right - left) * CELL
            look: dict[str, Any] = {"fill": TINT, "stroke": BLUE, "stroke_width": 2}
            canvas.shape("rect", x=x, y=y - 6, width=width, height=PITCH + 8, rx=6, **look)
        count = min(PER_ROW, len(docs) - row * PER_ROW)
        canvas.shape("path", d=f"M{MARGIN} {y + 40}h{max(count, 0) * CELL}", stroke=LINE)
        for place in range(row * PER_ROW, row * PER_ROW + count):
            if place % PER_ROW in (0, PER_ROW - 1) or place == len(docs) - 1:
                middle = MARGIN + place % PER_ROW * CELL + CELL / 2
                canvas.text(middle, y + PITCH + 15, str(place + 1), size=12, fill=MUTED, anchor="middle")
    for color, places in ((GREEN, {*range(len(docs))} - {*range(start, end)}), (BLUE, {*range(start, end)})):
        with canvas.group(fill=color):
            for place in sorted(places):
                x, y = MARGIN + place % PER_ROW * CELL + 8, 16 + place // PER_ROW * (PITCH + 22) + 40
                bar = f"M0 0h20v-{2 + 36 * heights[place]:.0f}H0z"
                if len(docs) > MOST_NAMES:  # a group each would be most of the file
                    there = f"translate({number(x)},{number(y)})"
                    canvas.shape("path", data_key=f"doc:{docs[place]}", transform=there, d=bar)
                    continue
                with canvas.moving(f"doc:{docs[place]}", x, y):
                    canvas.shape("path", d=bar)
                    canvas.text(10, 15, docs[place], size=12, fill=MUTED, anchor="middle", width=CELL - 2)
    shown = say("draw.comma").join([*docs[:MOST_NAMES], *["…"] * (len(docs) > MOST_NAMES)])
    if window is None:
        return canvas.figure(say("draw.cells", docs=shown))
    return canvas.figure(say("draw.cells_window", docs=shown, start=start + 1, end=end))
