"""One word for one thing: the package's Chinese words, the lessons and the README keep to notebooks/terms.md."""

import html
import json
import re
from pathlib import Path

import pytest
from marks import HAN, odd

import relviz
from relviz.cli import main
from relviz.locale import set_language

ROOT = Path(__file__).parent.parent
WORDS = sorted((ROOT / "relviz/locale/zh").glob("*.json"))
NOTEBOOKS = sorted((ROOT / "notebooks/zh").glob("*.ipynb"))
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


# ---------- marks and spaces ----------


@pytest.mark.parametrize("path", WORDS, ids=lambda p: p.stem)
def test_the_marks_of_the_packages_words(path):
    words = json.loads(path.read_text(encoding="utf-8"))
    assert [f"{key}: {what}" for key, text in words.items() for what in odd(text)] == []


def shown(notebook):
    """Every text that the cells of a notebook put out, those of its pictures too."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            yield from map("".join, (output.get("text", []), data.get("text/plain", []), data.get("text/markdown", [])))
            yield from map(html.unescape, re.findall('alt="([^"]*)"', "".join(data.get("text/html", []))))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_the_marks_of_what_a_lesson_shows(path):
    texts = list(shown(path))
    assert len(re.findall(HAN, "".join(texts))) > 100
    assert [what for text in texts for what in odd(text)] == []


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Judgements and two runs of 12 queries in the working folder; b answers otherwise than a, and has ties."""
    monkeypatch.chdir(tmp_path)
    queries = [f"q{n}" for n in range(12)]
    relviz.write_qrels({q: {"d1": 1, "d2": 0} for q in queries}, "x.qrels")
    relviz.write_run({q: {"d1": 2, "d2": 1} for q in queries}, "a.run")
    relviz.write_run({q: {"u": 3, "d2": 2, "d1": 2} for q in queries[:9]}, "b.run")
    relviz.write_run({q: {"d2": 2, "d1": 1} for q in queries}, "c.run")
    Path("kinds.tsv").write_text("".join(f"{q}\t{'ab'[n % 2]}\n" for n, q in enumerate(queries)))
    yield
    set_language("en")


@pytest.mark.parametrize(
    "line",
    ["--help", *(f"{name} --help" for name in ("compare", "evaluate", "check", "fuse"))]
    + ["compare", "check", "check no.txt a.run", "evaluate x.qrels a.run --ties no", "fuse a.run", "nothing"]
    + ["check x.qrels b.run", "evaluate x.qrels a.run b.run", "evaluate x.qrels a.run -m no"]
    + ["compare x.qrels a.run b.run", "compare x.qrels a.run b.run c.run --strata kinds.tsv"]
    + [f"compare x.qrels a.run b.run c.run --strata kinds.tsv --{form} -" for form in ("markdown", "html")],
)
def test_the_marks_of_the_command_line(line, files, capsys):
    main([*line.split(), "--lang", "zh"])
    told = re.sub(
        "(?m)^relviz[a-z ]*: ", "", "\n".join(capsys.readouterr())
    )  # a program's name stands so in any language
    if line.endswith("html -"):
        told = html.unescape(re.sub("<style>.*?</style>|<[^>]*>", " | ", told, flags=re.DOTALL))
    assert re.search(HAN, told)
    assert odd(told) == []
    assert not re.search("(?m):$", told)  # a heading of argparse


@pytest.mark.parametrize(
    "text",
    [
        *(
            "能用的有 nDCG, DCG 和别的: 三个",
            "没有回答, 每条记 0",
            "选项:",
            "按查询类别...",
            "✕ 不对。 它只问",
            "q1, q2, ...。",
        ),
        *("差值 （没有显示出差异）", "p 值 在 0 和 1 之间", "@ 后面的截断 要是整数", "（容易） 30 秒回答"),
    ],
)
def test_such_a_mark_is_found(text):
    assert odd(text)
