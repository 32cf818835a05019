"""The page of a tournament: standings and games. Browsers reload it every few seconds."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from catan_p2p.lmu.tournament.schedule import OVER, PLAYING, VOID, WAITING, ScheduledGame
from catan_p2p.safe_text import shown

_CSS = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0 2.5rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem; border-bottom: 1px solid #e4e4e4; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #999; } td.number { text-align: right; } .version { color: #595959; font-size: .85em; }
strong { color: #14632b; } div { overflow-x: auto; }
"""
_STATES = {WAITING: "not begun", PLAYING: "playing", OVER: "over", VOID: "skipped"}


def page(
    games: Sequence[ScheduledGame],
    standings: Sequence[Mapping[str, Any]],
    *,
    is_paused: bool = False,
) -> str:
    """The page as HTML."""
    over, playing = (sum(game.state == state for game in games) for state in (OVER, PLAYING))
    rows = [
        f"<tr><td class=number>{place}</td><td>{_text(one['name'])}</td><td class=number>{one['rating']}</td>"
        f"<td>{one['rating_low']} to {one['rating_high']}</td><td class=number>{one['wins']}</td>"
        f"<td class=number>{one['games']}</td><td class=number>{one['points']}</td></tr>"
        for place, one in enumerate(standings, 1)
    ]
    table = (
        "<div><table><thead><tr><th></th><th>name</th><th>rating</th><th>95 %</th><th>won</th><th>games</th>"
        f"<th>points a game</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        if rows
        else "<p>No game is over yet.</p>"
    )
    paused = " The tournament is paused." if is_paused else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta http-equiv="refresh" content="5">'
        f"\n<title>Tournament</title>\n<style>{_CSS}</style>\n</head>\n<body>\n<h1>Tournament</h1>\n"
        f"<p>{over} of {len(games)} games are over, {playing} under way.{paused}</p>\n"
        f"<h2>Standings</h2>\n{table}\n"
        "<h2>Games</h2>\n<div><table><thead><tr><th>game</th><th>round</th><th></th><th>seats, in the order of play"
        f"</th><th>files</th></tr></thead><tbody>{''.join(map(_row, games))}"
        "</tbody></table></div>\n</body>\n</html>\n"
    )


def _row(game: ScheduledGame) -> str:
    seats = []
    for seat, name in enumerate(game.seats):
        version = game.details.get("versions", {}).get(name, "")
        told = f"<strong>{_text(name)}</strong>" if name == game.winner else _text(name)
        points = f" {game.points[seat]}" if game.points else ""
        seats.append(f'{told}{points} <span class="version">{_text(version)}</span>')
    link = f'<a href="messages/Catan_{game.game}.jsonl">messages</a>' if game.state in (PLAYING, OVER) else ""
    return (
        f"<tr><td class=number>{game.game}</td><td class=number>{game.round}</td><td>{_STATES[game.state]}</td>"
        f"<td>{'<br>'.join(seats)}</td><td>{link}</td></tr>\n"
    )


def _text(text: str) -> str:
    return escape(shown(text))
