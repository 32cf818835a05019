"""Disks that lose power or hang: what a game keeps, and who waits."""

import os
import sys
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rules import awaited, decisions
from catan_p2p.lmu import hosting
from catan_p2p.lmu.game import GitGame
from catan_p2p.lmu.hosting import HANGS, ServerSettings
from catan_p2p.log.audit import audit
from catan_p2p.log.history import load_history
from catan_p2p.log.storage import writer
from catan_p2p.tables.repair import heal_around
from tests.lmu.scenes import RawClient, server_of
from tests.log.storage.power import Medium
from tests.log.storage.repositories import git

COLOURS = ("Red", "Blue", "White")


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "pread") or sys.platform == "win32", reason="needs POSIX files")
def test_a_game_outlives_a_loss_of_power_but_for_what_was_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "CHECKPOINT_BYTES", 2500)
    games, rng = tmp_path / "games", Random(1)
    games.mkdir()
    medium, published = Medium(games), -1
    cuts: list[tuple[Path, str, int]] = []

    def cut(when: str) -> None:
        path = tmp_path / f"cut_{len(cuts)}"
        medium.cut(path, rng)
        cuts.append((path / "Catan_0", when, published))

    with medium.followed(cut):
        constants = new_constants("brief", COLOURS, "default", 1)
        game = GitGame(games / "Catan_0", 0, 1, constants, COLOURS, lambda height: height)
        published = 0
        for number in range(30):
            player = next(iter(awaited(game.state)))
            game.carry_out(rng.choice(decisions(game.state, player)))
            if number % 5 == 4:
                length = game.length[0]
                game.publish()
                published = length
                cut(f"after {length} actions were published")
        game.finish()
    medium.close()
    assert len(cuts) > 20
    for path, when, actions in cuts:
        if path.exists():
            heal_around(path / ".git")
            assert len(load_history(path).actions) >= actions, when
        else:
            assert actions < 0, f"{when}: the game is gone"


def test_a_commit_by_hand_in_a_table_s_game_is_set_aside(tmp_path: Path) -> None:
    rng, path = Random(1), tmp_path / "Catan_0"
    game = GitGame(path, 0, 1, new_constants("brief", COLOURS, "default", 1), COLOURS, lambda height: height)

    def play(actions: int) -> None:
        for _ in range(actions):
            game.carry_out(rng.choice(decisions(game.state, next(iter(awaited(game.state))))))
            game.publish()

    play(12)
    by_hand = git(
        path, "-c", "user.name=a", "-c", "user.email=a@b", "commit-tree", "-m", "a note", "-p", "Red_0", "Red_0^{tree}"
    )
    git(path, "update-ref", "refs/heads/Red_0", by_hand)
    assert game.length[0] == 12
    play(12)
    game.finish()
    assert git(path, "rev-parse", f"refs/foreign/{by_hand}") == by_hand
    assert audit(path).is_fine


async def test_a_table_whose_disk_hangs_stands_still_and_says_so_and_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hosting, "HANGS_S", 0.05)
    hangs, goes_on = threading.Event(), threading.Event()

    def publish() -> None:
        hangs.set()
        goes_on.wait()

    async def seated(port: int, names: str) -> list[RawClient]:
        clients = []
        for name, colour in zip(names, ("Rot", "Blau", "Weiß"), strict=True):
            client = await RawClient.at(port, tcp=True)
            await client.greet(name, colour)
            await client.fine("Spiel starten")
            clients.append(client)
        return clients

    settings = ServerSettings(2, linger_s=0.0, threads=2)
    async with server_of(settings, players=3, patience_s=600.0, map="default") as (server, _, tcp, games):
        notes: list[str] = []
        server._note = notes.append
        stuck, others = await seated(tcp, "ABC"), await seated(tcp, "DEF")
        games[0].publish = publish  # type: ignore[method-assign]
        table = server._hosted[0].table
        table._publish_at = table._clock()
        server._hosted[0].wake.set()
        for client in stuck:
            await until_chat(client)
        assert hangs.is_set()
        await others[0].fine("Chatnachricht senden", {"Nachricht": "Hier nicht?"})
        await stuck[0].send({"Chatnachricht senden": {"Nachricht": "Und jetzt?"}})
        goes_on.set()
        assert await until_chat(stuck[0], said="Und jetzt?")
        assert table._stood_s >= 0.05, "so much later its clock is"
        assert [note.partition(":")[2].split(" after")[0] for note in notes if "still" in note or "goes" in note] == [
            " stands still: is the disk or the machine busy?",
            " goes on",
        ]


async def until_chat(client: RawClient, said: str = HANGS) -> Any:
    """Wait until a client hears this."""
    while (await client.next()).get("Chatnachricht", {}).get("Nachricht") != said:
        pass
    return True
