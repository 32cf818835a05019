"""The examples of docs/reference/notation.md run as they stand."""

import re
from pathlib import Path

import pytest

from catan_p2p.notation import write_game
from tests.notation import samples

PAGE = Path(__file__).parents[2] / "docs" / "reference/notation.md"


def test_the_python_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    constants, steps = samples.random_game(2, 1, in_order=True)
    events = samples.random_events(2, 1, in_order=True)
    for format in ("catan", "sgn"):
        Path(f"game.{format}").write_text(samples.written(events, format), encoding="utf-8", newline="\n")
    write_game(Path("games/tour/Catan_0"), samples.start(2), constants, steps, "test")
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) == 1
    exec(compile(examples[0], str(PAGE), "exec"), {})
    assert Path("copy.sgn").read_bytes() == Path("game.sgn").read_bytes()
