"""Mistakes in the set-up."""

from tests.mutations.mutation import AGREEMENT, EFFECT, Mutation

SET_UP: tuple[Mutation, ...] = (
    Mutation(
        "the second stage begins after player 2",
        "game/actions/setup_phase_one.py",
        "last = next_player == state.first",
        "last = player == 2",
        EFFECT,
    ),
    Mutation(
        "the second stage runs in the order of the first",
        "game/actions/setup_phase_two.py",
        "su_ap=player if last else state.previous_player(player)",
        "su_ap=state.next_player(player)",
        EFFECT,
    ),
    Mutation(
        "the second village earns nothing",
        "game/actions/setup_phase_two.py",
        "rc=state.h[player - 1].rc + gain",
        "rc=state.h[player - 1].rc",
        EFFECT,
    ),
    Mutation(
        "the bank does not pay for the second village",
        "game/actions/setup_phase_two.py",
        "rc=state.bnk.rc - gain",
        "rc=state.bnk.rc",
        EFFECT,
    ),
    Mutation(
        "the set-up never ends",
        "game/actions/setup_phase_two.py",
        'tp="DiceRoll" if last else "bot"',
        'tp="bot"',
        EFFECT,
    ),
    Mutation(
        "the first road is not taken from the supply",
        "game/actions/setup_phase_one.py",
        "road=left.road - 1",
        "road=left.road",
        EFFECT,
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
