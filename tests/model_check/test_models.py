"""The small models: TLC finds nothing wrong, and to the engine every state has the same successors."""

from functools import lru_cache
from pathlib import Path

import pytest

from catan_p2p.cli import check_spec
from catan_p2p.game.actions import absence
from catan_p2p.game.constants import Player
from catan_p2p.game.invariants import INVARIANTS
from catan_p2p.game.rules import initial_state
from catan_p2p.game.state import State
from catan_p2p.model_check.check import ModelCheck, check_model
from catan_p2p.model_check.configurations import config_text, configured, settings_of, size_of
from catan_p2p.model_check.models import (
    AHEAD,
    CLOCKS,
    DRAWS,
    ENDING,
    ENDLESS,
    HIDDEN,
    LARGE_VIEWS,
    LIVENESS,
    MODELS,
    NO_GAMES,
    SHARES,
    SMALL_MODELS,
    TOLD,
    TRAILS,
    UNSEEN,
    VIEWS,
    TlcModel,
    read_start,
)
from catan_p2p.model_check.replication_models import DISK_MODELS, REPLICATION_MODELS
from tests.model_check.exploration import Size, explore
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.state_graph import dumped

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(12)]


OTHERS = (TRAILS, *DRAWS, *VIEWS, *SHARES, *AHEAD, *HIDDEN, *UNSEEN, TOLD, ENDING)
COUNTED = (*SMALL_MODELS, *LIVENESS, *OTHERS)
"""The models whose sizes stand in the table, besides those of the replication."""


def check(model: TlcModel, dump: Path | None = None) -> ModelCheck:
    """The model checked; by one worker, since the depth that several report is not exact."""
    return check_model(model, quick_tlc(), dump=dump)


@lru_cache
def table() -> dict[str, Size]:
    """The sizes of these models as ``spec/models.toml`` and ``check-spec --list`` tell them."""
    others = tuple(name for name in configured() if not name.startswith(("MCP2P", "MCPower", "MCReturning")))
    large = {model.name for model in LARGE_VIEWS}
    sizes = ((name, size_of(name)) for name in others if name not in large)
    return {name: Size(size[1], size[0], size[2]) for name, size in sizes if size}


@pytest.mark.parametrize("model", (*SMALL_MODELS, *LIVENESS), ids=lambda model: model.name)
def test_model_holds_and_every_state_has_the_successors_that_the_engine_finds(model: TlcModel, tmp_path: Path) -> None:
    found = check(model, tmp_path / "states.dot")
    assert found.is_as_expected, found.moves
    constants, start = read_start(found.result.printed)
    if model is SMALL_MODELS[0]:
        assert start == initial_state(constants)
    size = Size(found.result.generated, found.result.distinct, found.result.depth)
    reached, ours = explore(start)
    assert reached == size == table()[model.name]
    theirs = dumped(tmp_path / "states.dot", constants)
    assert len(ours) == len(theirs) == size.distinct
    assert [state for state in ours if theirs.get(state) != ours[state]] == []


def test_a_wrong_successor_is_seen_state_by_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When who builds between two turns leaves, the turn goes to whoever sits next to them, not next in turn."""
    model = next(model for model in SMALL_MODELS if model.name == "MCLeaveSpecial")
    module = tmp_path / "MCStaying.tla"
    module.write_text(f"---- MODULE MCStaying ----\nEXTENDS {model.module}\nStay == UNCHANGED vars\n====\n")
    staying = {"SPECIFICATION": "", "INIT": "MCInit", "NEXT": "Stay", "INVARIANTS": "", "PROPERTIES": ""}
    _, start = read_start(quick_tlc().run(module, config_text(settings_of(model.name) | staying)).printed)
    right, skipped = explore(start)[1], absence.skipped

    def beside(state: State, absent: Player) -> State:
        return skipped(state, absent)._replace(ap=state.next_player(absent))

    monkeypatch.setattr(absence, "skipped", beside)
    wrong = explore(start)[1]
    seen = [state for state in wrong if right.get(state) != wrong[state]]
    assert any(state.tp == "SpecialBuilding" for state in seen)


@pytest.mark.parametrize("model", OTHERS, ids=lambda model: model.name)
def test_model_of_no_game_holds_as_the_table_says(model: TlcModel) -> None:
    found = check(model)
    assert found.is_as_expected, found.moves
    assert Size(found.result.generated, found.result.distinct, found.result.depth) == table()[model.name]


def test_the_table_has_the_size_of_every_model() -> None:
    assert sorted(table()) == sorted(model.name for model in COUNTED)


def test_every_small_model_is_explored_by_a_test() -> None:
    """Those of the clocks in test_patience.py, those of the replication and of disks in tests/spec_replication."""
    tested = (*COUNTED, *ENDLESS, *CLOCKS, *REPLICATION_MODELS, *DISK_MODELS)
    assert {model.name for model in check_spec.SMALL} <= {model.name for model in tested}


def test_fair_game_need_not_end_and_the_counterexample_reads_as_moves() -> None:
    found = check(ENDLESS[0])
    assert found.is_as_expected
    assert found.result.verdict == "property"
    assert found.moves[0].startswith("begin: phase DiceRoll, turn of player 1")
    assert any(move.startswith("RollDice player 1 dice") for move in found.moves)
    assert not any("no action of the program" in move for move in found.moves)


def test_a_turn_of_offers_need_not_end() -> None:
    found = check(ENDLESS[1])
    assert found.is_as_expected
    assert found.result.verdict == "property"
    assert sum(move.startswith("OfferTrade player 1") for move in found.moves) > 0
    assert not any(move.startswith("EmptyTrade") for move in found.moves)


def test_every_model_is_a_configuration_beside_its_module() -> None:
    for model in MODELS:
        assert model.module_file.is_file()
        assert model.config.startswith(("SPECIFICATION", "INIT", "\\*"))


@pytest.mark.parametrize("name", [model.name for model in MODELS if model not in (*ENDLESS, TRAILS, *NO_GAMES)])
def test_invariants_of_the_configuration_are_those_of_the_program(name: str) -> None:
    text = next(model.config for model in MODELS if model.name == name)
    listed = text[text.index("INVARIANTS") :].partition("PROPERTIES")[0].split()[1:]
    assert listed == [invariant.name for invariant in INVARIANTS]
