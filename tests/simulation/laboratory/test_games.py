"""Games of the campaigns, by their seeds, in which players leave, lie, or lose disks and links.

All who are honest and there end on one commit, nobody else is blamed, and a told share is used for no other call.
"""

from types import ModuleType
from typing import Any, get_args

import pytest

from catan_p2p.players.policies import POLICIES
from catan_p2p.replication.voting import VotingDuty
from tests.players.hostile import HostilePolicy
from tests.simulation.laboratory import colluding, failing, frozen, leaving, racing, relay_forks, vote_lies

pytestmark = pytest.mark.long

LEFT = {"left": 1, "excused": 1}
LIAR = ("lies", "proven", "excused")


def hidden(players: int) -> dict[str, Any]:
    return {"hands": "hidden", "players": players}


GAMES: dict[str, tuple[ModuleType, int, dict[str, Any], dict[str, Any]]] = {
    "leaving: killed": (leaving, 0, {}, LEFT),
    "leaving: races": (leaving, 4, {}, LEFT),
    "leaving: killed once all shares are told": (leaving, 8, {}, LEFT),
    "leaving: forks": (leaving, 14, {}, LEFT),
    "leaving: replies twice, and would go on": (leaving, 15, {}, LEFT),
    "leaving: forks, and stands between": (leaving, 30, {}, LEFT),
    "leaving: two silent who both owe a reply": (leaving, 5, {}, LEFT),
    "leaving: forks, over a satellite": (leaving, 6, {}, LEFT),
    "leaving: killed, over a satellite": (leaving, 48, {}, LEFT),
    "leaving: replies twice, and a folder of refs goes": (leaving, 71, {}, LEFT),
    "leaving: forks, and the relay shows one player the other side only": (leaving, 102, {}, LEFT),
    "leaving: replies twice, and the relay shows one player the other side only": (leaving, 287, {}, LEFT),
    "leaving: forks, and would excuse who is on the other side": (leaving, 126, {}, LEFT),
    "leaving: replies twice, and would excuse who is on the other side": (leaving, 183, {}, LEFT),
    "leaving, hidden: withholds": (leaving, 2, {"hands": "hidden"}, LEFT),
    "leaving, hidden: forks": (leaving, 6, {"hands": "hidden"}, LEFT),
    "leaving, hidden: replies twice": (leaving, 15, {"hands": "hidden"}, LEFT),
    "leaving, hidden: killed": (leaving, 8, {"hands": "hidden"}, LEFT),
    "strategists: one is killed": (leaving, 0, {"policies": "strategist"}, {"excused": 1, "mistakes": 0}),
    "strategists: one is cut off": (leaving, 9, {"policies": "strategist"}, {"excused": 1, "mistakes": 0}),
    # Who was excused and is not the first player once waited for others who had left.
    "racing: all act as the others stop waiting": (racing, 5031, {}, {}),
    "racing: both neighbours were left out": (racing, 5021, {"hands": "open, returns", "players": 6}, {}),
    "frozen: shorter": (frozen, 2, {"part": 0.7}, {"excused": 0}),
    # An old view made a player push what was there already, and wait with all that came after.
    "frozen: pushes refused": (frozen, 4, {"part": 0.7}, {"excused": 0}),
    "frozen: longer": (frozen, 2, {"part": 2.5}, {"excused": 1}),
    "failing: 0": (failing, 0, {}, {}),
    "failing: 1": (failing, 1, {}, {}),
    "failing: 2": (failing, 2, {}, {}),
    "failing: 3": (failing, 3, {}, {}),
    # A restored repository is given back a vote of its own, and others wait for it at the same time.
    "failing: a vote is given back": (failing, 15, {}, {}),
    "failing: the referee knows what a killed process had written": (failing, 1045, {"players": 5}, {}),
    # Nobody waits for a player who is silent and away as the others end.
    "failing: absent twice": (failing, 4055, {"players": 6}, {}),
    "failing: a disk that fails": (failing, 4072, {"players": 4}, {}),
    "failing: a disk that was full for a second silences nobody": (failing, 4120, hidden(5), {"excused": 0}),
    "accomplices": (colluding, 2, {}, dict.fromkeys(LIAR, 2)),
    "split views": (colluding, 1, {}, dict.fromkeys(LIAR, 1)),
    "split views: the others have ended, and the liar waits for nobody": (colluding, 5015, {}, {}),
    "split views: who was apart for less than the patience is heard in time": (colluding, 4115, hidden(3), {}),
    # A liar shows White alone a call, and the others name White, who votes again once more than half have.
    "accomplices: who has voted in an earlier round is waited for": (colluding, 4088, hidden(6), {}),
    **{
        f"vote lies: {lie}": (vote_lies, seed, {}, {"lies": {lie: 1}})
        for lie, seed in zip(get_args(vote_lies.Lie), (0, 1, 8, 3, 4, 5), strict=True)
    },
    "vote lies: nobody waits for who comes back as the last one ends": (vote_lies, 4151, {"players": 5}, {}),
    # The liar's acceptance made a decision, of which only whom it leaves out has heard.
    "vote lies: what a forker has accepted counts for all": (vote_lies, 77059, {"players": 4}, {"proven": 1}),
    # The liar acts next at the decided head, and after the liar somebody who has gone for good.
    "vote lies: who should record that another is out is left out": (vote_lies, 1005, hidden(5), {"excused": 2}),
    "relay forks: what was voted on stands nowhere else": (relay_forks, 39, {}, {"left": {"before": 1}, "lies": 1}),
    "relay forks: the next player sees nothing new": (relay_forks, 5, {}, {"left": {"hides": 1}, "lies": 1}),
    "relay forks: over on both sides": (relay_forks, 57, {}, {"left": {"before": 1}, "lies": 1}),
}
"""The campaign, the seed and the other arguments of a game, and figures of it."""

_SEEDS = {leaving: range(48), racing: range(24), colluding: range(24), relay_forks: [*range(32), 57]}
MORE = [(campaign, seed, {}) for campaign, seeds in _SEEDS.items() for seed in seeds]
MORE += [(leaving, seed, {"hands": "hidden"}) for seed in range(32)]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", GAMES)
def test_a_game_comes_to_what_it_has_to(name: str) -> None:
    campaign, seed, options, expected = GAMES[name]
    found = campaign.play_one(seed, **options)
    assert found.failures == []
    assert {figure: getattr(found, figure) for figure in expected} == expected


@pytest.mark.sampled(16)
@pytest.mark.parametrize(
    ("campaign", "seed", "options"),
    [game for game in MORE if game not in [row[:3] for row in GAMES.values()]],
    ids=lambda part: getattr(part, "__name__", str(part)).rpartition(".")[2],
)
def test_a_game_of_a_campaign_ends_well(campaign: ModuleType, seed: int, options: dict[str, Any]) -> None:
    assert campaign.play_one(seed, **options).failures == []


@pytest.mark.sampled(6)
def test_no_peer_ends_for_a_hostile_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POLICIES, "hostile", HostilePolicy)
    figures = leaving.play_one(0, "hostile,builder,strategist")
    assert figures.failures == []
    assert figures.excused == 1
    assert figures.mistakes > 5


@pytest.mark.sampled(6)
def test_that_what_the_next_player_lacks_is_shown_with_votes_only_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VotingDuty, "_lingers", lambda voting, patience_s: False)
    seeds = range(551, 791, len(get_args(relay_forks.Left)))
    assert {relay_forks.game_of(seed).left for seed in seeds} == {"hides"}
    failures = (failure for seed in seeds for failure in relay_forks.play_one(seed).failures)
    assert "honest and there" in next(failures, "no game shows it")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40 * len(leaving.WAYS)))
def test_play_goes_on(seed: int) -> None:
    assert leaving.play_one(seed).failures == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10 * len(leaving.WAYS)))
def test_play_goes_on_among_strategists(seed: int) -> None:
    figures = leaving.play_one(seed, "strategist")
    assert (figures.failures, figures.mistakes) == ([], 0)
