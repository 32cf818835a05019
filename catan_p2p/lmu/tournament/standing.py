"""The state of a tournament: its games, their results, and the files that show them.

``tournament.json`` is written atomically after every change, so that a restarted server can resume the tournament. The
state of a running game is in the game's own repository.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from catan_p2p.lmu.tournament.entrants import EntrantSecret
from catan_p2p.lmu.tournament.page import page
from catan_p2p.lmu.tournament.schedule import OVER, PLAYING, STATES, WAITING, ScheduledGame, schedule
from catan_p2p.log.storage.disk import written_whole
from catan_p2p.tournament.games import TournamentGame
from catan_p2p.tournament.ratings import PolicyStanding, standings

STATE_FILE = "tournament.json"
FORMAT = 1


class NotThisTournament(ValueError):
    """The folder holds another tournament, or games without one; the message says what differs."""


class LmuTournament:
    """The entrants, games and results of a tournament; ``save`` writes them into the folder."""

    def __init__(self, out: Path, entrants: Sequence[EntrantSecret], players: int, rounds: int) -> None:
        self.out = out
        self.entrants = {entrant.name: entrant for entrant in entrants}
        self.players = players
        self.rounds = rounds
        self.is_paused = False
        """Whether the host has paused the tournament; a restart does not end the pause."""
        names = [*self.entrants]
        self.games = [
            ScheduledGame(0, number, [names[one] for one in table])
            for number, tables in enumerate(schedule(len(names), players, rounds), 1)
            for table in tables
        ]
        for number, game in enumerate(self.games):
            game.game = number

    @classmethod
    def opened(cls, out: Path, entrants: Sequence[EntrantSecret], players: int, rounds: int) -> LmuTournament:
        """A new tournament, or the one in the folder; ``NotThisTournament`` if that has other entrants or rounds."""
        found = cls(out, entrants, players, rounds)
        path = out / STATE_FILE
        if not path.exists():
            if out.exists() and any(out.glob("Catan_*")):
                raise NotThisTournament(f"{out}: has games but no {STATE_FILE}")
            return found
        try:
            told = json.loads(path.read_text("utf-8"))
            games = [ScheduledGame(**game) for game in told["games"]]
            if unknown := {game.state for game in games} - {*STATES}:
                raise ValueError(f"the state of a game is {unknown.pop()!r}, expected one of {', '.join(STATES)}")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise NotThisTournament(f"{path}: not the file of a tournament: {error}") from None
        if told.get("format") != FORMAT:
            raise NotThisTournament(f"{path}: format {told.get('format')!r}, this program reads {FORMAT}")
        # The schedule is deterministic, so equal entrants and rounds give equal seats.
        if [(game.game, game.seats) for game in games] != [(game.game, game.seats) for game in found.games]:
            raise NotThisTournament(f"{path}: a tournament with other entrants, rounds or seats at a table")
        found.games, found.is_paused = games, told.get("paused") is True
        return found

    @property
    def is_over(self) -> bool:
        """Whether no game is left to play."""
        return not any(game.is_open for game in self.games)

    def next_game(self, name: str) -> ScheduledGame | None:
        """The game that an entrant is playing or plays next; None if none is left."""
        return next((game for game in self.games if game.is_open and name in game.seats), None)

    def folder(self, game: ScheduledGame) -> Path:
        """The path of the game's repository."""
        return self.out / f"Catan_{game.game}"

    def ratings(self) -> list[PolicyStanding]:
        """The entrants, best first; empty before the first game is over."""
        outcomes = [
            TournamentGame(game.game, 0, tuple(game.seats), _seat(game), tuple(game.points), game.actions, game.turns)
            for game in self.games
            if game.state == OVER
        ]
        return standings(outcomes) if outcomes else []

    def save(self, playing: Mapping[int, Mapping[str, Any]], ratings: Sequence[PolicyStanding]) -> None:
        """Write the state, the tables and the page; ``playing`` has the details of running games."""
        for game in self.games:
            if game.game in playing:
                game.details = dict(playing[game.game])
            if game.is_open:
                game.state = PLAYING if game.game in playing else WAITING
        rows = [_as_row(standing) for standing in ratings]
        told = {
            "format": FORMAT,
            "players": self.players,
            "rounds": self.rounds,
            "paused": self.is_paused,
            "entrants": [{"name": one.name, "computer": one.is_computer} for one in self.entrants.values()],
            "standings": rows,
            "games": [asdict(game) for game in self.games],
        }
        self._write(STATE_FILE, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
        self._write("standings.csv", _csv(rows))
        self._write("games.csv", _csv([row for game in self.games for row in _game_rows(game)]))
        self._write("index.html", page(self.games, rows, is_paused=self.is_paused))

    def _write(self, name: str, text: str) -> None:
        with written_whole(self.out / name) as beside:
            beside.write_text(text, encoding="utf-8")


def _seat(game: ScheduledGame) -> int | None:
    return game.seats.index(game.winner) if game.winner in game.seats else None


def _as_row(standing: PolicyStanding) -> dict[str, Any]:
    return {
        "name": standing.policy,
        "games": standing.games,
        "wins": standing.wins,
        "points": round(standing.points, 2),
        "rating": round(standing.rating),
        "rating_low": round(standing.rating_low),
        "rating_high": round(standing.rating_high),
    }


def _game_rows(game: ScheduledGame) -> list[dict[str, Any]]:
    return [
        {
            "game": game.game,
            "round": game.round,
            "state": game.state,
            "seat": seat,
            "name": _cell(name),
            "version": _cell(game.details.get("versions", {}).get(name, "")),
            "colour": game.details.get("colours", {}).get(name, ""),
            "clock_s": game.details.get("clock_s", {}).get(name, ""),
            "points": game.points[seat - 1] if game.points else "",
            "has_won": int(game.winner == name),
            "turns": game.turns,
        }
        for seat, name in enumerate(game.seats, 1)
    ]


def _cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula: entrants choose their own names and versions."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return ""
    file = io.StringIO()
    writer = csv.DictWriter(file, [*rows[0]], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()
