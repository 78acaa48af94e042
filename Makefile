# Needs make and Python 3.11 or later. The first run sets up .venv from the network; later runs work offline.

PYTHON ?= python3
JOBS ?= 2

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TEST_READY := $(VENV)/.test-ready
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help demo test check static coverage docs bench bench-peers fuzz clean

help:
	@echo 'make demo      run idtrans on the sample estate'
	@echo 'make test      run the tests'
	@echo 'make check     all that a change must pass: lint, types, room contracts, docs, coverage'
	@echo 'make docs      regenerate the pages that are made from the code'
	@echo 'make bench     print how long the main steps take'
	@echo 'make bench-peers   install what bench compares with, into .cache'
	@echo 'make fuzz      run the property tests with many more examples'
	@echo 'make clean     remove caches and builds'

demo: $(READY)
	@$(BIN)/python -m idtrans demo

test: $(TEST_READY)
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist loadgroup

check: static coverage

# The part of `check` that runs no test.
static: $(TEST_READY)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-cache --no-logo
	@$(BIN)/python docs/_generate.py --check

coverage: $(TEST_READY)
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist loadgroup --cov --cov-branch --cov-fail-under=95

docs: $(TEST_READY)
	@$(BIN)/python docs/_generate.py

bench: $(TEST_READY)
	@$(BIN)/python -m tests.bench

# Optional: bench runs without it and says what is absent.
bench-peers: $(READY)
	@mkdir -p .cache/bench/node
	@if command -v npm >/dev/null; then \
		npm install --silent --no-audit --no-fund --prefix .cache/bench/node @cloud-copilot/iam-simulate@0.1.173; \
	else echo 'idtrans: npm was not found; bench goes without iam-simulate'; fi
	@$(PIP) install --target .cache/bench/python cel-python

fuzz: $(TEST_READY)
	@IDTRANS_HYPOTHESIS=fuzz $(BIN)/python -m pytest -q -n $(JOBS) -m hypothesis

clean:
	@rm -rf build dist htmlcov .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find idtrans tests docs -type d -name __pycache__ -prune -exec rm -rf {} +

# The build tools come first and pinned too, so that building needs no isolated download of its own.
$(READY): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo 'idtrans: `$(PYTHON)` was not found; name one: make PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'idtrans: `$(PYTHON)` is older than Python 3.11; name another: make PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo 'idtrans: `$(PYTHON)` has no venv module; install it (Debian, Ubuntu: python3-venv)' >&2; exit 1; }
	@echo 'idtrans: setting up $(VENV), once; about a minute ...'
	@$(BIN)/python -c 'import pip' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	@$(PIP) install -c constraints.txt hatchling editables
	@$(PIP) install -c constraints.txt --no-build-isolation -e .
	@touch $@

$(TEST_READY): $(READY)
	@echo 'idtrans: adding the test tools, once; about a minute ...'
	@$(PIP) install -c constraints.txt --no-build-isolation -e '.[test]'
	@touch $@
