"""The limits hold for everything that a writer can make, and the documentation tells the same numbers.

The largest commits are made on purpose: six players with the longest names, signatures, every kind of action, as many
parents as there can be, what parties sign about views, messages of the chat.
"""

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p import limits
from catan_p2p.game.actions import ACTIONS
from catan_p2p.game.constants import BRIEF, Constants
from catan_p2p.game.rule_names import rules_named
from catan_p2p.log.authorship import author_of
from catan_p2p.log.commit import LATEST_S, Commit, LogEntry, decode_commit, entry_message
from catan_p2p.log.game import FormatError, GameDefinition, Seat, game_files, parse_game, with_parties
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.root import root_commit
from catan_p2p.log.signing import is_signed_by
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, object_id
from catan_p2p.log.tree import hash_only
from catan_p2p.log.verdict import REASONS, Reason, reason_table
from catan_p2p.log.views.messages import MessageKind, ViewMessage
from catan_p2p.replication.chat import _parse as parse_message
from catan_p2p.replication.chat import check_text, message_commit
from tests.for_each import for_each
from tests.seat_keys import PUBLIC_KEYS, SIGNERS

ID = ObjectId("f" * 40)
KIND_NAMES = {kind.name: kind for kind in ACTIONS}


def game_of(players: int, name: str, *, signed: bool) -> GameDefinition:
    """A game whose players all have the same name."""
    seats = tuple(Seat(colour, name, PUBLIC_KEYS[colour] if signed else None) for colour in COLOURS[:players])
    return GameDefinition(Constants(BRIEF, player_count=players), 0, seats)


def written(game: GameDefinition, entry: LogEntry, parents: int) -> bytes:
    """The bytes of a commit with this message, with the latest date that a commit can have."""
    author = author_of(game, entry.action.player, 10**12 - 1)
    commit = Commit(ID, (ID,) * parents, author, author, entry_message(entry))
    seat = game.seats[entry.action.player - 1]
    if seat.key is not None:
        commit = SIGNERS[seat.colour](commit)
        assert is_signed_by(commit, seat.key)
    return commit.encode()


@settings(max_examples=150, deadline=None)
@given(
    kind=st.sampled_from([*sorted(KIND_NAMES), *get_args(MessageKind)]),
    players=st.integers(2, limits.MAX_SEATS),
    name=st.sampled_from(["N" * limits.MAX_NAME_BYTES, "Ü" * (limits.MAX_NAME_BYTES // 2), "Red_0"]),
    signed=st.booleans(),
    parents=st.sampled_from([1, limits.MAX_SEATS, limits.MAX_PARENTS]),
    seed=st.integers(0, 2**32),
)
def test_every_kind_of_commit_is_within_the_limit_of_readers(
    kind: str, players: int, name: str, signed: bool, parents: int, seed: int
) -> None:
    game, rng = game_of(players, name, signed=signed), Random(seed)
    player = rng.randint(1, players)
    if kind in get_args(MessageKind):
        waits = range(1, limits.MAX_SEATS + 1)
        message = ViewMessage(kind, player, limits.MAX_CHANGES, limits.MAX_ROUNDS, (*waits,))  # type: ignore[arg-type]
        entry = LogEntry(message, after=ID)  # type: ignore[arg-type]
    else:
        # More than any one message has: whatever belongs to chance is in it, too.
        action = KIND_NAMES[kind].sample(game.constants, player, rng)
        entry = LogEntry(action, "f" * 64, 10**9 - 1, (6, 6), nonce="f" * 32, ahead="f" * 64, after=ID)
    data = written(game, entry, parents)
    assert len(data) <= limits.MAX_COMMIT_BYTES
    assert len(decode_commit(data).parents) == parents


@pytest.mark.parametrize(
    ("name", "is_taken"), [("N" * 64, True), ("N" * 65, False), ("Ü" * 32, True), ("Ü" * 33, False)]
)
def test_the_longest_name_is_taken_and_a_longer_one_is_refused(name: str, is_taken: bool) -> None:
    files = game_files(game_of(2, name, signed=False))
    if is_taken:
        assert parse_game(files, 0).seats[0].name == name
    else:
        with pytest.raises(FormatError, match="at most 64"):
            parse_game(files, 0)


@for_each("signed", [False, True])
@for_each("letter", ["x", "ü", "\N{GAME DIE}"])
def test_the_largest_message_of_the_chat_is_within_the_limits_of_those_who_hear_it(letter: str, signed: bool) -> None:
    game = game_of(limits.MAX_SEATS, "Ü" * (limits.MAX_NAME_BYTES // 2), signed=signed)
    text, seat = letter * limits.MAX_LETTERS, game.seats[0]
    commit = message_commit(seat, ID, check_text(text), limits.MAX_MESSAGES, ID, LATEST_S)
    data = (SIGNERS[seat.colour](commit) if signed else commit).encode()
    message, before = parse_message(object_id("commit", data), data, seat, ID)
    assert (message.text, message.number, before) == (text, limits.MAX_MESSAGES, ID)


@for_each("players", range(2, limits.MAX_SEATS + 1))
def test_the_root_of_the_longest_names_and_rules_is_within_the_limits(players: int) -> None:
    game = game_of(players, "N" * limits.MAX_NAME_BYTES, signed=True)
    game = with_parties(replace(game, constants=replace(game.constants, rules=rules_named(RULES, players))))
    sizes: dict[str, list[int]] = {"blob": [], "tree": [], "commit": []}

    def put(kind: ObjectKind, data: bytes) -> ObjectId:
        sizes[kind].append(len(data))
        return hash_only(kind, data)

    root_commit(game, "map " + "f" * 64, LATEST_S, put)
    assert max(sizes["blob"] + sizes["tree"]) <= limits.MAX_OBJECT_BYTES
    assert sizes["commit"][0] <= limits.MAX_COMMIT_BYTES


@pytest.mark.long
def test_limits_are_defined_in_one_place_and_each_is_used() -> None:
    package = Path(limits.__file__).parent
    texts = {path.relative_to(package).as_posix(): path.read_text("utf-8") for path in package.rglob("*.py")}
    own = texts.pop("limits.py")
    rooms = ("log/", "replication/", "tables/", "sessions/")
    elsewhere = {
        (path, name)
        for path, text in texts.items()
        if path.startswith(rooms) and not path.startswith("log/storage/")
        for name in re.findall(r"^((?:_?MAX_|COSTLY_|MEMORY_)[A-Z_]+) = ", text, re.MULTILINE)
    }
    assert elsewhere == OWN_AFFAIRS
    used = "".join(texts.values()) + own.replace(" = ", "")
    assert [name for name in NAMES if not re.search(rf"\b{name}\b", used)] == []


def test_every_limit_says_what_it_is_for_and_in_which_unit() -> None:
    text = Path(limits.__file__).read_text("utf-8")
    assert [*re.findall(r'^([A-Z_]+) = [^\n]+\n"""[^"]+"""$', text, re.MULTILINE)] == NAMES
    sizes = {name for name in NAMES if getattr(limits, name) >= 1 << 12 and name.endswith("_BYTES")}
    assert sizes >= {name for name in NAMES if getattr(limits, name) >= 1 << 18}


NAMES = [name for name in vars(limits) if name.isupper()]
OWN_AFFAIRS = {
    ("replication/peer.py", "MAX_CHOICES"),
    ("log/transport/quarantine.py", "_MAX_DEPTH"),
    ("log/transport/remote.py", "MAX_PORT"),
}
"""What bounds a peer's own work, or is a number of a format."""
RULES = "brief; PointsToWin = 15; Leaving = yes; Chance = joint; TableTalk = yes; Patience = 86400"


def test_the_page_of_the_log_format_tells_every_limit_on_what_is_valid() -> None:
    text = (Path(__file__).parents[2] / "docs/reference/log-format.md").read_text("utf-8")
    section = text.partition("## Limits")[2].partition("\n## ")[0]
    told = re.findall(r"^\|[^|]+\| `([A-Z_]+)` \| ([\d,]+) \|[^|]+\|$", section, re.MULTILINE)
    assert len(told) == sum(line.startswith("| ") and "`MAX" in line for line in section.splitlines()), "another form"
    source = Path(limits.__file__).read_text("utf-8").partition("# Players")[2].partition("# Chat")[0]
    names = re.findall(r"^([A-Z_]+) = ", source, re.MULTILINE)
    assert len(names) >= 10
    assert {(name, int(value.replace(",", ""))) for name, value in told} == {
        (name, getattr(limits, name)) for name in names
    }


def test_the_documentation_has_the_table_of_reasons_and_no_reason_lacks_one() -> None:
    text = (Path(__file__).parents[2] / "docs/reference/log-format.md").read_text("utf-8")
    assert f"\n\n{reason_table()}\n\n" in text
    assert set(REASONS) == set(get_args(Reason))
