"""The verb check-spec knows every model there is, and what each of them is for."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.cli import check_spec
from catan_p2p.cli.main import main
from catan_p2p.game.constants import PROFILES, Constants
from catan_p2p.model_check.check import ModelCheck, check_model
from catan_p2p.model_check.configurations import config_text, configured, settings_of
from catan_p2p.model_check.models import (
    FULL_GAME,
    LARGE_GAMES,
    LARGE_VIEWS,
    MODELS,
    STANDARD_GAME,
    TlcModel,
    read_state,
)
from catan_p2p.model_check.replication_models import (
    DISK_MODELS,
    FOUR_PEERS,
    LARGE_REPLICATION_MODELS,
    REPLICATION_MODELS,
)
from catan_p2p.model_check.states import RULE_NAMES
from catan_p2p.model_check.tlc import TlcProgram, TlcResult, spec_folder
from catan_p2p.model_check.trace import tla
from tests.typed import Typed

LARGE_MODELS = (*LARGE_REPLICATION_MODELS, *LARGE_GAMES, *LARGE_VIEWS, FOUR_PEERS)
ALL = (
    *(model for model in MODELS if model not in LARGE_MODELS),
    *REPLICATION_MODELS,
    *DISK_MODELS,
    *LARGE_MODELS,
)


def test_every_configuration_is_listed(typed: Typed) -> None:
    listed = [row["model"] for row in json.loads(typed(0, "check-spec", "--list", "--json").out)]
    assert listed == [model.name for model in ALL]
    assert set(listed) == {"Catan", *(name for name in configured() if not name.endswith("Trace"))}


def test_configurations_are_written_for_plain_tlc(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    assert main(["check-spec", "--configs", str(tmp_path)]) == 0
    assert {file.stem for file in tmp_path.iterdir()} == set(configured())
    written = {file.stem: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    models = {model.name: model for model in ALL}
    for name, text in written.items():
        head = [line for line in text.splitlines() if line.startswith("\\*")]
        assert text.endswith(config_text(settings_of(name))), name
        if name in models:
            assert f"-config {name}.cfg {models[name].module}.tla" in head[0]
            assert (" -deadlock " in head[0]) == ("do not check deadlock" in text) == models[name].may_stop
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / f"{name}.cfg") for name in configured()]
    nowhere = tmp_path / "MCTold.cfg" / "spec"
    assert str(nowhere) in typed(2, "check-spec", "--configs", nowhere).err


Call = tuple[str, int | None]
"""A model that is checked, and the seed."""


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """The models that the verb would have TLC check."""
    calls: list[Call] = []

    def check(model: TlcModel, tlc: TlcProgram, *, seed: int | None, **options: Any) -> ModelCheck:
        calls.append((model.name, seed))
        found = TlcResult("property" if model.kind == "counterexample" else "fine", "told", 1, 1, 1, 0.0)
        return ModelCheck(model, found, ())

    monkeypatch.setattr(check_spec, "check_model", check)
    monkeypatch.setattr(check_spec.TlcProgram, "find", lambda: None)
    return calls


def names(models: Sequence[TlcModel]) -> list[str]:
    return [model.name for model in models]


LARGE = names(LARGE_MODELS)
RANDOM = names((FULL_GAME, STANDARD_GAME))
SMALL = [name for name in names(ALL) if name not in (*LARGE, *RANDOM)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], SMALL),
        (["--large"], LARGE),
        (["--simulate"], ["Catan"]),
        (["--large", "MCSetup"], ["MCSetup", *LARGE]),
        (["--large", "--simulate", "--rules", "standard"], [*LARGE, "CatanStandard"]),
    ],
    ids=["nothing", "large", "simulate", "one and large", "large and simulate"],
)
def test_groups_of_models_are_checked(checked: list[Call], arguments: list[str], expected: list[str]) -> None:
    assert main(["check-spec", *arguments]) == 0
    assert [name for name, _ in checked] == expected


def test_the_list_tells_the_group_of_a_model(typed: Typed) -> None:
    groups = {row["model"]: row["group"] for row in json.loads(typed(0, "check-spec", "--list", "--json").out)}
    for group, members in (("small", SMALL), ("large", LARGE), ("simulate", RANDOM)):
        assert [name for name in groups if groups[name] == group] == members
    assert re.search(r"^MCP2PFour +large +simulation ", typed(0, "check-spec", "--list").out, re.MULTILINE)


def test_the_seed_of_random_games_is_told(
    checked: list[Call], capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    told = typed(0, "check-spec", "MCSetup", "--simulate", "--json")
    small, full = json.loads(told.out)
    assert "seed" not in small
    assert checked[1] == ("Catan", full["seed"])
    assert re.findall(r"seed (-?\d+)", told.err) == [str(full["seed"])]
    assert main(["check-spec", "--simulate", "--seed", "5"]) == 0
    assert checked[-1] == ("Catan", 5)
    assert "seed 5" in capsys.readouterr().err


def test_standstills_are_looked_for_where_the_replication_goes_on() -> None:
    assert all(model.arguments() == ["-deadlock"] for model in MODELS if model.kind != "simulation")
    stopping = {m.name for m in (*REPLICATION_MODELS, *LARGE_REPLICATION_MODELS) if m.arguments() == ["-deadlock"]}
    assert stopping == {"MCP2PSetup"}, "the strip may have no place left for a village"
    assert FOUR_PEERS.arguments(games=2)[-2:] == ["-simulate", "num=2"]


def test_simulations_play_by_the_rules_of_their_configurations() -> None:
    for model, name in ((FULL_GAME, "Thesis"), (STANDARD_GAME, "Standard")):
        assert model.rules is PROFILES[name.lower()]
        assert f"    Rules <- {name}\n" in model.config


def test_the_profiles_are_those_of_the_specification() -> None:
    text = (spec_folder() / "Catan.tla").read_text(encoding="utf-8")
    told: dict[str, str] = {}
    for name, rules in PROFILES.items():
        record = re.search(rf"\n{name.capitalize()} ==\s+\[(.*?)\]\n", text, re.DOTALL)
        assert record is not None, name
        told |= re.findall(r"(\w+) (?:\|->|=) ([^,\s]+)", record[1])
        assert told == {rule: tla(getattr(rules, field)) for field, rule in RULE_NAMES.items()}, name


def test_an_unknown_model_is_named(typed: Typed) -> None:
    assert "MCNowhere: no such model" in typed(2, "check-spec", "MCNowhere").err


@pytest.mark.parametrize("option", [("--rules", "standard"), ("--games", "3"), ("--seed", "1")])
def test_an_option_of_random_games_needs_them(option: tuple[str, str], typed: Typed) -> None:
    assert f"{option[0]}: needs --simulate" in typed(2, "check-spec", "MCOpening", *option).err


@pytest.mark.long
@pytest.mark.needs("spec")
def test_models_of_the_game_and_of_its_replication_are_checked(typed: Typed) -> None:
    first, second = json.loads(typed(0, "check-spec", "MCOpening", "MCP2PDrawTwo", "--json").out)
    assert (first["model"], first["distinct"]) == ("MCOpening", 61)
    assert (second["model"], second["distinct"], second["verdict"]) == ("MCP2PDrawTwo", 101, "fine")


@pytest.mark.long
@pytest.mark.needs("spec")
def test_tlc_plays_with_the_seed_that_is_told() -> None:
    short = replace(FOUR_PEERS, length=10)
    result = check_model(short, TlcProgram.find(), seed=-5, games=1).result
    assert [message for message in result.messages if " with seed -5 " in message.text]


@pytest.mark.long
@pytest.mark.needs("spec")
def test_workers_share_the_games_and_play_with_seeds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    short = replace(FULL_GAME, length=40)
    alone, both, again = (
        check_model(short, TlcProgram.find(), seed=1, games=games, workers=workers).result.generated
        for games, workers in ((1, 1), (2, None), (2, 2))
    )
    assert both == again
    assert both > alone and both != 2 * alone


@pytest.mark.long
@pytest.mark.needs("spec")
def test_a_counterexample_of_several_workers_is_told_once(tmp_path: Path) -> None:
    for path in spec_folder().glob("*.tla"):
        text = path.read_text("utf-8").replace("BanditOnLand == G.ba", "BanditOnLand == G.dice # 7 /\\ G.ba")
        (tmp_path / path.name).write_text(text, "utf-8")
    result = TlcProgram.find().run(
        tmp_path / "Catan.tla", FULL_GAME.config, FULL_GAME.arguments(seed=1, games=1), workers=2
    )
    assert (result.verdict, result.detail) == ("invariant", "Invariant BanditOnLand is violated.")
    last = read_state(result.states[-1], Constants(FULL_GAME.rules, player_count=4))
    assert last.dice == 7 and result.states[0].count("/\\ G = ") == 1
