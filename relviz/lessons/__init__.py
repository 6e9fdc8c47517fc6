"""Exercises that answer back: not attempted, not yet, correct.

A notebook asks `exercise("05.1").check(...)`; the reader puts an answer where the dots are. What was received is
said, the answer never is. `.hint()` gives a stronger hint each time, `.solution()` opens after a correct answer or
three different tries. The exercises of lesson NN stand in `lessonNN.py`, their words in `locale/*/lessonNN.json`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from numbers import Number
from traceback import format_exception_only
from typing import Any

from relviz.locale import listed, say, short

__all__ = ["Exercise", "Reply", "exercise"]

TRIES = 3
LONGEST = 160  # characters of an answer that are repeated to the reader
FAILURES = (Exception, SystemExit)  # what a reader's code may raise; stopping the kernel still stops


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
    (in any order), a sequence of these, or a function, which is compared with the reader's on every one of `cases`;
    True counts as 1 there, and each call has a case of its own, so that a function may change its arguments.
    mistakes: typical wrong answers by name; the word file says for each what to think about.
    accept: decides on the answer, as `plain` gives it, where many are right, as with random numbers.
    facts: numbers and lists for the places in the words. Each answer counts as a try once.
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
        """Say whether the answer is right, and if not, what was received: any failure of the answer is a "not yet"."""
        try:
            return self._judge(answer)
        except FAILURES as error:  # a list that holds itself, an object that cannot be compared
            return self._not_yet(shown(answer), say("lessons.failed", error=quoted(failure(error))))

    def hint(self, number: int | None = None) -> Reply:
        """The next hint, or hint `number`: each is stronger than the one before."""
        if number is not None and not 1 <= number <= self.hints:
            raise ValueError(say("errors.no_hint", exercise=self.key, hints=self.hints, number=short(number)))
        self.hinted = number or min(self.hinted + 1, self.hints)
        words = self._say(f"hint{self.hinted}")
        return Reply(say("lessons.hint", number=self.hinted, total=self.hints, words=words))

    def solution(self) -> Reply:
        """The worked solution, after a correct answer or three different tries."""
        if not self.solved and len(self.tried) < TRIES:
            return Reply(say("lessons.closed", tries=TRIES, count=len(self.tried)))
        return Reply(say("lessons.solution", words=self._say("solution")))

    def _judge(self, answer: Any) -> Reply:
        received, expected = self._results(answer), self._results(self.answer)
        if untouched(received):
            return Reply(say("lessons.untouched"))
        if self.cases and not callable(answer):
            return self._not_yet(shown(answer), say("lessons.wants_function"))
        if self.accept(received) if self.accept else self._agree(received, expected):
            self.solved = True
            return Reply(say("lessons.correct", why=self._say("right")))
        nudges = self._nudges(received)
        if not nudges and isinstance(expected, int | float) and number(received) is None:
            nudges = [say("lessons.wants_number")]
        offered = [expected, *self.mistakes.values()] if isinstance(expected, str) else []
        if offered and received not in offered and all(len(str(letter)) == 1 for letter in offered):
            nudges = [say("lessons.wants_letter", letters=listed(sorted(offered)))]
        return self._not_yet(self._received(received, expected), *nudges[:1])

    def _results(self, answer: Any) -> Any:
        """The answer as plain Python; of a function, what it returns for each case."""
        return [outcome(answer, case) for case in self.cases] if callable(answer) and self.cases else plain(answer)

    def _agree(self, received: Any, expected: Any) -> bool:
        if self.cases:
            return self._first_difference(received, expected) is None
        return same(received, expected, self.tolerance)

    def _first_difference(self, received: list[Any], expected: list[Any]) -> int | None:
        pairs = enumerate(zip(received, expected))
        return next((i for i, (r, e) in pairs if not (r == e or same(r, e, self.tolerance))), None)

    def _nudges(self, received: Any) -> list[str]:
        """What to think about, for each typical mistake that this is."""
        return [
            self._say(f"wrong.{name}")
            for name, mistake in self.mistakes.items()
            if self._agree(received, self._results(mistake))
        ]

    def _received(self, received: Any, expected: Any) -> str:
        first = self._first_difference(received, expected) if self.cases else None
        if first is None:
            return shown(received)
        return f"f({', '.join(map(repr, self.cases[first]))}) -> {shown(received[first])}"

    def _not_yet(self, received: str, *nudge: str) -> Reply:
        if received not in self.tried:
            self.tried.append(received)
        help_key = "lessons.stuck" if len(self.tried) < TRIES else "lessons.open"
        words = [say("lessons.not_yet", received=quoted(received)), *nudge, say(help_key, exercise=self.key)]
        return Reply(say("text.gap").join(words))

    def _say(self, name: str) -> str:
        lesson, _, number = self.key.partition(".")
        facts = {key: listed(fact) if isinstance(fact, list) else fact for key, fact in self.facts.items()}
        return say(f"lesson{lesson}.{number}.{name}", answer=self.answer, **facts)


def exercise(key: str) -> Exercise:
    """The exercise with a key such as "05.1"; always the same one, so that its tries are counted. Used in lesson 00."""
    module = f"relviz.lessons.lesson{key.partition('.')[0]}"
    for found in import_module(module).EXERCISES if find_spec(module) else ():
        if found.key == key:
            return found
    raise ValueError(say("errors.no_exercise", exercise=short(key)))


def plain(answer: Any) -> Any:
    """Numpy's and pandas' values as Python's, tuples as lists."""
    if hasattr(answer, "tolist"):
        answer = answer.tolist()
    return [plain(a) for a in answer] if isinstance(answer, list | tuple) else answer


@dataclass(frozen=True)
class Raised:
    """Stands where a function raised instead of returning; equal to no result."""

    error: BaseException

    def __repr__(self) -> str:
        return failure(self.error)


def outcome(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """What a function returns for arguments that it may change, as plain Python; `Raised` if it raises."""
    try:
        return plain(function(*deepcopy(arguments)))
    except FAILURES as error:
        return Raised(error)


def failure(error: BaseException) -> str:
    """Kind and message of an error, also where the message cannot be printed."""
    return format_exception_only(error)[-1].strip()


def shown(value: Any) -> str:
    """The repr of a value; of one that cannot be shown, its kind and the reason."""
    try:
        return repr(value)
    except FAILURES as error:
        return f"{type(value).__name__} ({failure(error)})"


def quoted(text: str) -> str:
    """A text that stays between the two backticks of Markdown; of a long one both ends, since results stand last."""
    text = " ".join(text.splitlines()).replace("`", "'")
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"


def untouched(received: Any) -> bool:
    """Whether dots still stand, all of them or some in a list, or a function still returns nothing."""
    if isinstance(received, list) and received:
        return any(r is ... for r in received) or all(untouched(r) for r in received)
    return received is None or received is ...


def number(value: Any) -> float | None:
    """A number of any kind as a float, infinite where it is too large for one; None for what is no real number."""
    if isinstance(value, bool) or not isinstance(value, Number):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):  # complex; Decimal("sNaN")
        return None


def same(received: Any, expected: Any, tolerance: float) -> bool:
    """Whether two answers are equal for a teacher, if not for Python."""
    if isinstance(expected, bool) or isinstance(received, bool):
        return received is expected
    if isinstance(expected, int | float):
        value = number(received)
        return value is not None and abs(value - expected) <= tolerance
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
