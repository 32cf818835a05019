"""A liar who plays two games in one seat, and a server that shows each of them to some."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from catan_p2p.game.randomness import logical_clock
from catan_p2p.log.audit import audit
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.seat import read_settings, write_settings
from tests.attacks.registry import attack
from tests.chance.apart import look
from tests.replication.forks import RED, check_together, told_twice, until_awaited
from tests.replication.git_servers import Conduct, http_server
from tests.replication.peers import STEP_S, PeerTable, views_of
from tests.replication.tables import make_seats, open_replica, opened
from tests.replication.test_forks import RULES

FOUND = "the liar is left out, both commits are kept, one game, no share told twice"
BLUE, GREEN = 2, 3


@contextmanager
def _split(folder: Path) -> Iterator[tuple[list[Path], list[Replica]]]:
    """Red in two repositories, of which Blue finds one and Green the other, behind one server; the seats and peers."""
    paths = make_seats(folder, 3, 9, rules=RULES, signed=True)
    with opened(paths) as replicas:
        until_awaited(replicas, RED, 12, lambda one: True)
    twin = folder / "elsewhere" / "Red"
    shutil.copytree(paths[0], twin)
    with http_server(folder, Conduct()) as url, ExitStack() as stack:
        reds = {"Blue": f"{url}/Red/.git", "Green": f"{url}/elsewhere/Red/.git"}
        others = {"Blue": f"{url}/Blue/.git", "Green": f"{url}/Green/.git"}
        for path, remotes in (
            (paths[0], {"Blue": others["Blue"]}),
            (twin, {"Green": others["Green"]}),
            (paths[1], {"Red": reds["Blue"], "Green": others["Green"]}),
            (paths[2], {"Red": reds["Green"], "Blue": others["Blue"]}),
        ):
            settings = read_settings(path)
            settings.remotes.clear()
            settings.remotes.update(remotes)
            write_settings(path, settings)
        later = [stack.enter_context(open_replica(path)) for path in (paths[0], paths[1], paths[2])]
        later.append(stack.enter_context(open_replica(twin, lambda height: logical_clock(height) + 7)))
        yield [*paths, twin], later


def _play(table: PeerTable[Replica], *, rounds: int) -> None:
    for _ in range(rounds):
        for replica in table.there:
            look(replica)
            table.turn(replica)
        table.time.sleep(STEP_S)


def split_views(folder: Path, *, apart: bool) -> None:
    """Both of Red's games go on until Blue and Green hear of one another, and these two play on."""
    folder.mkdir()
    with _split(folder) as (paths, replicas):
        _, blue, green, _ = replicas
        for one in (blue, green):  # nobody has put their repositories back
            one.catch_up.is_here = True
        table = PeerTable([blue, green])  # Red votes on nobody
        table.there = replicas
        if apart:
            known = blue.neighbours, green.neighbours
            blue.neighbours, green.neighbours = ([one for one in all_ if one.colour == "Red"] for all_ in known)
            _play(table, rounds=3)
            assert blue.graph.head not in green.graph
            assert green.graph.head not in blue.graph
            blue.neighbours, green.neighbours = known
        for _ in range(12):
            _play(table, rounds=1)
            if all(one.graph.state.away[RED - 1] for one in (blue, green)) and blue.graph.head == green.graph.head:
                break
        check_together((blue, green))
        for one in (blue, green):
            assert all(one.store.read(commit) for commit in views_of(one).forkers[RED])
        height = blue.graph.height(blue.graph.head)
        table.there = [blue, green]
        _play(table, rounds=3)
        assert blue.graph.height(blue.graph.head) > height
    for player, path in ((BLUE, paths[1]), (GREEN, paths[2])):
        assert told_twice(paths, player) == []
        assert audit(path).is_fine


@attack("`http://`: a liar plays different games with two players, at two paths", FOUND)
def split_views_over_http(folder: Path) -> None:
    split_views(folder, apart=False)


@attack("the same; the two reach one another only later", FOUND)
def split_views_apart_over_http(folder: Path) -> None:
    split_views(folder, apart=True)
