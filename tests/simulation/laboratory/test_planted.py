"""Planted mistakes are found in the games that planted.csv names; without them, the games end well."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.laboratory.found import (
    CAMPAIGNS,
    MOST,
    Found,
    in_words,
    play_planted,
    recorded,
    search,
)
from tests.simulation.laboratory.planted import ELSEWHERE, PLANTED

pytestmark = pytest.mark.sampled(30)

FOUND = {found.name: found for found in recorded() if found.game}


def test_the_table_has_mistakes_that_there_are() -> None:
    rows = tuple(recorded())
    assert {found.name for found in rows} <= PLANTED.keys()
    assert len(FOUND) > 40
    assert all(found.game <= MOST for found in FOUND.values())
    assert all(found.campaign in CAMPAIGNS for found in FOUND.values())
    # A game that ends so shows a mistake of the plant, which no longer fits the program.
    assert not [found for found in FOUND.values() if found.said.endswith(("TypeError", "AttributeError"))]


@pytest.mark.long
@pytest.mark.parametrize("found", FOUND.values(), ids=FOUND)
def test_a_planted_mistake_is_found_in_its_game(found: Found) -> None:
    message = play_planted(PLANTED[found.name][0], found.campaign, found.game)
    assert message is not None
    assert in_words(message) == found.said


GAMES = sorted({(found.campaign, found.game) for found in FOUND.values()})


@pytest.mark.long
@pytest.mark.parametrize(("campaign", "game"), GAMES, ids=str)
def test_that_game_ends_properly_without_it(campaign: str, game: int) -> None:
    assert play_planted(None, campaign, game) is None


@pytest.mark.long
@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_planted_mistake_that_no_game_shows_turns_a_test_red(name: str) -> None:
    code = (
        "import pytest, sys\n"
        "from tests.simulation.laboratory.planted import PLANTED\n"
        "PLANTED[sys.argv[1]][0](pytest.MonkeyPatch())\n"
        "sys.exit(pytest.main(['-q', '-x', '-p', 'no:cacheprovider', '-m', 'not soak', sys.argv[2]]))\n"
    )
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", code, name, ELSEWHERE[name]]
    assert (
        subprocess.run(command, cwd=root, capture_output=True, check=False).returncode == pytest.ExitCode.TESTS_FAILED
    )


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted(PLANTED.keys() - ELSEWHERE.keys()))
def test_a_planted_mistake_is_found(name: str) -> None:
    assert 0 < search(name).game <= MOST


def test_what_a_game_says_is_told_without_its_ids() -> None:
    said = in_words("6.539649 s: Red forgot 623aa58495, which it had acknowledged; again with: catan-p2p simulate")
    assert said == "an acknowledged commit is gone after a restart"
    assert not re.search("[0-9]", in_words("at 12.5 s 623aa58495 is odd"))
