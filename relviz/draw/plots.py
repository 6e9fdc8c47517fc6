"""Statistical plots by matplotlib, as SVG whose text stays text. matplotlib is loaded when the first one is drawn."""

import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from io import StringIO
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from relviz.draw.canvas import FONTS, SMALLEST, fit, legal, measure
from relviz.draw.figure import WIDTH, Figure, on_narrow_pages_too
from relviz.draw.palette import GROUND, INK, LINE, MUTED, SERIES
from relviz.locale import labelled, language, say
from relviz.significance import power_of, queries_needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["curves", "power_curve"]

MOST_TICKS, NARROW_TICKS = 8, 4
LONGEST = 240  # a longer name of a curve is cut
MARKERS = "osD^v"
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "relviz",
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, and gives way to FONTS in the SVG
    "font.size": 13,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.facecolor": GROUND,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": False,
    "figure.facecolor": GROUND,
    "grid.color": LINE,
    "lines.linewidth": 2,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
}

F = TypeVar("F", bound=Callable[..., Figure])


def _styled(draw: F) -> F:
    @wraps(draw)
    def styled(*values: Any, **options: Any) -> Figure:
        from matplotlib import rc_context

        with rc_context(STYLE):
            return draw(*values, **options)

    return styled  # type: ignore[return-value]


@on_narrow_pages_too
@_styled
def power_curve(
    sd: float, deltas: Sequence[float], *, alpha: float = 0.05, power: float = 0.8, width: float = WIDTH
) -> Figure:
    """The chance to detect a difference against the number of queries, a line for each difference. Used in lesson 10.

    sd: standard deviation of the per-query differences, in the unit of the measure, as are the deltas. width: in
    pixels; in a narrow picture the names of the lines stand below it.
    """
    needed = {delta: queries_needed(sd, delta, alpha, power) for delta in deltas}
    least, most = min(needed.values(), default=10), max(needed.values(), default=10)
    grid = np.unique(np.geomspace(max(least / 20, 2), max(most * 4, 20), 200).round().astype(int))
    wide = width == WIDTH
    below = 0 if wide else 26 * len(deltas)
    axes = _axes(380 if wide else 320 + below, width, right=80 if wide else 24, bottom=52 + below)
    _log(axes.xaxis, grid[-1] / grid[0])
    axes.set_xlim(grid[0], grid[-1])
    axes.grid(axis="y")
    decade = (WIDTH - 64 - 80) / math.log10(grid[-1] / grid[0])
    labels = {delta: say("draw.needed_label", delta=f"{delta:g}", n=f"{n:,}") for delta, n in needed.items()}
    rows = _rows({delta: math.log10(n) * decade for delta, n in needed.items()}, labels) if wide else {}
    words = [say("draw.power", sd=f"{sd:.4f}", alpha=f"{alpha:g}")]
    for i, ((delta, n), color, marker) in enumerate(zip(needed.items(), SERIES, MARKERS)):
        axes.plot(grid, [power_of(int(x), sd, delta, alpha) for x in grid], color=color)
        axes.plot([n], [power], marker=marker, color=color, markersize=9)
        look: Any = {"color": color, "weight": "bold"}
        words.append(say("draw.needed", delta=f"{delta:g}", n=f"{n:,}"))
        if wide:
            top = 1.04 + 0.085 * rows[delta]
            axes.plot([n, n], [power, top + 0.05], color=color, linewidth=1)
            axes.annotate(labels[delta], (n, top), xytext=(5, 0), textcoords="offset points", **look)
        else:
            y = -(62 + 24 * i) / 220
            axes.plot([0], [y], marker=marker, color=color, markersize=9, transform=axes.transAxes, clip_on=False)
            axes.text(0.06, y, words[-1], transform=axes.transAxes, va="center", **look)
    axes.axhline(power, color=MUTED, linestyle=(0, (5, 4)), linewidth=1.5)
    axes.set_ylim(0, 1.1 + 0.085 * max(rows.values(), default=0) if wide else 1.02)
    axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    _label(axes, say("draw.number_of_queries"), say("draw.power_axis"))
    return _figure(axes, say("draw.semicolon").join(words))


def _rows(places: dict[float, float], labels: dict[float, str]) -> dict[float, int]:
    """A row for each label that begins at its place, so that it covers no label and no line to one further right."""
    rows: dict[float, int] = {}
    for name in sorted(places, key=places.__getitem__, reverse=True):
        end = places[name] + measure(labels[name], 13, bold=True) + 16
        rows[name] = max((row + 1 for other, row in rows.items() if places[other] < end), default=0)
    return rows


@on_narrow_pages_too
@_styled
def curves(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    *,
    x: str,
    y: str,
    log_x: bool = False,
    log_y: bool = False,
    level: float | None = None,
    width: float = WIDTH,
) -> Figure:
    """Lines `{name: [(x, y), ...]}` with their names at their ends; x and y name the axes; width: in pixels.

    level: what was promised of a share; it is dashed, and the y axis reads in per cent, from 0. Used in lesson 10.
    """
    shown = [fit(name, LONGEST if width == WIDTH else 130, 13, bold=True) for name in lines]
    right = max([0.0, *(measure(name, 13, bold=True) for name in shown)]) + (30 if width == WIDTH else 20)
    axes = _axes(320, width, right=right)
    axes.grid(axis="y")
    for axis, log in ((axes.xaxis, log_x), (axes.yaxis, log_y)):
        if log:
            ends = [point[axis is axes.yaxis] for points in lines.values() for point in points]
            _log(axis, max(ends) / min(ends))
    words = [say("draw.curves", x=x, y=y)]

    def reads(value: float) -> str:
        return f"{value:.3g}" if level is None else f"{100 * value:.2g}%"

    for (name, points), label, color, marker in zip(lines.items(), shown, SERIES, MARKERS):
        axes.plot(*zip(*points), color=color, marker=marker, markersize=7)
        axes.annotate(
            label, points[-1], xytext=(10, 0), textcoords="offset points", color=color, va="center", weight="bold"
        )
        steps = say("draw.comma").join(labelled(f"{a:g}", reads(b)) for a, b in points)
        words.append(say("draw.curve", name=name, points=steps))
    if level is not None:
        axes.axhline(level, color=INK, linestyle=(0, (5, 4)), linewidth=1.5)
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(lambda share, _: reads(share))
        words.append(say("draw.level", level=reads(level)))
    _label(axes, x, y)
    return _figure(axes, say("draw.semicolon").join(words))


def _axes(height: float, width: float, *, right: float, bottom: float = 52) -> "Axes":
    from matplotlib.figure import Figure as Sheet

    sheet = Sheet((width / 72, height / 72), facecolor="none")  # one SVG unit is one pixel
    left = 64 if width == WIDTH else 44
    axes = sheet.add_axes((left / width, bottom / height, 1 - (left + right) / width, 1 - (bottom + 48) / height))
    if width != WIDTH:
        axes.locator_params("x", nbins=4, integer=True)
    return axes


def _log(axis: Any, ratio: float) -> None:
    """A logarithmic axis with plain numbers at 1, 2, 5, 10, ... or at fewer, where they would be too many."""
    from matplotlib.ticker import LogLocator, NullLocator

    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    most = MOST_TICKS if axis.axes.figure.get_figwidth() * 72 == WIDTH else NARROW_TICKS
    subs = next((some for some in ((1, 2, 5), (1, 3)) if len(some) * math.log10(ratio) < most), (1,))
    axis.set_major_locator(LogLocator(subs=subs))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(lambda x, _: f"{x:,.10g}")


def _label(axes: "Axes", x: str, y: str) -> None:
    axes.set_xlabel(x)
    # Above the axis and level: a turned label is hard to read, in Chinese most of all.
    _title(axes, y)


def _title(axes: Any, words: str) -> None:
    width = axes.figure.get_figwidth() * 72
    size = next((size for size in (14, 13) if measure(words, size, bold=True) <= width - 40), SMALLEST)
    place = axes.get_position()
    start = 0.0 if width == WIDTH else (16 / width - place.x0) / place.width  # where it has the most room
    axes.set_title(words, x=start, ha="left", color=MUTED, weight="bold", fontsize=size, pad=12)


def _figure(axes: Any, alt: str) -> Figure:
    """The sheet as SVG, the same bytes for the same values: no date, no random ids, nothing that is not needed."""
    out = StringIO()
    nothing: Any = {"Date": None, "Creator": None, "Format": None, "Type": None}
    with warnings.catch_warnings():
        # The letters are drawn by the reader's own fonts, so that a glyph that matplotlib's font lacks is no loss.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        axes.figure.savefig(out, facecolor="none", format="svg", metadata=nothing)
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    used = set(re.findall(r"#([\w-]+)", svg))
    svg = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in used else "", svg)
    # A style sheet would reach the page around the picture; the root gives what it said.
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"(?<=[\d.])pt\"", '"', svg).replace("font-family: 'DejaVu Sans'; ", "")
    svg = svg.replace("'DejaVu Sans'", FONTS)  # where font is written in one
    svg = re.sub(r' transform="rotate\(-?0 [^"]*"', "", svg)
    svg = re.sub(r"\s*\n\s*", " ", svg).replace("> <", "><").strip()
    look = f'xml:lang="{language()}" font-family="{FONTS}" stroke-linejoin="round"'
    # Its own ground, so that the picture can be read on a dark page.
    ground = f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>'
    svg = re.sub(r"<svg ([^>]*)>", lambda found: f"<svg {found[1]} {look}>{ground}", svg, count=1)
    return Figure(legal(svg), legal(alt))
