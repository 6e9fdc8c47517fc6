"""Lesson 03: the suspects are what they are taken for, the tools answer as the lesson says, and its words are so."""

import ast
import inspect
import math
from itertools import permutations, product

import ir_measures
import pytest
import pytrec_eval
import ranx
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score
from written import code_of, functions_in, notebook_of

import relviz
from relviz.lessons import lesson03
from relviz.lessons.suspect import INNOCENT, Suspect
from relviz.metrics import as_discount

NOTEBOOK = notebook_of("03_metric_pitfalls")
CODE = code_of(NOTEBOOK)
WRITTEN = {node.name: node for node in ast.parse("\n".join(CODE)).body if isinstance(node, ast.FunctionDef)}
SUSPECTS = {e.function.__name__: e for e in lesson03.EXERCISES if isinstance(e, Suspect)}
BUGHUNT = relviz.load_bughunt()


def measured(run, qrels, measure, **how):
    return relviz.evaluate(run, qrels, measure, **how).means["run"][measure]


@pytest.fixture(scope="module")
def written():
    return functions_in(CODE, math=math, relviz=relviz)


# ---------- the bug hunt ----------


def body(function):
    """The statements without docstring and notes for the type checker, as one text."""
    statements = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return [a.arg for a in function.args.args], [ast.unparse(s) for s in statements]


@pytest.mark.parametrize("name", SUSPECTS)
def test_the_suspect_that_is_run_is_the_one_on_the_page(name):
    run = ast.parse(inspect.getsource(SUSPECTS[name].function)).body[0]
    assert body(run) == body(WRITTEN[name])


def test_eight_suspects_and_three_are_innocent():
    assert list(SUSPECTS) == [name for name in WRITTEN if name.startswith("suspect")]
    assert [name for name, e in SUSPECTS.items() if e.answer == INNOCENT] == ["suspect2", "suspect4", "suspect8"]


docs = st.sampled_from("abcde")
rankings = st.lists(docs, unique=True, max_size=5)
judgements = st.dictionaries(docs, st.integers(0, 3), min_size=1).filter(lambda rel: any(rel.values()))
depths = st.integers(1, 6)


@given(ranking=rankings, rel=judgements, k=depths)
def test_the_innocent_keep_their_promise(ranking, rel, k):
    assert lesson03.suspect2(ranking, rel, k) == pytest.approx(relviz.recall_at_k(ranking, rel, k), abs=1e-12)
    assert lesson03.suspect4(ranking, rel, k) == pytest.approx(relviz.ndcg_at_k(ranking, rel, k), abs=1e-12)


@given(ranking=st.lists(docs, max_size=6), rel=judgements, k=depths)
def test_the_innocent_one_with_duplicates_too(ranking, rel, k):
    assert lesson03.suspect8(ranking, rel, k) == relviz.precision_at_k(relviz.unique(ranking), rel, k)


@settings(deadline=None, max_examples=50)
@given(ranking=st.lists(docs, max_size=6), rel=st.dictionaries(docs, st.integers(-1, 3)), k=st.integers(-1, 6))
def test_no_input_at_all_condemns_an_innocent(ranking, rel, k):
    for e in SUSPECTS.values():
        if e.answer == INNOCENT:
            e.solved = False
            assert repr(e.check((ranking, rel, k)))[0] == "✗"
            e.tried.clear()


@pytest.mark.parametrize(
    ("name", "exposing"),
    [
        ("suspect1", ([], {"a": 1}, 1)),
        ("suspect1", (["a", "b"], {"a": 1, "b": 1}, 5)),
        ("suspect3", (["x", "z", "a"], {"a": 2, "z": 0}, 5)),
        ("suspect5", (("b", "a"), {"a": 1, "b": 2, "c": 2}, 2)),
        ("suspect6", {"b": 1.0, "a": 2.0, "c": 1.0}),
        ("suspect6", ({"a": 0, "z": 0},)),
        ("suspect7", [0]),
        ("suspect7", (1, 11)),
    ],
)
def test_every_exposing_input_is_taken(name, exposing):
    e = SUSPECTS[name]
    reply = repr(e.check(exposing))
    assert reply[0] == "✓", reply
    e.solved = False


@pytest.mark.parametrize(
    ("name", "no_input", "said"),
    [
        ("suspect1", (["a", "a"], {"a": 1}, 2), "stands twice"),
        ("suspect1", (["a"], {"a": 1}, 0), "k is a whole number"),
        ("suspect1", (["a"], {"a": 1}), "ranking, rel, k"),
        ("suspect1", 3, "ranking, rel, k"),
        ("suspect2", (["a"], {"a": 0}, 1), "no document is relevant"),
        ("suspect3", (["a"], {"a": -1}, 1), "grades are whole numbers"),
        ("suspect5", (["a"], 5, 1), "judgements of a query"),
        ("suspect6", ["a", "b"], "got list"),
        ("suspect6", {"a": "high"}, "high"),
        ("suspect7", [], "one for each query"),
        ("suspect7", [1, -2], "at least 0"),
    ],
)
def test_what_is_no_input_is_told(name, no_input, said):
    e = SUSPECTS[name]
    reply = repr(e.check(no_input))
    assert reply[0] == "✗"
    assert said in reply
    assert not e.solved
    e.tried.clear()


def test_a_harmless_input_is_answered_with_both_numbers():
    e = SUSPECTS["suspect1"]
    assert "`0.5`, and so does the right function" in repr(e.check((["a", "x"], {"a": 1}, 2)))
    exposed = repr(e.check((["a"], {"a": 1}, 2)))
    assert "it gives `1`; right is `0.5`" in exposed.replace("`1.0`", "`1`")
    e.solved = False
    e.tried.clear()


# ---------- functions written out in the lesson ----------


@given(ranking=st.lists(docs))
def test_unique(written, ranking):
    assert written["unique"](ranking) == relviz.unique(ranking)


@given(scores=st.dictionaries(docs, st.integers(0, 2)))
def test_ranked(written, scores):
    assert written["ranked"](scores) == relviz.ranked(scores)


@given(rank=st.integers(1, 100), base=st.integers(2, 10))
def test_the_discount_with_a_base(written, rank, base):
    assert written["jarvelin_kekalainen"](rank, base) == pytest.approx(as_discount(base)(rank))
    assert rank > base or written["jarvelin_kekalainen"](rank, base) == 1  # "all up to b are free"


def test_the_colleague_is_wrong_where_something_was_missed(written):
    missed = (["A", "X", "Y"], {"A": 1, "B": 1}, 3)
    assert written["colleague_ndcg"](*missed) == 1.0
    assert relviz.ndcg_at_k(*missed) == pytest.approx(1 / (1 + 1 / math.log2(3)))  # chapter 004: 0.6131471927654584
    assert relviz.ndcg_at_k(*missed, gain="exponential") == pytest.approx(0.6131471927654584, abs=1e-15)


# ---------- what the lesson says of other tools ----------


def test_ties_in_five_tools_and_three_answers():
    tied, one = {"q": {"a": 1.0, "b": 1.0}}, {"q": {"b": 1}}
    by_id = pytrec_eval.RelevanceEvaluator(one, {"ndcg_cut.2"}).evaluate(tied)["q"]["ndcg_cut_2"]
    assert by_id == measured(tied, one, "nDCG@2") == 1
    assert ir_measures.calc_aggregate([ir_measures.nDCG @ 2], one, tied)[ir_measures.nDCG @ 2] == 1
    averaged = ndcg_score([[0, 1]], [[1, 1]], k=2)
    assert averaged == pytest.approx(measured(tied, one, "nDCG@2", ties="mean"))
    inserted = ranx.evaluate(ranx.Qrels(one), ranx.Run(tied), "ndcg@2")  # "which here is also the lower bound"
    assert inserted == pytest.approx(measured(tied, one, "nDCG@2", ties="lowest")) == pytest.approx(1 / math.log2(3))
    assert measured(tied, one, "nDCG@2", ties="highest") == 1  # "the fourth number is the upper bound"


@given(ranking=rankings, rel=judgements, k=depths)
def test_recall_and_hit_rate_are_bound_to_be_equal_only_with_one_relevant_document(ranking, rel, k):
    recall, hit = (measured({"q": ranking}, {"q": rel}, m) for m in (f"R@{k}", f"Success@{k}"))
    if sum(grade > 0 for grade in rel.values()) == 1:
        assert recall == hit
    elif 0 < recall < 1:
        assert recall < hit


def test_ids_as_numbers_are_a_silent_zero():
    measure = ir_measures.RR @ 2
    assert ir_measures.calc_aggregate([measure], {"q": {"10": 1}}, {"q": {10: 1.0}})[measure] == 0
    with pytest.raises(ValueError, match="ids are text"):
        relviz.evaluate({"q": {10: 1.0}}, {"q": {"10": 1}}, "RR@2")


def test_missing_and_empty_queries_in_other_tools():
    answered, two = {"q1": {"A": 1.0}}, {"q1": {"A": 1}, "q2": {"B": 1}}
    assert set(pytrec_eval.RelevanceEvaluator(two, {"recall.5"}).evaluate(answered)) == {"q1"}
    assert ndcg_score([[1, 0], [0, 0]], [[2, 1], [2, 1]]) == 0.5
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        ndcg_score([[1, -1]], [[2, 1]])


def test_scikit_learn_knows_only_what_it_is_given():
    assert ndcg_score([[1, 0, 0]], [[3, 2, 1]]) == 1
    assert ndcg_score([[1, 0, 0, 1]], [[3, 2, 1, 0]], k=3) == pytest.approx(
        relviz.ndcg_at_k(["A", "X", "Y"], {"A": 1, "B": 1}, 3)
    )


def test_a_level_touches_ndcg_in_ranx_and_not_in_trec_eval():
    rel, run = {"q": {"a": 1, "b": 2, "c": 3}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    with_level = pytrec_eval.RelevanceEvaluator(rel, {"ndcg_cut.3"}, relevance_level=2).evaluate(run)
    assert with_level["q"]["ndcg_cut_3"] == pytest.approx(relviz.ndcg_at_k(["a", "b", "c"], rel["q"], 3))
    assert ranx.evaluate(ranx.Qrels(rel), ranx.Run(run), "ndcg@3-l2") == pytest.approx(
        relviz.ndcg_at_k(["a", "b", "c"], rel["q"], 3, gain={1: 0, 2: 2, 3: 3})
    )


def test_trec_eval_s_parser_refuses_a_document_that_stands_twice():
    with pytest.raises(AssertionError):
        pytrec_eval.parse_run(["q Q0 a 1 2.0 x", "q Q0 a 2 1.0 x"])


def test_a_negative_grade_is_a_gain_of_0_in_trec_eval():
    run = {"q": {"spam": 2.0, "b": 1.0}}
    with_spam, without = (
        pytrec_eval.RelevanceEvaluator({"q": {"spam": grade, "b": 1}}, {"ndcg_cut.2"}).evaluate(run)
        for grade in (-1, 0)
    )
    assert with_spam == without


# ---------- what the lesson says in words ----------


def reversed_pairs(rel, k):
    """Rankings of which linear gain prefers the second and exponential gain the first."""
    rankings = list(permutations([*rel, "x", "y"], k))
    linear, exponential = (
        {r: relviz.ndcg_at_k(r, rel, k, gain=g) for r in rankings} for g in ("linear", "exponential")
    )
    return [
        (one, two)
        for one, two in product(rankings, repeat=2)
        if linear[one] < linear[two] - 1e-9 and exponential[one] > exponential[two] + 1e-9
    ]


def test_the_gain_decides_the_winner_and_no_smaller_pair_is_turned_round():
    assert (("a", "x"), ("b", "a")) in reversed_pairs({"a": 2, "b": 1}, 2)
    for grades in product(range(4), repeat=3):  # one place is too few
        assert grades == (0, 0, 0) or not reversed_pairs(dict(zip("abc", grades)), 1)
    for grade in (1, 2, 3):  # and so is one judged document
        assert not reversed_pairs({"a": grade}, 2)


def inputs(size, twice=False):
    """All (ranking, rel, k) with len(ranking) + len(rel) + k = size."""
    for judged, k in product(range(1, size), repeat=2):
        for grades in product(range(3), repeat=judged):
            rel = dict(zip("ABCD", grades))
            length, docs = size - judged - k, [*rel, "X", "Y"]
            if length >= 0 and any(grades):
                for ranking in product(docs, repeat=length) if twice else permutations(docs, length):
                    yield list(ranking), rel, k


def told_apart(wrong, right, case):
    """Both values, if the wrong code gives a number, and another one than the right code."""
    try:
        found = wrong(*case), right(*case)
    except ZeroDivisionError:
        return None
    return None if found[0] == pytest.approx(found[1]) else found


def ideal_not_cut(ranking, rel, k):
    return relviz.dcg([rel.get(doc, 0) for doc in ranking[:k]]) / relviz.dcg(sorted(rel.values(), reverse=True))


def recall_by_places(ranking, rel, k):
    return sum(rel.get(doc, 0) > 0 for doc in ranking[:k]) / sum(grade > 0 for grade in rel.values())


def recall_of_unique(ranking, rel, k):
    return relviz.recall_at_k(relviz.unique(ranking), rel, k)


@pytest.mark.parametrize(
    ("wrong", "right", "shown", "values"),
    [
        ("colleague_ndcg", relviz.ndcg_at_k, (["B"], {"A": 2, "B": 1}, 1), (1, 1 / 2)),
        (ideal_not_cut, relviz.ndcg_at_k, (["A"], {"A": 1, "B": 1}, 1), (1 / (1 + 1 / math.log2(3)), 1)),
        (lesson03.suspect1, relviz.precision_at_k, (["A"], {"A": 1}, 2), (1, 1 / 2)),
        (recall_by_places, recall_of_unique, (["A", "A"], {"A": 1, "B": 1}, 2), (1, 1 / 2)),
    ],
    ids=["ideal from what was found", "ideal not cut", "divided by what came back", "found twice"],
)
def test_no_smaller_input_shows_it(written, wrong, right, shown, values):
    wrong = written[wrong] if isinstance(wrong, str) else wrong
    assert told_apart(wrong, right, shown) == pytest.approx(values)
    ranking, rel, k = shown
    twice = len(set(ranking)) < len(ranking)
    for size in range(2, len(ranking) + len(rel) + k):
        for case in inputs(size, twice):
            found = told_apart(wrong, right, case)
            assert not found or found[0] > 1, case  # above 1 somebody notices


def test_the_smallest_case_of_three_names():
    """Recall, capped recall and hit rate are three numbers: three relevant documents and two places are needed."""
    three = [
        (relevant, k, found)
        for relevant, k in product(range(1, 6), repeat=2)
        for found in range(min(relevant, k) + 1)
        if len({found / relevant, found / min(k, relevant), float(found > 0)}) == 3
    ]
    assert min(three) == (3, 2, 1)
    assert min(k for _, k, _ in three) == 2


def test_sentences_that_sound_right():
    assert round(1 - 0.95**10, 2) == 0.4
    top = relviz.fusion.rrf([["a", "b"], ["a", "c"]], 60)[0]
    assert top == ("a", pytest.approx(2 / 61))
    for order in permutations(["A", "B", "X"]):
        assert relviz.recall_at_k(order, {"A": 1, "C": 1}, 3) == 1 / 2  # reranking the first k leaves recall@k


def test_q18_and_q26_are_as_the_lesson_says():
    assert sorted(BUGHUNT.qrels["q18"].values()) == [1, 2, 2]
    assert BUGHUNT.qrels["q18"] == lesson03.Q18
    assert BUGHUNT.qrels["q26"] == {"BUG-113": 2}
    assert {"BUG-103", "REQ-11", "EXP-01", "BUG-101", "BUG-124", "BUG-104"} <= set(BUGHUNT.docs)
    assert [lesson03.Q18.get(doc, 0) for doc in lesson03.A] == [0, 2, 0, 0, 2]


def test_numbers_said_in_words():
    missing = {
        (m, e): measured({"q1": ["X", "A"], "q3": ["C"]}, JUDGED, "nDCG@5", missing=m, empty=e)
        for m in ("left_out", "zero")
        for e in ("undefined", "zero")
    }
    assert len({round(value, 6) for value in missing.values()}) == 3  # "three different numbers"
    ndcg = relviz.ndcg_at_k(["x", "y", "z", "a"], {"a": 1}, 5)
    assert relviz.reciprocal_rank(["x", "y", "z", "a"], {"a": 1}) == 0.25  # "RR falls to a quarter"
    assert ndcg < 0.5  # "nDCG to less than half"
    assert (9 * 1 + 0) / 10 == 0.9  # "nine queries at rank 1 and one complete failure"
    grades = [2, 2, 1, 1, 0]
    orders = [relviz.dcg(order) / relviz.dcg(grades) for order in permutations(grades)]
    assert min(orders) > 0.6  # "the worst of all orders"
    assert 0.8 < sum(orders) / len(orders) < 0.9


JUDGED = {"q1": {"A": 1}, "q2": {"B": 1}, "q3": {"C": 0}}


def test_natural_logarithm_changes_dcg_and_not_ndcg():
    rel, ranking = {"a": 2, "b": 1}, ["b", "x", "a"]
    natural = {"discount": lambda rank: math.log(rank + 1)}
    assert relviz.ndcg_at_k(ranking, rel, 3, **natural) == pytest.approx(relviz.ndcg_at_k(ranking, rel, 3))
    assert relviz.dcg([1, 0, 2], **natural) / relviz.dcg([1, 0, 2]) == pytest.approx(1 / math.log(2))


def test_exercises_against_evaluate():
    tied = {"q": dict.fromkeys("wxyz", 1.0)}
    by_key = {e.key: e for e in lesson03.EXERCISES}
    assert by_key["03.3"].answer == pytest.approx(measured(tied, {"q": {"z": 1}}, "RR", ties="mean"))
    rel = {f"d{i}": 1 for i in range(8)}
    run = {"q": ["d0", "d1", "x", "y", "d2"]}
    assert by_key["03.1"].answer == pytest.approx(
        [measured(run, {"q": rel}, m) for m in ("R@5", "R_cap@5", "Success@5")]
    )
    assert by_key["03.2"].answer == pytest.approx((2 + 2 / math.log2(5)) / (2 + 2 + 1 / math.log2(3)))
    assert by_key["03.4"].answer == pytest.approx([0.7, 0.63])
