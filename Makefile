# Two commands do everything on a fresh machine: `make play` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
# The page of the local table: make play PORT=8019
PORT   ?= 8018

.PHONY: test quick play bench rules mutants lint gallery clean
.DEFAULT_GOAL := test

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Kursbuch needs Python 3.11 or newer; try: make PYTHON=python3.12 test"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "Python's venv module is missing; on Debian: apt-get install -y python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@

lint: $(STAMP)
	$(BIN)/ruff format --check --quiet . || { echo "Some files are not formatted; try: $(BIN)/ruff format ."; exit 1; }
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -n 2 --dist worksteal

# A minute at most: style, types, and the engine's and titles' tests without whole games.
quick: lint
	$(BIN)/pytest -n 2 --dist worksteal -q -m "not slow" tests/engine tests/titles

play: $(STAMP)
	@$(BIN)/kursbuch table --open --port $(PORT)

bench: $(STAMP)
	$(BIN)/python -m tests.bench

gallery: $(STAMP)
	$(BIN)/python -m tests.renderers.gallery

rules: $(STAMP)
	$(BIN)/python -m tests.rules

# Break the rules in N small ways and list what no test notices: make mutants N=200 SEED=1 JOBS=2
N    ?= 200
SEED ?= 1
JOBS ?= 1
mutants: $(STAMP)
	$(BIN)/python -m tests.mutants --count $(N) --seed $(SEED) --jobs $(JOBS)

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .mutants
