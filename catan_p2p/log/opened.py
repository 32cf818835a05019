"""A finished game of hidden hands with all cards open: the same game as if whoever acted had drawn, and all had seen.

After the end everybody tells the key that opens what they have sealed (``OpenAll``). Then every card is known, and
whoever reads the game reads it like any other: ``opened_game`` plays it again by the rules of open hands, so each
payment, theft and play is held against the true hands. Its commits are made here; they are in no repository.

What the open game lacks: pledges, shuffles, calls, reveals, surrenders and shown points, which have no effect on open
hands; and what was asked only because nobody knew that a player could not pay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import NamedTuple

from catan_p2p.game.actions import (
    Action,
    AnswerTrade,
    BuyDevCard,
    Call,
    CloseGame,
    EmptyBuild,
    MoveBandit,
    OfferTrade,
    OpenAll,
    PlayKnight,
    Pledge,
    Reveal,
    RollDice,
    ShowPoint,
    Shuffle,
    SignEnd,
    Surrender,
    WithdrawTrade,
)
from catan_p2p.game.cards import DEV_CARDS, NO_CARDS, ONE, RESOURCES, Cards, DevCard, Resource
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.hidden_view import opened_constants
from catan_p2p.game.rules import apply, broken_guards
from catan_p2p.game.state import State
from catan_p2p.log.commit import decode_commit, trailers_of
from catan_p2p.log.game import FormatError, Game
from catan_p2p.log.graph import Graph
from catan_p2p.log.history import HiddenHands, History, LoggedAction, game_refs, read_history
from catan_p2p.log.reading import Read, read_root, read_rules
from catan_p2p.log.refs import local_ref
from catan_p2p.log.root import root_commit
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing, StoreError, object_id
from catan_p2p.log.storage.store import Store
from catan_p2p.log.vault import SealedCard, Sealing, Vault
from catan_p2p.sealing.cards import opened
from catan_p2p.sealing.deck import decrypted
from catan_p2p.sealing.group import Point, Scalar, times

_UNSEEN = (Pledge, Shuffle, Call, Reveal, Surrender, ShowPoint, SignEnd, CloseGame, OpenAll)
"""What has no effect where hands are open and whoever acts draws."""


class OpenedGame(NamedTuple):
    """The refs and objects of a game that was opened; nothing can be written to it."""

    folder: Path
    refs: Mapping[str, ObjectId]
    objects: Mapping[ObjectId, tuple[ObjectKind, bytes]]

    def list_refs(self, prefix: str) -> dict[str, ObjectId]:
        """Where each ref below a prefix is."""
        return {ref: head for ref, head in self.refs.items() if ref.startswith(prefix)}

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object."""
        found = self.objects.get(oid)
        if found is None:
            raise ObjectMissing(oid)
        return found

    def close(self) -> None:
        """There is nothing to let go of."""


def open_readable(path: Path) -> Store | OpenedGame:
    """What to read the game at ``path`` from: its repository, or the opened game if its hands were hidden.

    ``StoreError`` if there is no repository, ``HiddenHands`` if not all cards are open yet.
    """
    store = Store.open(path, writer=None)
    try:
        refs = game_refs(store)
        if not refs or not _is_hidden(next(iter(refs.values())), store.read):
            return store
        found = opened_game(read_history(refs, store.read, str(path)), store.read, path)
    except BaseException:
        store.close()
        raise
    store.close()
    return found


@contextmanager
def readable(path: Path) -> Iterator[Store | OpenedGame]:
    """The same, let go of at the end."""
    store = open_readable(path)
    try:
        yield store
    finally:
        store.close()


def load_open_history(path: Path) -> History:
    """The game at ``path`` as ``load_history`` gives it, all hands open; ``HiddenHands`` if they are not open yet."""
    with readable(path) as store:
        return read_history(game_refs(store), store.read, str(path))


def _is_hidden(head: ObjectId, read: Read) -> bool:
    """Whether the rules say so that every commit of a game has; what cannot be read is for the reader to refuse."""
    try:
        return "Hands = hidden" in read_rules(head, read).splitlines()
    except (FormatError, StoreError):
        return False


def opened_game(history: History, read: Read, where: Path) -> OpenedGame:
    """A finished game with all cards open; ``HiddenHands`` names who has not opened theirs, or what does not fit."""
    vault = history.graph.line.hearing_all().vault
    assert vault is not None
    if history.rejected:
        raise HiddenHands(str(where), f"{history.rejected[0]}; see catan-p2p verify")
    if not history.last.is_over:
        raise HiddenHands(str(where), "nobody sees all cards before the end")
    closed = [seat.colour for seat, hoard in zip(history.game.seats, vault.hoards, strict=True) if hoard.opened is None]
    if closed:
        raise HiddenHands(str(where), f"{' and '.join(closed)} did not open the cards after the end")
    objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}

    def put(kind: ObjectKind, data: bytes) -> ObjectId:
        oid = object_id(kind, data)
        objects[oid] = kind, data
        return oid

    parts = decode_commit(read(history.root)[1])
    game = _open_game(history.game)
    root, _ = root_commit(game, trailers_of(parts.message)["Nonce"], parts.author.time_s, put)
    graph = read_root(root, objects.__getitem__)
    assert isinstance(graph, Graph)
    table = _Opening(history, vault, str(where))
    for logged in history.actions:
        action = table.openly(logged, graph.state)
        if action is None:
            continue
        after = apply(graph.before(action), action)
        shows = logged.entry.shows if isinstance(action, RollDice) else None
        graph.add(graph.write(action, after, logged.time_s, put, shows=shows))
    table.check(graph.state)
    refs = {local_ref(game.branch(player)): graph.head for player in game.constants.players}
    return OpenedGame(where, refs, objects)


def _open_game(game: Game) -> Game:
    constants = opened_constants(game.constants)
    rules = replace(constants.rules, chance="actor")
    constants = Constants(rules, constants.board, constants.player_count, constants.opening)
    return Game(constants, game.number, tuple(seat._replace(key=None) for seat in game.seats))


class _Opening:
    """What each hidden card of a game was, as its commits go by."""

    def __init__(self, history: History, vault: Vault, where: str) -> None:
        self._where = where
        self._last, self._end = history.last, vault
        self._keys = [hoard.opened for hoard in vault.hoards]
        self._states = {history.root: history.first}
        self._kinds: dict[Point, Resource] = {}
        self._is_dropped = False
        """Whether the offer that stands is one that nobody could take."""
        self._secrets: dict[Player, Scalar] = {}

    def openly(self, logged: LoggedAction, state: State) -> Action | None:
        """An action as it is where hands are open, None if there is none; ``state`` is that of the open game."""
        before, vault = self._states[logged.parents[0]], logged.vault
        assert vault is not None
        self._states[logged.commit] = logged.state
        for card in vault.of(logged.action.player).cards:
            self._learn(card)
        if isinstance(logged.action, _UNSEEN):
            return None
        action = self._with_cards(logged.action, vault)
        if self._is_only_asked(action, before, state):
            return None
        if state.is_over or (broken := broken_guards(state, action)):
            why = "somebody had the points to win before" if state.is_over else f"{action} breaks {', '.join(broken)}"
            raise HiddenHands(self._where, f"with open hands {logged.commit[:10]} would not be allowed: {why}")
        return action

    def _learn(self, card: SealedCard) -> None:
        if card.point in self._kinds:
            return
        origin = card.origin
        found = None
        if isinstance(origin, Sealing) and (key := self._keys[origin.occasion.seat - 1]) is not None:
            blind = origin.what.about(origin.occasion, "seal").drawn(key, "blind", card.number)
            found = opened(card.point, blind)
        if found is None:
            raise HiddenHands(self._where, "a card does not open by the key that its player has told")
        self._kinds[card.point] = RESOURCES[found.kind]

    def _with_cards(self, action: Action, vault: Vault) -> Action:
        match action:
            case BuyDevCard():
                return replace(action, card=self._bought(action.player, vault))
            case MoveBandit() | PlayKnight() if action.card == "sealed":
                return replace(action, card=self._kinds[vault.of(action.player).cards[-1].point])
        return action

    def _bought(self, player: Player, vault: Vault) -> DevCard:
        number = vault.of(player).bought[-1]
        kind = decrypted(vault.deck[number - 1], (*vault.shares[number].values(), self._share(player, number)))
        assert kind is not None, "all shares are right"
        return DEV_CARDS[kind]

    def _share(self, player: Player, number: int) -> Point:
        if player not in self._secrets:
            key = self._keys[player - 1]
            assert key is not None
            self._secrets[player] = self._end.deck_secret(player, self._end.of(player).nonce, key)
        return times(self._secrets[player], self._end.deck[number - 1].mask)

    def _is_only_asked(self, action: Action, before: State, state: State) -> bool:
        """Whether an action is only there because nobody knew that a player could not pay."""
        match action:
            case OfferTrade():
                self._is_dropped = "OT8 taker" in broken_guards(state, action)
                return self._is_dropped
            case WithdrawTrade():
                return self._is_dropped
            case AnswerTrade():
                return self._is_dropped or (action.answer == "reject" and state.ans[action.player - 1] == "none")
            case EmptyBuild():
                return before.tp == "SpecialBuilding" and state.sb != action.player
        return False

    def check(self, state: State) -> None:
        """Hold the last hands of the open game against the cards that were opened."""
        for seat, (hand, hoard) in enumerate(zip(self._last.h, self._end.hoards, strict=True)):
            cards: Cards = reduce(lambda sum, card: sum + ONE[self._kinds[card.point]], hoard.cards, NO_CARDS)
            if state.h[seat].rc != hand.rc + cards or not state.is_over:
                raise HiddenHands(self._where, f"the cards that player {seat + 1} opened are not those of the game")
