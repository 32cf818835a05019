"""A game without Git, for tables in tests; chance can be told what to do."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from catan_p2p import actions as a
from catan_p2p.game import invariants
from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import apply, draw
from catan_p2p.game.state import State, initial_state
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.game import ActionTaken, two_dice
from catan_p2p.lmu.seats import TableMember, TableSettings
from catan_p2p.lmu.table import LmuTable
from catan_p2p.lmu.words import COLOUR_WORDS


class MemoryGame:
    """A game in memory. ``script`` may replace a drawn action by another one; ``log`` keeps what was done."""

    def __init__(self, constants: Constants, seed: int | str) -> None:
        self.state: State = initial_state(constants)
        self.rng = Random(f"{seed}/game")
        self.log: list[ActionTaken] = []
        self.script: Callable[[Action, Action], Action] = lambda decision, drawn: drawn
        self.finished = 0

    def carry_out(self, action: Action) -> ActionTaken:
        before = self.state
        drawn = self.script(action, draw(before, action, self.rng))
        after = apply(before, drawn)
        invariants.check(after, before)
        self.state = after
        self.log.append(ActionTaken(before, drawn, after, two_dice(drawn, Random(str(drawn)))))
        return self.log[-1]

    def publish(self) -> None:
        pass

    def finish(self) -> None:
        self.finished += 1


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def table_of(players: int, seed: int = 0, **settings: Any) -> tuple[LmuTable, list[TableMember], MemoryGame, Clock]:
    """A table at which everybody sits and the game has begun; members in the order of seats."""
    table, games, clock = lobby_of(players, seed, **settings)
    for i, colour in enumerate([*COLOUR_WORDS][:players]):
        member = table.join("test")
        table.receive(member, m.ChooseName(f"Player {i}", colour))
        table.receive(member, m.ReadyToStart())
    table.take_outbox()
    return table, table.members, games[0], clock


def lobby_of(players: int, seed: int = 0, **settings: Any) -> tuple[LmuTable, list[MemoryGame], Clock]:
    """A table at which nobody sits, and the game once it has begun."""
    clock = Clock()
    games: list[MemoryGame] = []

    def new_game(number: int, constants: Constants, colours: tuple[str, ...]) -> MemoryGame:
        games.append(MemoryGame(constants, seed))
        return games[-1]

    return (
        LmuTable(0, TableSettings(players, seed=seed, out=Path("nowhere"), **settings), new_game, clock),
        games,
        clock,
    )


def told_to(table: LmuTable, member: TableMember) -> list[str]:
    """What the table has for a member, as it is written; what it has for others is dropped."""
    return [m.write_message(message) for to, message in table.take_outbox() if to is member]


def with_dice(action: Any, dice: int) -> Any:
    """A roll with this sum, any other action as it is."""
    return replace(action, dice=dice) if isinstance(action, a.RollDice | a.RollForStart) else action
