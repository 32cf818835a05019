"""Random games recorded in memory, for checks that need no repository."""

from random import Random

from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.board import FirstPlacement
from catan_p2p.game.constants import Constants, profile
from catan_p2p.game.rules import any_offer, apply, awaited, decisions, draw, initial_state
from catan_p2p.log.game import new_game
from catan_p2p.model_check.recording import LineStep, RecordedGame, RecordedStep


def random_recording(
    players: int, seed: int, most: int, rules: str = "thesis", opening: tuple[FirstPlacement, ...] = ()
) -> RecordedGame:
    """A random game of the full rules, up to a number of entries; its commits are named by their numbers."""
    rng = Random(seed)
    constants = Constants(profile(rules, players), player_count=players, opening=opening)
    state = before = initial_state(constants)
    entries: list[LineStep] = []
    replies: list[RecordedStep] = []
    count = 0
    while not state.is_over and len(entries) < most:
        action = draw(state, rng.choice(decisions(state, rng.choice(awaited(state)))), rng)
        action = any_offer(state, action, rng)
        state = apply(state, action)
        count += 1
        if is_reply(action):
            replies.append(RecordedStep(f"{count:040}", action, apply(before, action)))
        else:
            entries.append(LineStep(tuple(replies), RecordedStep(f"{count:040}", action, state)))
            before, replies = state, []
    return RecordedGame(new_game(0, constants), tuple(entries), None)
