"""A function that may be wrong: the reader looks for an input that exposes it, and the input is run."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

from relviz.lessons import Exercise, Raised, Reply, outcome, plain, quoted, same, shown, untouched
from relviz.locale import say

__all__ = ["INNOCENT", "Suspect"]

INNOCENT = "correct"
EQUAL = 1e-9  # two ways to compute the same number may differ by rounding


@dataclass
class Suspect(Exercise):
    """The answer is an input on which `function` and `right` differ, or the word "correct" when there is none.

    An input is a tuple of what the function takes; where it takes one thing only, that thing. Both functions are run
    on it. `right` raises ValueError for what is no input, such as k = 0: there a function may do as it likes.
    `answer` is one of the inputs that expose the function, or "correct".
    """

    function: Callable[..., Any] = plain
    right: Callable[..., Any] = plain

    def _judge(self, answer: Any) -> Reply:
        """Run the input through both functions and say what came out; or say whether the function is "correct"."""
        received = plain(answer)
        if untouched(received):
            return Reply(say("lessons.untouched"))
        if same(received, INNOCENT, 0):
            self.solved = self.solved or self.answer == INNOCENT
            if self.answer == INNOCENT:
                return Reply(say("lessons.correct", why=self._say("right")))
            return self._not_yet(shown(received), *self._nudges(received))
        names = list(signature(self.right).parameters)
        one = isinstance(answer, tuple) and len(answer) == 1 and isinstance(answer[0], list | dict)
        parts = received if isinstance(received, list) and (len(names) > 1 or one) else [received]
        if len(parts) != len(names):
            return self._not_yet(shown(received), say("lessons.suspect_parts", parts=", ".join(names)))
        expected = outcome(self.right, parts)
        if isinstance(expected, Raised):
            return self._not_yet(shown(received), say("lessons.suspect_no_input", problem=expected.error))
        got = outcome(self.function, parts)
        if same(got, expected, EQUAL):
            agreed = say("lessons.suspect_agrees", got=_short(got))
            return self._not_yet(shown(received), agreed, *self._nudges(received)[:1])
        self.solved = True
        exposed = say("lessons.suspect_exposed", got=_short(got), expected=_short(expected))
        return Reply(say("lessons.correct", why=f"{exposed} {self._say('right')}"))


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else quoted(shown(value))
