"""The step player: a trace as figures and words that the reader steps through, forward and back."""

from html import escape
from typing import TYPE_CHECKING

from relviz.locale import say
from relviz.steps import Step, Trace
from relviz.widgets.base import Output, page

if TYPE_CHECKING:
    from relviz.widgets.live import LivePlayer

__all__ = ["Player", "player"]

WORDS = [
    "role",
    "previous",
    "play",
    "pause",
    "replay",
    "next",
    "dwell",
    "seconds",
    "enlarge",
    "shrink",
    "figure",
    "position",
    "all",
    "one",
    "keys",
]


class Player(Output):
    """A trace to step through; on paper, and where scripts do not run, the list of all its steps."""

    def __init__(self, trace: Trace) -> None:
        if not trace.steps:
            raise ValueError(f"a player needs at least one step, and the trace {trace.title!r} has none")
        steps = "\n".join(_item(step) for step in trace.steps)
        super().__init__(page("player", trace.title, f"<ol>\n{steps}\n</ol>", _words()), _text(trace))
        self.trace = trace

    def widget(self, index: int = 0) -> "LivePlayer":
        """The same player as an anywidget: Python reads and sets its `index`, which is 0 at the first step."""
        from relviz.widgets.live import LivePlayer

        return LivePlayer(self, index)


def player(trace: Trace) -> Player:
    """Show a trace one step at a time. First used in lesson 02."""
    return Player(trace)


def _words() -> dict[str, str]:
    # The script fills these places, so each stands for itself here.
    places = {place: f"{{{place}}}" for place in ("step", "count", "seconds")}
    return {name: say(f"player.{name}", **places) for name in WORDS}


def _item(step: Step) -> str:
    # The script takes the SVG out of the image, so each figure is here once. An untrusted notebook drops style
    # sheets and keeps inline styles.
    figure = f'<img src="{step.figure.data_url}" alt="{escape(step.figure.alt)}" style="max-width:100%">'
    numbers = "".join(f"<span>{escape(name)} = <b>{value}</b> </span>" for name, value in _numbers(step))
    return (
        f'<li><p class="rv-step"><strong>{escape(step.title)}</strong></p>\n{figure}\n'
        f'<p class="rv-words">{escape(step.words)}</p>'
        + (f'\n<p class="rv-numbers">{numbers}</p></li>' if numbers else "</li>")
    )


def _text(trace: Trace) -> str:
    lines = [trace.title]
    for position, step in enumerate(trace.steps, start=1):
        lines += ["", f"{position}. {step.title}", f"   {step.words}"]
        lines += [f"   {name} = {value}" for name, value in _numbers(step)]
    return "\n".join(lines)


def _numbers(step: Step) -> list[tuple[str, str]]:
    return [(name, _number(value)) for name, value in step.numbers.items()]


def _number(value: float | None) -> str:
    """Four significant digits, which is what tells two neighbours of a reciprocal rank fusion apart."""
    if value is None:
        return say("player.undefined")
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"
