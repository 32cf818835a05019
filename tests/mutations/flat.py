"""Mistakes in the flat core, which games beside the mirror must notice."""

from tests.mutations.mutation import Mutation, mistakes

GAMES = "game/flat/test_agreement.py::test_games_are_played_alike"
LEAVING = "game/flat/test_agreement.py::test_games_that_players_leave_are_played_alike"
TRAILS = "game/flat/test_agreement.py::test_trails_are_as_long"
POOR = "game/flat/test_agreement.py::test_a_bank_that_is_short_pays_alike"
ARMIES = "game/flat/test_agreement.py::test_the_largest_army_is_the_same_players"
EPISODES = "env/test_core.py::test_games_are_those_of_the_mirror"
COPIES = "env/test_environments.py::test_a_copy_goes_on_as_its_original"
ANY_STATE = "env/test_core.py::test_decisions_in_any_state_are_those_of_the_mirror"
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
        _in("episodes", what, old, new, EPISODES)
        for what, old, new in (
            ("a turn is not counted", "self.turns += 1", "pass"),
            ("offers have no end", "if self.offers < self.offers_most and", "if"),
            ("an offer too large is heard", "self.total(receive) > t.side_most", "False"),
            ("an offer that nobody can pay is heard", "return bool(t.talk) or self._is_held(receive)", "return True"),
            ("a discard is of one card", "if self.total(self.given_up) < self.owed(self.player):", "if False:"),
            ("cards that are given up can be named again", "+ self.player] - self.given_up", "+ self.player]"),
            (
                "a reward is for points alone",
                "if self.player == places.NOBODY:\n            reward",
                "if False:\n            reward",
            ),
            ("who waits for others never sees the end", "self.turns < self.most_turns:", "True:"),
            ("others offer what nobody holds", "if t.talk or self._is_held(receive):\n", "if True:\n"),
            (
                "others offer a card for the same",
                "ways += self.with_kinds[31 ^ self._kinds(give)]",
                "ways += self.with_kinds[31]",
            ),
        )
    ),
    _in("episodes", "the environment forgets a first road", "& places.PART == self.first_road:", "> 0:", ANY_STATE),
    *(
        _in("observing", what, old, new, EPISODES)
        for what, old, new in (
            ("a learner sees who holds ore", "flat.total(v[places.RC + seat])", "v[places.RC + seat] >> 32 & 127"),
            ("a learner sees development cards in each other's place", "v[places.BC + seat])", "v[places.AC + seat])"),
            ("a learner takes what was played for the bank", "(at, v[places.BANK])", "(at, v[places.DP])"),
            ("a learner sees cards that are given up", "[places.RC + viewer] - given_up", "[places.RC + viewer]"),
            ("a piece that is gone stays in sight", "1.0 if now & self.t.bit[i] else 0.0", "1.0"),
            ("the bandit is in two places", "1.0 if tile == bandit else 0.0", "1.0"),
            ("the last phase stays in sight", "range(at + 10, self.starts[2])", "range(at + 30, self.starts[2])"),
            ("a seat is told another's pieces", "seat = seat % t.players + 1", "seat = t.players"),
        )
    ),
    *mistakes(
        "env/table.py",
        COPIES,
        ("flat: a copy counts its turns anew", '("turns", "offers", "given_up"', '("offers", "given_up"'),
    ),
    *mistakes(
        "env/vector.py",
        COPIES,
        ("flat: a copied vector shows nothing new", "update(kept)\n        self._share_rows()", "update(kept)"),
    ),
    *mistakes(
        "env/vector.py",
        "env/test_vector.py::test_it_plays_as_gymnasium_s_own_vector_of_single_games",
        ("flat: a game that begins anew keeps its reward", "self._rewards[i], self._term", "_, self._term"),
        ("flat: a game that has just ended goes on", "            env.is_over = True\n", ""),
        ("flat: an illegal decision is not told", "illegal.get(i)", "None"),
    ),
)
