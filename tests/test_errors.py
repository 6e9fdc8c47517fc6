"""What is handed in by mistake: one clear ValueError, in the reader's language, whatever the type."""

import ast
import datetime
import decimal
import gzip
import math
import re
from collections import ChainMap, deque
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from marks import HAN, odd

import relviz
from relviz import steps
from relviz.locale import listed, say, set_language
from relviz.widgets.lab import ranking_lab

PACKAGE = Path(relviz.__file__).parent


def sentences(tree):
    """The literal words of what a module raises or warns with; `say` and what was caught are no literals."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            given, what = node.exc.args, ast.unparse(node.exc.func)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".problem", "warnings.warn")):
            given, what = [*node.args, *(word.value for word in node.keywords)], ""
        else:
            continue
        for part in given if what != "AssertionError" else []:
            yield from (f"line {node.lineno}: {words}" for words in literals(part))


def literals(part):
    """Literal words of an expression, outside of the calls in it."""
    if isinstance(part, ast.Constant) and isinstance(part.value, str) and re.search(r"\w", part.value):
        yield part.value
    if not isinstance(part, ast.Call):
        for inner in ast.iter_child_nodes(part):
            yield from literals(inner)


@pytest.mark.parametrize(
    "path",
    sorted(PACKAGE.rglob("*.py")),
    ids=lambda path: path.relative_to(PACKAGE).as_posix(),
)
def test_every_sentence_comes_from_the_words_of_a_language(path):
    assert list(sentences(ast.parse(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    "code",
    [
        'raise ValueError("it is wrong")',
        'raise ValueError(f"{x} is wrong")',
        'raise TypeError("a" + x)',
        'raise ValueError(say("x") if x else "is wrong")',
        'source.problem(1, "is wrong", todo=say("x"), mend=say("y"))',
        'source.problem(1, say("x"), todo=f"mend {x}", mend=say("y"))',
        'warnings.warn(f"{n} mended")',
    ],
)
def test_that_test_sees_a_literal(code):
    assert list(sentences(ast.parse(code)))


def test_the_words_of_every_error_are_used():
    code = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    built = {"first_line", "first_row", "at_line", "at_row", "query", "document"}  # say(f"files.{what}")
    for file in ("errors", "files"):
        for key in relviz.locale.words(file):
            made = re.sub("(_grade|_score)(s|_kept)$", "_{name}\\2", key)
            assert any(f"{file}.{one}" in code for one in (key, made)) or key in built, f"{file}.{key}"


# ---------- every public function, every argument, every wrong type ----------

RUN, QRELS = {"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d1": 1, "d2": 0}}
INDEX = relviz.Index({"d1": "a b", "d2": "c"})
ONE_QUERY = {"ranking": ["d1"], "rel": {"d1": 1}, "k": 3}
A_B = {"a": [1, 2], "b": [2, 4]}
CALLS = {
    "recall_at_k": (relviz.recall_at_k, ONE_QUERY | {"threshold": 1}),
    "precision_at_k": (relviz.precision_at_k, ONE_QUERY | {"threshold": 1}),
    "reciprocal_rank": (relviz.reciprocal_rank, ONE_QUERY | {"threshold": 1}),
    "ndcg_at_k": (relviz.ndcg_at_k, ONE_QUERY | {"gain": "linear", "discount": "log2"}),
    "dcg": (relviz.dcg, {"grades": [1, 2], "gain": "linear", "discount": "log2"}),
    "ideal_grades": (relviz.ideal_grades, {"rel": {"d1": 1}, "k": 3, "gain": "linear"}),
    "unique": (relviz.unique, {"ranking": ["d1"]}),
    "rrf": (relviz.rrf, {"rankings": [["d1"], ["d2"]], "k": 60, "weights": [1, 2]}),
    "pool": (relviz.pool, {"rankings": [["d1"], ["d2"]], "k": 60}),
    "raw_agreement": (relviz.raw_agreement, A_B),
    "weighted_kappa": (relviz.weighted_kappa, A_B),
    "ranked": (relviz.ranked, {"scores": {"d1": 1.0}}),
    "sliding_rerank": (
        relviz.sliding_rerank,
        {"ranking": ["d1", "d2"], "score": {"d1": 1, "d2": 2}, "window": 2, "step": 1},
    ),
    "tokenize": (relviz.tokenize, {"text": "a"}),
    "Index": (relviz.Index, {"docs": {"d": "x"}}),
    "Index.tfidf": (INDEX.tfidf, {"query": "a"}),
    "Index.bm25": (INDEX.bm25, {"query": "a", "k1": 1.2, "b": 0.7}),
    "Index.bm25_terms": (INDEX.bm25_terms, {"query": "a", "doc": "d1", "k1": 1.2, "b": 0.7}),
    "Index.tf": (INDEX.tf, {"term": "a", "doc": "d1"}),
    "Index.df": (INDEX.df, {"term": "a"}),
    "paired_bootstrap": (relviz.paired_bootstrap, A_B | {"n_boot": 9, "seed": 0, "level": 0.9, "strata": ["x", "y"]}),
    "unpaired_bootstrap": (relviz.unpaired_bootstrap, A_B | {"n_boot": 9, "seed": 0, "level": 0.9}),
    "randomization_test": (relviz.randomization_test, A_B | {"n_perm": 9, "seed": 0}),
    "exact_randomization_test": (relviz.exact_randomization_test, A_B),
    "effect_size": (relviz.effect_size, A_B),
    "holm": (relviz.holm, {"p_values": [0.1, 0.2]}),
    "max_t": (relviz.max_t, {"a": [[1, 2]], "b": [[2, 3]], "seed": 0}),
    "queries_needed": (relviz.queries_needed, {"sd": 0.1, "delta": 0.1, "alpha": 0.05, "power": 0.8}),
    "sd_interval": (relviz.sd_interval, {"sd": 0.1, "n": 10, "level": 0.9}),
    "as_qrels": (relviz.as_qrels, {"qrels": QRELS, "lenient": False}),
    "as_run": (relviz.as_run, {"run": RUN, "lenient": False}),
    "read_qrels": (relviz.read_qrels, {"path": "x.qrels", "format": "trec", "lenient": False}),
    "read_run": (relviz.read_run, {"path": "x.run", "format": "trec", "lenient": False}),
    "write_run": (relviz.write_run, {"run": RUN, "path": "no folder/x.run", "format": "trec", "tag": "t"}),
    "write_qrels": (relviz.write_qrels, {"qrels": QRELS, "path": "no folder/x.qrels", "format": "trec"}),
    "check_run": (relviz.check_run, {"run": RUN, "qrels": QRELS, "k": 3}),
    "evaluate": (
        relviz.evaluate,
        {"runs": RUN, "qrels": QRELS, "measures": "nDCG@10", "ties": "doc_desc", "unjudged": "not_relevant"}
        | {"empty": "zero", "missing": "zero", "duplicates": "first", "trec": False},
    ),
    "trace_ndcg": (steps.trace_ndcg, ONE_QUERY),
    "trace_rrf": (steps.trace_rrf, {"rankings": [["d1"], ["d2"]], "weights": [1, 2]}),
    "trace_rrf_k": (steps.trace_rrf_k, {"rankings": [["d1"], ["d2"]], "ks": [0, 60]}),
    "trace_pool": (steps.trace_pool, {"runs": {"a": ["d1"]}, "k": 3}),
    "trace_sliding_window": (
        steps.trace_sliding_window,
        {"ranking": ["d1"], "score": {"d1": 1}, "window": 2, "step_size": 1},
    ),
    "trace_paired_bootstrap": (steps.trace_paired_bootstrap, A_B | {"n_boot": 9, "seed": 0}),
    "ranking_lab": (ranking_lab, ONE_QUERY | {"other": ["d2"], "titles": {"d1": "x"}, "gain": "linear"}),
    "Evaluation.per_query": (relviz.evaluate(RUN, QRELS, "RR").per_query, {"run": "run"}),
}


class Odd:
    """Something else."""


def wrong():
    """Anything at all; made anew each time, since some can be used up."""
    numbers = [True, 0, -1, 1.5, math.nan, -math.inf, 1j, np.float32(2), decimal.Decimal("1.5"), np.array(3.0)]
    texts = ["", "d1", "5", b"d1", bytearray(b"x"), np.str_("d1"), Path("no folder/x")]
    lists = [[], (), ["d1", "d1"], [1, 2], [1.5], ["x", None], [math.nan], [["d1"], ["d2"]], [["d1"], 3], [("d1", 0.5)]]
    lists += [[{"d1": 1}], [("n", RUN)], {"d1"}, frozenset({"d1"}), deque(["d1"]), range(3), (d for d in ["d1"])]
    dicts = [{}, {"d1": 1}, {"d1": None}, {"d1": {"d2": 1}}, {"d1": [1]}, {"d1": {"d2"}}, {1: 2}, {("a",): 1}]
    dicts += [{"q": one} for one in (None, 5, "d", {1: 2}, {"d": math.nan}, {"d": [1]}, [["d"]], [None], [{}], {"d1"})]
    dicts += [{"q": one} for one in (np.zeros((2, 2)), pd.Series({"d1": 1.0}), pd.DataFrame({"a": [1]}), Odd())]
    dicts += [{"a": 1}.keys(), {"a": 1}.values(), {"a": 1}.items(), ChainMap({"d1": 1})]
    arrays = [np.array([]), np.array([1, 2]), np.array([[1, 2], [3, 4]]), np.array([["d1"], ["d2"]]), np.array([1j])]
    arrays += [np.array([None, "x"]), np.array(["2020-01-01"], dtype="datetime64[D]")]
    frames = [pd.Series([1, 2]), pd.Series(["a", None]), pd.DataFrame({"a": [1]}), pd.DataFrame(), pd.Index(["d1"])]
    others = [None, pd.NA, pd.NaT, ..., Odd(), Odd, datetime.date(2020, 1, 1), slice(3), math, ValueError("x")]
    return numbers + texts + lists + dicts + arrays + frames + others


@pytest.mark.parametrize("name", CALLS)
def test_every_wrong_type_gets_an_answer_in_the_language_of_the_reader(name, tmp_path, monkeypatch):
    function, good = CALLS[name]
    monkeypatch.chdir(tmp_path)
    relviz.write_run(RUN, "x.run")
    relviz.write_qrels(QRELS, "x.qrels")
    set_language("zh")
    try:
        answers = [
            (argument, bad, answer(function, {**good, argument: bad}))
            for argument in good
            for bad in wrong()
            # a class can be called, and what it raises then is its own
            if not (isinstance(bad, type) and argument in ("gain", "discount", "score"))
        ]
    finally:
        set_language("en")
    refused = [found for found in answers if isinstance(found[2], Exception)]
    assert len(refused) > len(answers) / 2
    for argument, bad, error in refused:
        assert type(error) is ValueError
        assert re.search(HAN, str(error)), f"{argument}={bad!r}: {error}"
        assert odd(str(error)) == []


def answer(function, arguments):
    """What the function gives, or the ValueError that it raises; no file at a path is the user's affair."""
    try:
        return function(**arguments)
    except OSError:
        return None
    except ValueError as error:
        return error


@pytest.mark.parametrize(
    "measure", [relviz.recall_at_k, relviz.precision_at_k, relviz.reciprocal_rank, relviz.ndcg_at_k]
)
@pytest.mark.parametrize(
    ("ranking", "words"),
    [
        (np.array([["d1"], ["d2"]]), "rank 1 holds array"),
        ([{"d1": 1.0}], r"rank 1 holds {'d1': 1.0} \(dict\)"),
        ([("d1", 0.5)], r"\[doc for doc, score in ranking\]"),
        ([7], r"ids are text; rank 1 holds 7 \(int\)"),
        ({"d1"}, "got set"),
        (None, "got NoneType"),
        (pd.DataFrame({"d": ["d1"]}), "got DataFrame"),
    ],
)
def test_a_ranking_of_another_kind(measure, ranking, words):
    with pytest.raises(ValueError, match=words):
        measure(ranking, {"d1": 1}, 3)


@pytest.mark.parametrize(
    "measure", [relviz.recall_at_k, relviz.precision_at_k, relviz.reciprocal_rank, relviz.ndcg_at_k]
)
@pytest.mark.parametrize(
    ("rel", "words"),
    [
        (["d1"], "are {document: grade}; got list"),
        (pd.Series({"d1": 1}), "got Series"),
        ({7: 1}, "document id 7 in the judgements is int"),
        (QRELS, r"many queries: 'q' holds .*qrels\['q'\], or call relviz.evaluate"),
    ],
)
def test_judgements_of_another_kind(measure, rel, words):
    with pytest.raises(ValueError, match=words):
        measure(["d1"], rel, 3)


@pytest.mark.parametrize(
    "docs", [{"d1"}, "d1", 5, None, Odd(), pd.Series({"d1": 1.0}), np.array([["d1"]]), iter(["d1"])]
)
def test_what_stands_at_a_query_is_meant_for_its_documents(docs):
    with pytest.raises(ValueError, match=r"run 'run': query 'q' holds .*a list of documents, best first"):
        relviz.evaluate({"q": docs}, QRELS, "RR")
    with pytest.raises(ValueError, match=r"run: query 'q' holds .*a list of documents, best first"):
        relviz.as_run({"q": docs})


def test_a_row_of_numbers_is_as_good_as_a_list():
    assert relviz.as_run({"q": np.array(["b", "a"])}) == {"q": {"b": 2, "a": 1}}
    assert relviz.rrf(iter([["a"], ("b",)])) == relviz.rrf([["a"], ["b"]])
    assert relviz.holm(np.array([0.01, 0.04])) == [0.02, 0.04]
    assert relviz.dcg(pd.Series([2, 1])) == relviz.dcg([2, 1])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: relviz.effect_size({"q": 1.0}, [1.0]), r"a is dict; .*\[a\[query\] for query in queries\]"),
        (lambda: relviz.effect_size([1.0], ["1"]), "b is no row of scores"),
        (lambda: relviz.effect_size([[1.0], [1.0, 2.0]], [1.0]), "a is no row of scores"),
        (lambda: relviz.paired_bootstrap([1, 2], [2, 3], strata={"q1": "x", "q2": "y"}), "strata is a list.*got dict"),
        (lambda: relviz.max_t([[1, 2]], []), "got 1 and 0 rows"),
        (lambda: relviz.max_t([[1, 2], [1]], [[1, 2], [1]]), "row 1 has 2 scores, row 2 1"),
        (lambda: relviz.rrf({"bm25": ["a"], "dense": ["b"]}), "rankings is a list.*got dict"),
        (lambda: relviz.rrf([["a"], {"b": 1.0}]), "ranking 2: a ranking is a list of document ids.*got dict"),
        (lambda: relviz.ranked({"a": math.nan}), "document 'a': score nan is no finite number"),
        (lambda: relviz.dcg([np.timedelta64(2)]), "the grade at rank 1 is np.timedelta64"),
        (lambda: relviz.recall_at_k(["a"], {"a": np.timedelta64(1, "D")}, 1), "the grade of document 'a' is np.time"),
        (
            lambda: relviz.recall_at_k(["a"], {"a": 1}, np.timedelta64(1)),
            "k is a whole number of at least 1, got np",
        ),
        (
            lambda: relviz.rrf([["a"]], np.timedelta64(1)),
            "the constant k is a finite number of at least 0, got np",
        ),
        (lambda: relviz.dcg([2, 0.5]), "the grade at rank 2 is 0.5"),
        (lambda: relviz.dcg([2], gain=lambda grade: None), "the gain of grade 2 is None; a gain is a finite"),
        (
            lambda: relviz.dcg([2], discount=lambda rank: rank - 1),
            "the discount of rank 1 is 0; a discount is a finite",
        ),
        (lambda: relviz.dcg([2], gain={"a": 1}), r"gain says nothing about grade 2; it knows \[0, 'a'\]"),
        (lambda: relviz.weighted_kappa(["yes"], ["no"]), "grade 1 of a is a finite number, got 'yes'"),
        (lambda: relviz.Index({"d": None}), "document 'd' holds None"),
        (lambda: relviz.Index(["text"]), "documents are {document id: text}; got list"),
        (lambda: INDEX.bm25("a", b=2), "b lies between 0 and 1, got 2"),
        (lambda: relviz.sliding_rerank(["a"], {"a": 1}, window=0), "window is a whole number"),
        (lambda: relviz.sliding_rerank(["a"], {"a": None}), "document 'a': score None"),
        (lambda: relviz.as_run(RUN, lenient="yes"), "lenient is False, True or a list"),
        (lambda: relviz.read_run(5), "a file is named by a path.*got int"),
    ],
)
def test_answers_that_say_what_to_do(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.csv", "long.json", "cut.gz"])
def test_what_python_says_of_a_damaged_file_stays_out_of_chinese(name, tmp_path):
    (tmp_path / "x.json").write_text('{"q": {d: 1}}')
    (tmp_path / "x.jsonl").write_text('{"query_id": ')
    (tmp_path / "x.csv").write_text('query_id,doc_id,score\nq1,"a,1\n')
    (tmp_path / "long.json").write_text(f'{{"q": {{"d": {"9" * 5000}}}}}')
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"q1 Q0 d1 1 1 x\n" * 99)[:-9])
    set_language("zh")
    try:
        with pytest.raises(ValueError, match=r"不是|读不了|损坏") as refused:
            relviz.read_run(tmp_path / name)
    finally:
        set_language("en")
    told = str(refused.value).replace(str(tmp_path), "")
    assert not re.search("[A-Za-z]+ [a-z]+ ", told), told
    assert odd(told) == []


@pytest.mark.parametrize("content", ["[]", "{}", "null", ""])
def test_a_file_that_holds_nothing_need_not_be_empty(content, tmp_path):
    (tmp_path / "x.json").write_text(content)
    set_language("zh")
    try:
        with pytest.raises(ValueError, match="不是 JSON" if not content else "里面什么也没有"):
            relviz.read_run(tmp_path / "x.json")
    finally:
        set_language("en")


# Python as it is written, in backticks or brackets.
CODE = {"lessons/__init__.py", "lessons/suspect.py", "metrics.py"}


def test_what_is_listed_is_listed_as_the_language_does():
    joins = {p.relative_to(PACKAGE).as_posix() for p in PACKAGE.rglob("*.py") if '", ".join' in p.read_text("utf-8")}
    joins |= {p.relative_to(PACKAGE).as_posix() for p in PACKAGE.rglob("*.py") if "', '.join" in p.read_text("utf-8")}
    assert joins <= CODE
    for language, words in {"en": "a, b, ... a, b", "zh": "a、b…… a、b"}.items():
        set_language(language)
        assert f"{listed('abc', 2)} {listed('ab', 2)}" == words
    set_language("en")


@pytest.mark.parametrize("key", ["p_value", "rrf_k", "rrf_weight", "measure_k"])
def test_a_chinese_name_leaves_no_gap_before_what_it_should_be(key):
    set_language("zh")
    name = say(f"errors.{key}", number=1)
    sentences = [say(f"errors.{rule}", name=name, least=0, got=-1) for rule in ("whole", "finite", "above", "unit")]
    set_language("en")
    assert [what for sentence in sentences for what in odd(sentence)] == []
