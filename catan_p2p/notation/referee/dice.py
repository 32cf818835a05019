"""The dice, what the tiles yield, and what a seven costs."""

from __future__ import annotations

from catan_p2p.cards import NO_CARDS, RESOURCES, Cards, count, covers
from catan_p2p.constants import Player
from catan_p2p.notation import hands
from catan_p2p.notation.events import DiceRolled
from catan_p2p.notation.referee.trial import Trial


def roll_dice(trial: Trial, event: DiceRolled) -> None:
    """The dice: what the tiles yield, or a seven."""
    player, dice = event.player, event.dice
    state = trial.state
    if trial.next_in_order(player):
        trial.end_turn(state.ap)
    elif state.tp in ("bot", "top") or state.ap != player or trial.position.is_knight:
        trial.acts(player, "rolls the dice", before_dice=True)
        trial.begin_turn(player)
    elif state.tp != "DiceRoll":
        trial.object("turn", f"{trial.name(player)} rolls the dice a second time")
    else:
        trial.notice_win(player)
    trial.set_state(dice=dice)
    if dice == 7:
        _seven(trial)
    else:
        trial.set_state(tp="Trading")
        _yield(trial, dice)


def _seven(trial: Trial) -> None:
    position = trial.position
    limit = position.rules.hand_limit
    due = []
    for player in position.players:
        hand = position.hand(player)
        owed = {n // 2 if n > limit else 0 for n in range(hand.least, min(hand.most, _MOST_CARDS) + 1)} or {0}
        due.append(min(owed) if len(owed) == 1 else -1)
        if not trial.table.says_discards:
            trial.set_hand(player, hands.lose_any(hand, min(owed), max(owed)))
    if trial.table.says_discards and any(due):
        trial.set(due=tuple(due))
        trial.set_state(tp="Discarding")
    else:
        trial.set_state(tp="MovingBandit")


_MOST_CARDS = 200


def _yield(trial: Trial, dice: int) -> None:
    """What the tiles yield: all of it, nothing or some of it, as far as it is known what the bank has."""
    position = trial.position
    state = position.state
    gains = dict.fromkeys(position.players, NO_CARDS)
    for producer in state.constants.board.producers.get(dice, ()):
        if producer.tile != state.ba:
            for player in position.players:
                villages = (state.s.villages[player - 1] & producer.corners).bit_count()
                cities = (state.s.cities[player - 1] & producer.corners).bit_count()
                gains[player] += producer.card * (villages + 2 * cities)
    wanted = sum(gains.values())
    if not wanted:
        return
    low, high = position.bank()
    if covers(low, wanted):
        for player, cards in gains.items():
            trial.set_hand(player, hands.gain(position.hand(player), cards))
    elif position.rules.shortage == "nobody":
        if covers(high, wanted):
            for player, cards in gains.items():
                trial.set_hand(player, hands.may_gain(position.hand(player), cards))
    else:
        _share_out(trial, gains, low, high)


def _share_out(trial: Trial, gains: dict[Player, Cards], low: Cards, high: Cards) -> None:
    """A shortage by the rule book: nobody gets a resource the bank lacks, unless one single player would get it."""
    for kind, resource in enumerate(RESOURCES):
        wanted = {player: count(cards, resource) for player, cards in gains.items() if count(cards, resource)}
        need, fewest, most = sum(wanted.values()), count(low, resource), count(high, resource)
        for player, n in wanted.items():
            hand = trial.position.hand(player)
            if len(wanted) == 1:
                trial.set_hand(player, hands.gain_between(hand, kind, min(n, fewest), min(n, most)))
            elif need <= fewest:
                trial.set_hand(player, hands.gain_between(hand, kind, n, n))
            elif need <= most:
                trial.set_hand(player, hands.gain_between(hand, kind, 0, n))
