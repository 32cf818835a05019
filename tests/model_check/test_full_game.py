"""TLC plays the full game at random: the configurations of both rules hold, and games reach their end."""

from pathlib import Path

import pytest

from catan_p2p.model_check.models import FULL_GAME, STANDARD_GAME, TlcModel
from catan_p2p.model_check.tlc import TlcResult
from tests.model_check.guard_mutations import quick_tlc

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(2, together=True)]

SEED = 1


def play(model: TlcModel, games: int, depth: int | None = None) -> TlcResult:
    """Have TLC play so many games of at most so many steps."""
    arguments = model.arguments(seed=SEED, games=games, depth=depth)
    return quick_tlc().run(model.module_file, model.config, arguments)


@pytest.mark.parametrize("model", (FULL_GAME, STANDARD_GAME), ids=lambda model: model.name)
def test_the_beginning_of_a_full_game_keeps_every_invariant(model: TlcModel) -> None:
    result = play(model, games=2, depth=150)
    assert result.verdict == "fine", result.detail
    assert result.generated > 300


def short_game(folder: Path, *invariants: str) -> TlcResult:
    """Have plain TLC, without any option but those of a simulation, play a game to three points."""
    module = folder / "MCShort.tla"
    short, open_ = "ShortRules == [Thesis EXCEPT !.PointsToWin = 3]", 'NobodyWins == G.tp # "top"'
    module.write_text(f"---- MODULE MCShort ----\nEXTENDS Catan\n{short}\n{open_}\n====\n")
    text = FULL_GAME.config.replace("Rules <- Thesis", "Rules <- ShortRules") + " ".join(invariants)
    return quick_tlc().run(module, text, ["-depth", "1500", "-seed", str(SEED), "-simulate", "num=1"])


def test_a_finished_game_is_no_deadlock_for_plain_tlc(tmp_path: Path) -> None:
    won = short_game(tmp_path, "NobodyWins")
    assert won.verdict == "invariant" and len(won.states) < 1500, "a game ends before TLC stops"
    result = short_game(tmp_path)
    assert result.verdict == "fine", result.detail


@pytest.mark.soak
@pytest.mark.parametrize("model", (FULL_GAME, STANDARD_GAME), ids=lambda model: model.name)
def test_a_random_game_reaches_top(model: TlcModel, tmp_path: Path) -> None:
    """That nobody wins must be refuted, and before the longest game that ``check-spec --simulate`` plays."""
    module = tmp_path / "MCNobodyWins.tla"
    module.write_text('---- MODULE MCNobodyWins ----\nEXTENDS Catan\nNobodyWins == G.tp # "top"\n====\n')
    text = model.config.partition("INVARIANTS")[0]
    arguments = model.arguments(seed=SEED, games=5)
    result = quick_tlc().run(module, f"{text}INVARIANTS\n    NobodyWins\n", arguments)
    assert result.verdict == "invariant", result.detail
    assert 50 < len(result.states) < model.length
