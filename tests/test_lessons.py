"""The exercises: each with an untouched answer, the right one, and typical wrong ones; and what the checker says."""

import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import relviz
import relviz.lessons
from relviz.lessons import Exercise, exercise

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
    with pytest.raises(ValueError, match="hints 1 to"):
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
        with pytest.raises(ValueError, match="no exercise"):
            exercise(key)
