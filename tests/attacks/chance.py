"""Draws that somebody knows before they are made: shares told in an earlier game, and seeds that can be found."""

from pathlib import Path

from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.game.secret_streams import SecretRandomness, seat_randomness, secret_seed
from tests.attacks.registry import attack
from tests.chance.test_fresh import replayed, shares_of
from tests.chance.test_fresh_elsewhere import relay
from tests.chance.test_fresh_elsewhere import replayed as replayed_at
from tests.game.test_secret_streams import ROLLS, rolls, seeds_that_fit
from tests.replication.test_map_drawing import with_another_map


@attack('the same root again: "my disk died, join once more"', "the shares are new ones")
def same_root_again(folder: Path) -> None:
    first, second = replayed(folder, draws=3)
    assert first.root == second.root
    assert not {*shares_of(first, 1)} & {*shares_of(second, 1)}


@attack(
    "the same at a relay that, like all other players, goes back to before the pledges",
    "the shares are new ones",
)
def same_root_at_a_relay(folder: Path) -> None:
    folder.mkdir()
    with relay(folder, "folder") as url:
        first, second, _ = replayed_at(folder, url, "everything")
    assert first.root == second.root
    assert not {*shares_of(first, 1)} & {*shares_of(second, 1)}


@attack("2,000 seeds tried on 11 rolls of `lmu serve`", "none matches; there are 2^128", tries=2000)
def dice_of_a_server_foretold(folder: Path) -> None:
    seen = rolls(seat_randomness(secret_seed(), 0), ROLLS)
    for of in (SeededRandomness, SecretRandomness):
        assert seeds_that_fit(seen, range(1000), of) == []


@attack("a host who uses their own map where all should draw it", "no guest joins")
def map_of_the_host(folder: Path) -> None:
    (refused,) = with_another_map(folder)
    assert "another map than the one all drew together" in str(refused)
    assert not (folder / "Blue").exists()
