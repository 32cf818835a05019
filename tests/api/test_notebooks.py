"""The notebooks of the documentation run, and print what they show."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def printed(notebook: nbformat.NotebookNode) -> list[str]:
    """What the cells print and give as text, without durations and without where things are in memory."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            if output.output_type != "display_data" and "children=" not in text:
                found.append(re.sub(r"\d+\.\d s", "_ s", text))
    return found


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(path: Path, tmp_path: Path) -> None:
    shown = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    NotebookClient(run, timeout=1200, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert printed(run) == printed(shown)
