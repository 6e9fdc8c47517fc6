"""Lesson 12: what it writes out is relviz's, its words are so, trec_eval agrees, and another's files run through it."""

import ast
import re
import tempfile
from pathlib import Path
from statistics import NormalDist

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from written import code_of, functions_in, left_by, notebook_of

import relviz
from relviz import report
from relviz.cli import main
from relviz.datasets import bughunt_path
from relviz.difference import verdict
from relviz.lessons import lesson12

ROOT = Path(__file__).parent.parent
NOTEBOOK = notebook_of("12_your_own_search")
CELLS = code_of(NOTEBOOK)
ANSWERS = {e.key: e.answer for e in lesson12.EXERCISES}
QRELS, BUGHUNT = bughunt_path("data.json"), relviz.load_bughunt().qrels
RUNS = [bughunt_path(f"runs/{name}.run") for name in ("tfidf", "bm25", "dense")]
WAYS = ("not_relevant", "highest")


@pytest.fixture(scope="module")
def written():
    return functions_in(CELLS, relviz=relviz)


@pytest.fixture(scope="module")
def played():
    """What the lesson's own cells leave behind."""
    return left_by(CELLS)


# ---------- what is written out ----------

ids = st.text("abq017-", min_size=1, max_size=4)
runs = st.dictionaries(ids, st.dictionaries(ids, st.floats(-9, 9), min_size=1, max_size=4), min_size=1, max_size=3)


@given(run=runs)
def test_read_run(written, run):
    lines = [f"{q} Q0 {d} 7 {score!r} tag\n" for q, docs in run.items() for d, score in docs.items()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "my.run"
        path.write_text("".join(lines), encoding="utf-8")
        assert (
            written["read_run"]("".join(lines)) == {q: dict(docs) for q, docs in relviz.read_run(path).items()} == run
        )


@given(run=runs, rel=st.dictionaries(ids, st.integers(0, 2), max_size=4), k=st.integers(1, 5))
def test_judged_at_k(written, run, rel, k):
    for query, docs in run.items():
        expected = relviz.check_run(run, {query: rel}, k=k).judged[query]
        assert written["judged_at_k"](relviz.ranked(docs), rel, k) == expected


# ---------- exercises ----------


def test_the_ranking_of_exercise_1_is_relvizs(written):
    text = re.search(r'read_run\((".*mine")\)', "\n".join(CELLS))[1]
    assert relviz.ranked(written["read_run"](ast.literal_eval(text))["q18"]) == ANSWERS["12.1"]


@pytest.mark.parametrize("letter", "abcde")
def test_the_lines_of_exercise_3_are_read_or_refused(letter, tmp_path):
    prose = "\n".join(cell.source for cell in NOTEBOOK.cells if cell.cell_type == "markdown")
    line = re.search(rf"^{letter}   (q18.*)$", prose, re.MULTILINE)[1].replace("<tab>", "\t")
    (tmp_path / "my.run").write_text(line, encoding="utf-8")
    if letter in ANSWERS["12.3"]:
        assert relviz.read_run(tmp_path / "my.run")
    else:
        with pytest.raises(ValueError, match="line 1"):
            relviz.read_run(tmp_path / "my.run")


@given(low=st.floats(-1, 1), width=st.floats(0, 1), p=st.floats(0, 1))
def test_the_verdict_of_exercise_5_is_that_of_compare(low, width, p):
    luck = {"wins": 1, "losses": 1, "low": low, "high": low + width, "mean": low + width / 2}
    says = {"higher": "shown", "lower": "shown", "edge": lesson12.EDGE, "not_shown": "not shown"}
    assert lesson12.verdict(low, low + width, p) == says[verdict(luck, p, 0.05)]


def test_conventions_of_exercises_4_and_6():
    qrels = {"a": {"D": 1}, "b": {"D": 1}, "unanswered": {"D": 1}, "nothing": {"D": 0}}
    run = {"a": {"D": 1.0}, "b": {"D": 1.0}, "nothing": {"D": 1.0}}
    default, trec = (relviz.evaluate(run, qrels, "nDCG@5", trec=trec).means["run"]["nDCG@5"] for trec in (False, True))
    assert (default, trec) == (pytest.approx(2 / 3), 2 / 4)  # two found, one unanswered, one with nothing to find
    raw, condensed = (
        relviz.evaluate({"q": ["x", "y", "BUG-118"]}, {"q": {"BUG-118": 1}}, "RR@10", unjudged=way).means["run"][
            "RR@10"
        ]
        for way in ("not_relevant", "left_out")
    )
    assert [raw, condensed] == pytest.approx(ANSWERS["12.6"])


def test_holm_of_exercise_7():
    assert relviz.holm([0.01, 0.04, 0.03]) == pytest.approx(ANSWERS["12.7"])


def test_exit_codes_of_exercise_8(capsys):
    gates = ["--fail-if nDCG@5<0", "--require nDCG@5>0", "--require nDCG@5>-0.02", "--require nDGC@5>-0.02"]
    command = ["compare", *map(str, [QRELS, *RUNS[:2]]), "-m", "nDCG@5", "--movers", "0"]
    assert [main([*command, *gate.split()]) for gate in gates] == ANSWERS["12.8"]


# ---------- what it says in words ----------


def test_nothing_is_shown_by_all_grades_and_a_loss_by_a_pool_of_one_side(played):
    full, unfair, reach = played["full"], played["unfair"], played["reach"]
    assert [d.verdict for d in full.differences] == ["not_shown", "not_shown"]
    assert full.of("dense").mean > 0
    assert unfair.of().verdict == "lower"
    assert any("Careful" in line and "dense may be better" in line for line in report.warnings(unfair))
    assert unfair.judged["tfidf"] == 1  # all of its first five are judged
    # "the baseline lies between them", and condensed lists overshoot
    assert unfair.of().b == reach["not_relevant"] < unfair.of().a < reach["highest"] < reach["left_out"]
    for query, docs in played["pooled"].items():
        assert all(BUGHUNT[query].get(doc, 0) == grade for doc, grade in docs.items())  # "no grade is wrong"


def test_the_residual_of_rbp_is_the_weight_of_all_places_that_nobody_judged(played):
    means = [relviz.evaluate(RUNS[2], played["pooled"], "RBP", unjudged=way).means["dense"]["RBP"] for way in WAYS]
    residuals = []
    for query, docs in relviz.read_run(RUNS[2]).items():
        weight = {rank: 0.2 * 0.8 ** (rank - 1) for rank in range(1, len(docs) + 1)}
        judged = [rank for rank, doc in enumerate(relviz.ranked(docs), 1) if doc in played["pooled"][query]]
        residuals.append(1 - sum(weight[rank] for rank in judged))  # behind the last document as well
    assert means[1] - means[0] == pytest.approx(sum(residuals) / len(residuals))


def test_the_first_comparison_says_what_the_lesson_reads_from_it(played):
    pair = played["pair"]
    assert pair.of().verdict == "not_shown"
    rr = pair.of(measure="RR@10")
    assert (rr.wins, rr.losses, rr.p) == (3, 0, 0.25)  # "flipping signs cannot bring p below" 2 / 2**3
    needed = played["full"].of("bm25").needed, played["full"].of("dense").needed
    assert needed[0][0.02][0] == 179  # chapter 000
    assert needed[0][0.02][0] < needed[1][0.02][0]
    low, high = pair.of().low, pair.of().high
    assert low < -0.01 < high  # neither gate can tell


def test_with_thirty_queries_one_gate_lets_most_losses_through_and_the_other_stops_what_is_not_clearly_better(played):
    d, normal = played["pair"].of(), NormalDist()
    se = d.sd / d.n**0.5
    reach = 1.96 * se
    assert normal.cdf((-0.01 - reach - -0.02) / se) < 0.2  # --fail-if "< -0.01" stops a true loss of 0.02
    assert 1 - normal.cdf((-0.01 + reach) / se) < 0.2  # --require "> -0.01" lets an equal system pass


def test_judged_at_5_of_bughunt_is_its_precision():
    means = relviz.evaluate(RUNS, QRELS, ["Judged@5", "P@5"]).means
    assert all(mean["Judged@5"] == mean["P@5"] < 0.5 for mean in means.values())


def test_ids_in_lower_case_never_meet(played):
    found = relviz.check_run(played["lower"], QRELS)
    assert len(found.unmet) == 30
    assert "upper and lower case" in found.hints[0]


def test_trec_eval_agrees_on_the_three_runs():
    names = {"nDCG@5": "ndcg_cut_5", "R@5": "recall_5", "P@5": "P_5", "RR": "recip_rank", "AP": "map"}
    evaluator = pytrec_eval.RelevanceEvaluator(BUGHUNT, {"ndcg_cut.5", "recall.5", "P.5", "recip_rank", "map"})
    ours = relviz.evaluate(RUNS, QRELS, list(names), trec=True)
    for path in RUNS:
        theirs = evaluator.evaluate({q: dict(docs) for q, docs in relviz.read_run(path).items()})
        for name, their_name in names.items():
            expected = [theirs[query][their_name] for query in ours.queries]
            assert ours.scores[path.stem][name] == pytest.approx(expected, abs=1e-12)


def test_trec_eval_gives_an_unanswered_query_no_score_and_one_with_nothing_to_find_0():
    qrels = {"found": {"D1": 1}, "unanswered": {"D2": 1}, "nothing": {"D3": 0}}
    run = {"found": {"D1": 1.0}, "nothing": {"D3": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.5"}).evaluate(run)
    assert {query: scores["ndcg_cut_5"] for query, scores in theirs.items()} == {"found": 1.0, "nothing": 0.0}


# ---------- the reader's own files ----------


@pytest.mark.parametrize("number", [2, 4])
def test_another_readers_files_run_through(number, tmp_path, capsys):
    """Other ids, TREC and packed, gaps on both sides, no texts; the exercises still speak of BugHunt."""
    qrels = {f"问{i}": {f"doc {i}": 1, f"d{i}": 0, "x": 2} for i in range(12)}
    relviz.write_qrels(qrels, tmp_path / "my judgements.json")
    paths = [tmp_path / f"sys{i}.run.gz" for i in range(number)]
    for i, path in enumerate(paths):
        run = {q: {"x": 1.0 + (j % (i + 2)), f"d{j}": 1.5, "new": 0.5} for j, q in enumerate(qrels) if j != i}
        relviz.write_run(run | {"elsewhere": {"x": 1.0}}, path)
    mine = f"QRELS = {str(tmp_path / 'my judgements.json')!r}\nRUNS = {list(map(str, paths))!r}\n"
    mine += 'MEASURES = ["RR@10"]\nTEXTS = {}\n'
    names = {}
    for source in CELLS:
        exec(mine if source.startswith("QRELS =") else source, names)
    assert names["pair"].baseline == "sys0"
    assert names["full"].runs == [path.name.split(".")[0] for path in paths[1:]]
    assert repr(names["exercise"]("12.1").check(ANSWERS["12.1"])).startswith("✓")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_path_of_this_computer_is_saved(language):
    text = (ROOT / f"notebooks/{language}/12_your_own_search.ipynb").read_text(encoding="utf-8")
    assert str(ROOT) not in text
    assert tempfile.gettempdir() + "/" not in text
