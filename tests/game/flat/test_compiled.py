"""The compiled core is the same as the one in Python; where it is not built, these tests are left out."""

import sys
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from catan_p2p import compiled
from catan_p2p.compiled import PURE, why_not_compiled
from catan_p2p.game.constants import Constants, profile
from catan_p2p.game.flat import PYTHON, fastest
from catan_p2p.players.strategist.learned import weights
from compile_core import build_if_possible
from tests.game.flat.test_agreement import check_damaged, check_games

needs_it = pytest.mark.skipif(why_not_compiled() is not None, reason=f"not compiled: {why_not_compiled()}")


@needs_it
def test_compiled_games_are_played_alike() -> None:
    assert fastest().name == "compiled"
    check_games(fastest(), seed=3, count=24, most=250)
    check_damaged(fastest(), 400, seed=3)


@needs_it
@pytest.mark.parametrize("name", ("thesis", "brief", "standard"))
def test_both_play_the_same_random_game(name: str) -> None:
    one, other = (core.begin(Constants(profile(name, 3), player_count=3)) for core in (PYTHON, fastest()))
    assert one.play(Random(5).getrandbits, 900) == other.play(Random(5).getrandbits, 900)
    assert (one.numbers(), one.sets()) == (other.numbers(), other.sets())


@needs_it
def test_both_value_and_choose_alike() -> None:
    constants = Constants(profile("brief", 3), player_count=3)
    flats = [core.begin(constants) for core in (PYTHON, fastest())]
    one, other = (
        core.searcher(flat, constants, weights()) for core, flat in zip((PYTHON, fastest()), flats, strict=True)
    )
    one.depth = other.depth = 2
    bits, asked = Random(6).getrandbits, 0
    for number in range(250):
        player = flats[0].awaited()
        moves = [flat.list_moves(player) for flat in flats]
        assert moves[0] == moves[1]
        move = flats[0].move(number % moves[0])
        if moves[0] > 1 and number % 3 == 0:
            move = one.choose(flats[0], player)
            assert move == other.choose(flats[1], player)
            assert one.valuer.value(flats[0], player) == other.valuer.value(flats[1], player)
            asked += 1
        move = flats[0].draw(move, bits)
        for flat in flats:
            flat.do(move)
    assert asked > 20


def test_without_a_build_python_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "FOLDER", tmp_path)
    monkeypatch.delenv(PURE, raising=False)
    assert "it was not built" in str(why_not_compiled.__wrapped__())


def test_a_package_without_a_build_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "FOLDER", tmp_path)
    monkeypatch.setenv(PURE, "1")
    why = build_if_possible(tmp_path)
    assert why == "a package for every platform was asked for"
    assert why_not_compiled.__wrapped__() == f"the package was built without it: {why}"


@pytest.mark.long
def test_what_a_compiler_refuses_is_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PURE, raising=False)
    monkeypatch.setenv("CC", "false")
    monkeypatch.setattr("sys.stderr", StringIO())
    assert build_if_possible(tmp_path) == "there is no C compiler that compiles it"
    monkeypatch.setitem(sys.modules, "Cython.Build", None)
    assert "Cython" in str(build_if_possible(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == [compiled.REASON]


def test_a_build_of_other_source_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "FOLDER", tmp_path)
    monkeypatch.delenv(PURE, raising=False)
    (tmp_path / "digest").write_text("0" * 64)
    assert "from other source" in str(why_not_compiled.__wrapped__())


def test_python_can_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "FOLDER", tmp_path)
    monkeypatch.setenv(PURE, "1")
    assert why_not_compiled.__wrapped__() == "CATAN_P2P_PURE is set"
