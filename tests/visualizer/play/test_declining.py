"""Offers that need no click: those that cannot be paid, all of a turn, all of a player; and counter-offers."""

from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.game.actions import AnswerTrade, EmptyBuild, OfferTrade, ProposeTrade, RollDice, WithdrawTrade
from catan_p2p.game.cards import ONE
from catan_p2p.game.constants import BRIEF, STANDARD
from catan_p2p.game.state import State
from catan_p2p.sessions.messages import ActionRefused
from tests.positions import cards, position
from tests.visualizer.play.memory import Memory
from tests.visualizer.play.test_session import Clock, begun, choose, tick
from visualizer.play.draft import SeatRequest
from visualizer.play.session import ScreenSession

HANDS = {1: "1 Wool", 2: "2 Lumber, 1 Grain", 3: "1 Ore"}
PAUSE_S = 5.0
REJECT = AnswerTrade(1, "reject")


def turn_of(player: int, rules: object = STANDARD, **more: object) -> State:
    return position(3, phase="TradingBuilding", turn=player, rules=rules, **{"hands": HANDS, **more})  # type: ignore[arg-type]


def offers(memory: Memory, give: str = "Lumber", receive: str = "Ore", player: int = 2) -> None:
    memory.carry_out(OfferTrade(player, ONE[give], ONE[receive]))  # type: ignore[index]


def at_table(path: Path, *, alone: bool = True, **more: object) -> tuple[ScreenSession, Memory, Clock]:
    """Red's seat in Blue's turn; ``alone`` means that all others are computer players on this machine."""
    clock = Clock()
    session, memory = begun(path, clock=clock, **{"state": turn_of(2), **more})  # type: ignore[arg-type]
    session.decliner.pause_s = lambda: PAUSE_S
    session.worker.seats_here = 3 if alone else 1
    return session, memory, clock


def test_what_cannot_be_paid_is_declined_without_a_click(tmp_path: Path) -> None:
    session, memory, _ = at_table(tmp_path)
    offers(memory)
    tick(session)
    assert memory.done == [REJECT]
    assert not session.is_on_turn


def test_what_can_be_paid_is_asked(tmp_path: Path) -> None:
    session, memory, clock = at_table(tmp_path)
    offers(memory, "Lumber", "Wool")
    clock.now += 1000
    tick(session)
    assert not memory.done
    assert session.is_on_turn
    assert session.seat.moment.title == "Blue offers 1 Lumber for your 1 Wool"


def test_who_wants_to_be_asked_is(tmp_path: Path) -> None:
    session, memory, clock = at_table(tmp_path)
    session.obey(("set", "declines"))
    offers(memory)
    clock.now += 1000
    tick(session)
    assert not memory.done
    assert session.is_on_turn


def test_where_others_are_elsewhere_it_takes_as_long_as_a_person_would(tmp_path: Path) -> None:
    session, memory, clock = at_table(tmp_path, alone=False)
    offers(memory)
    tick(session)
    assert not session.is_on_turn
    assert session.seat.moment.title == "Blue offers 1 Lumber for 1 Ore; you cannot pay, so it is declined for you"
    clock.now += PAUSE_S - 1
    tick(session)
    assert not memory.done
    clock.now += 1
    tick(session)
    assert memory.done == [REJECT]


def test_the_pause_begins_anew_with_each_offer(tmp_path: Path) -> None:
    session, memory, clock = at_table(tmp_path, alone=False)
    offers(memory)
    tick(session)
    clock.now += PAUSE_S - 1
    memory.carry_out(WithdrawTrade(2))
    offers(memory, "Grain")
    tick(session)
    clock.now += 1
    tick(session)
    assert not memory.done


def test_nothing_is_declined_while_a_counter_offer_is_made_which_begins_with_the_offer(tmp_path: Path) -> None:
    session, memory, clock = at_table(tmp_path, alone=False)
    memory.carry_out(OfferTrade(2, cards("2 Lumber"), cards("2 Wool")))
    tick(session)
    choose(session, "propose")
    clock.now += 1000
    tick(session)
    assert not memory.done
    assert session.seat.moment.title == "Your proposal to Blue, whose turn it is"
    choose(session, "take less Lumber", "make proposal")
    assert memory.done == [ProposeTrade(1, cards("1 Wool"), cards("1 Lumber"))]


def test_a_proposal_says_to_whom_it_goes(tmp_path: Path) -> None:
    session, _, _ = at_table(tmp_path)
    (button,) = (choice for choice in session.seat.moment.choices if choice.name == "propose")
    assert button.words == "Propose a trade to Blue, whose turn it is"
    choose(session, "propose", "give Wool", "take Lumber", "make proposal")
    assert session.seat.moment.title == "It is Blue's turn; you propose 1 Wool for 1 Lumber to Blue, whose turn it is"


def test_all_offers_of_a_turn_are_declined_until_it_ends(tmp_path: Path) -> None:
    session, memory, _ = at_table(tmp_path, alone=False)
    offers(memory, "Lumber", "Wool")
    tick(session)
    choose(session, "decline turn")
    assert memory.done == [REJECT]
    memory.carry_out(WithdrawTrade(2))
    offers(memory, "Grain", "Wool")
    tick(session)
    assert memory.done == [REJECT] * 2
    memory.carry_out(WithdrawTrade(2))
    memory.carry_out(EmptyBuild(2))
    tick(session)
    memory.state = turn_of(3)
    memory.carry_out(OfferTrade(3, ONE["Ore"], ONE["Wool"]))
    tick(session)
    assert session.is_on_turn
    memory.state = turn_of(2)
    offers(memory, "Grain", "Wool")
    tick(session)
    assert session.is_on_turn, "it was for one turn"


def test_all_offers_of_a_player_are_declined_until_that_is_taken_back(tmp_path: Path) -> None:
    session, memory, _ = at_table(tmp_path, alone=False)
    offers(memory, "Lumber", "Wool")
    tick(session)
    choose(session, "decline")
    assert memory.done == [REJECT]
    memory.carry_out(WithdrawTrade(2))
    memory.carry_out(EmptyBuild(2))
    memory.state = turn_of(2)
    offers(memory, "Grain", "Wool")
    tick(session)
    assert memory.done == [REJECT] * 2
    memory.carry_out(WithdrawTrade(2))
    tick(session)
    assert session.seat.moment.title == "It is Blue's turn; you decline all offers of Blue"
    choose(session, "hear Blue")
    offers(memory, "Grain", "Wool")
    tick(session)
    assert session.is_on_turn


def test_an_offer_is_declined_once(tmp_path: Path) -> None:
    session, memory, clock = at_table(tmp_path)
    memory.give = memory.orders.append  # type: ignore[method-assign]
    session.worker.link.give = memory.orders.append  # type: ignore[union-attr,method-assign]
    offers(memory)
    for _ in range(5):
        tick(session)
    assert len(memory.orders) == 1
    memory.tell(ActionRefused("Red", "the game is not waiting for you"))
    tick(session)
    assert session.notice == "", "nobody has asked for it"
    clock.now += 60
    tick(session)
    assert len(memory.orders) == 2


def test_a_seat_that_is_played_for_its_person_is_left_to_the_policy(tmp_path: Path) -> None:
    session, memory, _ = at_table(tmp_path)
    session.wish(SeatRequest("play for me"))
    offers(memory)
    tick(session)
    assert not memory.done


def test_the_curtain_stays_open_for_what_is_declined(tmp_path: Path) -> None:
    session, memory, _ = at_table(tmp_path, people=("Red", "Blue"), state=turn_of(2))
    session.obey(("curtain", "Blue"))
    assert session.seat.colour == "Blue"
    offers(memory)
    tick(session)
    assert memory.done == [REJECT]
    assert session.curtain == ""
    assert session.seat.colour == "Blue"


@pytest.mark.parametrize("rules", [BRIEF, replace(BRIEF, table_talk=True)])
def test_a_discard_is_never_declined(tmp_path: Path, rules: object) -> None:
    state = position(3, phase="Discarding", rules=rules, hands={1: "9 Ore"})  # type: ignore[arg-type]
    session, memory, clock = at_table(tmp_path, state=state)
    clock.now += 1000
    tick(session)
    assert not memory.done
    assert session.is_on_turn


def test_nothing_is_declined_before_the_dice(tmp_path: Path) -> None:
    session, memory, _ = at_table(tmp_path, state=position(3, phase="DiceRoll", turn=2, rules=STANDARD))
    session.decliner.change("Red", "decline", 2)
    memory.carry_out(RollDice(2, 8))
    tick(session)
    assert not memory.done
