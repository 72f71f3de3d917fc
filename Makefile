# Everything works from a fresh clone with python3 (3.11 or newer) and make: each target makes .venv when it is
# missing, and installs again only when pyproject.toml has changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SITE := build/site
# Every code of errkit's own has to be raised by a test; the catalogues are other programs' codes.
PYTEST_FLAGS ?= -n 2 --dist loadfile --errkit-cover=errkit --errkit-fail-under=100
LATEX := latexmk texlive-xetex texlive-latex-recommended texlive-latex-extra texlive-fonts-recommended tex-gyre fonts-freefont-otf
SPHINX_FLAGS ?= -W -n --keep-going

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help venv site notebooks test test-all latex lint types check pytest format bench clean

help:
	@echo 'make site      build the error reference and print where it is'
	@echo 'make notebooks open the notebooks in JupyterLab'
	@echo 'make test      lint, format, types, error codes and tests: what has to be green for every change'
	@echo 'make test-all  the full matrix: every builder, Sphinx and Python that is here, and PDFs'
	@echo 'make bench     what raising, look-up, declaring and importing cost'
	@echo 'make format    let ruff fix and format the source'
	@echo 'make venv      only create .venv with all tools'
	@echo 'make clean     remove what was built (not .venv)'

venv: $(VENV)/.dev

# A build that failed starts anew the next time: Sphinx does not repeat the warnings of pages that it has read.
site: $(VENV)/.docs
	@$(BIN)/python -m sphinx $(SPHINX_FLAGS) -q -b html -d build/doctrees docs $(SITE) || { rm -rf build/doctrees; exit 1; }
	@echo 'The error reference: $(CURDIR)/$(SITE)/index.html'

# Opened by a click as notebooks, not as text; said in .venv, where no other JupyterLab reads it.
notebooks: $(VENV)/.lab
	@mkdir -p $(VENV)/share/jupyter/lab/settings
	@echo '{"@jupyterlab/docmanager-extension:plugin": {"defaultViewers": {"markdown": "Jupytext Notebook", "myst": "Jupytext Notebook"}}}' > $(VENV)/share/jupyter/lab/settings/overrides.json
	PYTHONPATH=$(CURDIR) $(BIN)/python -m jupyter lab $(LAB_FLAGS) notebooks

test: lint types check pytest

test-all: export ERRKIT_TEST_ALL = 1
test-all: latex $(VENV)/.lab test

# Asked for at once, and not after an hour of other tests.
latex:
	@command -v latexmk >/dev/null && command -v xelatex >/dev/null || { \
		echo "make test-all makes PDFs, which need latexmk and xelatex: install them (Debian, Ubuntu: apt-get install --no-install-recommends $(LATEX))" >&2; exit 1; }

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

# Both at once: each of them uses one core.
types: $(VENV)/.dev
	@$(BIN)/mypy & mypy=$$!; $(BIN)/pyright; pyright=$$?; wait $$mypy && exit $$pyright

# In a process of its own: nothing but what errkit ships is registered there.
check: $(VENV)/.dev
	$(BIN)/errkit check --strict --skip docs --skip orphans
	$(BIN)/errkit check --strict --skip docs --skip orphans --skip lock examples.jobs.errors

pytest: $(VENV)/.dev
	$(BIN)/python -m pytest $(PYTEST_FLAGS)

format: $(VENV)/.dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/core.py

clean:
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.*
	find errkit tests docs benchmarks examples -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# $(VENV)/.dev, $(VENV)/.docs and $(VENV)/.lab are stamps: the extra of that name is installed.
$(VENV)/.%: pyproject.toml | $(BIN)/python
	@echo "Installing errkit[$*] into $(VENV) (once, or after pyproject.toml changed) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
		echo "$(PYTHON) is missing: install Python 3.11 or newer (Debian, Ubuntu: apt-get install python3 python3-venv), or name one with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "errkit needs Python 3.11 or newer, but $(PYTHON) is `$(PYTHON) --version 2>&1`: name another with make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make virtual environments, its ensurepip module is missing: install it (Debian, Ubuntu: apt-get install python3-venv)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
