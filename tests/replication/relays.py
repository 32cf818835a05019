"""Seats that play over a relay, for tests."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from catan_p2p.game.constants import Chance
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.repository import create_repository
from catan_p2p.log.transport.serve import Address
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.invitation import parse_invitation
from catan_p2p.tables.seat import read_settings, write_settings
from tests.replication.meeting import WaitingHost, join
from tests.replication.tables import make_seats


def bare(path: Path) -> Path:
    """An empty repository without a work tree."""
    create_repository(path, work_tree=False, branch="main")
    return path


def seats_at(
    folder: Path, url: str, players: int = 2, *, chance: Chance = "actor", rules: str = "thesis"
) -> list[Path]:
    """The repositories of a new signed game, whose players know nothing of one another but the relay."""
    paths = make_seats(folder, players, signed=True, chance=chance, rules=rules)
    for path in paths:
        meet_at(path, url)
    return paths


def meet_at(path: Path, url: str) -> None:
    """Let a seat play over a relay only."""
    settings = read_settings(path)
    settings.remotes, settings.relay = {}, url
    write_settings(path, settings)


def play_on(replicas: Sequence[Replica], until: Callable[[Replica], bool]) -> None:
    """Let each look, act and push in turn until all of them have what is wanted."""
    for replica in replicas:
        assert replica.relay is not None
        replica.relay.meeting.least_s = 0.0
    for _ in range(20_000):
        for replica in replicas:
            replica.synchronize()
            replica.act()
            if replica.graph.state.is_over:
                replica.fast_forward()
            flush(replica)
        if all(until(replica) for replica in replicas):
            return
    raise AssertionError("it did not come to that")


def flush(replica: Replica) -> None:
    """Let a peer push all that it has published."""
    assert replica.relay is not None
    replica.store.publish()
    assert replica.relay.flush(replica.store, replica.graph), replica.relay.trouble


def has_actions(count: int) -> Callable[[Replica], bool]:
    return lambda replica: len(replica.graph) > count


def sit_down(
    folder: Path,
    place: str | Address,
    players: int = 2,
    ports: Sequence[int] = (),
    drawn: str | None = None,
    names: Mapping[str, str] | None = None,
) -> GameDefinition:
    """Open a table and take all seats at it, each by a thread: seats ``folder/<Colour>``, guests at these ports.

    ``names`` are those of the players, by colour.
    """
    names, colours = names or {}, COLOURS[:players]
    places = {colour: ("127.0.0.1", port) for colour, port in zip(colours[1:], ports, strict=False)}
    table = WaitingHost(folder / colours[0], place, colours=colours, drawn=drawn, name=names.get(colours[0]))
    with table as invitation:
        assert parse_invitation(str(invitation)) == invitation
        guests = (
            partial(join, folder / colour, invitation, colour, listen=places.get(colour), name=names.get(colour))
            for colour in colours[1:]
        )
        game: GameDefinition = table.meanwhile(*guests)[0]
    return game
