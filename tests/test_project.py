"""The project as a whole: one declaration of dependencies, a light import, a wheel that carries its data."""

import ast
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from sample import speaking

from relviz.measures import EXAMPLES, names_of_measures

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def requirements(*groups):
    found = [Requirement(text) for group in groups for text in group]
    return {canonicalize_name(r.name): r for r in found if r.name != "relviz"}


def python(*arguments, **environment):
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def tracked_files():
    """What git keeps; in a copy without git, all that no tool made."""
    if not (ROOT / ".git").exists():
        made = re.compile(
            r"(^|/)(\.venv[^/]*|\.\w+_cache|\.hypothesis|__pycache__|artefacts|build|dist|\.ipynb_checkpoints)/"
        )
        files = [path for path in ROOT.rglob("*") if path.is_file()]
        return [path for path in files if not made.search(path.relative_to(ROOT).as_posix())]
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [ROOT / name.decode() for name in names.split(b"\0") if name and (ROOT / name.decode()).is_file()]


def test_the_lock_pins_all_that_is_declared():
    pins = [Requirement(line) for line in (ROOT / "requirements.lock").read_text().splitlines() if line]
    assert all(re.fullmatch(r"==[^,]+", str(pin.specifier)) for pin in pins)
    for name, declared in requirements(PROJECT["dependencies"], *EXTRAS.values()).items():
        versions = [pin.specifier for pin in pins if canonicalize_name(pin.name) == name]
        assert versions, f"{name} is declared but not in requirements.lock: run `make lock`"
        for pinned in versions:
            assert declared.specifier.contains(str(pinned).removeprefix("==")), f"{name}{pinned} against {declared}"


def test_what_is_imported_is_declared():
    places = importlib.metadata.packages_distributions()
    imported = {
        name.partition(".")[0]
        for path in tracked_files()
        if path.suffix == ".py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in ([a.name for a in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None)])
        if name and not getattr(node, "level", 0)
    }
    declared = requirements(PROJECT["dependencies"], *EXTRAS.values()).keys()
    for name in (imported & places.keys()) - {"relviz", "traitlets"}:  # traitlets: what ipywidgets is made of
        assert {canonicalize_name(d) for d in places[name]} & declared, f"{name} is imported and not declared"


def test_environment_yml_says_the_same():
    listed = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    conda = requirements([x for x in listed if isinstance(x, str) and x != "pip"])
    assert conda.pop("python").specifier == SpecifierSet(PROJECT["requires-python"])
    declared = requirements(PROJECT["dependencies"], EXTRAS["lab"])
    assert {n: str(r.specifier) for n, r in conda.items()} == {n: str(r.specifier) for n, r in declared.items()}
    assert {"pip": ["-e ."]} in listed


def test_no_file_names_a_package_registry():
    address = re.compile(rb"(pypi|pythonhosted|npmjs|anaconda|debian)\.(org|com|io)", re.IGNORECASE)
    for path in tracked_files():
        if path != Path(__file__):
            assert not address.search(path.read_bytes()), path


def test_import_is_light():
    heavy = {"matplotlib", "pandas", "ipywidgets", "anywidget", "IPython", "scipy"}
    code = f"import sys, relviz; print(sorted({heavy} & set(sys.modules)))"
    assert python("-c", code).strip() == "[]"


def test_import_is_quick():
    # Processor time, and again where it was slow: a busy machine makes clocks say more than they know.
    code = "import time; t = time.process_time(); import relviz; print(time.process_time() - t)"
    assert any(float(python("-c", code)) < 0.3 for _ in range(10))


def test_every_public_name_is_documented_with_its_lesson():
    import relviz

    for name in relviz.__all__:
        doc = getattr(relviz, name).__doc__
        assert re.search(r"lessons? \d\d", doc), f"relviz.{name}: the docstring does not say in which lesson"


DAMAGED = {"csv", "json", "json_number", "gzip"}


def test_both_languages_have_the_same_words():
    places = re.compile(r"(?<!{){(\w+)|%(\(\w+\)[rs]|[rs]\b)")
    english = sorted((ROOT / "relviz/locale/en").glob("*.json"))
    assert [p.name for p in english] == [p.name for p in sorted((ROOT / "relviz/locale/zh").glob("*.json"))]
    for path in english:
        en, zh = (json.loads((path.parents[1] / lang / path.name).read_text(encoding="utf-8")) for lang in ("en", "zh"))
        assert list(en) == list(zh), path.name
        for key in en:
            # What Python says of a damaged file is English, and shown in English only.
            only_english = {("problem", "")} if path.name == "files.json" and key in DAMAGED else set()
            assert set(places.findall(en[key])) - only_english == set(places.findall(zh[key])), f"{path.name}: {key}"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    return next(folder.glob("*.whl"))


def test_the_wheel_gives_the_chapter_s_numbers_from_an_empty_folder(wheel, tmp_path):
    site, empty = tmp_path / "site", tmp_path / "empty"
    python("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site), str(wheel))
    empty.mkdir()
    code = """
import pathlib, relviz
data = relviz.load_bughunt()
index = relviz.Index(data.docs)
scores = {
    name: [relviz.ndcg_at_k(rank(text), data.qrels[q], 5) for q, text in data.queries.items()]
    for name, rank in {"tfidf": index.tfidf, "bm25": index.bm25}.items()
}
print(pathlib.Path(relviz.__file__).parent)
print(*(f"{sum(values) / len(values):.3f}" for values in scores.values()))
print("[{:+.3f}, {:+.3f}]".format(*relviz.paired_bootstrap(scores["tfidf"], scores["bm25"])))
print(f"{relviz.randomization_test(scores['tfidf'], scores['bm25']):.3f}")
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=empty,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    chapter = ["0.871 0.890", "[-0.012, +0.055]", "0.305"]  # as chapter 000 prints them
    assert done.stdout.splitlines() == [str(site / "relviz"), *chapter]
    assert (site / "relviz" / "py.typed").exists()  # so that a user's type checker reads the types


@pytest.mark.parametrize(("readme", "language"), [("README.md", "en"), ("README.zh.md", "zh")])
def test_the_readme_lists_every_lesson_under_its_title(readme, language):
    text = (ROOT / readme).read_text(encoding="utf-8")
    for path in sorted((ROOT / "notebooks" / language).glob("*.ipynb")):
        first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]
        title = "".join(first).splitlines()[0].removeprefix("# ")
        assert f"| {path.name[:2]} | [{title}]({path.relative_to(ROOT).as_posix()}) |" in text
    for link in re.findall(r"\]\((?!http)([^)#]+)", text):
        assert (ROOT / link).exists(), link


@pytest.mark.parametrize("readme", ["README.md", "README.zh.md"])
def test_the_readme_names_every_measure(readme):
    text = " ".join((ROOT / readme).read_text(encoding="utf-8").split())
    with speaking("zh" if "zh" in readme else "en"):
        assert names_of_measures() in text
    assert all(f"`{example}`" in text for example in EXAMPLES)


@pytest.mark.parametrize("readme", ["README.md", "README.zh.md"])
def test_what_the_readme_shows_runs(readme, tmp_path):
    text = (ROOT / readme).read_text(encoding="utf-8")
    (shown,) = re.findall(r"```python\n(.*?)```", text, re.S)
    (tmp_path / "my.qrels").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    (tmp_path / "old.run").write_text("q1 Q0 d3 1 2 old\nq1 Q0 d1 2 1 old\nq2 Q0 d2 1 1 old\n")
    (tmp_path / "new.run").write_text("q1 Q0 d1 1 2 new\nq2 Q0 d2 1 1 new\n")
    words = subprocess.run(
        [sys.executable, "-c", shown], cwd=tmp_path, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
    assert "nDCG@10" in words
    assert any("old" in line and "new" in line for line in words.splitlines())  # the names of the files
    lines = re.findall(r"^relviz ((?:check|compare) .*)$", text, re.M)
    assert len(lines) == 2
    for line in lines:
        subprocess.run([sys.executable, "-m", "relviz", *line.split()], cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "report.html").exists()
