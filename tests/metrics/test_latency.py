"""Links with delay, and fetching over them."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from catan_p2p.log.history import load_history
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics import latency
from catan_p2p.metrics.deltas import group_hand_overs
from catan_p2p.metrics.hand_over_costs import GamePublisher, time_synchronizations
from catan_p2p.metrics.latency import Latency, measure_latencies, play_central, read_latencies, write_latencies
from catan_p2p.metrics.link import DelayingProxy
from catan_p2p.simulation.run import resume_run

pytestmark = pytest.mark.long

WRONG_TYPE = json.dumps({"latencies": [asdict(Latency(2, "central", "action", "", 0, 5, "x", 0, 1, 1, 1))]})  # type: ignore[arg-type]


@contextlib.contextmanager
def echo_server() -> Iterator[int]:
    """The port of a server that sends back what its one client sends."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with contextlib.suppress(OSError):
                connection, _ = listener.accept()
                with connection:
                    while data := connection.recv(4096):
                        connection.sendall(data)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)  # a thread that waits in accept does not notice a mere close
            thread.join()


def test_a_link_passes_every_byte_in_order_and_counts_what_comes_back() -> None:
    sent = bytes(range(256)) * 2000
    with echo_server() as port, DelayingProxy(port, 0.001) as proxy:
        with socket.create_connection(("127.0.0.1", proxy.port)) as connection:
            threading.Thread(target=lambda: (connection.sendall(sent), connection.shutdown(socket.SHUT_WR))).start()
            received = b""
            while data := connection.recv(65536):
                received += data
        assert received == sent
        assert proxy.received_bytes == len(sent)


def test_a_connection_that_is_over_is_closed() -> None:
    with echo_server() as port, DelayingProxy(port, 0.0) as proxy:
        with socket.create_connection(("127.0.0.1", proxy.port)) as connection:
            connection.sendall(b"x")
            assert connection.recv(1) == b"x"
            assert len(proxy._open) == 2
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1) == b""
        end = time.monotonic() + 120.0
        while proxy._open:
            assert time.monotonic() < end
            time.sleep(0.001)


def test_a_closed_link_is_closed() -> None:
    with echo_server() as server:
        with DelayingProxy(server, 0.0) as proxy:
            port = proxy.port
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))


def test_a_link_waits_for_a_server_that_is_not_there_yet() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with (
        DelayingProxy(port, 0.0, patience_s=120.0) as proxy,
        socket.create_connection(("127.0.0.1", proxy.port)) as connection,
    ):
        connection.sendall(b"x")
        with socket.create_server(("127.0.0.1", port)) as listener, listener.accept()[0] as there:
            assert there.recv(1) == b"x"


def test_every_setting_of_the_thesis_is_measured(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without what was done first of each, which is far slower than the rest."""
    game = runs / "four" / "Catan_0"
    seconds = iter([1e6, 2.0, 4.0])
    monkeypatch.setattr(
        latency,
        "play_central",
        lambda number, settings: replace(play_central(number, settings), elapsed_s=next(seconds)),
    )
    found = measure_latencies(game, delays_s=(0.0, 0.03), hand_overs=2, repeats=2)
    by_key = {(one.setting, one.what, one.transport, one.delay_s): one for one in found}
    expected = {("central", "action", ""), ("shared", "action", "")}
    for news in ("with news", "without news"):
        expected |= {("shared", f"synchronization {news}", "")}
        expected |= {("separate", f"{w} {news}", t) for w in ("synchronization", "git fetch") for t in ("path", "git")}
    assert {key[:3] for key in by_key} == expected
    assert by_key["shared", "action", "", 0.0].count == len(load_history(game).actions)
    central = by_key["central", "action", "", 0.0]
    assert (central.count, central.mean_s) == (2, pytest.approx(3.0 / by_key["shared", "action", "", 0.0].count))
    assert all(one.count == 2 for one in found if one.setting == "separate")
    # Whatever is asked over a link goes there and back: never below what the link alone takes.
    for work in ("synchronization", "git fetch"):
        assert by_key["separate", f"{work} without news", "git", 0.03].low_s > 2 * 0.03
        assert by_key["separate", f"{work} with news", "git", 0.03].low_s > 4 * 0.03
        received = by_key["separate", f"{work} with news", "git", 0.0].received_bytes
        assert received is not None and received > 500
    head = load_history(game).actions[-1].commit
    assert {(one.run, one.game, one.head) for one in found} == {("four", 0, head)}
    assert all(one.low_s <= one.median_s <= one.high_s for one in found)


def test_the_peer_that_follows_takes_in_every_hand_over_of_a_whole_game(runs: Path) -> None:
    """Discards and merges included: what is timed is the game, not failures."""
    game = runs / "four" / "Catan_0"
    history = load_history(game)
    groups = group_hand_overs(history.actions)
    with GamePublisher(game, history, groups) as publisher:
        settings = resume_run(game.parent).settings
        fetched = time_synchronizations(publisher, str(publisher.path), settings, 1, len(groups), None)
    of_others = [group for group in groups[1:] if group[0].action.player != 2]
    assert len(fetched.with_news_s) == len(fetched.without_news_s) == len(of_others)


def test_a_hand_over_that_does_not_arrive_is_an_error_not_a_time(runs: Path) -> None:
    game = runs / "four" / "Catan_0"
    history = load_history(game)
    groups = group_hand_overs(history.actions)
    first = next(index for index in range(5, len(groups)) if groups[index][0].action.player != 2)
    with GamePublisher(game, history, groups) as publisher:
        settings = resume_run(game.parent).settings
        publisher.show_next = lambda count: None  # type: ignore[method-assign]
        with pytest.raises(StoreError, match="it never came"):
            time_synchronizations(publisher, str(publisher.path), settings, first, 1, None)


def test_latencies_are_kept_and_read_back(tmp_path: Path) -> None:
    kept = [Latency(2, "separate", "git fetch with news", "git", 0.01, 20, 0.1, 0.01, 0.1, 0.09, 0.12, 812.5)]
    write_latencies(tmp_path / "latency.json", kept, {"cores": 2})
    assert read_latencies(tmp_path / "latency.json") == kept
    assert json.loads((tmp_path / "latency.json").read_text())["machine"] == {"cores": 2}
    assert read_latencies(tmp_path / "none.json") == []


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"latencies": [{}]}', '{"latencies": 3}', WRONG_TYPE, "\xff"])
def test_a_file_that_holds_no_latencies_is_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "latency.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(StoreError, match=r"latency\.json"):
        read_latencies(path)
