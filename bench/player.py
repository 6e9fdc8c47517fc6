"""From key press to painted step in Chromium, by the clock, for a small player and the largest of the course.

    python bench/player.py             a few seconds
    python bench/player.py --record    also into RESULTS.md

A frame lasts 16.7 ms on most screens. A busy machine paints late, so look at the least of the rounds.
"""

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

from common import record, versions

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / name) for name in ("tests", "tests/browser", "tools")]

import gallery  # noqa: E402
import sample  # noqa: E402

from bench import chromium  # noqa: E402
from relviz.widgets.player import player  # noqa: E402

LISTEN = """() => {
    window.times = [];
    addEventListener("keydown", (event) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel(); // a message comes after the frame is painted
        port1.onmessage = () => times.push(performance.now() - event.timeStamp);
        port2.postMessage(0);
    }), true);
}"""


def table(rounds: int) -> str:
    """A row for each player and width of the page."""
    lines = ["| player | page | median ms of a round, least | slowest key of that round |", "|---|---|---|---|"]
    with chromium() as browser:
        for name, trace in {"cards, 12 steps": sample.trace(count=12), **gallery.largest()}.items():
            keys = (len(trace) - 1) * ["ArrowRight"] + (len(trace) - 1) * ["ArrowLeft"]
            for width in (1280, 380):
                page = browser.new_page(viewport={"width": width, "height": 900})
                page.set_content(f"<!doctype html><body>{player(trace).html}")
                page.evaluate(LISTEN)
                page.locator("figure").focus()
                best = min((_round(page, keys) for _ in range(rounds)), key=statistics.median)
                times = f"{statistics.median(best):.1f} | {max(best):.1f}"
                lines.append(f"| {name} | {width} px wide | {times} |")
        return "\n".join([f"{versions('relviz')}, Chromium {browser.version}", "", *lines])


def _round(page: Any, keys: list[str]) -> list[float]:
    """Milliseconds of each key."""
    page.evaluate("times.length = 0")
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_function(f"times.length === {len(keys)}")
    return page.evaluate("times")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--record", action="store_true", help="also write the table into RESULTS.md")
    arguments = parser.parse_args()
    text = table(arguments.rounds)
    print(text)
    if arguments.record:
        record("From key press to painted step", text)
