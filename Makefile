# Two commands do everything on a fresh machine: `make play` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
# uv and pip-audit, apart from what we run and test with: `make lock`, `make audit`
SUPPLY := .venv-supply
# The page of the local table: make play PORT=8019
PORT   ?= 8018
PIP    := python -m pip install --quiet --disable-pip-version-check
LOCK   := uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
          --no-header --no-annotate --no-emit-index-url --no-emit-find-links

.PHONY: test quick play bench chaos rules where mutants mutants-sample lint spell gallery lock audit clean
.DEFAULT_GOAL := test

$(STAMP): pyproject.toml locks/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Kursbuch needs Python 3.11 or newer; try: make PYTHON=python3.12 test"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "Python's venv module is missing; on Debian: apt-get install -y python3-venv"; exit 1; }
	$(BIN)/$(PIP) --require-hashes -r locks/dev.txt
	$(BIN)/$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

# Style, types, and which room may import which.
lint: $(STAMP)
	$(BIN)/ruff format --check --quiet . || { echo "Some files are not formatted; try: $(BIN)/ruff format ."; exit 1; }
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Spelling of all that is English; words that are meant are named in pyproject.toml.
spell: $(STAMP)
	git ls-files -z | xargs -0 $(BIN)/codespell

# Everything; what must be green before a change lands.
test: lint
	$(BIN)/pytest -n 2 --dist worksteal

# A minute at most: style, types, and the engine's and titles' tests without whole games.
quick: lint
	$(BIN)/pytest -n 2 --dist worksteal -q -m "not slow" tests/engine tests/titles

# The bot at a local table, in the browser.
play: $(STAMP)
	@$(BIN)/kursbuch table --open --port $(PORT)

# Programs of the workshop; `python -m workshop` lists all of them, and says more.
bench: $(STAMP)
	$(BIN)/python -m workshop bench

chaos: $(STAMP)
	$(BIN)/python -m workshop chaos --minutes 20

gallery: $(STAMP)
	$(BIN)/python -m workshop gallery

rules: $(STAMP)
	$(BIN)/python -m workshop rules

# From a clause of a rulebook to its code and its tests: make where RULE=BL-8.8.3-a
where: $(STAMP)
	@$(BIN)/python -m workshop where $(RULE)

# Break the rules in N small ways and list what no test notices; fails if that is too many: make mutants N=200 SEED=1 JOBS=2
N    ?= 200
SEED ?= 1
JOBS ?= 1
mutants: $(STAMP)
	$(BIN)/python -m workshop mutants --count $(N) --seed $(SEED) --jobs $(JOBS)

# A few mutants of one title, always the same ones: less than two minutes, part of .ci/run.
mutants-sample: $(STAMP)
	$(BIN)/python -m workshop mutants titles/ruhr --tests tests/titles/ruhr --count 30 --seed 18 --budget 4 --jobs 2

$(SUPPLY)/.installed: locks/supply.txt
	$(PYTHON) -m venv $(SUPPLY)
	$(SUPPLY)/bin/$(PIP) --require-hashes -r locks/supply.txt
	@touch $@

# Renews all lock files: the newest versions that pyproject.toml allows (docs/hosting.md says when and how).
lock: $(SUPPLY)/.installed
	$(SUPPLY)/bin/$(LOCK) pyproject.toml -o locks/run.txt
	$(SUPPLY)/bin/$(LOCK) --group build -o locks/build.txt
	$(SUPPLY)/bin/$(LOCK) pyproject.toml --extra dev --group build -c locks/run.txt -c locks/build.txt -o locks/dev.txt
	$(SUPPLY)/bin/$(LOCK) --group supply -o locks/supply.txt

# Known holes in what the bot runs with; what could not be looked up counts as one.
audit: $(SUPPLY)/.installed
	$(SUPPLY)/bin/pip-audit --strict --require-hashes --disable-pip -r locks/run.txt

clean:
	rm -rf $(VENV) $(SUPPLY) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .mutants
