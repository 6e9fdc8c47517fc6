"""The lessons as readers get them: executed, complete, the same in both languages, and what their sources give."""

import ast
import os
import re
import statistics
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import nbformat
import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parent.parent
NOTEBOOKS = ROOT / "notebooks"
SOURCES = sorted(NOTEBOOKS.glob("source/*.md"))
LESSONS = [s.stem for s in SOURCES]
BUILT = [f"{language}/{lesson}" for language in ("en", "zh") for lesson in LESSONS]
NBVAL = [
    *[sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--nbval", "--nbval-current-env"],
    *["--nbval-cell-timeout=120", f"--nbval-sanitize-with={ROOT / 'tests/nbval_sanitize.cfg'}"],
]


def read(name):
    return nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)


def cells(name, kind):
    return [cell for cell in read(name).cells if cell.cell_type == kind]


def prose(name):
    return "\n\n".join(cell.source for cell in cells(name, "markdown"))


def bundles(name):
    return [output.data for cell in cells(name, "code") for output in cell.outputs if "data" in output]


def pictures(name):
    return [tag for data in bundles(name) for tag in re.findall(r"<img\b[^>]*>", data.get("text/html", ""))]


def shows_something(cell):
    last = ast.parse(cell.source).body[-1]
    return isinstance(last, ast.Expr) and not re.search(r"set_(language|option)\(.*\)$", cell.source)


# ---------- built and complete ----------


@pytest.mark.notebooks
def test_the_notebooks_are_what_their_sources_give():
    before = os.times()
    done = subprocess.run([sys.executable, NOTEBOOKS / "build.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    # Five seconds each in the mean, of the processor's time and with the start of a kernel: the clock of a busy machine
    # must not decide.
    after = os.times()
    took = after.children_user + after.children_system - before.children_user - before.children_system
    assert took < 5 * len(BUILT)


@pytest.mark.notebooks
def test_saved_outputs_are_what_the_code_gives():
    done = subprocess.run([*NBVAL, "en", "zh"], cwd=NOTEBOOKS, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.notebooks
@pytest.mark.parametrize("lesson", LESSONS)
def test_one_wrong_digit_is_found(lesson, tmp_path):
    notebook = read(f"en/{lesson}")
    saved = [o for c in notebook.cells if c.cell_type == "code" for o in c.outputs if "data" in o]
    data = next(o.data for o in saved if re.search(r"\d\.\d", o.data["text/plain"]))
    data["text/plain"] = re.sub(r"\d(?=\D*$)", lambda m: str((int(m[0]) + 1) % 10), data["text/plain"], count=1)
    nbformat.write(notebook, tmp_path / "wrong.ipynb")
    done = subprocess.run([*NBVAL, "wrong.ipynb"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout
    assert "1 failed" in done.stdout


@pytest.mark.parametrize("name", BUILT)
def test_every_cell_ran_in_order_and_was_saved_with_its_output(name):
    code = cells(name, "code")
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        assert cell.outputs or not shows_something(cell), cell.source
        assert not cell.source.rstrip().endswith(";"), cell.source
        assert all(output.output_type != "error" and output.get("name") != "stderr" for output in cell.outputs)


@pytest.mark.parametrize("name", BUILT)
def test_nothing_saved_depends_on_the_run_or_the_network(name):
    text = (NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8")
    assert len(text.encode()) < 1_500_000
    assert " at 0x" not in text
    assert "widgets" not in read(name).metadata
    for data in bundles(name):
        assert not re.search(r"""(src|href)=["']?(https?:)?//""", data.get("text/html", ""))
        assert not {"application/vnd.jupyter.widget-view+json"} & set(data)
        if "data-relviz" in data.get("text/html", ""):
            assert len(data["text/html"].encode()) < 150_000


@pytest.mark.parametrize("name", BUILT)
def test_every_picture_says_in_words_what_it_shows(name):
    for data in bundles(name):
        assert not {"image/png", "image/jpeg", "image/svg+xml"} & set(data), (
            "show a relviz.draw.Figure: it has alt text"
        )
    for tag in pictures(name):
        assert re.search(r'\salt="[^"]{20,}"', tag), tag[:200]


# ---------- written well ----------

# What may stand in prose as digits: everything else is computed, {{ so }}.
ALLOWED = re.compile(
    r"""
      \{\{.*?\}\}                          # computed
    | `[^`]*` | \$[^$]*\$                  # code and formulas
    | \]\([^)]*\)                          # the address of a link
    | \bdoi:\S+ | \barXiv:\S+ | DOI\ \S+   # sources
    | \b(1[89]|20)\d\d\b                   # years
    | \d+\(\d+\),\ \d+-\d+ | \b\d+-\d+(?=\.) # volume and pages
    | 95\ ?%                               # the usual level of an interval
    | \d+(?=\ (minutes|seconds)\b|\ 分钟|\ 秒)
    | [A-Za-z0-9_@-]*[A-Za-z_@][A-Za-z0-9_@-]* # words with a digit inside: q18, BUG-118, nDCG@5
    | (?<![\d.])\d(?!\d|[.,]\d|\ ?%)       # one digit
    | (?<![\d.])(0\d|1[0-2])(?!\d|[.,]\d|\ ?%) # lessons 00 to 12
    """,
    re.VERBOSE | re.DOTALL,
)


PLACE = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)


def is_literal(place):
    # As notebooks/build.py computes it: in an f-string, with its format.
    value = ast.parse(f"f'''{{{place.strip()}}}'''", mode="eval").body.values[0].value
    return not any(isinstance(part, ast.Name | ast.Call | ast.BinOp) for part in ast.walk(value))


def test_a_literal_is_known_from_a_computation():
    assert all(map(is_literal, [" 0.5 ", "(0.75):.2f", "-1", "0.8:.1f"]))
    assert not any(map(is_literal, ["1 / 11:.3f", " sd ", "len(a):,", "f(0.5)", "(1 + 0) / 2"]))


@pytest.mark.parametrize("source", SOURCES, ids=LESSONS)
def test_no_number_is_typed_into_prose(source):
    text = re.sub(r"(?ms)^```\{code-cell\}.*?^```$|^\+\+\+.*?$", "", source.read_text(encoding="utf-8"))
    left = ALLOWED.sub("", text)
    assert not re.search(r"\d", left), [line for line in left.splitlines() if re.search(r"\d", line)]
    typed = [place for place in PLACE.findall(text) if is_literal(place)]
    assert not typed, f"{typed} are typed numbers dressed as computed ones: compute them, or name them in a cell"


@pytest.mark.parametrize("name", BUILT)
def test_no_place_is_left_unfilled(name):
    assert "{{" not in prose(name)
    assert "LANGUAGE" not in (NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8")


@pytest.mark.parametrize("lesson", LESSONS)
def test_cells_are_small(lesson):
    sizes = sorted(sum(map(bool, c.source.splitlines())) for c in cells(f"en/{lesson}", "code"))
    assert statistics.median(sizes) <= 3
    assert sizes[int(0.9 * (len(sizes) - 1))] <= 8
    assert lesson.startswith("00") or 15 <= len(sizes) <= 30


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_exercise_is_asked_once_and_none_is_forgotten(lesson):
    asked = re.findall(
        r'^exercise\("([\d.]+)"\)\.check\(', "\n".join(c.source for c in cells(f"en/{lesson}", "code")), re.M
    )
    assert asked == [e.key for e in import_module(f"relviz.lessons.lesson{lesson[:2]}").EXERCISES]
    assert lesson.startswith("00") or len(asked) >= 6


@pytest.mark.parametrize("name", BUILT)
def test_emphasis_is_emphasis(name):
    # In Chinese, stars after a mark such as 。 or ） and before a character close nothing, and are shown.
    for cell in cells(name, "markdown"):
        shown = re.sub(r"<code>.*?</code>", "", MarkdownIt().render(cell.source), flags=re.DOTALL)
        assert "**" not in shown, shown


@pytest.mark.parametrize("name", BUILT)
def test_links_lead_somewhere(name):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", prose(name)):
        assert (NOTEBOOKS / name).parent.joinpath(target).exists(), target


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_map_links_every_lesson(language):
    linked = set(re.findall(r"\((\d\d_\w+)\.ipynb\)", prose(f"{language}/00_start_here")))
    assert linked == set(LESSONS) - {"00_start_here"}


def is_on_a_slide(cell):
    return cell.metadata.slideshow.slide_type not in ("skip", "notes")


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_slide_speaks_of_what_is_on_no_slide(lesson):
    all_cells = read(f"en/{lesson}").cells
    for before, cell, after in zip(all_cells, all_cells[1:], all_cells[2:]):
        shows = cell.cell_type == "code" and cell.outputs and "exercise(" not in cell.source
        if shows and not is_on_a_slide(cell):
            words = [c.source for c in (before, after) if c.cell_type == "markdown" and is_on_a_slide(c)]
            assert not words, (cell.source, words)


# ---------- the same in both languages ----------


def outline(name):
    return [len(marks) for marks in re.findall(r"^(#+) ", prose(name), re.MULTILINE)]


@pytest.mark.parametrize("lesson", LESSONS)
def test_both_languages_are_built_alike(lesson):
    en, zh = read(f"en/{lesson}"), read(f"zh/{lesson}")
    assert outline(f"en/{lesson}") == outline(f"zh/{lesson}")
    assert [(c.cell_type, c.metadata) for c in en.cells] == [(c.cell_type, c.metadata) for c in zh.cells]
    code = list(zip(cells(f"en/{lesson}", "code"), cells(f"zh/{lesson}", "code")))
    assert code[0][0].source == code[0][1].source.replace('"zh"', '"en"') != code[0][1].source
    assert all(e.source == z.source for e, z in code[1:])
    assert len(pictures(f"en/{lesson}")) == len(pictures(f"zh/{lesson}"))


TERMS = (NOTEBOOKS / "terms.md").read_text(encoding="utf-8").partition("\n## ")[0]
TERMS = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", TERMS, re.MULTILINE)[1:]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_chinese_term_comes_with_its_english_one_at_first(lesson):
    paragraphs = [p for p in re.split(r"\n\s*\n", prose(f"zh/{lesson}")) if not p.startswith("#")]
    for english, chinese in TERMS:
        first = next((i for i, p in enumerate(paragraphs) if chinese in p), None)
        if first is not None:
            seen = "\n".join(paragraphs[: first + 1]).casefold()
            assert english.casefold() in seen, f"{chinese} ({english}) in: {paragraphs[first]}"
