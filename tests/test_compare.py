"""compare(): hand arithmetic, the chapter's functions on BugHunt, and reports that claim and execute nothing more."""

import dataclasses
import json
import math
import re
import sys
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import relviz
from relviz import Index, compare, evaluate, load_bughunt, report, set_language, write_run
from relviz.compare import _strata
from relviz.difference import Luck
from relviz.draw.intervals import Interval, intervals, profile
from relviz.terminal import aligned, cut, wide
from relviz.unjudged import first

HOSTILE = '</style><script>alert(1)</script><img src=x onerror=alert(1)>|`@you #1 \x1b[31m{0}"'


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    set_language("en")


def ranks(*places, hostile=""):
    """A run in which query i has its one relevant document at places[i]."""
    run = {}
    for i, place in enumerate(places):
        docs = [f"x{j}{hostile}" for j in range(1, 5)]
        docs.insert(place - 1, f"rel{i}{hostile}")
        run[f"q{i:03}"] = docs
    return run


def qrels_for(n, hostile=""):
    return {f"q{i:03}": {f"rel{i}{hostile}": 1, "x1": 0, "other": 0} for i in range(n)}


def test_four_queries_on_paper():
    """RR goes 1/2 to 1, 1/4 to 1/2, 1 to 1/2 and stays: differences +0.5, +0.25, -0.5, 0."""
    found = compare(ranks(2, 4, 1, 3), ranks(1, 2, 2, 3), qrels_for(4), "RR@10")
    d = found.of()
    assert (d.run, d.measure, d.n, d.wins, d.losses, d.ties) == ("B", "RR@10", 4, 2, 1, 1)
    assert d.a == pytest.approx((1 / 2 + 1 / 4 + 1 + 1 / 3) / 4)
    assert d.b == pytest.approx((1 + 1 / 2 + 1 / 2 + 1 / 3) / 4)
    assert d.mean == pytest.approx(0.0625)
    # Of the eight flips of (0.5, 0.25, 0.5) all sums but none reach |0.25|: 1.25, 0.75, 0.25, 0.25 and their negatives.
    assert (d.p, d.exact) == (1, True)
    assert d.sd == pytest.approx(stats.tstd([0.5, 0.25, -0.5, 0]))
    assert d.effect == pytest.approx(d.mean / d.sd)
    assert -0.5 <= d.low < 0 < d.high <= 0.5
    assert d.verdict == "not_shown"
    assert found.per_query() == pytest.approx({"q000": 0.5, "q001": 0.25, "q002": -0.5, "q003": 0})


def test_bughunt_is_what_the_chapters_functions_say():
    data = load_bughunt()
    index = Index(data.docs)
    runs = [{q: rank(t) for q, t in data.queries.items()} for rank in (index.tfidf, index.bm25)]
    measures = {
        "nDCG@5": lambda r, rel: relviz.ndcg_at_k(r, rel, 5),
        "R@5": lambda r, rel: relviz.recall_at_k(r, rel, 5),
        "P@5": lambda r, rel: relviz.precision_at_k(r, rel, 5),
        "RR@10": lambda r, rel: relviz.reciprocal_rank(r, rel, 10),
    }
    found = compare(*runs, data.qrels, measures, names=("TF-IDF", "BM25"))
    for name, measure in measures.items():
        a, b = (np.array([measure(run[q], data.qrels[q]) for q in data.queries]) for run in runs)
        d = found.of("BM25", name)
        assert (d.a, d.b) == pytest.approx((a.mean(), b.mean()))
        assert (d.low, d.high) == pytest.approx(relviz.paired_bootstrap(a, b), abs=1e-12)
        assert d.p == pytest.approx(relviz.exact_randomization_test(a, b))
        assert d.effect == pytest.approx(relviz.effect_size(a, b)) or (a == b).all()
        if d.needed:
            sd = (b - a).std(ddof=1)
            ends = [relviz.queries_needed(s, 0.02) for s in (sd, *relviz.sd_interval(sd, 30))]
            assert list(d.needed[0.02]) == ends
    # What chapter 000 prints, but for p, which is exact here.
    lines = [line.split() for line in str(found).splitlines() if line.startswith(tuple(measures))]
    assert [" ".join(line[1:6]) for line in lines[:4]] == [
        "0.871 0.890 +0.018 [-0.012, +0.055]",
        "0.844 0.828 -0.017 [-0.042, +0.000]",
        "0.433 0.420 -0.013 [-0.033, +0.000]",
        "0.950 1.000 +0.050 [+0.000, +0.117]",
    ]
    assert list(found.of().needed) == [0.02, 0.05]
    assert [n for n, _, _ in found.of().needed.values()] == [179, 29]
    assert found.movers["BM25"][0].query == "q18"
    assert found.only_relevant
    assert "cannot be told" in str(found)


def test_corrections_are_those_of_significance():
    rng = np.random.default_rng(0)
    a = ranks(*rng.integers(1, 6, 60))
    others = {f"run{i}": ranks(*rng.integers(1, 6, 60)) for i in range(3)}
    found = compare(a, others, qrels_for(60), ["RR", "nDCG@2"])
    assert [(d.run, d.measure) for d in found.differences] == [(r, m) for r in others for m in ("RR", "nDCG@2")]
    assert [d.p_holm for d in found.differences] == relviz.holm([d.p for d in found.differences])
    d = [list(found.per_query(d.run, d.measure).values()) for d in found.differences]
    by_flips = relviz.max_t(np.zeros_like(d), d)
    assert [x.p_max_t for x in found.differences] == [max(x.p, p) for x, p in zip(found.differences, by_flips)]
    assert [x.p_corrected for x in found.differences] == [x.p_max_t for x in found.differences]
    plain = compare(a, others, qrels_for(60), ["RR", "nDCG@2"], correction="none")
    assert [x.p_corrected for x in plain.differences] == [x.p for x in plain.differences]
    assert found.baseline == "baseline"
    assert "corrected over 6 differences" in str(found)
    assert "not corrected, though there are 6" in str(plain)


WORST, BEST = [4] * 30, [1] * 30
VERDICTS = {
    "higher": (WORST, BEST, "Shown: B is better than A"),
    "lower": (BEST, WORST, "Shown: B is worse than A"),
    "same": (WORST, WORST, "score the same on every query (30)"),
    "not_shown": ([1, 2] * 15, [2, 1] * 15, "That is not the same as no difference"),
    # Four queries up, none down: the interval leaves out 0, but p is 2 / 2**4 = 0.125.
    "edge": ([2] * 4 + [1] * 2, [1] * 6, "On the edge, so not shown"),
}


@pytest.mark.parametrize("kind", VERDICTS)
def test_the_verdict_says_no_more_than_the_data(kind):
    a, b, words = VERDICTS[kind]
    found = compare(ranks(*a), ranks(*b), qrels_for(len(a)), "RR@10")
    assert found.of().verdict == kind
    for form in (str(found), found.to_markdown().replace("@<!-- -->", "@"), found.to_json(), found._repr_html_()):
        assert words in form
        if kind not in ("higher", "lower"):
            assert "better than" not in form
            assert "worse than" not in form


def test_a_correction_can_take_a_verdict_back():
    """Six queries up, none down: p = 2 / 2**6 = 0.031, and 0.062 among two unlike it by Holm."""
    a, b = ranks(*[2] * 6, 1, 1), ranks(*[1] * 6, 1, 1)
    assert compare(a, b, qrels_for(8), "RR@10").of().verdict == "higher"
    both = compare(a, {"up": b, "none": a}, qrels_for(8), "RR@10", correction="holm")
    assert both.of("up").p_corrected == 4 / 2**6
    assert both.of("up").verdict == "edge"
    assert "corrected p = 0.062" in str(both) or "corrected p = 0.063" in str(both)


def test_the_queries_that_moved_most_with_their_documents():
    qrels = {"q": {"d1": 2, "d2": 1, "gone": 1, "deep": 0}, "same": {"d": 1}}
    a = {"q": ["x", "d1", "gone", "d2"], "same": ["d"]}
    b = {"q": {"d1": 9.0, "y": 8.0, "d2": 7.0, "x": 1.0}, "same": {"d": 1.0}}
    (mover,) = compare(a, b, qrels, "nDCG@3", queries={"q": "why?"}).movers["B"]
    assert (mover.query, mover.text) == ("q", "why?")
    assert [(p.doc, p.grade, p.rank_a, p.rank_b) for p in mover.top_a] == [
        ("x", None, 1, 4),
        ("d1", 2, 2, 1),
        ("gone", 1, 3, None),
    ]
    assert [p.doc for p in mover.top_b] == ["d1", "y", "d2"]
    assert [(p.doc, p.rank_a, p.rank_b) for p in mover.moved] == [("d1", 2, 1), ("gone", 3, None), ("d2", 4, 3)]
    assert mover.b - mover.a == pytest.approx(
        relviz.ndcg_at_k(["d1", "y", "d2"], qrels["q"], 3) - relviz.ndcg_at_k(a["q"], qrels["q"], 3)
    )


def test_movers_stand_in_the_order_of_their_way():
    found = compare(ranks(1, 2, 3, 1), ranks(1, 1, 1, 2), qrels_for(4), "RR@10", movers=2)
    assert [m.query for m in found.movers["B"]] == ["q002", "q001"]
    assert compare(ranks(1), ranks(2), qrels_for(1), "RR@10", movers=0).movers["B"] == []


def test_judged_shares_that_differ_are_a_warning():
    a, b = {"q": ["r", "j", "x"]}, {"q": ["r", "y", "z"]}
    found = compare(a, b, {"q": {"r": 1, "j": 0}}, "RR@3")
    assert found.judged == pytest.approx({"A": 2 / 3, "B": 1 / 3})
    assert "A has 66.7% judged and B only 33.3%" in str(found)
    assert "Careful" not in str(compare(a, a, {"q": {"r": 1, "j": 0}}, "RR@3"))


def test_kinds_of_queries():
    strata = {"q000": "up", "q001": "up", "q002": "down"}
    found = compare(ranks(2, 2, 1, 1), ranks(1, 1, 2, 1), qrels_for(4), "RR@10", strata=strata)
    rows = {s.name: s for s in found.strata}
    assert {name: (s.n, s.mean) for name, s in rows.items()} == {"up": (2, 0.5), "down": (1, -0.5)}
    assert (rows["up"].p, rows["up"].p_holm) == (0.5, 1)
    assert (rows["up"].low, rows["up"].high) == (0.5, 0.5)
    assert "Queries without a kind, in no row: 1." in str(found)
    assert "Queries without a kind, in no row: 1." in found._repr_html_()


def test_undefined_and_missing_queries_stay_out_of_both_sides():
    qrels = qrels_for(4) | {"empty": {"x1": 0}}
    a, b = ranks(1, 2, 2, 2), ranks(1, 1, 1)
    assert compare(a, b, qrels, "RR@10").of().n == 4  # the query that B does not answer counts 0
    left = compare(a, b, qrels, "RR@10", missing="left_out")
    assert left.of().n == 3
    assert left.of().a == pytest.approx(2 / 3)
    assert json.loads(left.to_json())["scores"]["A"]["RR@10"]["empty"] is None
    with pytest.raises(ValueError, match="no judged query has a relevant document for RR@10"):
        compare(ranks(1), ranks(1), {"q000": {"x1": 0}}, "RR@10")
    a, b = {"q000": {"rel0": 1.0}}, {"q001": {"rel1": 1.0}}
    with pytest.raises(ValueError, match="no query has a score for RR@10 under both"):
        compare(a, b, {"q000": {"rel0": 1}, "q001": {"rel1": 1}}, "RR@10", missing="left_out")


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("RR@10 > 0", "all"),
        ("RR@10 < 0", "none"),
        ("RR@10 >= 0.75", "all"),  # every query goes from 1/4 to 1
        ("RR@10 > 0.75", "none"),
        ("RR@10<=0.75", "all"),
        ("nDCG@10 < 1e-3", "none"),
    ],
)
def test_a_gate_is_judged_on_the_whole_interval(condition, holds):
    found = compare(ranks(*WORST), ranks(*BEST), qrels_for(30), ["RR@10", "nDCG@10"])
    assert [gate.holds for gate in found.gate(condition)] == [holds]


def test_a_gate_that_the_data_cannot_tell():
    found = compare(ranks(*[1, 2] * 15), ranks(*[2, 1] * 15), qrels_for(30), "RR@10")
    assert found.of().low < -0.05 < found.of().high
    assert found.gate("RR@10 < -0.05")[0].holds == found.gate("RR@10 > -0.05")[0].holds == "part"


@pytest.mark.parametrize("bad", ["nDCG@10", "nDCG@10 < x", "< 3", "nDCG@10 < nan", "", "nDCG@10 = 3"])
def test_bad_conditions(bad):
    found = compare(ranks(1), ranks(2), qrels_for(1), "RR@10")
    with pytest.raises(ValueError, match="measure"):
        found.gate(bad)


def test_names_files_and_frames(tmp_path):
    a, b = ranks(1, 2), ranks(2, 1)
    for name, run in {"old.run": a, "new.v2.run": b}.items():
        write_run(run, tmp_path / name)
    rows = [(q, d, 5 - i) for q, docs in b.items() for i, d in enumerate(docs)]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    found = compare(tmp_path / "old.run", tmp_path / "new.v2.run", qrels_for(2), "RR@10")
    assert (found.baseline, found.runs) == ("old", ["new"])
    assert compare(a, frame, qrels_for(2), "RR@10").of().mean == found.of().mean
    assert compare(a, [("x", b), ("y", frame)], qrels_for(2), "RR@10").runs == ["x", "y"]
    assert compare(a, {"x": b}, qrels_for(2), "RR@10").runs == ["x"]
    with pytest.raises(ValueError, match="the baseline is one run"):
        compare({"x": a, "y": b}, a, qrels_for(2), "RR@10")
    with pytest.raises(ValueError, match="two runs are called 'x'"):
        compare(a, [("x", b), ("x", b)], qrels_for(2), "RR@10")
    with pytest.raises(ValueError, match="no run to compare"):
        compare(a, [], qrels_for(2), "RR@10")
    with pytest.raises(ValueError, match="correction is one of"):
        compare(a, b, qrels_for(2), "RR@10", correction="bonferroni")
    with pytest.raises(ValueError, match="no difference of 'C' by 'RR@10'; runs: B"):
        compare(a, b, qrels_for(2), "RR@10").of("C")


def test_the_order_of_dicts_changes_nothing():
    rng = np.random.default_rng(1)
    a, b, qrels = ranks(*rng.integers(1, 6, 40)), ranks(*rng.integers(1, 6, 40)), qrels_for(40)
    turned = [dict(reversed(list(x.items()))) for x in (a, b, qrels)]
    assert compare(a, b, qrels).to_json() == compare(*turned).to_json()


# ---------- what is shown ----------


class Elements(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def hostile():
    runs = [ranks(1, 3, 2, hostile=HOSTILE), ranks(2, 1, 1, hostile=HOSTILE)]
    texts = dict.fromkeys(("q000", "q001", "q002"), HOSTILE)
    strata = {"q000": HOSTILE}
    qrels = qrels_for(3, HOSTILE)
    return compare(*runs, qrels, "RR@10", names=(HOSTILE, "B" + HOSTILE), queries=texts, strata=strata).gated(
        "RR@10 < 0"
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_hostile_id_is_text_on_the_page(hostile, language, tmp_path):
    set_language(language)
    hostile.to_html(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    found = Elements(page)
    assert {tag for tag, _ in found.tags}.isdisjoint({"script", "link", "iframe", "object", "base", "form", "a"})
    for tag, attributes in found.tags:
        assert not any(name.startswith("on") for name in attributes)
        assert tag != "img" or attributes["src"].startswith("data:image/svg+xml,")
        assert tag != "img" or attributes["alt"]
    assert "rel0" + HOSTILE.replace("\x1b", "\ufffd") in found.text
    assert not re.search(r"url\(|@import|http(?!://www.w3.org/2000/svg')", page.replace("http-equiv", ""))
    assert page.count("<html") == page.count("</html>") == 1


def test_a_hostile_id_is_text_in_markdown_and_in_the_terminal(hostile):
    markdown, text = hostile.to_markdown(), str(hostile)
    assert "\x1b" not in markdown + text
    assert "<img" not in markdown
    assert "<script" not in markdown
    assert "@you" not in markdown
    assert "`" not in markdown
    columns = {line.count("|") for line in markdown.splitlines() if line.startswith("|")}
    assert columns == {10, 8, 6}  # the bars of an id made no column
    assert json.loads(hostile.to_json())["baseline"] == HOSTILE


def test_markup_from_anywhere_is_text_everywhere():
    """Short names are shown as they stand, and so are the queries that the notes name; with two runs and kinds."""
    here = [f"<x-q{i}" for i in range(8)]
    qrels = {query: {"<x-rel": 1, "<x-no": 0} for query in here} | {"<x-empty": {"<x-rel": 0}}
    order = {True: ["<x-rel", "<x-no", "<x-new"], False: ["<x-new", "<x-no", "<x-rel"]}
    a, b, c = ({query: order[i % 3 != kind] for i, query in enumerate(qrels)} for kind in range(3))
    del b["<x-q0"]
    c |= {"<x-extra": ["<x-rel"], "<x-q1": ["<x-new"]}
    kinds = {query: "<x-odd" if i % 2 else "<x-even" for i, query in enumerate(here)} | {"<x-gone": "<x-nothing"}
    for others in ({"<x-b": b}, {"<x-b": b, "<x-c": c}):
        found = compare(
            {"<x-a": a}, others, qrels, "RR@10", strata=kinds, queries=dict.fromkeys(here, "<x-text"), names=["<x-a"]
        )
        page, markdown = found._repr_mimebundle_()["text/html"], found.to_markdown()
        for form in (page, markdown, evaluate({"<x-a": a, **others}, qrels, "RR@10")._repr_html_()):
            assert "<x-" not in form
        seen = Elements(page).text
        for name in ("a", "b", "q0", "empty", "rel", "no", "new", "odd", "even", "nothing", "text"):
            assert f"<x-{name}" in seen, name
            assert f"&lt;x-{name}" in markdown or name in ("no", "new"), name


def test_another_name_is_no_other_measure():
    a, b = ranks(1, 3, 2, 4), ranks(2, 1, 1, 1)
    found = compare(a, b, qrels_for(4), ["RR@10", "MRR@10", "nDCG@10", "NDCG@10"], correction="holm", guards="MRR@10")
    assert (found.measures, found.guards) == (["RR@10", "nDCG@10"], [])
    assert found.of().p_holm == compare(a, b, qrels_for(4), ["RR@10", "nDCG@10"], correction="holm").of().p_holm


def test_judged_shares_are_of_the_queries_that_count():
    """In 20 queries a third of B's first three is judged; in 200 with nothing to find, all of it: they do not count."""
    a, b = {}, {}
    qrels = {f"q{i:03}": {"r": 1, "z": 0} for i in range(20)} | {f"e{i:03}": {"z": 0, "y": 0} for i in range(200)}
    for query, rel in qrels.items():
        a[query] = ["r", "z"] if "r" in rel else ["z", "y"]
        b[query] = ["u", "r", "v"] if "r" in rel else ["y", "z"]
    found = compare(a, b, qrels, "RR@3")
    assert found.judged == pytest.approx({"A": 1, "B": 1 / 3})
    assert any("Careful" in line for line in report.warnings(found))


def test_the_rankings_of_movers_are_as_deep_as_the_measure_and_not_endless():
    docs = [f"d{i:03}" for i in range(300)]
    a, b, qrels = {"q": docs}, {"q": docs[::-1]}, {"q": {"d000": 1, "x": 0}}
    for measure, depth, shown in (("RR@5", None, 5), ("R@200", None, 20), ("RR", None, 10), ("R@200", 150, 150)):
        (mover,) = compare(a, b, qrels, measure, depth=depth).movers["B"]
        assert (len(mover.top_a), len(mover.top_b)) == (shown, shown)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"movers": -1}, "movers is a whole number of at least 0"),
        ({"movers": "3"}, "movers is a whole number"),
        ({"depth": 1.5}, "depth is a whole number of at least 1"),
        ({"worth": 0.02}, "worth"),
        ({"worth": [0.02, 0]}, "worth"),
        ({"names": ["x", "y", "z"]}, "the number of runs is 2, of names 3"),
        ({"names": []}, "the number of runs is 2, of names 0"),
        ({"strata": ["kind"]}, "strata is a dict"),
        ({"strata": {"q000": None}}, "strata is .* for query 'q000' it holds None"),
        ({"strata": {"q000": ["kind"]}}, "for query 'q000' it holds"),
        ({"queries": [1]}, "queries is a dict"),
        ({"queries": {"q000": float("nan")}}, "for query 'q000' it holds nan"),
    ],
)
def test_what_is_no_option_is_said_in_one_sentence(options, words):
    with pytest.raises(ValueError, match=words):
        compare(ranks(1, 2), ranks(2, 1), qrels_for(2), "RR@10", **options)


def test_kinds_and_texts_come_from_a_series_too():
    a, b, kinds = ranks(1, 3, 2), ranks(2, 1, 1), {"q000": 1, "q001": "1", "q002": 2}
    of_dict = compare(a, b, qrels_for(3), "RR@10", strata=kinds, queries={"q000": "one"})
    of_series = compare(a, b, qrels_for(3), "RR@10", strata=pd.Series(kinds), queries=pd.Series({"q000": "one"}))
    assert [(row.name, row.n) for row in of_dict.strata] == [("1", 2), ("2", 1)]
    assert of_dict.strata == of_series.strata
    assert of_dict.texts == of_series.texts


def test_every_form_has_the_same_numbers():
    found = compare(ranks(2, 4, 1, 3), ranks(1, 2, 2, 3), qrels_for(4), "RR@10", names=("old", "new"))
    d = found.of()
    numbers = [f"{d.a:.3f}", f"{d.b:.3f}", "+0.062", f"[{d.low:+.3f}, {d.high:+.3f}]", "2/1/1", "1.000 exact"]
    bundle = found._repr_mimebundle_()
    assert bundle["text/plain"] == str(found) == repr(found)
    for form in (str(found), Elements(bundle["text/html"]).text, found.to_markdown().replace("&#91;", "[")):
        for number in numbers:
            assert number in form.replace("&#93;", "]")
    data = json.loads(found.to_json())
    assert data["differences"][0]["mean"] == d.mean
    assert data["differences"][0]["needed"]["0.02"] == list(d.needed[0.02])
    assert data["scores"]["old"]["RR@10"]["q001"] == 0.25
    assert data["conventions"]["missing"] == "zero"


def test_columns_stand_under_each_other_in_chinese_too():
    rows = aligned([["指标", "p"], ["nDCG@5", "0.5"]])
    assert rows == ["指标      p", "nDCG@5  0.5"]


def test_a_language_chosen_later_is_the_language_shown():
    found = compare(ranks(*[1, 2] * 6), ranks(*[2, 1] * 6), qrels_for(12), "RR@10")
    english = str(found)
    set_language("zh")
    assert "这不等于没有差异" in str(found)
    assert not re.search(r"[a-z]{4,} [a-z]{4,} [a-z]{4,}", str(found).split("\n\n")[-1])
    set_language("en")
    assert str(found) == english


def test_the_figure_of_thousands_of_queries_stays_small():
    values = np.random.default_rng(0).normal(size=20_000).tolist()
    figure = profile(values, "many")
    assert len(figure.svg) < 60_000
    up = sum(v > 0 for v in values)
    assert f"higher: {up}" in figure.alt
    assert f"from {min(values):+.3f} to {max(values):+.3f}" in figure.alt


def test_two_hundred_thousand_queries():
    names = [f"q{i}" for i in range(200_000)]
    a = {query: ["x", "y"] for query in names}
    b = {query: ["x", "y"] if i % 4 else ["y", "x"] for i, query in enumerate(names)}
    qrels = {query: {"xy"[i % 2 == 0]: 1} for i, query in enumerate(names)}  # y is relevant to q0, q2, q4, ...
    found = compare(a, b, qrels, "RR@10", n_boot=100, n_perm=100)
    d = found.of()
    assert (d.mean, d.wins, d.losses, d.ties, d.verdict) == (0.125, 50_000, 0, 150_000, "higher")
    assert "200000 queries" in str(found)


def test_the_figure_of_intervals_says_its_numbers():
    rows = [Interval("nDCG@5", 0.018, -0.012, 0.055, False), Interval(HOSTILE, -0.2, -0.3, -0.1, True)]
    figure = intervals(rows, "t")
    assert "nDCG@5 +0.018 [-0.012, +0.055] (not shown)" in figure.alt
    assert figure.alt.count("(shown)") == 1
    assert "<script" not in figure.svg
    xs = [float(x) for x in re.findall(r'cx="([\d.]+)"', figure.svg)]
    zero = float(re.search(r'd="M([\d.]+) ', figure.svg).group(1))
    assert xs[1] < zero < xs[0]
    assert math.isclose((zero - xs[1]) / (xs[0] - zero), 0.2 / 0.018, rel_tol=0.05)
    assert intervals([Interval("same", 0, 0, 0, False)], "t").alt


# ---------- a verdict on nothing, or on too little ----------


@pytest.mark.parametrize(("trec", "qrels"), [(False, {"q000": {"elsewhere": 1}}), (True, {"q000": {"x1": 0}})])
def test_nothing_measured_is_no_draw(trec, qrels):
    with pytest.raises(ValueError, match="nothing to compare"):
        compare(ranks(1), ranks(2), qrels, "RR@10", trec=trec)
    with pytest.raises(ValueError, match="nothing to compare"):
        compare(ranks(1), ranks(2), {"other": {"rel0": 1}}, "RR@10")


@pytest.mark.parametrize(
    ("write", "words", "chinese"),
    [
        # The whole run by other ids: of its queries, or of its documents.
        (lambda q, d: (f"X-{q}", d), "would meet but for a prefix: 30; 'X-q000' in the run is 'q000'", "只差在前缀"),
        (lambda q, d: (q, f"docs/{d}"), "would meet but for a prefix: ", "只差在前缀"),
        (lambda q, d: (q, f"doc{d}"), "the run has 'docx1', and the qrels have 'rel0'", "run 里是 'docx1'"),
        (lambda q, d: (f"X{q}", d), "it has 'Xq000', for example, and the qrels have 'q000'", "qrels 里是 'q000'"),
    ],
)
def test_a_run_that_meets_no_judgement_is_refused_and_told_from_the_others(write, words, chinese):
    """It would score 0 everywhere, and the other run would be shown to be better by a mistake in the ids."""
    met, lost = ranks(*[2] * 30), {}
    for query, docs in met.items():
        for doc in docs:
            other, written = write(query, doc)
            lost.setdefault(other, []).append(written)
    for tongue, said in (("en", words), ("zh", chinese)):
        set_language(tongue)
        for runs in ((met, lost), (lost, met)):
            with pytest.raises(ValueError, match=re.escape(said)) as refused:
                compare(*runs, qrels_for(30), "RR@10", names=["met", "lost"] if runs[0] is met else ["lost", "met"])
            assert "'lost'" in str(refused.value)
            assert "'met'" not in str(refused.value)
    set_language("en")
    with pytest.raises(ValueError, match=r"no document of 'B' is judged for the query that it was retrieved for\.$"):
        compare(met, {query: [] for query in met}, qrels_for(30), "RR@10")


def test_a_gate_needs_queries_enough_for_a_small_p():
    """Five queries up cannot bring p below 2 / 2**5 = 0.062, six bring it to 0.031; both intervals are points."""
    for n, up, same in [(1, "part", "part"), (5, "part", "part"), (6, "all", "all")]:
        found = compare(ranks(*[2] * n), ranks(*[1] * n), qrels_for(n), "RR@10")
        assert [found.gate(f"RR@10 {sign} 0.05")[0].holds for sign in "><"] == [up, "none" if up == "all" else "part"]
        assert compare(ranks(*[2] * n), ranks(*[2] * n), qrels_for(n), "RR@10").gate("RR@10 > -1")[0].holds == same


def test_a_gate_claims_no_difference_that_the_verdict_does_not():
    """Four of thirty queries up: the interval leaves out 0 (its low end is 1 query), and p is 2 / 2**4 = 0.125."""
    found = compare(ranks(*[4] * 4, *[1] * 26), ranks(*[1] * 30), qrels_for(30), "RR@10")
    assert (found.of().verdict, found.of().low > 0.001) == ("edge", True)
    assert found.gate("RR@10 > 0.001")[0].holds == found.gate("RR@10 < 0.001")[0].holds == "part"
    assert found.gate("RR@10 > -0.001")[0].holds == "all"  # 0 satisfies it: no difference is claimed


def test_a_gate_is_judged_at_its_own_level_whatever_else_is_measured():
    """Seven of thirty up: p is 2 / 2**7 = 0.016, and corrected over four measures above 0.05."""
    a, b = ranks(*[2] * 7, *[1] * 23), ranks(*[1] * 30)
    alone = compare(a, b, qrels_for(30), "RR@10")
    among = compare(a, b, qrels_for(30), ["RR@10", "nDCG@10", "P@1", "R@1"], correction="holm")
    assert (alone.of().p, among.of().p_corrected, among.of().verdict) == (2 / 2**7, 4 * 2 / 2**7, "edge")
    for found in (alone, among):
        assert found.gate("RR@10 > 0.001")[0].holds == "all"
        assert found.gate("RR@10 < 0")[0].holds == "none"


def test_a_gate_says_what_held_it_back():
    """Four of thirty queries down: the interval lies below 0, and p is 2 / 2**4 = 0.125. Four of four: too few."""
    edge = compare(ranks(*[1] * 30), ranks(*[4] * 4, *[1] * 26), qrels_for(30), "RR@10")
    few = compare(ranks(*[1] * 4), ranks(*[2] * 4), qrels_for(4), "RR@10")
    open_ = compare(ranks(*[1, 2] * 15), ranks(*[2, 1] * 15), qrels_for(30), "RR@10")
    assert (edge.of().verdict, edge.of().high < 0) == ("edge", True)
    for found, condition, why, words in [
        (edge, "RR@10 < 0", "test", "lies below 0, but the test (p = 0.125) does not rule 0 out."),
        (edge, "RR@10 > 0", "", "no part of the interval [-"),
        (few, "RR@10 < 0", "few", "comes from only 4 queries, and fewer than 6 can show nothing."),
        (open_, "RR@10 < -0.05", "interval", "only a part of the interval [-"),
    ]:
        for rule, verdict in (("fail_if", "passed"), ("require", "failed")):
            gated = found.gated(**{rule: condition})
            (gate,) = gated.gates
            assert (gate.why, gate.stops) == (why, rule == "require")
            (line,) = report.gates(gated)
            assert line.startswith(
                f"gate {verdict} (--{rule.replace('_', '-')}): difference RR@10 (B - A) {condition[6]} "
            )
            assert "is not shown: " in line
            assert words in line
            assert "ruled out" not in line
            assert line in str(gated)
    up = compare(ranks(*[4] * 4, *[1] * 26), ranks(*[1] * 30), qrels_for(30), ["RR@10", "P@1"])
    assert "lies above 0, but the test (p = 0.125)" in report.gates(up.gated(["RR@10 > 0"]))[0]
    assert [gate.stops for gate in edge.gated("RR@10 < 0.5", ["RR@10 < 0.5", "RR@10 > -0.001"]).gates] == [
        True,
        False,
        True,
    ]


def test_queries_that_one_side_lacks_are_said_where_the_verdict_is():
    cut = ranks(*[1] * 20)
    unlike = {q: [f"{d}.0" for d in docs] if int(q[1:]) < 20 else docs for q, docs in ranks(*[1] * 30).items()}
    for a, words in [(cut, "does not answer 10 of the 30"), (unlike, "For 20 of the 30 queries, no document of A")]:
        found = compare(a, ranks(*[1] * 30), qrels_for(30), "RR@10")
        assert found.carried == {"B": 30 - found.of().ties}
        for form in (str(found), found._repr_html_(), found.to_json(), found.to_markdown()):
            assert words in form
            assert "But this rests on" in form
    found = compare(ranks(*[2] * 29), ranks(*[1] * 30), qrels_for(30), "RR@10")
    assert found.carried == {}  # the other 29 show it, too
    assert "does not answer 1 of the 30" in str(found)
    left = compare(cut, ranks(*[1] * 30), qrels_for(30), "RR@10", missing="left_out")
    assert "they are left out" in str(left)


def test_a_difference_that_is_shown_has_digits():
    near, far = ({q: [*map("x{}".format, range(place)), f"rel{q}"] for q in map(str, range(30))} for place in (80, 81))
    found = compare(far, near, {q: {f"rel{q}": 1} for q in near}, "RR")
    assert found.of().mean == pytest.approx(1 / 81 - 1 / 82)  # 0.00015
    for form in (str(found), found._repr_html_(), found.to_markdown()):
        assert "+0.0002" in form
        assert "+0.000 " not in form
    assert [report.signed(x) for x in (0.0, -1e-17, 0.0004, -3e-6, 0.25)] == [
        "+0.000",
        "+0.000",
        "+0.0004",
        "-3e-06",
        "+0.250",
    ]


def test_a_low_level_shows_nothing_that_luck_explains():
    """Four queries up, none down: p = 0.125, whatever the level of the interval."""
    assert compare(ranks(*[2] * 4, 1), ranks(*[1] * 5), qrels_for(5), "RR@10", level=0.3).of().verdict == "edge"


def test_a_gate_finds_its_measure_by_every_name():
    found = compare(ranks(*WORST), ranks(*BEST), qrels_for(30), ["RR@10", "R@5"])
    assert [found.gate(f"{name} >= 0")[0].holds for name in ("MRR@10", "RR(rel=1)@10", "Recall@5")] == ["all"] * 3
    with pytest.raises(ValueError, match="no difference"):
        found.gate("RR@5 >= 0")


def test_a_score_in_quotes_is_a_number_for_every_part():
    """As as_run reads it: "9" is below 10 by value, above it by letters."""
    found = compare({"q": {"d": 10.0, "x": "9"}}, {"q": {"d": "9", "x": "10"}}, {"q": {"d": 1}}, "RR@10")
    assert (found.of().a, found.of().b) == (1, 0.5)
    assert [place.doc for place in found.movers["B"][0].top_b] == ["x", "d"]


def test_markdown_makes_nothing_of_an_id():
    sha = "0123456789abcdef0123456789abcdef01234567"
    said = report.quiet(f"owner/repo#12 GH-12 a.b@mail.example {sha} :smile: $x$ #3 @you nDCG@10. 0.123")
    for live in ("#12", "GH-12", "@mail", sha, sha[:7], ":smile:", "$x", "#3", "@you"):
        assert live not in said
    shown = re.sub(r"<!-- -->|</?span>", "", said)
    assert shown == f"owner/repo#12 GH-12 a.b@mail.example {sha} :smile: $x$ #3 @you nDCG@10. 0.123"
    assert said.endswith("nDCG@10. 0.123")


def test_results_can_be_asked_whether_they_are_equal():
    one, other = (compare(ranks(1, 2), ranks(2, 1), qrels_for(2), "RR@10") for _ in range(2))
    assert one == one
    assert one != other
    assert one.evaluation != other.evaluation


def test_kinds_are_looked_up_once_and_not_once_for_each_query():
    class Counted(list):
        read = 0

        def __iter__(self):
            Counted.read += 1
            return super().__iter__()

    queries = Counted(f"q{i}" for i in range(100))
    evaluation = SimpleNamespace(queries=queries, runs=["A"])
    assert _strata(evaluation, ["RR"], dict.fromkeys(queries, "kind"), Luck(0.95, 10, 10, 0)) == []
    assert Counted.read < 5


# ---------- documents that nobody judged ----------

OPEN = ({"q": ["u", "r"]}, {"q": ["r", "v"]}, {"q": {"r": 1, "z": 0}})


@pytest.mark.parametrize(
    ("way", "a", "b"),
    # RR of A: r at 2 behind u, which may be relevant or not, or gone. Of B: r at 1 whatever v is.
    [("not_relevant", 1 / 2, 1), ("left_out", 1, 1)],
)
def test_unjudged_documents_count_as_asked(way, a, b):
    found = compare(*OPEN, "RR@2", unjudged=way)
    assert (found.of().a, found.of().b) == (a, b)
    assert found.judged == {"A": 0.5, "B": 0.5}  # of the rankings as they are, however they are counted
    assert str(found)
    assert found._repr_html_()


@pytest.mark.parametrize("way", ["not_relevant", "left_out"])
@pytest.mark.parametrize("ties", ["doc_desc", "mean"])
@pytest.mark.parametrize("empty", ["undefined", "zero"])
@pytest.mark.parametrize("missing", ["zero", "left_out"])
def test_every_option_of_evaluate_is_one_of_compare(way, ties, empty, missing):
    a = {"q": {"u": 2.0, "r": 1.0}, "p": {"r": 1.0, "u": 1.0}, "none": {"z": 1.0}}
    b = {"q": {"r": 2.0, "v": 1.0}, "none": {"z": 1.0}}
    qrels = {"q": {"r": 1, "z": 0}, "p": {"r": 2, "z": 0}, "none": {"z": 0}}
    options = {"unjudged": way, "ties": ties, "empty": empty, "missing": missing}
    found = compare(a, b, qrels, ["nDCG@2", "RR@2"], **options)
    both = relviz.evaluate({"A": a, "B": b}, qrels, ["nDCG@2", "RR@2"], **options).scores
    for measure in ("nDCG@2", "RR@2"):
        d = dict(zip(("none", "p", "q"), both["B"][measure] - both["A"][measure]))
        assert found.per_query(measure=measure) == {q: x for q, x in d.items() if x == x}
    # Where it has no score, `none` counts for nothing, nor does it that all of it is judged.
    assert found.judged["A"] == pytest.approx((1 / 2 + 1 / 2 + 1) / 3 if empty == "zero" else 1 / 2)
    assert str(found)
    assert found.to_json()


def test_ids_that_never_meet_are_not_left_out_either():
    with pytest.raises(ValueError, match="nothing to compare"):
        compare({"q": ["u"]}, {"q": ["v"]}, {"q": {"r": 1, "z": 0}}, "RR@2", unjudged="left_out")


@pytest.mark.parametrize(
    "bounds", [{"ties": "lowest"}, {"ties": "highest"}, {"unjudged": "lowest"}, {"unjudged": "highest"}]
)
def test_a_difference_of_two_bounds_is_refused(bounds):
    """B is A with unjudged documents behind: at its own worst it would be worse, though no grades could make it so."""
    a = ranks(*[1] * 30)
    b = {query: [*docs, *(f"new{i}" for i in range(9))] for query, docs in a.items()}
    (name, value), *_ = bounds.items()
    with pytest.raises(ValueError, match=f"{name}='{value}': .* evaluate"):
        compare(a, b, qrels_for(30), "nDCG@4", **bounds)


def test_what_nobody_judged_could_turn_a_difference():
    """P@2 of A: r and perhaps u; of B: v perhaps and r: both 1/2. u alone relevant: 1 against 1/2; v alone: 1/2, 1."""
    a, b, qrels = {"q": ["r", "u"]}, {"q": ["v", "r"]}, {"q": {"r": 1, "z": 0, "zz": 2}}
    found = compare(a, b, qrels, "P@2")
    unread = found.unread["B"]
    assert (unread.n, unread.grade, unread.for_a, unread.for_b, unread.fate) == (2, 2, -0.5, 0.5, "")
    # RR of A is 1; of B 1/2, or 1 if v is relevant.
    assert (compare(a, b, qrels, "RR@2").unread["B"].for_a, compare(a, b, qrels, "RR@2").unread["B"].for_b) == (-0.5, 0)
    for form in (str(found), found._repr_html_(), found.to_markdown()):
        assert (
            "A and B rank 2 unjudged documents differently among their first 2 (a document counts once for each query)."
            in form
        )
        assert "If each of these had grade 2 where A ranks it higher" in form
        assert "-0.500; the other way round, +0.500." in form


def test_a_document_of_both_has_one_grade_in_both():
    """u at 1 in A and at 2 in B, and nothing else open: if it is relevant, RR is 1 against 1; if not, 1/2 against 1."""
    found = compare({"q": ["u", "r"]}, {"q": ["r", "u"]}, {"q": {"r": 1, "z": 0}}, "RR@2")
    assert (found.of().mean, found.unread["B"].n) == (0.5, 1)
    assert (found.unread["B"].for_a, found.unread["B"].for_b) == (0, 0.5)
    assert compare(OPEN[0], OPEN[0], OPEN[2], "RR@2").unread == {}  # at one rank in both, it can change nothing


def test_what_is_all_judged_or_not_known_to_be_is_no_question():
    assert compare({"q": ["r", "z"]}, {"q": ["z", "r"]}, {"q": {"r": 1, "z": 0}}, "RR@2").unread == {}
    assert compare({"q": ["u", "r"]}, {"q": ["r", "v"]}, {"q": {"r": 1}}, "RR@2").unread == {}
    assert compare(*OPEN, "RR@1").unread["B"].n == 1  # v stands below the cutoff
    assert compare(*OPEN, "RR@2", unjudged="left_out").unread == {}
    # No query with nothing to find, whose score no judgement of today defines.
    empty = compare(*({"q": ["r"], "e": ["u", "z"]} for _ in "ab"), {"q": {"r": 1, "z": 0}, "e": {"z": 0}}, "RR@2")
    assert empty.unread == {}


def rivals(n, open_):
    """B puts the relevant document first, A second: behind one that nobody judged (open_), or behind a judged one."""
    a = {f"q{i:02}": ["u" if i < open_ else "z", "r"] for i in range(n)}
    return a, {q: ["r", "z"] for q in a}, {q: {"r": 1, "z": 0} for q in a}


@pytest.mark.parametrize(
    ("open_", "fate", "leaning"),
    # 30 queries up by 1/2. Where u is relevant, both have 1: with 2 of them open, 28 go up still; with 30, none.
    [(2, "stands", False), (30, "falls", True)],
)
def test_the_verdict_knows_which_judgements_it_lacks(open_, fate, leaning):
    found = compare(*rivals(30, open_), "RR@2")
    assert found.of().verdict == "higher"
    assert found.unread["B"].fate == fate
    assert found.unread["B"].for_a == pytest.approx((30 - open_) / 60)
    assert found.unread["B"].for_b == 0.5
    for form in (report.verdicts(found)[0], found._repr_html_(), found.to_markdown()):
        assert ("fewer documents of A are judged" in form) == leaning
    words = {
        "stands": "The verdict stands in both cases.",
        "falls": "In one of these cases the verdict does not stand.",
    }
    assert words[fate] in report.warnings(found)[-1]
    a, b, qrels = rivals(30, open_)
    turned = compare(b, a, qrels, "RR@2")
    assert (turned.of().verdict, turned.unread["B"].fate) == ("lower", fate)
    assert ("fewer documents of B are judged" in report.verdicts(turned)[0]) == leaning


def test_a_verdict_that_the_unjudged_could_only_strengthen_says_nothing():
    """B is ahead with fewer judged documents: what nobody judged in it can only put it further ahead."""
    a = {f"q{i}": ["z", "r"] for i in range(30)}
    b = {q: ["r", "v"] for q in a}
    found = compare(a, b, {q: {"r": 1, "z": 0} for q in a}, "RR@2")
    assert (found.of().verdict, found.unread["B"].fate) == ("higher", "stands")
    assert "fewer documents" not in str(found)


def test_judged_shares_that_differ_lead_astray_in_one_direction_only():
    a, b, qrels = rivals(30, 30)
    for way, words in {
        "not_relevant": "A may be better than it looks",
        "left_out": "A may be worse than it looks",
    }.items():
        said = [line for line in report.warnings(compare(a, b, qrels, "RR@2", unjudged=way)) if "Careful" in line]
        assert len(said) == 1
        assert words in said[0]


def test_as_trec_does_a_query_without_relevant_documents_is_0_and_called_so():
    runs, qrels = ({"q": ["r"], "e": ["z"]}, {"q": ["z", "r"], "e": ["z"]}), {"q": {"r": 1, "z": 0}, "e": {"z": 0}}
    for options, words in (
        ({"trec": True}, "queries with no relevant document, counted as 0: 1 (e)"),
        ({}, "queries with no relevant document, undefined: 1 (e)"),
    ):
        found = compare(*runs, qrels, "RR@2", **options)
        assert found.of().n == 1 + bool(options)
        assert words in str(found)
        assert ("document, undefined" in str(found)) == (not options)


def scored(n, *scores):
    """n queries with the documents x1, x2, ..., and rel at the end, with these scores."""
    docs = [f"x{j}" for j in range(1, len(scores))]
    return {f"q{i:03}": dict(zip([*docs, f"rel{i}"], scores)) for i in range(n)}


def test_ties_that_decide_the_order_are_said_among_the_first_warnings():
    """Of the first 3 of A, 2 and 2 share a score, the second with the fourth, which is not among them: 2 of 3."""
    tied, own = scored(30, 3.0, 2.0, 2.0, 2.0, 1.0), scored(30, 5.0, 4.0, 3.0, 2.0, 1.0)
    found = compare(tied, own, qrels_for(30), "RR@3")
    assert found.tied == pytest.approx({"A": 2 / 3, "B": 0})
    edge = compare(scored(30, 4.0, 3.0, 2.0, 2.0), own, qrels_for(30), "RR@3")
    assert edge.tied["A"] == pytest.approx(1 / 3)  # the third, with the fourth
    for tongue, words in (
        ("en", "Ties: of the first 3 documents of A, 66.7%"),
        ("zh", "并列：A 的前 3 篇文档里，66.7%"),
    ):
        set_language(tongue)
        assert report.warnings(found)[0].startswith(words)
        assert words in found._repr_html_()
        assert words in found.to_markdown()
    set_language("en")
    assert "Ties" not in str(compare(own, own, qrels_for(30), "RR@3"))
    assert "Ties: " not in str(compare(tied, own, qrels_for(30), "RR@3", ties="mean"))
    lists = ranks(*[1] * 30)
    assert compare(lists, lists, qrels_for(30), "RR@3").tied == {"A": 0, "B": 0}


def tied(n, *docs, tail=()):
    """n queries whose documents all share a score, but for those of the tail below; `rel` is that of the query."""
    return {
        f"q{i:03}": dict.fromkeys((d.replace("rel", f"rel{i}") for d in docs), 2.0)
        | {d: -float(i) for i, d in enumerate(tail)}
        for i in range(n)
    }


@pytest.mark.parametrize(
    ("b", "fate", "ends"),
    [
        # rel at 1 in A. In B by ids behind x1, which may as well stand behind it; or with one more before both.
        (tied(30, "x1", "rel"), "falls", (-1 / 2, 0)),
        ({q: {"x0": 3.0} | docs for q, docs in tied(30, "x1", "rel").items()}, "stands", (-2 / 3, -1 / 2)),
    ],
)
def test_a_verdict_knows_what_the_order_of_ties_could_do_to_it(b, fate, ends):
    a = scored(30, 1.0)
    found = compare(a, b, qrels_for(30), "RR@10")
    orders = found.orders["B"]
    assert (found.of().verdict, orders.fate) == ("lower", fate)
    assert (orders.for_a, orders.for_b) == pytest.approx(ends)
    words = f"anywhere from {ends[0]:+.3f} to {ends[1]:+.3f}"
    for form in (str(found), found._repr_html_(), found.to_markdown()):
        assert words in form
    assert (f"{words}, which could take this back." in report.verdicts(found)[0]) == (fate == "falls")
    assert f"{words}. " in report.warnings(found)[1]
    assert ("The verdict stands at both ends" in str(found)) == (fate == "stands")
    assert json.loads(found.to_json())["orders"]["B"]["fate"] == fate
    turned = compare(b, a, qrels_for(30), "RR@10")
    assert (turned.of().verdict, turned.orders["B"].fate) == ("higher", fate)
    assert (turned.orders["B"].for_a, turned.orders["B"].for_b) == pytest.approx((-ends[1], -ends[0]))


def test_each_run_has_an_order_of_its_own():
    """Both tied: 1/2 or 1 in each, so that two equal runs may lie apart by 1/2 either way."""
    found = compare(tied(30, "x1", "rel"), tied(30, "x1", "rel"), qrels_for(30), "RR@10")
    assert (found.of().verdict, found.orders["B"].for_a, found.orders["B"].for_b) == ("same", -1 / 2, 1 / 2)


def test_orders_are_asked_about_only_where_they_can_matter(monkeypatch):
    asked = []

    def evaluate(*runs, **options):
        asked.append(options.get("ties"))
        return relviz.evaluate(*runs, **options)

    monkeypatch.setattr(sys.modules["relviz.compare"], "evaluate", evaluate)
    own, both = scored(30, 2.0, 1.0), tied(30, "x1", "rel")
    lists = ranks(*[2] * 30)
    assert compare(own, lists, qrels_for(30), "RR@10").orders == {}
    assert set(asked) == {None}
    assert compare(own, both, qrels_for(30), "RR@10", ties="mean").orders == {}
    # A tie of two that the measure does not tell apart.
    assert compare(own, tied(30, "rel", tail=("x1", "x2")), qrels_for(30), "RR@10").orders == {}
    for options in ({"missing": "left_out"}, {"unjudged": "left_out"}, {"trec": True}):
        found = compare(
            own, both, qrels_for(30) | {"none": {"z": -1 if options.get("trec") else 0}}, "RR@10", **options
        )
        assert found.orders["B"].for_b > found.of().mean


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        # In one query, A has rel at 1, and B somewhere among two; in another, both have 0 or A alone has anything.
        ({}, [-0.75, -0.5]),
        ({"missing": "left_out"}, [-0.5, 0]),
        ({"empty": "zero"}, [-0.5, -1 / 3]),
    ],
)
def test_the_orders_of_ties_count_as_asked(options, ends):
    a, b = scored(2, 1.0) | {"e": {"z": 1.0}}, tied(1, "x1", "rel") | {"e": {"z": 1.0}}
    orders = compare(a, b, qrels_for(2) | {"e": {"z": 0}}, "RR@10", **options).orders["B"]
    assert (orders.for_a, orders.for_b) == pytest.approx(tuple(ends))


def test_ties_with_what_is_left_out_and_beside_a_list_with_a_double():
    qrels = qrels_for(1)
    lone = compare(scored(1, 1.0), tied(1, "u", "rel"), qrels, "RR@10", unjudged="left_out")
    assert (lone.tied["B"], lone.orders) == (1, {})  # of the two, only rel is left
    double = compare({"q000": ["rel0", "rel0"]}, tied(1, "x1", "rel"), qrels, "RR@10", duplicates="first")
    assert double.orders["B"].for_a == -1 / 2


def test_the_orders_of_several_runs_stand_in_a_line():
    a, runs = scored(30, 1.0), {"cos": tied(30, "x1", "rel"), "own": scored(30, 2.0, 1.0)}
    found = compare(a, runs, qrels_for(30), "RR@10")
    (line,) = (line for line in report.warnings(found) if line.startswith("In other orders"))
    assert "cos from -0.500 to +0.000." in line
    assert "could take back what is shown of: cos." in line
    assert 'ties="lowest" and ties="highest"' in line
    assert "--ties lowest and --ties highest" in line
    assert "shown to be worse: cos (see the note), own;" in report.opening(found)[0]
    set_language("zh")
    assert "显示出更差的：cos（见下文说明）" in report.opening(found)[0]


def test_a_few_ties_are_said_when_they_take_a_verdict_back():
    """Six of 30 queries fall from 1 to 1/2 by the ids of two documents among ten: p is 2 / 2**6."""
    tail = [f"y{i}" for i in range(8)]
    a = {q: {d: float(len(docs) - i) for i, d in enumerate(docs)} for q, docs in ranks(*[1] * 30).items()}
    found = compare(a, a | tied(6, "x1", "rel", tail=tail), qrels_for(30), "RR@10")
    assert (found.of().verdict, found.orders["B"].fate) == ("lower", "falls")
    assert found.tied["B"] == pytest.approx(6 / 30 * 2 / 10)
    (line,) = (line for line in report.warnings(found) if "tied documents" in line)
    assert "anywhere from -0.100 to +0.000. At one of these ends the verdict does not stand." in line
    assert "Ties: " not in str(found)
    one = compare(a, a | tied(1, "x1", "rel", tail=tail), qrels_for(30), "RR@10")
    assert (one.orders["B"].fate, "tied documents" in str(one)) == ("", False)
    assert "could take this back" in report.verdicts(found)[0]


def test_a_run_that_ends_before_the_measure_does_is_said():
    deep = {q: [*docs, "y1", "y2"] for q, docs in ranks(*[2] * 30).items()}  # 7 documents
    short = {q: docs[:4] for q, docs in deep.items()}
    for measures, guards, words in [
        (["RR@6", "nDCG@5"], (), "B returns at most 4 documents a query, and RR@6 looks at 6"),
        ("RR", ["P@5"], "B returns at most 4 documents a query, and P@5 looks at 5"),
        (["RR@4"], (), ""),
        ("RR", (), ""),
    ]:
        said = str(compare(deep, short, qrels_for(30), measures, guards=guards))
        assert words in said
        assert ("returns at most" in said) == bool(words)
    assert "returns at most" not in str(compare(short, short, qrels_for(30), "RR@6"))  # both end there
    both = str(compare(deep, short, qrels_for(30), "RR@10"))
    assert "A returns at most 7" in both
    assert "B returns at most 4" in both
    set_language("zh")
    assert "B 每条查询最多返回 4 篇，而 RR@6 要看 6 篇" in str(compare(deep, short, qrels_for(30), "RR@6"))


@pytest.mark.parametrize(("lost", "hinted"), [(3, False), (4, True)])
def test_ids_are_suspected_only_where_many_queries_meet_nothing(lost, hinted):
    """3 of 30 are a tenth, and 4 are more."""
    a, b = ranks(*[2] * 30), ranks(*[1] * 30)
    for query in list(b)[:lost]:
        b[query] = ["u", "v"]
    said = report.warnings(compare(a, b, qrels_for(30), "RR@2"))
    place = next(i for i, line in enumerate(said) if f"For {lost} of the 30 queries, no document of B" in line)
    assert ("ids" in said[place]) == hinted
    assert "Careful" in "".join(said[:place])


def test_one_query_has_no_interval_and_is_one():
    found = compare(ranks(2), ranks(1), qrels_for(1), "RR@10", strata={"q000": "only"})
    assert (report.rows(found)[1][4], report.strata_table(found)[1][5]) == ("-", "-")
    assert "1 judged query." in str(found)
    several = compare(ranks(2, 2), ranks(1, 1), qrels_for(2), "RR@10")
    assert report.rows(several)[1][4] == "[+0.500, +0.500]"
    assert "2 judged queries." in str(several)


def test_where_all_of_a_few_queries_changed_they_are_not_called_only_some():
    a, b = ranks(*[2] * 3, *[1] * 3), ranks(*[1] * 3, *[2] * 3)
    for tongue, words in (("en", "differ on all 6 queries"), ("zh", "在全部 6 条查询上得分都不同")):
        set_language(tongue)
        assert words in report.verdicts(compare(a, b, qrels_for(6), "RR@10"))[0]


def test_a_p_from_a_sample_of_flips_is_not_called_a_chance():
    """Read as the probability of chance, p is misread."""
    rng = np.random.default_rng(0)
    found = compare(ranks(*rng.integers(1, 6, 60)), ranks(*rng.integers(1, 6, 60)), qrels_for(60), "RR@10")
    for tongue, word in (("en", "sampled"), ("zh", "抽样")):
        set_language(tongue)
        assert report.rows(found)[1][5].endswith(word)
        assert "by chance" not in str(found)
        assert f"{word}" in report.how(found)[1]


# ---------- gates on other measures ----------


def test_a_guard_changes_nothing_but_its_own_gate():
    rng = np.random.default_rng(3)
    a, b, qrels = ranks(*rng.integers(1, 6, 60)), ranks(*rng.integers(1, 6, 60)), qrels_for(60)
    plain = compare(a, b, qrels, ["RR@10", "nDCG@2"])
    guarded = compare(a, b, qrels, ["RR@10", "nDCG@2"], guards=["P@1", "MRR@10"])
    assert guarded.differences == plain.differences
    assert guarded.measures == plain.measures
    (guard,) = guarded.guards  # MRR@10 is RR@10
    alone = compare(a, b, qrels, "P@1").of()
    assert guard == alone
    assert guard.p_corrected == guard.p
    for gate in ("P@1 > -0.9", "P@1 < -0.9"):
        assert guarded.gate(gate) == compare(a, b, qrels, "P@1").gate(gate)
    assert "P@1 (gate)" in str(guarded)
    assert "P@1 (gate)" in guarded._repr_html_()
    assert "is not among the corrected differences" in " ".join(str(guarded).split())
    assert json.loads(guarded.to_json())["guards"][0]["measure"] == "P@1"
    with pytest.raises(ValueError, match="measures: RR@10, nDCG@2, P@1"):
        guarded.of(measure="P@7")


# ---------- what a reader sees first, and whether it can be read ----------


def test_too_few_queries_show_nothing_whatever_they_say():
    """Five queries up, all by the same: the interval is a point above 0, and p cannot be below 2 / 2**5 = 0.062."""
    found = compare(ranks(*[2] * 5), ranks(*[1] * 5), qrels_for(5), "RR@10")
    said = report.verdicts(found)[0]
    assert "too few queries (5)" in said
    assert "p could not be below 0.062" in said
    assert "+0.500 here" in said
    assert "interval" not in said
    assert "too few" not in report.verdicts(compare(ranks(*[2] * 6), ranks(*[1] * 6), qrels_for(6), "RR@10"))[0]
    one = compare(ranks(2), ranks(1), qrels_for(1), "RR@10")
    assert "p could not be below 1.000" in report.verdicts(one)[0]
    assert "score the same on every query (1)" in str(compare(ranks(2), ranks(2), qrels_for(1), "RR@10"))


@pytest.mark.parametrize(("changed", "words"), [(9, "differ on only 9 of 40 queries"), (10, "anything from")])
def test_an_interval_of_few_changed_queries_is_not_sold_as_all_that_fits(changed, words):
    a, b = [1, 2] * 20, [1, 2] * 20
    for i in range(changed):
        b[i] = 3 - a[i]
    found = compare(ranks(*a), ranks(*b), qrels_for(40), "RR@10")
    assert found.of().verdict == "not_shown"
    assert words in report.verdicts(found)[0]


def test_a_small_p_stands_behind_one_sign_only():
    found = compare(ranks(*WORST), ranks(*BEST), qrels_for(30), "RR@10")
    assert "p < 0.001)" in report.verdicts(found)[0]
    assert "= <" not in str(found)


def test_no_number_of_queries_is_named_that_could_show_nothing():
    """sd 0.0913: by the formula, 2 queries see 0.5; but fewer than 6 cannot bring p below 0.05."""
    found = compare(ranks(*[1] * 29, 2), ranks(*[1] * 30), qrels_for(30), "RR@10", worth=(0.01, 0.5))
    assert found.of().sd == pytest.approx(0.5 / math.sqrt(30))
    assert relviz.queries_needed(found.of().sd, 0.5) == 1
    assert found.of().needed[0.5] == (6, 6, 6)
    assert found.of().needed[0.01][0] == relviz.queries_needed(found.of().sd, 0.01) > 6
    strict = compare(ranks(*[1] * 29, 2), ranks(*[1] * 30), qrels_for(30), "RR@10", worth=(0.5,), level=0.99)
    assert strict.of().needed[0.5] == (8, 8, 8)  # 2 / 2**7 is above 0.01, 2 / 2**8 is not


def test_several_runs_begin_with_the_verdicts_in_one_sentence():
    runs = {"up": ranks(*BEST), "down": ranks(*[5] * 30), "like": ranks(*WORST), "twin": ranks(*BEST)}
    found = compare(ranks(*WORST), runs, qrels_for(30), ["RR@10", "P@1"])
    words = (
        "By RR@10 against baseline: shown to be better: up, twin; shown to be worse: down; not shown either way: 1 of 4"
    )
    assert str(found).split("\n\n")[1].startswith(words)
    assert Elements(found._repr_html_()).text.index(words) < Elements(found._repr_html_()).text.index("Shown: up is")
    assert found.to_markdown().split("\n\n")[1].replace("@<!-- -->", "@").startswith(f"**{words}")
    lone = compare(ranks(*WORST), {"like": ranks(*WORST)}, qrels_for(30), "RR@10")
    assert "shown to be better" not in str(lone)
    none = compare(ranks(*WORST), {"like": ranks(*WORST), "too": ranks(*WORST)}, qrels_for(30), "RR@10")
    assert "shown to be better: none; shown to be worse: none; not shown either way: 2 of 2" in str(none)


def test_what_is_shown_by_other_measures_is_said_where_the_verdict_is():
    """By nDCG@1 nothing changes; by R@2 all of 30 queries lose, by RR@1 nothing, by P@5 they lose too."""
    a, b, qrels = ranks(*[2] * 30), ranks(*[5] * 30), qrels_for(30)
    found = compare(a, b, qrels, ["nDCG@1", "RR@1", "R@2", "P@4"], guards="R@3")
    assert [found.of(measure=m).verdict for m in found.measures] == ["same", "same", "lower", "lower"]
    words = "Of the other measures, shown to be lower: R@2, P@4."
    assert report.verdicts(found)[0].endswith(words)
    assert words in found._repr_html_()
    assert found.to_markdown().replace("@<!-- -->", "@").split("\n\n")[1].endswith(f"{words}**")
    runs = {"down": b, "up": ranks(*[1] * 30), "like": a}
    several = compare(a, runs, qrels, ["nDCG@2", "R@2", "P@1"])
    words = "Of the other measures, shown to be higher: up (P@1); shown to be lower: down (R@2)."
    assert report.opening(several)[0].endswith(words)
    assert "Of the other measures" in report.verdicts(several)[0]
    assert "Of the other measures" not in report.verdicts(several)[2]
    assert "Of the other" not in str(compare(a, a, qrels, ["nDCG@2", "R@2"]))


def test_judged_shares_of_several_runs_take_two_lines():
    qrels = {"q": {"r": 1, "j": 0, "i": 0}}
    runs = {"one": {"q": ["r", "u", "v"]}, "two": {"q": ["r", "u", "j"]}, "all": {"q": ["r", "j", "i"]}}
    found = compare({"q": ["j", "r", "x"]}, runs, qrels, "RR@3")
    careful = [line for line in report.warnings(found) if line.startswith("Careful")]
    assert len(careful) == 2
    assert "baseline has only 66.7% judged, and these have more: all 100.0%. " in careful[0]
    assert "so baseline may be better than it looks" in careful[0]
    assert "baseline has 66.7% judged, and these have fewer: one 33.3%. " in careful[1]
    assert "so each of these may be better than it looks" in careful[1]


def test_what_is_shown_of_several_runs_and_could_be_taken_back():
    a, b, qrels = rivals(30, 30)
    found = compare(a, {"new": b, "same": a}, qrels, "RR@2")
    assert "could take back what is shown of: new." in report.warnings(found)[-1]
    a, b, qrels = rivals(30, 2)
    assert not any("take back" in line for line in report.warnings(compare(a, {"x": b, "y": b}, qrels, "RR@2")))


def test_long_names_do_not_push_numbers_out_of_sight():
    a, b = "experiment-2026-11-30-with-everything", "another-experiment-of-the-same-length"
    found = compare(ranks(2, 2), ranks(1, 2), qrels_for(2), "RR@10", names=(a, b))
    assert report.title(found) == f"{b} (B) against {a} (A)"
    table = aligned(report.rows(found))
    assert table[0].split()[:3] == ["measure", "A", "B"]
    assert str(found).count(a) == str(found).count(b) == 1
    runs = {"base-line-number-one-of-many-runs": ranks(1, 1), "base-line-number-two-of-many-runs": ranks(1, 2)}
    several = compare(ranks(2, 2), runs, qrels_for(2), "RR@10")
    assert [line[0] for line in report.rows(several)[1:]] == list(runs)  # cut, the two would be one
    runs = {"1-of-the-many-runs-that-i-made": ranks(1, 1), "2-of-the-many-runs-that-i-made": ranks(1, 2)}
    several = compare(ranks(2, 2), runs, qrels_for(2), "RR@10")
    assert [line[0] for line in report.rows(several)[1:]] == ["1-of-the-ma…that-i-made", "2-of-the-ma…that-i-made"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abcdefgh", "abcdefgh"),
        ("abcdefghi", "abc…ghi"),
        ("检索基线", "检索基线"),
        ("检索基线第二版", "检…版"),
        ("", ""),
    ],
)
def test_an_id_is_cut_in_its_middle(text, shown):
    assert cut(text, 8) == shown


def test_columns_stand_under_each_other_whatever_the_ids():
    """A letter with its mark is one column wide, a Chinese one two, an id of 200 letters is cut."""
    assert [wide(text) for text in ("é", "e\u0301", "检", "ก\u0e31", "Ａ")] == [1, 1, 2, 1, 2]
    a = {"q": ["检索" * 40, "e\u0301", "r"]}
    b = {"q": ["r", "x" * 200, "检"]}
    found = compare(a, b, {"q": {"r": 1, "检": 0}}, "RR@3", names=("甲", "B"))
    lines = report.mover_text(found, found.movers["B"][0])
    assert lines[0] == "q  0.333 -> 1.000  (+0.667)"
    begins = [wide(line[: line.rindex(name)]) for line, name in zip(lines[1:5], ("B", "r", "x" * 19, "检"))]
    assert begins == [begins[0], begins[0], begins[0] + 20, begins[0]]
    assert max(map(wide, lines[1:5])) < 100


def test_a_document_that_leaves_the_page_says_where_it_went():
    a, b = {"q": ["x", "y", "r"]}, {"q": ["r", "z", "w", "x"]}
    page = Elements(compare(a, b, {"q": {"r": 1, "x": 0}}, "RR@3")._repr_html_()).text
    assert "10x→ 4" in page
    assert "y→ not retrieved" in page
    assert "zentered" in page
    assert "r▲ 2" in page


def test_the_ways_of_documents_are_explained_and_neither_good_nor_bad():
    a, b = {"q": ["x", "y", "r"]}, {"q": ["r", "z", "w", "x"]}
    found = compare(a, b, {"q": {"r": 1, "x": 0}}, "RR@3", names=("old", "new"))
    page = found._repr_html_()
    ways = re.findall(r'<td class="rr-way">(.*?)</td>', page)
    assert ways == ["→ 4", "→ not retrieved", "", "▲ 2", "entered", "entered"]
    said = Elements(page).text
    assert said.count("entered: old does not retrieve it. In old: → 44 now at rank 44.") == 1
    assert said.index("or – where nobody judged it") < said.index("0.333 → 1.000")
    assert "where nobody judged it" not in compare(a, a, {"q": {"r": 1, "x": 0}}, "RR@3")._repr_html_()


def test_a_hollow_dot_is_explained_where_its_interval_leaves_out_0():
    """Four of thirty queries up by RR@10: the interval lies above 0, p is 2 / 2**4; by R@10 nothing changes."""
    runs = ranks(*[4] * 4, *[1] * 26), ranks(*[1] * 30), qrels_for(30)
    legend = "● shown, ○ not shown."
    edge = Elements(compare(*runs, ["R@10", "RR@10"])._repr_html_()).text
    assert f"{legend}○ though the interval leaves out 0, because the test does not rule 0 out: RR@10 (corr" in edge
    guarded = Elements(compare(*runs, ["R@10", "P@10"], guards="RR@10")._repr_html_()).text
    assert "does not rule 0 out: RR@10 (p = 0.125)." in guarded
    plain = Elements(compare(ranks(*WORST), ranks(*BEST), qrels_for(30), ["R@10", "RR@10"])._repr_html_()).text
    # Where the test finds what the interval does not, the picture says the latter by itself.
    found = compare(*runs, "RR@10")
    assert report.hollow(dataclasses.replace(found, differences=[dataclasses.replace(found.of(), low=-0.001)])) == []
    assert legend in plain
    assert "leaves out 0" not in plain


def test_several_figures_of_queries_have_one_scale():
    """Up from 1/2 to 1, and down from 1/2 to 1/5."""
    runs = {"up": ranks(1, 2), "down": ranks(5, 2)}
    page = compare(ranks(2, 2), runs, qrels_for(2), "RR@10")._repr_html_()
    assert set(re.findall(r"%3E\+(\d\.\d\d)%3C", page)) == {"0.50"}
    assert ">+0.30<" in profile([-0.3, 0.0], "t").svg
    assert ">+0.50<" in profile([-0.3, 0.0], "t", reach=0.5).svg
    assert ">+0.30<" in profile([-0.3, 0.0], "t", reach=0.1).svg


def test_how_many_more_documents_moved():
    rel = {f"d{i}": 1 for i in range(9)}
    found = compare({"q": list(rel)}, {"q": list(rel)[::-1]}, {"q": rel | {"x": 0, "d8": 2}}, "nDCG@3")
    assert "d8 (grade 2) 9 → 1; " in report.moved(found.movers["B"][0])
    assert report.moved(found.movers["B"][0]).endswith("; and 2 more.")  # eight moved, d4 stays in the middle
    assert "| judged documents that moved |" in found.to_markdown()
    assert "...." not in str(found)


def test_numbers_of_a_markdown_table_stand_at_the_right():
    found = compare(ranks(2, 4, 1, 3), ranks(1, 2, 2, 3), qrels_for(4), "RR@10")
    rules = [line for line in found.to_markdown().splitlines() if set(line) <= set("|-: ") and "-" in line]
    assert rules == ["|" + " --- |" + " ---: |" * 8, "|" + " --- |" * 2 + " ---: |" * 3]


# ---------- what breaking compare on purpose has shown to be untested ----------


def test_sums_that_differ_in_their_last_bit_are_equal():
    """AP of three relevant documents at ranks 2, 3, 9 is 1/2, and at 2, 4, 6 too; as floats they are not the same."""
    assert (1 / 2 + 2 / 3 + 3 / 9) / 3 != (1 / 2 + 2 / 4 + 3 / 6) / 3
    rel = {"r1": 1, "r2": 1, "r3": 1, "z": 0}

    def at(*places):
        return ["r" + str(places.index(i) + 1) if i in places else f"x{i}" for i in range(1, 10)]

    queries = [f"q{i}" for i in range(30)]
    runs = ({q: at(*places) for q in queries} for places in ((2, 3, 9), (2, 4, 6)))
    d = compare(*runs, dict.fromkeys(queries, rel), "AP").of()
    assert (d.verdict, d.wins, d.losses, d.ties) == ("same", 0, 0, 30)


def test_queries_that_both_sides_lack_carry_nothing():
    a, b = ranks(*[1] * 20), ranks(*[1] * 30)
    found = compare(a, b, qrels_for(35), "RR@10")  # q030 to q034 are answered by neither
    assert found.carried == {"B": 10}


def test_a_verdict_stands_only_by_a_p_that_any_correction_would_grant():
    """In the world for A, 6 of 30 queries are up: p is 2 / 2**6 = 0.031, and 0.094 three times over."""
    runs = rivals(30, 24)
    assert compare(*runs, "RR@2").unread["B"].fate == "stands"
    assert compare(*runs, ["RR@2", "P@1", "Success@1"]).unread["B"].fate == ""
    assert compare(*runs, ["RR@2", "P@1", "Success@1"], correction="none").unread["B"].fate == "stands"


def test_the_limits_of_a_verdict_belong_to_no_difference():
    """Six up: p is 2 / 2**6 = 0.03125, which is not below 1 - 0.96875. Three of 30 up: the interval begins at 0."""
    six = (ranks(*[2] * 6), ranks(*[1] * 6), qrels_for(6), "RR@10")
    assert compare(*six, level=0.96875).of().verdict == "edge"
    assert compare(*six, level=0.96).of().verdict == "higher"
    three = compare(ranks(*[2] * 3, *[1] * 27), ranks(*[1] * 30), qrels_for(30), "RR@10").of()
    assert (three.low, three.verdict) == (0, "not_shown")


def test_a_kind_counts_only_queries_that_have_a_score():
    qrels = qrels_for(2) | {"empty": {"x1": 0}}
    (row,) = compare(ranks(2, 1), ranks(1, 1), qrels, "RR@10", strata=dict.fromkeys(qrels, "all")).strata
    assert (row.n, row.a, row.b, row.mean) == (2, 0.75, 1, 0.25)


def test_rankings_are_shown_as_deep_as_asked():
    found = compare(ranks(2), ranks(1), qrels_for(1), "RR@2", depth=4)
    assert [len(top) for mover in found.movers["B"] for top in (mover.top_a, mover.top_b)] == [4, 4]
    assert len(compare(ranks(2), ranks(1), qrels_for(1), "RR@2").movers["B"][0].top_a) == 2
    assert len(compare(ranks(2), ranks(1), qrels_for(1), "RR").movers["B"][0].top_a) == 5  # ten, if there were as many


def test_kinds_are_not_asked_about_guards():
    found = compare(ranks(2), ranks(1), qrels_for(1), "RR@10", guards="P@1", strata={"q000": "all"})
    assert [row.measure for row in found.strata] == ["RR@10"]


def test_the_first_documents_are_those_of_the_ranking():
    assert first({"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.5}, 2) == ["c", "b"]
    assert first(["a", "a", "b", "c"], 2) == ["a", "b"]
    assert first({}, 2) == first([], 2) == []


def test_equal_shares_of_judged_documents_lean_to_no_side():
    """u before r in A, v behind r in B, in 30 queries: half judged in both, and u could make both 1."""
    a = {f"q{i}": ["u", "r"] for i in range(30)}
    found = compare(a, {q: ["r", "v"] for q in a}, {q: {"r": 1, "z": 0} for q in a}, "RR@2")
    assert (found.of().verdict, found.unread["B"].fate) == ("higher", "falls")
    assert "fewer documents" not in str(found)
    assert "Careful" not in str(found)
    assert "In one of these cases the verdict does not stand." in str(found)


def test_a_floor_of_p_is_named_only_where_queries_changed():
    assert "floor" not in str(compare(ranks(*WORST), ranks(*WORST), qrels_for(30), "RR@10"))
    assert "RR@10 9 changed, floor 0.004" in str(compare(ranks(*[2] * 9, 1), ranks(*[1] * 10), qrels_for(10), "RR@10"))
    assert "floor" not in str(compare(ranks(*[2] * 10), ranks(*[1] * 10), qrels_for(10), "RR@10"))


def test_a_query_with_nothing_to_find_is_not_missed():
    qrels = qrels_for(6) | {"empty": {"x1": 0}}
    assert "does not answer" not in str(compare(ranks(*[2] * 6), ranks(*[1] * 6), qrels, "RR@10"))
    assert "A does not answer 1 of the 7" in str(compare(ranks(*[2] * 5), ranks(*[1] * 6), qrels, "RR@10"))


def test_a_p_is_small_when_it_rounds_to_nothing():
    assert [report.chance(p) for p in (0.0004, 0.0007, 0.0125, 1.0)] == ["< 0.001", "0.001", "0.013", "1.000"]


def test_a_p_is_called_corrected_when_it_is():
    runs = (ranks(*WORST), ranks(*BEST), qrels_for(30))
    for measures, correction, called in [
        (["RR@10", "P@1"], "holm", "corrected p < 0.001"),
        (["RR@10", "P@1"], "none", "interval +0.750 to +0.750, p < 0.001"),
        (["RR@10"], "holm", "interval +0.750 to +0.750, p < 0.001"),
    ]:
        assert called in report.verdicts(compare(*runs, measures, correction=correction))[0]
    table = report.rows(compare(*runs, "RR@10", guards="P@1"))
    assert [line[6] for line in table] == ["p corrected", "< 0.001", "-"]


def test_the_page_says_in_shapes_what_it_says_in_colours(tmp_path):
    qrels = {q: rel | {"x2": 2} for q, rel in qrels_for(31).items()}
    found = compare(ranks(*[4] * 30, 1), ranks(*[1] * 30, 4), qrels, "RR(rel=1)@10", guards="P@5", movers=31)
    page = found._repr_html_()
    assert page.count('<strong class="rr-up">▲ +') + page.count('<strong class="rr-down">▼ -') == 31
    assert page.count('<strong class="rr-down">▼ -') == sum(d < 0 for d in found.per_query().values())
    grades = {(kind, words) for kind, words in re.findall(r'rr-grade rr-(\w+)" role="img" aria-label="([^"]+)"', page)}
    assert grades == {("good", "grade 1"), ("good", "grade 2"), ("zero", "grade 0"), ("none", "not judged")}
    alt = [attributes["alt"] for tag, attributes in Elements(page).tags if tag == "img"]
    assert "P@5 (gate) +0.000 [+0.000, +0.000] (not shown)" in alt[0]
    assert ("(shown)" in alt[0]) == (found.of().verdict == "higher")
    found.to_html(tmp_path / "r.html")
    assert "default-src 'none'; img-src data:; style-src 'unsafe-inline'" in (tmp_path / "r.html").read_text()


def test_a_picture_fills_the_dot_of_what_is_shown_and_sorts_its_bars():
    shown, hidden = (intervals([Interval("m", x, x - 1, x + 1, mark)], "t").svg for x, mark in ((2, True), (-2, False)))
    assert re.search(r'<circle[^>]* fill="#0068a3"', shown)
    assert re.search(r'<circle[^>]* fill="#fcfcf9" stroke="#b84c00"', hidden)
    figure = profile([0.5, -0.25, 0.0, 0.1], "t")
    assert figure.svg == profile([0.0, 0.1, 0.5, -0.25], "t").svg
    assert "lower: 1" in figure.alt
    assert "equal: 1" in figure.alt
    assert "higher: 2" in figure.alt


def test_the_table_of_kinds_is_about_the_first_measure():
    found = compare(ranks(2, 1), ranks(1, 1), qrels_for(2), ["RR@10", "P@1"], strata={"q000": "up", "q001": "still"})
    assert len(found.strata) == 4
    assert [line[0] for line in report.strata_table(found)] == ["kind", "up", "still"]


def test_a_document_that_is_on_the_page_points_nowhere():
    a, b = {"q": ["x", "y", "r"]}, {"q": ["r", "z", "x"]}
    page = Elements(compare(a, b, {"q": {"r": 1, "x": 0}}, "RR@3")._repr_html_()).text
    assert "→ 3" not in page.replace("1 → 3", "")
    assert "x▼ 2" in page


@pytest.mark.parametrize("scored", [True, False])
@pytest.mark.parametrize("cut", ["@3", ""])
def test_the_two_worlds_are_those_of_the_definition(scored, cut):
    """Over random runs with ties, holes and queries that have nothing to find, by the measures of lesson 02."""
    rng = np.random.default_rng(0)
    docs = [f"d{i}" for i in range(12)]
    runs, qrels = ({}, {}), {}
    for q in map("q{:02}".format, range(40)):
        qrels[q] = {d: int(rng.integers(0, 3)) for d in rng.choice(docs, 5, replace=False)}
        for run in runs:
            if rng.random() < 0.9:
                order = [str(d) for d in rng.permutation(docs)[: rng.integers(1, 13)]]
                run[q] = {d: float(rng.integers(0, 4)) for d in order} if scored else order
    asked = [q for q in qrels if any(qrels[q].values())]
    k = 3 if cut else 10
    orders = [
        {q: sorted(sorted(r, reverse=True), key=lambda d, r=r: -r[d]) if scored else r for q, r in run.items()}
        for run in runs
    ]
    expected, n = [], 0
    for mine, other in ((0, 1), (1, 0)):
        differences = []
        for q in asked:
            tops = [order.get(q, [])[:k] for order in orders]
            better = [d for i, d in enumerate(tops[mine]) if d not in tops[other] or tops[other].index(d) > i]
            better = [d for d in better if d not in qrels[q]]
            n += len(better)
            rel = qrels[q] | dict.fromkeys(better, 2)
            a, b = (relviz.ndcg_at_k(order.get(q, []), rel, 3 if cut else 12) for order in orders)
            differences.append(b - a)
        expected.append(np.mean(differences))
    found = compare(*runs, qrels, f"nDCG{cut}").unread["B"]
    assert (found.n, found.grade) == (n, 2)
    assert (found.for_a, found.for_b) == pytest.approx(tuple(expected))
