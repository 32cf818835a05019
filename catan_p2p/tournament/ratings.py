"""Win rates and ratings of policies, computed from games.

The model is that of Bradley and Terry for games of several players (Luce's choice axiom, the first place of the
Plackett-Luce model): a policy of strength s wins with probability s divided by the sum of all strengths at the table.
Strengths are fitted by Hunter's minorization (2004, "MM algorithms for generalized Bradley-Terry models") and reported
on the scale of Elo: 400 points are ten times the strength. Besides its games, every policy has half a win and half a
loss against an imaginary policy with the rating 1500, so a policy that always or never wins has a rating too. This
anchors the scale: the mean of all ratings is close to 1500.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from catan_p2p.intervals import Interval, middle, wilson
from catan_p2p.tournament.games import TournamentGame

ANCHOR = 1500.0
"""The rating of the imaginary policy against which every policy has half a win and half a loss."""
SCALE = 400.0
_ROUNDS = 2000
_CLOSE = 1e-9
_SAMPLES = 200


@dataclass(frozen=True, slots=True)
class PolicyStanding:
    """The results of a policy: ``games`` counts its seats, ``rate`` is the 95 % interval of the share that win.

    The 95 % bounds of the rating come from the percentile bootstrap over deals.
    """

    policy: str
    games: int
    wins: int
    rate: Interval
    parity: float
    """The share of wins that chance alone would give it: one divided by the number of players."""
    rating: float
    rating_low: float
    rating_high: float
    points: float
    """Mean victory points at the end."""


def standings(outcomes: Sequence[TournamentGame], seed: int = 0) -> list[PolicyStanding]:
    """The standings, best first. A game without a winner is won by nobody, and does not count for the ratings."""
    names = sorted({name for outcome in outcomes for name in outcome.seats})
    ratings = fit(outcomes, names)
    bounds = _bootstrap(outcomes, names, seed)
    found = []
    for name in names:
        seats = [(outcome, seat) for outcome in outcomes for seat, its in enumerate(outcome.seats) if its == name]
        wins = sum(outcome.winner == seat for outcome, seat in seats)
        parity = sum(1 / len(outcome.seats) for outcome, _ in seats) / len(seats)
        points = sum(outcome.points[seat] for outcome, seat in seats) / len(seats)
        low, high = bounds[name]
        rate = _win_rate(outcomes, name)
        found.append(PolicyStanding(name, len(seats), wins, rate, parity, ratings[name], low, high, points))
    return sorted(found, key=lambda standing: (-standing.rating, standing.policy))


def _win_rate(outcomes: Sequence[TournamentGame], name: str) -> Interval:
    """The interval of the share of a policy's seats that win.

    A policy can have several seats at a table, of which at most one wins, so the share of seats is at most one divided
    by their number. The share of *games* that the policy wins is estimated first. The games of a deal have the same
    luck and are not independent. So Wilson's interval gets the effective number of games: as many independent games as
    would make the share vary from deal to deal as it does, at most those that were played (Korn and Graubard 1998).
    """
    deals: dict[int, list[bool]] = {}
    seats = 0
    for outcome in outcomes:
        if name in outcome.seats:
            deals.setdefault(outcome.deal, []).append(outcome.winning_policy == name)
            seats += outcome.seats.count(name)
    games, wins = sum(map(len, deals.values())), sum(map(sum, deals.values()))
    share, count = wins / games, len(deals)
    effective = float(games)
    if count > 1 and 0 < share < 1:
        spread = sum((sum(won) - share * len(won)) ** 2 for won in deals.values())
        variance = spread * count / (count - 1) / games**2
        effective = min(games, share * (1 - share) / variance) if variance else games
    low, high = wilson(share * effective, effective)
    return Interval(low * games / seats, high * games / seats)


def fit(outcomes: Sequence[TournamentGame], names: Sequence[str]) -> dict[str, float]:
    """The rating of each policy, fitted to the games that have a winner."""
    tables = Counter(
        (tuple(sorted(outcome.seats)), outcome.winning_policy) for outcome in outcomes if outcome.winner is not None
    )
    wins = Counter(dict.fromkeys(names, 0.5))
    for (_, winner), count in tables.items():
        wins[str(winner)] += count
    strength = dict.fromkeys(names, 1.0)
    for _ in range(_ROUNDS):
        # The half win and half loss against the imaginary policy of strength 1 count as one game of two players.
        weight = {name: 1 / (strength[name] + 1.0) for name in names}
        for (seats, _), count in tables.items():
            share = count / sum(strength[name] for name in seats)
            for name in seats:
                weight[name] += share
        fitted = _anchored({name: wins[name] / weight[name] for name in names})
        moved = max(abs(math.log(fitted[name] / strength[name])) for name in names)
        strength = fitted
        if moved < _CLOSE:
            break
    return {name: ANCHOR + SCALE * math.log10(value) for name, value in strength.items()}


def _anchored(strength: dict[str, float]) -> dict[str, float]:
    """The strengths, multiplied by the most likely factor.

    Only the games against the imaginary policy depend on this factor. It is the one with which the strengths together
    win half of the games against strength 1. Without it, each round would move the common scale only a little.
    """
    factor = 1.0
    for _ in range(_ROUNDS):
        shares = [factor * value / (1 + factor * value) for value in strength.values()]
        step = math.exp((len(shares) / 2 - sum(shares)) / sum(share * (1 - share) for share in shares))
        factor *= min(max(step, 0.1), 10.0)  # Newton's method, which can overshoot far from the solution
        if abs(math.log(step)) < _CLOSE:
            break
    return {name: factor * value for name, value in strength.items()}


def _bootstrap(outcomes: Sequence[TournamentGame], names: Sequence[str], seed: int) -> dict[str, Interval]:
    """For each policy, the bounds of the middle 95 % of its ratings when deals are drawn with replacement."""
    deals: dict[int, list[TournamentGame]] = {}
    for outcome in outcomes:
        deals.setdefault(outcome.deal, []).append(outcome)
    rng = Random(f"{seed}/bootstrap")
    groups = list(deals.values())
    drawn: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(_SAMPLES):
        # Whole deals are drawn: their games have the same luck. Only random() is the same in all versions of Python.
        sample = [outcome for _ in groups for outcome in groups[int(rng.random() * len(groups))]]
        for name, rating in fit(sample, names).items():
            drawn[name].append(rating)
    return {name: middle(values) for name, values in drawn.items()}
