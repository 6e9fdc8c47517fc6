"""What a computation taken step by step consists of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from relviz.draw import Figure, level
from relviz.draw.canvas import legal
from relviz.locale import listed, say, words

__all__ = ["Step", "Trace"]


@dataclass(frozen=True)
class Step:
    """One thing that happens: a short title, the words that explain it, its picture, and its numbers by name."""

    title: str
    words: str
    figure: Figure
    numbers: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Trace:
    """The steps of one computation; `value` is what the plain function returns."""

    title: str
    steps: Sequence[Step]
    value: Any

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from relviz.widgets.player import Player

        return Player(self)._repr_mimebundle_()

    def __str__(self) -> str:
        lines = [self.title]
        for number, step in enumerate(self.steps, start=1):
            lines += ["", f"{number}. {step.title}", f"   {step.words}"]
            lines += [f"   {name} = {number}" for name, number in named_numbers(step)]
        return legal("\n".join(lines))


def trace(title: str, steps: Sequence[Step], value: Any) -> Trace:
    """A trace whose pictures are all equally tall."""
    figures = level([step.figure for step in steps])
    return Trace(title, [replace(step, figure=figure) for step, figure in zip(steps, figures)], value)


def step(key: str, figure: Figure, numbers: Mapping[str, float | None] | None = None, **places: object) -> Step:
    """The step whose title and words are `steps.KEY.title` and `steps.KEY.words`."""
    title, text = say(f"steps.{key}.title", **places), say(f"steps.{key}.words", **places)
    return Step(legal(title), legal(text), figure, numbers or {})


def named_numbers(step: Step) -> list[tuple[str, str]]:
    """The numbers of a step as they are shown. Measures and documents keep their names in every language."""
    names = words("steps")
    return [(names.get(f"number.{name}", name), brief(x)) for name, x in step.numbers.items()]


def decimals(x: float | None, places: int = 3) -> str:
    """A number as it is printed in words and pictures."""
    return say("steps.undefined") if x is None else f"{x:.{places}f}"


def brief(x: float | None) -> str:
    """A number on its own: four digits, which still tell two neighbours of a reciprocal rank fusion apart."""
    if x is None:
        return say("steps.undefined")
    return f"{x:,.0f}" if float(x).is_integer() else format(Decimal(f"{x:.4g}"), "f")


def probability(p: float) -> str:
    """A p as it is printed: three decimals, or as many as its first digit needs, since no p is 0."""
    return decimals(p) if p >= 0.001 else format(Decimal(f"{p:.1g}").normalize(), "f")


def named(things: Sequence[object], most: int = 12) -> str:
    """The things in a row, the first few if there are many."""
    if len(things) <= most:
        return listed(things) or say("steps.none")
    return say("steps.and_more", things=listed(things[:most]), count=len(things) - most)
