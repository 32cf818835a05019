"""The verb check-spec knows every model there is, and what each of them is for."""

from __future__ import annotations

import json

import pytest

from catan_p2p.cli.main import main
from catan_p2p.model_check.models import FULL_GAME, MODELS, STANDARD_GAME
from catan_p2p.model_check.replication_models import FOUR_PEERS, LARGE_REPLICATION_MODELS, REPLICATION_MODELS
from catan_p2p.model_check.tlc import spec_folder

ALL = (*MODELS, *REPLICATION_MODELS, *LARGE_REPLICATION_MODELS, FOUR_PEERS)


def test_every_configuration_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-spec", "--list", "--json"]) == 0
    listed = [row["model"] for row in json.loads(capsys.readouterr().out)]
    assert listed == [model.name for model in ALL]
    assert set(listed) == {file.stem for file in spec_folder().glob("*.cfg")} - {"MCP2PTrace"}


def test_standstills_are_looked_for_in_models_of_the_replication_only() -> None:
    assert all(model.arguments() == ["-deadlock"] for model in MODELS if model.kind != "simulation")
    assert all(model.arguments() == [] for model in (*REPLICATION_MODELS, *LARGE_REPLICATION_MODELS))
    assert FOUR_PEERS.arguments(games=2)[-2:] == ["-simulate", "num=2"]


def test_simulations_play_by_the_rules_of_their_configurations() -> None:
    for model in (FULL_GAME, STANDARD_GAME):
        text = model.config_file.read_text(encoding="utf-8")
        assert f"OfferMax = {model.rules.offer_max}\n" in text
        assert f'StartOrder = "{model.rules.start_order}"\n' in text
        assert f"DevCardsPerTurn = {model.rules.dev_cards_per_turn}\n" in text


def test_an_unknown_model_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-spec", "MCNowhere"]) == 2
    assert "MCNowhere: no such model" in capsys.readouterr().err


@pytest.mark.spec
def test_models_of_the_game_and_of_its_replication_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-spec", "MCOpening", "MCP2PTwo", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert (first["model"], first["distinct"]) == ("MCOpening", 61)
    assert (second["model"], second["distinct"], second["verdict"]) == ("MCP2PTwo", 1281, "fine")
