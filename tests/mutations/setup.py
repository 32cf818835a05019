"""Mistakes in the set-up."""

from tests.mutations.mutation import AGREEMENT, EFFECT, Mutation, mistakes

SET_UP: tuple[Mutation, ...] = (
    *mistakes(
        "game/actions/setup_phase_one.py",
        EFFECT,
        ("the second stage begins after player 2", "last = next_player == state.first", "last = player == 2"),
        ("the first road is not taken from the supply", "road=left.road - 1", "road=left.road"),
    ),
    *mistakes(
        "game/actions/setup_phase_two.py",
        EFFECT,
        (
            "the second stage runs in the order of the first",
            "su_ap=player if last else state.previous_player(player)",
            "su_ap=state.next_player(player)",
        ),
        ("the second village earns nothing", "rc=state.h[player - 1].rc + gain", "rc=state.h[player - 1].rc"),
        ("the bank does not pay for the second village", "rc=state.bnk.rc - gain", "rc=state.bnk.rc"),
        ("the set-up never ends", 'tp="DiceRoll" if last else "bot"', 'tp="bot"'),
    ),
    Mutation(
        "a place beside the bandit is offered",
        "game/actions/placement.py",
        "        shut |= board.corners[state.ba]",
        "        pass",
        AGREEMENT.format("SetupPhaseOne"),
    ),
    Mutation(
        "a neighbour's place is offered",
        "game/actions/placement.py",
        "        crowded |= board.adjacent_settlements[point]",
        "        pass",
        AGREEMENT.format("BuildVillage"),
    ),
)
