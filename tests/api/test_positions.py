"""Positions: moves forward and back, and what is legal where cards are open."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import catan_p2p
from catan_p2p.api.choices import Undrawn
from catan_p2p.game import actions as a
from catan_p2p.game.cards import covers
from catan_p2p.game.state import State
from catan_p2p.notation import RulesBroken, table_for
from catan_p2p.notation.repair import begin
from catan_p2p.notation.repository.from_game import recorded
from catan_p2p.view.events import BanditMoved, CardsDiscarded, DevCardBought, DiceRolled, GameWon, PlayerEvent
from tests.for_each import for_each
from tests.notation import samples

TALK = (a.OfferTrade, a.ProposeTrade, a.AnswerTrade, a.ConcludeTrade, a.WithdrawTrade, a.EmptyTrade)
"""What no public position knows: a trade is one event there, and trading has no end of its own."""


def walk(position: catan_p2p.Position, seed: int, most: int) -> None:
    rng = random.Random(seed)
    while position.to_move and len(position.moves) < most:
        position.push(rng.choice(position.legal_moves(rng.choice(position.to_move))), rng)


@for_each("rules", ["thesis", "brief", "standard", "brief; Chance = joint"])
@for_each("players", [2, 4, 6])
def test_moves_lead_on_and_back(players: int, rules: str) -> None:
    if players > 4 and rules == "thesis":
        rules = "brief"
    position = catan_p2p.Position(catan_p2p.new_game(players, rules))
    states = [position.state]
    for count in range(1, 120):
        walk(position, count, count)
        states.append(position.state)
    assert len(position.moves) == 119
    twin = position.copy()
    while position.moves:
        assert position.state == states.pop()
        position.pop()
    assert [position.state] == states
    assert len(twin.moves) == 119, "a copy goes its own way"
    with pytest.raises(IndexError):
        position.pop()


def test_what_the_rules_forbid_is_not_pushed() -> None:
    position = catan_p2p.Position(catan_p2p.new_game(2, "thesis"))
    with pytest.raises(catan_p2p.NotEnabled, match="SO"):
        position.push(a.SetupPhaseOne(2, 1, 1))
    with pytest.raises(TypeError, match="takes actions"):
        position.push(DiceRolled(1, 8))
    assert position.moves == ()


def test_a_position_is_read_by_names() -> None:
    game = catan_p2p.play(players=3, rules="brief", seed=2)
    position = game.position(60)
    assert set(position.hands) == {"Red", "Blue", "Green"}
    assert all(holding.is_exact for holding in position.hands.values())
    assert position.hands["Blue"].low["Grain"] == position.state.h[1].resources["Grain"]
    assert position.winner is None and game.position().winner == game.winner
    assert repr(game.position()) == f"<Position: Red has won; points {' '.join(map(str, game.points.values()))}>"
    with pytest.raises(IndexError, match="the game has"):
        game.position(len(game) + 1)


CASES = [
    (2, "thesis", "random", 3),
    (2, "thesis", "builder", 4),
    (3, "brief", "builder", 2),
    (4, "standard", "builder", 5),
    (4, "brief", "random", 6),
    (5, "brief", "builder", 1),
]


@pytest.mark.sampled(12)
@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "rules", "policy", "seed", "is_open"), [(*case, is_open) for case in CASES for is_open in (True, False)]
)
def test_a_public_position_allows_what_some_hidden_cards_allow(
    players: int, rules: str, policy: str, seed: int, is_open: bool
) -> None:
    """Beside the engine: every legal move is listed, and where every card is told no other one."""
    game = catan_p2p.play(players=players, rules=f"{rules}; StartOrder = seat", policies=policy, seed=seed)
    start = replace(samples.start(players), map=game.constants.board.map)
    format: Any = "sgn" if is_open else "catan"
    table = table_for(start, format)._replace(says_turn_ends=True, says_discards=is_open)
    position = catan_p2p.PublicPosition(begin(start, game.constants.rules), table, game.colours)
    compared: Counter[str] = Counter()
    for step in game.steps[:400]:
        assert not isinstance(step.action, PlayerEvent)
        events = [*recorded(step.action, step.before, step.after)]
        if events and is_compared(step.before, is_open) and not isinstance(step.action, TALK):
            player = step.action.player
            true, listed = comparable(step.before, player), comparable_moves(position, player)
            assert true <= listed, (step.action, true - listed)
            if is_open and players < 5 and step.before.tp not in ("Trading", "Building"):
                assert listed == true, (step.action, listed - true)
            compared[step.before.tp] += 1
            for choice in position.legal_moves(player):
                position.copy().push(choice, random.Random(1))
        for event in events:
            assert isinstance(event, PlayerEvent)
            hidden = event if is_open else left_open(event)
            if hidden is not None:
                position.push(hidden)
        if not is_open and step.after.tp != "Discarding":
            for hand, held in zip(step.after.h, position.hands.values(), strict=True):
                assert covers(hand.rc, held.low.cards) and covers(held.high.cards, hand.rc), (step, hand, held)
        if step.after.is_over:
            assert position.winner == game.winner
    assert sum(compared.values()) > 60 and len(compared) >= 4, compared
    for _ in range(len(position.moves)):
        position.pop()
    assert (position.state.sup, position.to_move) == ("PhaseOne", (1,))


def is_compared(state: State, is_open: bool) -> bool:
    return state.tp != "Offering" and (is_open or state.tp != "Discarding")


def comparable(state: State, player: int) -> set[str]:
    left_out = (*TALK, a.EmptyBuild) if state.tp == "SpecialBuilding" else TALK
    return {repr(choice) for choice in catan_p2p.legal_actions(state, player) if not isinstance(choice, left_out)}


def comparable_moves(position: catan_p2p.Position, player: int) -> set[str]:
    return {repr(choice) for choice in position.legal_moves(player) if not isinstance(choice, TALK)}


def left_open(event: PlayerEvent) -> PlayerEvent | None:
    """The event as a ``.catan`` file tells it."""
    if isinstance(event, DevCardBought) or (isinstance(event, BanditMoved) and event.victim):
        return replace(event, card=None)
    return None if isinstance(event, CardsDiscarded) else event


def test_a_public_position_goes_on_by_choices(tmp_path: Path) -> None:
    catan_p2p.play(players=3, rules="brief", seed=2).save(tmp_path / "game.catan")
    game = catan_p2p.load(tmp_path / "game.catan")
    rng = random.Random(1)
    for steps in range(0, len(game), 9):
        position = game.position(steps)
        assert isinstance(position, catan_p2p.PublicPosition)
        for _ in range(12):
            if position.to_move and (moves := position.legal_moves(position.to_move[-1])):
                position.push(rng.choice(moves), rng)
        while position.moves:
            position.pop()
        assert repr(position) == repr(game.position(steps))
    roll = next(
        step for step in range(len(game)) if [type(move) for move in game.position(step).legal_moves()] == [Undrawn]
    )
    position = game.position(roll)
    with pytest.raises(catan_p2p.ChanceUndecided, match="name the dice"):
        position.push(position.legal_moves()[0])
    wrong = GameWon(position.to_move[0])
    with pytest.raises(RulesBroken, match=r"wins with \d points?, expected 10"):
        position.push(wrong)
    assert position.problems(wrong)
    position.push(wrong, is_strict=False)
    assert len(position.moves) == 1
