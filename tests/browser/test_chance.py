"""The planner and the resampling machine in Chromium, by mouse and by keyboard alone."""

import re

import numpy as np
import pytest

from relviz import paired_bootstrap, queries_needed, sd_interval, set_language, unpaired_bootstrap
from relviz.widgets.planner import query_planner
from relviz.widgets.resampler import resampler

pytestmark = pytest.mark.browser

RNG = np.random.default_rng(9)
A = RNG.uniform(0.3, 1, 30).round(3)
B = (A + RNG.normal(0.02, 0.05, 30)).round(3)
HOSTILE = '<img src=x onerror="window.hit=1">'


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("sd", "queries"), [(0.09535, 40), (0.5, 1200)])
def test_the_planner_starts_with_the_words_of_python(show, language, sd, queries):
    set_language(language)
    out = query_planner(sd, queries=queries)
    page = show(out)
    for sentence in page.locator(".rv-says p").all_inner_texts():
        assert sentence in out.text


def test_the_planner_follows_fields_and_sliders(show):
    page = show(query_planner(0.09535))
    page.get_by_role("spinbutton", name="Difference to detect").fill("0.05")
    assert page.locator(".rv-answer").inner_text() == f"{queries_needed(0.09535, 0.05)} queries"
    page.get_by_role("slider", name="Queries the sd was measured on").focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    seen = int(page.get_by_role("spinbutton", name="Queries the sd").input_value())
    assert seen > 30
    low, high = (queries_needed(sd, 0.05) for sd in sd_interval(0.09535, seen))
    assert page.locator(".rv-range").inner_text() == f"somewhere from {low} to {high}"
    assert f"from {low} to {high}" in page.locator("[aria-live]").text_content()


def test_the_planner_says_what_a_field_takes(show):
    page = show(query_planner(0.09535))
    before = page.locator(".rv-answer").inner_text()
    for name, wrong in {"Power": "1.2", "Difference to detect": "-1", "Queries the sd": "2.5"}.items():
        page.get_by_role("spinbutton", name=name).fill(wrong)
        assert page.locator(".rv-bad:not(:empty)").last.is_visible()
    assert page.locator(".rv-bad:not(:empty)").count() == 3
    assert page.locator(".rv-answer").inner_text() == before


def numbers(page, side):
    text = page.locator(f".rv-{side} .rv-interval").inner_text()
    return [float(x) for x in re.findall(r"[+-]\d\.\d{4}", text)]


def test_the_machine_draws_once_a_hundred_times_and_to_the_end(show):
    page = show(resampler(A, B, measure=HOSTILE))
    page.get_by_role("button", name="Resample once").focus()
    page.keyboard.press("Enter")
    assert page.locator(".rv-count").inner_text() == "1 of 10,000 resamples"
    assert page.locator(".rv-paired circle").count() == 30
    assert page.locator(".rv-unpaired circle").count() == 60
    page.get_by_role("button", name="100 times").press(" ")
    assert page.locator(".rv-count").inner_text() == "101 of 10,000 resamples"
    page.get_by_role("button", name="To the end").click()
    page.get_by_text("10,000 of 10,000").wait_for(timeout=30_000)
    spread = np.std(B - A) / np.sqrt(30)
    np.testing.assert_allclose(numbers(page, "paired"), paired_bootstrap(A, B), atol=0.15 * spread)
    wide = np.sqrt((np.var(A) + np.var(B)) / 30)
    np.testing.assert_allclose(numbers(page, "unpaired"), unpaired_bootstrap(A, B), atol=0.15 * wide)
    assert "times as wide" in page.locator(".rv-verdict").inner_text()
    assert page.evaluate("window.hit") is None
    first = numbers(page, "paired")
    page.get_by_role("button", name="Start again").click()
    assert page.locator(".rv-verdict").inner_text() == ""
    page.get_by_role("button", name="To the end").click()
    page.get_by_text("10,000 of 10,000").wait_for(timeout=30_000)
    assert numbers(page, "paired") == first  # the same seed, the same draws


def test_reduced_motion_goes_to_the_end_at_once(show):
    page = show(resampler(A, B), reduced_motion="reduce")
    page.get_by_role("button", name="To the end").click()
    assert page.locator(".rv-count").inner_text() == "10,000 of 10,000 resamples"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [380, 1280])
def test_no_violation_and_no_sideways_scroll(show, axe, language, dark, width):
    set_language(language)
    page = show(query_planner(0.1), resampler(A, B), width=width, dark=dark)
    page.locator(".rv-hundred").click()
    page.locator("input[type=number]").nth(0).fill("-1")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bare = page.evaluate("""[...document.querySelectorAll('.relviz :is(button, input, select, [tabindex])')]
        .filter((e) => e.dataset.lmSuppressShortcuts !== 'true').map((e) => e.outerHTML)""")
    assert bare == []
    sizes = page.evaluate("""[...document.querySelectorAll('.relviz svg text')].map((e) =>
        parseFloat(getComputedStyle(e).fontSize) * e.ownerSVGElement.getScreenCTM().a)""")
    assert min(sizes) >= 12
