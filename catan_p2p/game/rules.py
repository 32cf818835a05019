"""What can be done in a state, and what it leads to: the specification's ``Next`` as functions."""

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from random import Random
from typing import Any, TypeAlias, cast

from catan_p2p.game.actions import (
    ACTIONS,
    HIDDEN_ACTIONS,
    KIND_OF,
    Action,
    ActionKind,
    BuyDevCard,
    Call,
    ConcludeTrade,
    MoveBandit,
    NumberSource,
    OfferTrade,
    OfferTradeTo,
    PlayKnight,
    ProposeTrade,
    Robbery,
    RollDice,
    RollForStart,
)
from catan_p2p.game.actions.offering import random_sides
from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.actions.robbery import stealable
from catan_p2p.game.actions.sign_end import ended
from catan_p2p.game.cards import BORROW_BITS, DEV_CARDS, Cards, kinds
from catan_p2p.game.constants import (
    NO_OWNER,
    PROFILES,
    STANDARD,
    THESIS,
    Constants,
    Player,
    Rules,
    UnsupportedRules,
    profile,
)
from catan_p2p.game.hidden import disclosed, possible_instances
from catan_p2p.game.state import (
    NO_CALL,
    NO_TILE,
    NOTHING_HIDDEN,
    TURN_PHASES,
    Drawn,
    SetupPhase,
    State,
    TurnPhase,
    initial_state,
)

Guards: TypeAlias = Callable[[State, Any], tuple[str, ...]]
"""Gives the tags of the guards of an action that do not hold."""


class NotEnabled(Exception):
    """An action whose guards do not all hold; ``guards`` are the tags of those that do not."""

    def __init__(self, action: Action, guards: tuple[str, ...]) -> None:
        super().__init__(action, guards)
        self.action = action
        self.guards = guards

    def __str__(self) -> str:
        return f"{self.action} is not enabled: {', '.join(self.guards)}"


@lru_cache(maxsize=1 << 8)
def _kinds_in(constants: Constants) -> dict[TurnPhase, tuple[ActionKind, ...]]:
    """Which actions a phase may enable by the rules of a game: only a short cut, a test holds it against the guards."""
    rules = constants.rules
    has = {None: True, "table_talk": rules.table_talk, "leaving": rules.leaving, "offers_to_one": rules.offers_to_one}
    has |= {"chance": rules.chance == "joint", "hands": rules.hands == "hidden", "returns": rules.returns > 0}

    def is_possible(cls: type[Action], phase: TurnPhase) -> bool:
        if cls is OfferTrade and not rules.domestic_trade:
            return False
        if cls is ConcludeTrade and not rules.table_talk:
            return phase == "Offering"
        if cls.unveils and cls.rule is None and phase == "DiceRoll":
            return rules.dev_card_before_dice
        return phase in cls.phases and has[cls.rule]

    kinds = (*ACTIONS, *HIDDEN_ACTIONS)
    return {phase: tuple(kind for kind in kinds if is_possible(kind.cls, phase)) for phase in TURN_PHASES}


@lru_cache(maxsize=1 << 8)
def _priced_kinds_in(constants: Constants) -> dict[TurnPhase, tuple[tuple[ActionKind, Cards, bool], ...]]:
    """The same, each with its price and whether it plays an available development card."""
    return {
        phase: tuple((kind, kind.cls.cost, bool(kind.cls.unveils) and kind.cls.rule is None) for kind in kinds)
        for phase, kinds in _kinds_in(constants).items()
    }


def enabled(state: State, player: Player) -> list[Action]:
    """Every action that the player can take, with all outcomes of chance, in the order of ``ACTIONS``.

    Where offers have no bound, the largest are left out: see ``actions.offering.LISTED``. Where hands are hidden, these
    are all that may be true as far as everybody knows.
    """
    kinds = _kinds_in(state.constants)[state.tp]
    if state.hid is NOTHING_HIDDEN:
        return [one for kind in kinds for one in kind.instances(state, player)]
    listed = (one for kind in kinds for one in possible_instances(kind, state, player))
    return [one for one in listed if not broken_guards(state, one)]


def decisions(state: State, player: Player) -> list[Action]:
    """What the player can decide, in the order of ``ACTIONS``: one representative for all outcomes of chance.

    One offer stands for all offers, too; any enabled action may be taken in its place.
    """
    found: list[Action] = []
    hand = state.h[player - 1]
    resources = hand.rc | BORROW_BITS
    for kind, cost, plays in _priced_kinds_in(state.constants)[state.tp]:
        # Most of what a phase has cannot be paid for, or needs a card that is not there.
        if resources - cost & BORROW_BITS == BORROW_BITS and (hand.ac or not plays):
            found += kind.decisions(state, player)
    return found


def any_offer(state: State, decision: Action, rng: Random) -> Action:
    """A decision as it is; one that stands for all offers, or all proposals, becomes a random one of them."""
    if isinstance(decision, OfferTradeTo):
        player, partner = decision.player, decision.partner
        return OfferTradeTo(player, partner, *random_sides(state, player, rng, (partner,)))
    if not isinstance(decision, OfferTrade | ProposeTrade):
        return decision
    return type(decision)(decision.player, *random_sides(state, decision.player, rng))


def draw(state: State, action: Action, rng: NumberSource) -> Action:
    """The same decision with its outcome of chance drawn; an action without chance is returned as it is."""
    kind = KIND_OF[type(action)]
    return action if kind.draw is None else kind.draw(state, action, rng)


def draw_or_call(state: State, action: Action, rng: NumberSource) -> Action:
    """What a player logs after deciding on an action: a call where all draw its outcome together, else the action.

    The outcome that ``action`` names is replaced by a drawn one.
    """
    if state.constants.rules.chance == "joint" and action.drawn is not None:
        call = call_of(action)
        if not broken_guards(state, call):
            return call
    return draw(state, action, rng)


def call_of(action: Action) -> Call:
    """The call for an action with an outcome of chance."""
    to, victim = (action.to, action.victim) if isinstance(action, Robbery) else (NO_TILE, NO_OWNER)
    return Call(action.player, cast(Drawn, KIND_OF[type(action)].name), to, victim)


def called_for(state: State, call: Call) -> Action:
    """What a call decides on, with one representative for all outcomes."""
    player, what, to, victim = call.player, call.what, call.to, call.victim
    if what == "MoveBandit":
        return MoveBandit(player, to, victim, stealable(state, victim)[0])
    if what == "PlayKnight":
        return PlayKnight(player, to, victim, stealable(state, victim)[0])
    if what == "BuyDevCard":
        is_hidden = state.hid is not NOTHING_HIDDEN
        return BuyDevCard(player, "sealed" if is_hidden else DEV_CARDS[kinds(state.bnk.dc)[0]])
    sum = state.constants.rules.dice[0]
    return RollDice(player, sum) if what == "RollDice" else RollForStart(player, sum)


def settlement(state: State, numbers: NumberSource) -> Action:
    """The action that settles the draw under way, with the outcome that ``numbers`` give.

    Before the dice it is the roll whose shares were told ahead.
    """
    if state.tp == "DiceRoll":
        return draw(state, RollDice(state.ap, state.constants.rules.dice[0]), numbers)
    _, _, to, victim = state.call
    assert state.call.what != "none"
    return draw(state, called_for(state, Call(state.caller, state.call.what, to, victim)), numbers)


def broken_guards(state: State, action: Action) -> tuple[str, ...]:
    """Tags of the action's guards that do not hold, in order; none if it is enabled."""
    if state.hid is not NOTHING_HIDDEN:
        state = disclosed(state, action).state
    return KIND_OF[type(action)].broken(state, action)


def refused_kinds(state: State, player: Player) -> tuple[bool, ...]:
    """For each of ``ACTIONS``, whether one of its guards refuses all of the player's instances, whatever they are.

    Such guards look at the rules, the phase, the stage or the turn. False says nothing. What an action brings into the
    open where hands are hidden changes none of them.
    """
    turns = state.ap == player, state.su_ap == player, state.sb == player
    guards = tuple(map(_GUARDS_OF, KIND_OF.values()))
    return _refused(guards, state.constants, state.tp, state.phase, state.sup, turns)


_GUARDS_OF: Callable[[ActionKind], Guards] = attrgetter("broken")


_OF_AN_INSTANCE = frozenset({"CA2 phase", "CA3 stage", "CA4 turn"})
"""Guards on the phase, the stage or the turn that depend on what is called for."""


@lru_cache(maxsize=1 << 12)
def _refused(
    guards: tuple[Guards, ...],
    constants: Constants,
    tp: TurnPhase,
    phase: TurnPhase,
    stage: SetupPhase,
    turns: tuple[bool, bool, bool],
) -> tuple[bool, ...]:
    """The same by what it depends on, as one instance of each kind meets it that a player takes.

    ``guards`` are those of each kind, ``turns`` tells whether it is this player's turn, in the set-up, and to build.
    """
    me, other = 1, 2
    ap, su_ap, sb = (me if is_theirs else other for is_theirs in turns)
    state = initial_state(constants)._replace(tp=tp, sup=stage, ap=ap, su_ap=su_ap, sb=sb)
    if tp == "Drawing":
        state = state._replace(call=NO_CALL._replace(tp=phase))
    elif tp == "Surrendering" and state.hid is not NOTHING_HIDDEN:
        state = state._replace(hid=state.hid._replace(back=phase))
    tried = zip(guards, _one_of_each(constants, me), strict=False)
    return tuple(any(map(_refuses_all, broken(state, action))) for broken, action in tried)


@lru_cache(maxsize=1 << 8)
def _refuses_all(tag: str) -> bool:
    return tag.endswith((" rule", " phase", " stage", " turn")) and tag not in _OF_AN_INSTANCE


@lru_cache(maxsize=1 << 8)
def _one_of_each(constants: Constants, player: Player) -> tuple[Action, ...]:
    return tuple(kind.sample(constants, player, Random(0)) for kind in ACTIONS)


def apply(state: State, action: Action) -> State:
    """The state after an action; ``NotEnabled`` with the tags of the broken guards if it cannot be taken.

    Components that do not change are the very same objects before and after. The parameters must be in their domains.
    """
    kind = KIND_OF[type(action)]
    is_open = state.hid is NOTHING_HIDDEN
    guards = kind.broken(state, action) if is_open else broken_guards(state, action)
    if guards:
        raise NotEnabled(action, guards)
    return kind.effect(state, action) if is_open else _hidden_effect(state, action)


def effect(state: State, action: Action) -> State:
    """The state after an action that is known to break no guard."""
    if state.hid is not NOTHING_HIDDEN:
        return _hidden_effect(state, action)
    return KIND_OF[type(action)].effect(state, action)


def _hidden_effect(state: State, action: Action) -> State:
    """The same where hands are hidden: with the end begins what comes before the openings of all cards."""
    after = KIND_OF[type(action)].effect(disclosed(state, action).state, action)
    return ended(after) if after.is_over and not state.is_over else after


def awaited(state: State) -> tuple[Player, ...]:
    """Whose action the game waits for: those who owe a reply, else whose turn it is.

    After the end it waits for nobody, but where hands were hidden for signatures, and for the openings of all cards.
    """
    if state.tp == "top":
        return tuple(player for player, due in enumerate(state.due, 1) if due)
    if state.tp == "bot":
        return (state.su_ap,)
    if state.tp == "Shuffling":
        return (state.to_act,)
    if state.tp in _SHARING_PHASES:
        return tuple(player for player, due in enumerate(state.due, 1) if due) or (state.to_act,)
    if state.tp in _REPLY_PHASES:
        owing = tuple(player for player in state.constants.players if owes_reply(state, player))
        if owing:
            return owing
    return (state.builder,)


_REPLY_PHASES = frozenset({"Discarding", "Offering"})
_SHARING_PHASES = frozenset({"Pledging", "Drawing", "Surrendering", "Signing"})


__all__ = [
    "PROFILES",
    "STANDARD",
    "THESIS",
    "Constants",
    "NotEnabled",
    "Rules",
    "UnsupportedRules",
    "any_offer",
    "apply",
    "awaited",
    "broken_guards",
    "call_of",
    "called_for",
    "decisions",
    "draw",
    "draw_or_call",
    "effect",
    "enabled",
    "initial_state",
    "profile",
    "refused_kinds",
    "settlement",
]
