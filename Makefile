# Everything a target needs is installed into .venv from pyproject.toml.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed

.PHONY: simulate test lint clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

simulate: $(STAMP)   ## play a two-player and a four-player game on Git
	$(BIN)/catan-p2p simulate --players 2 --games 1 --seed 1 --out games/two
	$(BIN)/catan-p2p simulate --players 4 --games 1 --seed 1 --out games/four

test: $(STAMP)       ## the tests that CI runs
	$(BIN)/python -m pytest -m 'not soak'

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) games build dist
