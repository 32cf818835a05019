"""A finished game of hidden hands with all cards open, as if the acting player had drawn and all had seen the cards.

After the end every player tells the key that opens what they have sealed (``OpenAll``). Then every card is known, and
the game can be read like any other. ``opened_game`` replays it by the rules of open hands, which checks each payment,
theft and play against the true hands. Its commits are made here; they are in no repository.

For a game that is not over, that somebody left, or in which somebody's cards do not open, ``openings`` says who that
is. ``open_course`` and ``known_cards`` return what is known nevertheless.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from catan_p2p.game.actions import ComeBack, RollDice
from catan_p2p.game.cards import NO_CARDS, ONE, Cards
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited
from catan_p2p.game.state import State
from catan_p2p.log.card_reader import KeyReader, who_lied
from catan_p2p.log.commit import decode_commit, trailers_of
from catan_p2p.log.game import FormatError, GameDefinition
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.history import GameHistory, HiddenHands, game_refs, read_history
from catan_p2p.log.open_course import known_facts, open_course
from catan_p2p.log.reading import Read, read_root, read_rules
from catan_p2p.log.refs import local_ref
from catan_p2p.log.root import root_commit
from catan_p2p.log.sealed_cards import SealedCard, SealedCards, SealedTheft
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.tree import keeper
from catan_p2p.sentences import listed


class OpenedGame(NamedTuple):
    """The refs and objects of an opened game; it cannot be written to."""

    folder: Path
    refs: Mapping[str, ObjectId]
    objects: Mapping[ObjectId, tuple[ObjectKind, bytes]]

    def list_refs(self, prefix: str) -> dict[str, ObjectId]:
        """Return where each ref below a prefix is."""
        return {ref: head for ref, head in self.refs.items() if ref.startswith(prefix)}

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Return kind and bytes of an object."""
        found = self.objects.get(oid)
        if found is None:
            raise ObjectMissing(oid)
        return found

    def close(self) -> None:
        """Do nothing: everything is in memory."""


def open_readable(path: Path) -> GitStore | OpenedGame:
    """Open the game at ``path`` for reading: its repository, or the opened game if its hands were hidden.

    ``StoreError`` if there is no repository, ``HiddenHands`` if not all cards are open yet.
    """
    store = GitStore.open(path, writer=None)
    try:
        refs = game_refs(store)
        if not refs or not is_hidden(next(iter(refs.values())), store.read):
            return store
        found = opened_game(read_history(refs, store.read, str(path)), store.read, path)
    except BaseException:
        store.close()
        raise
    store.close()
    return found


class AsOpen(NamedTuple):
    """A game with open hands if that is possible, else as it is; then ``closed`` says why."""

    store: GitStore | OpenedGame
    history: GameHistory
    closed: str | None


@contextmanager
def read_as_open(path: Path) -> Iterator[AsOpen]:
    """Read the game at ``path`` with open hands, or as it is if its cards are hidden and not all of them open.

    ``StoreError`` if there is no repository, ``BadRoot`` if its root is invalid.
    """
    with GitStore.open(path, writer=None) as store:
        refs = game_refs(store)
        history = read_history(refs, store.read, str(path))
        if history.game.constants.rules.hands == "open":
            yield AsOpen(store, history, None)
            return
        try:
            found = opened_game(history, store.read, path)
        except HiddenHands as error:
            yield AsOpen(store, history, error.why)
            return
        yield AsOpen(found, read_history(game_refs(found), found.read, str(path)), None)


def is_hidden(head: ObjectId, read: Read) -> bool:
    """Whether the rules in the tree of a commit say so; errors are left to the code that reads the game."""
    try:
        return "Hands = hidden" in read_rules(head, read).splitlines()
    except (FormatError, StoreError):
        return False


class OpenedHands(NamedTuple):
    """What the keys open that players tell after the end of a game of hidden hands; players are given by colour."""

    opened: tuple[str, ...]
    """Those whose key is told and opens what they have sealed."""
    closed: tuple[str, ...]
    """Those who have told no key."""
    false: tuple[str, ...]
    """Those whose cards do not open: they sealed them with another key than they told, or lied to a robber."""
    gone: tuple[str, ...] = ()
    """Those of ``closed`` who left before the end."""
    is_over: bool = True
    """Whether the game is over: before that nobody has to open anything."""
    unsigned: tuple[str, ...] = ()
    """Those whose signature the end waits for, so that nobody opens anything yet."""

    @property
    def is_whole(self) -> bool:
        """Whether every card is open."""
        return not self.closed and not self.false

    def __str__(self) -> str:
        """Say who has not opened their cards, and whose cards do not open; or that all have."""
        if self.unsigned:
            return f"nobody sees all cards until {listed(self.unsigned)} signed the end"
        silent = [name for name in self.closed if name not in self.gone] if self.is_over else []
        told = [] if self.is_over else ["nobody sees all cards before the end"]
        told += [f"{listed(silent)} did not open the cards after the end"] if silent else []
        told += [f"{listed(self.gone)} left and did not open the cards"] if self.gone else []
        told += [f"the cards of {listed(self.false)} do not open with the key that was told"] if self.false else []
        return ", ".join(told) or "all have opened their cards"


def openings(history: GameHistory) -> OpenedHands:
    """Find out who has opened their cards, from every card that was sealed or stolen."""
    steps = ((logged.action.player, logged.sealed_cards) for logged in history.actions)
    return openings_of(history.game, history.last, _last_sealed_cards(history), steps)


def openings_of(
    game: GameDefinition, last: State, sealed_cards: SealedCards, steps: Iterable[tuple[Player, SealedCards | None]]
) -> OpenedHands:
    """The same for a game with this end; ``steps`` are the acting players, and the sealed cards after each action."""
    keys = {seat: hidden_hand.opened for seat, hidden_hand in enumerate(sealed_cards.hidden_hands, 1)}
    found = {seat: KeyReader(sealed_cards.root, seat, key) for seat, key in keys.items() if key is not None}
    liars = {liar for card in _all_cards(steps) if (liar := _liar(card, sealed_cards, found)) is not None}
    colours = {seat: told.colour for seat, told in enumerate(game.seats, 1)}
    closed = [seat for seat, key in keys.items() if key is None]
    return OpenedHands(
        tuple(colours[seat] for seat in sorted(found.keys() - liars)),
        tuple(colours[seat] for seat in closed),
        tuple(colours[seat] for seat in sorted(liars)),
        tuple(colours[seat] for seat in closed if last.away[seat - 1]),
        last.is_over,
        tuple(colours[seat] for seat in awaited(last)) if last.tp == "Signing" else (),
    )


def _last_sealed_cards(history: GameHistory) -> SealedCards:
    sealed_cards = history.graph.line.hearing_all().sealed_cards
    assert sealed_cards is not None
    return sealed_cards


def _all_cards(steps: Iterable[tuple[Player, SealedCards | None]]) -> Iterator[SealedCard]:
    """Every card that was sealed or stolen."""
    known: set[tuple[bytes, bool]] = set()
    for player, sealed_cards in steps:
        assert sealed_cards is not None
        for card in sealed_cards.of(player).cards:
            # A stolen card is checked twice: as its victim sealed it, and as its robber chose it.
            which = card.point, isinstance(card.origin, SealedTheft)
            if which not in known:
                known.add(which)
                yield card


def _liar(card: SealedCard, sealed_cards: SealedCards, found: Mapping[Player, KeyReader]) -> Player | None:
    """Return who lied if a card does not open that should; None if it opens, or its holder has told no key."""
    origin = card.origin
    holder = origin.choosing.context.seat if isinstance(origin, SealedTheft) else origin.context.seat
    reader = found.get(holder)
    return None if reader is None or reader.seen(card, sealed_cards) is not None else who_lied(card, reader.key)


def opened_game(history: GameHistory, read: Read, where: Path) -> OpenedGame:
    """Open all cards of a finished game; ``HiddenHands`` says whose are not open, or what does not fit."""
    if history.rejected:
        raise HiddenHands(str(where), f"{history.rejected[0]}; see catan-p2p verify")
    if not history.last.is_over:
        raise HiddenHands(str(where), "nobody sees all cards before the end")
    found = openings(history)
    if not found.is_whole:
        raise HiddenHands(str(where), str(found))
    if left := [seat.colour for seat, away in zip(history.game.seats, history.last.away, strict=True) if away]:
        raise HiddenHands(str(where), f"{listed(left)} left, with sealed cards out of play")
    gone = {one.action.absent for one in history.actions if isinstance(one.action, ComeBack)}
    if back := [history.game.seats[seat - 1].colour for seat in sorted(gone)]:
        raise HiddenHands(str(where), f"{listed(back)} left and came back")
    course = open_course(history, known_facts(history), may_leave=False)
    if course.end is not None:
        raise HiddenHands(str(where), course.end)
    _check(history, course.last, where)
    objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
    put = keeper(objects)
    parts = decode_commit(read(history.root)[1])
    root, _ = root_commit(course.game, trailers_of(parts.message)["Nonce"], parts.author.time_s, put)
    graph = read_root(root, objects.__getitem__)
    assert isinstance(graph, CommitGraph)
    for step in course.steps:
        shows = step.logged.entry.shows if isinstance(step.action, RollDice) else None
        graph.add(graph.write(step.action, step.state, step.logged.time_s, put, shows=shows))
    refs = {local_ref(course.game.branch(player)): graph.head for player in course.game.constants.players}
    return OpenedGame(where, refs, objects)


def _check(history: GameHistory, state: State, where: Path) -> None:
    """Compare the last hands of the open game with the cards that were opened."""
    sealed_cards = _last_sealed_cards(history)
    for seat, (hand, hidden_hand) in enumerate(zip(history.last.h, sealed_cards.hidden_hands, strict=True), 1):
        assert hidden_hand.opened is not None
        reader = KeyReader(history.root, seat, hidden_hand.opened)
        seen = [kind for card in hidden_hand.cards if (kind := reader.seen(card, sealed_cards)) is not None]
        cards: Cards = sum((ONE[kind] for kind in seen), NO_CARDS)
        if state.h[seat - 1].rc != hand.rc + cards or not state.is_over:
            raise HiddenHands(
                str(where), f"the cards that player {seat} opened are not the ones that the log gave them"
            )
