"""The ranking lab in Chromium: by mouse, by keyboard alone, in both languages, and where nothing runs."""

import random

import pytest
import test_js_metrics

from bench import work_of
from relviz import ndcg_at_k, precision_at_k, recall_at_k, reciprocal_rank, set_language
from relviz.widgets.base import module
from relviz.widgets.lab import ranking_lab

pytestmark = pytest.mark.browser

RANKING = ["BUG-104", "BUG-118", "REQ-21", "BUG-131", "REQ-09", "EXP-02", "REQ-14"]
BETTER = ["BUG-118", "REQ-09", "BUG-104", "REQ-21", "EXP-02", "BUG-131", "REQ-14"]
REL = {"BUG-118": 2, "REQ-09": 2, "EXP-05": 1, "BUG-104": 0, "REQ-21": 0, "BUG-131": 0, "EXP-02": 0}
TITLES = {"BUG-118": "The count of favourites stays old", "REQ-09": "A favourite counts at once"}
HOSTILE = '<img src=x onerror="window.hit=1">'
MEASURES = ("recall", "precision", "rr", "ndcg")


def lab(**options):
    return ranking_lab(RANKING, REL, 5, titles=TITLES, query="favourites", **options)


def values(page, row="A", root=".relviz-lab"):
    shown = page.locator(root).locator(f".rv-row-{row} .rv-value").evaluate_all("v => v.map((e) => e.dataset.value)")
    return dict(zip(MEASURES, [float(v) if v else None for v in shown]))


def order(page, row="A", root=".relviz-lab"):
    """The documents of a list from top to bottom, with | where the ranking ends."""
    script = "l => l.map((e) => e.classList.contains('rv-end') ? '|' : e.querySelector('.rv-id')?.textContent)"
    items = page.locator(root).locator(f".rv-list-{row} ol > li").evaluate_all(script)
    return [item for item in items if item]


def by_python(docs, k=5, rel=REL, gain="linear", threshold=1):
    return {
        "recall": recall_at_k(docs, rel, k, threshold=threshold),
        "precision": precision_at_k(docs, rel, k, threshold=threshold),
        "rr": reciprocal_rank(docs, rel, k, threshold=threshold),
        "ndcg": ndcg_at_k(docs, rel, k, gain=gain),
    }


def ranking(page, row="A"):
    items = order(page, row)
    return items[: items.index("|")]


def card(page, doc, row="A"):
    return page.locator(f".rv-list-{row} .rv-doc", has=page.locator(".rv-id", has_text=doc)).first


def says(page, measure):
    return page.locator(".rv-measure").nth(MEASURES.index(measure)).locator(".rv-noticed").inner_text()


def test_it_starts_with_the_numbers_of_python(show):
    page = show(lab(other=BETTER))
    assert values(page) == pytest.approx(by_python(RANKING), abs=1e-12)
    assert values(page, "B") == pytest.approx(by_python(BETTER), abs=1e-12)
    assert not page.locator(".rv-static").is_visible()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_its_first_sentences_are_those_of_the_tables(show, language):
    set_language(language)
    for out in (lab(), lab(threshold=3), ranking_lab(["x"], {"y": 0}), ranking_lab(["x"], {"x": 1, "y": 3}, 7)):
        page = show(out)
        for sentence in page.locator(".rv-noticed").all_inner_texts():
            assert sentence in out.text


def test_a_card_is_dragged_and_every_measure_answers_on_the_way(show):
    page = show(lab())
    start, goal = card(page, "BUG-118").bounding_box(), card(page, "BUG-104").bounding_box()
    page.mouse.move(start["x"] + 200, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(goal["x"] + 200, goal["y"] + 10, steps=8)
    assert values(page)["rr"] == 1  # still in the hand
    page.mouse.up()
    assert ranking(page)[:2] == ["BUG-118", "BUG-104"]
    assert values(page) == pytest.approx(by_python(ranking(page)), abs=1e-12)
    assert says(page, "recall").startswith("Did not change: the same documents are in the first 5")
    assert says(page, "rr").startswith("Rose by 0.500")


def test_a_drag_is_cancelled_by_escape_and_leaves_no_trace(show):
    page = show(lab())
    box = card(page, "BUG-118").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 220, steps=8)
    assert ranking(page) != RANKING
    page.keyboard.press("Escape")
    assert ranking(page) == RANKING
    page.mouse.move(box["x"] + 200, box["y"] + 20)
    page.mouse.up()
    assert ranking(page) == RANKING
    assert page.get_by_role("button", name="Undo").get_attribute("aria-disabled") == "true"


def test_a_card_is_dragged_out_of_the_ranking(show):
    page = show(lab())
    start, goal = card(page, "BUG-118").bounding_box(), card(page, "EXP-05").bounding_box()
    page.mouse.move(start["x"] + 200, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(goal["x"] + 200, goal["y"] + 35, steps=10)
    page.mouse.up()
    assert "BUG-118" not in ranking(page)
    assert values(page) == pytest.approx(by_python(ranking(page)), abs=1e-12)


def test_the_keyboard_alone_does_everything(show):
    page = show(lab())
    press = page.keyboard.press
    card(page, "BUG-104").focus()
    press("ArrowDown")
    press("Enter")  # BUG-118 is in the hand
    assert "picked up" in page.locator("[aria-live]").inner_text()
    press("ArrowUp")
    assert values(page)["rr"] == 1
    press("Escape")
    assert ranking(page) == RANKING
    press(" ")
    press("ArrowUp")
    press(" ")
    assert ranking(page)[:2] == ["BUG-118", "BUG-104"]
    assert "RR@5 rose to 1.000" in page.locator("[aria-live]").inner_text()
    press("Shift+ArrowDown")
    press("Shift+ArrowDown")
    assert ranking(page)[2] == "BUG-118"
    press("0")
    assert values(page) == pytest.approx(by_python(ranking(page), rel=REL | {"BUG-118": 0}), abs=1e-12)
    press("2")
    press("Delete")
    assert order(page).index("BUG-118") > order(page).index("|")
    assert page.evaluate("document.activeElement.closest('.rv-list') !== null")
    press("End")
    press("Home")
    press("d")
    assert ranking(page)[:2] == ["BUG-104", "BUG-104"]
    assert "stands twice" in page.locator(".rv-refusal").inner_text()
    for _ in range(9):  # grade, up, down, double, take out, and on to the panel
        press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Keep the first":
            break
    press("Enter")
    assert ranking(page).count("BUG-104") == 1
    page.get_by_role("button", name="Undo").focus()
    for _ in range(12):
        press("Enter")
    assert ranking(page) == RANKING


def test_tab_leaves_the_list(show):
    page = show(lab())
    card(page, "BUG-104").focus()
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.closest('ol') !== null")


def test_k_gain_and_threshold_are_those_of_python(show):
    page = show(lab())
    page.get_by_role("button", name="k one less").click(click_count=3)
    assert values(page) == pytest.approx(by_python(RANKING, 2), abs=1e-12)
    page.get_by_role("radio", name="exponential").check()
    page.get_by_role("radiogroup", name="Relevant from grade").get_by_role("radio", name="2").check()
    assert values(page) == pytest.approx(by_python(RANKING, 2, gain="exponential", threshold=2), abs=1e-12)
    page.get_by_role("radiogroup", name="Relevant from grade").get_by_role("radio", name="3").check()
    assert values(page)["recall"] is None
    assert "nothing to find" in says(page, "recall")


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_done_the_values_are_those_of_python(show, seed):
    rng = random.Random(seed)
    page = show(lab(), reduced_motion="reduce")
    rel, k, gain, threshold = dict(REL), 5, "linear", 1
    for _ in range(40):
        act = rng.choice(["move", "move", "move", "grade", "k", "gain", "threshold"])
        front = page.locator(".rv-list-A .rv-doc").nth(rng.randrange(8))
        if act == "move":
            front.focus()
            for _ in range(rng.randint(1, 5)):
                page.keyboard.press(rng.choice(["Shift+ArrowUp", "Shift+ArrowDown"]))
        elif act == "grade":
            grade = rng.randint(0, 3)
            front.focus()
            page.keyboard.press(str(grade))
            rel[front.locator(".rv-id").inner_text()] = grade
        elif act == "k":
            step = rng.choice([-1, 1]) if k > 1 else 1
            page.get_by_role("button", name="k one less" if step < 0 else "k one more").click()
            k = min(10, k + step)
        elif act == "gain":
            gain = rng.choice(["linear", "exponential"])
            page.get_by_role("radio", name=gain).check()
        else:
            threshold = rng.randint(1, 3)
            page.get_by_role("radiogroup", name="Relevant from grade").get_by_role("radio", name=str(threshold)).check()
        assert values(page) == pytest.approx(by_python(ranking(page), k, rel, gain, threshold), abs=1e-12), act


def test_the_vectors_of_node_have_the_same_answers_in_the_browser(show):
    script = f"""async ({{ source, data }}) => {{
        const m = await import("data:text/javascript," + encodeURIComponent(source));
        return {test_js_metrics.ANSWERS};
    }}"""
    given = {"source": module("metrics"), "data": test_js_metrics.VECTORS}
    test_js_metrics.agree(show(lab()).evaluate(script, given))


def test_ideal_worst_and_start_again(show):
    page = show(lab())
    page.get_by_role("button", name="Ideal order").click()
    assert ranking(page)[:3] == ["BUG-118", "REQ-09", "EXP-05"]
    assert values(page)["ndcg"] == values(page)["recall"] == 1
    page.get_by_role("button", name="Worst order").click()
    assert values(page) == pytest.approx(by_python(ranking(page)), abs=1e-12)
    page.get_by_role("button", name="Start again").click()
    assert ranking(page) == RANKING


def test_a_double_is_an_error_and_the_wrong_number_stands_beside_it(show):
    page = show(lab())
    page.get_by_role("button", name="Ideal order").click()
    card(page, "BUG-118").focus()
    page.keyboard.press("d")
    assert page.locator(".rv-row-A .rv-value").all_inner_texts() == ["error"] * 4
    with pytest.raises(ValueError, match="'BUG-118' stands twice in the ranking, at ranks 1 and 2"):
        recall_at_k(ranking(page), REL, 5)
    assert "“BUG-118” stands twice in the ranking, at ranks 1 and 2" in page.locator(".rv-refusal").inner_text()
    assert "prints 1.333, above the possible 1" in says(page, "recall")  # 4 hits of 3 relevant documents


def test_two_rankings_are_compared_and_both_can_change(show):
    page = show(lab(other=BETTER))
    assert says(page, "recall").startswith("A and B are equal")
    assert says(page, "ndcg").startswith("B is higher by 0.326")  # chapter 000, q18
    card(page, "BUG-104").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert ranking(page, "B")[:2] == ["REQ-09", "BUG-118"]
    assert ranking(page) == RANKING
    page.get_by_role("button", name="Only A").click()
    assert page.locator(".rv-list-B").is_hidden()
    page.get_by_role("button", name="Keep a copy as B").click()
    assert ranking(page, "B") == RANKING


def test_with_two_rankings_a_move_is_told_of_the_one_that_moved_and_then_of_both(show):
    page = show(lab(other=BETTER))
    assert says(page, "ndcg").startswith("B is higher by 0.326: BUG-118 earns 2.000 in B, 1.262 in A. The DCG of B is")
    card(page, "BUG-118").focus()
    page.keyboard.press("Shift+ArrowUp")  # A is now 2, 0, 0, 0, 2
    assert says(page, "rr") == (
        "A rose by 0.500: the first relevant document, BUG-118, stands at rank 1: 1/1. A and B are now equal."
    )
    assert says(page, "recall") == ("A did not change: the same documents are in the first 5. A and B are now equal.")
    # DCG of A: 2 + 2/log2(6) = 2.774 of 3.762, so 0.737; B has 0.867
    assert says(page, "ndcg") == (
        "A rose by 0.196: BUG-118 earns 2.000, not 1.262. DCG is 2.774 of at most 3.762. "
        "B is now higher than A by 0.130."
    )
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")  # the first of B
    assert says(page, "recall").startswith(
        "B fell by 0.333: 1 of 3 relevant documents are in the first 5. B is now lower"
    )
    page.get_by_role("button", name="Start again").click()
    page.get_by_role("button", name="k one less").click()
    assert says(page, "precision") == (  # of the list with the chosen card, where a rule changes both
        "B rose by 0.100: relevant documents fill 2 of the first 4 places. B is now higher than A by 0.250."
    )


def test_in_chinese_two_rankings_are_compared_and_nothing_is_said_to_be_new(show):
    set_language("zh")
    page = show(lab(other=BETTER))
    assert "BUG-118 在 B 里得 2.000，在 A 里得 1.262" in says(page, "ndcg")
    assert "现在" not in says(page, "ndcg")


@pytest.mark.parametrize("width", [255, 380, 1280])  # 255: a window of 380 in JupyterLab
def test_a_term_of_the_sum_takes_no_room_from_the_name_and_where_it_can_none_from_the_title(show, width):
    page = show(lab(other=BETTER), width=width)
    text = card(page, "BUG-118").locator(".rv-text")
    before = text.bounding_box()
    page.get_by_role("button", name="See with the eyes of nDCG@5").click()
    assert card(page, "BUG-118").locator(".rv-note").inner_text() == "2 ÷ 1.58 = 1.262"
    name, note = (card(page, "BUG-118").locator(part) for part in (".rv-id", ".rv-note"))
    if width == 1280:
        assert text.bounding_box()["width"] == before["width"] > 200
    for part in (name, note):
        assert part.evaluate("e => e.scrollWidth <= e.clientWidth && e.offsetHeight < 24")
    assert not overlap(name.bounding_box(), note.bounding_box())
    assert page.locator(".rv-setting, .rv-doc, .rv-tools").evaluate_all(
        "l => l.every((e) => e.scrollWidth <= e.clientWidth)"
    )


def overlap(a, b):
    return all(a[x] < b[x] + b[size] and b[x] < a[x] + a[size] for x, size in (("x", "width"), ("y", "height")))


def test_eyes_of_a_measure_leave_only_what_it_sees(show):
    page = show(lab())
    page.get_by_role("button", name="See with the eyes of RR@5").click()
    fog = page.locator(".rv-list-A .rv-doc").evaluate_all("l => l.map((e) => e.classList.contains('rv-fog'))")
    assert fog == [False, False] + [True] * 6
    assert card(page, "BUG-118").locator(".rv-note").inner_text() == "1/2"
    page.get_by_role("button", name="See with the eyes of nDCG@5").click()
    assert card(page, "BUG-118").locator(".rv-note").inner_text() == "2 ÷ 1.58 = 1.262"


def test_challenges_are_checked_and_praised(show):
    page = show(lab())
    page.get_by_role("button", name="Try a challenge").click()
    box = page.locator(".rv-quest")
    assert "make RR fall while recall stays" in box.inner_text()
    card(page, "BUG-118").focus()
    page.keyboard.press("3")  # changing a grade is not allowed
    page.keyboard.press("Shift+ArrowDown")
    assert page.locator(".rv-success").inner_text() == ""
    box.get_by_role("button", name="From the start").click()
    card(page, "BUG-118").focus()
    page.keyboard.press("Shift+ArrowDown")
    assert "Done. Moves: 1." in page.locator(".rv-success").inner_text()
    box.get_by_role("button", name="Next challenge").click()
    assert ranking(page) == RANKING
    assert "raise nDCG" in box.inner_text()
    box.get_by_role("button", name="Back to the lab").click()
    assert box.is_hidden()


def test_the_notebook_and_slides_do_not_react_to_the_keys(show):
    page = show(lab())
    page.evaluate("window.heard = []; document.addEventListener('keydown', (e) => heard.push(e.key))")
    card(page, "BUG-104").focus()
    for key in ["ArrowDown", "ArrowUp", "Enter", "ArrowDown", "Enter", " ", "Escape", "b", "x", "Home", "End", "1"]:
        page.keyboard.press(key)
    page.get_by_role("radio", name="linear").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("heard") == []
    bare = page.evaluate("""[...document.querySelectorAll('.relviz :is(button, input, select, [tabindex])')]
        .filter((e) => e.dataset.lmSuppressShortcuts !== 'true').map((e) => e.outerHTML)""")
    assert bare == []


def test_hostile_text_is_text(show):
    out = ranking_lab([HOSTILE, "b"], {HOSTILE: 1, "</script><b>": 2}, titles={"b": HOSTILE}, query=HOSTILE)
    page = show(out)
    card(page, "<img").focus()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("d")
    assert HOSTILE in page.locator(".relviz-lab").inner_text()
    assert page.evaluate("window.hit") is None
    assert page.locator(".relviz img").count() == 1  # the figure that stands where no script runs
    still = show(out, java_script_enabled=False)
    assert HOSTILE in still.locator(".rv-static").inner_text()


def test_two_labs_on_a_page_leave_each_other_alone(show):
    page = show(lab(), lab(other=BETTER))
    assert page.locator(".rv-lab").count() == 2
    first = page.locator(".relviz-lab").first
    first.locator(".rv-doc").first.focus()
    page.keyboard.press("Shift+ArrowDown")
    first.get_by_role("radio", name="exponential").check()
    last = ".relviz-lab >> nth=1"
    assert order(page, root=last)[:7] == RANKING
    assert values(page, root=last) == pytest.approx(by_python(RANKING), abs=1e-12)
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))


def test_without_scripts_the_tables_say_the_same(show):
    out = lab(other=BETTER)
    text = show(out, java_script_enabled=False).locator(".relviz-lab").inner_text()
    for value in ("0.667", "0.400", "0.500", "0.541", "0.867"):
        assert value in text
        assert value in out.text


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [380, 1280])
def test_no_violation_no_sideways_scroll_and_big_targets(show, axe, language, dark, width):
    set_language(language)
    page = show(lab(other=BETTER), width=width, dark=dark, reduced_motion="reduce")  # colours do not wait to settle
    for step in ("start", "eye", "double", "challenge"):
        if step == "eye":
            page.locator(".rv-eye").nth(1).click()
        elif step == "double":
            page.locator(".rv-eye").nth(1).click()
            page.locator(".rv-double").click()
        elif step == "challenge":
            page.locator(".rv-challenge").click()
        assert axe(page) == [], step
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), step
    small = page.evaluate("""[...document.querySelectorAll('.relviz :is(button, input)')]
        .map((e) => [e, e.getBoundingClientRect()])
        .filter(([e, b]) => b.width && (b.width < 24 || b.height < 24)).map(([e]) => e.outerHTML)""")
    assert small == []


def test_an_update_takes_less_than_a_frame(show):
    docs = [f"D{i}" for i in range(20)]
    page = show(ranking_lab(docs, {doc: i % 4 for i, doc in enumerate(docs)}, 10, other=docs[::-1]))
    page.locator(".rv-doc").first.focus()
    with work_of(page) as worked:
        for key in 5 * (10 * ["Shift+ArrowDown"] + 10 * ["Shift+ArrowUp"]):
            page.keyboard.press(key)
        assert worked() / 100 < 16


def test_reduced_motion_jumps(show):
    page = show(lab(), reduced_motion="reduce")
    card(page, "BUG-118").focus()
    page.keyboard.press("Shift+ArrowUp")
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.locator(".rv-row-A .rv-value").nth(2).inner_text() == "1.000"
