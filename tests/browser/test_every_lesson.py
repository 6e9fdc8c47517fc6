"""Every lesson as a reader meets it: JupyterLab, all cells run, each exercise answered wrongly and then rightly."""

import re
from importlib import import_module
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

from bench import offline

pytestmark = pytest.mark.browser

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
BUILT = sorted(str(path.relative_to(NOTEBOOKS)) for path in NOTEBOOKS.glob("[ez][nh]/*.ipynb"))
LAST = "print(6 * 7)"


@pytest.mark.parametrize("name", BUILT)
def test_a_lesson_from_the_first_cell_to_the_last(browser, server, name):
    here = name.replace("/", "_")
    content = nbformat.read(NOTEBOOKS / name, as_version=4)
    content.cells.append(nbformat.v4.new_code_cell(LAST))
    nbformat.write(content, server.folder / here)
    lesson = re.search(r"/(\d\d)_", name)[1]
    with offline(browser) as context:
        page = server.open(context, "lab", here)
        server.run_all(page)
        see_every_cell(page)
        # The saved lesson shows answers already. Those of this run are there when the added cell has answered, for
        # the kernel answers in order; before that a player may be replaced by the one that its cell makes anew.
        expect(page.locator(".jp-CodeCell .jp-OutputArea-output").last).to_have_text("42", timeout=120_000)
        for root in page.locator(".relviz-player").all():
            step_once(page, root)
        for e in import_module(f"relviz.lessons.lesson{lesson}").EXERCISES:
            answer(page, e.key, "next(iter(e.mistakes.values()))", "✗")
            answer(page, e.key, "e.answer", "✓")
        for kind in ("stderr", "error"):
            expect(page.locator(f'[data-mime-type="application/vnd.jupyter.{kind}"]')).to_have_count(0)
        assert server.complaints[page] == []


def see_every_cell(page: Page) -> None:
    """JupyterLab draws a cell when it comes into view."""
    page.evaluate(
        """async () => {
            for (const cell of document.querySelectorAll(".jp-Notebook .jp-Cell")) {
                cell.scrollIntoView();
                await new Promise(requestAnimationFrame);
            }
        }"""
    )


def step_once(page: Page, root) -> None:
    root.scroll_into_view_if_needed()
    root.locator("figure").focus()
    before = root.locator(".rv-caption .rv-position").inner_text()
    page.keyboard.press("ArrowRight")
    expect(root.locator(".rv-caption .rv-position")).not_to_have_text(before)


def answer(page: Page, key: str, value: str, sign: str) -> None:
    """Put an answer into the exercise's own cell and run it."""
    cell = page.locator(".jp-CodeCell").filter(has_text=f'exercise("{key}")').first
    editor = cell.locator(".cm-content")
    lines = [f'e = exercise("{key}")', f"e.check({value})"]
    editor.fill("\n".join(lines))
    expect(editor.locator(".cm-line")).to_have_text(lines)
    editor.press("Shift+Enter")
    expect(cell.locator(".jp-OutputArea")).to_contain_text(sign)
