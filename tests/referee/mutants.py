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
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from catan_p2p.game.actions import ComeBack
from catan_p2p.game.cards import ONE, RESOURCES, count
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited
from catan_p2p.log import sealed_cards
from catan_p2p.log.sealed_cards import SealedCards
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.views.messages import HandOpening
from catan_p2p.replication.core.view_duty import ViewDuty
from tests.hidden.test_returns import left, other_cards, shuffled, with_a_liar
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


# Referees that lack a rule


class Edit(NamedTuple):
    """A function of the referee with other words in it."""

    owner: Any
    name: str
    changes: tuple[tuple[str, str], ...]

    def make(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let the referee go by the other words."""
        known = getattr(self.owner, self.name)
        source, names = dedent(inspect.getsource(known)), dict(vars(sys.modules[known.__module__]))
        for old, new in self.changes:
            assert source.count(old) == 1, (self.name, old)
            source = source.replace(old, new)
        exec(source, names)
        monkeypatch.setattr(self.owner, self.name, names[self.name])


def edit(owner: Any, name: str, *changes: tuple[str, str]) -> Edit:
    """A function of the referee with other words in place of some."""
    return Edit(owner, name, changes)


# Lies where players with hidden hands come back


class Lie(NamedTuple):
    """What a liar writes."""

    write: Callable[[], tuple[LogTable, ObjectId]]
    said: str
    """How the referee's words begin."""
    lost: Edit
    """The referee that accepts it."""


Openings = tuple[HandOpening, ...]


def opening(change: Callable[[Openings, LogTable, Player], Openings]) -> tuple[LogTable, ObjectId]:
    """A request with other openings."""
    table, absent = left(3)
    shuffled(table)
    step = table.request(absent)
    action = step.action._replace(openings=change(step.action.openings, table, absent))  # type: ignore[attr-defined]
    return table, table.forge(step, step.entry._replace(action=action))


def fewer(told: Openings, table: LogTable, absent: Player) -> Openings:
    """All but one of the cards."""
    return (
        told[0]._replace(shown=told[0].shown - next(ONE[kind] for kind in RESOURCES if count(told[0].shown, kind))),
    )


def of_the_root(told: Openings, table: LogTable, absent: Player) -> Openings:
    """A proof for another commit."""
    return (table.own[absent].opening(table.sealed_cards, table.root),)


def too_early() -> tuple[LogTable, ObjectId]:
    """The request of a player who is left out by no record yet."""
    table = hidden_log("brief", 3, 0, returns=2)
    table.play_until(lambda state: state.tp == "TradingBuilding")
    absent = awaited(table.state)[0]
    table.decide(absent)
    return table, table.request(absent).commit


def once_too_often() -> tuple[LogTable, ObjectId]:
    """The request of a player whose returns are used up."""
    table, absent = left(3, returns=1)
    table.come_back(absent)
    shuffled(table)
    table.play_until(lambda state: state.tp == "TradingBuilding" and awaited(state) == (absent,))
    table.excuse(absent)
    shuffled(table)
    table.play_until(lambda state: state.tp == "TradingBuilding")
    return table, table.request(absent).commit


def with_a_proven_liar() -> tuple[LogTable, ObjectId]:
    """The request of a party that opens the cards of a seat that was excused for a lie, too."""
    table, _ = with_a_liar((1, 3))
    with patch.object(ValidCommits, "may_return", lambda self, party, ledger: [1, 3]):
        return table, table.request(1).commit


def record(**changes: Callable[[ComeBack, LogTable], Any]) -> tuple[LogTable, ObjectId]:
    """The record of a return with something else in it."""
    table, absent = left(3)
    shuffled(table)
    due = table.decide_return(absent)
    return table, table.write(replace(due, **{name: change(due, table) for name, change in changes.items()})).commit


def undecided() -> tuple[LogTable, ObjectId]:
    """A record of a return that nobody has decided."""
    table, absent = left(3)
    shuffled(table)
    duty = ViewDuty(table.graph.valid, absent)
    table.play_until(lambda state: duty.may_come_back and state.tp == "TradingBuilding")
    cards = table.own[absent].cards(table.sealed_cards)
    return table, table.write(ComeBack(awaited(table.state)[0], absent, cards)).commit


def shuffle(covers: Callable[[SealedCards, Player, Any], bool], is_back: bool) -> tuple[LogTable, ObjectId]:
    """A shuffle of a deck that another covers than must; of who is back, or of somebody else."""
    table, absent = left(3)
    shuffled(table)
    table.come_back(absent)
    while (awaited(table.state)[0] == absent) is not is_back:
        table.act(awaited(table.state)[0])
    with patch.object(SealedCards, "covers", covers):
        return table, table.write(table.next_action()).commit


def pieces(are_told: bool) -> tuple[LogTable, ObjectId]:
    """A shuffle with a piece of a key told that must not be, or without one that must be."""
    table, first = left(4)
    if are_told:
        shuffled(table)
        table.come_back(first)
        shuffled(table)
        table.play_until(lambda state: len(awaited(state)) == 1 and awaited(state) != (first,))
        table.excuse(awaited(table.state)[0])
    with patch.object(sealed_cards, "are_pieces_told", lambda state: are_told):
        return table, table.write(table.next_action()).commit


OPENED = partial(edit, _Judgement, "_opened")
RECORDED = partial(edit, _Judgement, "_check_record")
SHUFFLED = partial(edit, vault, "_shuffled")
ANY_NUMBER = ("if len(sealed) != len(", "if sealed is len("), ("strict=True", "strict=False")
WITHOUT = '{"CB1", "CB4"}'

LIES: dict[str, Lie] = {
    "other cards are opened": Lie(
        partial(opening, lambda told, *_: (told[0]._replace(shown=other_cards(told[0].shown)),)),
        "seal: a linear proof",
        OPENED(("in opened.items():\n        try", "in ():\n        try")),
    ),
    "a card stays sealed": Lie(
        partial(opening, fewer),
        "guard: ",
        OPENED((WITHOUT, '{"CB1", "CB4", "CB6"}'), ("in opened.items():\n        try", "in ():\n        try")),
    ),
    "an opening is left out": Lie(
        partial(opening, lambda told, *_: ()),
        "seal: not one opening",
        OPENED(*ANY_NUMBER, (WITHOUT, '{"CB1", "CB4", "CB6"}')),
    ),
    "an opening is there twice": Lie(
        partial(opening, lambda told, *_: told * 2), "seal: not one opening", OPENED(*ANY_NUMBER)
    ),
    "an opening is of another commit": Lie(
        partial(opening, of_the_root), "seal: a linear proof", OPENED(("p, head.id)", "p, self.root)"))
    ),
    "an opening goes on": Lie(
        partial(opening, lambda told, *_: (told[0]._replace(seal=told[0].seal + b"\1"),)),
        "seal: cards that stay sealed, or bytes too many",
        edit(vault, "check_opening", (" or message.rest", "")),
    ),
    "a request comes before the record": Lie(
        too_early, "guard: the line", OPENED(("if log.pending(head, view) or not seats:", "if False:"))
    ),
    "a player comes back once too often": Lie(once_too_often, "guard: ", OPENED((WITHOUT, '{"CB1", "CB4", "CB3"}'))),
    "a liar about cards comes back": Lie(
        with_a_proven_liar,
        "seal: not one opening",
        edit(ViewsLog, "proven", ('node.vault.get("proven", frozenset())', "frozenset()")),
    ),
    "another records a return": Lie(
        partial(record, player=lambda due, table: next(p for p in table.state.present if p != due.player)),
        "votes: another player",
        RECORDED(("if self.player != log.next_seat(s, seats):", "if False:")),
    ),
    "a record has other cards": Lie(
        partial(record, shown=lambda due, table: other_cards(due.shown)),
        "votes: other cards",
        RECORDED(('if a["name"] == "come_back":', "if False:")),
    ),
    "nobody has decided a return": Lie(
        undecided,
        "votes: not the record",
        RECORDED(("if not pending or", "if pending and"), ('if a["name"] == "come_back":', "if False:")),
    ),
    "a deck lacks the key of who is back": Lie(
        partial(shuffle, lambda *_: False, is_back=True),
        "seal: ",
        SHUFFLED(('if stage == "back" and p in gone:', "if False:")),
    ),
    "a deck has a key twice": Lie(
        partial(shuffle, lambda *_: True, is_back=False),
        "seal: ",
        SHUFFLED(
            ("and p in gone:", "and True:"),
            ("joint = joint_key(", 'joint = plus(v["key"][p], joint_key('),
            (', "gone": gone})', ', "gone": gone}))'),
        ),
    ),
    "a piece is told that must not be": Lie(
        partial(pieces, True), "seal: ", SHUFFLED(("if m.tells_pieces else ()", "if True else ()"))
    ),
    "a piece is not told that must be": Lie(
        partial(pieces, False), "seal: ", SHUFFLED(("if m.tells_pieces else ()", "if False else ()"))
    ),
}
