"""What a replica remembers of refused commits and of refs is bounded, however many a remote shows."""

from pathlib import Path

import pytest

from catan_p2p.log import dictionaries
from catan_p2p.log.dictionaries import RecentItems
from catan_p2p.log.refs import branch_name
from catan_p2p.log.storage.objects import ObjectId
from tests.log.storage.repositories import commit_at
from tests.replication.tables import git, make_seats, neighbour, opened, play_rounds, point, write_commit

_LIMIT = 4


def test_the_oldest_is_forgotten_and_what_is_set_again_is_young(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionaries, "MAX_REMEMBERED", 3)
    remembered: RecentItems[int, str] = RecentItems()
    for key in (1, 2, 3, 1, 4):
        remembered[key] = f"value {key}"
    assert list(remembered) == [3, 1, 4]


def test_ever_new_refs_with_refused_commits_cost_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dictionaries, "MAX_REMEMBERED", _LIMIT)
    paths = make_seats(tmp_path, players=2)
    with opened(paths) as (red, blue):
        play_rounds([red, blue], lambda replica: len(replica.graph) > 12)
        blue.synchronize()
        liar, game = neighbour(blue, "Red"), blue.game
        before = blue.refusals
        bases = [ObjectId(line) for line in git(paths[0], "rev-list", "--skip=1", "-9", "Red_0").splitlines()]
        for number, base in enumerate(bases):
            commit = commit_at(paths[0], base)
            junk = write_commit(paths[0], commit._replace(parents=(base,), message=f"junk {number}\n"))
            point(paths[0], f"refs/heads/{branch_name(game.reply_branch(base, 'loss', 1))}", junk)
            liar.strays_at = 0.0
            blue.synchronize()
        assert blue.refusals - before >= len(bases), "each is judged, one that is forgotten anew"
        assert len(blue.rejected) <= _LIMIT
        assert len(liar.rejected) <= _LIMIT
        assert len(liar.source.seen) <= _LIMIT
