"""What the ranking lab holds where no script runs, and what it refuses; tests/browser/ has the rest."""

import json
import re

import pytest

from relviz.locale import set_language
from relviz.widgets.lab import ranking_lab

# q18 of chapter 000 under A, with the numbers that the chapter prints for it.
RANKING = ["BUG-104", "BUG-118", "REQ-21", "BUG-131", "REQ-09"]
REL = {"BUG-118": 2, "REQ-09": 2, "EXP-05": 1}
HOSTILE = "</script><!-- <img src=x onerror=alert(1)>"


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    set_language("en")


def test_both_forms_hold_the_numbers_of_the_chapter():
    shown = ranking_lab(RANKING, REL, query="favourites")._repr_mimebundle_()
    for form in shown.values():
        for number in ("0.667", "0.400", "0.500", "0.541", "2.036", "3.762"):
            assert number in form
        assert "favourites" in form
    assert "  –  [1]  EXP-05" in shown["text/plain"]
    assert "  1  [?]  BUG-104" in shown["text/plain"]


def test_the_figure_says_what_it_shows():
    html = ranking_lab(RANKING, REL).html
    alt = re.search(r'<img src="data:image/svg\+xml,[^"]+" alt="([^"]+)"', html)[1]
    for doc in [*RANKING, "EXP-05"]:
        assert doc in alt


def test_the_second_ranking_has_its_own_numbers():
    text = ranking_lab(RANKING, REL, other=["BUG-118", "REQ-09", "BUG-104", "REQ-21", "BUG-131"]).text
    assert "Ranking B" in text
    assert "0.867" in text


def test_nothing_relevant_is_undefined_in_words():
    text = ranking_lab(["a"], {"b": 0}, k=3).text
    assert text.count("= undefined") == 2
    assert "2 are empty" in text


def test_chinese_is_chinese():
    set_language("zh")
    shown = ranking_lab(RANKING, REL)
    assert "3 篇相关文档中有 2 篇在前 5 名。" in shown.text
    assert 'lang="zh-Hans"' in shown.html


def test_hostile_text_stays_text():
    html = ranking_lab([HOSTILE], {HOSTILE: 1}, titles={HOSTILE: HOSTILE}, query=HOSTILE).html
    assert re.findall("<img [a-z]+", html) == ["<img src"]  # the figure, and no other
    assert html.count("</script>") == 2
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.S)[1])
    assert data["docs"] == [{"id": HOSTILE, "title": HOSTILE, "grade": 1}]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ranking_lab([], REL), "at least one document"),
        (lambda: ranking_lab(["a", "b", "a"], REL), "'a' stands twice in the ranking, at ranks 1 and 3"),
        (lambda: ranking_lab(["a"], REL, other=["b", "b"]), "'b' stands twice"),
        (lambda: ranking_lab("abc", REL), "list of document ids"),
        (lambda: ranking_lab(["a"], {"a": -1}), "grade of document 'a' is -1"),
        (lambda: ranking_lab(["a"], REL, 0), "k is a whole number of at least 1"),
        (lambda: ranking_lab(["a"], REL, gain="quadratic"), "'linear' or 'exponential'"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_an_output_is_small():
    docs = [f"document-{i}" for i in range(50)]
    assert len(ranking_lab(docs, dict.fromkeys(docs, 1), titles=dict.fromkeys(docs, "title " * 10)).html) < 150_000
