"""What holds for all widgets alike; and a picture of each to look at, kept in artefacts/screens."""

import gallery
import pytest
from sample import speaking

from bench import SCREENS, SIZES_OF_WORDS, complaints, export_html, notebook, offline, screenshot
from relviz.steps import trace_unpaired_bootstrap
from relviz.widgets.player import player

pytestmark = pytest.mark.browser


def use(page) -> None:
    """Every widget in the middle of its work: that is where pictures go wrong."""
    for _ in range(3):
        page.locator(".relviz-player .rv-next").click()
    page.locator(".rv-eye").nth(3).click()
    page.locator(".relviz-planner input[type=number]").nth(1).fill("0.03")
    page.locator(".rv-hundred").click()
    page.locator(".relviz-quiz .rv-option").nth(0).click()
    page.locator(".relviz-quiz .rv-option").nth(2).click()
    page.locator(".rv-cards .rv-option").nth(2).click()
    page.mouse.move(0, 0)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [380, 1280])
def test_every_widget_has_its_picture(browser, tmp_path, language, theme, width):
    with speaking(language):
        content = notebook(*gallery.KINDS, outputs=lambda kind: gallery.widget(kind)._repr_mimebundle_())
    with offline(browser, viewport={"width": width, "height": 760}, reduced_motion="reduce") as context:
        page = context.new_page()
        heard = complaints(page)
        page.goto(export_html(content, tmp_path / "page.html", theme))
        roots = page.locator("[data-relviz][data-live]")
        assert roots.count() == len(gallery.KINDS)
        use(page)
        for kind, root in zip(gallery.KINDS, roots.all()):
            assert root.get_attribute("lang") == {"en": "en", "zh": "zh-Hans"}[language]
            box = root.bounding_box()
            assert 0 <= box["x"] < box["x"] + box["width"] <= width, kind
            root.screenshot(path=SCREENS / f"{kind}-{language}-{theme}-{width}.png")
        if width == 1280:
            page.locator(".rv-enlarge").click()
            screenshot(page, f"player-{language}-{theme}-{width}-enlarged")
        assert heard == []


@pytest.mark.parametrize("width", [380, 960, 1280])
def test_words_have_one_size_in_an_exported_notebook(browser, tmp_path, width):
    content = notebook(*gallery.KINDS, outputs=lambda kind: gallery.widget(kind)._repr_mimebundle_())
    with offline(browser, viewport={"width": width, "height": 760}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(export_html(content, tmp_path / "page.html"))
        use(page)
        for kind, root in zip(gallery.KINDS, page.locator("[data-relviz][data-live]").all()):
            sizes = root.evaluate(SIZES_OF_WORDS)
            assert [words for words in sizes if words[0] < 12] == [], kind
            if kind in ("planner", "resampler"):  # drawn for the width there is, not for another and stretched
                assert {size <= 16 for size, drawn, _ in sizes if drawn} == {True}, kind
        sides = [side.bounding_box() for side in page.locator(".rv-side-title").all()]
        assert (sides[0]["y"] == sides[1]["y"]) == (width >= 960)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_without_scripts_every_widget_leaves_something_to_read(show, language):
    with speaking(language):
        shown = [gallery.widget(kind) for kind in gallery.KINDS]
    page = show(*shown, java_script_enabled=False, width=380)
    assert page.locator("[data-live]").count() == 0
    for kind, root, out in zip(gallery.KINDS, page.locator("[data-relviz]").all(), shown):
        box = root.bounding_box()
        assert box["x"] + box["width"] <= 380, kind
        title, *lines = root.inner_text().splitlines()
        assert title == out.text.splitlines()[0]
        assert sum(line.strip() != "" for line in lines) >= 4, kind
        root.screenshot(path=SCREENS / f"{kind}-{language}-without-scripts.png")


def test_a_widget_below_changes_nothing(show):
    """Each brings the shared style sheet again, and it must not win over what stands above it."""
    page = show(*map(gallery.widget, gallery.KINDS[:5]), width=380)
    changed = page.evaluate("""() => {
        const looks = (root) => [root, ...root.querySelectorAll("*")].map((e) => {
            const { padding, margin, font, color, backgroundColor, border, maxWidth, minHeight, display, gap } =
                getComputedStyle(e);
            return `${e.className}: ${[padding, margin, font, color, backgroundColor, border, maxWidth, minHeight,
                display, gap]}`;
        });
        const main = document.querySelector("main");
        const roots = [...main.querySelectorAll("[data-relviz][data-live]")];
        return roots.map((root) => {
            main.replaceChildren(root);
            const alone = looks(root);
            main.append(...roots.filter((other) => other !== root));
            return looks(root).filter((look, i) => look !== alone[i]);
        });
    }""")
    assert changed == [[]] * 5


def test_a_button_that_does_nothing_looks_so_in_forced_colours(show):
    page = show(*map(gallery.widget, gallery.KINDS), forced_colors="active")
    found = page.evaluate("""() => {
        document.body.append(Object.assign(document.createElement("i"), { style: "color: GrayText" }));
        const gray = getComputedStyle(document.body.lastChild).color;
        const off = [...document.querySelectorAll(".relviz [aria-disabled=true]")];
        return off.map((e) => [e.closest("[data-relviz]").dataset.relviz, getComputedStyle(e).color === gray,
            getComputedStyle(e).borderTopColor === gray]);
    }""")
    assert {kind for kind, *_ in found} == {"player", "lab", "resampler", "quiz"}
    assert all(color and border for _, color, border in found), found
    live = page.locator(".relviz-player .rv-play").evaluate("e => getComputedStyle(e).color")
    assert live != page.locator(".relviz-player .rv-previous").evaluate("e => getComputedStyle(e).color")


SIZES = [(380, 760), (960, 540), (1366, 657), (1920, 1080)]  # 960 x 540 is a projector's 1920 x 1080 at 200 %
TEXT = """(svg) => [...svg.querySelectorAll("text")].map((e) =>
    parseFloat(getComputedStyle(e).fontSize) * svg.getScreenCTM().a)"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["flat", "tall"])
def test_enlarged_a_figure_is_never_smaller(show, size, name):
    scores = [[0.1 * (i % 7), 0.1 * (i % 5)] for i in range(30)]
    page = show(player(trace_unpaired_bootstrap(*zip(*scores), 200)) if name == "tall" else gallery.widget("player"))
    page.set_viewport_size(dict(zip(("width", "height"), size)))
    page.locator(".rv-next").click()
    picture, dialog = page.locator("figure svg"), page.locator("dialog")
    scale = "(svg) => svg.getScreenCTM().a"
    before = picture.evaluate(scale)
    page.locator(".rv-enlarge").click()
    after = picture.evaluate(scale)
    screenshot(page, f"enlarged-{name}-{size[0]}x{size[1]}")
    assert after >= before
    if size[0] > 1000:
        assert after > before or name == "tall"
    assert min(picture.evaluate(TEXT)) >= 12
    # All of it can be reached: the dialog scrolls, its figure scrolls sideways, and the controls stay in sight.
    page.locator("dialog .rv-keys").scroll_into_view_if_needed()
    page.wait_for_timeout(50)
    for part in (".rv-next", ".rv-keys"):
        box = dialog.locator(part).bounding_box()
        assert 0 <= box["y"] < box["y"] + box["height"] <= size[1], part
    assert dialog.evaluate("d => d.scrollWidth <= d.clientWidth")
