"""Thousands of games and damaged states on the flat core and on the mirror, compared after every action.

``python -m tests.game.flat.campaign --games 10000 --seed 0``; it ends at the first difference, and says what it is.
"""

import argparse
import sys
from collections import Counter
from itertools import islice

from catan_p2p.game.flat import PYTHON, fastest
from tests.game.flat.beside import games, play_beside
from tests.game.flat.test_agreement import check_damaged

TOLD_EVERY = 100


def main() -> int:
    """Play, and print how much was compared."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--most", type=int, default=4_000, help="actions of a game, at most")
    parser.add_argument("--damaged", type=int, default=20_000, help="damaged states (default 20000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--core", choices=("python", "fastest"), default="fastest")
    given = parser.parse_args()
    core = PYTHON if given.core == "python" else fastest()
    print(f"core {core.name}, seed {given.seed}", flush=True)
    print(f"damaged states: {dict(check_damaged(core, given.damaged, given.seed))}", flush=True)
    seen: Counter[str] = Counter()
    for number, constants in enumerate(islice(games(given.seed), given.games), 1):
        try:
            made = play_beside(core, constants, number, given.most)
        except AssertionError:
            print(f"game {number}: {constants.rules}, {constants.player_count} players", flush=True)
            raise
        seen += Counter(games=1, actions=made, ended=int(made < given.most))
        if number % TOLD_EVERY == 0 or number == given.games:
            print(", ".join(f"{count} {what}" for what, count in seen.items()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
