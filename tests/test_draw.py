"""Pictures of values: what they say in words, and that they are well-formed whatever the data."""

import re
from xml.etree import ElementTree

import pytest

import relviz
from relviz import draw
from relviz.draw.canvas import measure


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


@pytest.mark.parametrize("values", [{"q1": 0.0}, {"<img src=x onerror=alert(1)>&\"'\x00": 0.5, "查询": -1e6}])
def test_differences_stays_well_formed(values):
    figure = draw.differences(values)
    ElementTree.fromstring(figure.svg)
    assert figure == draw.differences(dict(reversed(values.items())))
    assert min(float(size) for size in re.findall(r'font-size="([^"]+)"', figure.svg)) >= 12


def test_differences_of_nothing():
    with pytest.raises(ValueError, match="empty"):
        draw.differences({})
