"""Players of hidden hands leave and come back: the referee judges whole games of it, and what liars write in them."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.actions import ComeBack
from catan_p2p.game.rules import awaited
from catan_p2p.log.game import game_files
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.replication.core.view_duty import ViewDuty
from tests.hidden import test_returns as scenes
from tests.hidden.games import written
from tests.hidden.test_leaving import without_the_liar_in_the_view
from tests.log.table import LogTable, hidden_log
from tests.referee import referee, sealing, vault
from tests.referee.beside import beside
from tests.referee.mutants import LIES, Edit, edit
from tests.referee.views import ViewsLog

MOST = 400


def restless(players: int, seed: int, often: float = 0.03) -> LogTable:
    """A game of hidden hands that somebody leaves again and again, and comes back to as soon as they may.

    They leave more often while the deck is shuffled; before it has been shuffled once in some games only.
    """
    table, rng = hidden_log("brief; HandLimit = 4", players, seed, returns=1 + seed % 3), Random(seed)
    while len(table.steps) < MOST and not table.state.is_over:
        state = table.state
        duties = [ViewDuty(table.graph.valid, seat) for seat in state.constants.players]
        back = [seat for seat, duty in enumerate(duties, 1) if duty.may_come_back]
        may_leave = len(state.present) > 2 and (seed % 5 == 0 or any(state.hid.sealed))
        if may_leave and rng.random() < (3 * often if state.tp == "Shuffling" else often):
            table.excuse(rng.choice(awaited(state)))
        elif back and rng.random() < 0.3:
            table.come_back(rng.choice(back))
        else:
            table.act(rng.choice(awaited(state)))
    return table


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 4, 6])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_game_of_returns(players: int, seed: int, tmp_path: Path) -> None:
    with beside() as both:
        table = restless(players, seed)
    assert sum(isinstance(action, ComeBack) for action in table.actions) > 1
    assert both.judged["accepted"] > len(table.steps)
    assert referee.audit(str(written(table, tmp_path / "game"))) == (1 + len(table.steps), [])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_many_games_of_returns(players: int, seed: int) -> None:
    with beside():
        restless(players, seed, 0.01 * (1 + seed % 4))


@pytest.mark.sampled(2)
@pytest.mark.long
@pytest.mark.parametrize("seats", [(1, 3), (1, 2)])
def test_a_party_of_two_seats_comes_back(seats: tuple[int, int]) -> None:
    with beside() as both:
        scenes.test_a_party_of_two_seats_opens_the_cards_of_both()
        scenes.test_who_is_proven_to_have_lied_about_cards_never_comes_back(seats)
    assert both.judged["accepted"] > 400


def test_a_liar_about_cards_is_left_out_by_a_change() -> None:
    with beside() as both:
        without_the_liar_in_the_view()
    assert both.judged["accepted"] > 100


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("name", LIES)
def test_a_lie_about_a_return_is_refused_and_accepted_by_a_referee_without_the_rule(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, said, lost = LIES[name]
    with beside() as both:
        table, commit = write()
        found = table.check(table.graph, commit)
        assert isinstance(found, CommitRejected)
        with pytest.raises(referee.Refused, match=re.escape(said)):
            both._log(table.graph)[0].judge(commit, table.objects.read(commit)[1])
        lost(monkeypatch)
        with pytest.raises(AssertionError, match="referee \\n"):
            table.check(table.graph, commit)
        both.differences.clear()


LEAVES = (referee, "_leaving_effect")
LOST: dict[str, Edit] = {
    "opened cards are gone": edit(*LEAVES, ('move(a["Shown"], none_of(RESOURCES), s["hand"][x])', "pass")),
    "opened cards stay sealed": edit(*LEAVES, ('s["hid"]["sealed"][x] = 0', "pass")),
    "opened cards are sold again": edit(vault, "after", ('v["cards"][a["Absent"]] = ()', "pass")),
    "no hand is halved": edit(*LEAVES, ('game.rules["HandLimit"]:', "250:")),
    "returns are not counted": edit(*LEAVES, ('s["left"][x] - 1', 's["left"][x]')),
    "a share held back costs no return": edit(*LEAVES, ('min(s["left"][x], 1)', 's["left"][x]')),
    "who leaves before the deck is shuffled may come back": edit(*LEAVES, ('s["left"][x] = 0', "pass")),
    "the deck is not shuffled for who is back": edit(*LEAVES, ('s["bank"])\n        add_keys(s)', 's["bank"])')),
    "a deck that nobody's leaving changes is shuffled": edit(*LEAVES, ("elif was_keyless and", "elif False and")),
    "nobody gets a key again": edit(referee, "_hidden_effect", ('hid["keyless"] = dict(s["away"])', "pass")),
    "who is back loses no deck": edit(
        referee, "loses_deck", ("return is_rest and not tells_pieces(game, s)", "return False")
    ),
    "pieces that are not told lose no deck": edit(
        referee, "loses_deck", (' or (any(s["away"].values()) and not tells_pieces(game, s))', "")
    ),
    "who is back has never left": edit(referee, "tells_pieces", (' and s["left"][q] == game.rules["Returns"]', "")),
    "a cover is a stripping": edit(sealing, "_read_shares", ("about(occasion, purpose,", 'about(occasion, "strip",')),
    "a cover comes off the deck": edit(vault, "_shuffled", ("read_cover(", "read_stripping(")),
    "a key that covers does not seal": edit(vault, "_shuffled", ("message)), gone - {p}", "message)), gone")),
    "a deck stays half covered": edit(vault, "_leave", ('v["deck"], v["gone"] = v["as it was"]', "pass")),
    "pieces of a key that does not seal come off": edit(vault, "_leave", ("if not is_sealed:", "if False:")),
    "nobody comes back": edit(ViewsLog, "granted", ("if seats:", "if False:")),
}


@cache
def leaving_again() -> LogTable:
    """Whoever is back leaves again while the others shuffle without another, and takes the deck along."""
    table, absent = scenes.left(4)
    scenes.shuffled(table)
    table.come_back(absent)
    table.excuse(next(seat for seat in awaited(table.state) if seat != absent))
    while awaited(table.state) != (absent,):
        table.act(awaited(table.state)[0])
    assert table.state.hid.deck == "rest"
    table.excuse(absent)
    assert table.state.hid.deck == "lost"
    return table


KINDS = [(players, seed) for seed in (1, 2, 10) for players in (3, 4)]
GAMES = [leaving_again, *(cache(partial(restless, *kind)) for kind in KINDS)]
"""Games that several tests judge."""


def is_accepted(table: LogTable) -> bool:
    """Whether the referee accepts the whole game."""
    log = referee.log_of(table.root, referee.Game(game_files(table.game)))
    try:
        for step in table.steps:
            log.take(log.judge(step.commit, table.objects.read(step.commit)[1]))
    except referee.Refused:
        return False
    return True


@pytest.mark.sampled(6)
@pytest.mark.long
@pytest.mark.parametrize("name", LOST)
def test_a_referee_that_lacks_a_rule_of_returns_refuses_a_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LOST[name](monkeypatch)
    assert not all(is_accepted(game()) for game in GAMES), "no game gives an occasion"
