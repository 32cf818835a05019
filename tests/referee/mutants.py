"""Commits with one or two things changed, what liars write where players come back, and referees that lack a rule."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from textwrap import dedent
from typing import Any
from unittest.mock import patch

import pytest

from catan_p2p.game.actions import ComeBack
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited
from catan_p2p.log import sealed_cards
from catan_p2p.log.graph import DueMessage
from catan_p2p.log.sealed_cards import SealedCards
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.views.view import Change
from catan_p2p.replication.core.view_duty import ViewDuty
from tests.hidden.test_leaving import with_the_liars_vote
from tests.hidden.test_returns import left, other_cards, shuffled, with_a_liar, wrong_openings
from tests.log.table import LogTable, hidden_log
from tests.referee import vault
from tests.referee.views import ViewsLog, _Judgement

Known = Sequence[tuple[ObjectId, bytes]]


def mutant(data: bytes, known: Known, taken: Known, rng: Random) -> bytes:
    """Another commit: bytes, lines or numbers are changed, or lines of others are in it; parents are of ``taken``."""
    begin = data if rng.random() < 0.8 else rng.choice(known)[1]
    text = begin.decode("latin-1")
    while (bad := text.encode("latin-1")) == data or bad == begin:
        text = _changed(text, known, taken, rng)
        if rng.random() < 0.25:
            text = _changed(text, known, taken, rng)
    return bad


def _changed(text: str, known: Known, taken: Known, rng: Random) -> str:
    lines, way = text.split("\n"), rng.choice(["byte", "line", "line", "number", "number", "twice", "gone", "parent"])
    at = rng.randrange(len(lines))
    if way == "byte":
        i = rng.randrange(len(text))
        return text[:i] + rng.choice("0123456789abc: ,\n-") + text[i + rng.randrange(2) :]
    if way == "line":
        others = rng.choice(known)[1].decode("latin-1").split("\n")
        lines[at] = rng.choice(
            [line for line in others if line.split(" ")[0] == lines[at].split(" ")[0]] or [lines[at]]
        )
    elif way == "number":
        numbers = [i for i, line in enumerate(lines) if re.search(r": .*\d", line)]
        i = rng.choice(numbers or [at])
        lines[i] = re.sub(
            r"\d+(?!.*\d)", lambda found: str(max(0, int(found[0]) + rng.choice((-2, -1, 1, 2)))), lines[i]
        )
    elif way == "twice":
        lines.insert(at, rng.choice(lines))
    elif way == "gone":
        del lines[at]
    else:
        parents = [i for i, line in enumerate(lines) if line.startswith("parent ")]
        if parents:
            lines[rng.choice(parents)] = f"parent {rng.choice(taken)[0]}"
    return "\n".join(lines)


# Referees that lack a rule, and what liars write where players with hidden hands come back

Edit = Callable[[pytest.MonkeyPatch], None]
Lie = tuple[Callable[[], tuple[LogTable, ObjectId]], str, Edit]
"""Who writes it, how the referee's words begin, and the referee that accepts it."""


def edit(owner: Any, name: str, *changes: tuple[str, str]) -> Edit:
    """A function of the referee with other words in place of some."""

    def make(monkeypatch: pytest.MonkeyPatch) -> None:
        known = getattr(owner, name)
        source, names = dedent(inspect.getsource(known)), dict(vars(sys.modules[known.__module__]))
        for old, new in changes:
            assert source.count(old) == 1, (name, old)
            source = source.replace(old, new)
        exec(source, names)
        monkeypatch.setattr(owner, name, names[name])

    return make


def begun(players: int, returns: int = 2, is_back: bool = False) -> tuple[LogTable, Player]:
    """A game that somebody has left, and has come back to if they are back; and who that is."""
    table, absent = left(players, returns=returns)
    shuffled(table)
    if is_back:
        table.come_back(absent)
    return table, absent


def opening(what: str) -> tuple[LogTable, ObjectId]:
    """A request with other openings."""
    table, absent = begun(3)
    step = table.request(absent)
    told, _ = wrong_openings(table, absent, step.action.openings[0])[what]  # type: ignore[attr-defined]
    action = step.action._replace(openings=told)  # type: ignore[attr-defined]
    return table, table.forge(step, step.entry._replace(action=action))


def too_early() -> tuple[LogTable, ObjectId]:
    """The request of a player who is left out by no record yet."""
    table = hidden_log("brief", 3, 0, returns=2)
    table.play_until(lambda state: state.tp == "TradingBuilding")
    absent = awaited(table.state)[0]
    table.decide(absent)
    return table, table.request(absent).commit


def once_too_often() -> tuple[LogTable, ObjectId]:
    """The request of a player whose returns are used up."""
    table, absent = begun(3, 1, is_back=True)
    table.play_until(lambda state: state.tp == "TradingBuilding" and awaited(state) == (absent,))
    table.excuse(absent)
    table.play_until(lambda state: state.tp == "TradingBuilding")
    return table, table.request(absent).commit


def with_a_proven_liar() -> tuple[LogTable, ObjectId]:
    """The request of a party that opens the cards of a seat that was excused for a lie, too."""
    table, _ = with_a_liar((1, 3))
    with patch.object(ValidCommits, "may_return", lambda self, party, ledger: [1, 3]):
        return table, table.request(1).commit


def one_of_two() -> tuple[LogTable, ObjectId]:
    """The proposal to leave out one of two with the vote of a liar who has no seat left."""
    table = with_the_liars_vote()
    valid = table.graph.valid
    change = Change.of(valid.view)
    votes = tuple(valid.changes.cast(change, 1).values())
    with (
        patch.object(ValidCommits, "gone", lambda self, head, view: ()),
        patch.object(ValidCommits, "can_record", lambda *_: True),
    ):
        return table, table.graph.sign(
            change.coordinator(1), DueMessage("propose", 1, votes=votes), 10_000, table.objects.add
        ).commit


def record(change: Callable[[ComeBack, LogTable], ComeBack]) -> tuple[LogTable, ObjectId]:
    """The record of a return with something else in it."""
    table, absent = begun(3)
    return table, table.write(change(table.decide_return(absent), table)).commit


def undecided() -> tuple[LogTable, ObjectId]:
    """A record of a return that nobody has decided."""
    table, absent = begun(3)
    duty = ViewDuty(table.graph.valid, absent)
    table.play_until(lambda state: duty.may_come_back and state.tp == "TradingBuilding")
    cards = table.own[absent].cards(table.sealed_cards)
    return table, table.write(ComeBack(awaited(table.state)[0], absent, cards)).commit


def shuffle(covers: bool) -> tuple[LogTable, ObjectId]:
    """A shuffle by who is back, who does not cover the deck, or by another, who does."""
    table, absent = begun(3, is_back=True)
    while (awaited(table.state)[0] == absent) is covers:
        table.act(awaited(table.state)[0])
    with patch.object(SealedCards, "covers", lambda *_: covers):
        return table, table.write(table.next_action()).commit


def pieces(are_told: bool) -> tuple[LogTable, ObjectId]:
    """A shuffle with a piece of a key told that must not be, or without one that must be."""
    table, first = begun(4, is_back=True) if are_told else left(4)
    if are_told:
        shuffled(table)
        table.play_until(lambda state: len(awaited(state)) == 1 and awaited(state) != (first,))
        table.excuse(awaited(table.state)[0])
    with patch.object(sealed_cards, "are_pieces_told", lambda state: are_told):
        return table, table.write(table.next_action()).commit


OPENED, RECORDED = partial(edit, _Judgement, "_opened"), partial(edit, _Judgement, "_check_record")
SHUFFLED = partial(edit, vault, "_shuffled")
ANY_NUMBER = ("if len(sealed) != len(", "if sealed is len("), ("strict=True", "strict=False")
ANY_GUARD = ('- {"CB1", "CB4"}', '- {"CB1", "CB4", "CB3", "CB6"}')
ANY_PROOF = ("in opened.items():\n        try", "in ():\n        try")
ANY_RECORD = ('if a["name"] == "come_back":', "if False:")
JOINT = 'joint_key({**v, "layers": layers, "gone": gone})'
TELLS = "if m.tells_pieces else ()"

LIES: dict[str, Lie] = {
    "other cards are opened": (partial(opening, "other cards"), "seal: a linear proof", OPENED(ANY_PROOF)),
    "a card stays sealed": (partial(opening, "fewer cards"), "guard: player", OPENED(ANY_GUARD, ANY_PROOF)),
    "an opening is left out": (partial(opening, "nothing"), "seal: not one opening", OPENED(*ANY_NUMBER, ANY_GUARD)),
    "an opening is there twice": (partial(opening, "twice"), "seal: not one", OPENED(*ANY_NUMBER)),
    "an opening is of another commit": (
        partial(opening, "a proof for another commit"),
        "seal: a linear proof",
        OPENED(("p, head.id)", "p, self.root)")),
    ),
    "an opening goes on": (
        partial(opening, "a proof that goes on"),
        "seal: cards that stay sealed, or bytes too many",
        edit(vault, "check_opening", (" or message.rest", "")),
    ),
    "a request comes before the record": (
        too_early,
        "guard: the line",
        OPENED(("if log.pending(head, view) or not seats:", "if False:")),
    ),
    "a player comes back once too often": (once_too_often, "guard: player", OPENED(ANY_GUARD)),
    "a liar about cards comes back": (
        with_a_proven_liar,
        "seal: not one opening",
        edit(ViewsLog, "proven", ('node.vault.get("proven", frozenset())', "frozenset()")),
    ),
    "one of two is left out with the vote of a liar": (
        one_of_two,
        "votes: its votes give nothing",
        edit(ViewsLog, "seatless", ("return {", "return set() and {")),
    ),
    "another records a return": (
        partial(record, lambda one, table: replace(one, player=sum(table.state.present) - one.player)),
        "votes: another player",
        RECORDED(("if self.player != log.next_seat(s, seats):", "if False:")),
    ),
    "a record has other cards": (
        partial(record, lambda one, table: replace(one, shown=other_cards(one.shown))),
        "votes: other cards",
        RECORDED(ANY_RECORD),
    ),
    "nobody has decided a return": (
        undecided,
        "votes: not the record",
        RECORDED(("if not pending or", "if pending and"), ANY_RECORD),
    ),
    "a deck lacks the key of who is back": (
        partial(shuffle, False),
        "seal: ",
        SHUFFLED(('if stage == "back" and p in gone:', "if False:")),
    ),
    "a deck has a key twice": (
        partial(shuffle, True),
        "seal: ",
        SHUFFLED(("and p in gone:", "and True:"), (JOINT, 'plus(joint_key(v), v["key"][p])')),
    ),
    "a piece is told that must not be": (partial(pieces, True), "seal: ", SHUFFLED((TELLS, "if True else ()"))),
    "a piece is not told that must be": (partial(pieces, False), "seal: ", SHUFFLED((TELLS, "if False else ()"))),
}
