"""Where the words of a picture stand, which of them do not fit, and which numbers do not add up."""

import math
import re
from dataclasses import dataclass
from xml.etree import ElementTree

from relviz.draw import Figure
from relviz.draw.canvas import measure
from relviz.steps import Trace

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Words:
    """A line of text with its box, as wide as a wide font draws it."""

    text: str
    left: float
    right: float
    y: float
    size: float


def words_of(figure: Figure) -> list[Words]:
    """All lines of text of a picture, of ours and of matplotlib's."""
    found: list[Words] = []

    def visit(element: ElementTree.Element, dx: float, dy: float) -> None:
        move = re.match(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)", element.get("transform", ""))
        if move:
            dx, dy = dx + float(move[1]), dy + float(move[2])
        if element.tag == SVG + "text" and element.text:
            style = dict(re.findall(r"([\w-]+): ([^;]+)", element.get("style", "")))
            size = float(re.sub("[^0-9.]", "", element.get("font-size") or style.get("font-size", "14")))
            bold = (element.get("font-weight") or style.get("font-weight", "400")) in ("600", "700")
            anchor = element.get("text-anchor") or style.get("text-anchor", "start")
            width = measure(element.text, size, bold=bold)
            left = dx + float(element.get("x", 0)) - {"start": 0, "middle": 0.5, "end": 1}[anchor] * width
            found.append(Words(element.text, left, left + width, dy + float(element.get("y", 0)), size))
        for child in element:
            visit(child, dx, dy)

    visit(ElementTree.fromstring(figure.svg), 0, 0)
    return found


def outside(figure: Figure) -> list[Words]:
    """The lines that reach beyond the picture."""
    width, height = map(float, re.search(r'viewBox="0 0 ([^ ]+) ([^"]+)"', figure.svg).groups())
    return [w for w in words_of(figure) if w.left < 0 or w.right > width or w.y < w.size * 0.7 or w.y > height - 2]


def overlaps(figure: Figure) -> list[tuple[str, str]]:
    """The pairs of lines that cover each other."""
    lines = words_of(figure)
    return [
        (a.text, b.text)
        for i, a in enumerate(lines)
        for b in lines[i + 1 :]
        if min(a.right, b.right) - max(a.left, b.left) > 1 and abs(a.y - b.y) < min(a.size, b.size) * 0.7
    ]


TERM = r"\d[\d,]*(?:\.\d+)?(?:/log2\(\d+\))?"
FORMULA = rf"(?<![\w./(@])(?<![-+*/] )({TERM}(?: [-+*/] {TERM})*)"
COMPUTED = re.compile(FORMULA + r" = ([-+]?\d[\d,]*(?:\.\d+)?)(?![\w/*+]| [-+*/] \d)")


def wrong_sums(trace: Trace) -> list[str]:
    """What is printed as computed although its printed parts do not give it, within the last printed digit."""
    wrong = []
    for step in trace:
        lines = [w.text for w in words_of(step.figure) if w.size != 15]  # a long result goes on in the next line
        for text in (step.words, step.figure.alt, *lines):
            for formula, result in COMPUTED.findall(text):
                digits = len(result.partition(".")[2])
                # Only numbers, operators and log2 can be in it.
                found = eval(formula.replace(",", ""), {"log2": math.log2})
                if abs(found - float(result.replace(",", ""))) > 1.000001 * 10**-digits:
                    wrong.append(f"{formula} = {result}")
    return wrong
