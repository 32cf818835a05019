"""Cases in which no two seats are alike, and in which nothing is as at the beginning of a game.

A position made by hand names what its case is about; everything else is as it was at first, and alike for all players:
a rule that looks at the wrong seat, or that puts something back to what it was at first, would not be noticed. So to
what an action neither looks at nor changes, ``asymmetric`` gives values that could be no others', before and after it.
Such a state need not be one of a game: what an action leaves alone it leaves alone in every state.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from catan_p2p.game.actions import KIND_OF, Action, ActionKind
from catan_p2p.game.actions.parameters import PLAYER, VICTIM
from catan_p2p.game.cards import ONE
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NO_OFFER, CalledDraw, Offer, PlacedSettlements, State, WayBack, initial_state
from tests.game.actions.cases import EffectCase

LOOKED_AT: dict[str, str] = {
    "Pledge": "due:other due:own hid.back hid.deck hid.shuffles",
    "Call": "ahead:other ahead:own ac:own away:named away:other call due:named due:other pd sb",
    "Reveal": "call due:own rc:own",
    "RollForStart": "call first rolls su_ap sup",
    "RollDice": "ahead:own away:other ba call dice lim:other lim:own rc:other rc:own",
    "MoveBandit": "away:named ba call lim:named lim:other lim:own rc:named sealed:named",
    "BuyDevCard": "call sb",
    "PlayKnight": "away:named ba call la pd rc:named uc:named uc:other uc:own",
    "Excuse": "ahead:named ahead:other ahead:own ans:named ans:other ans:own away:named away:other bc:named "
    "bought:named call dice due:named "
    "due:other due:own first hid.back hid.deck hid.shuffles hid.wanted lim:named lim:other lim:own "
    "made:named made:other made:own offer pd prop:named prop:other prop:own rc:named ret:named ret:other rolls sb "
    "su_ap sup",
    "Claim": "ahead:named ahead:other ahead:own ans:named ans:other ans:own away:named bc:named bought:named call dice "
    "due:named due:own lim:named "
    "lim:other lim:own made:named made:other made:own offer pd prop:named prop:other prop:own rc:named ret:named sb",
    "ComeBack": "ahead:named ahead:other ahead:own away:named hid.back hid.deck hid.shuffles rc:named ret:named "
    "sealed:named",
    "OfferTrade": "ans:other ans:own away:other made:own offer sealed:other",
    "OfferTradeTo": "ans:named ans:other ans:own away:named made:own offer",
    "EmptyBuild": "ac:other ahead:other ahead:own away:other bc:own bought:own dice due:other due:own held:other "
    "made:other made:own pd ret:other sb",
    "SetupPhaseOne": "away:other first road:own su_ap sup village:own",
    "SetupPhaseTwo": "away:other ba first road:own su_ap sup village:own",
    "Discard": "lim:own rc:own sealed:own",
    "AnswerTrade": "ans:own",
    "ConcludeTrade": "ans:named ans:other ans:own offer prop:named",
    "WithdrawTrade": "ans:other ans:own offer",
    "BuildRoad": "lr rc:own road:own sb",
    "PlayRoadBuilding": "lr pd road:own",
    "BuildCity": "city:own sb village:own",
    "BuildVillage": "lr sb village:own",
    "PlayMonopoly": "away:other due:other hid.back hid.wanted pd sealed:other",
    "PlayYearOfPlenty": "pd",
    "ProposeTrade": "ans:own made:own prop:own",
    "Shuffle": "away:other hid.back hid.deck hid.shuffles hid.wanted",
    "Surrender": "due:other due:own hid.back hid.wanted",
    "OpenAll": "due:own",
    "SignEnd": "due:own",
    "CloseGame": "away:other due:other due:own",
    "ShowPoint": "away:other due:other",
}
"""What each action looks at, or changes, in some of its cases; in all others it has another value."""

_UNHEARD = "SetupPhaseOne SetupPhaseTwo Excuse Claim ComeBack Shuffle CloseGame"
HEARD = " ".join(kind.name for kind in KIND_OF.values() if kind.cls.reply is None and kind.name not in _UNHEARD.split())
"""After these all proposals are over: the active player has gone on."""

Change = Callable[[State], State]


def asymmetric(case: EffectCase) -> EffectCase:
    """The case with other values of all that its action neither looks at nor changes, at the turn of another than 1."""
    if case.before.ap == 1 and case.before.constants.player_count > 2 and not is_by_seat(case):
        case = moved_up(case)
    looked_at = LOOKED_AT.get(type(case.action).__name__, "").split()
    for name, change in parts(case):
        if name not in looked_at:
            case = changed(case, name, change)
    return case


def is_by_seat(case: EffectCase) -> bool:
    """Whether seats mean more than their order: shuffles and rolls for the start begin with the lowest."""
    states = (case.before, case.after)
    return bool(case.before.constants.opening) or any(
        state.sup == "Rolling" or state.tp in ("Pledging", "Shuffling") for state in states
    )


_OWNERS = ("su_ap", "first", "ap", "sb", "lr", "la")
_OF_SEATS = ("rolls", "lim", "ans", "prop", "made", "due", "away", "ret", "ahead", "r", "h", "b")


def moved_up(case: EffectCase) -> EffectCase:
    """The case with everybody one seat further: the rules know seats only by their order, and that is a circle."""
    players = case.before.constants.player_count

    def seat(player: Player) -> Player:
        return player % players + 1 if player else player

    def turned(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return values if len(set(values)) == 1 else (*values[-1:], *values[:-1])

    def state(old: State) -> State:
        hid = old.hid._replace(
            **{name: turned(getattr(old.hid, name)) for name in ("sealed", "bought", "held", "keyless")}
        )
        return old._replace(
            **{name: seat(getattr(old, name)) for name in _OWNERS},
            **{name: turned(getattr(old, name)) for name in _OF_SEATS},
            s=PlacedSettlements(*map(turned, old.s)),
            call=old.call._replace(victim=seat(old.call.victim)),
            hid=hid if old.hid.sealed else old.hid,
        )

    named = {name: getattr(case.action, name) for name in ("player", *naming(KIND_OF[type(case.action)]))}
    action = replace(case.action, **{name: seat(player) for name, player in named.items()})  # type: ignore[type-var]
    return case._replace(action=action, before=state(case.before), after=state(case.after))


def naming(kind: ActionKind) -> list[str]:
    """The fields of an action that name another player."""
    return [name for name, domain in kind.parameters.items() if domain in (PLAYER, VICTIM)]


def changed(case: EffectCase, name: str, change: Change) -> EffectCase:
    """The case with another value of one part before and after, but that proposals may be over."""
    after = change(case.after)
    if name.startswith("prop") and type(case.action).__name__ in HEARD.split():
        after = after._replace(prop=(NO_OFFER,) * len(after.prop))
    return case._replace(before=change(case.before), after=after)


def role(action: Action, player: Player) -> Literal["own", "named", "other"]:
    """What a player is in an action: who acts, who is named, or another."""
    if player == action.player:
        return "own"
    return "named" if any(getattr(action, name) == player for name in naming(KIND_OF[type(action)])) else "other"


def parts(case: EffectCase) -> Iterator[tuple[str, Change]]:
    """The parts of a state, each with a change of it; a seat's is its own, that of who is named, or of another."""
    players = case.before.constants.player_count
    actor = case.action.player
    following, last = actor % players + 1, (actor - 2) % players + 1
    bystander = last if last != 1 else following
    begun = initial_state(case.before.constants)
    owes = case.before.due[actor - 1]
    yield "sup", _with(sup="PhaseOne" if begun.sup == "Rolling" else "Rolling")
    yield "su_ap", _with(su_ap=bystander)
    yield "first", _with(first=bystander)
    yield "rolls", _with(rolls=tuple(range(3, 3 + players)))
    yield "dice", lambda state: state._replace(dice=state.dice + 1)
    yield "pd", lambda state: state._replace(pd=state.pd + 3)
    yield "sb", _with(sb=following)
    yield "ba", _with(ba=30)
    yield "dp", lambda state: state._replace(dp=state.dp + ONE["YearOfPlenty"])
    yield "lr", _with(lr=following)
    yield "la", _with(la=last)
    yield "offer", _with(offer=_OFFER)
    yield "call", _with(call=CalledDraw("RollDice", "DiceRoll", 3, following))
    for player in case.before.constants.players:
        who = role(case.action, player)
        for name, change in _OF_A_SEAT.items():
            # Nobody acts who is away; beside one who replies another is there, and what others owe is turned round.
            if name == "away" and (who == "own" or (owes and player == following)):
                continue
            if name == "due" and who == "other" and owes:
                change = _otherwise_due
            yield f"{name}:{who}", partial(change, player=player)
    if case.before.hid.sealed:
        for name, value in (("shuffles", 1), ("wanted", "Lumber"), ("back", "DiceRoll"), ("deck", "rest")):
            yield f"hid.{name}", partial(_with_hidden, **{name: value})


_OFFER = Offer(ONE["Ore"], ONE["Wool"])


def _with(**values: Any) -> Change:
    return lambda state: state._replace(**values)


def _with_hidden(state: State, **values: Any) -> State:
    return state._replace(hid=state.hid._replace(**values))


def _at(values: tuple[Any, ...], player: Player, value: Any) -> tuple[Any, ...]:
    return (*values[: player - 1], value, *values[player:])


def _more(state: State, player: Player, name: str, least: int = 0) -> State:
    values = getattr(state, name)
    return state._replace(**{name: _at(values, player, values[player - 1] + least + player)})


def _is(state: State, player: Player, name: str, value: Any) -> State:
    return state._replace(**{name: _at(getattr(state, name), player, value)})


def _due(state: State, player: Player) -> State:
    return _is(state, player, "due", not initial_state(state.constants).due[player - 1])


def _otherwise_due(state: State, player: Player) -> State:
    return _is(state, player, "due", not state.due[player - 1])


def _brick(state: State, player: Player) -> State:
    bank = state.bnk._replace(rc=state.bnk.rc - player * ONE["Brick"])
    return _hand(state, player, "rc", ONE["Brick"])._replace(bnk=bank)


def _hand(state: State, player: Player, name: str, one: int) -> State:
    hand = state.h[player - 1]
    return _is(state, player, "h", hand._replace(**{name: getattr(hand, name) + player * one}))


def _piece(state: State, player: Player, name: str) -> State:
    return _is(state, player, "b", state.b[player - 1]._replace(**{name: 0}))


def _hidden(state: State, player: Player, name: str, each: int = 1) -> State:
    values = getattr(state.hid, name)
    return _with_hidden(state, **{name: _at(values, player, values[player - 1] + each * player)}) if values else state


_OF_A_SEAT: dict[str, Callable[..., State]] = {
    "lim": partial(_more, name="lim", least=90),
    "made": partial(_more, name="made"),
    "ans": partial(_is, name="ans", value="reject"),
    "prop": partial(_is, name="prop", value=_OFFER),
    "due": _due,
    "away": partial(_is, name="away", value=True),
    "ret": lambda state, player: _is(state, player, "ret", WayBack(player + 5, not state.ret[player - 1].missed)),
    "ahead": partial(_is, name="ahead", value=True),
    "rc": _brick,
    "bc": partial(_hand, name="bc", one=ONE["Knight"]),
    "ac": partial(_hand, name="ac", one=ONE["Knight"]),
    "uc": partial(_hand, name="uc", one=ONE["Knight"]),
    "road": partial(_piece, name="road"),
    "village": partial(_piece, name="village"),
    "city": partial(_piece, name="city"),
    "sealed": partial(_hidden, name="sealed", each=3),
    "bought": partial(_hidden, name="bought"),
    "held": partial(_hidden, name="held"),
}
