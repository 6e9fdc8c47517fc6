"""Reciprocal Rank Fusion against chapter 004, arithmetic on paper and ranx."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranx import Run, fuse

from relviz import rrf

lists = st.lists(st.lists(st.sampled_from("ABCDEFGH"), unique=True, min_size=1, max_size=8), min_size=2, max_size=4)


def test_chapter_004_figure():
    fused = rrf([["A", "B", "C"], ["B", "C", "A"]])
    assert [(doc, f"{score:.6f}") for doc, score in fused] == [("B", "0.032522"), ("A", "0.032266"), ("C", "0.032002")]


def test_chapter_004_self_check_and_printed_results():
    assert rrf([["A", "A"], ["B"]], 0) == [("A", 1.0), ("B", 1.0)]
    assert rrf([["A", "B", "C"], ["B", "D", "A"]]) == [
        ("B", 0.03252247488101534),
        ("A", 0.032266458495966696),
        ("D", 0.016129032258064516),
        ("C", 0.015873015873015872),
    ]


def test_ranks_start_at_one():
    # With ranks from 0, A (0.5) would beat B (0.45): the order itself would be wrong.
    fused = dict(rrf([["A", "x", "B"], ["y", "z", "w", "B"]], 2))
    assert fused["A"] == float(Fraction(1, 3))
    assert fused["B"] == pytest.approx(float(Fraction(1, 5) + Fraction(1, 6)))
    assert max(fused, key=fused.get) == "B"


def test_weights():
    assert dict(rrf([["A"], ["B"]], 60, weights=[1, 0])) == {"A": 1 / 61, "B": 0}
    assert rrf([["A", "B"], ["B", "A"]], 1, weights=[2, 1])[0] == ("A", 2 / 2 + 1 / 3)
    with pytest.raises(ValueError, match="the number of rankings is 2, of weights 1"):
        rrf([["A"], ["B"]], weights=[1])


def test_equal_sums_are_ordered_by_document_id():
    assert [doc for doc, _ in rrf([["B"], ["A"]])] == ["A", "B"]


def test_nothing_to_fuse():
    assert rrf([]) == []
    assert rrf([[], ["A"]]) == [("A", 1 / 61)]


@pytest.mark.parametrize("bad", [-1, math.nan, math.inf, True, "60", None])
def test_bad_numbers_are_named(bad):
    with pytest.raises(ValueError, match="constant k is a finite number of at least 0"):
        rrf([["A"]], bad)
    with pytest.raises(ValueError, match="weight 2 is a finite number of at least 0"):
        rrf([["A"], ["B"]], weights=[1, bad])


def test_weights_that_could_add_up_to_more_than_a_float_holds():
    assert rrf([["A"], ["A"]], 0, weights=[1e300, 1e300]) == [("A", 2e300)]
    with pytest.raises(ValueError, match=r"weight 2 is at most 1e\+300, got 1e\+308"):
        rrf([["A"], ["A"]], 0, weights=[1, 1e308])


def test_a_text_is_no_ranking():
    with pytest.raises(ValueError, match=r"ranking 2 is the text 'ABC'"):
        rrf([["A"], "ABC"])


@given(lists, st.integers(0, 100))
def test_equal_to_ranx(rankings, k):
    # Named difference: ranx knows no duplicates, no empty ranking, no weights and no rule for equal sums.
    runs = [Run({"q": {doc: -float(rank) for rank, doc in enumerate(ranking)}}) for ranking in rankings]
    theirs = fuse(runs=runs, norm=None, method="rrf", params={"k": k}).to_dict()["q"]
    assert dict(rrf(rankings, k)) == pytest.approx(theirs, rel=1e-12)


@given(lists, st.randoms())
def test_the_order_of_the_lists_does_not_matter(rankings, random):
    shuffled = random.sample(rankings, len(rankings))
    assert dict(rrf(shuffled)) == pytest.approx(dict(rrf(rankings)))


def test_rankings_that_are_not_in_one_list():
    with pytest.raises(ValueError, match=r"in one list, as in rrf\(\[a, b\]\).*got k=\['b'\]"):
        rrf(["a", "b"], ["b"])
