"""What a widget's output holds, without a browser: tests/browser/ has the rest."""

import json
import os
import re
import subprocess
import sys
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree.ElementTree import canonicalize

import gallery
import nbformat
import pytest
import sample
from nbclient import NotebookClient
from sample import HOSTILE, trace

from relviz.draw import Figure
from relviz.locale import LANGUAGES, set_language
from relviz.steps import Trace
from relviz.widgets.base import in_script, module
from relviz.widgets.player import Player, player

WIDGETS = ", ".join(f"relviz.widgets.{name}" for name in ("player", "lab", "planner", "resampler", "quiz"))


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    set_language("en")


class Elements(HTMLParser):
    """Tags with their attributes, and all text that is not code."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.text += " "

    def handle_data(self, data):
        if self.tags[-1][0] not in ("script", "style"):
            self.text += data


def test_both_forms_hold_every_step_with_its_words_and_numbers():
    shown = player(trace(count=5))
    bundle = shown._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert str(shown) == bundle["text/plain"]
    page = Elements(bundle["text/html"]).text
    for form in (page, bundle["text/plain"]):
        assert "How BUG-118 rises" in form
        for step in trace(count=5).steps:
            assert step.title in form
            assert step.words.strip() in form
        # 1/7 to 5/7, rounded to four digits by hand.
        for number in ("0.1429", "0.2857", "0.4286", "0.5714", "0.7143"):
            assert form.count(number) >= 2, "once in the words and once among the numbers"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", gallery.KINDS)
def test_both_forms_of_every_widget_hold_the_same_numbers(kind, language):
    set_language(language)
    shown = gallery.widget(kind)
    forms = Elements(shown.html).text, re.sub(r"^\d+\. ", "", shown.text, flags=re.M)  # a list counts by itself
    html, text = (set(re.findall(r"\d[\d.,]*\d|\d", form)) for form in forms)
    assert html == text


def test_each_figure_is_in_the_page_once_with_its_alt_text():
    tags = Elements(player(trace(count=4)).html).tags
    images = [attributes for tag, attributes in tags if tag == "img"]
    assert [image["alt"] for image in images] == [step.figure.alt for step in trace(count=4).steps]
    for image, step in zip(images, trace(count=4).steps):
        svg = unquote(image["src"].removeprefix("data:image/svg+xml,"))
        assert canonicalize(svg) == canonicalize(step.figure.svg)


@pytest.mark.parametrize("text", ["it's", 'a > "b"', '100% of #1 & "2"', "a\nb\tc", "查询 🙂"])
def test_a_picture_is_the_same_after_its_address(text):
    words = f'<text x="1" data-key="{escape(text)}">{escape(text, quote=False)}</text>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg">{words}</svg>'
    address = Figure(svg, "").data_url
    assert not set(address) & set('"<#&\n\t')
    assert canonicalize(unquote(address.removeprefix("data:image/svg+xml,"))) == canonicalize(svg)


def test_a_number_that_is_undefined_says_so():
    step = trace(count=1).steps[0]
    object.__setattr__(step, "numbers", {"RR": None, "n": 10000.0, "p": 0.000123456, "RRF": 0.0325224})
    assert Player(Trace("t", [step], None)).text.splitlines()[-4:] == [
        "   RR = undefined",
        "   n = 10,000",
        "   p = 0.0001235",
        "   RRF = 0.03252",
    ]


def test_a_trace_shows_itself_as_a_player():
    assert trace()._repr_mimebundle_() == player(trace())._repr_mimebundle_()


def test_no_step_is_an_error():
    with pytest.raises(ValueError, match="at least one step"):
        player(Trace("Empty", [], None))


def test_the_same_trace_gives_the_same_bytes():
    code = "import sample, relviz.widgets.player as p; print(hash(p.Player(sample.trace()).html.encode()))"
    env = {"PYTHONPATH": ":".join([*sys.path, "tests"]), "PYTHONHASHSEED": "0"}
    hashes = {subprocess.check_output([sys.executable, "-c", code], env=env) for _ in range(2)}
    assert len(hashes) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_text_stays_text(language):
    set_language(language)
    hostile = trace((HOSTILE, "b", "c"), count=2)
    html = player(Trace(HOSTILE, hostile.steps, None)).html
    page = Elements(html)
    assert page.text.count(HOSTILE) >= 3, "title, step and words"
    assert [tag for tag, _ in page.tags if tag in ("img", "script")] == ["img", "img", "script", "script"]
    assert all("onerror" not in attributes for _, attributes in page.tags)


def test_data_cannot_leave_its_script():
    value = {"</script>": "<!-- \u2028 \u2029 \\ \" ' é 中"}
    written = in_script(value)
    assert not re.search("[<\u2028\u2029]", written)
    assert json.loads(written) == value


def test_the_output_asks_for_nothing_outside():
    html = player(trace()).html
    addresses = {a for _, attributes in Elements(html).tags for k, a in attributes.items() if k in ("src", "href")}
    assert all(address.startswith("data:") for address in addresses)
    assert not re.search(r"https?://(?!www\.w3\.org)|@import|\bfetch\(", html)


def test_twelve_steps_stay_under_150_kilobytes():
    assert len(player(trace(count=12)).html.encode()) < 150_000


def test_the_script_has_no_imports_left_and_each_module_once():
    assert "import " not in module("player").replace("import.meta", "")
    assert module("player").count("export const OWN_KEYS") == 1


@pytest.mark.parametrize("unwanted", ["ipywidgets", "anywidget", "matplotlib", "pandas"])
def test_importing_the_widgets_loads_no_heavy_package(unwanted):
    code = f"import sys, {WIDGETS}; sys.exit({unwanted!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_importing_the_widgets_takes_less_than_half_a_second():
    # Seconds of the processor, so that a busy machine does not fail it.
    code = f"import time; t = time.process_time(); import {WIDGETS}; print(time.process_time() - t)"
    times = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3)]
    assert min(times) < 0.5


@pytest.mark.notebooks
def test_nbval_sees_any_number_that_changes_inside_a_player(tmp_path):
    cells = [nbformat.v4.new_code_cell("import sample\nsample.trace(count=2)") for _ in range(4)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    path = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    NotebookClient(notebook, kernel_name="python3").execute(env=os.environ | path)
    code, html, svg, text = (cell.outputs[0].data for cell in notebook.cells)
    code["text/html"] = code["text/html"].replace("const DWELL", "const SLOWER").replace("#1d2733;", "#000;")
    assert "SLOWER" in code["text/html"]
    html["text/html"] = html["text/html"].replace("grown to 0.2857", "grown to 0.2858")
    drawn = sample.trace(count=2).steps[1].figure
    wrong = Figure(drawn.svg.replace("sum 0.2857", "sum 0.2858"), drawn.alt)
    svg["text/html"] = svg["text/html"].replace(drawn.data_url, wrong.data_url)
    text["text/plain"] = text["text/plain"].replace("sum = 0.2857", "sum = 0.2858")
    nbformat.write(notebook, tmp_path / "four.ipynb")
    sanitize = Path(__file__).with_name("nbval_sanitize.cfg")
    command = [sys.executable, *("-m", "pytest", "-p", "no:cacheprovider", "--nbval", "--nbval-current-env")]
    done = subprocess.run(
        [*command, f"--nbval-sanitize-with={sanitize}", "four.ipynb"],
        cwd=tmp_path,
        env=os.environ | path,
        capture_output=True,
        text=True,
    )
    failed = re.findall(r"^FAILED four.ipynb::Cell (\d)", done.stdout, re.M)
    assert failed == ["1", "2", "3"], done.stdout


def test_python_and_reader_share_the_step_of_a_widget():
    live = player(trace(count=3)).widget(index=1)
    assert live.index == 1
    with pytest.raises(Exception, match="from 0 to 2"):
        live.index = 3
    data, _ = live._repr_mimebundle_()
    assert data["text/html"] == player(trace(count=3)).html
    assert "application/vnd.jupyter.widget-view+json" in data
