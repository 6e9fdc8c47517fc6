"""Pictures of values: what they say in words, and that they are well-formed whatever the data."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from pictures import outside, overlaps

import relviz
from relviz import draw
from relviz.draw.canvas import measure, wrap
from relviz.draw.figure import NARROW
from relviz.draw.intervals import Interval, intervals, profile


@pytest.fixture(autouse=True, params=relviz.locale.LANGUAGES)
def language(request):
    relviz.set_language(request.param)
    yield request.param
    relviz.set_language("en")


def test_differences_counts_and_lists():
    figure = draw.differences({"q1": 0.25, "q2": -0.125, "q3": 0.0, "q4": 1e-12, "q5": -0.5})
    shown = ["".join(t.itertext()) for t in ElementTree.fromstring(figure.svg).iter() if t.tag.endswith("}text")]
    assert [t for t in shown if re.fullmatch(r"q\d", t)] == ["q5", "q2", "q1"]
    assert [t for t in shown if re.fullmatch(r"[+-]\d\.\d{3}", t)] == ["-0.500", "-0.125", "+0.250"]
    assert [int(re.search(r"\d+", t)[0]) for t in (shown[0], shown[1])] == [2, 1]
    assert any("-0.075" in t for t in shown)
    for words in ("q5 -0.500", "q2 -0.125", "q1 +0.250", "-0.075", "2", "1"):
        assert words in figure.alt


def test_differences_up_is_right_of_zero_and_down_is_left():
    tree = ElementTree.fromstring(draw.differences({"up": 0.2, "down": -0.1}).svg)
    lines = [p.get("d") for p in tree.iter() if p.get("stroke-width") == "3"]
    (zero, down), (same, up) = (map(float, re.findall(r"M([\d.]+) \d+H([\d.]+)", d)[0]) for d in lines)
    assert zero == same
    assert up - zero == pytest.approx(2 * (zero - down), abs=0.2)


def test_the_longest_loss_leaves_room_for_the_name_of_its_query():
    tree = ElementTree.fromstring(draw.differences({"q18": -0.233, "q17": 0.2}).svg)
    drawn = [t for t in tree.iter() if t.tag.endswith("}text")]
    texts = [("".join(t.itertext()), float(t.get("x")), t.get("text-anchor")) for t in drawn]
    name = next(x + measure(text, 15) for text, x, _ in texts if text == "q18")
    assert next(x - measure(text, 13) for text, x, anchor in texts if text == "-0.233" and anchor == "end") > name


@pytest.mark.parametrize("name", ["a long query id number {}", "查询编号很长很长很长很长很长很长{}"])
def test_a_long_query_name_and_a_loss_do_not_meet(name):
    figure = draw.differences({name.format(i): (i - 7) / 20 for i in range(14)})
    assert not overlaps(figure)
    assert not outside(figure)


@pytest.mark.parametrize("values", [{"q1": 0.0}, {"<img src=x onerror=alert(1)>&\"'\x00": 0.5, "查询": -1e6}])
def test_differences_stays_well_formed(values):
    figure = draw.differences(values)
    ElementTree.fromstring(figure.svg)
    assert figure == draw.differences(dict(reversed(values.items())))
    assert min(float(size) for size in re.findall(r'font-size="([^"]+)"', figure.svg)) >= 12


def test_differences_of_nothing():
    with pytest.raises(ValueError, match="values"):
        draw.differences({})


def test_queries_takes_an_array():
    values = np.array([-0.2, 0.0, 0.3])
    assert draw.queries([draw.Band("B - A", values)], list("abc")) == draw.queries(
        [draw.Band("B - A", values.tolist())], list("abc")
    )


# ---------- narrow pages ----------

VALUES = [-0.233, -0.026, 0.0, 0.018, 0.283]
NAMES = [f"q{n}" for n in range(5)]
FIGURES = {
    "differences": lambda: draw.differences(dict(zip(NAMES, VALUES))),
    "queries": lambda: draw.queries([draw.Band("nDCG@5: B - A", VALUES * 8, mean=0.008)], NAMES * 8),
    "curves": lambda: draw.curves(
        {"k = 1000": [(1, 1), (10, 0.99)], "k = 0": [(1, 1), (10, 0.1)]}, x="rank", y="worth"
    ),
    "histogram": lambda: draw.histogram(VALUES, interval=(-0.012, 0.055), observed=0.018, title="10,000 resamples"),
    "power_curve": lambda: draw.power_curve(0.0953, [0.02, 0.05]),
    "intervals": lambda: intervals([Interval('nDCG(gain="exp")@10', 0.01, -0.2, 0.3, False)], "B - A: " + "words " * 9),
    "cells": lambda: draw.cells(list("ABCDEFGH"), [0.5, 1] * 4, (4, 8), then=(2, 6)),
    "profile": lambda: profile(VALUES, "B - A，nDCG@5，每条查询一根柱子，从低到高排好"),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_narrow_page_gets_a_narrow_picture_that_says_the_same(name):
    figure = FIGURES[name]()
    narrow = figure.narrow()
    assert narrow.alt == figure.alt
    root = ElementTree.fromstring(narrow.svg)
    assert float(root.get("width")) == NARROW
    sizes = re.findall(r'font-size="([\d.]+)"|font(?:-size)?: (?:bold |\d+ )?([\d.]+)px', narrow.svg)
    assert min(float(size) for pair in sizes for size in pair if size) >= 12
    for text in (t for t in root.iter() if t.tag.endswith("}text") and t.get("x") and "style" not in t.attrib):
        anchor, long = (
            text.get("text-anchor", "start"),
            measure("".join(text.itertext()), float(text.get("font-size", 14))),
        )
        start = float(text.get("x")) - {"start": 0, "middle": 0.5, "end": 1}[anchor] * long
        assert start >= -2
        assert start + long <= NARROW + 2


def test_the_end_of_an_interval_at_the_edge_is_not_crossed_out():
    span = (-0.25, 0.25)  # as a trace gives it, with room for the wide form only
    narrow = draw.histogram([-0.2, 0.0, 0.2], interval=(-0.1, 0.2), span=span).narrow().svg
    line = float(re.search(r'd="M[\d.]+ ([\d.]+)H[\d.]+M', narrow)[1])
    foot = float(re.search(r'y="([\d.]+)"[^>]*>\+0.200<', narrow)[1])
    assert foot - 12 > line


def test_a_row_too_long_for_a_narrow_page_scrolls():
    for docs in ([f"{n}" for n in range(11)], ["BUG-118", "B"]):
        assert draw.cells(docs, [1] * len(docs)).narrow is None


def test_the_frame_of_a_picture_shows_both_forms_and_hides_nothing_from_a_reader():
    figure = draw.differences({"q1": 0.5})
    html = figure._repr_mimebundle_()["text/html"]
    assert html.index(f'srcset="{figure.narrow().data_url.replace(" ", "%20")}"') < html.index(
        f'<img src="{figure.data_url}"'
    )
    assert html.count("alt=") == html.count("<img") == 1
    alone = draw.lists([draw.Panel("A", [draw.Row("d1", 2)])])
    assert "<picture" not in alone._repr_mimebundle_()["text/html"]


def test_a_title_is_broken_where_words_end():
    words = "B - A，nDCG@5，每条查询一根柱子，from lowest to highest"
    lines = wrap(words, 120, 14)
    assert len(lines) > 1
    assert "".join(lines) == words
    assert not any(line.startswith(tuple("，。：）")) for line in lines)
    assert wrap("one", 5, 14) == ["one"]
