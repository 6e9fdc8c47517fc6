"""Text in columns, as a terminal shows it: how wide it is, cut to a width, aligned, and without what steers it."""

import unicodedata
from collections.abc import Sequence

__all__ = ["aligned", "cut", "printable", "wide"]


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Columns under each other, the first ones aligned left; a Chinese character is two columns wide."""
    rows = [[printable(cell) for cell in line] for line in rows]
    widths = [max(map(wide, column)) for column in zip(*rows)]
    lines = []
    for line in rows:
        padded = [
            cell + " " * (width - wide(cell)) if i < left else " " * (width - wide(cell)) + cell
            for i, (cell, width) in enumerate(zip(line, widths))
        ]
        lines.append("  ".join(padded).rstrip())
    return lines


def wide(text: str) -> int:
    """How many columns of a terminal a text takes."""
    marks = ("Mn", "Me")  # they stand on the letter before them
    return sum(
        0 if unicodedata.category(c) in marks else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def cut(text: str, most: int) -> str:
    """As much of both ends of a text as fits into so many columns; ids that are alike differ at their ends."""
    if wide(text) <= most:
        return text
    head, tail = text[: most // 2], text[-(most // 2) :]
    while wide(head) + wide(tail) >= most:
        head, tail = head[:-1], tail[1:]
    return f"{head}…{tail}"


def printable(text: str) -> str:
    """Without what steers a terminal: an id may hold anything."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
