"""Messages and commit objects: one spelling each, parsed as trailers, anything else refused."""

import re
from random import Random

import pytest

from catan_p2p.game.actions import ACTIONS, ActionKind, BuildRoad, Discard, MoveBandit, RollDice
from catan_p2p.game.cards import pack
from catan_p2p.game.constants import Constants
from catan_p2p.limits import MAX_HIDDEN_COMMIT_BYTES
from catan_p2p.log import commit
from catan_p2p.log.commit import (
    Commit,
    LogEntry,
    Signature,
    action_message,
    decode_commit,
    entry_message,
    parse_action,
    parse_root,
    root_message,
)
from catan_p2p.log.game import FormatError
from catan_p2p.log.storage.objects import ObjectId
from tests.for_each import for_each

CONSTANTS = Constants(player_count=4)
RED = Signature("Red_0", "Red_0@catan-p2p.invalid", 1000)
TREE = ObjectId("a" * 40)
PARENTS = (ObjectId("b" * 40), ObjectId("c" * 40))


@for_each("kind", ACTIONS, ids=lambda kind: kind.name)
def test_every_action_is_read_back_from_its_message(kind: ActionKind) -> None:
    rng = Random(kind.name)
    for _ in range(50):
        action = kind.sample(CONSTANTS, rng.randint(1, 4), rng)
        entry = LogEntry(action)
        assert parse_action(entry_message(entry), CONSTANTS) == action


def test_the_subject_is_for_people_and_the_trailers_tell_everything() -> None:
    assert action_message(RollDice(1, 8)) == "roll_dice player_1 8\n\nAction: roll_dice\nPlayer: 1\nDice: 8\n"
    assert action_message(BuildRoad(2, 17)) == "build_road player_2\n\nAction: build_road\nPlayer: 2\nAt: 17\n"
    assert action_message(Discard(3, pack((1, 0, 2, 0, 0)))).endswith("Cards: 1 Lumber, 2 Wool\n")
    assert "Victim: 0\nCard: none\n" in action_message(MoveBandit(1, 19, 0, "none"))


GOOD = action_message(BuildRoad(2, 17))


@for_each(
    "message",
    [
        "",
        "build_road player_2",
        GOOD.rstrip("\n"),
        GOOD + "\n",
        GOOD + "Reviewed-by: somebody\n",
        GOOD.replace("At: 17", "At: 017"),
        GOOD.replace("At: 17", "At: 0"),
        GOOD.replace("At: 17", "At: 73"),
        GOOD.replace("At: 17", "At: -1"),
        GOOD.replace("At: 17", "At: ١٧"),
        GOOD.replace("At: 17", "At: " + "9" * 5000),
        GOOD.replace("At: 17\n", ""),
        GOOD.replace("At: 17", "at: 17"),
        GOOD.replace("At: 17", "At: 17\nAt: 18"),
        GOOD.replace("Player: 2", "Player: 5"),
        GOOD.replace("Player: 2", "Player: 1"),
        GOOD.replace("Action: build_road", "Action: build_castle"),
        GOOD.replace("Action: build_road", "Action: BuildRoad"),
        GOOD.replace("build_road player_2", "build_road player_1"),
        GOOD.replace("\n\n", "\n"),
        "roll_dice player_1 8\n\nAction: roll_dice\nPlayer: 1\nDice: 9\n",
        "discard player_1\n\nAction: discard\nPlayer: 1\nCards: 0 Ore\n",
        "discard player_1\n\nAction: discard\nPlayer: 1\nCards: 1 Ore, 1 Lumber\n",
        "discard player_1\n\nAction: discard\nPlayer: 1\nCards: 200 Ore\n",
    ],
)
def test_any_other_text_is_refused(message: str) -> None:
    with pytest.raises(FormatError):
        parse_action(message, CONSTANTS)


@for_each("parents", [(), PARENTS[:1], PARENTS])
@for_each("signature", [None, "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n"])
def test_a_commit_is_read_back_from_its_bytes(parents: tuple[ObjectId, ...], signature: str | None) -> None:
    commit = Commit(TREE, parents, RED, RED, GOOD, signature)
    assert decode_commit(commit.encode()) == commit
    assert commit._replace(signature=None).encode() == commit.payload()


ENCODED = Commit(TREE, PARENTS, RED, RED, GOOD).encode()


@for_each(
    "data",
    [
        b"",
        b"\xff\xfe",
        ENCODED[:60],
        ENCODED.replace(b"tree a", b"tree g"),
        ENCODED.replace(b"tree ", b"tree  "),
        ENCODED.replace(b"parent b", b"parent"),
        ENCODED.replace(b"author", b"autor"),
        ENCODED.replace(b"+0000", b"+0100"),
        ENCODED.replace(b"1000 +", b"01000 +"),
        ENCODED.replace(b"1000 +", b"-5 +"),
        ENCODED.replace(b"1000 +", b"9999999999999 +"),
        ENCODED.replace(b"Red_0 <", b"Red_0 "),
        ENCODED.replace(b"\n\n", b"\nencoding latin-1\n\n", 1),
        ENCODED.replace(b"\n\n", b"\nmergetag object\n\n", 1),
    ],
)
def test_bytes_that_this_program_would_not_write_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        decode_commit(data)


def test_a_root_message_tells_the_game() -> None:
    assert parse_root(root_message(12, 4, "seed 5")) == (12, 4)
    for message in (GOOD, root_message(12, 4, "x").replace("Game: 12", "Game: 012"), "new_game Catan_1\n\nGame: 1\n"):
        with pytest.raises(FormatError):
            parse_root(message)


def test_a_header_at_its_limit_is_refused_in_linear_time() -> None:
    """Read with two parts that may overlap, such a line took a minute: its time grew with the square of its length."""
    people = " <" * (MAX_HIDDEN_COMMIT_BYTES // 4 - 100) + "> " * (MAX_HIDDEN_COMMIT_BYTES // 4 - 100)
    data = f"tree {'0' * 40}\nauthor a{people}\ncommitter x <y> 1 +0000\n\nm".encode()
    assert 0 < MAX_HIDDEN_COMMIT_BYTES - len(data) < 1000
    with pytest.raises(FormatError, match="the commit's author is"):
        decode_commit(data)


@pytest.mark.parametrize("name", ["Red", "", "a < b", "x> <y", "a <b", "<>"])
def test_a_header_reads_the_same_at_one_look_and_line_by_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = f"tree {'0' * 40}\nparent {'1' * 40}\nauthor {name} <r@x> 7 +0000\ncommitter B <b@x> 8 +0000\n\nm".encode()
    found = []
    for header in (commit._HEADER, re.compile("no header")):
        monkeypatch.setattr(commit, "_HEADER", header)
        decode_commit.cache_clear()
        found.append(decode_commit(data))
    decode_commit.cache_clear()
    assert found[0] == found[1] and found[0].encode() == data
