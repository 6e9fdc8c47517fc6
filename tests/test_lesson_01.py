"""Lesson 01: the functions written out in it are relviz's, and what it says in words is so."""

import ast
import re
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from written import code_of, functions_in, notebook_of

import relviz
from relviz.datasets import bughunt_path
from relviz.lessons import exercise, lesson01

NOTEBOOK = notebook_of("01_build_qrels")
CODE = code_of(NOTEBOOK)
BUGHUNT = lesson01.bughunt
SHORT = relviz.read_qrels(bughunt_path("judgements_short_rule.csv"))
RUNS = {name: relviz.read_run(bughunt_path(f"runs/{name}.run")) for name in ("tfidf", "bm25", "dense")}

grades = st.integers(0, 2)


@pytest.fixture(scope="module")
def written():
    return functions_in(CODE)


@given(pairs=st.lists(st.tuples(grades, grades), min_size=1, max_size=20))
def test_agreement(written, pairs):
    a, b = zip(*pairs)
    assert written["raw_agreement"](a, b) == relviz.raw_agreement(a, b)
    if len({*a, *b}) > 1:
        assert written["weighted_kappa"](a, b) == pytest.approx(relviz.weighted_kappa(a, b), abs=1e-12)


def test_the_pairs_of_the_exercises_are_those_shown():
    named = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse("\n".join(CODE)).body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("eight", "four")
    }
    assert named == {"eight": lesson01.EIGHT, "four": lesson01.FOUR}


def test_the_eight_pairs():
    a = lesson01.grades(lesson01.EIGHT)
    b = [SHORT[query].get(doc, 0) for query, doc in lesson01.EIGHT]
    assert {i for i, (x, y) in enumerate(zip(a, b)) if x != y} == lesson01.OPEN
    assert relviz.weighted_kappa(a, b) == pytest.approx(5 / 7)  # as computed on paper in the text
    assert cohen_kappa_score(a, b, weights="linear") == pytest.approx(5 / 7)
    # the table of exercise 4, and its hints: three 0s, two 1s, three 2s against one 0, four 1s, three 2s
    assert [[grades.count(grade) for grade in (0, 1, 2)] for grades in (a, b)] == [[3, 2, 3], [1, 4, 3]]
    assert sum(abs(x - y) for x in a for y in b) == 30 + 8 + 18
    assert cohen_kappa_score([2, 1, 0, 0], [2, 0, 0, 2], weights="linear") == pytest.approx(1 / 4)  # four on paper
    # "a bug of the same module and nothing more"
    for query, doc in (lesson01.EIGHT[i] for i in lesson01.OPEN):
        assert BUGHUNT.about[query]["module"] == BUGHUNT.about[doc]["module"]
    differ = [(q, d) for q in BUGHUNT.queries for d in BUGHUNT.docs if BUGHUNT.qrels[q].get(d, 0) != SHORT[q].get(d, 0)]
    assert sorted(differ) == sorted(lesson01.EIGHT[i] for i in lesson01.OPEN)


def own(answer):
    return repr(replace(exercise("01.2"), solved=False, tried=[]).check(answer))


@given(answer=st.lists(grades, min_size=8, max_size=8))
def test_no_honest_grade_is_wrong_and_every_difference_is_told(answer):
    reply, a = own(answer), lesson01.grades(lesson01.EIGHT)
    assert reply[0] == "✓"
    assert f"to {sum(x == y for x, y in zip(answer, a))} of 8 pairs" in reply
    told = {(int(pair), int(grade)) for pair, grade in re.findall(r"Pair (\d), A gave (\d)", reply)}
    assert told == {(i, theirs) for i, (mine, theirs) in enumerate(zip(answer, a), 1) if mine != theirs}


@pytest.mark.parametrize(
    "answer",
    [[2, 1, 0, 3, 2, 0, 2, 1], [2, 1, 0, True, 2, 0, 2, 1], [2, 1, 0, 0.5, 2, 0, 2, 1], [2] * 7, 2, "2", "2" * 8],
)
def test_what_are_no_eight_grades_is_said(answer):
    assert own(answer)[0] == "✗"


def test_grades_half_filled_in_are_not_judged_yet():
    assert own([2, 1, *[...] * 6])[0] == own([...] * 8)[0] == "○"


@pytest.mark.parametrize("mine", [[2, 1, *[...] * 6], [2, 1, 0, ..., ..., 0, 2, 2], [0] * 8])
def test_the_reader_s_grades_stand_beside_both_judges(mine):
    """The cells of the lesson, run with other grades than those filled in."""
    names = {"mine": mine, "relviz": relviz, "pd": pd, "bughunt": BUGHUNT, "bughunt_path": bughunt_path}
    names |= {"show": len, "raw_agreement": relviz.raw_agreement}  # texts are not needed here
    shown = []
    for start in ("eight = [", '"mine": [', "def beside("):
        *before, last = ast.parse(next(cell for cell in CODE if start in cell)).body
        exec(compile(ast.Module(before, []), "cell", "exec"), names)
        shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
    _, judges, beside = shown
    assert [grade for grade in judges.loc["mine"] if grade != ""] == [grade for grade in mine if grade is not ...]
    for name, other in {"A": names["a"], "B": names["b"]}.items():
        pairs = [(m, o) for m, o in zip(mine, other) if m is not ...]
        row = beside.loc[f"mine and {name}"]
        assert row["pairs"] == len(pairs)
        assert row["raw"] == pytest.approx(sum(m == o for m, o in pairs) / len(pairs), abs=0.0005)
        kappa = cohen_kappa_score(*zip(*pairs), weights="linear", labels=[0, 1, 2])
        assert row["kappa"] == pytest.approx(kappa, abs=0.0005)


def test_who_wins_with_whose_judgements():
    a, b = (relviz.evaluate(RUNS, qrels, "nDCG@5").table()["nDCG@5"] for qrels in (BUGHUNT.qrels, SHORT))
    assert ((a - b).abs() > 1e-6).all()  # "every score moves"
    assert list(a.sort_values().index) == ["tfidf", "dense", "bm25"]
    assert list(b.sort_values().index) == ["dense", "tfidf", "bm25"]  # "change places"
    assert abs(a["tfidf"] - a["dense"]) < 0.001


def test_the_mix_decides():
    means = relviz.evaluate(RUNS, BUGHUNT.qrels, "nDCG@5").table()["nDCG@5"]
    assert means.idxmax() == "bm25"
    assert lesson01.bm25[lesson01.filed].mean() < lesson01.tfidf[lesson01.filed].mean()  # "not in every row"
    assert lesson01.mixed(lesson01.tfidf) > lesson01.mixed(lesson01.bm25)  # "and would win"
    modules = [BUGHUNT.about[query]["module"] for query in BUGHUNT.queries]
    assert max(map(modules.count, modules)) < len(modules) / 2


def test_what_pooling_does_to_q18():
    first = {name: set(relviz.ranked(run["q18"])[:5]) for name, run in RUNS.items()}
    assert first["tfidf"] == first["bm25"]
    assert "EXP-05" in first["dense"] - first["bm25"]
    assert BUGHUNT.qrels["q18"]["EXP-05"] > 0


def test_what_the_lesson_says_of_unjudged_documents_is_so():
    pools = {q: relviz.pool([relviz.ranked(RUNS[n][q]) for n in ("tfidf", "bm25")], 5) for q in BUGHUNT.queries}
    part = {q: {doc: BUGHUNT.qrels[q].get(doc, 0) for doc in docs} for q, docs in pools.items()}

    def scores(qrels, **how):
        return relviz.evaluate(RUNS, qrels, "nDCG@5", **how).table()["nDCG@5"]

    true, raw, condensed = scores(BUGHUNT.qrels), scores(part), scores(part, unjudged="left_out")
    lowest, highest = scores(part, unjudged="lowest"), scores(part, unjudged="highest")
    assert (raw > true).all()  # "all three scores were too high"
    gap, seen, left = (x["bm25"] - x["dense"] for x in (true, raw, condensed))
    assert gap < seen / 2  # "most of the gap was made by the pool"
    assert abs(left - gap) < abs(seen - gap)  # the condensed list "came nearer to the true gap"
    assert condensed["dense"] - true["dense"] > max(raw - true)  # "flatters most"
    assert (lowest < true).all()
    assert (true < highest).all()  # "the bounds were right"
    assert 0.45 < highest["dense"] - lowest["dense"] < 0.5  # "almost half the scale"
    assert highest["bm25"] - lowest["bm25"] > 0.45  # "those of BM25 as well"


def test_nobody_writes_about_a_pdf():
    assert not any(word in text.lower() for text in BUGHUNT.docs.values() for word in ("pdf", "导出"))
