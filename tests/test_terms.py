"""One word for one thing: the package's Chinese words, the lessons and the README keep to notebooks/terms.md."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORDS = sorted((ROOT / "relviz/locale/zh").glob("*.json"))
PROSE = [*sorted((ROOT / "notebooks/source").glob("*.md")), ROOT / "README.zh.md"]
ROWS = re.findall(
    r"^\| ([^|]+) \| ([^|]+) \| ([^|]*)\|$",
    (ROOT / "notebooks/terms.md").read_text(encoding="utf-8").partition("## Said otherwise")[2],
    re.MULTILINE,
)[1:]


def said_otherwise(text):
    """What stands in a text against the table, with the words around it."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
    for refused, better, fine in ROWS:
        rest = text
        for phrase in filter(None, map(str.strip, fine.split("、"))):
            rest = rest.replace(phrase, "")
        for word in refused.split("、"):
            whole = rf"(?<![A-Za-z_.]){word}(?![A-Za-z_])" if word.isascii() else re.escape(word)  # id, not doc_id
            for found in re.finditer(whole, rest):
                yield f"{word} -> {better}: {rest[max(0, found.start() - 12) : found.end() + 12]!r}"


def chinese(source):
    """The text of a lesson's Chinese cells, or of all of a file without cells; {{ what is computed }} aside."""
    cells = re.split(r"(?m)^(?=\+\+\+ )", re.sub(r"\{\{.*?\}\}", "", source, flags=re.DOTALL))
    return "\n".join(c for c in cells if '"lang": "zh"' in c.partition("\n")[0]) if len(cells) > 1 else source


@pytest.mark.parametrize("path", WORDS, ids=lambda p: p.stem)
def test_the_packages_words(path):
    words = json.loads(path.read_text(encoding="utf-8"))
    assert [f"{key}: {what}" for key, text in words.items() for what in said_otherwise(text)] == []


@pytest.mark.parametrize("path", PROSE, ids=lambda p: p.stem)
def test_the_lessons_prose(path):
    assert list(said_otherwise(chinese(path.read_text(encoding="utf-8")))) == []


def test_the_table_is_read_and_finds_what_it_refuses():
    assert len(ROWS) > 10
    assert len(chinese(PROSE[0].read_text(encoding="utf-8"))) > 1000
    for refused, _, fine in ROWS:
        for word in refused.split("、"):
            assert list(said_otherwise(f"这里有{word}。"))
        for phrase in filter(None, map(str.strip, fine.split("、"))):
            assert not list(said_otherwise(f"这里有{phrase}。"))
