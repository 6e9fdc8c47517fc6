"""Notebooks, servers, exports and screenshots for the tests that need to see what a reader sees."""

import json
import os
import re
import shutil
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter, SlidesExporter
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from slides import slides_of

ROOT = Path(__file__).parents[2]
ARTEFACTS = ROOT / "artefacts"
SCREENS = ARTEFACTS / "screens"
TOKEN = "testtoken"
CHROMIUM_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """$RELVIZ_CHROMIUM, else the system's Chromium, else the one that playwright installs."""
    with sync_playwright() as playwright:
        names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
        candidates = [os.environ.get("RELVIZ_CHROMIUM"), *map(shutil.which, names), playwright.chromium.executable_path]
        path = next((c for c in candidates if c and Path(c).exists()), None)
        if path is None:
            pytest.fail(
                "No Chromium to drive. Install one: `apt-get install chromium`, or "
                f"`{sys.executable} -m playwright install --with-deps chromium`, or name yours in RELVIZ_CHROMIUM."
            )
        with playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS) as found:
            yield found


def offline(browser: Browser, **options) -> BrowserContext:
    """A fresh profile that reaches nothing but this machine."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
    context.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), lambda route: route.abort())
    context.set_default_timeout(20_000)
    return context


def complaints(page: Page) -> list[str]:
    """Collects what the page complains of from now on, except what only the blocked network or a stopped kernel
    causes."""
    heard: list[str] = []

    def hear(text: str) -> None:
        if not any(words in text for words in ("net::ERR", "MathJax is not defined", "restore the debugger state")):
            heard.append(text)

    page.on("pageerror", lambda error: hear(str(error)))
    page.on("console", lambda message: message.type == "error" and hear(message.text))
    return heard


def screenshot(page: Page, name: str, **options) -> Path:
    path = SCREENS / f"{name}.png"
    page.screenshot(path=path, **options)
    return path


@contextmanager
def work_of(page: Page) -> Iterator[Callable[[], float]]:
    """Milliseconds that the page's main thread has worked since: script, style, layout and paint, in time of the
    processor, so that a busy machine does not change them."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked() -> float:
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(m["value"] for m in metrics if m["name"] == "TaskDuration")

    before = worked()
    yield lambda: worked() - before
    session.detach()


# Of each text in an element: its size on the screen, whether it is drawn in a picture, and the text.
SIZES_OF_WORDS = """(root) => {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const e = walker.currentNode.parentElement;
        const box = e.getBoundingClientRect();
        if (!walker.currentNode.data.trim() || e.closest("script, style, title") || box.width <= 1) continue;
        const scale = e.ownerSVGElement ? e.getScreenCTM().a : 1;
        found.push([scale * parseFloat(getComputedStyle(e).fontSize), Boolean(e.ownerSVGElement), e.textContent]);
    }
    return found;
}"""


# ---------- notebooks ----------


def notebook(*sources: str, outputs: Callable[[str], dict] | None = None) -> nbformat.NotebookNode:
    """A notebook of code cells; `outputs` gives each cell's bundle, as if it had been run. Each cell is a slide."""
    cells = []
    for count, source in enumerate(sources, start=1):
        cell = nbformat.v4.new_code_cell(source, id=f"cell{count}")
        cell.metadata["slideshow"] = {"slide_type": "slide"}
        if outputs:
            shown = nbformat.v4.new_output("execute_result", data=outputs(source), execution_count=count)
            cell.update(execution_count=count, outputs=[shown])
        cells.append(cell)
    last = nbformat.v4.new_markdown_cell("The end", id="end")
    last.metadata["slideshow"] = {"slide_type": "slide"}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return nbformat.v4.new_notebook(cells=[*cells, last], metadata=kernel)


@dataclass
class Server:
    """A JupyterLab server, which also serves Notebook 7."""

    url: str
    folder: Path
    complaints: dict[Page, list[str]] = field(default_factory=dict)

    def open(self, context: BrowserContext, place: str, name: str, kernel: bool = True) -> Page:
        """A notebook of the folder, in "lab" or "notebook", once its kernel is idle; or as on a machine that has no
        kernel at all."""
        page = context.new_page()
        page.on("dialog", lambda dialog: dialog.accept())  # "leave without saving?"
        where = f"/lab/tree/{name}" if place == "lab" else f"/notebooks/{name}"
        if not kernel:
            page.route("**/api/kernelspecs*", lambda route: route.fulfill(json={"default": "", "kernelspecs": {}}))
        page.goto(f"{self.url}{where}?token={TOKEN}&reset")
        if not kernel:
            page.locator(".jp-Dialog").get_by_role("button", name="No Kernel").click(timeout=60_000)
            self.complaints[page] = complaints(page)
            return page
        # The light says "idle" before there is a kernel, so wait for its name as well.
        name_shown = page.locator(".jp-Toolbar-kernelName, .jp-KernelName").filter(has_text="Python").first
        expect(name_shown).to_be_visible(timeout=60_000)
        idle = page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first
        expect(idle).to_be_attached(timeout=60_000)
        self.complaints[page] = complaints(page)  # what the application says while it starts is its own
        return page

    def run_all(self, page: Page) -> None:
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        for prompt in page.locator(".jp-CodeCell .jp-InputPrompt").all():
            expect(prompt).to_have_text(re.compile(r"\[\d+\]"), timeout=120_000)

    def save(self, page: Page) -> None:
        page.get_by_role("menuitem", name="File", exact=True).click()
        # When the server answers, the file is whole; its date changes earlier.
        with page.expect_response(lambda reply: reply.request.method == "PUT" and "/api/contents/" in reply.url):
            page.get_by_role("menuitem", name=re.compile("^Save Notebook")).first.click()

    def answers(self) -> bool:
        try:
            self.request("GET", "/api/status")
        except OSError:
            return False
        return True

    def request(self, method: str, path: str, data: bytes | None = None) -> list | dict | None:
        headers = {"Authorization": f"token {TOKEN}"}
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers, method=method)) as reply:
            body = reply.read()
        return json.loads(body) if body else None

    def set_theme(self, theme: str) -> None:
        """For pages opened from now on: "JupyterLab Light" or "JupyterLab Dark"."""
        body = json.dumps({"raw": json.dumps({"theme": theme})}).encode()
        self.request("PUT", "/lab/api/settings/@jupyterlab/apputils-extension:themes", body)

    def stop_kernels(self) -> None:
        for session in self.request("GET", "/api/sessions"):
            self.request("DELETE", f"/api/sessions/{session['id']}")


# ---------- exports ----------


def export_html(content: nbformat.NotebookNode, path: Path, theme: str = "light") -> str:
    """The page that nbconvert makes, as an address that opens without a network."""
    path.write_text(HTMLExporter(theme=theme).from_notebook_node(content)[0], encoding="utf-8")
    return path.as_uri()


def export_slides(content: nbformat.NotebookNode, path: Path, assets: Path, make: bool = False, **options) -> str:
    """The slides that nbconvert makes, or `make slides`."""
    local = {
        "reveal_url_prefix": (assets / "reveal.js").as_uri(),
        "require_js_url": (assets / "requirejs/require.js").as_uri(),
        "jquery_url": (assets / "jquery/dist/jquery.min.js").as_uri(),
        **options,
    }
    page = slides_of(content, **local) if make else SlidesExporter(**local).from_notebook_node(content)[0]
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


PLACES = ("lab", "notebook", "html", "slides")


@contextmanager
def opened(
    request: pytest.FixtureRequest,
    browser: Browser,
    folder: Path,
    sources: tuple[str, ...],
    bundle: Callable[[str], dict],
) -> Iterator[tuple[Page, list[str]]]:
    """The cells in the place that `request.param` names: run in an application, or exported with what `bundle` says
    they show. Gives the page and what it complains of."""
    place = request.param
    with offline(browser) as context:
        if place in ("lab", "notebook"):
            server = request.getfixturevalue("server")
            name = f"{request.module.__name__}-{place}.ipynb"
            (server.folder / name).write_text(json.dumps(notebook(*sources)))
            page = server.open(context, place, name)
            server.run_all(page)
            heard = server.complaints[page]
        else:
            page = context.new_page()
            heard = complaints(page)
            content, path = notebook(*sources, outputs=bundle), folder / f"{place}.html"
            if place == "html":
                page.goto(export_html(content, path))
            else:
                page.goto(export_slides(content, path, request.getfixturevalue("slide_assets")))
                page.locator(".reveal.ready").wait_for()
        yield page, heard
