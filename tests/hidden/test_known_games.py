"""What everybody reads of a game in which not every card is open: what is known, with bounds and names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from catan_p2p import Game
from catan_p2p.cli.main import main
from catan_p2p.game.actions import RollDice
from catan_p2p.game.cards import DEV_CARDS, Cards, covers, total
from catan_p2p.log.audit import audit
from catan_p2p.log.history import GameHistory, load_history
from catan_p2p.log.known_cards import KnownCards
from catan_p2p.log.open_course import known_facts, open_course
from catan_p2p.log.opened_hands import openings
from catan_p2p.metrics.games import measure_game
from catan_p2p.model_check.recording import read_recording
from catan_p2p.notation.repository.view_files import load_view
from catan_p2p.notation.sources import read_repository
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.view.events import DiceRolled, MonopolyPlayed
from tests.hidden.games import GAMES, LIAR, another_key, load_open_history, monopoly, seated, written
from tests.log.table import LogTable
from visualizer.data.repository import WatchedRepository

NAMES = {
    "silent": "Blue did not open the cards after the end",
    "all silent": "Red, Blue and Green did not open the cards after the end",
    "two keys": "the cards of Blue do not open with the key that was told",
    "unsigned": "nobody sees all cards until Blue signed the end",
    "left": "Blue left and did not open the cards",
    "left of two": "Blue left and did not open the cards",
    "left and silent": "Red did not open the cards after the end, Blue left and did not open the cards",
    "lied to": "nobody sees all cards before the end",
    "robber goes on": "the cards of Blue do not open with the key that was told",
    "under way": "nobody sees all cards before the end",
}
"""What is said of each game besides."""
EVERY = pytest.mark.parametrize("name", NAMES)
QUICK = "silent", "two keys", "under way"
"""Those on which verbs are run by ``make test``, too."""


class Written(NamedTuple):
    """A game, and its repository."""

    table: LogTable
    path: Path


_FOLDER = TemporaryDirectory(prefix="catan-known-games-")


@cache
def game(name: str) -> Written:
    """A game, played once."""
    table = GAMES[name]()
    return Written(table, written(table, Path(_FOLDER.name) / name.replace(" ", "-")))


def ran(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """What a verb says: its code, and both outputs."""
    capsys.readouterr()
    code = main([str(word) for word in words])
    return (code, *capsys.readouterr())


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in NAMES]
)
def test_every_verb_tells_what_is_known(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    path = game(name).path
    is_false = "do not open with" in NAMES[name]
    code, out, err = ran(capsys, "verify", path)
    assert code == is_false and (NAMES[name] in out) == (NAMES[name] != NAMES["lied to"])
    code, out, err = ran(capsys, "stats", path)
    assert code == 0 and err == f"{path}: {NAMES[name]}\n"
    for format in ("catan", "sgn", "catanatron"):
        code, out, err = ran(capsys, "export", path, "--format", format)
        assert NAMES[name] in err
        assert code == 0 or (
            code == 2
            and format != "catan"
            and any(word in err for word in ("nobody ", "is unknown"))
            and err.count("\n") == 1
        )
    quiet = (
        ("log", path),
        ("metrics", path, "--quick", "--out", tmp_path / "metrics"),
        ("page", path, "-o", tmp_path / "page.html"),
        ("watch", path, "--snapshot", tmp_path / "game.png", "--size", "640x480"),
    )
    assert [ran(capsys, *words)[0] for words in quiet] == [0] * len(quiet)


def test_a_robber_who_was_lied_to_is_told_who_lied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = game("lied to").table
    colours, call = [seat.colour for seat in table.graph.game.seats], table.sealed_cards.choosing
    for player, colour in enumerate(colours, 1):
        seated(table, tmp_path / colour, player)
    path = tmp_path / colours[table.state.ap - 1]
    told = f"{colours[call.victim - 1]} has not revealed the card that was chosen in {call.context.commit[:10]}\n"
    assert ran(capsys, "turn", path) == (1, "", f"catan-p2p turn: {told}")
    assert ran(capsys, "peer", path, "--alone", "--quiet") == (1, "", f"catan-p2p peer: {told}")


@pytest.mark.parametrize("name", GAMES)
def test_measures_count_each_card_that_is_known(name: str) -> None:
    row = measure_game(game(name).path, "run", thorough=False).game
    bought = {kind: row.counts[f"bought_{kind}"] for kind in (*DEV_CARDS, "sealed")}
    shown = {kind: row.counts[f"Play{kind}"] for kind in DEV_CARDS if kind != "VictoryPoint"}
    shown["VictoryPoint"] = row.counts["ShowPoint"]
    assert all(bought[kind] >= count for kind, count in shown.items()), (bought, shown)
    assert sum(bought.values()) == row.counts["BuyDevCard"] and sum(shown.values()) + bool(bought["sealed"])
    assert row.closed == NAMES.get(name, "")


@pytest.mark.long
@pytest.mark.needs("report")
@pytest.mark.sampled(8)
@EVERY
def test_a_report_says_whose_cards_are_closed(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "report", game(name).path, "--out", tmp_path)
    assert (code, out) == (0, f"{tmp_path / 'report.html'}\n")
    for page in ("report.html", "report.md"):
        assert f"In 1 of 1 games not all cards are open: {NAMES[name]}. " in (tmp_path / page).read_text()


@pytest.mark.parametrize("name", GAMES)
def test_verify_says_who_has_opened(name: str) -> None:
    found = openings(load_history(game(name).path, may_be_hidden=True))
    assert str(found) == NAMES.get(name, "all have opened their cards")
    assert found.is_whole == (name == "whole")
    colours = {seat.colour for seat in game(name).table.graph.game.seats}
    assert {*found.opened, *found.closed, *found.false} == colours


def test_an_audit_finds_cards_that_do_not_open() -> None:
    assert not audit(game("two keys").path).is_fine
    assert audit(game("silent").path).is_fine


def true_hands(table: LogTable) -> Iterator[tuple[str, Cards]]:
    """What everybody holds at the end, by their own keys."""
    for seat, told in enumerate(table.graph.game.seats, 1):
        own = OwnCards(table.root, seat, table.secrets[seat])
        with another_key(LIAR):  # or by the other key
            yield told.colour, table.state.h[seat - 1].rc + own.cards(table.sealed_cards)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "robber goes on"])
def test_the_hands_at_the_end_are_within_their_bounds(name: str) -> None:
    table, path = game(name)
    held = Game.open(path).position().hands
    for colour, cards in true_hands(table):
        bounds = held[colour]
        assert covers(cards, bounds.low.cards) and covers(bounds.high.cards, cards)
        assert bounds.least == bounds.most == total(cards)
        # where one hand is closed, the others have told all that was stolen from it, and by it
        assert bounds.is_exact or name in ("all silent", "unsigned", "left and silent", "lied to", "under way")


def test_the_hands_are_within_their_bounds_all_along() -> None:
    """The two games are the same until somebody opens their cards, or nobody does."""
    opened = load_open_history(game("whole").path)
    true = [one.state for one in opened.actions if isinstance(one.action, RollDice)]
    vague = 0
    for name in ("silent", "all silent"):
        known = read_repository(game(name).path).view
        assert known is not None
        seen = [step.after for step in known.steps if isinstance(step.event, DiceRolled)]
        assert len(seen) == len(true) > 10
        for position, state in zip(seen, true, strict=True):
            for bounds, hand in zip(position.hands, state.h, strict=True):
                assert covers(hand.rc, bounds.low) and covers(bounds.high, hand.rc)
                vague += not bounds.is_exact
            assert position.bank.low == position.bank.high == state.bnk.rc
        assert bool(vague) == (name == "all silent")


def test_the_size_of_a_hand_is_known_after_a_monopoly(tmp_path: Path) -> None:
    known = read_repository(written(monopoly(), tmp_path / "game")).view
    assert known is not None
    after = [step.after for step in known.steps if isinstance(step.event, MonopolyPlayed)]
    assert any(not bounds.is_exact for position in after for bounds in position.hands)
    assert all(bounds.least == bounds.most for step in known.steps for bounds in step.after.hands)


def test_a_public_game_of_hidden_hands_is_read_like_any_other(tmp_path: Path) -> None:
    table, path = game("left and silent")
    found = Game.open(path)
    assert found.is_public and found.why_public == NAMES["left and silent"] and not found.findings
    assert found.winner == found.colours[found.last.ap - 1] == "Orange"
    assert len(found._repr_html_()) > 1000
    assert [found.words(step) for step in found][-1].startswith("wins")
    assert all(step.commit in table.graph for step in found if step.commit is not None)
    assert sum(step.commit is not None for step in found) > 100
    for number in range(len(found) + 1):
        position = found.position(number)
        assert repr(position) and len(position.hands) == 4
        assert position.legal_moves() or not position.to_move or position.winner
    found.save(tmp_path / "view")
    again = load_view(tmp_path / "view")
    assert again.format == "hidden" and [step.event for step in again.steps] == [step.action for step in found]


@pytest.mark.needs("frames")
def test_data_frames_tell_the_bounds_and_measure_the_commits() -> None:
    table, path = game("under way")
    found = Game.open(path)
    hands = found.to_dataframe("hands")
    assert (hands.Lumber < hands.Lumber_most).any() and (hands.development_unknown > 0).any()
    assert len(found.to_dataframe("deltas")) == len(found.to_dataframe("timings")) == table.graph.action_count


# The trace, and the game with open hands


def test_the_open_game_ends_where_cards_out_of_play_would_matter() -> None:
    history = load_history(game("left").path, may_be_hidden=True)
    end = open_course(history, known_facts(history)).end
    assert (
        end is not None and "with open hands the game would have gone differently" in end and end.endswith("the hands")
    )


@pytest.mark.parametrize("name", GAMES)
def test_what_is_recorded_is_the_game_that_everybody_sees(name: str) -> None:
    history, found = load_history(game(name).path, may_be_hidden=True), read_recording(game(name).path)
    assert found.unreadable is None and found.step_count == len(history.actions) > 60
    states = {one.commit: one.state for one in history.actions}
    for entry in found.entries:
        assert entry.step.state == states[entry.step.commit]._replace(due=entry.step.state.due)


@pytest.mark.long
@pytest.mark.needs("spec")
@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", GAMES)
def test_tlc_takes_the_game_that_everybody_sees(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "check-trace", game(name).path)
    changes = (
        "; what was signed about who is present is a behaviour of spec/CatanViews.tla"
        if name in ("left", "left and silent")
        else ""
    )
    assert code == 0 and out.endswith(f" steps, a behaviour of the specification{changes}\n")


# Keys that open less than they should


def test_the_own_hand_is_shown_as_far_as_it_opens() -> None:
    """The window of a robber whose victim lied, and who has gone on by another program."""
    table, path = game("robber goes on")
    robber = next(seat for seat, sealed in enumerate(table.state.hid.sealed, 1) if sealed)
    own = OwnCards(table.root, robber, table.secrets[robber])
    history = load_history(path, may_be_hidden=True)
    unknown = 0
    for logged in history.actions:
        assert logged.sealed_cards is not None
        state = KnownCards({robber: own}).state(logged.state, logged.sealed_cards)
        unknown += state.hid.sealed[robber - 1]
    assert unknown
    with pytest.raises(GaveUp, match=r"a card of player \d, stolen from player 2 after"):
        for logged in history.actions:
            assert logged.sealed_cards is not None
            own.cards(logged.sealed_cards)


def test_the_others_open_the_development_cards_of_who_left() -> None:
    table, path = game("left")
    history = load_history(path, may_be_hidden=True)
    facts = known_facts(history)
    own = OwnCards(table.root, LIAR, table.secrets[LIAR])
    numbers = table.sealed_cards.of(LIAR).held
    assert numbers and {facts.bought[number] for number in numbers} == {
        own.kind(table.sealed_cards, one) for one in numbers
    }
    assert not set(table.sealed_cards.of(LIAR).held) & known_facts(_without_keys(history)).bought.keys()


def _without_keys(history: GameHistory) -> GameHistory:
    """The same game as it was before anybody opened their cards."""
    graph = history.graph.at_root()
    line = history.graph.line
    graph._hold(history.graph.ledger._replace(line=line._replace(replies={})))
    return replace(history, graph=graph)


@pytest.mark.parametrize("name", GAMES)
def test_the_viewer_says_whose_cards_are_closed(name: str) -> None:
    replica = WatchedRepository(game(name).path)
    replica.refresh()
    replica.close()
    assert replica.problem is None
    assert replica.remark == (NAMES.get(name) if game(name).table.state.is_over else None)
