"""The notebooks of the documentation run, and print what they show."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import catan_p2p
from catan_p2p.notation import Event, TimedAction, events_of
from tests.notation.replays import as_colonist, as_soclog
from tests.notation.samples import STARTED_S, participants

pytestmark = [pytest.mark.sampled(4), pytest.mark.needs("notebook")]

GAMES = Path(__file__).parents[2] / "docs" / "notebooks" / "games"
NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def printed(notebook: nbformat.NotebookNode) -> list[str]:
    """What each cell prints and gives as text, without durations and without where things are in memory.

    What a cell prints may come in several pieces, cut anywhere.
    """
    found = []
    for cell in notebook.cells:
        outputs = [output for output in cell.get("outputs", []) if output.output_type != "display_data"]
        texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs]
        found.append(re.sub(r"\d+\.\d s", "_ s", "".join(text for text in texts if "children=" not in text)))
    return found


def told() -> list[Event]:
    """The game of ``games_of_six_sources``, as events."""
    game = catan_p2p.play(players=3, policies="builder", seed=2)
    steps = [TimedAction(step.action, step.after, STARTED_S + second) for second, step in enumerate(game)]
    return list(events_of(game[0].before.constants, participants(3), steps, STARTED_S))


def test_there_are_four() -> None:
    assert len(NOTEBOOKS) == 4


def test_the_games_beside_them_are_our_own() -> None:
    assert (GAMES / "colonist.json").read_text("utf-8") == as_colonist(told()) + "\n"
    assert (GAMES / "jsettlers.soclog").read_text("utf-8") == as_soclog(told())


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(path: Path) -> None:
    shown = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    NotebookClient(
        run,
        timeout=1200,
        iopub_timeout=1200,  # usually 4 s after a cell is done; what is printed later would be dropped in silence
        raise_on_iopub_timeout=True,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    assert printed(run) == printed(shown)
