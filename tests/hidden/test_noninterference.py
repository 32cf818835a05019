"""Two games that differ only in cards which a third player may not see look the same to that player.

Red and Blue put hands and deck in another order in the second game, so other cards are stolen. Nobody decides by them.
All else is the same, so whatever Green's repository and the verbs say may differ in nothing but numbers that are drawn:
commitments, ciphertexts, proofs, and the ids that follow from them. A relay and spectators have no more. What Green's
key opens is not looked at.
"""

import re
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.actions import Action, Call, EmptyBuild, EmptyTrade
from catan_p2p.game.actions.parts import COST_DEV_CARD
from catan_p2p.game.cards import covers
from catan_p2p.game.randomness import SeededRandomness, logical_clock
from catan_p2p.game.rules import decisions
from catan_p2p.log.commit import decode_commit
from catan_p2p.players.policies import POLICIES
from catan_p2p.replication.peer import COURSE
from catan_p2p.replication.replica import Replica
from catan_p2p.sealing.transcript import Transcript
from catan_p2p.sessions.seat_driver import opener_for
from catan_p2p.tables.opening import opened_seat
from catan_p2p.tables.seat import read_settings
from tests.chance.apart import look
from tests.hidden.test_told_twice import bought_by_trade
from tests.replication.tables import all_objects, git, make_seats

RULES = "thesis; Leaving = yes; Chance = joint"
TURNS = 10


def decided(replica: Replica) -> Action | None:
    """What a player does who goes by what everybody sees: buys a card that known cards pay for, and builds nothing."""
    state, me = replica.graph.state, replica.player
    own = replica._own
    assert own is not None
    if state.tp in COURSE or own.course(replica.graph.line) is not None:
        return None
    if state.tp == "Trading":
        return bought_by_trade(state, me) or EmptyTrade(me)
    if state.tp == "Building" and covers(state.h[me - 1].rc, COST_DEV_CARD):
        return Call(me, "BuyDevCard")
    plain = decisions(state, me)
    return next((one for one in plain if isinstance(one, EmptyBuild)), plain[0])


def has_decision(replica: Replica) -> bool:
    """Whether what is awaited can be decided by what everybody sees: a discard of sealed cards cannot."""
    state = replica.graph.state
    return state.tp in COURSE or not replica.is_awaited or bool(decisions(state, replica.player))


def play(folder: Path, is_other: bool) -> tuple[Path, list[object]]:
    """A game of so many turns; in the other one Red and Blue draw the opposite orders. Thefts take the first card."""
    order, drawn = Transcript.order, Transcript.drawn

    def ordered(self: Transcript, key: bytes, count: int) -> tuple[int, ...]:
        seat = self._text.split("\n")[3]
        found = order(self, key, count)
        return found[::-1] if is_other and seat in "12" else found

    def fixed(self: Transcript, key: bytes, word: str, number: int = 0) -> int:
        return 0 if word == "place" and "\nchoice\n" in self._text else drawn(self, key, word, number)

    paths = make_seats(folder, 3, 9, rules=RULES, signed=True, hands="hidden")
    with (
        patch.object(Transcript, "order", ordered),
        patch.object(Transcript, "drawn", fixed),
        ExitStack() as stack,
    ):
        opener = opener_for(frozenset(paths))
        seats = [(path, read_settings(path), POLICIES["builder"](), SeededRandomness, logical_clock) for path in paths]
        replicas = [stack.enter_context(opened_seat(*seat, opener=opener)) for seat in seats]
        while replicas[0].graph.turns < TURNS and all(map(has_decision, replicas)):
            for replica in replicas:
                look(replica)
                if replica.is_awaited:
                    action = decided(replica)
                    if action is None:
                        replica.act_one()
                    else:
                        replica.carry_out(action)
        for _ in range(3):
            for replica in replicas:
                look(replica)
                replica.fast_forward()
        held = [*map(hidden_cards, replicas)]
    return paths[2], held


def hidden_cards(replica: Replica) -> object:
    """The cards of a player that others do not see."""
    own, vault = replica._own, replica.graph.line.hearing_all().vault
    assert own is not None and vault is not None
    hoard = vault.of(replica.player)
    return own.cards(vault), own.development_cards(vault, (*hoard.held, *hoard.bought))


def names_of(folder: Path) -> dict[str, str]:
    """A name for each commit, by who wrote it how high over the root, and what it does: its id follows from seals."""
    commits = {oid: decode_commit(data) for oid, kind, data in all_objects(folder) if kind == "commit"}
    height: dict[str, int] = {}

    def high(oid: str) -> int:
        if oid not in height:
            height[oid] = 1 + max((high(parent) for parent in commits[oid].parents), default=0)
        return height[oid]

    found = {}
    for oid, commit in sorted(commits.items(), key=lambda item: high(item[0])):
        found[oid] = f"<{height[oid]} {commit.author.name} {commit.message.partition(chr(10))[0]}>"
    assert len(set(found.values())) == len(found)
    return found


def looked_at(folder: Path) -> Iterator[tuple[str, str]]:
    """Everything in a repository, and what verbs say of it: names for ids, sizes for numbers that are drawn."""
    names = names_of(folder)

    def plain(text: str) -> str:
        text = text.replace(str(folder.parent), "FOLDER")
        text = re.sub(r'(?m)(^Seal: |"Seal": ")([^"\n]*)', lambda found: f"Seal: {len(found[2])}", text)
        text = re.sub(r"(?ms)^gpgsig .*?END SSH SIGNATURE-----$", "signature", text)
        for oid, name in names.items():
            text = text.replace(oid, name).replace(oid[:10], name)
        return text

    for oid, kind, data in all_objects(folder):
        yield names.get(oid, oid), kind + plain(data.decode("utf-8" if kind == "commit" else "latin-1"))
    for line in git(folder, "for-each-ref").splitlines():
        yield "ref", plain(line)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "objects" not in path.parts:
            yield plain(str(path)), ""
    for verb in (["log"], ["log", "--json"], ["status"], ["status", "--json"], ["verify"]):
        with redirect_stdout(StringIO()) as printed, redirect_stderr(printed):
            main([verb[0], str(folder), *verb[1:]])
        yield " ".join(verb), plain(printed.getvalue())


@pytest.mark.long
def test_nobody_else_can_tell_hidden_cards_apart(tmp_path: Path) -> None:
    seen, held = [], []
    for is_other in (False, True):
        folder = tmp_path / str(is_other)
        folder.mkdir()
        green, cards = play(folder, is_other)
        held.append(cards)
        seen.append(sorted(looked_at(green)))
    assert all(held[0][player] != held[1][player] for player in (0, 1)), "what is hidden is the same"
    for one, other in zip(*seen, strict=True):
        assert one == other
