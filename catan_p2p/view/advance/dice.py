"""The dice, what the tiles yield, and what a seven costs."""

from collections.abc import Sequence

from catan_p2p.game.actions.roll_dice import first_cards
from catan_p2p.game.actions.roll_dice import production as yields
from catan_p2p.game.cards import NO_CARDS, RESOURCES, Cards, count, covers, multiples
from catan_p2p.game.constants import Player
from catan_p2p.view import bounds
from catan_p2p.view.advance.trial import EventTrial
from catan_p2p.view.events import DiceRolled
from catan_p2p.view.knowledge import PublicKnowledge


def roll_dice(trial: EventTrial, event: DiceRolled) -> None:
    """The dice: what the tiles yield, or a seven."""
    player, dice = event.player, event.dice
    state = trial.state
    if trial.next_in_order(player):
        trial.end_turn(state.ap)
    elif state.tp in ("bot", "top") or state.ap != player or trial.known.is_knight:
        # Always a breach, which ``acts`` words. The player's turn then begins with this roll.
        trial.acts(player, "rolls the dice", before_dice=True)
        trial.begin_turn(player)
    elif state.tp != "DiceRoll":
        trial.object("turn", f"{trial.name(player)} rolls the dice a second time")
    else:
        trial.notice_win(player)
    trial.set(special=-1)
    trial.set_state(dice=dice)
    if dice == 7:
        _seven(trial)
    else:
        trial.set_state(tp=trial.state.after_dice)
        for seat, (low, high) in enumerate(production(trial.known, dice), 1):
            if high:
                _pay_out(trial, seat, low, high - low)


def _pay_out(trial: EventTrial, player: Player, cards: Cards, possibly: Cards) -> None:
    hand, bank = bounds.gain(trial.known.hand(player), cards), bounds.pay(trial.known.bank, cards)
    if possibly:
        hand, bank = bounds.may_gain(hand, possibly), bounds.may_lose(bank, possibly)
    trial.set(bank=bank)
    trial.set_hand(player, hand)


def _seven(trial: EventTrial) -> None:
    known = trial.known
    due = []
    for player, away in enumerate(known.state.away, 1):
        owed = _owed(known, player)
        due.append(0 if away else min(owed) if len(owed) == 1 else -1)
        if away:
            take_first_cards(trial, player)
        elif not trial.table.says_discards:
            trial.give_up(player, min(owed), max(owed))
    if trial.table.says_discards and any(due):
        trial.set(due=tuple(due))
        trial.set_state(tp="Discarding")
    else:
        trial.set_state(tp="MovingBandit")


def _owed(known: PublicKnowledge, player: Player) -> set[int]:
    """How many cards a seven can cost a player."""
    hand, limit = known.hand(player), known.rules.hand_limit
    return {n // 2 if n > limit else 0 for n in range(hand.least, min(hand.most, _MOST_CARDS) + 1)} or {0}


def owed_discards(known: PublicKnowledge, player: Player) -> list[int]:
    """How many cards a player may still have to discard, fewest first; several numbers if nobody knows which."""
    due = known.due[player - 1]
    if due >= 0:
        return [due] if due else []
    return sorted(_owed(known, player) - {0})


def take_first_cards(trial: EventTrial, player: Player) -> None:
    """Take what a seven costs a player who is away: the first cards of the hand, in the order of resources."""
    hand, owed = trial.known.hand(player), _owed(trial.known, player)
    if hand.is_exact:
        trial.spend(player, first_cards(hand.low, min(owed)), "a seven")
    else:
        trial.give_up(player, min(owed), max(owed))


_MOST_CARDS = 200
"""More than all resource cards of a game; a record that breaks the rules may have hands of any size."""


def production(known: PublicKnowledge, dice: int) -> list[tuple[Cards, Cards]]:
    """What each player gains from a roll other than seven, by seat: certainly, and at most.

    The two differ where it is not known what the bank has.
    """
    state = known.state
    gains = yields(state.constants.board, state.s, state.ba, dice)
    wanted, low, high = sum(gains), known.bank.low, known.bank.high
    if covers(low, wanted):
        return [(cards, cards) for cards in gains]
    if known.rules.shortage == "nobody":
        is_possible = covers(high, wanted)
        return [(NO_CARDS, cards if is_possible else NO_CARDS) for cards in gains]
    return _share_out(gains, low, high)


def _share_out(gains: Sequence[Cards], low: Cards, high: Cards) -> list[tuple[Cards, Cards]]:
    """A shortage by the rule book: nobody gets a resource the bank lacks, unless one single player would get it."""
    shares = [(NO_CARDS, NO_CARDS)] * len(gains)
    for resource in RESOURCES:
        wanted = [count(cards, resource) for cards in gains]
        need, fewest, most = sum(wanted), count(low, resource), count(high, resource)
        is_single = sum(n > 0 for n in wanted) == 1
        for i, n in enumerate(wanted):
            least = n if need <= fewest else min(n, fewest) if is_single else 0
            utmost = n if need <= most else min(n, most) if is_single else 0
            so_far, at_most = shares[i]
            shares[i] = so_far + multiples(resource, least), at_most + multiples(resource, utmost)
    return shares
