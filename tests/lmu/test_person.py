"""A person's seat without sockets: what they decide becomes messages, and what the server says becomes words."""

import json
from dataclasses import replace
from typing import Any

import pytest

from catan_p2p import actions as a
from catan_p2p.game.cards import NO_CARDS, ONE
from catan_p2p.game.constants import BRIEF
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client_player import REPEATS
from catan_p2p.lmu.person import PersonPlayer
from catan_p2p.sessions.messages import ActionDone, ActionRefused, ChatHeard, News
from catan_p2p.view import events as e
from tests.lmu.memory_game import MemoryGame, table_of
from tests.positions import position


class AtTable:
    """A person at a table in memory, with others who say nothing."""

    def __init__(self, **state: Any) -> None:
        self.news: list[News] = []
        self.table, self.members, game, _ = table_of(3, patience_s=1000.0)
        self.game: MemoryGame = game
        self.person = PersonPlayer("catan_p2p", "Player", "Red", "builder", 0, self.news.append)
        if state:
            rules = replace(BRIEF, offer_max=0)
            game.state = position(3, rules=rules, board=game.state.constants.board, **state)
            for member in self.members:
                member.status = None
            self.table._show_statuses()
            self.table.take_outbox()
        self.member = self.members[0]
        self.colour = self.member.colour or ""
        for member in self.members:  # in the order of play, as the server rolls for the start
            self.person.hear(m.DiceThrown(member.id, (1, 1)))
        self.table._tell_everything(self.member, self.member.token)
        self.sent: list[m.ClientMessage] = []
        self.person._sent.clear()
        self.deliver()

    def deliver(self) -> None:
        """Let the person hear everything, and send what follows from that."""
        while outbox := self.table.take_outbox():
            for to, message in outbox:
                if to is self.member:
                    value = json.loads(m.write_message(message))
                    self.send([one for one in self.person.hear(m.read_message(value, "server"))  # type: ignore[arg-type]
                               if not isinstance(one, m.ChooseName | m.ReadyToStart)])  # fmt: skip
        self.person._sent = type(self.person._sent)(
            one for one in self.person._sent if not isinstance(one.message, m.ChooseName | m.ReadyToStart)
        )
        self.person.record.settle()

    def send(self, messages: list[m.ClientMessage]) -> None:
        self.sent += messages
        for message in messages:
            self.table.receive(self.member, message)

    def decide(self, action: a.Action) -> list[m.ClientMessage]:
        """What is sent for a decision."""
        before = len(self.sent)
        self.send(self.person.decide(action))
        self.deliver()
        return self.sent[before:]

    @property
    def state(self) -> Any:
        return self.person.record.steps[-1].state


def test_a_decision_is_sent_and_is_done_once_the_server_says_so() -> None:
    there = AtTable(phase="DiceRoll")
    assert there.state.tp == "DiceRoll"
    assert there.decide(a.RollDice(1, 2)) == [m.RollRequest()]
    assert there.news == [ActionDone(there.colour)]
    assert [step.events[:1] for step in there.person.record.steps] == [(), (e.DiceRolled(1, there.state.dice),)]
    assert there.person.record.steps[-1].events[0].pair is not None


def test_the_end_of_a_turn_that_was_come_back_to_is_seen() -> None:
    there = AtTable(phase="TradingBuilding")
    assert there.decide(a.EmptyBuild(1)) == [m.EndTurn()]
    assert [step.events for step in there.person.record.steps] == [(), (e.TurnEnded(1, None),)]


def test_what_the_server_refuses_is_told_in_its_words() -> None:
    there = AtTable(phase="TradingBuilding")
    there.decide(a.BuyDevCard(1, "Knight"))
    assert there.news == [ActionRefused(there.colour, "the server says: Dafür fehlen dir Rohstoffe")]


def test_nothing_is_decided_for_another_seat_or_twice() -> None:
    there = AtTable(phase="DiceRoll")
    assert there.person.decide(a.RollDice(2, 2)) == []
    assert there.person.decide(a.RollDice(1, 2)) == [m.RollRequest()]
    assert there.person.decide(a.RollDice(1, 2)) == []
    assert [type(news) for news in there.news] == [ActionRefused, ActionRefused]


def test_an_offer_is_seen_answered_and_concluded() -> None:
    there = AtTable(phase="TradingBuilding", hands={1: "2 Wool", 2: "1 Ore"})
    there.decide(a.OfferTrade(1, ONE["Wool"], ONE["Ore"]))
    assert there.state.tp == "Offering"
    assert there.state.ans == ("none", "asked", "asked")
    there.table.receive(there.members[1], m.AnswerTradeRequest(1, accepts=True))
    there.table.receive(there.members[2], m.CancelTrade(1))
    there.deliver()
    assert there.state.ans == ("none", "accept", "reject")
    [sent] = there.decide(a.ConcludeTrade(1, 2))
    assert sent == m.ConcludeTradeRequest(1, there.members[1].id)
    assert there.state.h[0].rc == ONE["Wool"] + ONE["Ore"]
    assert there.state.tp == "TradingBuilding"


def test_another_player_s_offers_are_answered_one_after_the_other() -> None:
    there = AtTable(phase="TradingBuilding", turn=2, hands={1: "1 Ore", 2: "2 Wool"})
    for give in (1, 2):
        there.table.receive(there.members[1], m.OfferTradeRequest(give * ONE["Wool"], ONE["Ore"]))
    there.deliver()
    assert there.state.ans[0] == "asked"
    assert there.state.offer.give == ONE["Wool"]
    assert there.decide(a.AnswerTrade(1, "reject")) == [m.AnswerTradeRequest(1, accepts=False)]
    assert there.state.offer.give == 2 * ONE["Wool"]
    assert there.decide(a.AnswerTrade(1, "accept")) == [m.AnswerTradeRequest(2, accepts=True)]
    assert there.state.ans[0] == "accept"


def test_a_deal_that_is_another_one_by_now_is_not_agreed_to() -> None:
    from catan_p2p.sessions.messages import deal_in

    there = AtTable(phase="TradingBuilding", turn=2, hands={1: "1 Ore", 2: "2 Wool"})
    there.table.receive(there.members[1], m.OfferTradeRequest(2 * ONE["Wool"], ONE["Ore"]))
    there.deliver()
    seen = deal_in(there.state, a.AnswerTrade(1, "accept"))
    there.table.receive(there.members[1], m.CancelTrade(1))
    there.table.receive(there.members[1], m.OfferTradeRequest(ONE["Wool"], ONE["Ore"]))
    there.deliver()
    assert there.person.decide(a.AnswerTrade(1, "accept"), seen) == []
    assert there.news == [ActionRefused(there.colour, "the trade has changed since you chose it")]


def test_cards_are_discarded_and_the_bandit_moves() -> None:
    there = AtTable(phase="Discarding", hands={1: "8 Ore"})
    assert there.state.tp == "Discarding"
    assert there.state.lim[0] == 4
    assert there.decide(a.Discard(1, 4 * ONE["Ore"])) == [m.GiveUp(4 * ONE["Ore"])]
    assert there.state.tp == "MovingBandit"
    assert there.state.h[0].rc == 4 * ONE["Ore"]
    to = next(tile for tile in there.state.constants.board.land if tile != there.state.ba)
    there.decide(a.MoveBandit(1, to, 0, "none"))
    assert there.state.ba == to
    assert there.state.tp == "TradingBuilding"


def test_somebody_else_s_discard_is_told_in_words_and_leaves_the_bank_open() -> None:
    there = AtTable(phase="Discarding", hands={2: "8 Ore"})
    there.person.model.is_settled = True
    there.person.hear(m.DiceThrown(there.members[2].id, (2, 3)))
    there.person.hear(m.CardsReceived(there.members[2].id, 5 * ONE["Wool"]))
    there.person.record.settle()
    assert there.person.record.steps[-1].known.bank.kinds[2] == (6, 14)
    there.table.receive(there.members[1], m.GiveUp(4 * ONE["Ore"]))
    there.deliver()
    step = there.person.record.steps[-1]
    assert step.events == (e.CardsDiscarded(2, NO_CARDS, unseen=4),)
    assert step.known.bank.kinds[2] == (10, 14)


@pytest.mark.parametrize("card", ["Knight", "Monopoly", "YearOfPlenty", "RoadBuilding"])
def test_development_cards_are_played(card: str) -> None:
    there = AtTable(phase="TradingBuilding", available={1: f"1 {card}"}, hands={2: "3 Ore"})
    board = there.state.constants.board
    land = next(tile for tile in board.land if tile != there.state.ba)
    roads = range(1, board.road_count + 1)
    action: dict[str, a.Action] = {
        "Knight": a.PlayKnight(1, land, 0, "none"),
        "Monopoly": a.PlayMonopoly(1, "Ore"),
        "YearOfPlenty": a.PlayYearOfPlenty(1, "Ore", "Wool"),
        "RoadBuilding": a.PlayRoadBuilding(1, roads[0], roads[1]),
    }
    there.decide(action[card])
    if card == "RoadBuilding":  # there are no roads to go on from
        assert there.news[0] == ActionRefused(
            there.colour, "the server says: Der Ort hat keine Verbindung zu deinen Straßen"
        )
        return
    assert there.news == [ActionDone(there.colour)]
    events = {
        "Knight": (e.KnightPlayed(1), e.BanditMoved(1, land, 3, "none")),  # who lives there has no card
        "Monopoly": (e.MonopolyPlayed(1, "Ore"), e.CardsGained(1, 3 * ONE["Ore"], 3 * ONE["Ore"])),
        "YearOfPlenty": (e.YearOfPlentyPlayed(1, "Wool", "Ore"),),
    }
    assert there.person.record.steps[-1].events == events[card]
    if card == "Monopoly":
        assert there.state.h[0].rc == 3 * ONE["Ore"]
        assert there.state.h[1].rc == 0


def test_words_are_said_and_heard_and_have_nothing_to_do_with_decisions() -> None:
    there = AtTable(phase="DiceRoll")
    there.send(there.person.say("hello"))
    there.deliver()
    assert there.news == [ChatHeard(there.colour, there.colour, "hello")]
    there.table._send_all(m.ChatReceived("hello all"))
    there.deliver()
    assert there.news[-1] == ChatHeard(there.colour, "", "the server says: hello all")


def test_a_policy_plays_for_the_person_until_it_is_taken_back() -> None:
    there = AtTable(phase="DiceRoll")
    [rolled] = there.person.hand_to("builder")
    assert rolled == m.RollRequest()
    assert there.person.decide(a.RollDice(1, 2)) == []
    assert there.news == [ActionRefused(there.colour, "a computer plays for you now")]
    assert there.person.hand_to(None) == []
    there.send([rolled])
    there.deliver()
    assert there.sent == [rolled]


def test_a_server_that_never_answers_leaves_the_person_free_to_decide_again() -> None:
    there = AtTable(phase="DiceRoll")
    assert there.person.decide(a.RollDice(1, 2)) == [m.RollRequest()]
    for _ in range(REPEATS):
        assert there.person.waits == "again"
        assert there.person.give_up_waiting() == [m.RollRequest()]
        assert there.news == []
    assert there.person.waits == "answer"
    assert there.person.give_up_waiting() == []
    assert there.news == [ActionRefused(there.colour, "the server does not answer")]
    assert there.person.decide(a.RollDice(1, 2)) == [m.RollRequest()]


def test_a_client_that_comes_back_to_another_seat_does_not_play_a_second_game() -> None:
    there = AtTable(phase="DiceRoll")
    sends = there.person.hear(m.PlayerWelcome(77, "another token"))
    assert sends == []
    assert there.person.is_over
    assert there.person.failure == "the seat is lost: the server has given another one"
