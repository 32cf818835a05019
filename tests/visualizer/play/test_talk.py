"""Table talk in the window: what becomes of proposals, and what is said of those that cannot be."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game.cards import NO_CARDS, ONE, RESOURCES, Cards, count
from catan_p2p.game.constants import BRIEF, Player
from catan_p2p.game.state import NO_OFFER, Offer, State
from catan_p2p.log.audit import audit
from catan_p2p.replication.turn_clock import TurnClock
from catan_p2p.sessions.messages import NO_DEAL, ActionDone, ActionRefused, AgreedDeal, CarryOut, deal_in
from catan_p2p.sessions.seat_driver import ANSWERS_S, Metronome, SeatControl, SeatDriver
from tests.positions import cards, position
from tests.replication.tables import make_seats, opened, play_rounds, settle
from tests.virtual_time import VirtualTime
from tests.visualizer.play.memory import memory_session
from tests.visualizer.play.person import COLOURS, Script, Session, new_window, settings

TALK = replace(BRIEF, table_talk=True)
RICH = {1: "4 Lumber, 4 Wool", 2: "3 Lumber, 3 Brick, 1 Wool, 1 Grain, 1 Ore", 3: "1 Ore"}
TALK_TEXT = "brief; PointsToWin = 4; TableTalk = yes; OfferMax = 0"


def trading(turn: int = 2, **more: object) -> State:
    return position(4, phase="TradingBuilding", turn=turn, rules=TALK, **{"hands": RICH, **more})  # type: ignore[arg-type]


def offering(turn: int, answers: tuple[str, ...], **more: object) -> State:
    more = {"hands": RICH, "offer": ("1 Lumber", "1 Wool"), "answers": answers, **more}
    return position(4, phase="Offering", turn=turn, rules=TALK, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (trading(hands={1: "", 2: "1 Ore"}), "you have nothing to offer"),
        (trading(proposals={1: ("1 Wool", "1 Ore")}), "your proposal stands already"),
        (offering(2, ("reject", "none", "asked", "asked")), "you have answered already"),
    ],
)
def test_why_there_can_be_no_proposal_is_said(state: State, why: str, tmp_path: Path) -> None:
    session, memory = memory_session(tmp_path, state)
    with session:
        assert dict(session.screen.refusals)["propose"] == why
        session.press("o")
        assert session.screen.notice == why
    assert not memory.done


def test_a_proposal_lacks_what_every_trade_needs(tmp_path: Path) -> None:
    session, memory = memory_session(tmp_path, trading())
    with session:
        session.use("propose")
        refusals = dict(session.screen.refusals)
        assert refusals["make proposal"] == "1 to 4 cards on either side"
        assert refusals["give Ore"] == "there is no Ore"
        session.use("give Wool")
        assert dict(session.screen.refusals)["take Wool"] == "the same thing twice"
        assert "Blue" in session.screen.title
        session.use("cancel", "keys")
        assert "propose" in [one.name for one in session.screen.clickables]
    assert not memory.done


@pytest.mark.parametrize(
    ("deed", "notice"),
    [
        (a.BuyDevCard(2, "Knight"), "Blue has gone on without your proposal"),
        (a.OfferTrade(2, cards("1 Lumber"), cards("1 Ore")), "Blue has gone on without your proposal"),
        (a.ConcludeTrade(2, 1), ""),
    ],
    ids=["a card", "an offer", "the trade"],
)
def test_a_proposal_that_is_gone_is_told(deed: a.Action, notice: str, tmp_path: Path) -> None:
    session, memory = memory_session(tmp_path, trading())
    with session:
        for name in ("propose", "give Wool", "take Lumber", "make proposal"):
            session.use(name)
        session.frame()
        assert "you propose 1 Wool for 1 Lumber" in session.screen.title
        assert not session.screen.notice
        memory.carry_out(deed)
        session.frame()
        assert session.screen.notice == notice


def test_what_was_prepared_for_one_is_not_proposed_to_another(tmp_path: Path) -> None:
    session, memory = memory_session(tmp_path, trading())
    with session:
        session.use("propose")
        session.use("give Wool")
        memory.carry_out(a.EmptyBuild(2))
        session.frame()
        assert session.screen.notice == "Blue has gone on: nothing was proposed"
        assert "make proposal" not in [one.name for one in session.screen.clickables]


def test_nobody_agrees_to_another_offer_than_they_were_asked_about(tmp_path: Path) -> None:
    session, memory = memory_session(tmp_path, offering(2, ("asked", "none", "reject", "reject")))
    with session:
        session.use("accept")
        assert session.screen.title == "Give 1 Wool for 1 Lumber?"
        memory.carry_out(a.WithdrawTrade(2))
        memory.carry_out(a.OfferTrade(2, cards("1 Brick"), cards("4 Wool")))
        session.frame()
        assert "yes" not in [one.name for one in session.screen.clickables]
        session.use("accept")
        session.use("yes")
    assert memory.done == [a.AnswerTrade(1, "accept")]
    assert memory.orders[-1] == CarryOut("Red", memory.done[0], AgreedDeal(2, Offer(cards("1 Brick"), cards("4 Wool"))))


def test_who_is_on_turn_sees_who_proposes_what_and_who_is_silent(tmp_path: Path) -> None:
    state = offering(1, ("none", "asked", "reject", "accept"), proposals={3: ("1 Ore", "2 Lumber")})
    session, _ = memory_session(tmp_path, state)
    with session:
        assert session.screen.title == "With whom do you trade? Blue may still answer"
        found = {choice.name: choice for choice in session.window.session.seat.moment.choices}
        green, orange = found["with Green"], found["with Orange"]
        assert (green.words, green.gain, green.cost) == ("Green proposes", cards("1 Ore"), cards("2 Lumber"))
        assert (orange.words, orange.gain, orange.cost) == ("Orange accepts", cards("1 Wool"), cards("1 Lumber"))
    session, _ = memory_session(tmp_path, trading(1, proposals={2: ("1 Brick", "5 Wool"), 3: ("1 Ore", "1 Wool")}))
    with session:
        assert session.screen.title == "Your turn; Blue and Green propose a trade"
        assert dict(session.screen.refusals)["with Blue"] == "1 Wool is missing"


def test_a_deal_is_what_is_agreed_to() -> None:
    state = offering(2, ("asked", "none", "reject", "reject"))
    assert deal_in(state, a.AnswerTrade(1, "accept")) == AgreedDeal(2, state.offer)
    assert deal_in(state, a.EmptyBuild(1)) == NO_DEAL


def test_a_proposal_reaches_who_is_on_turn_and_is_concluded_as_it_was_seen(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 2, 3, rules=TALK_TEXT)) as replicas:
        play_rounds(replicas, lambda replica: can_trade(replica.graph.state))
        settle(replicas)
        on_turn = replicas[0].graph.state.ap
        active, other = (replica for replica in sorted(replicas, key=lambda replica: replica.player != on_turn))
        drivers = [SeatDriver(COLOURS[one.player - 1], one, SeatControl(None), Metronome(0.0), is_person=True)
                   for one in (active, other)]  # fmt: skip
        give, want = (one_card(active.graph.state, one.player) for one in (other, active))
        proposal = a.ProposeTrade(other.player, give, want)
        gone = drivers[1].carry_out(proposal, AgreedDeal(other.player, NO_OFFER))
        assert gone == ActionRefused(drivers[1].colour, "the trade has changed since you chose it")
        assert isinstance(drivers[1].carry_out(proposal, AgreedDeal(active.player, NO_OFFER)), ActionDone)
        for _ in range(4):
            for driver in drivers:
                driver.life.turn()
        state = active.graph.state
        conclude = a.ConcludeTrade(active.player, other.player)
        assert state.terms(other.player) == Offer(want, give)
        assert isinstance(drivers[0].carry_out(conclude, AgreedDeal(active.player, Offer(give, want))), ActionRefused)
        assert isinstance(drivers[0].carry_out(conclude, deal_in(state, conclude)), ActionDone)


@contextmanager
def about_to_offer(
    folder: Path, rules: str, policy: str | None
) -> Iterator[tuple[SeatDriver, a.OfferTrade, VirtualTime]]:
    """The driver of a seat that can trade, an offer to the other, and the time."""
    with opened(make_seats(folder, 2, 3, rules=rules)) as replicas:
        play_rounds(replicas, lambda replica: can_trade(replica.graph.state))
        settle(replicas)
        active = next(replica for replica in replicas if replica.player == replica.graph.state.ap)
        driver = SeatDriver(COLOURS[active.player - 1], active, SeatControl(policy), Metronome(0.0), is_person=False)
        time = VirtualTime()
        driver.life.voting.clock = TurnClock(time)
        give, receive = (one_card(active.graph.state, player) for player in (active.player, 3 - active.player))
        yield driver, a.OfferTrade(active.player, give, receive), time


@pytest.mark.parametrize("rules", [TALK_TEXT, f"{TALK_TEXT}; Leaving = yes; Patience = 30"])
def test_a_computer_players_offer_does_not_wait_for_ever_for_who_does_not_answer(rules: str, tmp_path: Path) -> None:
    with about_to_offer(tmp_path, rules, None) as (driver, offer, time):
        assert isinstance(driver.carry_out(offer), ActionDone)
        driver.life.turn()
        time.now += 2 * ANSWERS_S
        driver.life.turn()
        assert driver.replica.graph.state.tp == "Offering"  # a person decides on their own when to go on
        driver.control.hand_to("random")
        driver.life.turn()
        assert driver.replica.graph.state.tp != "Offering"


def test_a_computer_players_offer_waits_while_a_person_thinks(tmp_path: Path) -> None:
    with about_to_offer(tmp_path, TALK_TEXT, "random") as (driver, offer, time):
        driver.replica.carry_out(offer)
        driver.life.turn()
        time.now += ANSWERS_S - 1
        driver.life.turn()
        assert driver.replica.graph.state.tp == "Offering"


def can_trade(state: State) -> bool:
    """Whether two players have different cards, and one of them trades."""
    hands = [hand.rc for hand in state.h]
    return state.tp == "TradingBuilding" and all(hands) and one_card(state, 1) != one_card(state, 2)


def one_card(state: State, player: Player) -> Cards:
    """A card that a player has, and the other has not, where there is one."""
    own, others = state.h[player - 1].rc, state.h[2 - player].rc
    return next((ONE[name] for name in RESOURCES if count(own, name) and not count(others, name)), NO_CARDS) or next(
        ONE[name] for name in RESOURCES if count(own, name)
    )


@pytest.mark.soak
def test_a_short_game_with_table_talk_is_played_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with Session(new_window(path, 2, rules=TALK_TEXT, options=settings(pace_s=0.25))) as session:
        script = Script(session, "mouse", talks=True)
        assert script.play().is_over
        assert script.used["make proposal"] > 0
    for colour in COLOURS[:2]:
        assert audit(path / colour).is_fine
