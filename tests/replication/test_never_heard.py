"""Players who wait for somebody of whom nothing was ever heard, such as at a mistyped address, are told so.

Red    Blue ---> Green (nobody reaches Red)
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from catan_p2p.cli.main import main
from catan_p2p.replication.play import unheard
from tests.positions import position
from tests.replication.tables import make_seats, opened
from visualizer.play.table_view import TableView


def test_turn_says_whose_log_was_never_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = make_seats(tmp_path, 2, 7)
    with opened(paths) as replicas:
        (waiting,) = (replica for replica in replicas if not replica.is_awaited)
        awaited = {1: "Blue", 2: "Red"}[waiting.player]
        assert unheard(waiting) == f" (no commit of {awaited} was ever seen here)"
        path = waiting.store.folder.parent
    assert main(["turn", str(path)]) == 3
    assert f"waiting for {awaited} since " in capsys.readouterr().out  # it has just been heard
    with opened(paths) as replicas:
        for replica in replicas:
            assert unheard(replica) == ""


@pytest.mark.parametrize(("waited_s", "is_told"), [(9.0, False), (11.0, True)])
def test_the_window_says_so_after_a_while(waited_s: float, is_told: bool) -> None:
    recording: Any = SimpleNamespace(
        number=0, colour=lambda player: ("Red", "Blue")[player - 1], name=lambda player: "Ada", heads={"Blue_0": ""}
    )
    session: Any = SimpleNamespace(
        worker=SimpleNamespace(clock=lambda: waited_s, since=0.0),
        replay=SimpleNamespace(recording=recording),
        seat=SimpleNamespace(player=2),
    )
    view = object.__new__(TableView)
    view.session = session
    told = view._waiting(position(2))
    assert told.startswith("waiting for Ada (not seen yet)" if is_told else "waiting for Ada,")
    recording.heads["Red_0"] = ""
    assert view._waiting(position(2)).startswith("waiting for Ada,")
