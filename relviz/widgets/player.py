"""The step player: a trace as figures and words that the reader steps through, forward and back."""

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from relviz.draw import Figure
from relviz.locale import say, short, words
from relviz.steps.trace import Step, Trace, named_numbers
from relviz.widgets.base import Output, page

if TYPE_CHECKING:
    from relviz.widgets.live import LivePlayer

__all__ = ["Player", "player"]

MOST_TWICE = 20_000  # characters of all figures of a trace: of more, a second form of each makes the notebook heavy


class Player(Output):
    """A trace to step through; on paper, and where scripts do not run, the list of all its steps."""

    def __init__(self, trace: Trace) -> None:
        if not trace.steps:
            raise ValueError(say("errors.no_step", title=short(trace.title)))
        figures = [step.figure for step in trace.steps]
        if sum(len(figure.svg) for figure in figures) > MOST_TWICE or not all(figure.narrow for figure in figures):
            figures = [replace(figure, narrow=None) for figure in figures]
        steps = "\n".join(map(_item, trace.steps, figures))
        super().__init__(page("player", trace.title, f"<ol>\n{steps}\n</ol>", words("player")), str(trace))
        self.trace = trace

    def widget(self, index: int = 0) -> "LivePlayer":
        """The same player as an anywidget: Python reads and sets its `index`, which is 0 at the first step."""
        from relviz.widgets.live import LivePlayer

        return LivePlayer(self, index)


def player(trace: Trace) -> Player:
    """Show a trace one step at a time. First used in lesson 02."""
    return Player(trace)


def _item(step: Step, figure: Figure) -> str:
    # The script takes the SVG out of the image, so each figure is here once. An untrusted notebook drops style
    # sheets and keeps inline styles. On a narrow page a figure without a narrow form scrolls: shrunk, its words could
    # not be read.
    image = figure.image("max-width:none")
    wide = f'<div class="rv-wide" style="overflow-x:auto" tabindex="0">{image}</div>'
    numbers = "".join(f"<span>{escape(name)} = <b>{number}</b> </span>" for name, number in named_numbers(step))
    return (
        f'<li><p class="rv-step"><strong>{escape(step.title)}</strong></p>\n{wide}\n'
        f'<p class="rv-words">{escape(step.words)}</p>'
        + (f'\n<p class="rv-numbers">{numbers}</p></li>' if numbers else "</li>")
    )
