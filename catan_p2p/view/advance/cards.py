"""Development cards, bought and played."""

from catan_p2p.game.actions.parts import COST_DEV_CARD, with_seat
from catan_p2p.game.actions.placement import open_roads
from catan_p2p.game.cards import FIELD_MAX, ONE, RESOURCES, DevCard, count, total
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import largest_army_holder
from catan_p2p.view import bounds
from catan_p2p.view import events as e
from catan_p2p.view.advance.building import begin_building, extend_network, pass_longest_road
from catan_p2p.view.advance.trial import EventTrial


def buy_card(trial: EventTrial, event: e.DevCardBought) -> None:
    """A development card, known or not."""
    player, card = event.player, event.card
    trial.builds(player, "buys a development card")
    trial.spend(player, COST_DEV_CARD, "a development card")
    known = trial.known
    pool = total(known.rules.dev_card_pool)
    out = sum(total(hand.bc + hand.ac + hand.uc) for hand in known.state.h) + total(known.state.dp)
    if out + sum(known.unknown_new) + sum(known.unknown_old) >= pool:
        trial.object("cards", f"all {pool} development cards are bought")
    elif card is not None and not known.kinds_left(card):
        trial.object("cards", f"there is no {card} card left")
    else:
        # what is bought in the special building phase can be played in the player's next turn, which is later
        is_unveiled = card == "VictoryPoint" and known.unveils_victory_points
        change_pile(trial, player, "uc" if is_unveiled else "ac" if trial.is_special_builder(player) else "bc", card, 1)
    begin_building(trial)


def change_pile(trial: EventTrial, player: Player, pile: str, card: DevCard | None, by: int) -> None:
    """Add ``by`` development cards to one of a player's piles, if the pile can hold that number.

    Only a game that breaks the rules exceeds it. None is a card that nobody has named, in the pile of new cards
    (``bc``) or of playable ones (``ac``).
    """
    hand = trial.state.h[player - 1]
    if card is None:
        field = "unknown_new" if pile == "bc" else "unknown_old"
        numbers = getattr(trial.known, field)
        trial.set(**{field: with_seat(numbers, player, numbers[player - 1] + by)})
        return
    cards = getattr(hand, pile)
    if 0 <= count(cards, card) + by <= FIELD_MAX:
        changed = hand._replace(**{pile: cards + by * ONE[card]})
        trial.set_state(h=with_seat(trial.state.h, player, changed))


def _play(trial: EventTrial, player: Player, card: DevCard) -> None:
    """Take a card out of a player's hand, who must be able to hold it and to play it now."""
    rules = trial.known.rules
    what = f"plays a {card} card"
    # In a file that leaves out ends of turns, a card before the dice begins the next player's turn.
    if rules.dev_card_before_dice and trial.next_in_order(player):
        trial.end_turn(trial.state.ap)
    trial.acts(player, what, before_dice=rules.dev_card_before_dice)
    trial.set(special=-1)
    known = trial.known
    if rules.dev_cards_per_turn and known.plays >= rules.dev_cards_per_turn:
        trial.object("turn", f"{trial.name(player)} {what}, the second one in a turn")
    trial.set(plays=known.plays + 1)
    i, hand = player - 1, known.state.h[player - 1]
    if count(hand.ac, card):  # a card known to be this one, before one of unknown kind that may be another
        change_pile(trial, player, "ac", card, -1)
    elif known.unknown_old[i] and known.kinds_left(card):
        change_pile(trial, player, "ac", None, -1)
    elif count(hand.bc, card) or known.unknown_new[i]:
        trial.object("cards", f"{trial.name(player)} {what}, but bought it this turn")
        change_pile(trial, player, "bc", card if count(hand.bc, card) else None, -1)
    else:
        trial.object("cards", f"{trial.name(player)} {what}, but cannot hold one")


def play_knight(trial: EventTrial, event: e.KnightPlayed) -> None:
    """A knight; the bandit moves next."""
    _play(trial, event.player, "Knight")
    change_pile(trial, event.player, "uc", "Knight", 1)
    trial.set(is_knight=True)
    holder = largest_army_holder(trial.state)
    if holder != trial.state.la:
        trial.set_state(la=holder)


def _progress(trial: EventTrial, player: Player, card: DevCard) -> None:
    _play(trial, player, card)
    if count(trial.state.dp, card) < FIELD_MAX:
        trial.set_state(dp=trial.state.dp + ONE[card])


def play_road_building(trial: EventTrial, event: e.RoadBuildingPlayed) -> None:
    """Roads that cost nothing."""
    player = event.player
    _progress(trial, player, "RoadBuilding")
    roads = [at for at in (event.first, event.second) if at is not None]
    if len(roads) < trial.known.rules.road_building_needs:
        needed = trial.known.rules.road_building_needs
        trial.object(
            "cards", f"{trial.name(player)} builds {len(roads)} roads with a RoadBuilding card, expected {needed}"
        )
    for at in roads:
        extend_network(trial, player, at)
    if len(roads) == 1 and trial.state.b[player - 1].road and open_roads(trial.state, player):
        trial.object("cards", f"{trial.name(player)} builds 1 road with a RoadBuilding card, a second is possible")
    pass_longest_road(trial)


def play_year_of_plenty(trial: EventTrial, event: e.YearOfPlentyPlayed) -> None:
    """Two cards from the bank."""
    _progress(trial, event.player, "YearOfPlenty")
    if event.first is None or event.second is None:
        bank = trial.known.bank
        trial.set_hand(event.player, bounds.gain_any(trial.known.hand(event.player), bank, 2, 2))
        trial.set(bank=bounds.lose_any(bank, 2, 2))
        return
    trial.take_from_bank(event.player, ONE[event.first] + ONE[event.second])


def play_monopoly(trial: EventTrial, event: e.MonopolyPlayed) -> None:
    """All cards of one resource."""
    player, kind = event.player, RESOURCES.index(event.resource)
    _progress(trial, player, "Monopoly")
    fewest = most = 0
    for other in trial.known.players:
        if other != player:
            hand, at_least, at_most = bounds.take_all(trial.known.hand(other), kind)
            trial.set_hand(other, hand)
            fewest, most = fewest + at_least, most + at_most
    trial.set_hand(player, bounds.gain_between(trial.known.hand(player), kind, fewest, most))


def show_victory_point(trial: EventTrial, event: e.VictoryPointPlayed) -> None:
    """A victory point that is unveiled."""
    player = event.player
    known, i = trial.known, event.player - 1
    state, hand = known.state, known.state.h[i]
    if state.tp in ("bot", "top") or not (state.ap == player or trial.is_special_builder(player)):
        trial.object("turn", f"{trial.name(player)} shows a victory point, but it is not their turn")
    if count(hand.uc, "VictoryPoint") > known.shown[i]:
        pass  # it was unveiled when it was bought
    elif pile := next((pile for pile in ("ac", "bc") if count(getattr(hand, pile), "VictoryPoint")), None):
        change_pile(trial, player, pile, "VictoryPoint", -1)
        change_pile(trial, player, "uc", "VictoryPoint", 1)
    elif known.unknown(player) and known.kinds_left("VictoryPoint"):
        # a card bought this turn is the likelier one, and leaves the older ones to be played
        change_pile(trial, player, "bc" if known.unknown_new[i] else "ac", None, -1)
        change_pile(trial, player, "uc", "VictoryPoint", 1)
    else:
        trial.object("cards", f"{trial.name(player)} shows a victory point, but cannot hold one")
    trial.set(shown=with_seat(known.shown, player, known.shown[i] + 1))
