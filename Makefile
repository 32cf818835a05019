# Everything that a target needs is installed into .venv from pyproject.toml.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# TESTS says which are run, as pytest takes it: a folder, a file, "tests/game -k discard". They run on JOBS processes;
# each takes the next piece of the other's when its own is done. One that takes longer than PATIENCE seconds hangs: it
# says where, and its process ends.
JOBS ?= auto
TESTS ?= tests
PATIENCE ?= 1200
PARALLEL = -n $(JOBS) --dist worksteal -o faulthandler_timeout=$(PATIENCE) -o faulthandler_exit_on_timeout=true

# The tests start thousands of processes, and none has to compile what another has.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help simulate compiled wheels release play test test-all lint check-spec check-spec-large beside soak mutations sub-expressions faults planted attacks matrix network-study bench bench-quick reproduce watch pictures docs clean

help:                  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 20

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(VENV)/installed-simulate $(VENV)/installed-play $(VENV)/installed-test $@

$(VENV)/installed-simulate: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/installed-play: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[play]'
	@touch $@

$(VENV)/installed-test: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $(VENV)/installed-simulate $(VENV)/installed-play $@

$(VENV)/installed-bench: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	# catanatron's environment pins an older Gymnasium than it needs: it is installed without its dependencies.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps catanatron_gym==4.0.0
	@touch $@

$(VENV)/compiled: pyproject.toml compile_core.py catan_p2p/compiled/__init__.py $(wildcard catan_p2p/game/flat/*.py catan_p2p/*/*/*.pxd)
	test -e $(BIN)/python || $(MAKE) $(VENV)/installed-simulate
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[compiled]'
	$(BIN)/python -m compile_core
	@touch $@

$(VENV)/tlc.jsa: $(VENV)/installed
	@$(BIN)/python -m tests.model_check.archive $@

simulate: $(VENV)/installed-simulate   ## play a two-player and a four-player game on Git and print what they cost
	$(BIN)/catan-p2p simulate --players 2 --seed 1
	$(BIN)/catan-p2p simulate --players 4 --seed 1

compiled: $(VENV)/compiled   ## compile the fast core of the rules for this checkout; wheels have it; needs gcc or clang

wheels: $(VENV)/installed   ## build in dist the sdist, from it a wheel for this Python and platform, and a wheel for all
	rm -rf dist
	CATAN_P2P_PURE=1 $(BIN)/python -m build --wheel --no-isolation --outdir dist
	$(BIN)/python -m build --no-isolation --outdir dist

release: wheels   ## check what is in dist, install it in an empty environment, and play there
	$(BIN)/python -m twine check --strict dist/*
	rm -rf build/empty
	$(PYTHON) -m venv build/empty
	build/empty/bin/python -m pip install --quiet --disable-pip-version-check "$$(ls -t dist/*.whl | head -1)"
	cd build/empty && bin/catan-p2p --version --verbose
	cd build/empty && bin/catan-p2p simulate --players 2 --seed 1 --out games
	cd build/empty && bin/catan-p2p verify games/Catan_0

play: $(VENV)/installed-play   ## open a window, and choose what to play
	$(BIN)/catan-p2p play

test: $(VENV)/installed-test   ## the quick tests, on all cores: three minutes
	$(BIN)/python -m pytest -m 'not soak and not long and not needs' $(PARALLEL) $(TESTS)

# Many of these wait for other programs: one process more than there are cores keeps them busy.
test-all: JOBS = $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
test-all: $(VENV)/installed $(VENV)/tlc.jsa   ## all tests but the soak, as CI runs them
	$(BIN)/python -m pytest -m 'not soak' $(PARALLEL) $(TESTS)

lint: $(VENV)/installed   ## ruff, and mypy for Linux, Windows and macOS
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	printf '%s\n' linux win32 darwin | xargs -P 2 -I@ $(BIN)/mypy --platform @ --cache-dir .mypy_cache/@

check-spec: $(VENV)/installed   ## let TLC explore the small models completely, or some: MODELS="MCOffers MCTrade"
	$(BIN)/catan-p2p check-spec $(MODELS)

check-spec-large: $(VENV)/installed   ## let TLC explore the large models, and four peers play at random
	$(BIN)/catan-p2p check-spec --large

beside: $(VENV)/installed   ## 10,000 games on the fast core and on the mirror, compared after every action
	$(BIN)/python -m tests.game.flat.campaign --games 10000

soak: $(VENV)/installed   ## the long tests: large models, mutations, crash and fuzz campaigns (hours)
	$(BIN)/python -m pytest -m soak

mutations: $(VENV)/installed   ## delete every guard, change every effect and mistake every seat in turn, and see a named test turn red
	$(BIN)/python -m pytest -m soak tests/test_mutations.py $(PARALLEL)
	$(BIN)/python -m tests.mutations.mirror
	$(BIN)/python -m tests.model_check.guard_mutations
	$(BIN)/python -m tests.model_check.effect_mutations
	$(BIN)/python -m tests.model_check.seat_mutations

sub-expressions: $(VENV)/installed   ## change every sub-expression of the specification in turn, and say what sees each (a day)
	$(BIN)/python -m tests.model_check.sub_expression_mutations --kept build/sub_expressions

faults: $(VENV)/installed   ## verbs killed at every call, peers under kill -9, partitions, full disks and damage, peers who leave, real and simulated; 10,000 mutants of valid logs
	$(BIN)/python -m tests.cli.kills
	$(BIN)/python -m tests.replication.campaign --games 24 --seed 1
	$(BIN)/python -m tests.replication.leaving --games 36 --seed 0
	$(BIN)/python -m tests.simulation.laboratory.campaign --games 200
	$(BIN)/python -m tests.simulation.laboratory.campaign --games 200 --disks
	$(BIN)/python -m tests.simulation.laboratory.forging --games 40 --seed 0
	$(BIN)/python -m tests.simulation.laboratory.leaving --games 109 --seed 0
	$(BIN)/python -m tests.simulation.laboratory.hidden --games 1000 --seed 0
	$(BIN)/python -m tests.simulation.laboratory.colluding --games 25 --seed 0
	$(BIN)/python -m tests.simulation.laboratory.racing --games 40
	$(BIN)/python -m tests.simulation.laboratory.frozen --games 24
	$(BIN)/python -m tests.simulation.laboratory.relay_forks --games 40 --seed 0
	$(BIN)/python -m tests.simulation.laboratory.vote_lies --games 40 --seed 0
	$(BIN)/python -m tests.simulation.laboratory.failing --games 40 --seed 0
	$(BIN)/python -m tests.replication.relay_forks --games 12 --seed 0
	$(BIN)/python -m pytest -m soak tests/replication/test_mutants.py tests/replication/test_crashes.py

planted: $(VENV)/installed   ## plant mistakes in the program, let the laboratory find each, and write the table of docs/research/figures/planted.csv
	$(BIN)/python -m tests.simulation.laboratory.found --jobs 2

attacks: $(VENV)/installed   ## attack a peer in every way that is known, three times each, and print the table
	$(BIN)/python -m tests.attacks --times 3

matrix: $(VENV)/installed   ## play whole games over all triples of what a game can be, and run every verb on what comes out
	$(BIN)/python -m tests.matrix --strength 3
	$(BIN)/python -m tests.matrix --strength 2 --real

# A study that was interrupted goes on where it was.
STUDY = $(BIN)/catan-p2p study docs/research/studies/$(1).toml --out games/studies/$(1) --resume
PAGE = $(BIN)/catan-p2p report games/studies/$(1) --page docs/research/$(2).md

network-study: $(VENV)/installed   ## the studies over simulated links, and their pages: topologies, kinds of networks, spectators
	$(call STUDY,network)
	$(call PAGE,network,network-study)

bench: $(VENV)/installed-bench $(VENV)/compiled   ## measure everything side by side, print ratios and store them: within 30 minutes, alone
	$(BIN)/python -m benchmarks.run --readme

bench-quick: $(VENV)/installed   ## measure the same in three minutes, and print what got slower than the last kept results of this machine
	$(BIN)/python -m benchmarks.run --quick

reproduce: $(VENV)/installed   ## play the studies of the thesis's 100 + 100 games and of fair chance and hidden hands, and write their pages
	$(call STUDY,thesis)
	$(BIN)/catan-p2p metrics games/studies/thesis/games --latency
	$(call PAGE,thesis,figures)
	$(call STUDY,fairness)
	$(call PAGE,fairness,fairness)
	$(call STUDY,fairness-links)
	$(call PAGE,fairness-links,fairness-links)

watch: $(VENV)/installed-play   ## open the last simulated game in the viewer
	$(BIN)/catan-p2p watch "$$(ls -td games/run_*/Catan_* | head -1)"

SHOWN = $(BIN)/catan-p2p watch build/pictures/$(1)/Catan_0 --at $(2) --size $(3) --snapshot docs/images/$(4).png

pictures: $(VENV)/installed-play   ## draw the pictures in docs/images again
	rm -rf build/pictures
	$(BIN)/catan-p2p simulate --players 4 --policy builder --seed 5 --out build/pictures/builders
	$(BIN)/catan-p2p simulate --players 4 --seed 10 --out build/pictures/random
	$(BIN)/catan-p2p simulate --players 4 --policy builder --rules brief --seed 5 --out build/pictures/brief
	$(BIN)/catan-p2p simulate --players 6 --policy builder --rules brief --seed 5 --out build/pictures/six
	$(call SHOWN,builders,6fd5731,1280x800,viewer)
	$(call SHOWN,random,8e1a4c0,1280x800,seven)
	$(call SHOWN,brief,07fbc6e,1280x800,offer)
	$(call SHOWN,six,bc5370e,1280x800,six)
	$(call SHOWN,builders,e101a48,640x480,small)
	$(BIN)/python -m tests.visualizer.play.pictures docs/images

docs: $(VENV)/installed   ## build the site from README, docs/ and the docstrings, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict -f docs/site/mkdocs.yml

clean:                 ## remove the environment and simulated games
	rm -rf $(VENV) games build dist catan_p2p/compiled/*.so catan_p2p/compiled/*.pyd catan_p2p/compiled/digest
