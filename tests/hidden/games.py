"""Games of hidden hands in which not every card is open at the end, each made by the programs of its players."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

from catan_p2p.game.actions import OpenAll, Reveal
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited
from catan_p2p.game.state import State
from catan_p2p.log.card_reader import opening_of
from catan_p2p.log.commit import SecretParts
from catan_p2p.log.history import GameHistory
from catan_p2p.log.keys import new_private_key, write_private_key
from catan_p2p.log.opened_hands import read_as_open
from catan_p2p.log.refs import branch_name, local_ref
from catan_p2p.log.storage.store import GitStore
from catan_p2p.replication import own_cards
from catan_p2p.sealing.group import ORDER, SIZE_BYTES
from catan_p2p.sealing.transcript import game_key
from catan_p2p.tables.seat import KEY_FILE, SeatSettings, private_folder, write_settings
from tests.log.table import LogTable, hidden_log
from tests.seat_keys import KEYS

RULES = "brief; PointsToWin = 5"
LIAR: Player = 2


def load_open_history(path: Path) -> GameHistory:
    """The game at ``path`` with all hands open."""
    with read_as_open(path) as found:
        assert found.closed is None, found.closed
        return found.history


def written(table: LogTable, path: Path) -> Path:
    """The repository of a game as each of its players has it."""
    game = table.graph.game
    with GitStore.create(path, branch=branch_name(game.branch(1))) as store:
        for kind, data in table.objects.kept.values():
            store.add(kind, data)
        graph = table.graph
        ends = graph.valid.chain_ends if graph.game.has_views else {}
        for player in game.constants.players:
            store.record(local_ref(game.branch(player)), ends.get(player, graph.head), None)
        for reply in () if ends else graph.replies.values():
            branch = game.branch_for(graph.head, reply.action)
            store.record(local_ref(branch), reply.commit, None)
        store.fold()
        store.check_out(local_ref(game.branch(1)))
    return path


def seated(table: LogTable, path: Path, player: Player) -> Path:
    """The seat of a player, who has a repository of the game at ``path``, and looks into those beside it.

    Unless secrets are those of keys, it signs for nobody in the game: its player must have nothing to do.
    """
    written(table, path)
    remotes = {seat.colour: str(path.with_name(seat.colour)) for seat in table.graph.game.seats}
    colour = [*remotes][player - 1]
    private_folder(path).mkdir(exist_ok=True)
    write_settings(
        path, SeatSettings(colour, 5, remotes={name: url for name, url in remotes.items() if name != colour})
    )
    key = KEYS[colour] if table.of_keys else new_private_key(bytes([player]) * 32)
    write_private_key(key, private_folder(path) / KEY_FILE)
    return path


def is_over(state: State) -> bool:
    return state.is_over


def open_cards(table: LogTable, without: tuple[Player, ...] = ()) -> None:
    """After the end everybody tells their key, but some."""
    table.play_until(lambda state: state.tp == "top")
    for player in table.graph.game.constants.players:
        if player not in without and not table.state.away[player - 1]:
            table.take_in(table.write(OpenAll(player)))


def whole() -> LogTable:
    """Everybody opens their cards."""
    table = hidden_log(RULES, 3, 7, leaving=False)
    table.play_until(is_over)
    open_cards(table)
    return table


def silent() -> LogTable:
    """One player never opens their cards."""
    table = hidden_log(RULES, 3, 7, leaving=False)
    table.play_until(is_over)
    open_cards(table, (LIAR,))
    return table


def all_silent() -> LogTable:
    """Nobody opens their cards."""
    table = hidden_log(RULES, 3, 7, leaving=False)
    table.play_until(is_over)
    return table


def monopoly() -> LogTable:
    """Somebody takes sealed cards by a monopoly of which nobody else knows all, and nobody opens their cards."""
    table = hidden_log("standard; PointsToWin = 5", 4, 0, leaving=False)
    table.play_until(is_over)
    return table


@contextmanager
def another_key(seat: Player) -> Any:
    """The player's program seals hands by another key than the one that it has pledged, and tells."""

    def other(key: bytes) -> bytes:
        return sha256(key).digest()

    real = {name: getattr(own_cards, name) for name in ("reseal", "answer")}

    def sealing(name: str, context: Any, *rest: Any) -> Any:
        *others, key = rest
        return real[name](context, *others, other(key) if context.seat == seat else key)

    def opening(card: Any, player: Player, key: bytes) -> Any:
        found = opening_of(card, player, key)
        return opening_of(card, player, other(key)) if found is None and player == seat else found

    with (
        patch.object(own_cards, "reseal", partial(sealing, "reseal")),
        patch.object(own_cards, "answer", partial(sealing, "answer")),
        patch.object(own_cards, "opening_of", opening),
    ):
        yield


def two_keys() -> LogTable:
    """A player has sealed by another key than the one told: valid all the way, but the cards do not open."""
    table = hidden_log(RULES, 3, 7, leaving=False)
    with another_key(LIAR):
        table.play_until(is_over)
        open_cards(table)
    return table


def left(players: int = 3, silent: tuple[Player, ...] = (), seed: int = 0) -> LogTable:
    """A player leaves in the middle, with cards in hand that nobody else has seen."""
    table = hidden_log("brief; PointsToWin = 7", players, seed, of_keys=bool(silent))
    table.play_until(_has_hidden_cards)
    if players == 2:
        table.claim(LIAR)
    else:
        table.excuse(LIAR)
        table.play_until(is_over)
    open_cards(table, silent)
    return table


def _has_hidden_cards(state: State) -> bool:
    hidden, quiet = state.hid, state.tp in ("Trading", "TradingBuilding", "Building")
    return quiet and hidden.sealed[LIAR - 1] > 0 and hidden.held[LIAR - 1] > 0 and state.ap == LIAR


def unsigned() -> LogTable:
    """A player does not sign the end where it has to be signed, and nobody excuses them yet."""
    table = hidden_log("brief; PointsToWin = 5", 3, 7, of_keys=True)
    table.play_until(is_over)
    for player in awaited(table.state):
        if player != LIAR:
            table.act(player)
    return table


def left_of_two() -> LogTable:
    """One of two players leaves: nobody else has pieces of the other's key."""
    return left(2)


def left_and_silent() -> LogTable:
    """A player leaves, and another one does not open their cards: nobody tells what one stole from the other."""
    return left(4, (1,), 6)


def lied_to() -> LogTable:
    """A victim tells a robber something false, and nobody may leave: the game stands still."""
    table = hidden_log(RULES, 3, 7, leaving=False)
    table.play_until(partial(_is_robbed, table))
    victim = table.state.call.victim
    table.act(victim, partial(_covered_falsely, table.state.hand_size(victim)))
    return table


def _is_robbed(table: LogTable, state: State) -> bool:
    return state.tp == "Drawing" and state.call.victim != 0 and len(table.sealed_cards.shares) > 1


def _covered_falsely(count: int, told: SecretParts) -> SecretParts:
    assert told.seal is not None
    start = len(told.seal) - SIZE_BYTES * count
    words = (told.seal[at : at + SIZE_BYTES] for at in range(start, len(told.seal), SIZE_BYTES))
    false = (((int.from_bytes(word, "little") + 1) % ORDER).to_bytes(SIZE_BYTES, "little") for word in words)
    return told._replace(seal=told.seal[:start] + b"".join(false))


def robber_goes_on() -> LogTable:
    """A victim lies to a robber whose program goes on all the same, and all open their cards."""
    table = hidden_log(RULES, 3, 7, leaving=False)

    def opening(card: Any, player: Player, key: bytes) -> Any:
        # the two are in league: the victim tells the robber the card some other way
        found = opening_of(card, player, key)
        return opening_of(card, LIAR, game_key(table.root, LIAR, bytes([LIAR]) * 32)) if found is None else found

    with (
        patch.object(own_cards, "opening_of", opening),
        patch.object(own_cards.OwnCards, "_uncovered", lambda own, sealed_cards: True),
    ):
        has_lied = False
        while not table.state.is_over:
            player = awaited(table.state)[0]
            action = table.next_action(player)
            if isinstance(action, Reveal) and table.state.call.victim == player == LIAR:
                table.act(player, partial(_covered_falsely, table.state.hand_size(player)))
                has_lied = True
            else:
                table.act(player)
        assert has_lied
        open_cards(table)
    return table


def under_way() -> LogTable:
    """Nobody has won yet."""
    table = hidden_log(RULES, 3, 7, leaving=False)
    table.play_until(partial(_is_robbed, table))
    return table


GAMES: dict[str, Callable[[], LogTable]] = {
    "whole": whole,
    "silent": silent,
    "all silent": all_silent,
    "two keys": two_keys,
    "unsigned": unsigned,
    "left": left,
    "left of two": left_of_two,
    "left and silent": left_and_silent,
    "lied to": lied_to,
    "robber goes on": robber_goes_on,
    "under way": under_way,
}
"""What each is like."""
