"""Games told line by line, for tests of the referee: what it objects to, and in which words."""

from __future__ import annotations

from typing import Any

from catan_p2p.game.board import DEFAULT_BOARD
from catan_p2p.game.constants import PROFILES, Constants
from catan_p2p.notation import Event, catanlog, table_for
from catan_p2p.view.advance import advance
from catan_p2p.view.bounds import exactly
from catan_p2p.view.knowledge import first_knowledge
from tests.notation import samples

SETUP = """\
red buys settlement, builds at (10 NW)
red buys road, builds at (10 NW)
red ends turn after 1s
blue buys settlement, builds at (1 SE)
blue buys road, builds at (1 E)
blue ends turn after 1s
blue buys settlement, builds at (4 SE)
blue buys road, builds at (5 NE)
blue ends turn after 1s
red buys settlement, builds at (6 NE)
red buys road, builds at (6 E)
red ends turn after 1s
"""
"""Red stands on forest 9, pasture 4, hills 10 and fields 4, fields 6, pasture 11, holding 1 Wool and 2 Grain; Blue on
mountains 10, pasture 2, hills 6 and forest 8, mountains 3, hills 5, holding 1 Lumber, 1 Brick and 1 Ore."""


class Story:
    """A game of two, red and blue, as far as it has been told."""

    def __init__(self, rules: str = "thesis", told: str = SETUP, *, says_discards: bool = False) -> None:
        start = samples.start(2)
        self.table = table_for(start, "catan")._replace(says_discards=says_discards)
        self.position = first_knowledge(Constants(board=DEFAULT_BOARD, player_count=2), PROFILES[rules])
        self._reader = catanlog.CatanlogBodyReader(start)
        for line in told.splitlines():
            self.tell(line)

    def tell(self, *lines: str | Event) -> Story:
        """What keeps the rules."""
        for line in lines:
            problems = self.judge(line)
            assert not problems, f"{line}: {problems}"
        return self

    def judge(self, line: str | Event) -> list[str]:
        """What is wrong with a line; the story goes on with it."""
        problems: list[str] = []
        for event in self._reader.take(line, 1) if isinstance(line, str) else [line]:
            verdict = advance(self.table, self.position, event)
            self.position = verdict.known
            problems += [problem.text for problem in verdict.breaches]
        return problems

    def set(self, **changes: Any) -> Story:
        """Change the public state by hand."""
        self.position = self.position._replace(state=self.position.state._replace(**changes))
        return self

    def hold(self, player: int, cards: int) -> Story:
        """Let a player hold exactly these cards, the bank all others."""
        position = self.position.with_hand(player, exactly(cards))
        rest = position.rules.resource_pool - sum(hand.low for hand in position.hands)
        self.position = position._replace(bank=exactly(rest))
        return self
