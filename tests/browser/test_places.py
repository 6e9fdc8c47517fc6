"""Lab, quiz, planner and machine where readers meet them: both notebook applications, an exported page, and slides;
and all widgets in a notebook that was saved and opened again."""

import json

import gallery
import pytest
from playwright.sync_api import expect

from bench import PLACES, SCREENS, STAGE, export_slides, notebook, offline, opened, screenshot
from relviz import set_language
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
@pytest.mark.parametrize("stage", [{}, STAGE], ids=["as nbconvert has it", "as make slides has it"])
def test_all_of_a_widget_can_be_reached_on_a_slide(browser, tmp_path, slide_assets, size, stage):
    set_language("en")
    content = notebook(*gallery.KINDS, outputs=lambda kind: gallery.widget(kind)._repr_mimebundle_())
    with offline(browser, viewport=dict(zip(("width", "height"), size)), reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(export_slides(content, tmp_path / "slides.html", slide_assets, reveal_transition="none", **stage))
        page.locator(".reveal.ready").wait_for()
        for number, kind in enumerate(gallery.KINDS):
            page.evaluate(f"location.hash = '#/{number}'")
            slide = page.locator(".slides section.present section.present")
            root = slide.locator("[data-relviz]")
            expect(root).to_have_attribute("data-relviz", {"cards": "quiz"}.get(kind, kind))
            box = slide.bounding_box()
            assert 0 <= box["y"] < box["y"] + box["height"] <= size[1] + 1, kind
            assert root.bounding_box()["x"] + root.bounding_box()["width"] <= size[0], kind
            screenshot(page, f"slide-{kind}-{size[0]}{'-wide' if stage else ''}")
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


SAVED = ("from gallery import set_language, widget\nset_language('zh')", *(f"widget({k!r})" for k in gallery.KINDS))


@pytest.mark.parametrize("kind", ["lab", "notebook"])
def test_saved_and_reopened_everything_works_without_a_kernel(browser, server, kind):
    name = f"saved-{kind}.ipynb"
    (server.folder / name).write_text(json.dumps(notebook(*SAVED)))
    with offline(browser) as context:
        page = server.open(context, kind, name)
        server.run_all(page)
        server.save(page)
        assert server.complaints[page] == []
    assert "widgets" not in json.loads((server.folder / name).read_text())["metadata"]
    server.set_theme("JupyterLab Dark")
    try:
        with offline(browser, viewport={"width": 1280, "height": 1400}) as context:
            page = server.open(context, kind, name)
            server.stop_kernels()
            every_widget_answers(page)
            assert page.locator("body").get_attribute("data-jp-theme-light") == "false"
            for which, root in zip(gallery.KINDS, page.locator("[data-relviz]").all(), strict=True):
                root.screenshot(path=SCREENS / f"{which}-{kind}-reopened-zh-dark.png")
            assert server.complaints[page] == []
    finally:
        server.set_theme("JupyterLab Light")


def every_widget_answers(page):
    player, lab, planner, machine, questions, cards = page.locator("[data-relviz][data-live]").all()
    player.get_by_role("button", name="下一步").click()
    expect(player.locator(".rv-caption .rv-position")).to_have_text("第 2 步，共 8 步")
    lab.locator(".rv-list-A .rv-doc").nth(4).click()
    lab.get_by_role("button", name="上移").click()
    expect(lab.locator(".rv-list-A .rv-id").nth(3)).to_have_text("BUG-118")
    expect(lab.locator(".rv-row-A .rv-value").last).to_have_text("0.564")  # (2/log2(3) + 2/log2(5)) / 3.762
    before = planner.locator(".rv-answer").inner_text()
    planner.locator("input[type=range]").nth(1).click()
    expect(planner.locator(".rv-answer")).not_to_have_text(before)
    machine.locator(".rv-hundred").click()
    expect(machine.locator(".rv-count")).to_have_text("已重抽 100 次，共 1,000 次")
    questions.locator(".rv-option").last.click()
    expect(questions.locator(".rv-why").last).to_contain_text("对。")
    cards.get_by_role("button", name="陷阱").click()
    expect(cards.locator(".rv-answer-trap")).to_be_visible()
    cards.locator(".rv-next").click()
    expect(cards.locator(".rv-position")).to_have_text("第 2 张，共 2 张")
