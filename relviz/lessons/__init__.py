"""Exercises that answer back: not attempted, not yet, correct.

A notebook asks `exercise("05.1").check(...)`; the reader puts an answer where the dots are. What was received is
said, the answer never is. `.hint()` gives a stronger hint each time, `.solution()` opens after a correct answer or
three different tries. The exercises of lesson NN stand in `lessonNN.py`, their words in `locale/*/lessonNN.json`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from relviz.locale import say

__all__ = ["Exercise", "Reply", "exercise"]

TRIES = 3
LONGEST = 120  # characters of an answer that are repeated to the reader


@dataclass(frozen=True)
class Reply:
    """Words for the reader: Markdown in a notebook, plain elsewhere."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return self.text


@dataclass
class Exercise:
    """One question with its checker.

    answer: a number (equal within `tolerance`), a word (case and blanks at the ends do not count), a set of words
    (in any order), a sequence of these, or a function, which is compared with the reader's on every one of `cases`.
    mistakes: typical wrong answers by name; the word file says for each what to think about.
    accept: decides instead of a comparison, where many answers are right, as with random numbers.
    facts: numbers for the places in the words. Each answer counts as a try once.
    """

    key: str
    answer: Any
    mistakes: Mapping[str, Any] = field(default_factory=dict)
    tolerance: float = 0.001
    cases: Sequence[tuple[Any, ...]] = ()
    accept: Callable[[Any], bool] | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    hints: int = 2
    solved: bool = False
    tried: list[str] = field(default_factory=list)
    hinted: int = 0

    def check(self, answer: Any = ...) -> Reply:
        """Say whether the answer is right, and if not, what was received."""
        try:
            received, expected = self._results(answer), self._results(self.answer)
        except Exception as error:  # the reader's function, or something that only looked like a list
            return self._not_yet(f"{type(error).__name__}: {error}")
        if untouched(received):
            return Reply(say("lessons.untouched"))
        if self.accept(answer) if self.accept else same(received, expected, self.tolerance):
            self.solved = True
            return Reply(say("lessons.correct", why=self._say("right")))
        nudges = self._nudges(received)
        if not nudges and isinstance(expected, int | float) and not isinstance(received, int | float):
            nudges = [say("lessons.wants_number")]
        return self._not_yet(self._received(received, expected), *nudges[:1])

    def hint(self, number: int | None = None) -> Reply:
        """The next hint, or hint `number`: each is stronger than the one before."""
        if number is not None and not 1 <= number <= self.hints:
            raise ValueError(f"exercise {self.key} has the hints 1 to {self.hints}, not {number!r}")
        self.hinted = number or min(self.hinted + 1, self.hints)
        words = self._say(f"hint{self.hinted}")
        return Reply(say("lessons.hint", number=self.hinted, total=self.hints, words=words))

    def solution(self) -> Reply:
        """The worked solution, after a correct answer or three different tries."""
        if not self.solved and len(self.tried) < TRIES:
            return Reply(say("lessons.closed", tries=TRIES, count=len(self.tried)))
        return Reply(say("lessons.solution", words=self._say("solution")))

    def _results(self, answer: Any) -> Any:
        """The answer as plain Python; of a function, what it returns for each case."""
        return [plain(answer(*case)) for case in self.cases] if callable(answer) and self.cases else plain(answer)

    def _nudges(self, received: Any) -> list[str]:
        """What to think about, for each typical mistake that this is."""
        return [
            self._say(f"wrong.{name}")
            for name, mistake in self.mistakes.items()
            if same(received, self._results(mistake), self.tolerance)
        ]

    def _received(self, received: Any, expected: Any) -> str:
        if not self.cases or not isinstance(received, list):
            return repr(received)
        first = next(i for i, pair in enumerate(zip(received, expected)) if not same(*pair, self.tolerance))
        return f"f({', '.join(map(repr, self.cases[first]))}) -> {received[first]!r}"

    def _not_yet(self, received: str, *nudge: str) -> Reply:
        if received not in self.tried:
            self.tried.append(received)
        shown = received if len(received) <= LONGEST else received[:LONGEST] + "…"
        help_key = "lessons.stuck" if len(self.tried) < TRIES else "lessons.open"
        words = [say("lessons.not_yet", received=shown.replace("`", "'")), *nudge, say(help_key, exercise=self.key)]
        return Reply(" ".join(words))

    def _say(self, name: str) -> str:
        lesson, _, number = self.key.partition(".")
        return say(f"lesson{lesson}.{number}.{name}", answer=self.answer, **self.facts)


def exercise(key: str) -> Exercise:
    """The exercise with a key such as "05.1"; always the same one, so that its tries are counted. Used in lesson 00."""
    module = f"relviz.lessons.lesson{key.partition('.')[0]}"
    for found in import_module(module).EXERCISES if find_spec(module) else ():
        if found.key == key:
            return found
    raise ValueError(f"there is no exercise {key!r}; keys look like '05.1': the lesson, then the exercise")


def plain(answer: Any) -> Any:
    """Numpy's and pandas' values as Python's, tuples as lists."""
    if hasattr(answer, "tolist"):
        answer = answer.tolist()
    return [plain(a) for a in answer] if isinstance(answer, list | tuple) else answer


def untouched(received: Any) -> bool:
    """Whether the dots still stand, or a function still returns nothing."""
    if isinstance(received, list) and received:
        return all(untouched(r) for r in received)
    return received is None or received is ...


def same(received: Any, expected: Any, tolerance: float) -> bool:
    """Whether two answers are equal for a teacher, if not for Python."""
    if isinstance(expected, bool) or isinstance(received, bool):
        return received is expected
    if isinstance(expected, int | float):
        return isinstance(received, int | float) and abs(received - expected) <= tolerance
    if isinstance(expected, str):
        return isinstance(received, str) and received.strip().casefold() == expected.strip().casefold()
    if isinstance(expected, set | frozenset):
        return isinstance(received, list | set | frozenset) and set(map(str, received)) == expected
    if isinstance(expected, list):
        return (
            isinstance(received, list)
            and len(received) == len(expected)
            and all(same(r, e, tolerance) for r, e in zip(received, expected))
        )
    return bool(received == expected)
