"""Names that a terminal would obey, or that no file can hold, show as replacement characters in every form."""

import json
import re

import pytest

from relviz import Index, set_language, steps
from relviz.widgets.lab import ranking_lab
from relviz.widgets.planner import query_planner
from relviz.widgets.player import player
from relviz.widgets.quiz import flash_cards, quiz
from relviz.widgets.resampler import resampler

# Red in a terminal, twice (the second as one character); the end of a string in C; delete; half a surrogate pair.
BAD = "\x1b[31m\x9b31m\x00\x7f\ud800"
NAME = f"red{BAD}"
REL = {NAME: 2, "b": 1}
SCORES = {NAME: [0.5, 0.2], "b": [0.1, 0.3]}
INDEX = Index({NAME: "red fox", "b": "blue fox"})
TEXTS = {"question": NAME, "short": NAME, "long": NAME, "trap": NAME}
OPTIONS = [{"text": NAME, "why": NAME, "right": True}, {"text": "b", "why": NAME}]

TRACES = {
    "trace_recall": lambda: steps.trace_recall([NAME, "b"], REL, 2),
    "trace_precision": lambda: steps.trace_precision([NAME, "b"], REL, 2),
    "trace_reciprocal_rank": lambda: steps.trace_reciprocal_rank([NAME, "b"], REL, 2),
    "trace_ndcg": lambda: steps.trace_ndcg([NAME, "b"], REL, 2),
    "trace_compare": lambda: steps.trace_compare([NAME, "b"], ["b", NAME], REL, 2, names=(NAME, NAME + "2")),
    "trace_tfidf": lambda: steps.trace_tfidf(INDEX, f"fox {BAD}", NAME),
    "trace_bm25": lambda: steps.trace_bm25(INDEX, f"fox {BAD}", NAME),
    "trace_rrf": lambda: steps.trace_rrf({NAME: [NAME, "b"], "other": ["b", NAME]}),
    "trace_rrf_k": lambda: steps.trace_rrf_k({NAME: [NAME, "b"], "other": ["b", NAME]}),
    "trace_evidence": lambda: steps.trace_evidence({NAME: [NAME, "A"]}, outdated=[NAME], needed=[NAME]),
    "trace_pool": lambda: steps.trace_pool({NAME: [NAME, "b"]}, 2),
    "trace_sliding_window": lambda: steps.trace_sliding_window([NAME, "b"], {NAME: 1, "b": 2}, 2, 1),
    "trace_paired_bootstrap": lambda: steps.trace_paired_bootstrap([0.5, 0.2], [0.1, 0.3], 50, names=[NAME, "b"]),
    "trace_unpaired_bootstrap": lambda: steps.trace_unpaired_bootstrap([0.5, 0.2], [0.1, 0.3], 50, names=[NAME, "b"]),
    "trace_randomization_test": lambda: steps.trace_randomization_test([0.5, 0.2], [0.1, 0.3], 50, names=[NAME, "b"]),
}
WIDGETS = {
    "lab": lambda: ranking_lab([NAME, "b"], REL, 2, other=["b", NAME], titles={NAME: NAME}, query=NAME),
    "planner": lambda: query_planner(0.1),
    "resampler": lambda: resampler([0.5, 0.2], [0.1, 0.3], 50, measure=NAME),
    "quiz": lambda: quiz([{"text": NAME, "options": OPTIONS}], NAME),
    "flash_cards": lambda: flash_cards([TEXTS], NAME),
} | {name: lambda make=make: player(make()) for name, make in TRACES.items()}


@pytest.fixture(autouse=True, params=["en", "zh"])
def _language(request):
    set_language(request.param)
    yield
    set_language("en")


def harmless(text: str) -> None:
    text.encode()
    assert re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", text) is None


def test_no_trace_is_left_out():
    assert set(TRACES) == {name for name in steps.__all__ if name.startswith("trace_")}


@pytest.mark.parametrize("name", TRACES)
def test_a_trace(name):
    trace = TRACES[name]()
    harmless(str(trace))
    for step in trace:
        harmless(step.figure.svg + step.figure.alt)


@pytest.mark.parametrize("name", WIDGETS)
def test_a_widget(name):
    out = WIDGETS[name]()
    harmless(out.text)
    harmless(out.html)
    if name not in ("planner", "trace_recall"):
        assert "\ufffd" in out.html
    json.loads(re.search(r'<script type="application/json">(.*?)</script>', out.html, re.S)[1])
