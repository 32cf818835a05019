"""A table as ``catan-p2p host`` makes it by default, where somebody leaves: all that judge a game accept it whole."""

from pathlib import Path

import pytest

from catan_p2p.cli.host import PROFILE
from catan_p2p.cli.main import main
from catan_p2p.tables.setup import at_table
from tests.model_check.test_peers_hidden import is_opened
from tests.referee.beside import beside
from tests.replication.tables import make_seats, opened
from tests.replication.test_leaving import Absence, AbsenceTable

pytestmark = [pytest.mark.needs("spec"), pytest.mark.soak]


@pytest.mark.parametrize("players", [4, 5])
def test_a_table_that_people_play_at(players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hidden hands, joint chance, a signed end; five build between turns. One is excused after 80 commits."""
    agreed = at_table(f"{PROFILE}; PointsToWin = 4", fair=True, patience_s=1, player_count=players)
    rules = agreed.replace("; Hands = hidden", "")
    folder = tmp_path / "Catan_0"
    folder.mkdir()
    paths = make_seats(folder, players, 7, signed=True, rules=rules, hands="hidden")
    with beside() as both, opened(paths) as replicas:
        constants = replicas[0].game.constants
        assert constants.rules.special_building == (players > 4)
        table = AbsenceTable(replicas, Absence(2, 80))
        while not is_opened(table):
            table.play_round()
        assert table.there[0].graph.state.away[2 - 1]
    assert both.judged.keys() == {"accepted"}
    for path in map(str, paths):
        assert main(["verify", path]) == main(["check-trace", path]) == 0
    assert main(["check-trace", str(folder)]) == 0
    assert f"{players} repositories, a behaviour of the replication" in capsys.readouterr().out
