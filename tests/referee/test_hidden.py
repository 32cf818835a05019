"""Games of hidden hands: the referee accepts what the program accepts, and refuses every lie about sealed cards."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from catan_p2p.log.verdict import CommitRejected, LoggedStep
from tests.hidden import games
from tests.hidden.test_leaving import PHASES
from tests.log.table import LogTable, hidden_log
from tests.referee import sealing, vault
from tests.referee.beside import beside

CLOSED = ("whole", "silent", "all_silent", "monopoly", "two_keys", "left")


class Forging(LogTable):
    """A table at which every commit is forged in some ways before it is taken in."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self.lies, self.seals, self.refused = Random(7), [b"\1" * 32], Counter[str]()
        super().__init__(*arguments, **named)

    def take_in(self, step: LoggedStep) -> LoggedStep:
        entry = step.entry
        for changes in self.changes(entry._asdict()):
            found = self.forged(step, entry._replace(**changes))
            if isinstance(found, CommitRejected):
                self.refused[found.reason] += 1
        self.seals = [*self.seals[-3:], *([entry.seal] if entry.seal else [])]
        return super().take_in(step)

    def changes(self, told: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """What a liar tells in place of this."""
        seal, rng = told["seal"], self.lies
        yield from ({"seal": other} for other in (b"", rng.choice(self.seals)))
        yield {rng.choice(["place", "deck"]): rng.randrange(4)}
        for name in ("place", "deck"):
            if told[name] is not None:
                yield from ({name: other} for other in (None, told[name] + 1, max(0, told[name] - 1), 0, 999))
        if told["share"] is not None:
            yield {"share": None}
        else:
            yield {"share": "0" * 64}
        if seal is None:
            return
        word = 32 * rng.randrange(len(seal) // 32)
        yield from ({"seal": other} for other in (None, seal[:-1], seal + b"\0", seal[32:] + seal[:32]))
        yield from (
            {"seal": seal[:word] + other + seal[word + 32 :]} for other in (bytes(32), b"\xff" * 32, b"\2" * 32)
        )
        for at in (0, len(seal) - 32, *(rng.randrange(len(seal)) for _ in range(3))):
            yield {"seal": seal[:at] + bytes([seal[at] ^ 1 << rng.randrange(8)]) + seal[at + 1 :]}


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("name", CLOSED)
def test_games_in_which_not_every_card_is_open(name: str) -> None:
    with beside() as both:
        getattr(games, name)()
    assert both.judged["accepted"] > 100


@pytest.mark.long
@pytest.mark.parametrize(("rules", "players", "leaving"), [("brief", 3, False), ("standard", 4, True)])
def test_lies_about_every_commit_of_a_game(rules: str, players: int, leaving: bool) -> None:
    with beside() as both:
        table = hidden_log(f"{rules}; PointsToWin = 4", players, 4, leaving=leaving, kind=Forging)
        table.play_until(lambda state: state.is_over and not any(state.due))
    assert both.judged["seal"] == table.refused["seal"] > 500


@pytest.mark.sampled(6)
@pytest.mark.long
@pytest.mark.parametrize("phase", PHASES)
def test_lies_about_the_deck_once_a_player_has_left(phase: str) -> None:
    with beside() as both:
        table = hidden_log("brief", 4, 0, kind=Forging)
        table.play_until(PHASES[phase])
        table.excuse(next(iter(games.awaited(table.state))))
        most = len(table.graph) + 60
        table.play_until(lambda state: state.is_over or len(table.graph) > most)
    assert both.judged["seal"] == table.refused["seal"]


LOST: dict[str, Any] = {
    "check_linear": (sealing, lambda *told: None),
    "check_kind": (sealing, lambda *told: None),
    "scalar": (sealing, lambda data: int.from_bytes(data, "little")),
    "_check_game_key": (vault, lambda *told: None),
    "check_place": (vault, lambda occasion, choice, place, message: message.take(64)),
    "read_share": (vault, lambda occasion, card, key, message: message.take(96)[:32]),
}


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("name", LOST)
def test_a_referee_that_has_lost_a_check_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, lost = LOST[name]
    monkeypatch.setattr(module, name, lost)
    with beside() as both:
        table = hidden_log("brief; PointsToWin = 4", 3, 4, leaving=False, kind=Forging)
        with pytest.raises(AssertionError, match="referee"):
            table.play_until(lambda state: state.is_over and not any(state.due))
        both.differences.clear()
