"""Whole tournaments over sockets: seats, names and secrets, results, commands, spectators."""

import asyncio
import csv
import json
from pathlib import Path
from typing import Any

import pytest

from catan_p2p import __version__
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.codec import UnknownCards
from catan_p2p.lmu.model import ClientModel
from catan_p2p.lmu.table import KICKED
from catan_p2p.lmu.tournament import server
from catan_p2p.lmu.tournament.standing import NotThisTournament
from catan_p2p.lmu.words import OK
from catan_p2p.log.audit import audit
from catan_p2p.log.storage.objects import StoreLocked
from catan_p2p.notation import load_view
from catan_p2p.view import events as e
from tests.lmu.tournament.hosting import CLIENTS, hosting, playing, plays, server_of

NAMES = ("Ann:a1", "Ben", "Cid:c3", "Dan")


def state(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "tournament.json").read_text("utf-8"))
    return found


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_a_tournament_of_four_clients_and_two_rounds(tmp_path: Path) -> None:
    async def hosted_and_played() -> None:
        async with hosting(tmp_path, rounds=2) as hosted, playing(hosted.url, NAMES) as tasks:
            await hosted.server.done.wait()
            played = await asyncio.gather(*tasks)
            assert [len(games) for games in played] == [2] * 4
            assert [one.client_player.refusals for games in played for one in games] == [[]] * 8

    asyncio.run(hosted_and_played())
    found = state(tmp_path)
    assert [game["state"] for game in found["games"]] == ["over", "over"]
    assert {one["name"] for one in found["standings"]} == {"Ann", "Ben", "Cid", "Dan"}
    assert sum(one["wins"] for one in found["standings"]) == 2
    for game in found["games"]:
        report = audit(tmp_path / f"Catan_{game['game']}")
        assert report.is_fine
        assert report.history is not None
        assert [*report.history.game.names] == game["seats"]
        assert max(game["points"]) >= 4
        assert game["points"][game["seats"].index(game["winner"])] == max(game["points"])
        assert {*game["details"]["versions"].values()} == {f"catan_p2p {__version__} (KI)"}
        assert (tmp_path / "public" / f"Catan_{game['game']}" / ".git").is_dir()
    rows = [*csv.DictReader((tmp_path / "games.csv").read_text("utf-8").splitlines())]
    assert [row["name"] for row in rows] == [name for game in found["games"] for name in game["seats"]]
    page = (tmp_path / "index.html").read_text("utf-8")
    assert "2 of 2 games are over" in page
    messages = "".join((tmp_path / "messages" / f"Catan_{i}.jsonl").read_text("utf-8") for i in (0, 1))
    for secret in ("a1", "c3"):
        assert f":{secret}" not in messages + page + json.dumps(found)
    assert "Token" not in messages.replace('"Token":null', "")


def test_computers_play_for_absent_entrants_and_among_themselves(tmp_path: Path) -> None:
    async def hosted_and_played() -> None:
        async with hosting(tmp_path, "Ann\nBen\n", computers=6, rounds=1, fill_after_s=0.0) as hosted:
            assert len(await plays(hosted.url, "Ann")) == 1
            await hosted.server.obey("begin 0")
            await hosted.server.obey("begin 1")
            await hosted.server.done.wait()

    asyncio.run(hosted_and_played())
    assert [game["state"] for game in state(tmp_path)["games"]] == ["over", "over"]


def test_one_table_at_a_time(tmp_path: Path) -> None:
    async def hosted_and_played() -> int:
        most = 0
        async with hosting(tmp_path, "", computers=8, tables=1) as hosted:
            while not hosted.server.done.is_set():
                most = max(most, sum(one.table.play is not None for one in hosted.server._hosted))
                await asyncio.sleep(0.01)
        return most

    assert asyncio.run(hosted_and_played()) == 1


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_a_name_takes_its_secret(tmp_path: Path) -> None:
    async def talked() -> list[str]:
        found = []
        async with hosting(tmp_path) as hosted:
            for name in ("Eve", "Ann", "Ann:", "Ann:a2", "Ann:a1"):
                talk = await hosted.talk(name)
                found.append((await talk.hear(m.RequestReply)).text)
            assert [hosted.server._hosted[0].table.members[0].name] == ["Ann"]
        return found

    refused, *answers = asyncio.run(talked())
    assert answers == [refused, refused, refused, OK]


def test_who_has_the_secret_displaces_and_who_has_none_does_not(tmp_path: Path) -> None:
    async def talked() -> tuple[str, str, Any]:
        async with hosting(tmp_path) as hosted:
            first, other = await hosted.talk("Ann:a1"), await hosted.talk("Ben")
            await first.hear(m.RequestReply)
            await other.hear(m.RequestReply)
            again = await (await hosted.talk("Ann:a1")).hear(m.RequestReply)
            double = await (await hosted.talk("Ben")).hear(m.RequestReply)
            return again.text, double.text, (await first.hear_all())[-1]

    again, double, _ = asyncio.run(talked())
    assert again == OK
    assert double == "Ben ist schon da"


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_a_pause_stops_messages_and_clocks(tmp_path: Path) -> None:
    async def paused() -> None:
        async with hosting(tmp_path, rounds=1) as hosted, playing(hosted.url, NAMES):
            await hosted.noted("begins with")
            await hosted.server.obey("pause")  # at once: a game may be over before the file is read
            await hosted.noted("are paused")
            table = hosted.server._hosted[0].table
            while any(one.lock.locked() for one in hosted.server._hosted):
                await asyncio.sleep(0.01)
            before, clock = table.play.state, hosted.server._now()  # type: ignore[union-attr]
            await asyncio.sleep(0.5)
            assert table.play.state == before  # type: ignore[union-attr]
            assert hosted.server._now() == clock
            with (tmp_path / "control").open("a") as file:  # as ``lmu tell`` does
                file.write("resume\n")
            await hosted.server.done.wait()

    asyncio.run(paused())
    assert [game["state"] for game in state(tmp_path)["games"]] == ["over"]


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_files_say_which_game_is_played_and_which_waits(tmp_path: Path) -> None:
    def states() -> list[list[str]]:
        rows = [*csv.DictReader((tmp_path / "games.csv").read_text("utf-8").splitlines())]
        told = [game["state"] for game in state(tmp_path)["games"]]
        listed = [next(row["state"] for row in rows if row["game"] == str(number)) for number in range(len(told))]
        return [told, listed]

    async def looked() -> None:
        async with hosting(tmp_path, rounds=2) as hosted:
            assert states() == [["waiting", "waiting"]] * 2
            async with playing(hosted.url, NAMES):
                await hosted.noted("begins with")
                await hosted.server.obey("pause")
                assert states() == [["playing", "waiting"]] * 2
                assert "1 under way" in (tmp_path / "index.html").read_text("utf-8")
        assert states() == [["playing", "waiting"]] * 2
        async with hosting(tmp_path, rounds=2) as hosted, playing(hosted.url, NAMES):
            await hosted.server.obey("resume")
            await hosted.server.done.wait()
        assert states() == [["over", "over"]] * 2

    asyncio.run(looked())


def test_a_file_with_an_unknown_state_of_a_game_is_refused(tmp_path: Path) -> None:
    async def twice() -> None:
        async with hosting(tmp_path):
            pass
        told = state(tmp_path)
        told["games"][0]["state"] = "asleep"
        (tmp_path / "tournament.json").write_text(json.dumps(told))
        with pytest.raises(NotThisTournament, match="'asleep', expected one of waiting, playing, over, void"):
            server_of(tmp_path, CLIENTS, lambda text: None)

    asyncio.run(twice())


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_seven_clients_at_tables_of_four_play_twice_each(tmp_path: Path) -> None:
    clients = "".join(f"{name}\n" for name in "ABCDEFG")

    async def hosted_and_played() -> None:
        async with hosting(tmp_path, clients, rounds=2) as hosted, playing(hosted.url, "ABCDEFG") as tasks:
            await hosted.server.done.wait()
            assert [len(games) for games in await asyncio.gather(*tasks)] == [2] * 7

    asyncio.run(hosted_and_played())
    found = state(tmp_path)
    assert [(game["round"], len(game["seats"])) for game in found["games"]] == [(1, 4), (1, 3), (2, 4), (2, 3)]
    assert [one["games"] for one in found["standings"]] == [2] * 7
    for game in found["games"]:
        report = audit(tmp_path / f"Catan_{game['game']}")
        assert report.is_fine and report.history is not None
        assert [*report.history.game.names] == game["seats"]


def test_a_pause_outlives_a_restart(tmp_path: Path) -> None:
    async def paused() -> None:
        async with hosting(tmp_path) as hosted, playing(hosted.url, NAMES):
            await hosted.noted("begins with")
            await hosted.server.obey("pause")
        assert state(tmp_path)["paused"] is True
        assert "is paused" in (tmp_path / "index.html").read_text("utf-8")
        async with hosting(tmp_path) as hosted, playing(hosted.url, NAMES):
            assert "all games are paused" in hosted.notes
            table = hosted.server._hosted[0].table
            while len(hosted.server._hosted[0].clients) < len(NAMES):
                await asyncio.sleep(0.01)
            before = table.play.state  # type: ignore[union-attr]
            await asyncio.sleep(0.3)
            assert table.play.state == before, "nobody plays on"  # type: ignore[union-attr]
            await hosted.server.obey("resume")
            await hosted.server.done.wait()

    asyncio.run(paused())
    assert state(tmp_path)["paused"] is False
    assert [game["state"] for game in state(tmp_path)["games"]] == ["over"]


def test_nobody_waits_for_the_number_that_a_client_had_until_it_was_known() -> None:
    model = ClientModel()
    for id in (9, 2):
        model.hear(m.PlayerWelcome(id, None))
        model.hear(m.StatusUpdate(m.PlayerState(id, "Warten", "Red", "Ann", 0, 0, 0, 0, False, False)))
    assert [*model.players] == [2]


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_a_kicked_client_is_played_for_until_it_is_admitted(tmp_path: Path) -> None:
    async def kicked() -> None:
        async with hosting(tmp_path, patience_s=1.0) as hosted, playing(hosted.url, NAMES[1:]):
            talk = await hosted.talk("Ann:a1", "White")
            await talk.say(m.ReadyToStart())
            assert await talk.hear(m.GameStartedMessage)
            await hosted.server.obey("kick Ann")
            assert (await talk.hear(m.ServerFailure)).text == KICKED
            await talk.hear_all()
            out = await hosted.talk("Ann:a1", "White")
            assert (await out.hear(m.ServerFailure)).text == KICKED
            await hosted.server.obey("admit Ann")
            back = await hosted.talk("Ann:a1", "White")
            assert await back.hear(m.GameStartedMessage)
            await back.hear(m.GameOver)
            await hosted.server.done.wait()

    asyncio.run(kicked())
    assert state(tmp_path)["games"][0]["state"] == "over"


def test_nobody_waits_for_a_client_that_was_kicked(tmp_path: Path) -> None:
    async def kicked() -> None:
        async with hosting(tmp_path, patience_s=1.0) as hosted:
            talk = await hosted.talk("Ann:a1", "White")
            await talk.hear(m.RequestReply)
            await hosted.server.obey("kick Ann")
            async with playing(hosted.url, NAMES[1:]):
                await hosted.server.done.wait()

    asyncio.run(kicked())
    assert state(tmp_path)["games"][0]["state"] == "over"


def test_a_second_server_in_the_folder_of_one_changes_nothing(tmp_path: Path) -> None:
    async def twice() -> None:
        async with hosting(tmp_path) as hosted:
            second = server_of(tmp_path, CLIENTS, [].append)
            await hosted.server.obey("skip 0")
            hosted.server._save()
            with pytest.raises(StoreLocked, match="already hosting games in this folder"):
                await second.begin()
            await second.close()
            assert state(tmp_path)["games"][0]["state"] == "void"

    asyncio.run(twice())


def test_a_skipped_game_is_played_by_nobody(tmp_path: Path) -> None:
    async def skipped() -> None:
        async with hosting(tmp_path) as hosted:
            await hosted.server.obey("skip 0")
            await hosted.server.obey("skip 99")
            await hosted.server.done.wait()
            assert "control: skip: there is no game 99" in hosted.notes
            await hosted.server.obey("skip all")
            await hosted.server.obey("dance")
            assert hosted.notes[-2] == "control: skip: all: expected the number of a game"
            assert "expected list, pause" in hosted.notes[-1]

    asyncio.run(skipped())
    assert state(tmp_path)["games"][0]["state"] == "void"


def test_a_used_up_clock_ends_the_say_of_a_player(tmp_path: Path) -> None:
    async def waited() -> list[str]:
        async with hosting(tmp_path, clock_s=0.2, patience_s=30.0) as hosted, playing(hosted.url, NAMES[1:]):
            talk = await hosted.talk("Ann:a1", "White")
            await talk.say(m.ReadyToStart())
            await hosted.server.done.wait()
            return hosted.notes

    notes = asyncio.run(waited())
    assert sum("(Ann): the time is used up" in note for note in notes) == 1


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_spectators_hear_everything_public_and_nothing_else_and_late(tmp_path: Path) -> None:
    async def watched() -> tuple[list[Any], list[Any]]:
        async with hosting(tmp_path, delay_s=3600.0) as hosted, playing(hosted.url, NAMES):
            await hosted.noted("begins with")
            await hosted.server.obey("pause")  # so that the game is not over before anybody looks
            talk = await hosted.talk("Zuschauer 0")
            watching = asyncio.ensure_future(talk.hear_all())
            await asyncio.sleep(1.0)
            early = [*talk.heard]
            await hosted.server.obey("resume")
            return early, await watching

    early, heard = asyncio.run(watched())
    assert not any(isinstance(message, m.GameStartedMessage | m.DiceThrown) for message in early)
    assert any(isinstance(message, m.GameOver) for message in heard)
    assert sum(isinstance(message, m.GameStartedMessage) for message in heard) == 1
    for message in heard:
        if isinstance(message, m.StatusUpdate) and message.player.name is not None:
            told = message.player
            assert told.resources == 0 or isinstance(told.resources, UnknownCards)
            assert told.dev_cards == 0 or isinstance(told.dev_cards, UnknownCards)
        if isinstance(message, m.CardBought):
            assert message.card is None


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_a_game_under_way_is_shown_as_late_as_spectators_hear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "VIEW_S", 0.01)
    view = tmp_path / "public" / "Catan_0"

    async def watched(delay_s: float) -> None:
        async with hosting(tmp_path, delay_s=delay_s) as hosted, playing(hosted.url, NAMES):
            await hosted.noted("goes on after" if (tmp_path / "Catan_0").exists() else "begins with")
            while (tmp_path / "messages" / "Catan_0.jsonl").stat().st_size < 100_000:
                await asyncio.sleep(0.01)
            await hosted.server.obey("pause")
            if delay_s:
                await asyncio.sleep(0.5)
                assert not view.exists()
                await hosted.server.obey("resume")
                return
            while not view.exists():
                await asyncio.sleep(0.01)
            early = load_view(view)
            await hosted.server.obey("resume")
            await hosted.server.done.wait()
            late = load_view(view)
            assert len(late.steps) > len(early.steps) > 0
            assert [step.event for step in late.steps][: len(early.steps)] == [step.event for step in early.steps]
            assert not any(isinstance(step.event, e.GameWon) for step in early.steps)

    asyncio.run(watched(3600.0))
    asyncio.run(watched(0.0))


def test_chat_is_kept(tmp_path: Path) -> None:
    async def chatted() -> None:
        async with hosting(tmp_path) as hosted:
            talk = await hosted.talk("Ben")
            await talk.hear(m.RequestReply)
            await talk.say(m.SendChat("Viel Glück!"))
            await talk.hear(m.ChatReceived)

    asyncio.run(chatted())
    lines = [json.loads(line) for line in (tmp_path / "messages" / "Catan_0.jsonl").read_text("utf-8").splitlines()]
    assert {"Chatnachricht senden": {"Nachricht": "Viel Glück!"}} in [
        line["message"] for line in lines if line.get("from") == "Ben"
    ]
