"""Many games at foreign-like servers: ``python -m tests.lmu.foreign_games GAMES SEED``; how many finished, by habit.

In each game three of ours sit at our server, which each takes for one with a habit of each kind: how players are
numbered and words spelled, how colours are refused, how actions are acknowledged, what stands in messages, what is lost
or refused, and how the game begins and ends. The fourth is a client with a habit.
"""

import sys
from collections import Counter
from random import Random

from tests.lmu.habits import HABITS
from tests.lmu.server_habits import SERVER_HABITS
from tests.lmu.test_server_habits import game

PATIENCE_S = 5.0
"""Short, for some of the clients fall silent."""
KINDS: dict[str, tuple[str, ...]] = {
    "numbers and words": ("numbers players from 0", "writes no umlauts", "writes CAPITALS"),
    "colours": ("refuses a colour on Spieler", "refuses a colour with Serverantwort", "refuses with Fehler"),
    "answers": ("never acknowledges", "acknowledges first", "says every status again", "answers in objects"),
    "members": ("adds members", "sends null", "writes flat objects", "uses words of its own", "sends a broken map"),
    "refusals": (
        "loses messages",
        "refuses all but the roll",
        "refuses roads and trades",
        "refuses every fifth message",
        "tells things the other way round",
    ),
    "ends": ("calls the winner Spieler", "names no winner"),
}


def played(number: int, seed: int) -> tuple[set[str], str]:
    """Play one game: the habits of the servers in it, and why it did not finish, empty if it did."""
    rng = Random(f"{seed}/{number}")
    mine, other = ({rng.choice(habits) for habits in KINDS.values()} for _ in range(2))
    try:
        game(
            [mine, other, mine | other],
            seed=1000 * seed + number,
            foreign={rng.choice(list(HABITS))},
            patience_s=PATIENCE_S,
        )
    except (AssertionError, IndexError, TimeoutError, OSError) as error:
        return mine | other, f"{type(error).__name__}: {error}"[:300]
    return mine | other, ""


def main(games: int, seed: int) -> int:
    """Play so many games; the exit code is 1 if one did not finish."""
    assert {habit for habits in KINDS.values() for habit in habits} == SERVER_HABITS.keys()
    met: Counter[str] = Counter()
    failed = 0
    for number in range(games):
        habits, why = played(number, seed)
        met.update(habits)
        if why:
            failed += 1
            print(f"game {number}: {sorted(habits)}: {why}", flush=True)
        if (number + 1) % 5 == 0:
            print(f"{number + 1} games, {failed} did not finish", flush=True)
    print(f"{games - failed} of {games} games finished; habits met: {dict(met)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
