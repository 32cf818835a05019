"""Mistakes in the flat core, which games beside the mirror must notice."""

from tests.mutations.mutation import Mutation

GAMES = "game/flat/test_agreement.py::test_games_are_played_alike"
LEAVING = "game/flat/test_agreement.py::test_games_that_players_leave_are_played_alike"
TRAILS = "game/flat/test_agreement.py::test_trails_are_as_long"
POOR = "game/flat/test_agreement.py::test_a_bank_that_is_short_pays_alike"
ARMIES = "game/flat/test_agreement.py::test_the_largest_army_is_the_same_players"
ENVIRONMENT = "env/test_flat_table.py::test_both_environments_are_the_same"
SEEDS = "game/flat/test_agreement.py::test_the_same_seed_is_the_same_random_game"


def _in(file: str, what: str, old: str, new: str, test: str = GAMES) -> Mutation:
    return Mutation(f"flat: {what}", f"game/flat/{file}.py", old, new, test)


FLAT: tuple[Mutation, ...] = (
    _in(
        "position",
        "a trail passes a foreign settlement",
        "return 0\n        best = 0\n        for i in",
        "pass\n        best = 0\n        for i in",
        TRAILS,
    ),
    _in("position", "a trail starts at odd points only", "if closed or self.is_start(", "if self.is_start(", TRAILS),
    _in("position", "a road goes on behind a foreign settlement", "own | ends & ~cut", "own | ends"),
    _in(
        "position",
        "who ties takes the bonus",
        "return leader if leaders == 1 else",
        "return leader if leaders else",
        ARMIES,
    ),
    _in("position", "players who are away have turns", "if not v[places.AWAY + after]:", "if True:"),
    _in("listing", "a wharf serves all resources", "places.TRADE_TWO, 2, served)", "places.TRADE_TWO, 2, 31)"),
    _in("listing", "discards are in another order", "if index < with_it:", "if index <= with_it:"),
    _in("listing", "a friendly bandit spares nobody", "if t.friendly:", "if False:"),
    _in("listing", "a robber need not choose a victim", "if not is_forced:", "if True:"),
    _in("listing", "offers have no limit", "v[places.MADE + player] < t.offers)", "True)"),
    _in("listing", "a second road does not follow the first", "if end and not cut & t.bit[end]:", "if False:"),
    _in(
        "making",
        "a bank that is short pays",
        "        if not self.covers(v[places.BANK], taken):\n",
        "        if False:\n",
    ),
    _in("making", "a single claimant gains nothing", "cards -= left", "cards -= 0", POOR),
    _in("making", "a city yields one card", "pieces += 2 * self.count(", "pieces += self.count("),
    _in("making", "proposals stay", "        if v[places.PROPOSALS]:\n", "        if False:\n"),
    _in("making", "nobody builds between turns", "if t.special else", "if False else"),
    _in("making", "who is away keeps all cards", "self._take_first(player, cards - limit)", "pass", LEAVING),
    _in("game", "a move is not taken back", "        self.set_to(self._past[self._depth])\n", ""),
    _in("game", "the dice are one of eleven", "dice += below(6, bits)", "dice += below(1, bits)", SEEDS),
    _in("mirror", "the sides of an offer change places", "if receive >> 8 * i", "if give >> 8 * i"),
    *(
        Mutation(f"flat: {what}", "env/flat_table.py", old, new, ENVIRONMENT)
        for what, old, new in (
            ("a turn is not counted", "self.turns += 1", "pass"),
            ("offers have no end", "if self.offers < OFFERS_PER_TURN and", "if"),
            ("the environment forgets a first road", "== self.begun.first_road:", "> 0:"),
        )
    ),
)
