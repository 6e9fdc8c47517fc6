"""Computations one step at a time: each trace shares the arithmetic of the function that it explains."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from relviz.draw import Figure

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

    def __str__(self) -> str:
        lines = [self.title]
        for number, step in enumerate(self.steps, start=1):
            lines += ["", f"{number}. {step.title}", f"   {step.words}"]
        return "\n".join(lines)
