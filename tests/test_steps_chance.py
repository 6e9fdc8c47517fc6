"""Traces of bootstrap and sign flips, and the plots they end in."""

import re
import subprocess
import sys
import warnings
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.draw import curves, differences, histogram, power_curve
from relviz.significance import resampled_means, resamples
from relviz.steps import trace_paired_bootstrap, trace_randomization_test, trace_unpaired_bootstrap

HOSTILE = "<img src=x onerror=alert(1)>&\"'"
# nDCG@5 of chapter 000: B - A of the fourteen queries that differ.
MOVED = [-0.109, -0.092, -0.080, -0.070, -0.050, -0.018, -0.012, -0.012, 0.022, 0.037, 0.140, 0.236, 0.236, 0.326]
A = [0.6] * 30
B = [0.6 + d for d in MOVED + [0.0] * 16]

scores = st.lists(st.integers(0, 10).map(lambda x: x / 10), min_size=1, max_size=12)
quick = settings(max_examples=6, deadline=None)


@pytest.fixture(autouse=True)
def english_again():
    yield
    relviz.set_language("en")


def check(trace) -> None:
    heights = set()
    for step in trace:
        root = ElementTree.fromstring(step.figure.svg)
        heights.add(root.get("height"))
        keys = [element.get("data-key") for element in root.iter() if element.get("data-key")]
        assert len(keys) == len(set(keys))
        assert step.title
        assert step.figure.alt
        assert "{" not in step.words
    assert len(heights) == 1


@quick
@given(scores, st.data(), st.integers(0, 3), st.sampled_from(relviz.locale.LANGUAGES))
def test_intervals_and_p_over_random_scores(a, data, seed, language):
    relviz.set_language(language)
    b = data.draw(st.lists(st.integers(0, 10).map(lambda x: x / 10), min_size=len(a), max_size=len(a)))
    n = 150
    paired, unpaired = trace_paired_bootstrap(a, b, n, seed), trace_unpaired_bootstrap(a, b, n, seed)
    flips = trace_randomization_test(a, b, n, seed)
    assert paired.value == relviz.paired_bootstrap(a, b, n, seed)
    assert unpaired.value == relviz.unpaired_bootstrap(a, b, n, seed)
    assert flips.value == relviz.randomization_test(a, b, n, seed)
    last = paired.steps[-1].numbers
    assert (last["low"], last["high"]) == paired.value
    last = unpaired.steps[-1].numbers
    assert (last["low"], last["high"]) == unpaired.value
    assert (last["paired low"], last["paired high"]) == paired.value
    assert flips.steps[-1].numbers["p"] == flips.value
    assert flips.steps[-1].numbers["exact p"] == relviz.exact_randomization_test(a, b)
    assert flips.steps[-2].numbers["hits"] + 1 == round(flips.value * (n + 1))
    for trace in (paired, unpaired, flips):
        check(trace)


def test_the_resamples_that_are_shown_are_those_that_are_counted():
    """The dots of the first steps are the first rows of the stream: their means are the first bars' values."""
    values = np.array(B) - np.array(A)
    means = resampled_means(values, 10_000, np.random.default_rng(0))
    drawn = resamples(30, 3, np.random.default_rng(0))
    assert values[drawn].mean(axis=1) == pytest.approx(means[:3], abs=1e-15)
    trace = trace_paired_bootstrap(A, B)
    for i, step in enumerate(trace.steps[1:4]):
        assert step.numbers["mean"] == means[i]
        dots = re.findall(r'data-key="query drawn:\d+" transform="translate\(([\d.]+),', step.figure.svg)
        assert len(dots) == 30
        column = {x: place for place, x in enumerate(sorted(set(_columns(step.figure.svg)), key=float))}
        ordered = np.sort(values)
        assert ordered[[column[x] for x in dots]].mean() == pytest.approx(means[i], abs=1e-12)


def _columns(svg: str) -> list[str]:
    return re.findall(r'data-key="query:[^"]+" transform="translate\(([\d.]+),', svg)


def test_the_chapters_intervals_and_p():
    assert trace_paired_bootstrap(A, B).value == pytest.approx((-0.012, 0.055), abs=0.002)
    trace = trace_randomization_test(A, B)
    assert trace.steps[-1].numbers["exact p"] == pytest.approx(0.310, abs=0.003)


def test_too_many_queries_to_watch():
    with pytest.raises(ValueError, match="too many to be watched"):
        trace_paired_bootstrap([0.0] * 101, [1.0] * 101)
    with pytest.raises(ValueError, match="3 different names, got 2"):
        trace_paired_bootstrap([0, 0, 0], [1, 1, 1], names=["x", "x", "y"])


def test_a_hostile_query_is_text():
    for step in trace_paired_bootstrap([0.1, 0.5], [0.3, 0.2], 50, names=[HOSTILE, "a"]):
        assert "<img" not in step.figure.svg


PLOTS = [
    lambda: differences({"q1": 0.3, "q2": -0.1, "q3": 0.0}),
    lambda: histogram([0.1, 0.2, 0.2, 0.4], interval=(0.1, 0.4), observed=0.2, title="标题 title", other=[0.1, 0.3]),
    lambda: histogram([1, 1, 1]),
    lambda: power_curve(0.0953, (0.02, 0.05)),
    lambda: curves({"BM25": [(10, 3), (1000, 9)], HOSTILE: [(10, 20), (1000, 30)]}, x="k", y="毫秒", log_x=True),
]


@pytest.mark.parametrize("language", relviz.locale.LANGUAGES)
@pytest.mark.parametrize("plot", PLOTS)
def test_plots_are_small_text_without_warnings_or_outside_references(plot, language):
    relviz.set_language(language)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = plot()
    root = ElementTree.fromstring(figure.svg)
    assert root.get("width") == "760"
    assert "<text" in figure.svg
    assert "<img" not in figure.svg
    assert figure.alt
    assert not re.search(r"(href|src)=\"(?!#)", figure.svg)
    assert "date" not in figure.svg
    assert "<style" not in figure.svg
    sizes = [float(size) for size in re.findall(r"font(?:-size)?[:=][^;>]*?([\d.]+)(?:px|\")", figure.svg)]
    assert sizes
    assert min(sizes) >= 12
    ids = re.findall(r' id="([^"]+)"', figure.svg)
    assert all(f"#{name}" in figure.svg for name in ids)
    assert len(figure.svg.encode()) < 16_000


def test_the_power_curve_holds_the_chapters_numbers():
    alt = power_curve(0.0953, (0.02, 0.05)).alt
    assert "179" in alt
    assert "29" in alt


def test_a_plot_leaves_matplotlib_as_it_was():
    import matplotlib

    before = dict(matplotlib.rcParams)
    histogram([1, 2, 3])
    assert dict(matplotlib.rcParams) == before


def test_matplotlib_waits_for_the_first_plot():
    code = "import sys, relviz.steps, relviz.draw; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_the_same_bytes_in_every_process():
    code = """
import hashlib, sys
sys.path.insert(0, "tools")
import figures, relviz
relviz.set_language("zh")
pictures = [step.figure for trace in figures.traces() for step in trace] + list(figures.plots())
print(hashlib.sha256("".join(p.svg + p.alt for p in pictures).encode()).hexdigest())
"""
    root = Path(__file__).parents[1]
    sums = set()
    for seed in "1", "2":
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(root), "PATH": "/usr/bin:/bin"}
        run = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        assert run.stderr == ""
        sums.add(run.stdout)
    assert len(sums) == 1
