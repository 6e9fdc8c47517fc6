"""Pictures on a telephone, in a half window and on a desktop: what fits, what scrolls, and whether one can see it."""

from types import SimpleNamespace

import pytest

from relviz import draw, set_language

pytestmark = pytest.mark.browser

ROOM = """[...document.querySelectorAll("div[tabindex]")].map((frame) =>
    [frame.scrollWidth > frame.clientWidth, frame.lastChild.offsetWidth])"""


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("width", "with_a_narrow_form", "without"), [(380, False, True), (700, True, True), (1280, False, False)]
)
def test_what_does_not_fit_scrolls_and_a_shadow_says_so(show, language, width, with_a_narrow_form, without):
    set_language(language)
    values = {f"q{n:02}": (n - 12) / 100 for n in range(30)}
    worth = {"k = 0": [(1, 1), (10, 0.1)], "k = 1000": [(1, 1), (10, 0.99)]}
    figures = [
        draw.differences(values),
        draw.queries([draw.Band("B - A", list(values.values()), mean=0.02)], list(values)),
        draw.curves(worth, x="rank", y="(k + 1) / (k + rank)"),
        draw.lists([draw.Panel("A", [draw.Row("BUG-118", 2, "2 / 1 = 2", [2.0])])]),
    ]
    page = show(*(SimpleNamespace(html=f._repr_mimebundle_()["text/html"]) for f in figures), width=width)
    page.wait_for_function("[...document.images].every((image) => image.naturalWidth > 0)")
    expected = [with_a_narrow_form] * 3 + [without]
    assert page.evaluate(ROOM) == [[scrolls, 32 * scrolls] for scrolls in expected]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
