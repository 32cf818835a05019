"""A map that all at a table draw together: whatever one of them does, the others decide too, or there is no game."""

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catan_p2p.cli import host
from catan_p2p.cli.main import main
from catan_p2p.game.board import DEFAULT_MAP, draw_map
from catan_p2p.log.commit import decode_commit, trailers_of
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.store import GitStore
from catan_p2p.simulation.separate import free_ports
from catan_p2p.tables import hosting, map_drawing
from catan_p2p.tables.map_nonce import commitment, is_made_by, map_of_nonce, nonce_of_map, opens
from tests.replication.meeting import WaitingHost, join
from tests.replication.relays import sit_down

ONE, OTHER = "1" * 64, "2" * 64


def nonce_of(path: Path, game: GameDefinition) -> str:
    with GitStore.open(path, writer=None) as store:
        head = store.read_ref(f"refs/heads/{path.name}_{game.number}")
        assert head is not None
        return trailers_of(decode_commit(store.read(head)[1]).message)["Nonce"]


@pytest.mark.long
def test_all_draw_the_map_together_at_a_relay(tmp_path: Path) -> None:
    games = [sit_down(tmp_path / name, str(tmp_path / name / "relay"), 3, drawn="variable") for name in ("one", "two")]
    maps = [game.constants.board.map for game in games]
    assert maps[0] != maps[1] and DEFAULT_MAP not in maps
    for name, game in zip(("one", "two"), games, strict=True):
        nonces = {nonce_of(tmp_path / name / colour, game) for colour in COLOURS[:3]}
        assert len(nonces) == 1
        assert is_made_by(game.constants.board.map, nonces.pop())


@pytest.mark.long
def test_all_draw_the_map_together_without_a_relay(tmp_path: Path) -> None:
    ports = free_ports(2)
    game = sit_down(tmp_path, ("127.0.0.1", ports[0]), 2, ports[1:], drawn="variable-free")
    assert is_made_by(game.constants.board.map, nonce_of(tmp_path / "Red", game))


class Stopped(Exception):
    pass


def against(folder: Path) -> list[BaseException]:
    """Open a table whose host does as the test likes; what the guest says to that."""
    failures: list[BaseException] = []
    with suppress(Stopped), WaitingHost(folder / "Red", str(folder / "relay"), drawn="variable") as invitation:
        try:
            join(folder / "Blue", invitation)
        except BaseException as error:  # noqa: BLE001 - this is what is looked at
            failures.append(error)
    return failures


@pytest.mark.long
def test_an_honest_host_is_believed(tmp_path: Path) -> None:
    assert against(tmp_path) == []


def with_another_map(folder: Path) -> list[BaseException]:
    """The host begins on a map of their own choice."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(hosting, "map_of_nonce", lambda name, nonce: draw_map(name, Random(7)))
        return against(folder)


@pytest.mark.long
def test_a_host_who_takes_another_map_finds_nobody_to_play_with(tmp_path: Path) -> None:
    (refused,) = with_another_map(tmp_path)
    assert "another map than the one all drew together" in str(refused)


@pytest.mark.long
def test_a_host_who_tells_another_number_after_the_guests_finds_nobody_to_play_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = map_drawing.say_once

    def say(room: Any, ref: str, kind: str, fields: Any) -> None:
        true(room, ref, kind, {**fields, "Red": ONE} if kind == "numbers" else fields)

    monkeypatch.setattr(map_drawing, "say_once", say)
    (refused,) = against(tmp_path)
    assert "with a number that Red had not committed to" in str(refused)


@pytest.mark.parametrize("whose", ["Red", "Blue"])
def test_a_guest_tells_no_number_once_somebody_has_committed_to_another(
    whose: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(room: Any, seats: dict[str, str], number: int, *rest: Any) -> Any:
        key, _ = seats[whose].split()
        lie = {**seats, whose: f"{key} {commitment(number, whose, ONE)}"}
        map_drawing.say_once(room, f"refs/tables/{number}/seats", "seats", lie)
        raise Stopped

    monkeypatch.setattr(map_drawing, "_wait_for_numbers", wait)
    (refused,) = against(tmp_path)
    assert "differ from yours or their own" in str(refused)
    with GitStore.open(tmp_path / "relay", writer=None) as store:
        assert {*store.list_refs("refs/tables/")} == {f"refs/tables/0/{name}" for name in ("terms", "Blue", "seats")}


NEW_GAME = ["new-game", "--players", "Red,Blue", "--chance", "joint"]


@pytest.mark.long
@pytest.mark.parametrize("is_drawn_together", [True, False])
def test_join_and_status_say_whose_choice_the_map_is(
    is_drawn_together: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if is_drawn_together:
        sit_down(tmp_path, str(tmp_path / "relay"), drawn="variable")
    else:
        main([*NEW_GAME, str(tmp_path / "Red"), "--map", "variable", "--choose-map"])
    by = "all together, at the table" if is_drawn_together else "Red, who began the game"
    main(["join", str(tmp_path / "Red"), str(tmp_path / "again"), "--as", "Blue", *keys_of(tmp_path / "Blue")])
    assert f"the map is the choice of {by}" in capsys.readouterr().err
    main(["status", str(tmp_path / "again")])
    assert f"the map is the choice of {by}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        (["--map", "variable"], "--map variable: no player may choose the dice"),
        (["--map", "variable", "--seed", "7"], "--map variable: no player may choose the dice"),
        (["--rules", "brief", "--players", "Red,Blue,Green,Orange,White"], "--map large: no player may choose"),
        (["--choose-map"], "--choose-map: only the maps variable, "),
        (["--map", "variable", "--seed", "7", "--choose-map"], None),
        (["--map", "variable", "--chance", "actor"], None),
        ([], None),
    ],
)
def test_a_player_alone_draws_the_map_of_a_game_of_joint_chance_only_if_they_say_so(
    options: list[str], refused: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Red"
    assert main([*NEW_GAME, str(path), *options]) == (0 if refused is None else 2)
    assert path.exists() == (refused is None)
    assert refused is None or refused in capsys.readouterr().err


def keys_of(path: Path) -> list[str]:
    key = path / ".git" / "catan-p2p" / "key"
    return ["--key", str(key)] if key.exists() else []


@pytest.mark.parametrize(
    ("options", "drawn"),
    [
        (["--map", "variable"], "variable"),
        (["--players", "5"], "large"),
        (["--map", "variable", "--seed", "7"], None),
        (["--chance", "actor", "--map", "variable"], None),
        ([], None),
    ],
)
def test_host_has_all_draw_the_map_where_all_draw_the_dice(
    options: list[str], drawn: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str | None] = []

    def open_no_table(*args: Any, **named: Any) -> Any:
        asked.append(named["drawn"])
        raise KeyboardInterrupt

    monkeypatch.setattr(host, "open_table", open_no_table)
    main(["host", str(tmp_path / "red"), "--relay", str(tmp_path / "relay"), *options])
    assert asked == [drawn]


def test_a_number_opens_only_what_its_player_has_committed_to() -> None:
    committed = commitment(3, "Blue", ONE)
    assert opens(3, "Blue", ONE, committed)
    for wrong in ((4, "Blue", ONE), (3, "Red", ONE), (3, "Blue", OTHER), (3, "Blue", ""), (3, "Blue", "é" * 64)):
        assert not opens(*wrong, committed)
    assert not opens(3, "Blue", ONE, "é")


def test_every_number_decides() -> None:
    colours = ("Red", "Blue")
    numbers = [{"Red": one, "Blue": other} for one in (ONE, OTHER) for other in (ONE, OTHER)]
    nonces = [nonce_of_map(0, told, colours) for told in numbers]
    assert len({*nonces, nonce_of_map(1, numbers[0], colours)}) == 5
    assert all(is_made_by(map_of_nonce("variable", nonce), nonce) for nonce in nonces)
    assert not is_made_by(map_of_nonce("variable", nonces[0]), nonces[1])
    assert not is_made_by(map_of_nonce("variable", nonces[0]), "seed 7")
