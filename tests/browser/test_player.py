"""The step player where readers meet it: both notebook applications, an exported page, and slides."""

import json
import re

import gallery
import pytest
import sample
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect
from sample import speaking

from bench import PLACES, complaints, export_html, notebook, offline, opened, screenshot, work_of
from relviz.steps import trace_sliding_window
from relviz.widgets.player import player

pytestmark = pytest.mark.browser

SOURCES = ("import sample\nsample.trace()", "sample.trace(('p', 'q', 'r'), count=12)", "sample.hostile()")
PLAYERS = 3
NOTEBOOKS = ["lab", "notebook"]


def bundle(source: str) -> dict:
    """What a cell of SOURCES shows."""
    return eval(source.splitlines()[-1], {"sample": sample})._repr_mimebundle_()


@pytest.fixture(scope="module", params=PLACES)
def place(request, browser, tmp_path_factory):
    """A page with the players, opened once for all tests of the place."""
    with opened(request, browser, tmp_path_factory.mktemp("export"), SOURCES, bundle) as (page, heard):
        expect(page.locator(".rv-card")).to_have_count(PLAYERS)
        page.heard, page.place = heard, request.param
        yield page
        assert heard == []


def the(page: Page, n: int = 0) -> Locator:
    """The n-th player, at its first step and still."""
    root = page.locator(".relviz-player").nth(n)
    if "slides.html" in page.url:
        page.evaluate(f"location.hash = '#/{n}'")
    root.scroll_into_view_if_needed()
    root.locator("figure").focus()
    page.keyboard.press("Home")
    at(root, 1)
    return root


def at(root: Locator, step: int) -> None:
    expect(root.locator(".rv-caption .rv-position")).to_have_text(re.compile(rf"^Step {step} of "))


def press(root: Locator, name: str) -> None:
    root.get_by_role("button", name=name, exact=True).click()


# ---------- in every place ----------


def test_the_mouse_alone(place):
    root = the(place)
    press(root, "Next")
    press(root, "Next")
    at(root, 3)
    expect(root.locator(".rv-caption")).to_contain_text("EXP-05 stands first")
    expect(root.locator("figure svg")).to_have_attribute("aria-label", "EXP-05, BUG-118, REQ-09; sum 0.4286.")
    press(root, "Previous")
    at(root, 2)
    press(root, "All steps")
    expect(root.locator("ol > li")).to_have_count(5)
    expect(root.locator("ol > li").last).to_be_visible()
    expect(root.locator("figure")).to_be_hidden()
    press(root, "One at a time")
    expect(root.locator("ol")).to_be_hidden()
    press(root, "Enlarge")
    dialog = root.get_by_role("dialog")
    expect(dialog).to_be_visible()
    press(dialog, "Next")
    at(root, 3)
    press(dialog, "Close")
    expect(dialog).to_be_hidden()
    at(root, 3)


def test_the_keyboard_alone(place):
    root = the(place)
    keys = place.keyboard
    for key, step in [
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", 5),
        ("ArrowRight", 5),
        ("Home", 1),
    ]:
        keys.press(key)
        at(root, step)
        expect(root.locator("figure")).to_be_focused()  # stepping does not move the focus
    keys.press("Space")
    expect(root.get_by_role("button", name="Pause")).to_be_visible()
    keys.press("Space")
    expect(root.get_by_role("button", name="Play", exact=True)).to_be_visible()
    # From the figure back through the controls.
    keys.press("Shift+Tab")
    expect(root.locator(".rv-enlarge")).to_be_focused()
    keys.press("Enter")
    expect(root.get_by_role("dialog")).to_be_visible()
    keys.press("ArrowRight")
    at(root, 2)
    keys.press("Escape")
    expect(root.get_by_role("dialog")).to_be_hidden()
    expect(root.locator(".rv-enlarge")).to_be_focused()  # the focus returns
    keys.press("Shift+Tab")
    keys.press("Space")
    expect(root.locator("ol > li").first).to_be_visible()
    keys.press("Space")
    expect(root.locator("ol")).to_be_hidden()


def test_space_and_arrows_keep_their_meaning_on_controls(place):
    root = the(place)
    dwell = root.get_by_label("Each step")
    dwell.select_option("5")
    dwell.focus()
    place.keyboard.press("ArrowRight")
    at(root, 1)
    dwell.select_option("5")
    root.locator(".rv-next").focus()
    place.keyboard.press("Space")
    at(root, 2)
    expect(root.get_by_role("button", name="Play", exact=True)).to_be_visible()
    for keys in ("Control+ArrowRight", "Alt+End"):
        root.locator(".rv-previous").focus()
        place.keyboard.press(keys)
        at(root, 2)


def test_the_notebook_does_not_react(place):
    root = the(place)
    slides = place.evaluate("location.hash")
    cells = place.locator(".jp-Cell").count()
    selected = place.evaluate("[...document.querySelectorAll('.jp-Cell')].findIndex(c => c.matches('.jp-mod-active'))")
    for target in ("figure", ".rv-previous", ".rv-play", ".rv-next", "select", ".rv-all", ".rv-enlarge"):
        root.locator(target).focus()
        for key in ("ArrowLeft", "ArrowRight", "Home", "End"):
            place.keyboard.press(key)
        if place.place in NOTEBOOKS:
            for key in ("a", "b", "d", "d", "ArrowUp", "ArrowDown"):
                place.keyboard.press(key)
    assert place.locator(".jp-Cell").count() == cells
    assert selected == place.evaluate(
        "[...document.querySelectorAll('.jp-Cell')].findIndex(c => c.matches('.jp-mod-active'))"
    )
    assert place.evaluate("location.hash") == slides
    for focusable in [root, *root.locator("[tabindex], button, select").all()]:
        expect(focusable).to_have_attribute("data-lm-suppress-shortcuts", "true")


def test_a_click_leaves_the_focus_in_the_player_and_tab_leaves_it(place):
    root = the(place)
    root.locator(".rv-caption").click()
    assert root.evaluate("root => root.contains(document.activeElement)")
    place.keyboard.press("ArrowRight")
    at(root, 2)
    for _ in range(9):
        place.keyboard.press("Tab")
    assert not root.evaluate("root => root.contains(document.activeElement)")


def test_two_players_do_not_disturb_each_other(place):
    second = the(place, 1)
    place.keyboard.press("End")
    at(second, 12)
    first = the(place)
    press(first, "Next")
    at(first, 2)
    at(second, 12)
    ids = place.evaluate("[...document.querySelectorAll('.relviz [id]')].map(e => e.id)")
    assert len(ids) == len(set(ids)) > 0
    for card in first.locator("figure svg [data-key] rect[fill^=url]").all():
        target = card.get_attribute("fill")[4:-1]
        assert first.locator(f"figure svg {target}").count() == 1


def test_hostile_text_shows_as_text(place):
    root = the(place, 2)
    for part in (".rv-title", ".rv-caption .rv-step", ".rv-caption .rv-words"):
        expect(root.locator(part)).to_contain_text('<img src=x onerror="window.hacked=1"></script><!--')
    assert root.locator("figure svg").get_attribute("aria-label").startswith(sample.HOSTILE)
    assert sample.HOSTILE in root.locator("figure svg").text_content()
    assert place.evaluate("window.hacked") is None
    assert root.locator("figure img").count() == 0


def test_a_narrow_window(place):
    root = the(place)
    screenshot(place, f"player-{place.place}-1280")
    sidebar = place.locator(".jp-SideBar.jp-mod-left .lm-TabBar-tab.lm-mod-current")
    if place.place == "lab":
        sidebar.click()  # as anybody would on a narrow window
    place.set_viewport_size({"width": 380, "height": 800})
    try:
        the(place)
        box = root.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 380
        screenshot(place, f"player-{place.place}-380")
    finally:
        place.set_viewport_size({"width": 1280, "height": 900})


# ---------- the player itself, in a page of its own ----------


def show(context, *shown, dark: bool = False) -> Page:
    page = context.new_page()
    page.heard = complaints(page)
    body = "".join(s.html if hasattr(s, "html") else s for s in shown)
    page.set_content(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Players</title>'
        f'<body data-jp-theme-light="{str(not dark).lower()}"><main><h1>Players</h1>{body}</main>'
    )
    return page


def test_it_is_still_at_first_and_playing_stops_at_the_end(context):
    page = context.new_page()
    page.clock.install(time=0)
    page.set_content(player(sample.trace(count=3)).html)
    page.clock.pause_at(60)  # from here on time passes only when the test says so
    root = page.locator(".relviz-player")
    page.clock.run_for(60_000)
    at(root, 1)
    caption = root.locator(".rv-caption")
    expect(caption).to_have_attribute("aria-live", "polite")
    press(root, "Play")
    expect(caption).to_have_attribute("aria-live", "off")
    page.clock.run_for(5_100)
    at(root, 2)
    root.get_by_label("Each step").select_option("3 s")
    page.clock.run_for(5_100)
    at(root, 3)
    expect(caption).to_have_attribute("aria-live", "polite")
    page.clock.run_for(60_000)
    at(root, 3)
    press(root, "Play again")
    at(root, 1)
    page.clock.run_for(2_900)
    at(root, 1)
    page.clock.run_for(200)
    at(root, 2)
    press(root, "Previous")
    page.clock.run_for(60_000)
    at(root, 1)


def test_the_ends_say_so_and_keep_the_focus(context):
    page = show(context, player(sample.trace(count=2)))
    root = page.locator(".relviz-player")
    expect(root.locator(".rv-previous")).to_have_attribute("aria-disabled", "true")
    root.locator(".rv-next").focus()
    page.keyboard.press("Enter")
    expect(root.locator(".rv-next")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    at(root, 2)
    expect(root.locator(".rv-next")).to_be_focused()


def test_what_is_in_both_steps_glides_and_jumps_for_those_who_want_less_motion(context):
    page = show(context, player(sample.trace()))
    place = "document.querySelector('figure [data-key=\"REQ-09\"]').getBoundingClientRect().x"
    width = "document.querySelector('figure [data-key=bar]').getBoundingClientRect().width"
    halt = "for (const a of document.getAnimations()) { a.pause(); a.currentTime = TIME; }"
    before, narrow = page.evaluate(place), page.evaluate(width)
    page.locator(".rv-next").evaluate(f"button => {{ button.click(); {halt.replace('TIME', '0')} }}")
    assert page.evaluate(place) == pytest.approx(before, abs=0.5)
    assert page.evaluate(width) == pytest.approx(narrow, abs=0.5)
    page.evaluate(halt.replace("TIME", "200"))
    assert before - 250 < page.evaluate(place) < before
    page.evaluate("for (const a of document.getAnimations()) a.finish()")
    assert page.evaluate(place) == pytest.approx(before - 250, abs=0.5)
    assert page.evaluate(width) == pytest.approx(2 * narrow, abs=0.5)
    page.emulate_media(reduced_motion="reduce")
    page.locator(".rv-next").click()
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_at_380_pixels_the_figure_scrolls_and_the_page_does_not(browser, language):
    with speaking(language):
        shown = player(sample.trace())
    with offline(browser, viewport={"width": 380, "height": 800}) as context:
        page = show(context, shown)
        scroll = "n => [n.scrollWidth, n.clientWidth, n.scrollLeft]"
        assert page.locator("html").evaluate(scroll)[0] <= 380
        figure = page.locator("figure")
        inner, outer, _ = figure.evaluate(scroll)
        assert inner == 760 > outer
        figure.focus()
        page.keyboard.press("Shift+ArrowRight")
        assert figure.evaluate(scroll)[2] > 0
        page.keyboard.press("ArrowRight")
        assert figure.evaluate(scroll)[2] > 0, "the next step shows the same part"
        page.keyboard.press("Shift+ArrowLeft")
        assert figure.evaluate(scroll)[2] == 0
        for control in page.locator(".rv-card :is(button, select)").all():
            box = control.bounding_box()
            assert min(box["width"], box["height"]) >= 24
            assert box["x"] + box["width"] <= 380


@pytest.mark.parametrize(("width", "drawn"), [(380, 300), (1280, 760)])
def test_a_figure_with_a_narrow_form_fits_a_telephone(browser, width, drawn):
    shown = player(trace_sliding_window(list("ABCDEFGH"), "EDCBAFGH".index, 4, 2))
    with offline(browser, viewport={"width": width, "height": 800}) as context:
        page = show(context, shown)
        figure = page.locator("figure")
        figure.focus()
        for _ in shown.trace.steps:
            assert figure.evaluate("n => n.scrollWidth <= n.clientWidth")
            assert figure.locator("svg").evaluate("n => n.viewBox.baseVal.width") == drawn
            page.keyboard.press("ArrowRight")
        page.locator(".rv-all").click()
        image = page.locator("ol img").last
        assert image.evaluate("n => n.decode().then(() => n.naturalWidth)") == drawn


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_moves_under_the_pointer(context, language):
    with speaking(language):
        page = show(context, player(sample.trace()))
    sizes = set()
    for step in range(5):
        boxes = [page.locator(name).bounding_box() for name in (".rv-next", ".rv-enlarge", ".relviz-player")]
        sizes.add(json.dumps(boxes))
        if step < 4:
            page.locator(".rv-next").click()
    assert len(sizes) == 1, sizes


def test_paper_shows_every_step(context):
    page = show(context, player(sample.trace()))
    page.emulate_media(media="print")
    expect(page.locator("ol > li").last).to_be_visible()
    expect(page.locator(".rv-controls")).to_be_hidden()
    expect(page.locator("figure")).to_be_hidden()
    expect(page.locator(".rv-title")).to_be_visible()


@pytest.mark.parametrize("trace", [sample.trace(count=12), *gallery.largest().values()], ids=lambda t: t.title)
def test_a_key_press_costs_less_than_a_frame(context, trace):
    # What the clock says of it is measured by bench/player.py.
    page = show(context, player(trace))
    page.locator("figure").focus()
    keys = (len(trace) - 1) * ["ArrowRight"] + (len(trace) - 1) * ["ArrowLeft"]
    with work_of(page) as worked:
        for key in keys:
            page.keyboard.press(key)
        at(page.locator(".relviz-player"), 1)
        assert worked() / len(keys) < 16


# ---------- for everybody ----------


def violations(page: Page) -> str:
    results = Axe().run(page, context=".relviz")
    return "" if results.violations_count == 0 else results.generate_report()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_axe_finds_nothing(context, language, dark):
    with speaking(language):
        shown = player(sample.trace())
    page = show(context, shown, dark=dark)
    assert violations(page) == ""
    page.locator(".rv-next").click()
    page.wait_for_timeout(450)
    assert violations(page) == ""
    page.locator(".rv-all").click()
    assert violations(page) == ""
    page.locator(".rv-all").click()
    page.locator(".rv-enlarge").click()
    assert violations(page) == ""


def test_axe_finds_nothing_in_the_list_without_scripts(context):
    page = show(context, re.sub(r"(?s)<script>.*?</script>", "", player(sample.trace()).html))
    expect(page.locator("ol > li").first).to_be_visible()
    assert violations(page) == ""


def test_what_a_screen_reader_is_told(context):
    page = show(context, player(sample.trace(count=2)))
    expect(page.locator(".relviz-player")).to_match_aria_snapshot(
        """
        - group "How BUG-118 rises":
          - paragraph:
            - strong: How BUG-118 rises
          - button "Previous" [disabled]
          - button "Play"
          - button "Next"
          - text: Each step
          - combobox "Each step":
            - option "3 s"
            - option "5 s" [selected]
            - option "8 s"
            - option "15 s"
          - button "All steps"
          - button "Enlarge"
          - group "Figure":
            - img "BUG-118, REQ-09, EXP-05; sum 0.1429.": /1. BUG-118 .*/
          - paragraph: Step 1 of 2
          - paragraph:
            - strong: BUG-118 is looked at
          - paragraph: BUG-118 stands first, and the sum has grown to 0.1429.
          - paragraph: sum = 0.1429 documents seen = 1
          - paragraph: /With the focus in here/
        """
    )


def test_forced_colours_and_the_focus_ring(context):
    page = show(context, player(sample.trace()))
    page.emulate_media(forced_colors="active")
    for target in ("figure", ".rv-next", ".rv-play", "select"):
        page.locator(target).focus()
        page.keyboard.press("Shift")  # a key makes :focus-visible true
        style = page.locator(target).evaluate(
            "n => [getComputedStyle(n).outlineStyle, getComputedStyle(n).outlineOffset]"
        )
        assert style == ["solid", "-3px"], "visible, and inside the box"
    screenshot(page, "player-forced-colors")


@pytest.mark.parametrize("width", [380, 1280])
def test_all_steps_at_once_are_not_shrunk(context, width):
    page = show(context, player(sample.trace()))
    page.set_viewport_size({"width": width, "height": 800})
    press(page.locator(".relviz-player"), "All steps")
    assert set(page.locator("ol img").evaluate_all("all => all.map((i) => i.clientWidth / i.naturalWidth)")) == {1}
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert violations(page) == ""
    screenshot(page, f"player-all-steps-{width}")


# ---------- not trusted, no scripts ----------


def test_an_untrusted_clone_shows_the_list(browser, server):
    (server.folder / "clone.ipynb").write_text(json.dumps(notebook(*SOURCES, outputs=bundle)))
    with offline(browser) as context:
        page = server.open(context, "lab", "clone.ipynb")
        the_list_reads_well(page)
        assert page.locator(".rv-card").count() == 0
        screenshot(page, "player-untrusted")
        assert server.complaints[page] == []


def test_without_scripts_the_list_reads_well(browser, tmp_path):
    with offline(browser, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(export_html(notebook(*SOURCES, outputs=bundle), tmp_path / "page.html"))
        the_list_reads_well(page)
        screenshot(page, "player-without-scripts", full_page=True)


def the_list_reads_well(page: Page) -> None:
    first = page.locator("ol").filter(has_text="BUG-118").first
    first.scroll_into_view_if_needed()
    expect(first.locator("li")).to_have_count(5)
    for n, (item, step) in enumerate(zip(first.locator("li").all(), sample.trace().steps)):
        expect(item).to_contain_text(step.title)
        expect(item).to_contain_text(step.words.strip())
        expect(item).to_contain_text(f"{(n + 1) / 7:.4f}")
        expect(item.locator("img")).to_have_attribute("alt", step.figure.alt)
        assert item.locator("img").bounding_box()["height"] > 60
    expect(page.get_by_text("onerror").first).to_be_attached()


def test_python_and_the_reader_share_the_step(browser, server):
    cells = ("import sample\nfrom relviz.widgets.player import player", "live = player(sample.trace()).widget(); live")
    (server.folder / "live.ipynb").write_text(json.dumps(notebook(*cells, "live.index = 3", "print(live.index)")))
    with offline(browser) as context:
        page = server.open(context, "lab", "live.ipynb")
        server.run_all(page)
        root = page.locator(".relviz-player").first
        expect(page.locator(".relviz-player")).to_have_count(1)
        at(root, 4)
        expect(page.locator(".jp-OutputArea-output pre").last).to_have_text("3\n")
        press(root, "Previous")
        at(root, 3)
        root.get_by_label("Each step").select_option("3 s")
        press(root, "Play")
        at(root, 4)
        expect(root.locator(".rv-caption")).to_have_attribute("aria-live", "off")  # what it tells Python is no jump
        at(root, 5)
        page.locator(".jp-CodeCell").last.locator(".jp-Editor").click()
        page.keyboard.press("Control+Enter")
        expect(page.locator(".jp-OutputArea-output pre").last).to_have_text("4\n")
        assert server.complaints[page] == []
