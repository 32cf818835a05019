"""A card of the deck whose share was told on a side of a lie that does not survive is sold to nobody as it lay there.

Red, the liar, calls for a card where Green sees it, and Green tells their share. Blue holds that Red has ended the
turn instead, which survives; Green moves over. Before Red is excused the deck lies as it did.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from catan_p2p.game.actions import Call, EmptyBuild, EmptyTrade, Reveal, TradeFourToOne
from catan_p2p.game.actions.parts import COST_DEV_CARD
from catan_p2p.game.cards import RESOURCES, count, covers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.audit import audit
from catan_p2p.log.commit import decode_commit, parse_entry
from catan_p2p.log.refs import local_ref
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.sealing.deck import SHARE_MESSAGE_BYTES
from tests.chance.apart import look
from tests.replication.tables import all_objects, make_seats, opened, point
from tests.replication.test_settling import BLUE, GREEN, RED, folder_of, look_alone, settle_all, written_by
from tests.replication.test_told_shares import called_by, finish_without

RULES = "thesis; Leaving = yes; PointsToWin = 4; Chance = joint"


def shares_told(paths: Sequence[Path], replica: Replica, player: Player) -> dict[bytes, set[str]]:
    """The calls for which a player has told each of their shares of cards of the deck, of all objects there are."""
    found: dict[bytes, set[str]] = {}
    for path in paths:
        for _, kind, data in all_objects(path):
            if kind == "commit" and (commit := decode_commit(data)).parents:
                entry = parse_entry(commit.message, replica.game.constants)
                is_share = isinstance(entry.action, Reveal) and entry.seal and len(entry.seal) == SHARE_MESSAGE_BYTES
                if is_share and entry.action.player == player:
                    assert entry.seal is not None
                    found.setdefault(entry.seal[:32], set()).add(commit.parents[0])
    return found


@contextmanager
def told_to_the_liar(folder: Path) -> Iterator[tuple[list[Path], list[Replica]]]:
    """Green has told Red a share of the first card and has moved over to Blue's side; nobody is excused.

    Blue has called for the dice there and heard Red's share before the vote on Red; Blue can pay for a card.
    """
    paths = make_seats(folder, 3, 21, rules=RULES, signed=True, hands="hidden")

    with opened(paths[1:]) as (blue, green):
        with opened(paths[:1]) as (red,):
            can_pay = lambda state: all(covers(state.h[one - 1].rc, COST_DEV_CARD) for one in (RED, BLUE))  # noqa: E731
            act_on((red, blue, green), RED, can_pay)
            base, log = red.graph.head, local_ref(red.game.branch(RED))
            call = called_by(red)
            ends = (written_by(red, base, [EmptyBuild(RED)], date)[0] for date in range(5000, 5100))
            end = next(one for one in ends if one < call)
            point(folder_of(red), log, call)
            look_alone(green, ["Red"])
            assert not green.graph.state.due[GREEN - 1]
            point(folder_of(red), log, end)
        with opened(paths[:1]) as (red,):
            others, blue.neighbours = blue.neighbours, [one for one in blue.neighbours if one.colour == "Red"]
            look(blue)
            blue.act_one()  # calls for the dice
            look(red)
            red.act_one()
            look(blue)
            assert blue.graph.state.due == (False, False, True)
            blue.neighbours = others
            charge((blue, green))
            assert end in green.graph and not green.graph.state.away[RED - 1]
            yield paths, [red, blue, green]


def charge(replicas: Sequence[Replica]) -> None:
    """Let these vote on the liar and move over; nobody excuses anybody."""
    for _ in range(8):
        for replica in replicas:
            for one in replica.neighbours:
                one.strays_at = 0.0
            look(replica)
            VotingDuty(replica).charge_liars()
            replica.store.publish()


def bought_by_trade(state: State, player: Player) -> TradeFourToOne | None:
    """A card for the next development card that the player has not got, for four of which they have enough."""
    hand = state.h[player - 1].rc
    spare = [one for one in RESOURCES if count(hand, one) >= 4 + count(COST_DEV_CARD, one)]
    lacking = [one for one in RESOURCES if count(hand, one) < count(COST_DEV_CARD, one)]
    return TradeFourToOne(player, spare[0], lacking[0]) if spare and lacking else None


def act_on(replicas: Sequence[Replica], player: Player, when: Callable[[State], bool] = lambda state: True) -> None:
    """Play, but build and trade nothing, until it is a player's to build."""
    for _ in range(300):
        for replica in replicas:
            look(replica)
        state = replicas[0].graph.state
        if len({one.graph.head for one in replicas}) == 1:
            if (state.tp, state.ap) == ("Building", player) and when(state):
                return
        for replica in replicas:
            if not replica.is_awaited or replica.withheld:
                continue
            phase = replica.graph.state.tp
            if phase not in ("Trading", "Building"):
                replica.act_one()
            elif replica.graph.head == replicas[0].graph.head:
                action = bought_by_trade(replica.graph.state, replica.player) if phase == "Trading" else None
                replica.carry_out(action or (EmptyTrade if phase == "Trading" else EmptyBuild)(replica.player))
    raise AssertionError(f"player {player} never was to build")


@pytest.mark.long
def test_a_card_is_not_sold_whose_share_was_told_on_another_side(tmp_path: Path) -> None:
    with told_to_the_liar(tmp_path) as (paths, (_, blue, green)):
        act_on((blue, green), BLUE)
        blue.carry_out(Call(BLUE, "BuyDevCard"))
        look(green)
        green.act()
        look(blue)
        assert [len(calls) for calls in shares_told(paths, blue, GREEN).values()] == [2]
        told = blue.graph.line.sealed_cards.deck[0]
        assert blue.graph.state.due == (True, False, False), "nobody takes a share of the liar's any more"
        settle_all((blue, green))
        state, sealed_cards = blue.graph.state, blue.graph.line.sealed_cards
        assert state.away[RED - 1] and state.call.what == "none" and state.hid.bought == (0, 0, 0)
        assert sealed_cards.next_card == 1 and all(
            hidden_hand.share is None for hidden_hand in sealed_cards.hidden_hands
        )
        while blue.graph.state.tp == "Shuffling" or green.graph.head != blue.graph.head:
            for replica in (blue, green):
                look(replica)
                if replica.graph.state.tp == "Shuffling":
                    replica.act()
        deck = blue.graph.line.sealed_cards.deck
        assert len(deck) == len(sealed_cards.deck) and told.mask not in {card.mask for card in deck}
        blue.carry_out(Call(BLUE, "BuyDevCard"))
        look(green)
        green.act()
        look(blue)
        blue.act_one()
        assert blue.graph.line.sealed_cards.of(BLUE).bought == (1,)
        finish_without((blue, green))
        for replica in (blue, green):
            replica.fast_forward()
    for path in paths[1:]:
        assert audit(path).is_fine
