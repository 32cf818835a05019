"""Games as pandas data frames (extra ``frames``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast, get_args

from catan_p2p import settings
from catan_p2p.extras import needed
from catan_p2p.game.actions import RollDice
from catan_p2p.game.cards import DEV_CARDS, RESOURCES
from catan_p2p.view.events import DiceRolled

if TYPE_CHECKING:
    import pandas

Table: TypeAlias = Literal["actions", "hands", "deltas", "timings"]

_DELTAS = ("step", "commit", "colour", "action", "turn", "diff_bytes", "changed_object_count", "pack_bytes")
_TIMINGS = ("step", "commit", "colour", "action", "turn", "choose_s", "apply_s", "check_s", "write_s", "sync_s")


def frame_of(game: Any, table: Table, *, is_measured: bool) -> pandas.DataFrame:
    """A table of an ``api.games.Game``; ``MissingExtra`` without pandas, ``ValueError`` if there is no such table.

    ``is_measured``: whether the game has a repository whose commits can be measured.
    """
    settings.word("table", table, get_args(Table))
    if table in ("deltas", "timings") and not is_measured:
        what = "a public view" if game.path is not None else "a game without a repository"
        raise ValueError(f"{what}: it has no deltas and no timings")
    frames = needed("pandas", "frames", "a data frame")
    if table == "actions":
        rows = [*_actions(game)]
    elif table == "hands":
        rows = [*(_bounds(game) if game.is_public else _hands(game))]
    else:
        rows = _measured(game, _DELTAS if table == "deltas" else _TIMINGS)
    return cast("pandas.DataFrame", frames.DataFrame(rows))


def _actions(game: Any) -> Iterator[dict[str, Any]]:
    turn = 0
    for number, step in enumerate(game.steps, 1):
        turn += isinstance(step.action, RollDice | DiceRolled)
        player = step.action.player
        yield {
            "step": number,
            "commit": step.commit,
            "turn": turn,
            "player": player,
            "colour": game.colours[player - 1],
            "action": type(step.action).__name__,
            "dice": step.action.dice if isinstance(step.action, RollDice | DiceRolled) else None,
            "words": game.words(step),
            "phase": step.after.tp,
            "points": game.position(number).points[game.colours[player - 1]],
        }


def _hands(game: Any) -> Iterator[dict[str, Any]]:
    for number, step in enumerate(game.steps, 1):
        for player, hand in enumerate(step.after.h, 1):
            yield _held(game, number, step, player, hand.resources, hand.resources.total)


def _bounds(game: Any) -> Iterator[dict[str, Any]]:
    """The rows of a public game: the certain cards, and the most cards that there can be."""
    for number, step in enumerate(game.steps, 1):
        hands = game.position(number).hands.values()
        for player, (held, hand) in enumerate(zip(hands, step.after.h, strict=True), 1):
            yield {
                **_held(game, number, step, player, held.low, held.least),
                "cards_most": held.most,
                **{f"{name}_most": held.high[name] for name in RESOURCES},
                "development_unknown": held.development - hand.bought.total - hand.available.total,
            }


def _held(game: Any, number: int, step: Any, player: int, resources: Any, cards: int) -> dict[str, Any]:
    """The cards that a player certainly holds after a step."""
    hand = step.after.h[player - 1]
    return {
        "step": number,
        "player": player,
        "colour": game.colours[player - 1],
        "points": game.position(number).points[game.colours[player - 1]],
        "cards": cards,
        **{name: resources[name] for name in RESOURCES},
        **{f"{name}_{state}": held[name] for state, held in _development(hand) for name in DEV_CARDS},
    }


def _development(hand: Any) -> tuple[tuple[str, Any], ...]:
    return ("bought", hand.bought), ("available", hand.available), ("unveiled", hand.unveiled)


def _measured(game: Any, columns: tuple[str, ...]) -> list[dict[str, Any]]:
    # Imported here because measuring needs GitPython, which is slow to load.
    from catan_p2p.metrics.games import measure_game

    rows = map(asdict, measure_game(game.path, "", thorough=False).actions)
    return [{name: row[name] for name in columns} for row in rows]
