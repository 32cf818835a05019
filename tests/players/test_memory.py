"""What a strategist remembers of hands: all that moved in the open, of thefts what its player could see."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from catan_p2p import play
from catan_p2p.game import actions as a
from catan_p2p.game.cards import NO_CARDS, ONE, RESOURCES, Cards, count, covers, is_valid, kinds, pack, total
from catan_p2p.game.constants import Player
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rules import awaited, decisions
from catan_p2p.game.state import Offer, State, initial_state
from catan_p2p.players.strategist.policy import StrategistPolicy, known
from catan_p2p.sessions.seat_driver import SeatControl
from catan_p2p.simulation.game import RunawayGame, SimulationSettings, play_game
from catan_p2p.view.card_memory import MOST_COMBINATIONS, CardMemory
from catan_p2p.view.observe import observe

COLOURS = ("Red", "Blue", "Green", "Orange", "White", "Brown")
Move = tuple[State, a.Action, State]


@lru_cache
def moves(rules: str, players: int, seed: int) -> tuple[Move, ...]:
    """A game of strategists, played once for all tests that read it."""
    game = play(players=players, rules=rules, policies="strategist", seed=seed)
    return tuple((step.before, step.action, step.after) for step in game.steps)


def empty(rules: str = "brief") -> State:
    return initial_state(new_constants(rules, COLOURS[:3], "default", 1))


def holding(state: State, *hands: Cards) -> State:
    """The state with these resource cards in the hands, taken from the bank."""
    held = tuple(hand._replace(rc=cards) for hand, cards in zip(state.h, hands, strict=True))
    return state._replace(h=held, bnk=state.bnk._replace(rc=state.constants.rules.resource_pool - sum(hands)))


def saw(memory: CardMemory, before: State, action: a.Action, after: State) -> None:
    memory.saw(before, observe(action, before, after), after)


def cards(**amounts: int) -> Cards:
    return pack(amounts.get(kind, 0) for kind in RESOURCES)


@pytest.mark.long
@pytest.mark.parametrize(("rules", "players"), [("brief", 4), ("brief", 3), ("thesis", 3), ("brief", 6)])
def test_what_is_supposed_agrees_with_what_is_open_and_the_truth_is_never_ruled_out(rules: str, players: int) -> None:
    memory, right, fitted, held = CardMemory(), 0, 0, 0
    for before, action, after in moves(rules, players, 5):
        saw(memory, before, action, after)
        if not isinstance(action, a.EmptyBuild):
            continue
        truth = tuple(hand.rc for hand in after.h)
        for player in after.constants.players:
            hands = memory.hands(after, player)
            assert hands is not None
            assert hands[player - 1] == truth[player - 1]
            assert [total(hand) for hand in hands] == [total(hand) for hand in truth]
            assert sum(hands) == sum(truth)
            combinations = memory._views[player].combinations
            assert truth in combinations or len(combinations) == MOST_COMBINATIONS
            others = [seat - 1 for seat in after.constants.players if seat != player]
            guess = [hand.rc for hand in known(after, player).h]
            right += sum(common(hands[seat], truth[seat]) for seat in others)
            fitted += sum(common(guess[seat], truth[seat]) for seat in others)
            held += sum(total(truth[seat]) for seat in others)
    assert right > 0.9 * held
    assert right > fitted


def common(one: Cards, other: Cards) -> int:
    """How many cards two hands have in common."""
    return sum(min(count(one, kind), count(other, kind)) for kind in RESOURCES)


def test_a_theft_is_seen_by_robber_and_victim_and_weighed_by_everybody_else() -> None:
    memory, none = CardMemory(), empty()
    dealt = holding(none, NO_CARDS, cards(Ore=3, Wool=1), NO_CARDS)
    saw(memory, none, a.EmptyBuild(1), dealt)
    robbed = holding(none, ONE["Wool"], cards(Ore=3), NO_CARDS)
    saw(memory, dealt, a.MoveBandit(1, 2, 2, "Wool"), robbed)
    for player in (1, 2):
        assert memory.hands(robbed, player) == (ONE["Wool"], cards(Ore=3), NO_CARDS)
    assert memory.hands(robbed, 3) == (ONE["Ore"], cards(Ore=2, Wool=1), NO_CARDS)
    assert sorted(memory._views[3].combinations.values()) == [0.25, 0.75]


def test_what_a_player_pays_rules_out_what_would_not_pay_for_it() -> None:
    memory, none = CardMemory(), empty()
    dealt = holding(none, ONE["Lumber"], cards(Ore=3, Brick=1), NO_CARDS)
    robbed = holding(none, ONE["Lumber"] + ONE["Brick"], cards(Ore=3), NO_CARDS)
    paid = holding(none, NO_CARDS, cards(Ore=3), NO_CARDS)
    for move in (
        (none, a.EmptyBuild(1), dealt),
        (dealt, a.MoveBandit(1, 2, 2, "Brick"), robbed),
        (robbed, a.BuildRoad(1, 1), paid),
    ):
        saw(memory, *move)
    assert memory.hands(paid, 3) == (NO_CARDS, cards(Ore=3), NO_CARDS)
    assert len(memory._views[3].combinations) == 1


def test_what_a_player_offers_is_in_their_hand() -> None:
    memory, none = CardMemory(), empty()
    dealt = holding(none, NO_CARDS, cards(Ore=3, Brick=1), NO_CARDS)
    robbed = holding(none, ONE["Brick"], cards(Ore=3), NO_CARDS)
    saw(memory, none, a.EmptyBuild(1), dealt)
    saw(memory, dealt, a.MoveBandit(1, 2, 2, "Brick"), robbed)
    assert memory.hands(robbed, 3) == (ONE["Ore"], cards(Ore=2, Brick=1), NO_CARDS)
    saw(memory, robbed, a.OfferTrade(1, ONE["Brick"], ONE["Wool"]), robbed)
    assert memory.hands(robbed, 3) == (ONE["Brick"], cards(Ore=3), NO_CARDS)


@pytest.mark.parametrize(
    ("rules", "reply", "is_shown"),
    [
        ("standard", a.AnswerTrade(1, "accept"), True),
        ("standard", a.AnswerTrade(1, "reject"), False),
        ("standard", a.ProposeTrade(1, ONE["Brick"], ONE["Grain"]), True),
        ("brief", a.AnswerTrade(1, "accept"), False),
    ],
)
def test_what_a_player_says_to_an_offer_counts_once_play_goes_on(rules: str, reply: a.Action, is_shown: bool) -> None:
    """Where only those are asked who can pay, an answer shows nothing."""
    memory, none = CardMemory(), empty(rules)
    dealt = holding(none, NO_CARDS, cards(Ore=3, Brick=1), ONE["Wool"])
    robbed = holding(none, ONE["Brick"], cards(Ore=3), ONE["Wool"])._replace(offer=Offer(ONE["Wool"], ONE["Brick"]))
    saw(memory, none, a.EmptyBuild(1), dealt)
    saw(memory, dealt, a.MoveBandit(1, 2, 2, "Brick"), robbed)
    likeliest = memory.hands(robbed, 3)
    assert likeliest == (ONE["Ore"], cards(Ore=2, Brick=1), ONE["Wool"])
    saw(memory, robbed, reply, robbed)
    assert memory.hands(robbed, 3) == likeliest
    saw(memory, robbed, a.WithdrawTrade(3), robbed)
    assert (memory.hands(robbed, 3) == likeliest) == (not is_shown)


def test_who_has_not_seen_the_beginning_knows_nothing_until_all_hands_are_empty() -> None:
    memory, none = CardMemory(), empty()
    dealt = holding(none, ONE["Ore"], ONE["Wool"], NO_CARDS)
    saw(memory, dealt, a.EmptyBuild(1), dealt)
    assert memory.hands(dealt, 3) is None
    saw(memory, none, a.EmptyBuild(1), dealt)
    assert memory.hands(dealt, 3) == (ONE["Ore"], ONE["Wool"], NO_CARDS)


def test_a_state_that_was_not_reached_by_what_was_seen_is_not_guessed_at() -> None:
    memory, none = CardMemory(), empty()
    dealt = holding(none, ONE["Ore"], ONE["Wool"], NO_CARDS)
    saw(memory, none, a.EmptyBuild(1), dealt)
    assert memory.hands(holding(none, ONE["Ore"], cards(Wool=2), NO_CARDS), 3) is None


# What it may know


def retold(game: Sequence[Move], player: Player, rng: Random) -> list[Move] | None:
    """The same game with other cards stolen where the player could not see them; None if it could not go on so."""
    hands = [hand.rc for hand in game[0][0].h]
    told: list[Move] = []
    for before, action, after in game:
        old = with_hands(before, hands)
        hidden = isinstance(action, a.MoveBandit | a.PlayKnight) and player not in (action.player, action.victim)
        changes = [new.rc - was.rc for new, was in zip(after.h, before.h, strict=True)]
        if hidden and any(changes):
            assert isinstance(action, a.MoveBandit | a.PlayKnight)
            kind = rng.choice([kind for kind in RESOURCES if count(hands[action.victim - 1], kind)])
            changes = [0] * len(hands)
            changes[action.victim - 1], changes[action.player - 1] = -ONE[kind], ONE[kind]
        hands = [hand + change for hand, change in zip(hands, changes, strict=True)]
        if not all(map(is_valid, hands)):
            return None
        told.append((old, action, with_hands(after, hands)))
    return told


def with_hands(state: State, hands: list[Cards]) -> State:
    return state._replace(h=tuple(hand._replace(rc=cards) for hand, cards in zip(state.h, hands, strict=True)))


@pytest.mark.long
@pytest.mark.sampled(3)
@pytest.mark.parametrize("seeds", [(3, 5), (4, 8), (6, 7)])
def test_cards_stolen_out_of_sight_change_nothing_that_is_remembered_or_decided(seeds: tuple[int, int]) -> None:
    others = decided = 0
    for seed in seeds:
        game = moves("brief", 4, seed)
        thefts = [i for i, (_, action, _) in enumerate(game) if isinstance(action, a.MoveBandit | a.PlayKnight)]
        for length in sorted({min(theft + later, len(game)) for theft in thefts for later in (1, 4)}):
            part = game[:length]
            last = part[-1][2]
            for player in last.constants.players:
                again = next(filter(None, (retold(part, player, Random(attempt)) for attempt in range(20))), None)
                if again is None or again[-1][2] == last:
                    continue
                others += 1
                one, other = StrategistPolicy(), StrategistPolicy()
                for policy, told in ((one, part), (other, again)):
                    for move in told:
                        policy.watch(*move)
                assert one._memory.hands(last, player) == other._memory.hands(again[-1][2], player)
                if player in awaited(last) and last.tp == "TradingBuilding":
                    options = decisions(last, player)
                    chosen = [
                        policy.choose(state, player, options, Random(1))
                        for policy, state in ((one, last), (other, again[-1][2]))
                    ]
                    assert chosen[0] == chosen[1]
                    decided += 1
    assert others > 10
    assert decided > 1


@pytest.mark.parametrize("most", [MOST_COMBINATIONS, 2])
def test_nobody_holds_less_than_what_is_surely_theirs(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither with as many combinations as are kept, nor with so few that some are left out."""
    monkeypatch.setattr("catan_p2p.view.card_memory.MOST_COMBINATIONS", most)
    memory, sure, unknown, there = CardMemory(), 0, 0, 0
    for before, action, after in moves("brief", 4, 5):
        saw(memory, before, action, after)
        if not isinstance(action, a.EmptyBuild):
            continue
        truth = tuple(hand.rc for hand in after.h)
        for player in after.constants.players:
            held = memory.held(after, player)
            if held is None:
                unknown += 1
                continue
            assert held[player - 1] == truth[player - 1]
            assert all(map(covers, truth, held))
            sure, there = sure + total(sum(held)), there + total(sum(truth))
    assert bool(unknown) == (most == 2)
    assert sure > 0.8 * there


def test_after_a_theft_what_may_be_the_card_is_surely_with_nobody() -> None:
    memory, none = CardMemory(), empty()
    dealt = holding(none, NO_CARDS, cards(Ore=3, Wool=1), NO_CARDS)
    robbed = holding(none, ONE["Wool"], cards(Ore=3), NO_CARDS)
    assert memory.held(dealt, 3) is None
    saw(memory, none, a.EmptyBuild(1), dealt)
    saw(memory, dealt, a.MoveBandit(1, 2, 2, "Wool"), robbed)
    assert memory.held(robbed, 2) == (ONE["Wool"], cards(Ore=3), NO_CARDS)
    assert memory.held(robbed, 3) == (NO_CARDS, cards(Ore=2), NO_CARDS)


# Offers


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_several_cards_are_asked_for_at_once_of_those_only_who_hold_them() -> None:
    """Not of those who are supposed to, as in the game of seed 32: what nobody can pay may not be offered."""
    several = 0
    for before, action, _ in chain(*(moves("brief", 4, seed) for seed in (1, 2, 32))):
        if isinstance(action, a.OfferTrade) and total(action.receive) > 1:
            hands = [hand.rc for seat, hand in enumerate(before.h, 1) if seat != action.player]
            assert any(covers(hand, action.receive) for hand in hands)
            several += 1
    assert several > 5


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_who_has_not_followed_the_game_asks_for_one_card() -> None:
    for before, player in turns_with_offers():
        for draw in range(4):
            choice = StrategistPolicy().choose(before, player, decisions(before, player), Random(draw))
            assert not isinstance(choice, a.OfferTrade) or total(choice.receive) == 1


def turns_with_offers() -> list[tuple[State, Player]]:
    """Where a player who has followed the game asks for several cards."""
    return [
        (before, action.player)
        for before, action, _ in chain(*(moves("brief", 4, seed) for seed in (1, 2, 3)))
        if isinstance(action, a.OfferTrade) and total(action.receive) > 1
    ]


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_an_offer_is_not_made_twice_in_a_turn_nor_after_a_better_one() -> None:
    made: set[tuple[Cards, Cards]] = set()
    offers = 0
    for before, action, _ in chain(moves("brief", 4, 4), moves("brief", 4, 67)):
        if isinstance(action, a.EmptyBuild):
            made = set()
        if isinstance(action, a.OfferTrade) and before.ap == action.player:
            assert not any(action.receive == wanted and covers(more, action.give) for more, wanted in made)
            made.add((action.give, action.receive))
            assert len(made) <= 3
            offers += 1
    assert offers > 10


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_nobody_is_given_what_was_got_by_trade_in_the_same_turn() -> None:
    fetched: set[int] = set()
    trades = 0
    for before, action, _ in chain(*(moves("brief", 4, seed) for seed in (1, 2, 3, 4, 46))):
        if isinstance(action, a.RollDice):
            fetched = set()
        elif isinstance(action, a.OfferTrade):
            assert fetched.isdisjoint(kinds(action.give))
        elif isinstance(action, a.ConcludeTrade):
            fetched.update(kinds(before.terms(action.partner).receive))
            trades += 1
        elif isinstance(action, a.BankTradeAction):
            fetched.add(RESOURCES.index(action.receive))
    assert trades > 20


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_a_trade_with_the_bank_is_for_something() -> None:
    """What it brings is not given away again in the turn, and paid for something unless cards were too many."""
    fetched: set[int] = set()
    in_need, trades = False, 0
    for before, action, _ in chain(*(moves("brief", 4, seed) for seed in (1, 2, 3, 4))):
        if isinstance(action, a.BankTradeAction):
            fetched.add(RESOURCES.index(action.receive))
            in_need = total(before.h[action.player - 1].rc) <= before.constants.rules.hand_limit
            trades += 1
        elif isinstance(action, a.OfferTrade):
            assert fetched.isdisjoint(kinds(action.give))
        elif action.cost:
            fetched, in_need = set(), False
        elif isinstance(action, a.EmptyBuild):
            assert not in_need
            fetched = set()
    assert trades > 10


# Who is told


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_a_game_that_is_continued_is_remembered(tmp_path: Path) -> None:
    settings = SimulationSettings(players=4, rules="brief", seed=5, policies=("strategist",))
    calm = play_game(tmp_path / "calm", 0, settings).result
    for most in (120, 250):
        with pytest.raises(RunawayGame):
            play_game(tmp_path / "stopped", 0, replace(settings, max_actions=most))
    assert play_game(tmp_path / "stopped", 0, settings).result.head == calm.head


@pytest.mark.needs("env")
def test_the_other_seats_of_a_learning_environment_remember() -> None:
    from catan_p2p.env.learner import CatanEnv

    policy = StrategistPolicy()
    env = CatanEnv(opponents=policy, players=3, rules="brief", seat=2)
    for seed in (1, 2):
        env.reset(seed=seed)
        for number in range(150):
            if env.table.is_over:
                break
            env.step(env.table.legal[number % len(env.table.legal)])
        else:
            assert policy._memory.hands(env.table.state, 1) is not None


def test_who_takes_a_seat_over_is_told_what_was_played() -> None:
    control = SeatControl("builder")
    game = moves("brief", 3, 2)[:120]
    for move in game:
        control.watch(*move)
    control.hand_to("strategist")
    assert isinstance(control._policy, StrategistPolicy)
    assert control._policy._memory.hands(game[-1][2], 1) is not None
