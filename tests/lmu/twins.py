"""Two tables whose games differ only in cards that one viewer may not see; both are told the same.

The twin's hidden cards are dealt anew from time to time, and what others do with theirs (discards, thefts,
purchases) comes out differently. Where the rules themselves make hidden cards public (a payment that the other
hand could not make, a monopoly, a shortage, a win), the twin gets the hands that this needs.
"""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

from catan_p2p import actions as a
from catan_p2p.game.actions.robbery import stealable
from catan_p2p.game.cards import DEV_CARDS, ONE, RESOURCES, Cards, count, kinds, selections, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import Bank, Hand, State
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.computer_player import ComputerPlayer
from catan_p2p.lmu.requests import messages_of
from catan_p2p.lmu.seats import TableMember
from catan_p2p.lmu.session import MAX_OFFERS
from catan_p2p.lmu.table import LmuTable
from tests.lmu.memory_game import MemoryGame, table_of, told_to


def dealt_anew(state: State, keep: set[Player], rng: Random) -> State:
    """The state with the cards of all but these players dealt anew among them; development cards with the deck."""
    if state.is_over:  # the winner's points are everybody's business then, as soon as special building is over
        return state
    others = [player for player in state.constants.players if player not in keep]
    deck = [
        kind for p in others for kind, n in zip(RESOURCES, unpack(state.h[p - 1].rc), strict=True) for _ in range(n)
    ]
    rng.shuffle(deck)
    cards = [kind for kind, n in zip(DEV_CARDS, unpack(state.bnk.dc), strict=True) for _ in range(n)]
    for p in others:
        hand = state.h[p - 1]
        hidden = hand.bc + hand.ac + ONE["VictoryPoint"] * count(hand.uc, "VictoryPoint")
        cards += [kind for kind, n in zip(DEV_CARDS, unpack(hidden), strict=True) for _ in range(n)]
    rng.shuffle(cards)
    hands = list(state.h)
    for p in others:
        hand = state.h[p - 1]
        rc = sum(ONE[deck.pop()] for _ in range(total(hand.rc)))
        old = [cards.pop() for _ in range(total(hand.ac) + count(hand.uc, "VictoryPoint"))]
        new = [cards.pop() for _ in range(total(hand.bc))]
        points = ONE["VictoryPoint"] * (old + new).count("VictoryPoint")
        hands[p - 1] = Hand(rc, pile(new), pile(old), ONE["Knight"] * count(hand.uc, "Knight") + points)
    again = state._replace(h=tuple(hands), bnk=Bank(state.bnk.rc, sum(ONE[card] for card in cards)))
    won = any(player_points(again, p) >= again.constants.rules.points_to_win for p in others)
    return state if won and not state.is_over else again


def pile(cards: list[Any]) -> Cards:
    return sum(ONE[card] for card in cards if card != "VictoryPoint")


class Impossible(Exception):
    """The twin's hidden cards could not have led to what the viewer may see."""


class Twins:
    """A table, its twin, and the viewer who must not be able to tell them apart."""

    def __init__(self, players: int, seed: int, policy: str) -> None:
        self.rng = Random(f"twins/{seed}")
        self.table, self.members, self.game, _ = table_of(players, seed, strict=True)
        self.twin, self.twin_members, self.twin_game, _ = table_of(players, seed, strict=True)
        self.viewer = self.rng.randint(1, players)
        self.computers = [
            ComputerPlayer(policy, player, Random(f"{seed}/{player}")) for player in range(1, players + 1)
        ]
        self.compared: Counter[str] = Counter()
        """By kind of message: how often the viewer was told the same while hidden cards differed."""
        self.refused: set[a.Action] = set()
        self.offered: dict[Player, int] = {}
        self.is_equal = False
        """Whether what is drawn is the same at both: the card that wins a game is everybody's business, too."""

    def play(self, max_steps: int) -> None:
        assert self.table.play is not None
        for _ in range(max_steps):
            if self.table.is_over:
                return
            if self.rng.random() < 0.3:
                self.deal(set())
            if self.rng.random() < 0.1:
                self.say(self.viewer, self.rng.choice(NONSENSE))
            self.move()

    def deal(self, keep: set[Player]) -> None:
        """Let the twin's hidden cards differ from the table's, but for these players' hands."""
        self.twin_game.state = dealt_anew(self.game.state, {self.viewer, *keep}, self.rng)

    # What players do

    def move(self) -> None:
        """Somebody does what a player would: answers an offer, settles one, or goes on with the turn."""
        play = self.table.play
        assert play is not None
        for offer in play.offers.values():
            for computer in self.computers:
                if computer.player != offer.player and computer.player not in offer.answers:
                    accepts = computer.accepts(play.state, offer)
                    self.say(computer.player, m.AnswerTradeRequest(offer.id, accepts))
                    return
            partner = self.computers[offer.player - 1].concludes_with(play.state, offer)
            if partner is None:
                self.say(offer.player, m.CancelTrade(offer.id))
            else:
                self.say(offer.player, m.ConcludeTradeRequest(offer.id, play.names.id(partner)))
            return
        player = next(p for p in self.game.state.constants.players if play.status(p) != "Warten")
        action = self.computers[player - 1].decide(
            play.state_for(player),
            lambda action: action not in self.refused,
            offers=play.offers_made < MAX_OFFERS,
            village=play.village,
        )
        sent = [m.EndTurn()] if action is None else messages_of(play.names, action)[1 if play.village else 0 :]
        for message in sent:
            if self.say(player, message):
                self.refused.clear()
            elif action is not None:
                self.refused.add(action)

    def say(self, player: Player, message: Any) -> bool:
        """A message at both tables: the viewer must hear the same. Whether it was allowed."""
        seen_before, state_before = self.snapshot()
        log_before = len(self.game.log)
        self.table.receive(self.members[player - 1], message)
        outbox = self.table.take_outbox()
        allowed = (self.members[player - 1], m.RequestReply("OK")) in outbox
        heard = [m.write_message(one) for to, one in outbox if to is self.members[self.viewer - 1]]
        done = self.game.log[log_before:]
        everybody = set(self.game.state.constants.players)
        for keep in (set(), {player}, everybody):
            self.is_equal = keep == everybody
            if keep:
                self.restore(seen_before)
                self.twin_game.state = dealt_anew(state_before, {self.viewer, *keep}, self.rng)
            differs = self.twin_game.state.h != state_before.h
            twin_heard = self.say_to_twin(player, message, done, allowed)
            if twin_heard is not None:
                break
        else:
            raise AssertionError(f"{message} of {player} is impossible in an equal game")
        assert twin_heard == heard, (player, self.viewer, message, heard, twin_heard)
        if differs and allowed:
            self.compared[type(message).__name__] += 1
        return allowed

    def snapshot(self) -> tuple[Any, State]:
        play = self.twin.play
        assert play is not None
        offers = {trade: replace(offer, answers=dict(offer.answers)) for trade, offer in play.offers.items()}
        kept = (play.village, [*play.special], offers, play._next_offer, play.offers_made, self.twin_game.state)
        members = [(member.status, member.refused_in_a_row) for member in self.twin_members]
        return (kept, members, self.twin.is_over), self.game.state

    def restore(self, snapshot: Any) -> None:
        kept, members, is_over = snapshot
        play = self.twin.play
        assert play is not None
        play.village, play.special, offers, play._next_offer, play.offers_made, self.twin_game.state = kept
        play.special = [*play.special]
        play.offers = {trade: replace(offer, answers=dict(offer.answers)) for trade, offer in offers.items()}
        for member, (status, refused) in zip(self.twin_members, members, strict=True):
            member.status, member.refused_in_a_row = status, refused
        self.twin.is_over = is_over
        self.twin.take_outbox()

    def say_to_twin(self, player: Player, message: Any, done: list[Any], allowed: bool) -> list[str] | None:
        """What the viewer hears at the twin; None if its cards could not have led there, as everybody can see."""
        expected = iter(done)
        before = self.twin_game.state
        log_before = len(self.twin_game.log)

        def script(decision: Any, drawn: Any) -> Any:
            main = next(expected, None)
            return (
                drawn if main is None or type(main.action) is not type(decision) else self.mapped(decision, main.action)
            )

        self.twin_game.script = script
        sender = self.twin_members[player - 1]
        try:
            self.twin.receive(sender, self.other_secret(player, message, before))
        except Impossible:
            return None
        outbox = self.twin.take_outbox()
        twin_done = self.twin_game.log[log_before:]
        if ((sender, m.RequestReply("OK")) in outbox) != allowed or self.twin.is_over != self.table.is_over:
            return None
        if self.twin.is_over and winner_s(self.twin_game.state) != winner_s(self.game.state):
            return None
        if any(shows(one) != shows(other) for one, other in zip(done, twin_done, strict=False)):
            return None
        return [m.write_message(one) for to, one in outbox if to is self.twin_members[self.viewer - 1]]

    def other_secret(self, player: Player, message: Any, state: State) -> Any:
        """The message, with other cards where the viewer does not see which."""
        if player == self.viewer:
            return message
        if isinstance(message, m.GiveUp):
            hand = state.h[player - 1].rc
            if total(message.cards) <= total(hand):
                return m.GiveUp(self.rng.choice(selections(hand, total(message.cards))))
        return message

    def mapped(self, decision: Any, main: Any) -> Any:
        """The twin's outcome of chance: what the viewer sees of it is as at the table."""
        state = self.twin_game.state
        if self.is_equal and hasattr(main, "card"):
            return replace(decision, card=main.card)
        if isinstance(decision, a.RollDice | a.RollForStart):
            return replace(decision, dice=main.dice)
        if isinstance(decision, a.MoveBandit | a.PlayKnight):
            if self.viewer in (decision.player, decision.victim):
                if main.card not in stealable(state, decision.victim):
                    raise Impossible
                return replace(decision, card=main.card)
            return replace(decision, card=self.rng.choice(stealable(state, decision.victim)))
        if isinstance(decision, a.BuyDevCard):
            if self.viewer == decision.player:
                if not count(state.bnk.dc, main.card):
                    raise Impossible
                return replace(decision, card=main.card)
            return replace(decision, card=DEV_CARDS[self.rng.choice(kinds(state.bnk.dc))])
        return decision


def winner_s(state: State) -> tuple[Player, int]:
    """Who has won, and with how many points: from then on everybody knows that."""
    return state.ap, player_points(state, state.ap)


def shows(done: Any) -> Any:
    """What an action makes public by the rules: who got what by a roll or a monopoly."""
    if isinstance(done.action, a.RollDice | a.PlayMonopoly):
        return [new.rc - old.rc for old, new in zip(done.before.h, done.after.h, strict=True)]
    return None


NONSENSE: tuple[Any, ...] = (
    m.RollRequest(),
    m.EndTurn(),
    m.BuyCard(),
    m.GiveUp(ONE["Ore"]),
    m.OfferTradeRequest(ONE["Ore"], ONE["Wool"]),
    m.OfferTradeRequest(ONE["Grain"], 2 * ONE["Lumber"]),
    m.BankTradeRequest(4 * ONE["Wool"], ONE["Ore"]),
    m.AnswerTradeRequest(1, True),
    m.CancelTrade(1),
    m.ConcludeTradeRequest(1, 2),
    m.PlayMonopolyRequest("Ore"),
    m.SendChat("Ich handle mit Erz"),
    m.ReadyToStart(),
)

__all__ = ["LmuTable", "MemoryGame", "TableMember", "Twins", "told_to"]
