"""Lab, quiz, planner and machine where readers meet them: both notebook applications, an exported page, and slides;
and all widgets in a notebook that was saved and opened again."""

import json

import gallery
import nbformat
import pytest
from playwright.sync_api import expect
from sample import speaking

from bench import PLACES, ROOT, SCREENS, SIZES_OF_WORDS, export_slides, notebook, offline, opened, screenshot
from relviz import set_language
from relviz.locale import say
from relviz.widgets.lab import ranking_lab
from relviz.widgets.planner import query_planner
from relviz.widgets.quiz import flash_cards, quiz
from relviz.widgets.resampler import resampler

pytestmark = pytest.mark.browser

SOURCES = (
    "from relviz.widgets.lab import ranking_lab\n"
    "ranking_lab(['a', 'b', 'c'], {'b': 2, 'c': 1}, 2, other=['b', 'c', 'a'])",
    "from relviz.widgets.planner import query_planner\nquery_planner(0.09535)",
    "from relviz.widgets.resampler import resampler\nresampler([0.2, 0.5, 0.9], [0.3, 0.5, 0.8], 500)",
    "from relviz.widgets.quiz import quiz\n"
    "quiz([{'text': 'Q', 'options': [{'text': 'x', 'why': 'w', 'right': True}, {'text': 'y', 'why': 'v'}]}])",
    "from relviz.widgets.quiz import flash_cards\n"
    "flash_cards([{'question': 'A', 'short': 's', 'long': 'l', 'trap': 't'}, "
    "{'question': 'B', 'short': 's', 'long': 'l', 'trap': 't'}])",
)
NAMES = {f.__name__: f for f in (ranking_lab, query_planner, resampler, quiz, flash_cards)}


def bundle(source: str) -> dict:
    set_language("en")
    return eval(source.splitlines()[-1], dict(NAMES))._repr_mimebundle_()


@pytest.fixture(scope="module", params=PLACES)
def place(request, browser, tmp_path_factory):
    with opened(request, browser, tmp_path_factory.mktemp("export"), SOURCES, bundle) as (page, heard):
        expect(page.locator("[data-relviz][data-live]")).to_have_count(len(SOURCES))
        page.place = request.param
        yield page
        assert heard == []


def slide(page, number):
    if page.place == "slides":
        page.evaluate(f"location.hash = '#/{number}'")


def cells(page):
    return page.locator(".jp-CodeCell").count()


def test_cards_move_with_the_keyboard_and_nothing_else_does(place):
    slide(place, 0)
    root = place.locator(".relviz-lab")
    card = root.locator(".rv-list-A .rv-doc").nth(1)
    card.scroll_into_view_if_needed()
    card.focus()
    before, where = cells(place), place.url
    for key in ["Enter", "ArrowUp", "Enter", "ArrowDown", "ArrowUp", "b", "x", "ArrowRight", "ArrowLeft"]:
        place.keyboard.press(key)
    expect(root.locator(".rv-list-A .rv-id").first).to_have_text("b")
    assert place.evaluate("document.activeElement.className").startswith("rv-doc")
    assert (cells(place), place.url) == (before, where)
    # The rules that slides have for their sections must not reach into a widget.
    expect(root.locator(".rv-quest")).to_be_hidden()
    expect(root.locator(".rv-list-B")).to_be_visible()
    expect(root.locator(".rv-measure")).to_have_count(4)
    screenshot(place, f"ranking-lab-{place.place}")


def test_cards_are_dragged(place):
    slide(place, 0)
    root = place.locator(".relviz-lab")
    root.get_by_role("button", name="Start again").click()
    start, goal = (root.locator(".rv-list-A .rv-doc").nth(n) for n in (2, 0))
    start.scroll_into_view_if_needed()
    place.wait_for_timeout(400)
    from_box, to_box = start.bounding_box(), goal.bounding_box()
    place.mouse.move(from_box["x"] + 60, from_box["y"] + 20)
    place.mouse.down()
    place.mouse.move(to_box["x"] + 60, to_box["y"] + 4, steps=10)
    place.mouse.up()
    expect(root.locator(".rv-list-A .rv-id").first).to_have_text("c")


def test_planner_machine_quiz_and_cards_answer_the_keyboard(place):
    before, where = cells(place), place.url.partition("#")[0]

    def press(number, control, key):
        slide(place, number)
        control.focus()
        place.keyboard.press(key)
        for other in "abx":  # each would add or cut a cell
            place.keyboard.press(other)
        expect(control).to_be_focused()

    press(1, place.locator(".relviz-planner input[type=range]").nth(1), "ArrowRight")
    expect(place.locator(".relviz-planner .rv-answer")).not_to_have_text("179 queries")
    press(2, place.locator(".relviz-resampler .rv-hundred"), "Enter")
    expect(place.locator(".relviz-resampler .rv-count")).to_have_text("100 of 500 resamples")
    press(3, place.locator(".relviz-quiz .rv-option").first, "Enter")
    expect(place.locator(".relviz-quiz .rv-why").first).to_have_text("✓ Right. w")
    press(4, place.locator(".relviz-quiz .rv-next"), "ArrowRight")
    expect(place.locator(".relviz-quiz .rv-position")).to_have_text("Card 2 of 2")
    assert cells(place) == before
    hash = "#/4" if place.place == "slides" else ""
    assert place.url == where + hash


def test_every_control_is_reached_by_tab_and_answers_the_keyboard(place):
    """From the first control of each widget on, nothing but keys, and the notebook keeps still."""
    before, where = cells(place), place.url.partition("#")[0]
    kinds = "[...document.querySelectorAll('.jp-Cell')].map((cell) => cell.className.match(/jp-\\w+Cell/)[0])"
    types = place.evaluate(kinds)
    press = place.keyboard.press

    def to(control, *keys):
        for _ in range(40):
            if control.evaluate("(e) => e === document.activeElement"):
                break
            press("Tab")
        expect(control).to_be_focused()
        for key in keys:
            press(key)

    slide(place, 0)
    lab = place.locator(".relviz-lab")
    lab.locator(".rv-reset").click()
    lab.locator(".rv-step").first.focus()
    to(lab.locator(".rv-step").first, "Enter")
    expect(lab.locator(".rv-k")).to_have_text("1")
    to(lab.locator(".rv-step").last, "Enter", "Enter", "Enter")
    expect(lab.locator(".rv-k")).to_have_text("4")
    threshold, gain = lab.locator(".rv-settings .rv-choice").all()
    to(threshold.locator("input:checked"), "ArrowRight")
    expect(threshold.locator("input").nth(1)).to_be_checked()
    to(gain.locator("input:checked"), "ArrowRight")
    expect(gain.locator("input").last).to_be_checked()
    expect(lab.locator(".rv-row-A .rv-value").last).to_have_text("0.659")  # (3/log2(3) + 1/2) / (3 + 1/log2(3))
    ids, tools = lab.locator(".rv-list-A .rv-id"), lab.locator(".rv-tools")
    to(lab.locator(".rv-list-A .rv-doc[tabindex='0']"), "Home", "ArrowDown", "Enter", "ArrowUp", "Enter")
    expect(ids.first).to_have_text("b")
    press("ArrowRight")  # to B, and Tab goes on to the tools of its card
    to(tools.locator("input:checked"), "ArrowLeft")
    expect(lab.locator(".rv-list-B .rv-chosen .rv-badge")).to_have_text("1")
    to(tools.locator(".rv-down"), "Enter")
    expect(lab.locator(".rv-list-B .rv-id").nth(1)).to_have_text("b")
    press("Shift+Tab")
    to(tools.locator(".rv-up"), "Enter")
    expect(lab.locator(".rv-list-B .rv-id").first).to_have_text("b")
    to(tools.locator(".rv-double"), "Enter")
    to(lab.locator(".rv-keep_first"), "Enter")
    expect(lab.locator(".rv-refusal")).to_be_hidden()
    expect(lab.locator(".rv-list-B .rv-chosen")).to_be_focused()
    to(tools.locator(".rv-remove"), "Enter")
    expect(lab.locator(".rv-list-B .rv-out .rv-id")).to_have_text("b")
    for eye in lab.locator(".rv-eye").all():
        to(eye, "Enter")
        expect(eye).to_have_attribute("aria-pressed", "true")
        press("Space")
        expect(eye).to_have_attribute("aria-pressed", "false")
    to(lab.locator(".rv-ideal"), "Enter")
    expect(lab.locator(".rv-row-B .rv-value").last).to_have_text("1.000")
    to(lab.locator(".rv-worst"), "Enter")
    expect(lab.locator(".rv-row-B .rv-value").last).not_to_have_text("1.000")
    to(lab.locator(".rv-undo"), "Enter")
    expect(lab.locator(".rv-row-B .rv-value").last).to_have_text("1.000")
    to(lab.locator(".rv-reset"), "Enter")
    expect(ids.first).to_have_text("a")
    to(lab.locator(".rv-compare"), "Enter")
    expect(lab.locator(".rv-list-B")).to_be_hidden()
    press("Enter")
    expect(lab.locator(".rv-list-B")).to_be_visible()
    quest = lab.locator(".rv-quest")
    to(lab.locator(".rv-challenge"), "Enter")
    expect(quest).to_be_focused()
    to(quest.locator(".rv-again"), "Enter")
    to(quest.locator(".rv-next"), "Enter")
    expect(quest.locator(".rv-task")).to_contain_text("Challenge 2 of")
    to(quest.locator(".rv-leave"), "Enter")
    expect(quest).to_be_hidden()
    expect(lab.locator(".rv-challenge")).to_be_focused()

    slide(place, 1)
    planner = place.locator(".relviz-planner")
    numbers, sliders = planner.locator("input[type=number]"), planner.locator("input[type=range]")
    numbers.first.focus()
    for i, number in enumerate(["0.2", "0.04", "50", "0.9", "0.01"]):
        to(numbers.nth(i), "ControlOrMeta+a", *number)
        expect(numbers.nth(i)).to_have_value(number)
        to(sliders.nth(i), "ArrowRight", "ArrowLeft")
        expect(planner.locator(".rv-bad:not(:empty)")).to_have_count(0)
    # (1.282 + 2.576)^2 * (0.2 / 0.04)^2 = 372, within what a step of a slider there and back may leave
    assert 330 < int(planner.locator(".rv-answer").inner_text().split()[0]) < 410

    slide(place, 2)
    machine = place.locator(".relviz-resampler")
    count = machine.locator(".rv-count")
    machine.locator(".rv-once").focus()
    for name, drawn in [("again", 0), ("once", 1), ("hundred", 101), ("end", 500)]:
        machine.locator(".rv-once").focus()
        to(machine.locator(f".rv-{name}"), "Enter")
        expect(count).to_have_text(f"{drawn} of 500 resamples")

    slide(place, 3)
    questions = place.locator(".relviz-quiz").first
    questions.locator(".rv-option").first.focus()
    for i in range(2):
        to(questions.locator(".rv-option").nth(i), "Enter")
        expect(questions.locator(".rv-why").nth(i)).not_to_be_empty()
    to(questions.locator(".rv-quiz .rv-again"), "Enter")
    expect(questions.locator(".rv-why").first).to_be_empty()
    expect(questions.locator(".rv-again")).to_be_focused()

    slide(place, 4)
    cards = place.locator(".relviz-quiz").last
    cards.locator(".rv-option").first.focus()
    for i in range(3):
        to(cards.locator(".rv-option").nth(i), "Enter")
        expect(cards.locator(".rv-cards .rv-answer").nth(i)).to_be_visible()
        press("Space")
        expect(cards.locator(".rv-cards .rv-answer").nth(i)).to_be_hidden()
    to(cards.locator(".rv-previous"), "Enter")
    to(cards.locator(".rv-next"), "Enter")
    expect(cards.locator(".rv-position")).to_have_text("Card 2 of 2")

    assert (cells(place), place.evaluate(kinds), place.url.partition("#")[0]) == (before, types, where)
    assert not place.url.partition("#")[2] or place.url.endswith("#/4")


def test_planner_machine_quiz_and_cards_answer_the_mouse(place):
    slide(place, 1)
    answer = place.locator(".relviz-planner .rv-answer")
    before = answer.inner_text()
    place.locator(".relviz-planner input[type=range]").first.click(position={"x": 12, "y": 12})
    expect(answer).not_to_have_text(before)
    slide(place, 2)
    place.locator(".relviz-resampler .rv-again").click()
    place.locator(".relviz-resampler .rv-once").click()
    expect(place.locator(".relviz-resampler .rv-count")).to_have_text("1 of 500 resamples")
    slide(place, 3)
    place.locator(".relviz-quiz .rv-option").nth(1).click()
    expect(place.locator(".relviz-quiz .rv-why").nth(1)).to_have_text("✕ No. v")
    slide(place, 4)
    place.locator(".relviz-quiz .rv-previous").click()
    expect(place.locator(".relviz-quiz .rv-position")).to_have_text("Card 1 of 2")
    place.get_by_role("button", name="The trap").click()
    expect(place.locator(".rv-answer-trap").first).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("make", [False, True], ids=["as nbconvert has it", "as make slides has it"])
def test_all_of_a_widget_can_be_reached_on_a_slide(browser, tmp_path, slide_assets, size, make):
    set_language("en")
    content = notebook(*gallery.KINDS, outputs=lambda kind: gallery.widget(kind)._repr_mimebundle_())
    with offline(browser, viewport=dict(zip(("width", "height"), size)), reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(export_slides(content, tmp_path / "slides.html", slide_assets, make, reveal_transition="none"))
        page.locator(".reveal.ready").wait_for()
        for number, kind in enumerate(gallery.KINDS):
            page.evaluate(f"location.hash = '#/{number}'")
            slide = page.locator(".slides section.present section.present")
            root = slide.locator("[data-relviz]")
            expect(root).to_have_attribute("data-relviz", {"cards": "quiz"}.get(kind, kind))
            box = slide.bounding_box()
            assert 0 <= box["y"] < box["y"] + box["height"] <= size[1] + 1, kind
            assert root.bounding_box()["x"] + root.bounding_box()["width"] <= size[0], kind
            screenshot(page, f"slide-{kind}-{size[0]}{'-wide' if make else ''}")
            controls = root.locator("button:visible, input:visible, select:visible, [tabindex='0']:visible")
            for control in (controls.last, controls.first):
                control.focus()
                page.wait_for_timeout(50)
                inside = control.bounding_box()
                assert 0 <= inside["y"] < inside["y"] + inside["height"] <= size[1] + 1, kind
            page.mouse.move(size[0] / 2, size[1] / 2)
            page.mouse.wheel(0, 5000)
            page.wait_for_timeout(100)
            assert root.bounding_box()["y"] + root.bounding_box()["height"] <= size[1] + 1, kind
            assert page.url.endswith(f"#/{number}")


def test_slides_without_scripts_are_read_from_top_to_bottom(browser, tmp_path, slide_assets):
    set_language("en")
    content = notebook(*gallery.KINDS, outputs=lambda kind: gallery.widget(kind)._repr_mimebundle_())
    content.cells[2].metadata["slideshow"]["slide_type"] = "fragment"
    with offline(browser, viewport={"width": 1280, "height": 720}, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(export_slides(content, tmp_path / "slides.html", slide_assets))
        below = 0
        for kind, root in zip(gallery.KINDS, page.locator("[data-relviz]").all(), strict=True):
            expect(root.get_by_text(gallery.widget(kind).text.splitlines()[0], exact=True)).to_be_visible()
            box = root.bounding_box()
            assert box["y"] >= below, kind
            assert box["height"] > 100, kind
            below = box["y"] + box["height"]
        assert page.locator(".relviz-player li").last.bounding_box()["height"] > 300  # the picture is there
        screenshot(page, "slides-without-scripts", full_page=True)
        page.mouse.wheel(0, 600)
        page.wait_for_timeout(100)
        assert page.locator("[data-relviz]").first.bounding_box()["y"] < 0


LESSONS = sorted((ROOT / "notebooks" / "en").glob("*.ipynb"))
# Shows every slide in turn; gives those that stand out of the window, and how many there are.
CUT = """async () => {
    const cut = [];
    let count = 0;
    for (const [i, column] of [...document.querySelectorAll(".slides > section")].entries())
        for (const [j, slide] of [...column.querySelectorAll(":scope > section")].entries()) {
            location.hash = `#/${i}/${j}`;
            while (!slide.matches(".present")) await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
            const { top, bottom } = slide.getBoundingClientRect();
            if (top < -1 || bottom > innerHeight + 1) cut.push([i, j, top, bottom]);
            count += 1;
        }
    return [cut, count];
}"""


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_no_slide_of_a_lesson_stands_out_of_the_window(browser, tmp_path, slide_assets, lesson):
    content = nbformat.read(lesson, 4)
    url = export_slides(content, tmp_path / "slides.html", slide_assets, make=True, reveal_transition="none")
    with offline(browser, viewport={"width": 1920, "height": 1080}) as context:
        page = context.new_page()
        page.goto(url)
        page.locator(".reveal.ready").wait_for()
        cut, count = page.evaluate(CUT)
        assert cut == []
        assert count > 2
    with offline(browser, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(url)
        assert page.locator("section > section").count() == count
        assert all(slide.is_visible() for slide in page.locator("section > section").all())


SAVED = ("from gallery import set_language, widget\nset_language({!r})", *(f"widget({k!r})" for k in gallery.KINDS))
LANGUAGES = {"lab": "en", "notebook": "zh"}


@pytest.fixture(scope="module")
def saved(browser, server):
    """The widgets in both languages, run and saved: in English by JupyterLab, in Chinese by Notebook 7."""
    for kind, language in LANGUAGES.items():
        name = f"saved-{language}.ipynb"
        (server.folder / name).write_text(json.dumps(notebook(SAVED[0].format(language), *SAVED[1:])))
        with offline(browser) as context:
            page = server.open(context, kind, name)
            server.run_all(page)
            server.save(page)
            assert server.complaints[page] == []
        assert "widgets" not in json.loads((server.folder / name).read_text())["metadata"]
    server.stop_kernels()


@pytest.mark.parametrize("language", LANGUAGES.values())
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", LANGUAGES)
def test_saved_and_opened_again_everything_works_where_there_is_no_kernel(
    browser, server, saved, kind, theme, language
):
    server.set_theme(f"JupyterLab {theme.title()}")
    tall = {"width": 1280, "height": 3600}  # what is out of sight in the notebook has no picture
    try:
        with offline(browser, viewport=tall, reduced_motion="reduce") as context:
            page = server.open(context, kind, f"saved-{language}.ipynb", kernel=False)
            every_widget_answers(page, language)
            assert page.locator("body").get_attribute("data-jp-theme-light") == str(theme == "light").lower()
            page.mouse.move(0, 0)
            roots = page.locator("[data-relviz][data-live]").all()
            for width in (1280, 380):
                if width == 380:
                    if kind == "lab":  # as anybody would on a narrow window
                        page.locator(".jp-SideBar.jp-mod-left .lm-TabBar-tab.lm-mod-current").click()
                    page.set_viewport_size(tall | {"width": width})
                for which, root in zip(gallery.KINDS, roots, strict=True):
                    root.screenshot(path=SCREENS / f"{which}-{kind}-{language}-{theme}-{width}.png")
                    box = root.bounding_box()
                    assert 0 <= box["x"] < box["x"] + box["width"] <= width, which
                    small = [words for words in root.evaluate(SIZES_OF_WORDS) if words[0] < 12]
                    assert small == [], which
            assert server.complaints[page] == []
        assert server.request("GET", "/api/kernels") == []
    finally:
        server.set_theme("JupyterLab Light")


def every_widget_answers(page, language):
    with speaking(language):
        two_of_eight, two_of_two = say("player.position", step=2, count=8), say("quiz.position", number=2, count=2)
        hundred, right = say("resampler.count", drawn=100, n="1,000"), say("quiz.right")
    expect(page.locator("[data-relviz][data-live]")).to_have_count(len(gallery.KINDS))
    player, lab, planner, machine, questions, cards = page.locator("[data-relviz][data-live]").all()
    player.locator(".rv-next").click()
    expect(player.locator(".rv-caption .rv-position")).to_have_text(two_of_eight)
    lab.locator(".rv-list-A .rv-doc").nth(4).click()
    lab.locator(".rv-tools .rv-up").click()
    expect(lab.locator(".rv-list-A .rv-id").nth(3)).to_have_text("BUG-118")
    expect(lab.locator(".rv-row-A .rv-value").last).to_have_text("0.564")  # (2/log2(3) + 2/log2(5)) / 3.762
    lab.locator(".rv-eye").last.click()
    before = planner.locator(".rv-answer").inner_text()
    planner.locator("input[type=range]").nth(1).click()
    expect(planner.locator(".rv-answer")).not_to_have_text(before)
    machine.locator(".rv-hundred").click()
    expect(machine.locator(".rv-count")).to_have_text(hundred)
    questions.locator(".rv-option").first.click()
    questions.locator(".rv-option").last.click()
    expect(questions.locator(".rv-why").last).to_contain_text(right)
    cards.locator(".rv-next").click()
    expect(cards.locator(".rv-position")).to_have_text(two_of_two)
    cards.locator(".rv-option").last.click()
    expect(cards.locator(".rv-cards .rv-answer-trap")).to_be_visible()
