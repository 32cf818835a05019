"""One event on trial: the position before it, what is wrong with it, and the position that it leads to all the same."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

from catan_p2p.game.actions.parts import with_hand, with_seat
from catan_p2p.game.cards import NO_CARDS, RESOURCES, Cards, count, covers, describe, pack, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import PLAY_PHASES, State
from catan_p2p.view.bounds import HandBounds, gain, gain_any, lose_any, pay
from catan_p2p.view.knowledge import PublicKnowledge


class ViewContext(NamedTuple):
    """The unchanging facts of a game: names, and what its file says or leaves to the reader."""

    names: tuple[str, ...]
    """The players by seat."""
    says_turn_ends: bool
    """Whether ends of turns are written; otherwise the next roll implies them."""
    says_discards: bool
    """Whether discards are written; otherwise a seven implies them."""
    spell_tile: Callable[[int], str]
    spell_node: Callable[[int], str]
    spell_edge: Callable[[int], str]
    checks_hands: bool = True
    """Whether the hands that events imply are judged; otherwise only what everybody sees."""
    is_typed: bool = True
    """Whether a person typed the lines, and may have undone some; a program writes only what happened."""
    hides_points: bool = False
    """Whether victory points count only once they are shown, whatever the rules."""
    usual_rules: str = "thesis"
    """The profile that games of the format are played by, unless the file shows another one."""

    def name(self, player: Player) -> str:
        """A player's name in messages."""
        return self.names[player - 1]


BreachKind: TypeAlias = Literal["turn", "place", "cards", "hands"]
"""``turn``: not now or not by this player; ``place``: not there; ``cards``: not with these cards or pieces, as
everybody sees; ``hands``: not with the resource cards that somebody can hold, or that the bank can have."""


class RuleBreach(NamedTuple):
    """A fault of an event."""

    kind: BreachKind
    text: str
    constant: str = ""
    """The rule constant of which another value would allow this; empty if there is none."""


class EventTrial:
    """Collects objections to one event while its effect is worked out.

    After an objection the position becomes one in which the event makes sense, so that the next event is not objected
    to for the same reason.
    """

    def __init__(self, table: ViewContext, known: PublicKnowledge) -> None:
        self.table = table
        self.known = known
        self.breaches: list[RuleBreach] = []
        self.doubt = ""
        """Why the hands are unknown from this event on; empty if they are not."""
        self._touched: set[Player] = set()

    @property
    def state(self) -> State:
        """The public state so far."""
        return self.known.state

    def object(self, kind: BreachKind, text: str, constant: str = "") -> None:
        """Record a breach, if its kind is judged."""
        if kind != "hands" or self.table.checks_hands:
            self.breaches.append(RuleBreach(kind, text, constant))

    def name(self, player: Player) -> str:
        """A player's name."""
        return self.table.name(player)

    def set(self, **changes: Any) -> None:
        """Change the position."""
        self.known = self.known._replace(**changes)

    def set_state(self, **changes: Any) -> None:
        """Change the public state."""
        self.known = self.known._replace(state=self.known.state._replace(**changes))

    def set_hand(self, player: Player, hand: HandBounds) -> None:
        """Change what is known of a player's resource cards."""
        self.known = self.known.with_hand(player, hand)
        self._touched.add(player)

    def conclude(self) -> PublicKnowledge:
        """The position after the event: hands that have changed, narrowed by what all others leave."""
        if not self._touched:
            return self.known
        # In a fixed order, for a narrowed hand leaves less to the next one.
        known = self.known.tightened(sorted(self._touched))
        if known is not None:
            return known
        if not self.doubt:
            self.object("hands", "more cards are in play than there are")
            self.open_hands("a roll, a trade, a robbery or a discard that is missing or not as it was")
        return self.known.with_open_hands()

    def open_hands(self, explanations: str) -> None:
        """The record of the cards contradicts itself: from now on the hands are unknown.

        Their bounds widen to all cards there are, and become narrower again as later events show cards.
        """
        if self.table.checks_hands:
            self.doubt = f"the cards do not add up, from here on all hands are open; possible are {explanations}"
        self.known = self.known.with_open_hands()

    def explain_lack(self, player: Player, cards: Cards) -> str:
        """The events that may be missing from the record, if a player held these cards after all."""
        known, hand = self.known, self.known.hand(player)
        lack = pack(max(0, n - held) for n, held in zip(unpack(cards), unpack(hand.high), strict=True))
        wanted = describe(lack) if lack else f"{total(cards) - hand.most} more cards"
        partners = [self.name(i) for i in known.players if i != player and covers(known.hand(i).high, lack)]
        found = []
        if partners and known.rules.domestic_trade:
            found.append(f"a trade of {self.name(player)}'s for {wanted} with {' or '.join(partners)}")
        if covers(known.bank.high, lack) and hand.most >= 2:
            found.append(f"a trade of {self.name(player)}'s for {wanted} with the bank")
        return ", ".join([*found, "an earlier roll, robbery or discard that is missing or not as it was"])

    # Cards

    def spend(self, player: Player, cost: Cards, what: str) -> None:
        """The player pays the bank, which they must be able to."""
        paid = self._lose(player, cost, what)
        self.set(bank=gain(self.known.bank, paid))

    def take_from_bank(self, player: Player, cards: Cards) -> None:
        """The player gets cards, which the bank must have."""
        bank = self.known.bank
        for resource in RESOURCES:
            wanted, left = count(cards, resource), count(bank.high, resource)
            if wanted > left:
                self.object("hands", f"the bank has {left} {resource}, {wanted} are taken")
        if not covers(bank.high, cards):
            self.open_hands("cards that went back to the bank without a line: a trade or a discard")
        self.set(bank=pay(self.known.bank, cards))
        self.set_hand(player, gain(self.known.hand(player), cards))

    def hand_over(self, player: Player, cards: Cards, other: Player) -> None:
        """The player gives cards to another one, which they must be able to."""
        self._lose(player, cards, "a trade")
        self.set_hand(other, gain(self.known.hand(other), cards))

    def _lose(self, player: Player, cards: Cards, what: str) -> Cards:
        """Take cards out of a hand; returns those that can have been in it."""
        hand = self.known.hand(player)
        if not hand.could_pay(cards):
            problem = f"{self.name(player)} cannot pay {describe(cards)} for {what}: {self._holding(hand)}"
            self.object("hands", problem)
            self.open_hands(self.explain_lack(player, cards))
            hand = self.known.hand(player)
        self.set_hand(player, pay(hand, cards))
        if covers(hand.high, cards):
            return cards
        return pack(min(n, held) for n, held in zip(unpack(cards), unpack(hand.high), strict=True))

    def _holding(self, hand: HandBounds) -> str:
        if hand.is_exact:
            return f"holds {describe(hand.low)}"
        number = f"{hand.least}" if hand.least == hand.most else f"{hand.least} to {hand.most}"
        return f"holds {number} cards, at most {describe(hand.high)}"

    def give_up(self, player: Player, fewest: int, most: int) -> None:
        """The player gives the bank ``fewest`` to ``most`` cards that nobody names."""
        hand = self.known.hand(player)
        self.set(bank=gain_any(self.known.bank, hand, fewest, most))
        self.set_hand(player, lose_any(hand, fewest, most))

    # Turns

    def acts(self, player: Player, what: str, *, before_dice: bool = False) -> None:
        """Object unless it is the player's turn, after the dice and after the bandit has moved."""
        state = self.state
        if state.tp == "top":
            self.object("turn", f"the game is over, {self.name(state.ap)} has won")
            self._enter(player)
        elif state.tp == "bot":
            self.object("turn", f"the set-up is not over, expected {self.awaited_in_setup()}")
            self._enter(player)
        elif state.ap != player:
            self.object("turn", f"{self.name(player)} {what}, but it is {self.name(state.ap)}'s turn")
            self._enter(player)
        elif self.known.is_knight:
            self.object("turn", f"{self.name(player)} {what}, but has to move the bandit first")
            self.set(is_knight=False)
        elif state.tp in ("Discarding", "MovingBandit"):
            self._expect_bandit()
            self._enter(player)
        elif state.tp == "DiceRoll" and not before_dice:
            self.object("turn", f"{self.name(player)} {what}, but has to roll the dice first")
            self._enter(player)
        self.notice_win(player)

    def builds(self, player: Player, what: str) -> None:
        """Object unless it is the player's turn, or the player may build in the special building phase."""
        state, known = self.state, self.known
        is_open = state.tp in PLAY_PHASES and not known.is_knight
        # In a file that leaves out ends of turns, another player who builds shows that the turn has ended.
        if known.rules.special_building and not self.table.says_turn_ends and is_open and player != state.ap:
            self.end_turn(state.ap)
            known = self.known
        if known.special < 0 or known.plays or known.is_knight:
            self.acts(player, what)
            return
        place = self.place_after_turn(player)
        if place == 0:
            self.object("turn", f"{self.name(player)} {what}, but has ended the turn")
        elif place < known.special:
            self.object("turn", f"{self.name(player)} {what}, but others build later in the special building phase")
        self.set(special=max(known.special, place))

    def place_after_turn(self, player: Player) -> int:
        """How many seats after the player whose turn has ended this player sits."""
        return (player - self.known.ended) % len(self.known.hands)

    def is_special_builder(self, player: Player) -> bool:
        """Whether the player is the last one who has built in the special building phase."""
        return self.known.special > 0 and self.place_after_turn(player) == self.known.special

    def _expect_bandit(self) -> None:
        owing = [self.name(player) for player, n in enumerate(self.known.due, 1) if n]
        if owing:
            self.object("turn", f"expected the discards of {' and '.join(owing)}", "HandLimit")
        else:
            self.object("turn", f"expected {self.name(self.state.ap)} to move the bandit")

    def notice_win(self, player: Player) -> None:
        """Object if the player should have won before this event."""
        known = self.known
        if known.rules.win_check != "at_once" or known.noticed_win:
            return
        points = known.points(player)
        if not (known.hides_points or known.unveils_victory_points or known.unknown(player)):
            points += known.hidden_points(player)[0]  # cards that the file names
        if points >= known.rules.points_to_win:
            self.object("turn", f"{self.name(player)} has {points} points and has won already", "PointsToWin")
            self.set(noticed_win=True)

    def _enter(self, player: Player) -> None:
        """Continue as if it were this player's turn."""
        n = len(self.known.hands)
        self.set(is_knight=False, settling=0, is_placed=False, due=(0,) * n)
        self.set_state(ap=player, su_ap=1, sup="PhaseTwo", tp=self.state.after_dice)

    def begin_turn(self, player: Player) -> None:
        """The player is next to roll the dice."""
        n = len(self.known.hands)
        self.set(plays=0, is_knight=False, settling=0, is_placed=False, due=(0,) * n, noticed_win=False, special=-1)
        self.set_state(ap=player, su_ap=1, sup="PhaseTwo", tp="DiceRoll", dice=0)

    def end_turn(self, player: Player) -> None:
        """The turn passes on: bought cards become available."""
        self.notice_win(player)
        known = self.known
        needed = known.rules.points_to_win
        if known.points(player) >= needed and known.rules.win_check == "turn_end" and not known.noticed_win:
            self.object(
                "turn",
                f"{self.name(player)} has {known.points(player)} points when the turn ends, "
                "expected the end of the game",
                "PointsToWin",
            )
        self.rest(player)
        self.begin_turn(self.state.next_player(player))
        self.set(special=0 if known.rules.special_building else -1, ended=player)

    def rest(self, player: Player) -> None:
        """Cards that the player has bought become available."""
        known = self.known
        hand = known.state.h[player - 1]
        if hand.bc:
            self.set_state(h=with_hand(known.state, player, bc=NO_CARDS, ac=hand.ac + hand.bc))
        if known.unknown_new[player - 1]:
            self.set(
                unknown_new=with_seat(known.unknown_new, player, 0),
                unknown_old=with_seat(known.unknown_old, player, known.unknown(player)),
            )

    def next_in_order(self, player: Player) -> bool:
        """Whether the player is next, if the turn under way has ended in a file that leaves out ends of turns."""
        state = self.state
        return (
            not self.table.says_turn_ends
            and state.tp in PLAY_PHASES
            and not self.known.is_knight
            and player == state.next_player(state.ap)
        )

    # The set-up

    def awaited_in_setup(self) -> str:
        """The next step of the set-up."""
        who = self.name(self.state.su_ap)
        if self.known.is_placed:
            return f"the end of {who}'s turn"
        return f"a road of {who}'s" if self.known.settling else f"a village of {who}'s"

    def advance_setup(self) -> None:
        """The next placement of the set-up, or the first turn."""
        state = self.state
        player, first = state.su_ap, state.first
        self.set(settling=0, is_placed=False)
        if state.sup == "PhaseOne":
            is_last = state.next_player(player) == first
            self.set_state(
                su_ap=player if is_last else state.next_player(player), sup="PhaseTwo" if is_last else "PhaseOne"
            )
        elif player != first:
            self.set_state(su_ap=state.previous_player(player))
        else:
            self.begin_turn(first)
