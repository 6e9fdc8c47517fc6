"""Pooling and agreement, against hand arithmetic and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from relviz import pool, raw_agreement, weighted_kappa

grades = st.integers(0, 4)
both = st.lists(st.tuples(grades, grades), min_size=1, max_size=40).map(lambda pairs: tuple(zip(*pairs)))


@given(both)
def test_kappa_is_scikit_learns(judges):
    a, b = judges
    if len({*a, *b}) == 1:
        assert weighted_kappa(a, b) is None
        return
    # All grades are named: scikit-learn takes the distance of their places, which is that of the grades only so.
    assert weighted_kappa(a, b) == pytest.approx(cohen_kappa_score(a, b, weights="linear", labels=range(5)), abs=1e-12)
    assert raw_agreement(a, b) == np.mean(np.equal(a, b))


@given(both)
def test_kappa_knows_no_first_and_no_second_judge(judges):
    assert weighted_kappa(*judges) == weighted_kappa(*reversed(judges))


def test_by_hand():
    # Distances 0, 1, 0, 2: their mean is 3/4. Every grade with every other: 16 distances that add up to 16.
    a, b = [2, 1, 0, 0], [2, 0, 0, 2]
    assert raw_agreement(a, b) == 1 / 2
    assert weighted_kappa(a, b) == 1 / 4
    assert weighted_kappa(a, a) == 1
    assert weighted_kappa([0, 2], [2, 0]) == -1


def test_distance_is_that_of_the_grades_not_of_their_places():
    # 3 and 1 are two apart although nobody gave a 2; as places among the grades that occur they are only one apart.
    a, b = [0, 3, 3, 1], [0, 3, 1, 1]
    assert weighted_kappa(a, b) == pytest.approx(1 - (2 / 4) / (22 / 16))
    assert cohen_kappa_score(a, b, weights="linear") == pytest.approx(1 - (1 / 4) / (14 / 16))


def test_whoever_gives_one_grade_to_everything_agrees_no_more_than_chance():
    assert weighted_kappa([0] * 97 + [1, 2, 2], [0] * 100) == 0
    assert raw_agreement([0] * 97 + [1, 2, 2], [0] * 100) == 0.97


def test_where_only_one_grade_occurs_nothing_can_be_expected():
    assert weighted_kappa([0, 0], [0, 0]) is None
    assert weighted_kappa([2, 2], [0, 0]) == 0


def test_arrays_do_as_well():
    assert weighted_kappa(np.array([2, 1, 0, 0]), np.array([2, 0, 0, 2])) == 1 / 4


@pytest.mark.parametrize("measure", [raw_agreement, weighted_kappa])
def test_unequal_or_no_grades(measure):
    with pytest.raises(ValueError, match="first judge has 2 grades, the second 1"):
        measure([0, 1], [0])
    with pytest.raises(ValueError, match="at least one pair"):
        measure([], [])


def test_a_pool_holds_the_first_k_of_each_once_and_hides_who_found_what():
    assert pool([["D3", "D1", "D7", "D2"], ["D1", "D9", "D3", "D5"]], 3) == ["D1", "D3", "D7", "D9"]
