# `make lab` opens the course, `make test` proves it right. `make help` lists the rest.
PYTHON  ?= python3
VENV    ?= .venv
LESSONS ?= en
BIN     := $(VENV)/bin
LOCK    := requirements.lock

.PHONY: help lab slides test unit notebooks lint lock bench figures lowest clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 12

lab: $(VENV)/lab.stamp ## open JupyterLab at the first lesson; LESSONS=zh for Chinese
	$(BIN)/jupyter lab notebooks/$(LESSONS)/00_start_here.ipynb $(LAB_FLAGS)

slides: $(VENV)/lab.stamp ## slides of all lessons for a projector: build/slides; LESSONS=zh for Chinese
	$(BIN)/python tools/slides.py $(LESSONS)

test: $(VENV)/test.stamp ## every check: lint, types, unit tests, notebooks, browser
	$(BIN)/python -m ruff check . && $(BIN)/python -m ruff format --check . && $(BIN)/python -m mypy
	$(BIN)/python -m pytest

unit: $(VENV)/test.stamp ## the unit tests only; VENV=.venv-3.13 PYTHON=python3.13 for another Python
	$(BIN)/python -m pytest -m "not browser and not notebooks"

notebooks: $(VENV)/test.stamp ## build notebooks/en and notebooks/zh from notebooks/source
	$(BIN)/python notebooks/build.py

figures: $(VENV)/test.stamp ## a sheet of all figures in both languages, to look at: artefacts/figures.html
	$(BIN)/python tools/figures.py

lint: $(VENV)/test.stamp ## mend what a tool can mend, then report the rest
	$(BIN)/python -m ruff check --fix . ; $(BIN)/python -m ruff format . ; $(BIN)/python tests/test_javascript.py ; $(BIN)/python -m mypy

lock: ## pin what pyproject.toml declares, for every platform and Python it names (needs uv)
	uv pip compile -q --universal --python-version 3.11 --all-extras --no-header --no-annotate \
	    --no-emit-index-url --upgrade pyproject.toml -o $(LOCK)

lowest: .venv-lowest/test.stamp ## the unit tests on the oldest versions that pyproject.toml allows
	.venv-lowest/bin/python -m pytest -m "not browser and not notebooks"

bench: $(VENV)/test.stamp ## time and memory beside other tools, kept in bench/RESULTS.md; takes a while
	$(BIN)/python bench/evaluate.py --record
	$(BIN)/python bench/significance.py --record
	$(BIN)/python bench/reading.py --record
	$(BIN)/python bench/player.py --record

clean: ## remove everything that make made
	rm -rf .venv .venv-* artefacts build dist

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	    { echo "relviz needs Python 3.11, 3.12 or 3.13; this is $$($(PYTHON) --version). Try: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The lock is used as constraints, so that each command installs only what it needs, at the locked versions.
$(VENV)/%.stamp: pyproject.toml $(LOCK) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(LOCK) -e ".[$*]"
	@touch $@

# numpy>=2.0 in pyproject.toml becomes numpy==2.0.*, and so on.
LOWEST := $(shell sed -nE 's/^    "(numpy|pandas|matplotlib|ipywidgets|anywidget)>=([0-9.]+)",/\1==\2.*/p' pyproject.toml)

.venv-lowest/test.stamp: pyproject.toml
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check -e ".[test]" $(foreach p,$(LOWEST),"$(p)")
	@touch $@
