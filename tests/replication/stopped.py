"""Games that can go no further: the peer whose move is awaited says why, with exit code 1."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.replication.core.commit_author import GaveUp
from tests.replication.tables import opened, play_rounds


def check_stop(paths: Sequence[Path], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Play until nobody can go on, and check what ``peer`` then says, and that the logs are sound."""
    with opened(paths) as replicas, pytest.raises(GaveUp, match=why):
        play_rounds(replicas, lambda _: False)
    awaited = paths[replicas[0].graph.state.ap - 1]
    assert main(["peer", str(awaited), "--stop-after", "20"]) == 1
    said = capsys.readouterr().err
    assert f"catan-p2p peer: {why}" in said
    assert "Traceback" not in said
    assert main(["verify", *map(str, paths)]) == 0
