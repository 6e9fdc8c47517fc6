"""The figures that trec_eval publishes beside its own test files, to the four digits that it prints.

Its qrels and runs are not here. The ranks of the judged documents and the ties were taken from them, and the files are
rebuilt with made-up ids. trec_eval_published.json says which files these were, and what had to be inferred.

Where conventions meet, all is equal. Where they do not:
-q without -c: trec_eval has no score for a query that the run does not answer; `trec=True` scores it 0, as -c does.
-M 100: there is no such option; the run is cut before it is handed in.
-l 2: it is written into each measure, `P(rel=2)@5`; nDCG uses the grades themselves in both.
A line that begins with #: a comment to trec_eval. Here `#1` is an id, so a comment is a line with something wrong.
A grade that is no whole number: trec_eval takes the digits in front (1.5 is 1, 0x37 is 0). Here it is refused.
"""

import json
import re
from pathlib import Path

import pytest
import pytrec_eval

from relviz import evaluate, ranked, read_qrels, read_run

PUBLISHED = json.loads((Path(__file__).parent / "trec_eval_published.json").read_text(encoding="utf-8"))
TOPICS, OUTPUTS = PUBLISHED["topics"], PUBLISHED["outputs"]
COUNTS = ("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")
OURS = {
    "map": "AP(rel={level})",
    "map_cut": "AP(rel={level})",
    "bpref": "Bpref(rel={level})",
    "recip_rank": "RR(rel={level})",
    "P": "P(rel={level})",
    "relative_P": "R_cap(rel={level})",
    "recall": "R(rel={level})",
    "set_recall": "R(rel={level})",
    "success": "Success(rel={level})",
    "ndcg": "nDCG",
    "ndcg_cut": "nDCG",
    "ndcg_1=3,2=9,4=4.5": "nDCG(gain={{1: 3, 2: 9, 4: 4.5}})",
}

every_output = pytest.mark.parametrize("output", OUTPUTS.values(), ids=OUTPUTS)


def in_our_words(name, level):
    """P_5 with -l 2 is P(rel=2)@5."""
    word, k = re.fullmatch(r"(.+?)(?:_(\d+))?", name).groups()
    return OURS[word].format(level=level) + (f"@{k}" if k else "")


def figures(output):
    """Name, query or "all", and the figure as printed, of all that is a measure."""
    of_measures = {name: row for name, row in output["figures"].items() if name not in COUNTS}
    return [(name, query, figure) for name, row in of_measures.items() for query, figure in row.items()]


def rebuilt(output, folder):
    """Qrels and run of an output, through files such as trec_eval's: tabs, and lines in no order of rank.

    The id of a document falls with its rank, as trec_eval wants it of documents that are tied.
    """
    judged, retrieved = [], []
    for query, name in output["topics"].items():
        topic, score = TOPICS[name], 0.0
        for grade, ranks in topic["ranks"].items():
            judged += [f"{query} 0 {an_id(rank)} {grade}\n" for rank in ranks]
        for grade, count in topic["missed"].items():
            judged += [f"{query} 0 missed-{grade}-{n} {grade}\n" for n in range(count)]
        for rank in range(1, topic["retrieved"] + 1):
            score -= rank not in topic["tied"]
            retrieved.append(f"{query}\tQ0\t{an_id(rank)}\t{rank}\t  {score:.6f}\tSTANDARD\n")
    (folder / "qrels.test").write_text("".join(sorted(judged)))
    (folder / "results.test").write_text("".join(sorted(retrieved)))
    qrels, run = read_qrels(folder / "qrels.test"), read_run(folder / "results.test")
    return qrels, {query: {doc: run[query][doc] for doc in ranked(run[query])[: output["depth"]]} for query in run}


def an_id(rank):
    return f"doc-{1000 - rank:03}"


@every_output
def test_relviz_agrees(output, tmp_path):
    qrels, run = rebuilt(output, tmp_path)
    measures = [in_our_words(name, output["level"]) for name, _, _ in figures(output)]
    result = evaluate([("run", run)], qrels, measures, trec=True)
    scores = {
        name: {**dict(zip(result.queries, row)), "all": result.means["run"][name]}
        for name, row in result.scores["run"].items()
    }
    ours = [
        (name, query, f"{scores[measure][query]:.4f}") for measure, (name, query, _) in zip(measures, figures(output))
    ]
    assert ours == figures(output)


@every_output
def test_what_was_rebuilt_is_right(output, tmp_path):
    """The trec_eval inside pytrec_eval-terrier gives the published figures for it, and its counts are the published."""
    qrels, run = rebuilt(output, tmp_path)
    names = [name for name in output["figures"] if "=" not in name]
    wanted = {re.sub(r"_(\d+)$", r".\1", name) for name in names}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, wanted, relevance_level=output["level"]).evaluate(run)
    for name, query, figure in figures(output):
        if name in names:
            value = theirs[query][name] if query != "all" else sum(row[name] for row in theirs.values()) / len(qrels)
            assert (name, query, f"{value:.4f}") == (name, query, figure)
    for name in COUNTS:
        for query, count in output["figures"].get(name, {}).items():
            if query != "all":
                assert (name, query, theirs[query][name]) == (name, query, int(count))


def test_judged_is_what_two_of_the_counts_say(tmp_path):
    output = OUTPUTS["test/out.test.aqc"]
    qrels, run = rebuilt(output, tmp_path)
    judged = evaluate([("run", run)], qrels, "Judged", trec=True)
    for query, share in zip(judged.queries, judged.scores["run"]["Judged"]):
        if query in run:
            retrieved, _, relevant, others = (int(output["figures"][name][query]) for name in COUNTS)
            assert share == (relevant + others) / retrieved


def test_without_c_the_query_that_is_not_answered_is_left_out(tmp_path):
    """Nobody published this mean; it must be that of the two queries whose figures are."""
    output = OUTPUTS["test/out.test.aqc"]
    qrels, run = rebuilt(output, tmp_path)
    result = evaluate([("run", run)], qrels, "AP", empty="zero", missing="left_out")
    assert result.missing == {"run": ["302"]}
    figure = output["figures"]["map"]
    assert result.means["run"]["AP"] == pytest.approx((float(figure["301"]) + float(figure["303"])) / 2, abs=5e-5)


def test_a_comment_is_a_line_with_something_wrong(tmp_path):
    """Named difference: trec_eval 10 skips lines that begin with #; here an id may begin with it."""
    path = tmp_path / "qrels.test"
    path.write_text("#1 0 a 1\n")
    assert read_qrels(path) == {"#1": {"a": 1}}
    path.write_text("# Four words here\n301 0 a 1\n")
    with pytest.raises(ValueError, match=r"qrels\.test, line 1: query '#', document 'words': grade 'here'"):
        read_qrels(path)
    path.write_text("# A run may have them, too\n301 Q0 a 1 2.5 STANDARD\n")
    with pytest.raises(ValueError, match=r"qrels\.test, line 1: 7 columns where there should be 6"):
        read_run(path)


@pytest.mark.parametrize("grade", ["1.5", "0.3", "1e+8", "1.1.11", "0x37"])  # those of qrels.test.with-floats
def test_a_grade_that_is_no_whole_number_is_refused(grade, tmp_path):
    """Named difference: atol in trec_eval's get_qrels.c (commit 0e041ae) makes them 1, 0, 1, 1 and 0."""
    path = tmp_path / "qrels.test"
    path.write_text(f"301 0 a {grade}\n")
    with pytest.raises(ValueError, match=re.escape(f"grade '{grade}' is no whole number")):
        read_qrels(path)
