"""Statistical plots by matplotlib, as SVG whose text stays text. matplotlib is loaded when the first one is drawn."""

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from io import StringIO
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from relviz.draw.canvas import FONTS, SMALLEST, legal, measure
from relviz.draw.figure import WIDTH, Figure, on_narrow_pages_too
from relviz.draw.palette import BLUE, GROUND, INK, LINE, MUTED, SERIES
from relviz.locale import language, say
from relviz.significance import queries_needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["curves", "histogram", "power_curve"]

Numbers = Sequence[float] | np.ndarray[Any, Any]
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
def histogram(
    values: Numbers,
    *,
    interval: tuple[float, float] | None = None,
    observed: float | None = None,
    span: tuple[float, float] | None = None,
    title: str = "",
    other: Numbers = (),
    names: tuple[str, str] = ("", ""),
    both_sides: bool = False,
    height: float = 260,
    width: float = WIDTH,
) -> Figure:
    """How often each value came up: bars, the interval under them, and a line where the observed value lies.

    span: the range of the axis, the same in pictures that are compared. other: a second set, drawn as an outline;
    `names` say which is which. both_sides: mark -observed as well. height, width: in pixels. Used in lesson 09.
    """
    low, high = span or _span([*values, *other, *([] if observed is None else [observed])], both_sides)
    if low == high:
        low, high = low - 0.5, high + 0.5
    bins = [low + (high - low) * i / 40 for i in range(41)]
    axes = _axes(height, width, y_axis=False)
    axes.set_xlim(low, high)
    axes.hist(values, bins, histtype="stepfilled", color=BLUE)
    if len(other):
        share = len(values) / len(other)
        axes.hist(other, bins, weights=[share] * len(other), histtype="step", color=SERIES[1], linewidth=2)
        for name, color, height in zip(names, SERIES, (0.93, 0.82)):
            axes.text(0.99, height, name, transform=axes.transAxes, color=color, ha="right", weight="bold")
    top = axes.get_ylim()[1]
    axes.set_ylim(-0.16 * top, 1.12 * top)
    words = [title] if title else []
    if interval is not None:
        axes.plot(interval, [-0.06 * top] * 2, color=INK, linewidth=3, marker="|", markersize=12)
        for end, side, gap in zip(interval, ("right", "left"), (-8, 8)):
            beside: Any = {"xytext": (gap, 0), "textcoords": "offset points", "ha": side, "va": "center"}
            axes.annotate(f"{end:+.3f}", (end, -0.065 * top), weight="bold", **beside)
        words.append(say("draw.interval", low=f"{interval[0]:+.3f}", high=f"{interval[1]:+.3f}"))
    if observed is not None:
        for seen in (observed, -observed) if both_sides else (observed,):
            axes.axvline(seen, color=INK, linestyle=(0, (5, 4)), linewidth=1.5)
        label = say("draw.observed", value=f"{observed:+.3f}")
        axes.annotate(label, (observed, 1.05 * top), xytext=(8, 0), textcoords="offset points")
        words.append(label)
    _title(axes, title)
    spread = say("draw.spread", n=len(values), low=f"{min(values):+.3f}", high=f"{max(values):+.3f}")
    return _figure(axes, say("draw.semicolon").join([*words, spread]))


@on_narrow_pages_too
@_styled
def power_curve(
    sd: float, deltas: Sequence[float], *, alpha: float = 0.05, power: float = 0.8, width: float = WIDTH
) -> Figure:
    """The chance to detect a difference against the number of queries, a line for each difference. Used in lesson 10.

    sd: standard deviation of the per-query differences, in the unit of the measure, as are the deltas. width: in
    pixels; in a narrow picture the names of the lines stand below it.
    """
    beside = width == WIDTH
    below = 0 if beside else 26 * len(deltas)
    axes = _axes(320 + below, width, right=250 if beside else 24, bottom=52 + below)
    _log(axes.xaxis)
    axes.grid(axis="y")
    chances = [i / 100 for i in range(5, 100, 2)]
    words = [say("draw.power", sd=f"{sd:.4f}", alpha=f"{alpha:g}")]
    for i, (delta, color, marker) in enumerate(zip(deltas, SERIES, MARKERS)):
        curve = {queries_needed(sd, delta, alpha, chance): chance for chance in chances}
        n = queries_needed(sd, delta, alpha, power)
        axes.plot([*curve], [*curve.values()], color=color)
        axes.plot([n], [power], marker=marker, color=color, markersize=9)
        needed = say("draw.needed", delta=f"{delta:g}", n=n)
        x, y = (1.05, 0.95 - 0.1 * i) if beside else (0.0, -(62 + 24 * i) / 220)
        axes.plot([x], [y], marker=marker, color=color, markersize=9, transform=axes.transAxes, clip_on=False)
        axes.text(
            x + (0.03 if beside else 0.06), y, needed, transform=axes.transAxes, color=color, va="center", weight="bold"
        )
        words.append(needed)
    axes.axhline(power, color=MUTED, linestyle=(0, (5, 4)), linewidth=1.5)
    axes.set_ylim(0, 1.02)
    axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    _label(axes, say("draw.number_of_queries"), say("draw.power_axis"))
    return _figure(axes, say("draw.semicolon").join(words))


@on_narrow_pages_too
@_styled
def curves(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    *,
    x: str,
    y: str,
    log_x: bool = False,
    log_y: bool = False,
    width: float = WIDTH,
) -> Figure:
    """Lines `{name: [(x, y), ...]}` with their names at their ends; x and y name the axes; width: in pixels.

    Used in lesson 10.
    """
    right = 150 if width == WIDTH else min(20 + max(measure(name, 13) for name in lines), 150)
    axes = _axes(320, width, right=right)
    axes.grid(axis="y")
    for axis, log in ((axes.xaxis, log_x), (axes.yaxis, log_y)):
        if log:
            _log(axis)
    words = [say("draw.curves", x=x, y=y)]
    for (name, points), color, marker in zip(lines.items(), SERIES, MARKERS):
        axes.plot(*zip(*points), color=color, marker=marker, markersize=7)
        axes.annotate(
            name, points[-1], xytext=(10, 0), textcoords="offset points", color=color, va="center", weight="bold"
        )
        steps = say("draw.comma").join(f"{a:g}: {b:.3g}" for a, b in points)
        words.append(say("draw.curve", name=name, points=steps))
    _label(axes, x, y)
    return _figure(axes, say("draw.semicolon").join(words))


def _axes(height: float, width: float, *, y_axis: bool = True, right: float = 150, bottom: float = 52) -> "Axes":
    from matplotlib.figure import Figure as Sheet

    sheet = Sheet((width / 72, height / 72), facecolor="none")  # one SVG unit is one pixel
    left, right, bottom = (64 if width == WIDTH else 44, right, bottom) if y_axis else (24, 24, 36)
    axes = sheet.add_axes((left / width, bottom / height, 1 - (left + right) / width, 1 - (bottom + 48) / height))
    if width != WIDTH:
        axes.locator_params("x", nbins=4, integer=True)
    if not y_axis:
        axes.get_yaxis().set_visible(False)
        axes.spines["left"].set_visible(False)
    return axes


def _log(axis: Any) -> None:
    """A logarithmic axis with plain numbers at 1, 2, 5, 10, ... or, in a narrow picture, at 1, 10, ..."""
    from matplotlib.ticker import LogLocator, NullLocator

    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    wide = axis.axes.figure.get_figwidth() * 72 == WIDTH
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if wide else (1,)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(lambda x, _: f"{x:g}")


def _span(values: Sequence[float], both_sides: bool) -> tuple[float, float]:
    far = max(map(abs, values))
    return (-far, far) if both_sides else (min(values), max(values))


def _label(axes: "Axes", x: str, y: str) -> None:
    axes.set_xlabel(x)
    # Above the axis and level: a turned label is hard to read, in Chinese most of all.
    _title(axes, y)


def _title(axes: Any, words: str) -> None:
    width = axes.figure.get_figwidth() * 72
    size = next((size for size in (14, 13) if measure(words, size) <= width - 40), SMALLEST)
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
