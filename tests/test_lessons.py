"""The exercises: each with an untouched answer, the right one, and typical wrong ones; and what the checker says."""

import re
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import relviz
import relviz.lessons
from relviz.lessons import Exercise, exercise
from relviz.lessons.suspect import INNOCENT, Suspect
from relviz.locale import listed, say

LESSONS = sorted(p.stem for p in Path(relviz.lessons.__file__).parent.glob("lesson[0-9][0-9].py"))
EXERCISES = [e for lesson in LESSONS for e in import_module(f"relviz.lessons.{lesson}").EXERCISES]


def fresh(e):
    return replace(e, solved=False, tried=[], hinted=0)


@pytest.fixture(autouse=True, params=["en", "zh"])
def language(request):
    relviz.set_language(request.param)
    yield request.param
    relviz.set_language("en")


def symbol(reply):
    return repr(reply)[0]


@pytest.mark.parametrize("e", EXERCISES, ids=lambda e: e.key)
def test_untouched_right_and_wrong(e):
    assert symbol(fresh(e).check()) == symbol(fresh(e).check(...)) == symbol(fresh(e).check(None)) == "○"
    if e.cases:
        assert symbol(fresh(e).check(lambda *_: None)) == "○"
    asked = fresh(e)
    assert symbol(asked.check(e.answer)) == "✓"
    assert asked.solved
    assert len(e.mistakes) >= 2
    for wrong in e.mistakes.values():
        asked = fresh(e)
        assert symbol(asked.check(wrong)) == "✗", wrong
        assert not asked.solved


@pytest.mark.parametrize("e", EXERCISES, ids=lambda e: e.key)
def test_the_answer_is_never_said_before_the_solution(e):
    names = [f"hint{n}" for n in range(1, e.hints + 1)] + [f"wrong.{name}" for name in e.mistakes]
    for words in map(e._say, names):
        if isinstance(e.answer, int | float):
            assert not re.search(rf"(?<![\d.]){re.escape(f'{e.answer:.3g}')}", words)
        elif isinstance(e.answer, str) and len(e.answer) > 1:
            assert e.answer not in words


@pytest.mark.parametrize("e", EXERCISES, ids=lambda e: e.key)
def test_each_mistake_is_told_apart(e):
    words = {repr(fresh(e).check(wrong)).split("`", 2)[2] for wrong in e.mistakes.values()}
    assert len(words) == len(e.mistakes)


@pytest.mark.parametrize("e", EXERCISES, ids=lambda e: e.key)
def test_hints_grow_and_stop_at_the_last(e):
    asked = fresh(e)
    replies = [repr(asked.hint()) for _ in range(e.hints)]
    assert len(set(replies)) == e.hints
    assert repr(asked.hint()) == replies[-1]
    assert repr(asked.hint(1)) == replies[0]
    with pytest.raises(ValueError, match=f"{re.escape(e.key)} .*1 .*{e.hints}"):
        asked.hint(e.hints + 1)


@pytest.mark.parametrize("e", EXERCISES, ids=lambda e: e.key)
def test_the_solution_opens_after_success_or_three_different_tries(e):
    asked = fresh(e)
    closed = repr(asked.solution())
    for answer in ("one", "one", "one", "two"):
        asked.check(answer)
        assert len(asked.tried) < 3
    asked.check("three")
    opened = repr(asked.solution())
    assert opened != closed
    solved = fresh(e)
    solved.check(e.answer)
    assert repr(solved.solution()) == opened


# ---------- the checker itself, on exercises whose words are lesson 00's ----------


def ask(answer, **more):
    return Exercise("00.2", answer, **more)


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        (0.5, 0.5004),
        (0.5, np.float64(0.5)),
        (0.5, np.float32(0.5)),
        (0.5, np.array(0.5)),
        (2, 2.0),
        (2, np.int64(2)),
        (2 / 3, Fraction(2, 3)),
        (0.4375, Decimal("0.4375")),
        (0.5, np.longdouble(0.5)),
        ([1 / 3, 1], (Fraction(1, 3), Decimal(1))),
        ([1, 2], (1, 2)),
        ([1, 2], np.array([1, 2])),
        ([0.5, "a"], (np.float64(0.5), "A")),
        ([1, 2], pd.Series([1, 2])),
        ({"a", "b"}, ["b", "a"]),
        ("BUG-118", " bug-118 "),
    ],
)
def test_equal_for_a_teacher(expected, given):
    assert symbol(ask(expected).check(given)) == "✓"


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        (0.5, 0.502),
        (0.5, "0.5"),
        (0.5, float("nan")),
        (0.5, Fraction(1, 3)),
        (0.5, Decimal("sNaN")),
        (0.5, 0.5 + 0j),
        (0.5, 10**100),
        (0.5, [0.5]),
        (1, True),
        ([1, 2], [2, 1]),
        ([1, 2], [1, 2, 3]),
        ([1, 2], 1),
        ({"a", "b"}, ["a"]),
        ("a", 1),
    ],
)
def test_not_equal(expected, given):
    reply = repr(ask(expected).check(given))
    assert reply[0] == "✗"
    assert f"`{given!r}`" in reply


def test_a_function_is_compared_on_every_case():
    e = ask(lambda xs: sum(xs) / len(xs), cases=[([1, 2],), ([1, 1, 4],)], mistakes={"a": lambda xs: xs[0]})
    assert symbol(fresh(e).check(lambda xs: np.mean(xs))) == "✓"
    assert "f([1, 2]) -> 1" in repr(fresh(e).check(lambda xs: xs[0]))
    assert "f([1, 1, 4]) -> 1" in repr(fresh(e).check(lambda xs: 1.5 if len(xs) == 2 else 1))
    assert "ZeroDivisionError" in repr(fresh(e).check(lambda xs: 1 / 0))
    assert symbol(fresh(e).check(lambda xs: None)) == "○"


# ---------- answers that change things, fail, or are nothing one could expect ----------


def calls(function, before):
    """`function`, after `before` has done something to the ranking."""
    return lambda ranking, rel, k: (before(ranking, rel), function(list(ranking), rel, k))[1]


def hit(ranking, rel, k):
    return any(rel.get(doc, 0) > 0 for doc in ranking[:k])


def found_by_popping(ranking, rel, k):
    while ranking and k:
        if rel.pop(ranking.pop(0), 0) > 0:
            return 1
        k -= 1
    return 0


def test_a_function_that_changes_its_arguments_is_judged_on_what_it_returns():
    e = exercise("02.3")
    for _ in range(2):
        assert symbol(fresh(e).check(found_by_popping)) == "✓"
        for before in (
            lambda ranking, rel: ranking.sort(),
            lambda ranking, rel: ranking.clear(),
            lambda ranking, rel: rel.clear(),
            lambda ranking, rel: rel.update(dict.fromkeys(ranking, 1)),
        ):
            assert symbol(fresh(e).check(calls(hit, before))) == "✗"
        assert symbol(fresh(e).check(lambda *_: 0)) == "✗"
        assert symbol(fresh(exercise("02.7")).check(exercise("02.7").answer)) == "✓"


@pytest.mark.parametrize("e", [e for e in EXERCISES if e.cases], ids=lambda e: e.key)
def test_no_function_can_empty_the_cases(e):
    before = repr(e.cases)

    def answer(*case):
        result = e.answer(*case)
        for argument in case:
            if hasattr(argument, "clear"):
                argument.clear()
        return result

    assert symbol(fresh(e).check(answer)) == "✓"
    assert repr(e.cases) == before


def test_the_first_case_that_differs_is_shown_and_true_is_no_difference():
    reply = repr(fresh(exercise("02.3")).check(lambda ranking, rel, k: hit(ranking, rel, k) or len(ranking) == 1))
    assert "f(['REQ-11'], {" in reply
    assert "-> True" in reply


class Bad:
    """Fails at whatever is asked of it."""

    def fail(self, *_):
        raise OSError("`no`\n\nway")

    __repr__ = __eq__ = __bool__ = __len__ = __iter__ = __deepcopy__ = tolist = fail
    __hash__ = object.__hash__


class Unshown:
    def __repr__(self):
        raise OSError("not for eyes")


class Unsaid(Exception):
    def __str__(self):
        raise OSError("not for ears")


class SameAsNothing:
    def __eq__(self, other):
        raise OSError("beyond compare")

    __hash__ = object.__hash__


def endless():
    holds_itself = []
    holds_itself.append(holds_itself)
    return holds_itself


def deep():
    nested = []
    for _ in range(100_000):
        nested = [nested]
    return nested


def raising(error):
    def answer(*_):
        raise error

    return answer


ODD = {
    "empty": [],
    "huge": 10**400,
    "unprintably huge": 10**5000,
    "negative huge": -(10**400),
    "huge fraction": Fraction(10**400),
    "endless": endless(),
    "deep": deep(),
    "in a tuple": (endless(), {"a": 1}, 1),
    "frame": pd.DataFrame({"a": [1, 2]}),
    "array class": np.ndarray,
    "bad": Bad(),
    "bad in a tuple": (["a", Bad()], {"a": Bad()}, 1),
    "unshown": Unshown(),
    "unshown in a tuple": ([Unshown()], {"a": 1}, 1),
    "unshown in a list": [Unshown()],
    "no equal": SameAsNothing(),
    "no equal in a list": [SameAsNothing()] * 3,
    "returns nearly": lambda *_: 1.0005,
    "returns huge": lambda *_: 10**400,
    "returns endless": lambda *_: endless(),
    "returns unshown": lambda *_: Unshown(),
    "returns bad": lambda *_: Bad(),
    "returns no equal": lambda *_: SameAsNothing(),
    "raises": raising(OSError("no")),
    "raises unsaid": raising(Unsaid()),
    "stops": raising(StopIteration()),
    "exits": lambda *_: sys.exit(),
    "never ends": lambda *case: ODD["never ends"](*case),
    "wants nothing": lambda: 0,
}


@pytest.mark.parametrize("e", EXERCISES, ids=lambda e: e.key)
def test_every_odd_answer_is_not_yet_and_a_try(e):
    for name, answer in ODD.items():
        asked = fresh(e)
        reply = repr(asked.check(answer))
        assert reply[0] == "✗", name
        assert not asked.solved
        assert len(asked.tried) == 1
        assert "\n" not in reply
        assert reply.count("`") % 2 == 0


@pytest.mark.parametrize(
    ("key", "name", "said"),
    [
        ("02.3", "empty", "`[]`"),
        ("05.5", "empty", "`[]`"),
        ("02.3", "returns nearly", "-> 1.0005`"),
        ("02.3", "exits", "-> SystemExit`"),
        ("02.3", "raises", "-> OSError: no`"),
        ("05.5", "raises", "-> OSError: no`"),
        ("02.3", "returns unshown", "-> Unshown (OSError: not for eyes)`"),
        ("02.3", "raises unsaid", "-> "),
        ("02.1", "huge", "`1000"),
        ("02.1", "unprintably huge", "`int (ValueError: "),
        ("02.1", "endless", "`[[...]]`"),
        ("02.1", "unshown", "`Unshown (OSError: not for eyes)`"),
        ("02.1", "bad", "`OSError: 'no'  way`"),
        ("03.5", "endless", "`[[...]]`"),
        ("03.5", "in a tuple", "`RecursionError: "),
        ("03.5", "unshown in a tuple", "`list (OSError: not for eyes)`"),
    ],
)
def test_what_was_received_is_said_whatever_it_was(key, name, said):
    assert said in repr(fresh(exercise(key)).check(ODD[name]))


@pytest.mark.parametrize("e", [e for e in EXERCISES if e.cases], ids=lambda e: e.key)
def test_what_a_function_gave_is_never_cut_off(e):
    assert "-> 'not this'`" in repr(fresh(e).check(lambda *_: "not this"))


HUGE = [10**400, -(10**400), Fraction(10**400), Decimal("1e999")]


@pytest.mark.parametrize("huge", HUGE, ids=["int", "negative", "fraction", "decimal"])
def test_a_number_too_large_for_a_float_is_a_number_like_any_other(huge):
    assert repr(ask(0.5).check(huge)).split("`")[2:] == repr(ask(0.5).check(7)).split("`")[2:]


def test_where_a_function_is_wanted_its_results_are_none(language):
    results = [exercise("02.3").answer(*case) for case in exercise("02.3").cases]
    reply = repr(fresh(exercise("02.3")).check(results))
    assert reply[0] == "✗"
    assert {"en": "A function is wanted", "zh": "函数"}[language] in reply


def test_a_function_is_called_once_for_each_case():
    e, seen = exercise("02.3"), []
    fresh(e).check(lambda *case: seen.append(case) or hit(*case))
    assert len(seen) == len(e.cases)


def test_interrupting_an_endless_answer_still_interrupts():
    with pytest.raises(KeyboardInterrupt):
        fresh(exercise("02.3")).check(raising(KeyboardInterrupt()))


# ---------- suspects are judged on inputs for which something was promised ----------

SUSPECTS = [e for e in EXERCISES if isinstance(e, Suspect)]
TAKES_A_RANKING = [e for e in SUSPECTS if e.key not in ("03.10", "03.11")]


@pytest.mark.parametrize("e", TAKES_A_RANKING, ids=lambda e: e.key)
@pytest.mark.parametrize(
    ("ranking", "rel"),
    [
        (["a", "b", "c"], {"a": 10**308, "b": 10**308, "c": 10**308, "d": 10**308}),
        (["x", "a"], {"x": 0, "a": 1001, "b": 1}),
        (["x", "a"], {"x": 0, "a": 10**400, "b": 1}),
        ({"x": 0.2, "a": 0.1}, {"x": 0, "a": 1, "b": 1}),
        ({"x", "a"}, {"x": 0, "a": 1, "b": 1}),
        ("xa", {"x": 0, "a": 1, "b": 1}),
        (iter(["x", "a"]), {"x": 0, "a": 1, "b": 1}),
        (["x", "a"], {"x": float("inf"), "a": 1}),
    ],
    ids=["overflow", "large", "huge", "scores", "set", "text", "iterator", "infinite"],
)
@pytest.mark.parametrize("k", [1, 3])
def test_nobody_is_exposed_by_what_was_never_promised(e, ranking, rel, k):
    assert symbol(fresh(e).check((ranking, rel, k))) == "✗"


@pytest.mark.parametrize("e", [e for e in TAKES_A_RANKING if e.answer == INNOCENT], ids=lambda e: e.key)
def test_the_largest_grades_do_not_condemn_an_innocent(e):
    rel = {f"d{n}": 1000 - n % 3 for n in range(300)}
    for k in (1, 150, 400):
        reply = repr(fresh(e).check((list(rel)[:200], rel, k)))
        assert reply[0] == "✗"
        assert say("lessons.suspect_agrees", got="|").split("|")[1] in reply


def test_where_chance_plays_every_correct_way_is_accepted():
    e = ask(0.5, accept=lambda x: isinstance(x, float) and abs(x - 0.5) < 0.1)
    for seed in range(20):
        assert symbol(e.check(float(np.random.default_rng(seed).random(1000).mean()))) == "✓"
    assert symbol(e.check(0.7)) == "✗"


def test_a_long_answer_is_cut_and_stays_code():
    reply = repr(ask(1).check("`<b>" * 100))
    assert reply.count("`") == 4  # around what was received, around how to ask for a hint
    assert len(reply) < 400


def test_the_same_exercise_counts_tries_across_cells():
    assert exercise("00.1") is exercise("00.1")
    for key in ("00.99", "99.1", "x", ""):
        with pytest.raises(ValueError, match=re.escape(say("errors.no_exercise", exercise=repr(key)))):
            exercise(key)


@pytest.mark.parametrize("answer", [["d1", "d2"], 3, "d"])
def test_a_letter_in_quotes_is_asked_for(answer):
    wanted = say("lessons.wants_letter", letters=listed("abc"))
    assert wanted in str(exercise("00.3").check(answer))
    assert wanted not in str(exercise("00.3").check("b"))
