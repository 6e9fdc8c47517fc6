"""A few shapes and words, written as SVG.

No ids and no style sheet, so that two pictures can stand in one page; text stays text; all of it is escaped.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from html import escape

from relviz.draw.figure import WIDTH, Figure
from relviz.draw.palette import GROUND, INK
from relviz.locale import language

SMALLEST = 12
LINE_HEIGHT = 20
FONTS = "system-ui, Segoe UI, Roboto, Noto Sans, PingFang SC, Microsoft YaHei, Noto Sans CJK SC, sans-serif"
NARROW, WIDE = set("ijlrftI.,:;'\"|!()[]{}/\\ -"), set("mwMW@%+=<>~…")
PIECES = re.compile(r"[\u2e80-\uffee][，。：；、）”]*\s*|[^\s\u2e80-\uffee]+[，。：；、）”]*\s*|\s+")
# What XML cannot hold, escaped or not, and what a terminal obeys instead of showing it.
ILLEGAL = re.compile("[^\t\n\r -~\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Canvas:
    """A sheet of `width` by `height` pixels, drawn from back to front."""

    def __init__(self, height: float, width: float = WIDTH) -> None:
        self.width, self.height = width, height
        self._parts = [f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>']

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: int | None = None,
        fill: str | None = None,
        anchor: str = "start",
        bold: bool = False,
        width: float | None = None,
    ) -> None:
        """Words on the baseline y, in the size and the fill of their group: 14 and INK, where it says nothing else.

        With a width, they shrink to SMALLEST and are then cut with an ellipsis.
        """
        shown = words
        if width is not None:
            size = size or 14
            while size > SMALLEST and measure(words, size, bold=bold) > width:
                size -= 1
            shown = fit(words, width, size, bold=bold)
        attributes = {"x": x, "y": y, "font-size": size if size != 14 else None, "fill": fill}
        attributes |= {"text-anchor": anchor if anchor != "start" else None, "font-weight": 600 if bold else None}
        title = "" if shown == words else f"<title>{clean(words)}</title>"
        self._parts.append(f"<text{write(attributes)}>{clean(shown)}{title}</text>")

    def title(self, lines: Sequence[str]) -> None:
        """The title at the top left, in lines that are `LINE_HEIGHT` apart."""
        for i, line in enumerate(lines):
            self.text(20, 26 + LINE_HEIGHT * i, line.rstrip(), bold=True, width=self.width - 40)

    def shape(self, name: str, **attributes: str | float | None) -> None:
        """One SVG element; `stroke_width` becomes stroke-width."""
        self._parts.append(f"<{name}{write(attributes)}/>")

    @contextmanager
    def moving(self, key: str, x: float, y: float) -> Iterator[None]:
        """What is drawn inside stands at (x, y) and is the same thing in every figure that holds the key (if any)."""
        with self.group(data_key=key or None, transform=f"translate({number(x)},{number(y)})"):
            yield

    @contextmanager
    def group(self, **attributes: str | float | None) -> Iterator[None]:
        """What is drawn inside has these attributes in common."""
        self._parts.append(f"<g{write(attributes)}>")
        yield
        self._parts.append("</g>")

    def figure(self, alt: str) -> Figure:
        """The picture, finished."""
        size = f'width="{number(self.width)}" height="{number(self.height)}"'
        box = f'viewBox="0 0 {number(self.width)} {number(self.height)}"'
        # The language decides which shape of a Chinese character a font shows.
        look = f'xml:lang="{language()}" font-family="{FONTS}" font-size="14" fill="{INK}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} {look}>'
        return Figure("".join([head, *self._parts, "</svg>"]), legal(alt))


def level(figures: Sequence[Figure]) -> list[Figure]:
    """Pictures of one canvas width, all as tall as the tallest: nothing below them jumps from one to the next."""
    heights = [height_of(figure) for figure in figures]
    tallest = max(heights, key=float, default="")
    levelled = []
    for figure, height in zip(figures, heights):
        svg = figure.svg.replace(f'height="{height}"', f'height="{tallest}"', 1)
        levelled.append(replace(figure, svg=svg.replace(f' {height}"', f' {tallest}"', 1)))
    return levelled


def height_of(figure: Figure) -> str:
    """The height of a picture, as it is written there."""
    return re.search(r'viewBox="0 0 [^ ]+ ([^"]+)"', figure.svg).group(1)  # type: ignore[union-attr]


def number(x: float) -> str:
    """A coordinate, to a tenth of a pixel."""
    return f"{round(x, 1) + 0:.1f}".removesuffix(".0")  # + 0: no -0


def legal(words: str) -> str:
    """Words without the characters that XML and UTF-8 cannot hold, and without those that would steer a terminal."""
    return ILLEGAL.sub("\ufffd", words)


def clean(words: str) -> str:
    """Words as they may stand in SVG, in text and in attributes."""
    return escape(legal(words))


def write(attributes: dict[str, str | float | int | None]) -> str:
    """Attributes of an element; those that are None are left out."""
    parts = []
    for name, value in attributes.items():
        if value is not None:
            shown = clean(value) if isinstance(value, str) else number(value)
            parts.append(f' {name.replace("_", "-")}="{shown}"')
    return "".join(parts)


def measure(words: str, size: float, *, bold: bool = False) -> float:
    """About how wide words are. Fonts differ from reader to reader: these are the widths of a wide one, DejaVu Sans."""
    return size * (1.1 if bold else 1) * sum(map(_width, words))


def _width(c: str) -> float:
    if ord(c) > 0x2E7F:
        return 1.0
    return 0.41 if c in NARROW else 0.9 if c in WIDE else 0.7 if c.isupper() else 0.64


def wrap(words: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """The words in as many lines as the width asks for, broken at spaces and between Chinese characters."""
    lines = [""]
    for piece in PIECES.findall(words):
        if lines[-1] and measure(lines[-1] + piece.rstrip(), size, bold=bold) > width:
            lines.append("")
        lines[-1] += piece
    return lines


def fit(words: str, width: float, size: float, *, bold: bool = False) -> str:
    """The words, or as much of their beginning as the width holds, and an ellipsis."""
    if measure(words, size, bold=bold) <= width:
        return words
    while words and measure(words + "…", size, bold=bold) > width:
        words = words[:-1]
    return words + "…"
