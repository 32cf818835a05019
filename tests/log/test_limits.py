"""The limits hold for everything that a writer can make, and the documentation tells the same numbers.

The largest commits are made on purpose: six players with the longest names, signatures, every kind of action, as many
parents as there can be, and proofs of two commits that are as large as a commit of a proof may be.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p import limits
from catan_p2p.game.actions import ACTIONS, Vote
from catan_p2p.game.constants import STANDARD, Constants
from catan_p2p.log.authorship import author_of
from catan_p2p.log.commit import Commit, Entry, decode_commit, entry_message
from catan_p2p.log.game import FormatError, Game, Seat, game_files, parse_game
from catan_p2p.log.keys import new_private_key, spell_public_key
from catan_p2p.log.proof import charge_of
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.signing import is_signed_by, signer
from catan_p2p.log.storage.objects import ObjectId

KEYS = [new_private_key(colour.encode().ljust(32, b"-")) for colour in COLOURS]
ID = ObjectId("f" * 40)
KIND_NAMES = {kind.name: kind for kind in ACTIONS}


def game_of(players: int, name: str, *, signed: bool) -> Game:
    """A game whose players all have the same name."""
    keys = [spell_public_key(key) if signed else None for key in KEYS]
    seats = tuple(Seat(colour, name, key) for colour, key in zip(COLOURS, keys, strict=True))[:players]
    return Game(Constants(STANDARD, player_count=players), 0, seats)


def written(game: Game, entry: Entry, parents: int) -> bytes:
    """The bytes of a commit with this message, with the latest date that a commit can have."""
    author = author_of(game, entry.action.player, 10**12 - 1)
    commit = Commit(ID, (ID,) * parents, author, author, entry_message(entry))
    seat = entry.action.player - 1
    key = game.seats[seat].key
    if key is not None:
        commit = signer(KEYS[seat])(commit)
        assert is_signed_by(commit, key)
    return commit.encode()


@settings(max_examples=150, deadline=None)
@given(
    kind=st.sampled_from(sorted(KIND_NAMES)),
    players=st.integers(2, limits.MAX_SEATS),
    name=st.sampled_from(["N" * limits.MAX_NAME_BYTES, "Ü" * (limits.MAX_NAME_BYTES // 2), "Red_0"]),
    signed=st.booleans(),
    parents=st.sampled_from([1, limits.MAX_SEATS, limits.MAX_PARENTS]),
    seed=st.integers(0, 2**32),
)
def test_every_kind_of_commit_is_within_the_limits_of_readers_and_of_proofs(
    kind: str, players: int, name: str, signed: bool, parents: int, seed: int
) -> None:
    game, rng = game_of(players, name, signed=signed), Random(seed)
    action = KIND_NAMES[kind].sample(game.constants, rng.randint(1, players), rng)
    # More than any one message has: whatever belongs to chance is in it, too.
    entry = Entry(action, "f" * 64, 10**9 - 1, (6, 6), ID)
    data = written(game, entry, parents)
    assert len(data) <= limits.MAX_PROOF_BYTES
    assert len(decode_commit(data).parents) == parents


@pytest.mark.parametrize("signed", [False, True])
def test_a_vote_with_the_largest_proof_is_within_the_limit_of_readers(signed: bool) -> None:
    game = game_of(limits.MAX_SEATS, "N" * limits.MAX_NAME_BYTES, signed=signed)
    largest = b"x" * limits.MAX_PROOF_BYTES
    charge = charge_of(ID, ID, 10**9 - 1, largest, b"y" * limits.MAX_PROOF_BYTES)
    entry = Entry(Vote(limits.MAX_SEATS, 1, "yes"), charge=charge)
    assert len(written(game, entry, 1)) <= limits.MAX_COMMIT_BYTES


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


def test_no_limit_is_defined_a_second_time() -> None:
    names = [name for name in vars(limits) if name.startswith("MAX_LETTERS") or "MESSAGE" in name or "A_MINUTE" in name]
    package = Path(limits.__file__).parent
    text = "".join(path.read_text("utf-8") for path in package.rglob("*.py") if path.name != "limits.py")
    assert len(names) == 4
    assert not [name for name in names if f"\n{name} = " in text]


def test_the_documentation_tells_the_limits() -> None:
    text = (Path(__file__).parents[2] / "docs/log-format.md").read_text("utf-8")
    table = text.partition("## Limits")[2].partition("\n## ")[0]
    told = [
        int(row.split("|")[2].replace(",", "")) for row in table.splitlines() if row.startswith(("| b", "| p", "| n"))
    ]
    told += [
        int(row.split("|")[2].replace(",", "")) for row in table.splitlines() if row.startswith(("| v", "| o", "| r"))
    ]
    known = {value for name, value in vars(limits).items() if name.startswith("MAX_")}
    assert {*told} <= known | {1}
    assert {
        limits.MAX_COMMIT_BYTES,
        limits.MAX_PROOF_BYTES,
        limits.MAX_FILE_BYTES,
        limits.MAX_NEW_COMMITS,
        limits.MAX_PARENTS,
        limits.MAX_MERGED_VOTES,
        limits.MAX_MERGED_VOTES_OF_PLAYER,
        limits.MAX_OPEN_VOTES,
        limits.MAX_CHARGES,
        limits.MAX_OWN_CHARGES,
        limits.MAX_STRAY_BRANCHES,
        limits.MAX_REMEMBERED,
        limits.MAX_NAME_BYTES,
    } <= {*told}
