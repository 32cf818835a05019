"""A whole game played by policies without Git, with the same decisions as peers with the same seed."""

from collections.abc import Iterator, Sequence

from catan_p2p.game.actions import Action
from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.move_watcher import watches
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.game.rules import apply, awaited
from catan_p2p.game.state import State
from catan_p2p.players.choosing import decided
from catan_p2p.players.policies import Policy


def moves(
    state: State, policies: Sequence[Policy], randomness: SeededRandomness
) -> Iterator[tuple[State, Action, State]]:
    """Every action until a player has won, with the states before and after it; ``policies`` are by seat."""
    watching = watches(policies)
    height, replied = 0, False
    while not state.is_over:
        base = state
        # All who owe a reply decide by the same state: replies are concurrent, and none knows the others.
        # ``height`` is that of the action's commit in a log; concurrent replies share one.
        for player in awaited(base):
            replies = owes_reply(base, player)
            if not replies:
                height += 1 + replied
            rng = randomness(height + replies, player)
            action = decided(base, player, policies[player - 1], rng)
            before, state = state, apply(state, action)
            for watch in watching:
                watch(before, action, state)
            replied = replies
            yield before, action, state
