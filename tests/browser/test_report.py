"""The HTML report of compare(), opened from a file: it asks for nothing, fits and reads well; screenshots are kept."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from bench import complaints, offline, screenshot
from relviz import compare, set_language

pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="window.hacked=1"></script></style><script>window.hacked=1</script>'


@pytest.fixture(params=["en", "zh"])
def report(request, tmp_path):
    """Two runs against a baseline, on queries that rise, fall and stay, with an id that would be code."""
    places = {"old": [2, 1, 3, 4, 1, 2] * 4, "new": [1, 1, 1, 2, 2, 2] * 4, "other": [1, 2, 3, 4, 2, 1] * 4}
    runs = {name: {} for name in places}
    for name, ranks in places.items():
        for i, place in enumerate(ranks):
            runs[name][f"q{i:02}"] = [f"{HOSTILE} {j}" for j in range(1, place)] + ["文档-17", "x", "y"]
    queries = [f"q{i:02}" for i in range(24)]
    strata = {q: "log" if i % 3 else "hand" for i, q in enumerate(queries)}
    qrels = {q: {"文档-17": 2, "x": 0} for q in queries}
    texts = dict.fromkeys(queries, f"我收藏的文章列表显示错了 {HOSTILE}")
    others = {name: runs[name] for name in ("new", "other")}
    set_language(request.param)
    compare(runs["old"], others, qrels, ["nDCG@3", "RR@10"], strata=strata, queries=texts).to_html(tmp_path / "r.html")
    set_language("en")
    return request.param, (tmp_path / "r.html").as_uri()


@pytest.mark.parametrize("width", [380, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_stands_alone(browser, report, width, scheme):
    language, address = report
    with offline(browser, viewport={"width": width, "height": 900}, color_scheme=scheme) as context:
        page = context.new_page()
        heard, asked = complaints(page), []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        assert [url for url in asked if not url.startswith("data:")] == [address]
        assert heard == []
        assert page.evaluate("window.hacked") is None
        assert HOSTILE in page.inner_text("main")
        assert page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        size = (
            "Math.min(...[...document.querySelectorAll('main *')].map(e => parseFloat(getComputedStyle(e).fontSize)))"
        )
        assert page.evaluate(size) >= 12
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        screenshot(page, f"report-{language}-{width}-{scheme}", full_page=True)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("others", [["new"], ["new", "newer"]])
def test_a_table_of_hundreds_of_queries_is_seen_whole(browser, tmp_path, language, others):
    """Its longest cells: a p from a sample, and counts of three digits."""
    queries = [f"q{i:03}" for i in range(450)]

    def run(*places):
        return {q: [*(f"x{j}" for j in range(1, places[i % 3])), "r", "x8"] for i, q in enumerate(queries)}

    set_language(language)
    found = compare(run(2, 3, 2), dict.fromkeys(others, run(1, 4, 2)), {q: {"r": 1, "x8": 0} for q in queries})
    found.to_html(tmp_path / "r.html")
    set_language("en")
    for width in (380, 1280, 1920):
        with offline(browser, viewport={"width": width, "height": 900}) as context:
            page = context.new_page()
            page.goto((tmp_path / "r.html").as_uri())
            table = page.locator(".rr-scroll").first
            narrow = width == 380
            assert table.evaluate("e => e.scrollWidth > e.clientWidth") == narrow
            assert page.locator(".rr-cue").first.is_visible() == narrow
            if (
                narrow
            ):  # a head that breaks into lines stands under an empty strip while its last cells are out of sight
                assert table.evaluate("e => e.querySelector('thead').offsetHeight") < 40
            screenshot(page, f"report-wide-{language}-{len(others)}-{width}", full_page=True)
