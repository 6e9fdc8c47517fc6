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
from pictures import outside, overlaps, words_of, wrong_sums

import relviz
from relviz.draw import curves, differences, histogram, power_curve
from relviz.draw.palette import BLUE, ORANGE
from relviz.significance import resampled_means, resamples
from relviz.steps import trace_paired_bootstrap, trace_randomization_test, trace_unpaired_bootstrap
from relviz.steps.trace import probability

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
    first, some, *whole = trace.steps[1:6]
    assert first.numbers["mean"] == values[drawn[0][0]]
    assert some.numbers["mean"] == pytest.approx(values[drawn[0][:5]].mean(), abs=1e-15)
    for step, dots in ((first, 1), (some, 5)):  # the first resample on its way: the same dots, fewer of them
        assert _dots(step.figure.svg) == _dots(whole[0].figure.svg)[:dots]
    for i, step in enumerate(whole):
        assert step.numbers["mean"] == means[i]
        dots = _dots(step.figure.svg)
        assert len(dots) == 30
        column = {x: place for place, x in enumerate(sorted(set(_columns(step.figure.svg)), key=float))}
        ordered = np.sort(values)
        assert ordered[[column[x] for x in dots]].mean() == pytest.approx(means[i], abs=1e-12)


def _dots(svg: str) -> list[str]:
    return re.findall(r'data-key="query drawn:\d+" transform="translate\(([\d.]+),', svg)


def _columns(svg: str) -> list[str]:
    return re.findall(r'data-key="query:[^"]+" transform="translate\(([\d.]+),', svg)


def test_the_chapters_intervals_and_p():
    assert trace_paired_bootstrap(A, B).value == pytest.approx((-0.012, 0.055), abs=0.002)
    trace = trace_randomization_test(A, B)
    assert trace.steps[-1].numbers["exact p"] == pytest.approx(0.310, abs=0.003)


def test_a_significant_result_is_on_every_axis():
    """Thirty queries that all improve: no flip reaches the observed mean, which is when it must be seen."""
    rng = np.random.default_rng(0)
    a = rng.uniform(0.2, 0.8, 30)
    b = a + np.abs(rng.normal(0.05, 0.03, 30))
    mean = f"{(b - a).mean():.3f}"
    trace = trace_randomization_test(a, b)
    growing = trace.steps[-3:]
    for step in growing:
        shown = {line.text: line for line in words_of(step.figure)}
        assert {f"observed +{mean}", f"-{mean}"} <= set(shown)
        assert not outside(step.figure)
    assert len({_numbers_below(step.figure) for step in growing}) == 1
    assert trace.value == pytest.approx(1 / 10_001)
    assert "p = (0 + 1)/(10,000 + 1) = 0.0001:" in growing[-1].words
    assert "p = 0.00009999" in str(trace)


def _numbers_below(figure) -> tuple[str, ...]:
    """The numbers of the axis, with their places."""
    lines = words_of(figure)
    return tuple(f"{w.text} {w.left:.1f}" for w in lines if w.y == max(line.y for line in lines))


@pytest.mark.parametrize(
    ("p", "written"), [(0.31, "0.310"), (0.001, "0.001"), (0.00099, "0.001"), (2 / 2**20, "0.000002")]
)
def test_no_p_is_printed_as_0(p, written):
    assert probability(p) == written


def test_the_exact_test_has_a_picture_of_its_own():
    trace = trace_randomization_test(A, B)
    flips, exact = trace.steps[-2:]
    assert flips.figure != exact.figure
    assert "16,384" in exact.figure.alt  # 2 to the 14 patterns
    assert "5,074" in exact.words  # of them reach the observed mean: 0.310 by the chapter
    assert pytest.approx(exact.numbers["exact p"], abs=1e-15) == 5074 / 16384


def test_what_lies_as_far_out_as_observed_is_drawn_apart():
    figure = histogram([-3, -2, -1, 0, 0, 1, 2, 3], observed=2.0, both_sides=True)
    paths = ElementTree.fromstring(figure.svg).iter("{http://www.w3.org/2000/svg}path")
    bars = {path.get("fill"): path.get("d") for path in paths if path.get("fill") in (BLUE, ORANGE)}
    # 72 of 720 pixels are left free at both ends, so that 6 units take 576 and 0 lies at 380.
    edges = [380 - 96 * 2, 380 + 96 * 2]
    steps = [(float(y), float(x)) for y, x in re.findall(r"V([\d.]+)H([\d.]+)", bars[ORANGE])]
    foot = max(y for y, _ in steps)
    inside = [y for y, x in steps if edges[0] + 1 < x <= edges[1] + 1]
    assert set(inside) == {foot}, "nothing orange between the two observed values"
    assert sum(y < foot for y, _ in steps) == 4


def test_the_ends_of_a_wide_interval_stay_in_the_frame():
    trace = trace_paired_bootstrap([0.5, 0.2, 0.6], [0.7, 0.1, 0.6], 2000)
    for step in trace:
        assert not outside(step.figure)
        assert not overlaps(step.figure)
    assert {"-0.100", "+0.200"} <= {line.text for line in words_of(trace.steps[-1].figure)}


def test_scores_drawn_apart_stand_on_one_scale_and_grow_as_the_paired_ones():
    a, b = [0.2, 0.4, 0.4], [0.4, 0.9, 0.2]
    trace = trace_unpaired_bootstrap(a, b, 2000)
    stems = dict(re.findall(r'data-key="([AB]:q\d)" transform="[^"]+" d="M0 0v([\d.]+)', trace.steps[0].figure.svg))
    assert stems["A:q2"] == stems["A:q3"] == stems["B:q1"]
    assert stems["A:q1"] == stems["B:q3"]
    titles = [words_of(step.figure)[0].text for step in trace.steps[-4:]]
    assert titles == [f"Mean difference of {n} resamples" for n in ("100", "1,000", "2,000", "2,000")]


def test_nothing_jumps_while_queries_are_drawn():
    """Titles, scores and names stand where they stood; only dots and the line of the result change."""
    for trace in (trace_paired_bootstrap(A, B), trace_unpaired_bootstrap(A, B)):
        drawing = trace.steps[1:6]
        still = [{(w.text, w.y) for w in words_of(s.figure) if "mean" not in w.text} for s in drawing]
        assert len(set(map(frozenset, still))) == 1


@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("language", relviz.locale.LANGUAGES)
def test_all_words_of_large_traces_stay_inside(n, language):
    relviz.set_language(language)
    rng = np.random.default_rng(1)
    a = rng.random(n)
    b = np.clip(a + rng.normal(0.02, 0.1, n), 0, 1)
    for trace_of in (trace_paired_bootstrap, trace_unpaired_bootstrap, trace_randomization_test):
        trace = trace_of(a, b)
        assert not wrong_sums(trace)
        for step in trace:
            assert not outside(step.figure)


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
    lambda: power_curve(0.3, (0.05, 0.005, 0.01)),
    lambda: power_curve(0.1, (0.02, 0.01, 0.05, 0.04, 0.03)),
    lambda: curves({"BM25": [(10, 3), (1000, 9)], HOSTILE: [(10, 20), (1000, 30)]}, x="k", y="毫秒", log_x=True),
    lambda: curves({"once": [(30, 0.05), (200, 0.04)], "ever": [(30, 0.05), (200, 0.2)]}, x="n", y="占比", level=0.05),
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
    assert len(figure.svg.encode()) < 30_000
    assert not outside(figure)
    assert not overlaps(figure)


def test_the_power_curve_holds_the_chapters_numbers():
    alt = power_curve(0.0953, (0.02, 0.05)).alt
    assert "179" in alt
    assert "29" in alt


@pytest.mark.parametrize(("sd", "deltas"), [(0.0953, (0.02, 0.05)), (0.3, (0.05, 0.005, 0.01)), (0.3, (0.1,))])
def test_the_power_curve_is_smooth_and_has_few_ticks(sd, deltas):
    root = ElementTree.fromstring(power_curve(sd, deltas).svg)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    ticks = [float(text.replace(",", "")) for text in texts if re.fullmatch(r"[\d,]+", text)]
    assert 3 <= len(ticks) <= 8
    # Between two neighbours of a kinked line the slope jumps; 100 points and more leave no corner.
    curves = [path.get("d") for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("d").count("L") > 40]
    assert len(curves) == len(deltas)
    for curve in curves:
        points = np.array([[float(x), float(y)] for x, y in re.findall(r"([\d.]+) ([\d.]+)", curve)])
        assert (np.diff(points[:, 1]) <= 1e-6).all()
        points = points[
            (points[:, 0] > 300) & (np.diff(points[:, 0], prepend=0) > 0)
        ]  # left of that, whole n lie apart
        steep = np.diff(points[:, 1]) / np.diff(points[:, 0])
        assert np.abs(np.diff(steep)).max() < 0.2


def test_shares_and_what_was_promised_of_them_are_read_in_per_cent_from_0():
    figure = curves({"a": [(30, 0.05), (200, 0.216)]}, x="n", y="share", level=0.05)
    texts = [element.text for element in ElementTree.fromstring(figure.svg).iter("{http://www.w3.org/2000/svg}text")]
    assert [text for text in texts if text.endswith("%")] == ["0%", "5%", "10%", "15%", "20%"]
    assert "200: 22%" in figure.alt
    assert figure.alt.endswith("dashed: 5%")


def test_a_plot_leaves_matplotlib_as_it_was():
    import matplotlib

    before = dict(matplotlib.rcParams)
    curves({"a": [(1, 2), (3, 4)]}, x="x", y="y")
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
