"""The names of measures, read as ir_measures reads them."""

import contextlib

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relviz.locale import short
from relviz.measures import KNOWN, Measure, parse_measure, parse_measures


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nDCG@10", ("nDCG", 10, 1, "linear", "log2", 0.8)),
        (" nDCG @ 10 ", ("nDCG", 10, 1, "linear", "log2", 0.8)),
        ("NDCG", ("nDCG", None, 1, "linear", "log2", 0.8)),
        ("nDCG(gain=exp, discount=log2)@5", ("nDCG", 5, 1, "exp", "log2", 0.8)),
        ("nDCG(gain='exp')@5", ("nDCG", 5, 1, "exp", "log2", 0.8)),
        ('nDCG(gain="exponential")@5', ("nDCG", 5, 1, "exp", "log2", 0.8)),
        ("nDCG(dcg='exp-log2')@5", ("nDCG", 5, 1, "exp", "log2", 0.8)),
        ("nDCG(gains={2: 3, 1: 1})", ("nDCG", None, 1, ((1, 1.0), (2, 3.0)), "log2", 0.8)),
        ("DCG(discount=2)@5", ("DCG", 5, 1, "linear", 2.0, 0.8)),
        ("MRR@10", ("RR", 10, 1, "linear", "log2", 0.8)),
        ("AP(rel=2)", ("AP", None, 2, "linear", "log2", 0.8)),
        ("RBP(rel=1,p=0.95)@20", ("RBP", 20, 1, "linear", "log2", 0.95)),
        ("bpref", ("Bpref", None, 1, "linear", "log2", 0.8)),
        ("R_cap@10", ("R_cap", 10, 1, "linear", "log2", 0.8)),
    ],
)
def test_spelling(text, expected):
    assert parse_measure(text) == Measure(text, *expected)


@pytest.mark.parametrize("name", ["nDCG@10", "P(rel=2)@5", "RBP(p=0.5,rel=2)", "AP(rel=2)@7", "Judged@3", "Bpref"])
def test_ir_measures_reads_the_same(name):
    theirs, ours = ir_measures.parse_measure(name), parse_measure(name)
    assert ours.name == theirs.NAME
    options = {"cutoff": ours.k, "rel": ours.rel, "p": ours.p}
    assert options | theirs.params == options
    assert parse_measures([theirs])[0].k == ours.k


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDGC@10", "no measure 'nDGC' .did you mean nDCG@10.*; known are nDCG"),
        ("P", "P needs a cutoff, as in P@10"),
        ("Bpref@5", "takes no cutoff"),
        ("nDCG@0", "whole number of at least 1, got 0"),
        ("nDCG@2.5", "got 2.5"),
        ("nDCG@True", "got True"),
        ("nDCG@x", "cannot be read"),
        ("nDCG@-1", "got -1"),
        ("nDCG(", "cannot be read"),
        ("nDCG(2)@5", "cannot be read"),
        ("nDCG(**{'gain': 'exp'})", "no option 'None'"),
        ("nDCG@5@5", "cannot be read"),
        ("", "cannot be read"),
        ("nDCG(rel=2)@5", "no option 'rel'; its options: gain, discount"),
        ("Judged(rel=1)", "its options: none"),
        ("P(rel=0)@5", "rel is the lowest grade"),
        ("P(rel=1.5)@5", "rel is the lowest grade"),
        ("nDCG(gain='cubic')", "gain is 'linear', 'exp' or"),
        ("nDCG(gain={0: 1})", "none for grade 0"),
        ("nDCG(gain={1: -1})", "each gain from 0"),
        ("nDCG(gain={1: 1e999})", "each gain from 0"),
        ("nDCG(discount=1)", "a base greater than 1"),
        ("RBP(p=1)", "between 0 and 1, got 1"),
        ("nDCG(dcg=[1])@10", "gain is 'linear', 'exp' or"),
        (f"nDCG(gain={{1: {10**400}}})", "each gain from 0 to 1e300"),
        ("nDCG(gain={1: 1e301})", "each gain from 0 to 1e300"),
        (f"nDCG(gain={{{10**9}: 1}})", "none for grades of more than nine digits"),
        (f"nDCG(discount={10**400})", "at most 1e300"),
        (f"P@{10**400}", "the cutoff behind @ is at most 1000000000, got 1000"),
        (f"Judged@{10**9 + 1}", "the cutoff behind @ is at most 1000000000, got 1000000001"),
        (f"P(rel={10**9})@5", "at most nine digits"),
        ("__import__('os').system('x')", "cannot be read"),
        ("(" * 5000, "cannot be read"),
    ],
)
def test_what_cannot_be_meant_is_named(text, message):
    with pytest.raises(ValueError, match=message) as caught:
        parse_measure(text)
    assert short(text) in str(caught.value)


def test_several_in_one_text():
    texts = ["nDCG(gain='exp',discount=2)@10", "RR@5", "nDCG(gain={1:1,2:3})@5", "P@5"]
    assert [one.text for one in parse_measures(f"{texts[0]}, {texts[1]},{texts[2]} ,{texts[3]}")] == texts
    assert [one.text for one in parse_measures(["nDCG@10,RR@5", "RR@5", "P@5"])] == ["nDCG@10", "RR@5", "P@5"]
    with pytest.raises(ValueError, match="several between commas"):
        parse_measures("nDCG@10 R@10")


def test_a_measure_of_ir_measures_alone_and_in_a_list():
    for theirs in (ir_measures.nDCG @ 10, ir_measures.P(rel=2) @ 5, ir_measures.nDCG(dcg="exp-log2")):
        assert parse_measures(theirs) == parse_measures([theirs]) == (parse_measure(str(theirs)),)
    with pytest.raises(ValueError, match="no measure 'ERR'; known are"):
        parse_measures(ir_measures.ERR @ 10)


def test_several():
    assert [measure.text for measure in parse_measures(["RR", "P@5", "RR"])] == ["RR", "P@5"]
    assert len(parse_measures("RR")) == 1
    with pytest.raises(ValueError, match="no measure given"):
        parse_measures([])


@given(st.text(max_size=20) | st.text(st.sampled_from("nDCGP@10()=,rel'{}: "), max_size=20))
def test_any_text_is_a_measure_or_a_value_error(text):
    with contextlib.suppress(ValueError):
        assert parse_measure(text).name in KNOWN


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ndgc@10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("map", "AP"),
        ("P_10", "P@10"),
        ("recall@10", "R@10"),
        ("recall_1000", "R@1000"),
        ("recip_rank", "RR"),
        ("mrr@10", "RR@10"),
        ("precision", "P@10"),
        ("BPREF@5", "Bpref"),
        ("hit@10", "Success@10"),
        ("hits@10", "Success@10"),
        ("hit_rate@10", "Success@10"),
        ("HitRate_5", "Success@5"),
        ("P5", "P@5"),
        ("ndcg10", "nDCG@10"),
        ("Recall100", "R@100"),
    ],
)
def test_a_misspelt_measure_is_guessed(written, meant):
    with pytest.raises(ValueError, match=rf"did you mean {meant}\?\); known are nDCG"):
        parse_measure(written)


@pytest.mark.parametrize("written", ["ERR@10", "err", "NRBP(p=0.8)", "SDCG@5", "StRecall@5"])
def test_another_measure_is_not_taken_for_one_that_is_spelt_like_it(written):
    with pytest.raises(ValueError, match=r"there is no measure '[A-Za-z]*'; known are nDCG"):
        parse_measure(written)


def test_what_resembles_no_measure_is_not_guessed():
    with pytest.raises(ValueError, match="there is no measure 'banana'; known are nDCG"):
        parse_measure("banana@10")
