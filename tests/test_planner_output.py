"""The planner's and the resampling machine's words and numbers where no script runs; tests/browser/ has the rest."""

import json
import math
import re

import numpy as np
import pytest
from scipy import stats

from relviz.locale import set_language
from relviz.significance import paired_bootstrap, power_of, queries_needed, unpaired_bootstrap
from relviz.widgets.planner import query_planner
from relviz.widgets.resampler import resampler

A = [0.2, 0.9, 0.5, 0.7, 1.0, 0.4]
B = [0.3, 0.9, 0.6, 0.7, 0.9, 0.6]


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    set_language("en")


def test_the_planner_says_what_thirty_queries_leave_open():
    # 179 and 114 to 323 are in chapter 000 and in its review; 714 is four times as many, before rounding.
    for form in query_planner(0.09535)._repr_mimebundle_().values():
        for words in ("179 queries", "from 114 to 323", "714", "With 30 queries, the power is 0.21"):
            assert words in form


@pytest.mark.parametrize("n", [2, 30, 179, 5000])
def test_power_is_the_normal_curve_and_turns_queries_needed_round(n):
    expected = stats.norm.cdf(0.02 * math.sqrt(n) / 0.095 - stats.norm.isf(0.025))
    assert power_of(n, 0.095, 0.02) == pytest.approx(expected, abs=1e-12)
    enough = queries_needed(0.095, 0.02, power=0.8)
    assert power_of(enough - 1, 0.095, 0.02) < 0.8 <= power_of(enough, 0.095, 0.02)


def test_the_machine_starts_from_the_intervals_of_python():
    shown = resampler(A, B, 2000, seed=3, measure="nDCG@5")
    for low, high in (paired_bootstrap(A, B, 2000, 3), unpaired_bootstrap(A, B, 2000, 3)):
        for form in (shown.html, shown.text):
            assert f"from {low:+.4f} to {high:+.4f}" in form
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', shown.html, re.S)[1])
    assert (data["a"], data["b"], data["n"]) == (A, B, 2000)


def test_arrays_are_fine_and_equal_differences_are_no_division_by_zero():
    shown = resampler(np.array(A), np.array(A) + 0.5, 100)
    assert "no width" in shown.text


def test_hostile_names_stay_text():
    shown = resampler(A, B, 100, measure="</script><img src=x>")
    assert "<img" not in shown.html
    assert shown.html.count("</script>") == 2


def test_chinese_is_chinese():
    set_language("zh")
    assert "需要 179 条查询" in query_planner(0.09535).text
    assert "宽度是配对的" in resampler(A, B, 100).text


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: query_planner(0), "sd is a finite number above 0"),
        (lambda: query_planner(0.1, power=1), "power is a probability"),
        (lambda: query_planner(0.1, queries=1), "n is a whole number of at least 2"),
        (lambda: resampler([1, 2], [1]), "one score per query"),
        (lambda: resampler([1, math.nan], [1, 2]), r"a\[1\] is nan"),
    ],
)
def test_nonsense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_count_in_the_thousands_is_written_with_commas():
    out = query_planner(0.5, queries=1200)  # (1.96 + 0.84)^2 * (0.5 / 0.02)^2 = 4905.55
    assert "4,906 queries" in out.text
    assert "But 1,200 queries leave" in out.text
    assert not re.search(r"\d{4}", re.sub(r"\d\.\d+", "", out.text))
