"""What every widget's output shares: self-contained HTML beside plain text, safe against the text it carries."""

import json
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from relviz.draw.canvas import legal
from relviz.locale import language

__all__ = ["SLIDES", "Output", "in_script", "module", "page"]

HERE = Path(__file__).parent
# Simplified Chinese is named, so that a browser does not pick Japanese shapes for the same characters.
LANG = {"en": "en", "zh": "zh-Hans"}


@dataclass(frozen=True)
class Output:
    """One output in two forms that show the same numbers: `html` where there is a browser, `text` elsewhere."""

    html: str
    text: str

    def __post_init__(self) -> None:
        for form in ("html", "text"):
            object.__setattr__(self, form, legal(getattr(self, form)))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

    def __str__(self) -> str:
        return self.text


def page(kind: str, title: str, fallback: str, data: object) -> str:
    """The HTML of a widget: `fallback`, made of elements, is what stays where scripts do not run.

    `KIND.js` and `KIND.css` beside this module are written into it; the script ends with `enhance(KIND, mount)`, and
    `mount(root, data)` gets `data` back from JSON.
    """
    style = _read("base.css") + SLIDES + _read(f"{kind}.css")
    return (
        f'<div class="relviz relviz-{kind}" data-relviz="{kind}" lang="{LANG[language()]}">\n'
        f"<style>{style}</style>\n"
        f'<p class="rv-title"><strong>{escape(title)}</strong></p>\n'
        f"{fallback}\n"
        f'<script type="application/json">{in_script(data)}</script>\n'
        f"<script>{_script(kind)}</script>\n"
        "</div>"
    )


def in_script(value: object) -> str:
    """JSON that can neither end the script element it stands in nor open a comment there.

    >>> in_script("</script><!--")
    '"\\\\u003c/script>\\\\u003c!--"'
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False).translate(
        {ord("<"): "\\u003c", 0x2028: "\\u2028", 0x2029: "\\u2029"}
    )


@cache
def module(kind: str) -> str:
    """`KIND.js` as one ES module: each `import ... from "./OTHER.js"` gives way to that file's text, once."""
    seen: set[str] = set()

    def inline(name: str) -> str:
        if name in seen:
            return ""
        seen.add(name)
        return re.sub(r'^import [^;]* from "\./([\w.]+)";\n', lambda line: inline(line[1]), _read(name), flags=re.M)

    return inline(f"{kind}.js")


@cache
def _script(kind: str) -> str:
    # A classic script runs while the page is read, so no list flashes up before it turns into a widget.
    source = re.sub("^export default ", "const widget = ", module(kind), flags=re.M)
    source = re.sub("^export ", "", source, flags=re.M)
    return f'(() => {{\n"use strict";\n{source}}})();'


@cache
def _read(name: str) -> str:
    path = HERE / name
    return path.read_text(encoding="utf-8") if path.exists() or path.suffix == ".js" else ""


# What makes all of a slide reachable, and slides readable without scripts; it changes nothing elsewhere.
SLIDES = _read("slides.css")
