"""Traces written by hand, so that the widgets are tested without the code that computes traces."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

from relviz.draw import Figure
from relviz.locale import set_language
from relviz.steps import Step, Trace

HOSTILE = '<img src=x onerror="window.hacked=1"></script><!--\u2028\'{count}&amp;</p>'


def figure(order: list[str], bar: float, alt: str) -> Figure:
    """Cards in an order, a bar that grows, and a gradient with an id, which every figure of the trace calls `g`."""
    cards = "".join(
        f'<g data-key="{escape(name)}" transform="translate({20 + 250 * place},40)">'
        f'<rect width="220" height="48" rx="6" fill="url(#g)" stroke="#0068a3"/>'
        f'<text x="14" y="30">{place + 1}. {escape(name)}</text></g>'
        for place, name in enumerate(order)
    )
    return Figure(
        '<svg xmlns="http://www.w3.org/2000/svg" width="760" height="180" viewBox="0 0 760 180" font-size="14" '
        'font-family="sans-serif" fill="#1d2733"><style>text { font-weight: 600 } #g { opacity: 1 }</style>'
        '<linearGradient id="g"><stop stop-color="#e4eef5"/><stop offset="1" stop-color="#fff"/></linearGradient>'
        f'<rect width="760" height="180" fill="#fcfcf9"/>{cards}'
        f'<rect data-key="bar" x="20" y="120" width="{bar:g}" height="24" fill="#0068a3"/>'
        f'<text x="20" y="168">{escape(alt)}</text></svg>',
        alt,
    )


def trace(names: tuple[str, str, str] = ("BUG-118", "REQ-09", "EXP-05"), count: int = 5) -> Trace:
    """A trace of `count` steps in which three documents change places and a sum grows."""
    steps = []
    for n in range(count):
        order = [names[(n + place) % 3] for place in range(3)]
        words = f"{order[0]} stands first, and the sum has grown to {(n + 1) / 7:.4f}. " * (1 + n % 3)
        alt = f"{', '.join(order)}; sum {(n + 1) / 7:.4f}."
        numbers = {"sum": (n + 1) / 7, "documents seen": n + 1}
        steps.append(Step(f"{order[0]} is looked at", words, figure(order, 120 * (n + 1) / 2, alt), numbers))
    return Trace(f"How {names[0]} rises", steps, count / 7)


def hostile() -> Trace:
    """A trace whose every text tries to become markup."""
    steps = trace((HOSTILE, "b", "c"), count=3).steps
    return Trace(HOSTILE, steps, None)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Words made inside are in the language; those made afterwards are in English."""
    set_language(language)
    yield
    set_language("en")
