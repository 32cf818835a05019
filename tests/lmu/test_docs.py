"""docs/guides/lmu.md: the recorded turn is one, and every test that it names is there."""

from __future__ import annotations

import json
import re
from pathlib import Path

from catan_p2p.lmu import messages as m
from tests.lmu.test_messages import VALID

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "guides/lmu.md").read_text(encoding="utf-8")


def exchange() -> list[tuple[str, str]]:
    block = TEXT.partition("<!-- exchange -->\n```text\n")[2].partition("```")[0]
    return [(line[0], line[2:]) for line in block.splitlines()]


def test_the_recorded_turn_is_spelled_as_we_write_it() -> None:
    sides = {"C": "client", "S": "server"}
    lines = exchange()
    assert len(lines) > 30
    for who, text in lines:
        value = json.loads(text)
        assert VALID[sides[who]].is_valid(value)
        assert m.write_message(m.read_message(value, sides[who])) == text  # type: ignore[arg-type]
    asked = sum(who == "C" for who, _ in lines)
    assert sum("Serverantwort" in text for _, text in lines) == asked
    assert lines[0][1].count('"Status":"Würfeln"') == 1
    assert lines[-1][1] == '{"Serverantwort":"OK"}'


def test_every_decision_names_a_test_that_is_there() -> None:
    rows = re.findall(r"^\| (\d+) \| .* \| (.*) \|$", TEXT, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 16))
    for number, named in rows:
        own = f"def test_{number}_"
        sources = {path.name: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")}
        for file, name in re.findall(r"`(?:(test_\w+\.py)::)?(test_\w+?)(?:_\.\.\.)?`", named):
            if file and name != f"test_{number}":
                assert f"def {name}(" in sources[file], name
            else:
                assert own in sources["test_decisions.py"], number
