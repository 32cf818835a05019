"""Going on without a player: whom the game waits for, and how it continues without the player."""

from catan_p2p.game.actions.discard import owed
from catan_p2p.game.actions.drawing import ROBBERIES
from catan_p2p.game.actions.empty_build import next_special_builder
from catan_p2p.game.actions.parts import with_hand, with_seat
from catan_p2p.game.actions.roll_dice import first_cards
from catan_p2p.game.actions.roll_for_start import OUT, rolled
from catan_p2p.game.actions.turn import won
from catan_p2p.game.cards import NO_CARDS, total
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import (
    NO_CALL,
    NO_OFFER,
    NOTHING_HIDDEN,
    State,
    WayBack,
    first_phase,
    missed,
    no_answers,
    none_made,
)


def _changed(state: State, **values: object) -> State:
    """The state with these values of components; equal ones stay the same objects."""
    changes = {name: value for name, value in values.items() if getattr(state, name) != value}
    return state._replace(**changes) if changes else state  # type: ignore[arg-type]


def is_owing(state: State, player: Player) -> bool:
    """Whether the game waits for a reply of a player: ``OwesReply`` of the specification."""
    return state.tp != "Shuffling" and lacks_reply(state, player)


def lacks_reply(state: State, player: Player) -> bool:
    """Whether a reply of a player is missing, now or once the deck is shuffled: ``LacksReply`` of the specification."""
    is_asked = state.ans[player - 1] == "asked" and not state.constants.rules.table_talk
    return state.due[player - 1] or owed(state, player) > 0 or is_asked


def asked_for_cards_by(state: State, player: Player) -> Player:
    """The player who gets sealed cards by the reply that a player owes: a robber, or a monopolist; else nobody."""
    if state.hid is NOTHING_HIDDEN or not state.due[player - 1]:
        return NO_OWNER
    return state.ap if state.tp == "Surrendering" or state.call.what in ROBBERIES else NO_OWNER


def is_awaited(state: State, player: Player) -> bool:
    """Whether the game waits for a player: ``IsAwaited`` of the specification."""
    if is_owing(state, player):
        return True
    return state.to_act == player and not any(is_owing(state, other) for other in state.constants.players)


def all_awaited(state: State) -> tuple[Player, ...]:
    """The players whom the game waits for, by seat; none after the end. With table talk nobody has to answer."""
    return () if state.tp == "top" else tuple(player for player in state.constants.players if is_awaited(state, player))


def is_set_up(state: State) -> bool:
    """Whether the set-up is over, as far as leaving is concerned."""
    return state.phase != "bot" and state.tp != "Pledging"


def withholds(state: State, player: Player) -> bool:
    """Whether a draw that was called for, or a roll that is foreseen, waits for a player: ``Withholds``."""
    if state.constants.rules.chance == "actor":
        return False
    if state.tp == "Drawing":
        return state.due[player - 1] or state.caller == player
    return state.tp == "DiceRoll" and state.ap == player and state.is_ahead


def returns_limited(state: State, absent: Player) -> State:
    """The state in which one return at most is left to a player who holds back a share: a part of ``Unasked``.

    None is left before all have a part in draws and in the deck. It comes before anything is dropped, since a call that
    is dropped asks for no share.
    """
    most = 0 if is_preparing(state) else 1
    if state.ret[absent - 1].left <= most or (most and not withholds(state, absent)):
        return state
    return state._replace(ret=with_seat(state.ret, absent, WayBack(most, False)))


def is_preparing(state: State) -> bool:
    """Whether not all have pledged and told their keys for the deck, with which it is shuffled: ``IsPreparing``."""
    return state.tp == "Pledging" or (state.tp == "Shuffling" and state.hid.deck in ("keys", "first"))


def unasked(state: State, absent: Player) -> State:
    """The state in which the player owes nothing any more: the rest of ``Unasked`` of the specification."""
    due = with_seat(state.due, absent, False)
    # Shares told ahead were for rolls of the old round of players.
    ahead = (False,) * len(due)
    after = _changed(state, away=with_seat(state.away, absent, True), ahead=ahead, due=due)
    if state.hid is not NOTHING_HIDDEN:
        after = after._replace(hid=after.hid._replace(keyless=with_seat(after.hid.keyless, absent, True)))
    # The absent player may have owed the last pledge.
    if state.tp == "Pledging" and not any(due):
        after = after._replace(tp=first_phase(state.constants))
    if state.ans[absent - 1] in ("asked", "accept"):
        after = after._replace(ans=with_seat(state.ans, absent, "reject"))
    if state.prop[absent - 1] != NO_OFFER:
        after = after._replace(prop=with_seat(state.prop, absent, NO_OFFER))
    # The discard of half a hand is not dropped: it falls on the first cards instead.
    if owed(state, absent) and (n := max(0, total(state.h[absent - 1].rc) - state.lim[absent - 1])):
        hand = state.h[absent - 1].rc
        taken = first_cards(hand, n)
        after = after._replace(
            h=with_hand(state, absent, rc=hand - taken), bnk=state.bnk._replace(rc=state.bnk.rc + taken)
        )
    return after


def skipped(state: State, absent: Player) -> State:
    """The state in which the next turn begins and whatever the player had begun is dropped: ``Skipped``."""
    n = state.constants.player_count
    if state.ap == absent and state.ret[absent - 1].left:
        state = state._replace(ret=with_seat(state.ret, absent, missed(state.ret[absent - 1])))
    return won(
        _changed(
            _rested(state, absent).turn_passed,
            tp="DiceRoll",
            due=(False,) * n,
            dice=0,
            pd=0,
            sb=NO_OWNER,
            lim=(0,) * n,
            offer=NO_OFFER,
            ans=no_answers(n),
            prop=(NO_OFFER,) * n,
            made=none_made(n),
            call=NO_CALL,
        )
    )


def skipped_builder(state: State, absent: Player) -> State:
    """The state in which the next player builds between two turns: ``SkippedBuilder``."""
    builder = next_special_builder(state, absent)
    if builder == NO_OWNER:
        return skipped(state, absent)
    due = (False,) * len(state.due)
    return _changed(_rested(state, absent), tp="SpecialBuilding", sb=builder, call=NO_CALL, due=due)


def _rested(state: State, absent: Player) -> State:
    hand, hidden = state.h[absent - 1], state.hid
    if hidden.bought and (bought := hidden.bought[absent - 1]):
        held = with_seat(hidden.held, absent, hidden.held[absent - 1] + bought)
        state = state._replace(hid=hidden._replace(held=held, bought=with_seat(hidden.bought, absent, 0)))
    return state._replace(h=with_hand(state, absent, bc=NO_CARDS, ac=hand.ac + hand.bc)) if hand.bc else state


def _rolls_without(before: State, absent: Player) -> tuple[int, ...]:
    """The rolls for the start without a player, who counts as out: ``RollsWithout`` of the specification.

    If nobody who is there is left to begin, all who are there roll again.
    """
    rolls = with_seat(before.rolls, absent, OUT)
    if any(roll != OUT for roll in rolls):
        return rolls
    return tuple(OUT if is_away else 0 for is_away in with_seat(before.away, absent, True))


def without_in_setup(before: State, absent: Player) -> State:
    """The set-up without a player: ``SetupWithout`` and ``GameWithout`` of the specification."""
    after = unasked(before, absent)
    follower = after.next_player(absent)
    is_next = before.su_ap == absent
    if before.tp == "Drawing" and is_next:
        after = _changed(after, tp=before.phase, call=NO_CALL, due=(False,) * len(after.due))
    if before.sup == "Rolling":
        return rolled(after._replace(ap=1), _rolls_without(before, absent))
    first = before.first
    if first == absent:
        after = after._replace(first=follower)
    if after.ap == absent:
        after = after._replace(ap=follower)
    if not is_next:
        return after
    if before.sup == "PhaseOne":
        # The leaver was the last to place in the first round: the second begins in reverse order.
        if first != absent and follower == first:
            return after._replace(sup="PhaseTwo", su_ap=after.previous_player(absent))
        return after._replace(su_ap=follower)
    if first != absent:
        return after._replace(su_ap=after.previous_player(absent))
    after = after._replace(su_ap=follower)
    return won(after._replace(tp="DiceRoll")) if after.tp == "bot" else after


def hidden_dropped(state: State, absent: Player) -> State:
    """The state without anything hidden in progress that needs a player, as the others go on without them.

    A card that they have called for leaves with them, since they may have seen it. A theft from them is dropped, and so
    is a purchase for which shares are missing, or whose deck is lost. Shuffles end, and so does a monopoly's demand.
    """
    after, (what, phase, _, victim) = state.resumed, state.call
    if what == "BuyDevCard" and after.caller == absent:
        held = with_seat(after.hid.held, absent, after.hid.held[absent - 1] + 1)
        return after._replace(hid=after.hid._replace(held=held))
    nobody_due = (False,) * len(state.due)
    if (what in ROBBERIES and victim == absent) or is_purchase_dropped(state, absent):
        return _changed(after, tp=phase, call=NO_CALL, due=nobody_due)
    return _changed(after, due=nobody_due) if state.tp == "Surrendering" else after


def is_purchase_dropped(state: State, absent: Player) -> bool:
    """Whether another's purchase of a hidden card ends when a player leaves: it lacks shares, or the deck is lost."""
    return (
        state.call.what == "BuyDevCard"
        and state.resumed.caller != absent
        and (any(state.due) or is_deck_lost(state, absent))
    )


def is_deck_lost(state: State, absent: Player) -> bool:
    """Whether nobody can open the rest of the deck once a player leaves.

    Two have left before it was shuffled anew, or have left pieces of keys that were not told.
    """
    is_rest = state.tp == "Shuffling" and state.hid.deck == "rest"
    if state.hid.keyless[absent - 1]:
        return is_rest and not are_pieces_told(state)
    return (is_rest and absent >= state.to_act) or (any(state.away) and not are_pieces_told(state))


def are_pieces_told(state: State) -> bool:
    """Whether players tell the pieces of their keys that leavers gave: ``ArePiecesTold`` of the specification.

    If too many have left once, whoever is back or not, one player alone would know another's key.
    """
    returns = state.constants.rules.returns
    left = sum(away or way.left < returns for away, way in zip(state.away, state.ret, strict=True))
    return left <= state.constants.player_count - 3
