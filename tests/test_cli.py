"""The command line: what it prints, writes and answers with, on good files and bad ones."""

import gzip
import html
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from relviz import cli, read_run, rrf, set_language, write_qrels, write_run
from relviz.locale import LANGUAGES, language
from relviz.measures import EXAMPLES, KNOWN, parse_measure
from relviz.terminal import wide

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _a_terminal_without_a_language(monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Thirty queries with one relevant document: at rank 2 in old.run, at 1 in new.run, at both in mixed.run."""
    monkeypatch.chdir(tmp_path)
    queries = [f"q{i:02}" for i in range(30)]
    write_qrels({q: {"r": 1, "x": 0} for q in queries}, "qrels.txt")
    write_run({q: {"x": 2.0, "r": 1.0} for q in queries}, "old.run")
    write_run({q: {"r": 2.0, "x": 1.0} for q in queries}, "new.run")
    write_run({q: {"r": 1.0, "x": 1.5 * (i % 2)} for i, q in enumerate(queries)}, "mixed.run")
    (tmp_path / "queries.tsv").write_text("q00\t我收藏的文章\n", encoding="utf-8")
    return tmp_path


def run(capsys, line, *more):
    """A command line without quotes, and what follows it."""
    code = cli.main([*line.split(), *more])
    out, err = capsys.readouterr()
    return code, out, err


def test_compare_prints_verdict_table_and_movers(files, capsys):
    code, out, err = run(capsys, "compare qrels.txt old.run new.run -m RR@10 --queries queries.tsv")
    assert (code, err) == (0, "")
    assert "Shown: new is better than old by RR@10" in out
    assert "0.500" in out
    assert "1.000" in out
    assert "30/0/0" in out
    assert "我收藏的文章" in out
    assert "\x1b" not in out  # no colour where nobody looks


def test_several_runs_against_the_first(files, capsys):
    code, out, _ = run(capsys, "compare qrels.txt old.run new.run mixed.run")
    assert code == 0
    assert "2 runs against old" in out
    assert "corrected over 6 differences" in out


@pytest.mark.parametrize(
    ("gate", "condition", "new", "code", "words"),
    [
        # new.run gains 0.5 on every query, so its interval is the point 0.5.
        ("--fail-if", "RR@10 < -0.01", "new.run", 0, "gate passed (--fail-if)"),
        ("--fail-if", "RR@10 > 0.4", "new.run", 1, "gate failed (--fail-if)"),
        ("--require", "RR@10 > -0.01", "new.run", 0, "gate passed (--require)"),
        ("--require", "RR@10 > 0.5", "new.run", 1, "gate failed (--require)"),
        ("--fail-if", "nDCG@5 < 0", "new.run", 0, "gate passed"),  # a measure that was not asked for
        # mixed.run gains 0.5 on every second query: 0.25 on average, and the interval reaches around it.
        ("--fail-if", "RR@10 < 0.25", "mixed.run", 0, "only a part of the interval"),
        ("--require", "RR@10 > 0.25", "mixed.run", 1, "only a part of the interval"),
    ],
)
def test_gates(files, capsys, gate, condition, new, code, words):
    found, out, err = run(capsys, f"compare qrels.txt old.run {new} -m RR@10", gate, condition)
    assert found == code
    assert words in err
    measure, rest = condition.split(" ", 1)
    assert f"difference {measure} ({new.removesuffix('.run')} - old) {rest} " in err
    assert out


def test_one_gate_that_fails_is_enough(files, capsys):
    gates = ["--fail-if", "RR@10 < 0", "--require", "RR@10 > 0", "--fail-if", "RR@10 < 0.3"]
    assert run(capsys, "compare qrels.txt old.run new.run", *gates)[0] == 0
    assert run(capsys, "compare qrels.txt old.run new.run old.run", *gates)[0] == cli.BAD_INPUT
    Path("same.run").write_bytes(Path("old.run").read_bytes())
    code, _, err = run(capsys, "compare qrels.txt old.run new.run same.run", *gates)
    assert code == 1
    failed = [line for line in err.splitlines() if line.startswith("gate failed")]
    assert ["(same - old)" in line for line in failed] == [True, True]
    # Whichever run comes last, and though another gate passes.
    assert run(capsys, "compare qrels.txt old.run same.run new.run", *gates)[0] == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_of_a_red_build_says_why_it_is_red(files, capsys, lang):
    gates = ["--fail-if", "RR@10 > 0.4", "--require", "nDCG@10 > 0", "--lang", lang]
    code, out, err = run(
        capsys, "compare qrels.txt old.run new.run --html a.html --json a.json --markdown a.md", *gates
    )
    red, green = err.splitlines()
    assert (code, red in out) == (1, False)  # a terminal shows both streams
    page, markdown = (Path(name).read_text(encoding="utf-8") for name in ("a.html", "a.md"))
    asked = json.loads(Path("a.json").read_text(encoding="utf-8"))["gates"]
    assert [gate["words"] for gate in asked] == [red, green]
    assert [(gate["rule"], gate["condition"], gate["stops"]) for gate in asked] == [
        ("fail_if", "RR@10 > 0.4", True),
        ("require", "nDCG@10 > 0", False),
    ]
    for form, table in ((html.unescape(page), "<table"), (re.sub("<!-- -->", "", html.unescape(markdown)), "| ---")):
        assert 0 < form.index(red) < form.index(green) < form.index(table)
    assert page.count('class="rr-gate rr-stops"') == 1
    assert sum(line.startswith("- **") for line in markdown.splitlines()) == 1


def test_a_gate_is_not_taken_for_a_score(files, capsys):
    for limit, said in (("0.3", True), ("-0.3", True), ("0.29", False)):
        err = run(capsys, "compare qrels.txt old.run new.run", "--require", f"nDCG@10 > {limit}")[2]
        assert ("speaks of the difference, not of the score" in err) == said


def test_reports_are_written(files, capsys):
    code, _, _ = run(capsys, "compare qrels.txt old.run new.run --html a.html --json a.json --markdown a.md --lang zh")
    assert code == 0
    assert json.loads(Path("a.json").read_text(encoding="utf-8"))["differences"][1]["mean"] == 0.5
    assert Path("a.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "显示出差异" in Path("a.md").read_text(encoding="utf-8")
    assert language() == "en"  # as it was before


def test_a_dash_prints_only_that(files, capsys):
    code, out, _ = run(capsys, "compare qrels.txt old.run new.run --json -")
    assert code == 0
    assert json.loads(out)["runs"] == ["new"]
    code, out, _ = run(capsys, "evaluate qrels.txt old.run -m RR@10 --json -")
    halves = {f"q{i:02}": 0.5 for i in range(30)}
    found = json.loads(out)
    assert (found["means"], found["scores"]) == ({"old": {"RR@10": 0.5}}, {"old": {"RR@10": halves}})
    assert found["conventions"]["missing"] == "zero"
    assert (found["undefined"], found["missing"], found["extra"]) == ({"RR@10": []}, {"old": []}, {"old": []})
    assert found["version"]


def test_evaluate(files, capsys):
    code, out, _ = run(capsys, "evaluate qrels.txt old.run mixed.run -m RR@10,P(rel=1)@1 --per-query")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["RR@10", "P(rel=1)@1"]
    assert lines[1].split() == ["old", "0.500", "0.000"]
    assert lines[2].split() == ["mixed", "0.750", "0.500"]
    assert "q01\t0.5000\t0.0000" in lines
    assert "Conventions" in out


def test_check(files, capsys):
    code, out, _ = run(capsys, "check qrels.txt old.run new.run -k 1")
    assert code == 0
    assert out.count("30 of 30 judged queries") == 2


def test_fuse_writes_what_rrf_says(files, capsys):
    code, _, err = run(capsys, "fuse old.run mixed.run -o fused.run -k 10 --weights 1,2")
    assert (code, err) == (0, "")
    fused = read_run("fused.run")
    # q00: old has x, r; mixed has r, x.
    assert dict(fused["q00"]) == dict(rrf([["x", "r"], ["r", "x"]], 10, weights=[1, 2]))
    assert run(capsys, "fuse old.run -o f.run --weights 1,2")[0] == 2


def english_in(text):
    """Two English words in a row that are neither a command nor the full name of RRF; file names stand alone."""
    lines = [
        re.sub("relviz [a-z]+|reciprocal rank fusion", "", line) for line in text.splitlines() if line[:8] != "  relviz"
    ]
    return [line for line in lines if re.search(r"\b[a-z]{2,} [a-z]{2,}\b", line)]


# Faults that are found below the command line.
DEEP = ("nDCG@0", "nDGC@10", "bad.txt", "qrels.txt -o", "evaluate old.run", "--fail-if nDCG@10")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("compare qrels.txt old.run gone.run", "gone.run: No such file"),
        ("compare qrels.txt old.run", "needs two runs"),
        ("compare qrels.txt", "required: RUN"),
        ("compare qrels.txt old.run new.run --fail-if nDCG@10", "cannot be read"),
        ("compare qrels.txt old.run new.run --fail-if nDGC@10<0", "no measure 'nDGC'"),
        ("compare qrels.txt old.run new.run --level 95", "--level: the level is a number between 0 and 1"),
        ("compare qrels.txt old.run new.run --level 0", "--level: the level is a number between 0 and 1"),
        ("compare qrels.txt old.run new.run --level x", "--level: this is a number of at least 0, got 'x'"),
        ("compare qrels.txt old.run new.run --seed -1", "--seed: this is a whole number of at least 0"),
        ("compare qrels.txt old.run new.run --movers 1.5", "--movers: this is a whole number of at least 0, got '1.5'"),
        ("compare qrels.txt old.run new.run --correction x", "invalid choice: 'x'"),
        ("compare qrels.txt old.run new.run --html", "expected one argument"),
        ("compare qrels.txt old.run new.run --lenient=1", "ignored explicit argument '1'"),
        ("compare qrels.txt old.run new.run --colour", "unrecognized arguments: --colour"),
        ("fuse old.run new.run -o f.run -k nan", "-k: this is a number of at least 0, got 'nan'"),
        ("fuse old.run new.run -o f.run -k inf", "-k: this is a number of at least 0, got 'inf'"),
        ("fuse old.run new.run -o f.run --weights 1,x", "--weights: this is a number of at least 0, got 'x'"),
        ("fuse old.run new.run -o f.run --weights 1", "the number of runs is 2, of weights 1"),
        ("compare qrels.txt old.run new.run --queries qrels.txt", "qrels.txt, line 1: there is no tab"),
        ("compare qrels.txt old.run old.run", "named twice"),
        ("evaluate bad.txt old.run", "bad.txt"),
        ("evaluate old.run qrels.txt", "old.run"),
        ("evaluate qrels.txt old.run -m nDCG@0", "at least 1"),
        ("evaluate qrels.txt old.run --json nowhere/a.json", "nowhere"),
        ("fuse old.run", "required: -o"),
        ("evalute", "invalid choice"),
        ("check qrels.txt old.run --lang fr", "invalid choice"),
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_wrong_is_said_in_one_line(files, capsys, arguments, words, lang):
    Path("bad.txt").write_text("q00 0 r\n")
    code, out, err = run(capsys, arguments if "--lang" in arguments else f"{arguments} --lang {lang}")
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    if "--lang" in arguments or lang == "en":
        assert words in err
    elif not any(word in arguments for word in DEEP):
        assert not english_in(err)
        assert re.search("[\u4e00-\u9fff]", err)


def test_lenient_says_what_it_did(files, capsys):
    Path("dirty.run").write_text(Path("old.run").read_text() + "q00 Q0 nan 3 nan t\n")
    assert run(capsys, "evaluate qrels.txt dirty.run")[0] == 2
    code, _, err = run(capsys, "evaluate qrels.txt dirty.run --lenient")
    assert code == 0
    assert "dirty.run, line 61" in err


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", ["", "compare", "evaluate", "check", "fuse"])
def test_help_for_a_newcomer(capsys, lang, command):
    code, out, _ = run(capsys, f"{command} --help --lang {lang}")
    assert code == 0
    assert out.startswith(f"{'usage: ' if lang == 'en' else '用法：'}relviz {command}")
    assert "2 bad usage" in out or "2 用法" in out
    assert all(wide(line) < 80 for line in out.splitlines())
    assert lang == "en" or not english_in(out)
    assert run(capsys, "")[0] == 0  # alone, it shows its help


@pytest.mark.parametrize(
    ("surroundings", "line", "chinese"),
    [
        ({}, "--help", False),
        ({"LANG": "zh_CN.UTF-8"}, "--help", True),
        ({"LANG": "zh"}, "evalute", True),
        ({"LANG": "de_DE.UTF-8"}, "--help", False),
        ({"LANG": "C", "LC_MESSAGES": "zh_CN"}, "--help", True),
        ({"LANG": "zh_CN", "LC_ALL": "en_GB"}, "--help", False),
        ({"LANG": "zh_CN.UTF-8"}, "--help --lang en", False),
        ({"LANG": "zh_CN.UTF-8"}, "--lang=en --help", False),
        ({"LANG": "zh_CN.UTF-8"}, "check --lang fr", True),
        ({}, "--lang en check --lang zh --help", True),
        ({}, "evalute --lang zh", True),
        ({}, "--nonsense --lang=zh compare", True),
        ({}, "compare --lang zh", True),
        ({}, "check --lang", False),
    ],
)
def test_the_language_is_that_of_the_line_or_of_the_terminal(capsys, monkeypatch, surroundings, line, chinese):
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    _, out, err = run(capsys, line)
    assert bool(re.search("[\u4e00-\u9fff]", out + err)) == chinese
    assert not chinese or not english_in(out + err)
    assert language() == "en"


def test_words_of_options_break_by_columns():
    lines = cli._Help("")._split_lines('指标（例如 “甲”），或 "a b c" 也行，abc', 12)
    assert lines == ["指标（例如", "“甲”），或", '"a b c" 也', "行，abc"]
    assert cli._Help("")._split_lines("one two three", 7) == ["one two", "three"]


def test_argparse_has_its_own_words_again():
    import argparse

    before = argparse._
    cli.main(["--help"])
    cli.main(["nonsense"])
    assert argparse._ is before


def start(line, **options):
    """A child that hears Ctrl-C, also where these tests run in the background of a shell, which does not."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen([sys.executable, *line], preexec_fn=heard, **pipes, **options)


@pytest.mark.parametrize("way", [["-m", "relviz"], ["relviz"]])
def test_ctrl_c_while_numpy_loads(tmp_path, way):
    (tmp_path / "numpy.py").write_text(
        "import sys, time\nprint('loading', file=sys.stderr, flush=True)\ntime.sleep(60)\n"
    )
    (tmp_path / "relviz").write_text("import sys\nfrom relviz.cli import main\nsys.exit(main())\n")
    env = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    child = start([*way, "--help"], env=env, cwd=tmp_path)
    child.stderr.readline()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out, err) == (130, "", "")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_ctrl_c_at_work(tmp_path, lang):
    os.mkfifo(tmp_path / "qrels.txt")
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    line = ["-m", "relviz", "check", "qrels.txt", "a.run", "--lang", lang]
    child = start(line, env=env, cwd=tmp_path)
    with open(tmp_path / "qrels.txt", "w"):  # opens when the child begins to read
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    assert (child.returncode, out, err.count("\n")) == (130, "", 1)
    assert ("stopped" in err) == (lang == "en")


def test_ctrl_c_stays_the_affair_of_any_other_program():
    code = "import signal, relviz; assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    child = start(["-c", code], env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (child.communicate()[1], child.returncode) == ("", 0)


class Terminal(io.StringIO):
    """A stream on which somebody looks."""

    def isatty(self):
        return True


def test_colour_and_progress_only_where_somebody_looks(files, monkeypatch):
    arguments = ["compare", "qrels.txt", "old.run", "new.run", "-m", "RR@10"]
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    shown = []
    for plain in (False, True):
        if plain:
            monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setattr(sys, "stdout", Terminal())
        monkeypatch.setattr(sys, "stderr", Terminal())
        assert cli.main(arguments) == 0
        shown.append(sys.stdout.getvalue())
        assert "relviz: new.run ..." in sys.stderr.getvalue()
        assert "relviz: new RR@10 (1/1) ..." in sys.stderr.getvalue()
        assert sys.stderr.getvalue().endswith("\r\x1b[K")
    monkeypatch.delenv("NO_COLOR")
    for name, ink in (("TERM", "dumb"), ("TERM", "xterm")):
        monkeypatch.setenv(name, ink)
        monkeypatch.setattr(sys, "stdout", Terminal())
        cli.main(arguments)
        assert ("\x1b" in sys.stdout.getvalue()) == (ink != "dumb")
    assert "\x1b[1;34mShown" in shown[0]
    assert "\x1b" not in shown[1]
    assert shown[0].replace("\x1b[1;34m", "").replace("\x1b[0m", "") == shown[1]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk"])
def test_a_console_that_cannot_write_chinese(files, encoding):
    env = os.environ | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": encoding}
    env["PYTHONPATH"] = str(ROOT)
    line = "compare qrels.txt old.run new.run --lang zh --html r.html --queries queries.tsv"
    done = subprocess.run([sys.executable, "-m", "relviz", *line.split()], env=env, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "我收藏的文章" in Path("r.html").read_text(encoding="utf-8")


def test_a_reader_that_has_seen_enough(files):
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    command = (
        f"{sys.executable} -m relviz evaluate qrels.txt old.run -m RR@2 --per-query | head -1; exit ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(["bash", "-c", command], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_is_declared():
    assert 'relviz = "relviz.cli:main"' in (ROOT / "pyproject.toml").read_text()
    set_language("en")


@pytest.mark.parametrize("reader", ["| head -1", "| true", "2>&1 | true", "--json - | true", ">&-"])
def test_a_gate_is_kept_whoever_reads(files, reader):
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    gate = "--fail-if 'RR@10 > 0.1'" + " --movers 30" * ("head" in reader)
    for gated, code in ((gate, 1), ("", 0)):
        command = (
            f"{sys.executable} -m relviz compare qrels.txt old.run new.run {gated} {reader}; exit ${{PIPESTATUS[0]}}"
        )
        done = subprocess.run(["bash", "-c", command], env=env, capture_output=True, text=True)
        assert done.returncode == code
        assert "Error" not in done.stderr


def test_files_that_never_meet_pass_no_gate_and_no_check(files, capsys):
    write_run({f"q{i:02}": {"elsewhere": 1.0} for i in range(30)}, "lost.run")
    Path("lost2.run").write_bytes(Path("lost.run").read_bytes())
    code, out, err = run(capsys, "compare qrels.txt lost.run lost2.run", "--require", "nDCG@10 > -0.01")
    assert (code, out) == (2, "")
    assert "nothing to compare" in err
    for runs in ("old.run lost.run", "lost.run new.run", "old.run new.run lost.run"):
        code, out, err = run(capsys, f"compare qrels.txt {runs}", "--require", "nDCG@10 > -2")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "no document of 'lost' is judged for the query that it was retrieved for" in err
        assert "the run has 'elsewhere'" in err
    code, _, err = run(capsys, "check qrels.txt lost.run old.run")
    assert code == 2
    assert "no document of 'lost' is judged" in err
    assert "'old'" not in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("compare qrels.txt old.run new.run --json old.run", "old.run is read here"),
        ("compare qrels.txt old.run new.run --html ./qrels.txt", "qrels.txt is read here"),
        ("compare qrels.txt old.run new.run --queries queries.tsv --markdown queries.tsv", "queries.tsv is read here"),
        ("evaluate qrels.txt old.run --json old.run", "old.run is read here"),
        ("fuse old.run new.run -o new.run", "new.run is read here"),
        ("compare qrels.txt old.run new.run --html out --json ./out", "both write to ./out"),
        ("compare qrels.txt old.run new.run --json - --markdown -", "both write to -"),
        ("compare qrels.txt old.run new.run --html nowhere/x.html", "no folder"),
        ("compare qrels.txt old.run new.run --html .", "this is a folder"),
        ("fuse old.run new.run -o nowhere/f.run", "no folder"),
        ("fuse old.run new.run -o f.run --depth -1", "--depth: this is a whole number of at least 1"),
        ("compare qrels.txt old.run ./old.run", "named twice"),
        ("check qrels.txt old.run -k 0", "-k: this is a whole number of at least 1"),
        ("check qrels.txt old.run -k -3", "-k: this is a whole number of at least 1"),
        ("compare qrels.txt old.run new.run --strata deep.json", "nested too deeply"),
        ("compare qrels.txt old.run new.run --strata empty.tsv", "holds nothing"),
        ("compare qrels.txt old.run new.run --strata twice.json", "line 2: query 'q00' stands twice"),
        ("compare qrels.txt old.run new.run --queries twice.tsv", "line 2: query 'q00' stands twice"),
        ("compare qrels.txt old.run new.run --queries list.json", "holds [1]"),
        ("compare qrels.txt old.run new.run --queries number.json", "line 1: query 'q00' has no text"),
        ("compare qrels.txt old.run new.run --strata other.tsv", "'q99' is no judged query"),
    ],
)
def test_no_input_is_lost_and_no_fault_takes_the_code_of_a_gate(files, capsys, arguments, words):
    for name, text in {
        "deep.json": "[" * 100_000,
        "empty.tsv": "\n",
        "twice.json": '{"q00": "a",\n"q00": "b"}',
        "twice.tsv": "q00\ta\nq00\tb\n",
        "list.json": "[1]",
        "number.json": '{"q00": 7}',
        "other.tsv": "q99\ta\n",
    }.items():
        Path(name).write_text(text)
    before = {path.name: path.read_bytes() for path in files.iterdir()}
    code, out, err = run(capsys, arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before


def test_a_fault_of_relviz_is_no_failed_gate(files, capsys, monkeypatch):
    monkeypatch.setattr("relviz.qrels.check_run", lambda *_, **__: 1 / 0)
    code, _, err = run(capsys, "check qrels.txt old.run")
    assert (code, "ZeroDivisionError" in err) == (2, True)


def test_a_dash_is_the_terminal_for_every_output(files, capsys):
    code, out, _ = run(capsys, "compare qrels.txt old.run new.run --html -")
    assert (code, out.startswith("<!doctype html>"), out.endswith("</html>\n")) == (0, True, True)
    code, out, _ = run(capsys, "fuse old.run new.run -o -")
    assert (code, out.splitlines()[0].split()[:3]) == (0, ["q00", "Q0", "x"])
    assert not Path("-").exists()
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    command = f"{sys.executable} -m relviz fuse old.run new.run -o /dev/stdout | cat"
    assert subprocess.run(["bash", "-c", command], env=env, capture_output=True, text=True).stdout == out


def test_a_report_replaces_the_old_one_whole_or_not_at_all(files, capsys, monkeypatch):
    Path("keep").write_text("old")
    Path("keep").chmod(0o640)
    for option in ("--html", "--json", "--markdown"):
        with monkeypatch.context() as broken:
            broken.setattr(Path, "replace", lambda *_: 1 / 0)
            assert run(capsys, "compare qrels.txt old.run new.run", option, "keep")[0] == 2
        assert Path("keep").read_text() == "old"
    assert run(capsys, "compare qrels.txt old.run new.run --json keep")[0] == 0
    assert json.loads(Path("keep").read_text())["runs"] == ["new"]
    assert Path("keep").stat().st_mode & 0o777 == 0o640
    assert {path.name for path in files.iterdir() if path.suffix == ".part"} == set()


def test_a_file_name_that_is_no_text(files, capsys):
    name = os.fsdecode(b"n\xff.run")
    try:
        Path(name).write_bytes(Path("new.run").read_bytes())
    except OSError:
        pytest.skip("this system has no such names")
    assert run(capsys, "compare qrels.txt old.run", name, "--json", "a.json", "--html", "a.html")[0] == 0
    assert json.loads(Path("a.json").read_text(encoding="utf-8"))["runs"] == ["n\ufffd"]


def test_texts_keep_their_characters_and_kinds_that_fit_nothing_are_said(files, capsys):
    Path("queries.tsv").write_bytes("q00\tone\u2028two\x0bthree\n".encode())
    Path("strata.tsv").write_text("q00\tshort\nq99\tlong\n")
    code, out, err = run(capsys, "compare qrels.txt old.run new.run --queries queries.tsv --strata strata.tsv")
    assert (code, err) == (0, "")
    assert "No query that was compared is of these kinds: long." in out
    assert "one\ufffdtwo\ufffdthree" in out


def test_a_gate_by_another_name_of_a_measure_adds_no_row(files, capsys):
    code, out, err = run(capsys, "compare qrels.txt old.run new.run -m R@10", "--fail-if", "Recall(rel=1)@10 < 0")
    assert code == 0
    assert "Recall" not in out
    assert "gate passed" in err


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("compare qrels.txt old.run new.run -m RR@10 --fail-if 'RR@10 < -0.9'", 0),
        ("compare qrels.txt old.run new.run -m RR@10 --fail-if 'RR@10 > 0'", 1),
        ("evaluate qrels.txt old.run", 0),
        ("evaluate qrels.txt nofile", 2),
        ("check qrels.txt old.run", 0),
        ("check", 2),
        ("fuse old.run new.run -o fused.run", 0),
    ],
)
@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full"])
def test_a_stderr_that_nobody_has_changes_neither_result_nor_exit_code(files, line, code, closed):
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    plain, without = (
        subprocess.run(["bash", "-c", f"{sys.executable} -m relviz {line} {end}"], capture_output=True, env=env)
        for end in ("", closed)
    )
    assert (plain.returncode, without.returncode) == (code, code)
    assert without.stdout == plain.stdout


def test_errors_hold_nothing_that_steers_a_terminal(files, capsys):
    Path("a\x1b[31m\u202e.run").write_text("q\x1b[31m Q0 d 1 high t\n", encoding="utf-8")
    for name in ("a\x1b[31m\u202e.run", "\x1b[31m\u202enone"):
        code, out, err = run(capsys, "evaluate qrels.txt", name)
        assert (code, out) == (2, "")
        assert err.strip().isprintable()


def test_what_is_printed_steers_no_terminal_and_stands_in_columns(files, capsys):
    steering = {"q\x1b[31m\n1": {"d\x1b]0;x\x07": 1, "z": 0}, "none\x1b": {"z": 0}}
    Path("hostile.json").write_text(json.dumps(steering), encoding="utf-8")
    names = ["旧检索系统.json", "n\x1b[31m.json"]
    for name in names:
        run_of = {query: dict.fromkeys(rel, 2.0) for query, rel in steering.items()}
        Path(name).write_text(json.dumps({**run_of, "extra\x1b": {"z": 1.0}}), encoding="utf-8")
    for line in ("evaluate hostile.json -m RR --per-query", "check hostile.json", "fuse -o fused.json --lenient"):
        code, out, err = run(capsys, f"{line}", *names)
        assert code == 0
        assert all(text.replace("\t", "").isprintable() for text in (out + err).splitlines())
    out = run(capsys, "evaluate hostile.json -m RR,P@1 --per-query", *names)[1].splitlines()
    assert [wide(row.rpartition("  ")[0]) for row in out[1:3]] == [wide(out[1].rpartition("  ")[0])] * 2
    assert any(row.endswith("\t-\t-") for row in out)  # as in the table, where nothing is defined


def test_fuse_mends_what_the_others_mend(files, capsys):
    lines = Path("old.run").read_text(encoding="utf-8")
    Path("twice.run").write_text(lines + lines.splitlines()[0] + "\n", encoding="utf-8")
    code, _, err = run(capsys, "fuse twice.run new.run -o fused.run")
    assert (code, "twice" in err) == (2, True)
    code, _, err = run(capsys, "fuse twice.run new.run -o fused.run --lenient")
    assert (code, "twice.run, line 61" in err) == (0, True)
    assert set(read_run("fused.run")) == set(read_run("old.run"))


def test_names_that_are_none_and_names_as_long_as_can_be(files, capsys):
    for line in (
        "fuse old.run new.run -o",
        "compare qrels.txt old.run new.run --html",
        "evaluate qrels.txt old.run --json",
    ):
        code, out, err = run(capsys, line, "")
        assert (code, out) == (2, "")
        assert "has an empty name" in err
    name = "n" * 251 + ".run"
    assert run(capsys, "fuse old.run new.run -o", name)[0] == 0
    assert set(read_run(name)) == set(read_run("old.run"))
    assert "a whole number of at least 0" in run(capsys, "compare qrels.txt old.run new.run --seed", "9" * 5000)[2]


def test_documents_that_nobody_judged_count_as_asked(files, capsys):
    """old.run: x, r; new.run: r, x; nobody judged x. RR@10 of old: 1/2, or 1 without x, or 1 if x is relevant."""
    write_qrels({f"q{i:02}": {"r": 1, "other": 0} for i in range(30)}, "some.txt")
    for way, old in {"not_relevant": "0.500", "left_out": "1.000", "lowest": "0.500", "highest": "1.000"}.items():
        code, out, _ = run(capsys, f"evaluate some.txt old.run -m RR@10 --unjudged {way}")
        assert (code, out.splitlines()[1].split()) == (0, ["old", old])
        code, out, err = run(capsys, f"compare some.txt old.run new.run -m RR@10 --unjudged {way}")
        assert ("score the same on every query (30)" in out) == (way == "left_out")
        assert (code, f"invalid choice: '{way}'" in err) == ((2, True) if way in ("lowest", "highest") else (0, False))
        for command in ("compare some.txt old.run new.run", "evaluate some.txt old.run"):
            if command.startswith("evaluate") or way in ("not_relevant", "left_out"):
                code, out, err = run(capsys, f"{command} --trec --unjudged {way}")
                assert (code, out) == (2, "")
                assert f"leave out --trec or --unjudged {way}" in err


CONVENTIONS = {
    # t is tied with two others, of which ids put one before it: rank 1, 2 or 3; nothing is relevant for q1.
    "--ties doc_desc": ("0.250", "ties by document id, descending"),
    "--ties mean": (f"{(1 + 1 / 2 + 1 / 3) / 3 / 2:.3f}", "ties: mean over all orders"),
    "--ties lowest": ("0.167", "ties: the worst order"),
    "--ties highest": ("0.500", "ties: the best order"),
    "--empty undefined": ("0.250", "queries without a relevant document left out"),
    "--empty zero": ("0.167", "queries without a relevant document = 0"),
    "--missing zero": ("0.250", "queries missing from the run = 0"),
    "--missing left_out": ("0.500", "queries missing from the run left out"),
    "--ties highest --missing left_out --empty zero": ("0.500", "ties: the best order"),
}


@pytest.mark.parametrize("chosen", CONVENTIONS)
def test_conventions_are_chosen_on_the_line(files, capsys, chosen):
    write_qrels({"q0": {"t": 1, "z": 0}, "q1": {"t": 0}, "q2": {"t": 1}}, "kept.txt")
    write_run({"q0": {"z": 1.0, "t": 1.0, "a": 1.0}, "q1": {"t": 1.0}}, "tied.run")
    mean, words = CONVENTIONS[chosen]
    code, out, _ = run(capsys, f"evaluate kept.txt tied.run -m RR {chosen}")
    assert (code, out.splitlines()[1].split()) == (0, ["tied", mean])
    assert words in out
    code, out, err = run(capsys, f"evaluate kept.txt tied.run {chosen} --trec")
    assert (code, out) == (2, "")
    named = err.split("leave out --trec or ")[1]
    assert all(option in named for option in re.findall("--[a-z]+ [a-z_]+", chosen))


def test_compare_takes_the_conventions_of_evaluate(files, capsys):
    """t and z are tied in one run only: by id z comes first, at best t does."""
    write_qrels({f"q{i}": {"t": 1} for i in range(30)}, "one.txt")
    write_run({f"q{i}": {"z": 1.0, "t": 1.0} for i in range(30)}, "tied.run")
    write_run({f"q{i}": {"z": 1.0, "t": 2.0} for i in range(20)}, "first.run")
    for chosen, words in {
        "--ties doc_desc": "+0.167",
        "--ties mean": "-0.083",
        "--ties mean --missing left_out": "+0.250",
    }.items():
        code, out, _ = run(capsys, f"compare one.txt tied.run first.run -m RR {chosen}")
        assert code == 0
        assert words in out


@pytest.mark.parametrize(("rule", "words"), [("--fail-if", "gate passed"), ("--require", "gate failed")])
def test_every_gate_may_be_on_another_measure(files, capsys, rule, words):
    """P@1 gains 1 on every query. Another name of a measure that is shown, or of another gate's, adds no row."""
    gates = ["P@1 < 0", "MRR@10 < 0", "Precision@1 < 0"]
    more = [one for gate in gates for one in (rule, gate)]
    code, out, err = run(capsys, "compare qrels.txt old.run new.run -m RR@10", *more)
    assert (code, err.count(words)) == (int(rule == "--require"), 3)
    assert [line.split()[:2] for line in out.splitlines() if "(gate)" in line] == [["P@1", "(gate)"]]


def test_a_gate_on_another_measure_leaves_the_correction_alone(files, capsys):
    plain = run(capsys, "compare qrels.txt old.run mixed.run -m RR@10,nDCG@1")[1]
    code, out, err = run(capsys, "compare qrels.txt old.run mixed.run -m RR@10,nDCG@1", "--fail-if", "P@1 < 0")
    assert (code, err.startswith("gate passed")) == (0, True)
    lines = [line for line in out.splitlines() if "(gate)" not in line and "that only a gate asks for" not in line]
    assert [line.split() for line in lines] == [line.split() for line in plain.splitlines()]
    assert "corrected over 2 differences" in out
    assert [line.split()[:2] for line in out.splitlines() if "(gate)" in line] == [["P@1", "(gate)"]]


def test_a_long_step_says_for_how_long_it_has_run(monkeypatch):
    """A single resampling has no end in sight; a clock says that it is alive."""
    now = [100.0]
    monkeypatch.setattr(cli, "monotonic", lambda: now[0])
    monkeypatch.setattr(cli.Progress, "EVERY", 0.01)
    terminal = Terminal()
    with cli.Progress(terminal) as progress:
        progress("new\x1b[31m RR@10")
        for seconds in (0.9, 12.3):
            now[0] = 100 + seconds
            before = len(terminal.getvalue())
            while len(terminal.getvalue()) < before + 60:
                time.sleep(0.01)
        progress("x" * 99)
    lines = terminal.getvalue().split("\r\x1b[K")
    assert lines[1] == "relviz: new\ufffd[31m RR@10 ..."
    assert "relviz: new\ufffd[31m RR@10 ... 12 s" in lines
    assert lines[-1] == ""
    assert max(map(len, lines)) < 72
    assert "\x1b" not in "".join(lines)
    written = len(terminal.getvalue())
    time.sleep(0.05)
    assert len(terminal.getvalue()) == written  # the clock has stopped


def test_nobody_looks_and_no_clock_runs():
    stream = io.StringIO()
    with cli.Progress(stream) as progress:
        progress("anything")
        assert not progress.clock.is_alive()
    assert stream.getvalue() == ""


def test_every_option_of_compare_arrives(files, capsys):
    line = "compare qrels.txt old.run mixed.run -m RR@10,P@1"
    plain = json.loads(run(capsys, f"{line} --json -")[1])
    assert (plain["correction"], plain["level"], plain["seed"]) == ("max-t", 0.95, 0)
    assert len(plain["movers"]["mixed"]) == 3
    Path("kinds.tsv").write_text("q00\tshort\nq01\tlong\n")
    asked = "--correction holm --level 0.9 --seed 7 --movers 5 --strata kinds.tsv --queries queries.tsv"
    found = json.loads(run(capsys, f"{line} {asked} --json -")[1])
    assert (found["correction"], found["level"], found["seed"]) == ("holm", 0.9, 7)
    assert len(found["movers"]["mixed"]) == 5
    assert [row["name"] for row in found["strata"]] == ["short", "long"] * 2
    texts = {mover["query"]: mover["text"] for mover in found["movers"]["mixed"]}
    assert texts["q00"] == "我收藏的文章"
    for options, empty in (("", "undefined"), (" --trec", "zero")):
        assert json.loads(run(capsys, f"{line} --json -{options}")[1])["conventions"]["empty"] == empty


def test_every_option_of_evaluate_and_fuse_arrives(files, capsys):
    write_qrels({"q00": {"r": 1, "x": 0}, "q01": {"x": 0}}, "some.txt")
    means = [run(capsys, f"evaluate some.txt new.run -m RR@10 {option} --json -")[1] for option in ("", "--trec")]
    assert [json.loads(text)["means"]["new"]["RR@10"] for text in means] == [1, 0.5]
    write_run({"q": {"a": 2.0, "b": 1.0}}, "one.run")
    write_run({"q": {"c": 2.0, "b": 1.0}}, "two.run")
    # Down to rank 1, a and c have 1/61 and b nothing; down to rank 2, b has 2/62, and the best two are kept.
    for depth, docs in ((1, ["a"]), (2, ["b", "a"])):
        out = run(capsys, f"fuse one.run two.run -o - --depth {depth}")[1]
        assert [line.split()[2] for line in out.splitlines()] == docs


def test_names_of_runs_are_whole_paths_where_files_are_called_alike(files, capsys):
    (files / "other").mkdir()
    write_run(read_run("new.run").dict(), "other/old.run")
    assert "other/old.run against old.run" in run(capsys, "compare qrels.txt old.run other/old.run -m RR@10")[1]
    Path("texts.json.gz").write_bytes(gzip.compress(b'{"q00": "packed"}'))
    assert "packed" in run(capsys, "compare qrels.txt old.run new.run -m RR@10 --queries texts.json.gz")[1]


def test_check_says_what_evaluate_would_refuse(files, capsys):
    write_qrels({"q00": {"r": 1, "x": 0}, "q01": {"r": 1, "x": -1}, "q02": {"r": 1, "b": -2, "x": -1}}, "below.txt")
    assert run(capsys, "evaluate below.txt old.run")[0] == 2
    for lang, words in (
        ("en", "Grades below 0: 3, the first for document 'x' of query 'q01'."),
        ("zh", "小于 0 的等级有 3 个，第一个在查询 'q01' 的文档 'x'"),
    ):
        code, out, _ = run(capsys, f"check below.txt old.run --lang {lang}")
        assert code == 2
        assert words in out
        assert "--trec" in out


def test_hints_on_the_command_line_are_for_the_command_line(files, capsys):
    Path("below.txt").write_text("q00 0 r -1\n")
    for lang, way in (("en", "or --trec in a terminal"), ("zh", "终端里用 --trec")):
        assert way in run(capsys, f"evaluate below.txt old.run --lang {lang}")[2]
    Path("wide.txt").write_text("query,doc\n")
    Path("bad.json").write_text("{")
    for name in ("wide.txt", "bad.json"):
        assert "(or, in Python, " in run(capsys, f"evaluate {name} old.run")[2]
        assert "Python 里" in run(capsys, f"evaluate {name} old.run --lang zh")[2]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_says_only_what_is_true_of_the_command(capsys, lang):
    compare = run(capsys, f"compare --help --lang {lang}")[1]
    words = ("baseline", "verdict", "gate") if lang == "en" else ("基线", "结论", "关卡")
    for command in ("evaluate", "check", "fuse"):
        text = run(capsys, f"{command} --help --lang {lang}")[1]
        for word in words:
            assert word in compare
            assert word not in text, (command, word)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_files_in_the_wrong_order_are_said(files, capsys, lang):
    said = run(capsys, f"evaluate old.run qrels.txt --lang {lang}")[2]
    assert ("looks like a run" if lang == "en" else "像是 run") in said
    said = run(capsys, f"evaluate qrels.txt qrels.txt --lang {lang}")[2]
    assert ("looks like qrels" if lang == "en" else "像是 qrels") in said


def test_lenient_does_not_flood(files, capsys):
    bad = "".join(f"q00 Q0 d{i} 3 nan t\n" for i in range(30)) + "q00 Q0 x 1 9 t\n" + "q01 Q0 x 1 1 t\n"
    Path("dirty.run").write_text(Path("old.run").read_text() + bad)
    for lang, words in (
        ("en", "12 more, 32 in all: left out (30), score … kept (2)"),
        ("zh", "还有 12 处，一共 32 处：已剔除（30）、留下分数 …（2）"),
    ):
        err = run(capsys, f"check qrels.txt dirty.run --lenient --lang {lang}")[2].splitlines()
        assert len(err) == 21
        assert "dirty.run" in err[19]
        assert err[20] == f"relviz: {words}"
    mended = []
    read_run("dirty.run", lenient=mended)
    assert len(mended) == 32


@pytest.mark.parametrize("name", ["o.xlsx", "o.parquet", "O.XLSX.gz"])
def test_a_form_of_another_program_is_not_written_as_trec(files, capsys, name):
    for lang, words in (("en", "relviz does not write"), ("zh", "relviz 不写")):
        code, out, err = run(capsys, f"fuse old.run new.run -o {name} --lang {lang}")
        assert (code, out) == (2, "")
        assert words in err
        assert not Path(name).exists()
    assert run(capsys, "fuse old.run new.run -o o.bm25")[0] == 0  # any other name is TREC


def test_measures_may_be_given_again(files, capsys):
    for asked in ("-m RR@10 -m P@1", "-m RR@10,P@1", "-m RR@10 --measures P@1"):
        assert run(capsys, f"evaluate qrels.txt old.run {asked}")[1].split()[:2] == ["RR@10", "P@1"]
        found = json.loads(run(capsys, f"compare qrels.txt old.run new.run {asked} --json -")[1])
        assert [row["measure"] for row in found["differences"]] == ["RR@10", "P@1"]
    assert run(capsys, f"evaluate qrels.txt old.run -m {cli.MEASURES} -m P@1")[1].split()[3] == "P@1"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_help_names_every_measure(capsys, command, lang):
    text = run(capsys, f"{command} --help --lang {lang}")[1]
    assert all(re.search(rf"\b{name}(@k|\[@k\]|\b)", text) for name in KNOWN)
    for example in EXAMPLES:
        assert parse_measure(example).text in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_evaluate_refuses_a_run_that_meets_nothing(files, capsys, lang):
    write_run({f"q{i:02}": {"elsewhere": 1.0} for i in range(30)}, "lost.run")
    for runs in ("lost.run", "old.run lost.run"):
        code, out, err = run(capsys, f"evaluate qrels.txt {runs} --json - --lang {lang}")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "'lost'" in err
        assert "'elsewhere'" in err
    # check says no less than they do
    code, out, err = run(capsys, f"check qrels.txt lost.run --lang {lang}")
    assert (code, err.count("\n")) == (2, 1)
    assert "'elsewhere'" in out
    assert "'r'" in out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_run_whose_queries_are_shifted(files, capsys, lang):
    """Query i has the document of query i + 1: all but the first are judged, and none for its own query."""
    write_qrels({f"{i}": {f"d{i}": 1} for i in range(30)}, "each.txt")
    write_run({f"{i}": {f"d{i + 1}": 1.0, "x": 2.0} for i in range(30)}, "next.run")
    words = ("29 of its documents are judged, but for other queries", "其中 29 篇标注过，却标在别的查询下")
    for command in ("evaluate each.txt next.run", "compare each.txt next.run old.run", "check each.txt next.run"):
        code, out, err = run(capsys, f"{command} --lang {lang}")
        assert code == 2
        assert words[LANGUAGES.index(lang)] in out + err


REMARKS = {
    # 30 queries; of the first 10 documents, of which old.run and new.run have two.
    "old.run -m RR@2": [],
    "old.run -m RR@2,R@3": ["old: at most 2 documents a query, and 3 are looked at"],
    "tied.run -m RR@2": ["tied: 100.0% of the first 2 documents are tied"],
    "tied.run -m RR@2 --ties mean": [],
    "part.run -m RR@2": ["part: for 4 of 30 queries, no retrieved document is judged"],
    "three.run -m RR@2": [],
    "old.run part.run -m RR@2": [
        "part: for 4 of 30 queries, no retrieved document is judged",
        "judged@2 lies between 86.7% (part) and 100.0% (old)",
    ],
}


@pytest.mark.parametrize("line", REMARKS)
def test_evaluate_sends_to_check_where_the_files_are_remarkable(files, capsys, line):
    write_run({f"q{i:02}": {"x": 1.0, "r": 1.0} for i in range(30)}, "tied.run")
    for name, n in (("part.run", 4), ("three.run", 3)):  # a tenth is not more than a tenth
        runs = {f"q{i:02}": {"u": 2.0, "v": 1.0} if i < n else {"x": 2.0, "r": 1.0} for i in range(30)}
        write_run(runs, name)
    code, _, err = run(capsys, f"evaluate qrels.txt {line}")
    remarks = "; ".join(REMARKS[line])
    assert (code, err) == (0, f"relviz check says more about these files: {remarks}\n" if remarks else "")
    if remarks:
        said = run(capsys, f"evaluate qrels.txt {line} --lang zh")[2]
        assert said.startswith("这些文件请再用 relviz check 看看：")
        assert not english_in(said.replace("relviz check", ""))


def test_where_only_relevant_documents_are_listed_shares_tell_nothing(files, capsys):
    write_qrels({f"q{i:02}": {"r": 1} for i in range(30)}, "ones.txt")
    write_run({f"q{i:02}": {"r": 2.0} for i in range(30)}, "alone.run")
    assert run(capsys, "evaluate ones.txt old.run alone.run -m RR@1")[2] == ""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_qrels_without_a_relevant_document(files, capsys, lang):
    write_qrels({f"q{i:02}": {"r": 0, "x": 0} for i in range(30)}, "zeros.txt")
    code, _, err = run(capsys, f"check zeros.txt old.run --lang {lang}")
    assert code == 2
    assert ("every grade is 0 or lower" if lang == "en" else "等级全都不大于 0") in err
    code, _, err = run(capsys, f"compare zeros.txt old.run new.run --lang {lang}")
    assert (code, err.count("\n")) == (2, 1)
    assert ("no judged query has a relevant document for nDCG@10" if lang == "en" else "没有一条查询有相关文档") in err


@pytest.mark.parametrize("option", ["queries", "strata"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_and_kinds_of_other_queries(files, capsys, option, lang):
    Path("other.tsv").write_text("w1\ttext\nw2\ttext\n")
    code, out, err = run(capsys, f"compare qrels.txt old.run new.run --{option} other.tsv --lang {lang}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{option}: 'w1' is no judged query" in err or f"{option}：'w1' 不是有标注的查询" in err
    Path("other.tsv").write_text("w1\ttext\nq01\ttext\n")
    assert run(capsys, f"compare qrels.txt old.run new.run --{option} other.tsv")[0] == 0


def test_lenient_refuses_a_file_of_which_nothing_is_left(files, capsys):
    Path("short.run").write_text("".join(f"q00 Q0 d{i}\n" for i in range(3000)))
    for command in ("evaluate", "check"):
        code, out, err = run(capsys, f"{command} qrels.txt short.run --lenient")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "short.run, line 1: 3 columns where there should be 6" in err
        assert "Nothing is left: 3000 left out" in err


def test_fusing_runs_that_share_nothing_is_said(files, capsys):
    write_run({f"q{i:02}": {"R": 2.0, "X": 1.0} for i in range(30)}, "upper.run")
    write_run({f"{i:02}": {"r": 2.0, "x": 1.0} for i in range(30)}, "bare.run")
    write_run({f"q{i:02}": {"r": 2.0, "x": 1.0} for i in range(10, 40)}, "later.run")
    for runs, english, chinese in (
        ("old.run upper.run", "old.run shares no document with the other runs: of query 'q00'", "没有一篇共同的文档"),
        ("old.run new.run upper.run", "upper.run shares no document with the other runs", "upper.run 和别的 run"),
        ("old.run bare.run", "old.run shares no query with the other runs: it has 'q00'", "没有一条共同的查询"),
        ("old.run later.run", "queries that are in one run only: 20 (q00, q01,", "只在一个 run 里的查询有 20 条"),
        ("old.run new.run", "", ""),
        ("old.run", "", ""),
    ):
        for lang, words in (("en", english), ("zh", chinese)):
            code, out, err = run(capsys, f"fuse {runs} -o fused.run --lang {lang}")
            assert (code, out, err.count("\n")) == (0, "", 1 if words else 0)
            assert words in err


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_run_upside_down_is_said_by_every_command(files, capsys, lang):
    lines = [f"q{i:02} Q0 {doc} {rank} {rank / 10} far\n" for i in range(30) for rank, doc in ((1, "r"), (2, "x"))]
    Path("far.run").write_text("".join(lines))
    words = "Upside down?" if lang == "en" else "是不是倒过来了？"
    for line in (
        "evaluate qrels.txt far.run -m RR@2",
        "compare qrels.txt old.run far.run",
        "fuse far.run old.run -o -",
    ):
        code, _, err = run(capsys, f"{line} --lang {lang}")
        assert (code, err.count(words), err.count("\n")) == (0, 1, 1)
        assert "far" in err
    _, out, err = run(capsys, f"check qrels.txt far.run --lang {lang}")
    assert (out.count(words), err) == (1, "")
    assert words not in run(capsys, f"check qrels.txt old.run --lang {lang}")[1]


def test_what_a_command_does_not_know_is_in_its_own_help(files, capsys):
    for command in ("evaluate qrels.txt old.run", "compare qrels.txt old.run new.run", "check qrels.txt old.run"):
        name = command.split()[0]
        err = run(capsys, f"{command} --colour")[2]
        assert err == f"relviz {name}: unrecognized arguments: --colour (relviz {name} --help)\n"
    err = run(capsys, "evaluate qrels.txt old.run -m nDCG@10 RR")[2]
    assert err == "relviz evaluate: unrecognized arguments: RR (relviz evaluate --help)\n"
    assert run(capsys, "evaluate qrels.txt old.run --colour --lang zh")[2].startswith("relviz evaluate: 不认识的参数")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_commands_stand_in_one_order(capsys, lang):
    text = run(capsys, f"--help --lang {lang}")[1]
    names = re.findall(r"^ +(?:relviz )?(check|evaluate|compare|fuse)\b", text, re.M)
    assert names == ["check", "evaluate", "compare", "fuse"] * 2


def test_queries_of_beir(files, capsys):
    Path("queries.jsonl").write_text(
        '{"_id": "q00", "text": "我收藏的文章", "metadata": {}}\n{"_id": "z", "text": ""}\n'
    )
    for name in ("queries.jsonl", "queries.jsonl.gz"):
        if name.endswith(".gz"):
            Path(name).write_bytes(gzip.compress(Path("queries.jsonl").read_bytes()))
        code, out, _ = run(capsys, f"compare qrels.txt old.run new.run --queries {name}")
        assert (code, "我收藏的文章" in out) == (0, True)
    for line, words in (
        ('{"_id": 7, "text": "a"}', "line 1: {'_id': 7, 'text': 'a'}. Each line is {"),
        ('{"_id": "q00"}', "Each line is {"),
        ("[1]", "line 1: [1]. Each line is {"),
        ('{"_id": "q00", "text": 7}', "line 1: query 'q00' has no text"),
        ('{"_id"', "line 1: is no JSON"),
        ('{"_id": "q00", "text": "a"}\n{"_id": "q00", "text": "b"}', "line 2: query 'q00' stands twice"),
    ):
        Path("bad.jsonl").write_text(line)
        for lang in LANGUAGES:
            code, out, err = run(capsys, f"compare qrels.txt old.run new.run --queries bad.jsonl --lang {lang}")
            assert (code, out, err.count("\n")) == (2, "", 1)
            assert words in err or lang == "zh"
