"""Discards after a seven, the bandit and its robberies."""

from catan_p2p.game.actions import robbery
from catan_p2p.game.actions.parts import with_seat
from catan_p2p.game.cards import ONE, total
from catan_p2p.view import bounds
from catan_p2p.view.advance.trial import EventTrial
from catan_p2p.view.events import BanditMoved, CardsDiscarded


def discard(trial: EventTrial, event: CardsDiscarded) -> None:
    """The cards that a player gives up after a seven."""
    player, cards, unseen = event.player, event.cards, event.unseen
    known, n = trial.known, total(cards) + unseen
    owed = known.due[player - 1]  # -1 if nobody knows how many: any number is accepted then
    if known.state.tp != "Discarding" or not owed:
        trial.object("hands", f"{trial.name(player)} discards {n} cards, but owes none", "HandLimit")
    elif owed > 0 and owed != n:
        trial.object("hands", f"{trial.name(player)} discards {n} cards, expected {owed}", "HandLimit")
        trial.open_hands("a trade, a robbery or a roll before that is missing or not as it was, or a wrong discard")
    trial.spend(player, cards, "a discard")
    trial.give_up(player, unseen, unseen)
    # One event is all that a player discards, even a wrong number: the next event is not objected to for it.
    if known.due[player - 1]:
        due = with_seat(known.due, player, 0)
        trial.set(due=due)
        if known.state.tp == "Discarding" and not any(due):
            trial.set_state(tp="MovingBandit")


def move_bandit(trial: EventTrial, event: BanditMoved) -> None:
    """The bandit moves, after a seven or a knight, and a card is stolen."""
    player, state = event.player, trial.state
    if trial.known.is_knight and player == state.ap:
        trial.set(is_knight=False)
    elif state.tp in ("Discarding", "MovingBandit") and player == state.ap:
        owing = [trial.name(other) for other, n in enumerate(trial.known.due, 1) if n > 0]
        if owing:
            missing = f"the bandit moves, expected the discards of {' and '.join(owing)} first"
            trial.object("turn", missing, "HandLimit")
        trial.set(due=(0,) * len(trial.known.hands))
        trial.set_state(tp=trial.state.after_dice)
    else:
        trial.acts(player, "moves the bandit")
        if not trial.breaches:
            trial.object(
                "turn", f"{trial.name(player)} moves the bandit, but has neither rolled a seven nor played a knight"
            )
    _check_tile(trial, event)
    _rob(trial, event)
    trial.set_state(ba=event.to)


def _check_tile(trial: EventTrial, event: BanditMoved) -> None:
    state, where = trial.state, trial.table.spell_tile(event.to)
    if not robbery.is_elsewhere(state, event.to):
        trial.object("place", f"the bandit stands on {where} already")
    if not robbery.is_land(state, event.to):
        trial.object("place", f"{where} is sea")
    if not robbery.is_target(state, event.player, event.to):
        why = (
            "has an adversary with fewer than three points, whom a friendly bandit spares"
            if state.constants.rules.bandit_targets == "friendly"
            else "has no adversary's settlement, which the thesis's rules ask for"
        )
        trial.object("place", f"{where} {why}")


def _rob(trial: EventTrial, event: BanditMoved) -> None:
    player, victim, card = event.player, event.victim, event.card
    known = trial.known
    where = trial.table.spell_tile(event.to)
    settled = known.state.constants.board.corners[event.to]
    if not victim:
        if card not in (None, "none"):
            trial.object("cards", f"1 {card} is stolen, but from nobody")
        there = [seat for seat in known.players if seat != player and known.state.s.of(seat) & settled]
        if there and all(known.hand(seat).least for seat in there):
            trial.object(
                "hands", f"nothing is stolen, but {' and '.join(map(trial.name, there))} on {where} must have cards"
            )
            trial.open_hands("a robbery that is missing, or a trade or a discard before it")
        return
    if victim == player or not known.state.s.of(victim) & settled:
        trial.object("place", f"{trial.name(victim)} is robbed, but has no settlement on {where}")
        if victim == player:
            return
    robbed, thief = known.hand(victim), known.hand(player)
    if card == "none":
        if robbed.least:
            trial.object("hands", f"nothing is stolen from {trial.name(victim)}, who has cards")
            trial.open_hands("a missing robbery, or a missing trade or discard before it")
    elif card is None:
        robbed, thief = bounds.rob(robbed, thief)
        trial.set_hand(victim, robbed)
        trial.set_hand(player, thief)
    else:
        if not robbed.could_pay(ONE[card]):
            trial.object("hands", f"1 {card} is stolen from {trial.name(victim)}, who cannot have any")
            trial.open_hands(trial.explain_lack(victim, ONE[card]))
            robbed, thief = trial.known.hand(victim), trial.known.hand(player)
        trial.set_hand(victim, bounds.pay(robbed, ONE[card]))
        trial.set_hand(player, bounds.gain(thief, ONE[card]))
