"""Words between players: signed, short, not too many, and never an affair of the game's.

Red ---> relay <--- Blue        and without a relay: Red <---> Blue
"""

from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.randomness import SeededRandomness, logical_clock
from catan_p2p.log.commit import Signature
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.players.policies import POLICIES
from catan_p2p.replication import chat
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.chat_writing import read_chat, say
from catan_p2p.tables.opening import opened_seat
from catan_p2p.tables.seat import read_settings
from tests.log.storage.repositories import commit_at
from tests.replication.relays import bare, flush, has_actions, play_on, seats_at
from tests.replication.tables import (
    KEYS,
    git,
    is_sound,
    make_seats,
    open_replica,
    opened,
    point,
    settle,
    write_commit,
    write_object,
)
from tests.typed import Typed

REDS = "refs/chat/Red"


def texts(replica: Replica) -> list[str]:
    assert replica.chat is not None
    return [f"{message.colour}: {message.text}" for message in replica.chat.messages]


def test_what_is_said_is_heard_over_a_relay_while_peers_play(tmp_path: Path) -> None:
    relay = bare(tmp_path / "relay")
    paths = seats_at(tmp_path, str(relay))
    with opened(paths) as replicas:
        play_on(replicas, has_actions(2))
        heard: list[str] = []
        assert replicas[1].chat is not None
        replicas[1].chat.tell = lambda message: heard.append(message.text)
        for text in ("good luck", "  whose wool was that?  "):
            say(paths[0], text)
        say(paths[1], "schön wär's")
        play_on(replicas, has_actions(4))
        for replica in replicas:
            replica.synchronize()
        assert heard == ["good luck", "whose wool was that?"]
        said = {"Red: good luck", "Red: whose wool was that?", "Blue: schön wär's"}
        assert all(set(texts(replica)) == said for replica in replicas)
        assert git(relay, "rev-parse", REDS) == replicas[0].store.read_ref(REDS)
    assert {message.text for message in read_chat(paths[1])} == {line.partition(": ")[2] for line in said}
    assert is_sound(paths[1])
    assert git(paths[0], "log", "--format=%s", REDS).splitlines() == ["whose wool was that?", "good luck"]


def test_without_a_relay_words_go_from_repository_to_repository(tmp_path: Path) -> None:
    paths = make_seats(tmp_path)
    say(paths[0], "hello")
    with opened(paths) as replicas:
        settle(replicas)
        assert texts(replicas[1]) == ["Red: hello"]


def test_no_chat_hears_and_passes_on_nothing(tmp_path: Path) -> None:
    relay = bare(tmp_path / "relay")
    paths = seats_at(tmp_path, str(relay))
    say(paths[0], "hello")
    settings = read_settings(paths[0])
    with opened_seat(paths[0], settings, POLICIES["builder"](), SeededRandomness, logical_clock, has_chat=False) as red:
        assert red.chat is None
        red.synchronize()
        flush(red)
    assert git(relay, "for-each-ref", "refs/chat") == ""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("", "one line"), ("a\nb", "one line"), ("\x1b[2J", "one line"), ("x" * 281, "at most 280")],
)
def test_what_is_no_message_is_not_said(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(StoreError, match=complaint):
        say(make_seats(tmp_path)[0], text)


def test_who_says_too_much_must_wait_and_is_not_heard_faster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catan_p2p.tables.chat_writing.MAX_A_MINUTE", 3)
    monkeypatch.setattr(chat, "MAX_A_MINUTE", 2)
    paths = make_seats(tmp_path)
    for number in range(3):
        say(paths[0], f"{number}", time_s=1000)
    with pytest.raises(StoreError, match="wait a little"):
        say(paths[0], "3", time_s=1001)
    say(paths[0], "3", time_s=1061)
    with opened(paths) as replicas:
        settle(replicas)
        assert texts(replicas[1]) == ["Red: 0", "Red: 1"], "the rest is heard later"
        monkeypatch.setattr(chat, "MAX_A_MINUTE", 9)
        settle(replicas)
        assert len(texts(replicas[1])) == 4


def _resigned(repository: Path, **changes: object) -> ObjectId:
    commit = commit_at(repository, REDS)._replace(signature=None, **changes)  # type: ignore[arg-type]
    return write_commit(repository, signer(KEYS["Red"])(commit))


@pytest.mark.sampled(8)
@pytest.mark.long
@pytest.mark.parametrize(
    "fake",
    [
        lambda red: write_commit(red, commit_at(red, REDS)._replace(signature=None)),
        lambda red: _resigned(red, message="a\x1b[2J\n\nGame: x\nMessage: 2\n"),
        lambda red: _resigned(red, message=commit_at(red, REDS).message.replace("Game: ", "Game: 0")),
        lambda red: _resigned(red, message=commit_at(red, REDS).message.replace("Message: 1", "Message: 7")),
        lambda red: _resigned(red, author=Signature("Blue_0", "Blue_0@catan-p2p.invalid", 7)),
        lambda red: _resigned(red, message="x" * 281 + commit_at(red, REDS).message),
        lambda red: _resigned(red, message=commit_at(red, REDS).message.replace("hello", "I never said hello")),
        lambda red: write_object(red, "blob", b"hello"),
        lambda red: ObjectId(git(red, "rev-parse", "Red_0")),
    ],
    ids=["unsigned", "escapes", "game", "number", "author", "long", "rewritten", "blob", "log"],
)
def test_what_is_no_message_is_not_heard_and_play_goes_on(tmp_path: Path, fake) -> None:  # type: ignore[no-untyped-def]
    paths = make_seats(tmp_path, signed=True)
    say(paths[0], "hello")
    with opened(paths) as replicas:
        settle(replicas)
        assert texts(replicas[1]) == ["Red: hello"]
        point(paths[0], REDS, fake(paths[0]))
        before = len(replicas[1].graph)
        for _ in range(4):
            for replica in replicas:
                replica.synchronize()
                replica.act()
                replica.store.publish()
        assert texts(replicas[1]) == ["Red: hello"]
        assert replicas[1].chat is not None and "Red" in replicas[1].chat.muted
        assert len(replicas[1].graph) > before
        assert not replicas[1].rejected


def test_a_message_that_has_not_arrived_is_waited_for(tmp_path: Path) -> None:
    red, blue = make_seats(tmp_path, signed=True)
    before = {*(packs := red / ".git/objects/pack").iterdir()}
    say(red, "hello")
    (pack,) = {*packs.glob("*.pack")} - before
    hidden = pack.rename(tmp_path / "hidden")
    with open_replica(blue) as replica:
        for _ in range(2):
            replica.synchronize()
        assert texts(replica) == []
        assert replica.chat is not None and replica.chat.muted == {}
        hidden.rename(pack)
        replica.chat._mute_until.clear()
        replica.neighbours[0].backoff._next = 0.0
        replica.synchronize()
        assert texts(replica) == ["Red: hello"]


def test_the_verb_says_and_reads(tmp_path: Path, typed: Typed) -> None:
    red = make_seats(tmp_path)[0]
    assert typed(0, "say", red, "who wants wool?").out == ""
    assert typed(0, "say", red).out.endswith(" Red who wants wool?\n")
    assert '"text": "who wants wool?"' in typed(0, "say", red, "--json").out
    assert main(["say", str(red), "x" * 300]) == 2


def test_a_peer_that_is_open_sees_what_its_own_player_says(tmp_path: Path) -> None:
    paths = make_seats(tmp_path)
    with open_replica(paths[0]) as red:
        say(paths[0], "hello")
        red.synchronize()
        assert texts(red) == ["Red: hello"]
