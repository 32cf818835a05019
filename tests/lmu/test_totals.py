"""Siegpunkte and numbers of hidden cards are right after every message: by the rules, and as the messages add up."""

import json

import pytest

from catan_p2p.game.cards import count, covers, total
from catan_p2p.game.scoring import army_size, player_points
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.codec import TilePlace, UnknownCards
from catan_p2p.lmu.model import ClientModel
from catan_p2p.lmu.seats import TableMember
from catan_p2p.lmu.table import LmuTable
from catan_p2p.view.bounds import exactly
from tests.lmu.memory_game import Clock, table_of


def number(cards: int | UnknownCards) -> int:
    return cards.number if isinstance(cards, UnknownCards) else total(cards)


class Viewer:
    """A client that adds up what it is told, and compares every Statusupdate with that."""

    def __init__(self, table: LmuTable, member: TableMember) -> None:
        self.table = table
        self.member = member
        self.model = ClientModel(me=member.id)
        self.compared = 0

    def hear(self, message: m.ServerMessage) -> None:
        if isinstance(message, m.StatusUpdate) and self.model.is_settled:
            told, known = message.player, self.model.players[message.player.id]
            assert told.resources is not None and told.dev_cards is not None
            assert number(told.resources) == known.resources.least == known.resources.most
            assert number(told.dev_cards) == known.cards.least == known.cards.most
            assert told.points == self.points(told.id) + self.revealed(told.id)
            assert told.knights == known.knights
            assert told.has_longest_road == (self.model.longest_road == told.id)
            assert told.has_largest_army == (self.model.largest_army == told.id)
            if told.id == self.member.id:
                own = (told.resources, told.dev_cards)
                assert tuple(map(exactly, own)) == (known.resources, known.cards)  # type: ignore[arg-type]
            self.compared += 1
        self.model.hear(message)

    def points(self, id: int) -> int:
        """The points that can be seen: buildings, bonus cards, and the own cards."""
        known = self.model.players[id]
        seen = known.villages.bit_count() + 2 * known.cities.bit_count()
        seen += 2 * (self.model.longest_road == id) + 2 * (self.model.largest_army == id)
        return seen + count(known.cards.low, "VictoryPoint")

    def revealed(self, id: int) -> int:
        """Hidden points of others that count for everybody: the winner's, once the game is over."""
        if not self.table.is_over or id == self.member.id:
            return 0
        state = self.table.play.state  # type: ignore[union-attr]
        winner = self.table.members[state.ap - 1]
        return count(state.h[winner.player - 1].uc, "VictoryPoint") if winner.id == id else 0

    def agrees_with_the_game(self) -> None:
        """What was added up is what is true."""
        state = self.table.play.state  # type: ignore[union-attr]
        for other in self.table.members:
            known, hand = self.model.players[other.id], state.h[other.player - 1]
            hidden = count(hand.uc, "VictoryPoint")
            assert known.resources.least == known.resources.most == total(hand.rc)
            assert covers(hand.rc, known.resources.low) and covers(known.resources.high, hand.rc)
            assert known.cards.least == known.cards.most == total(hand.bc) + total(hand.ac) + hidden
            assert known.knights == army_size(state, other.player)
            own = other is self.member
            assert self.points(other.id) == player_points(state, other.player) - (0 if own else hidden)


def played_by_computers(table: LmuTable, members: list[TableMember], clock: Clock, max_steps: int) -> int:
    """Let everybody be played for, and every member hear; how many Statusupdates were compared."""
    viewers = [Viewer(table, member) for member in members]
    for member in members:
        for viewer in viewers:
            viewer.hear(m.StatusUpdate(table._state_of(member, viewer.member.player)))
            viewer.hear(m.GameStartedMessage(m.IslandChart((), (), (), TilePlace(0, 0))))
        member.is_computer = True
    for viewer in viewers:
        viewer.model.board = table.play.game.state.constants.board  # type: ignore[union-attr]
    for _ in range(max_steps):
        if table.is_over:
            break
        if not table.step():
            clock.now += 1.0
        for to, message in table.take_outbox():
            again = m.read_message(json.loads(m.write_message(message)), "server")
            viewers[members.index(to)].hear(again)  # type: ignore[arg-type]
        for viewer in viewers:
            viewer.agrees_with_the_game()
    return sum(viewer.compared for viewer in viewers)


@pytest.mark.parametrize(("players", "policy"), [(3, "builder"), (4, "builder"), (6, "builder"), (4, "random")])
def test_what_the_messages_add_up_to_is_what_is_told_and_true(players: int, policy: str) -> None:
    table, members, _, clock = table_of(players, seed=players, fill=policy)
    assert played_by_computers(table, members, clock, 600) > 500


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100))
def test_a_hundred_games_add_up(seed: int) -> None:
    table, members, _, clock = table_of(3 + seed % 4, seed=seed, fill="random" if seed % 10 == 0 else "builder")
    played_by_computers(table, members, clock, 5000)
    assert table.is_over or seed % 10 == 0
