"""What each column must be, recomputed from a game's repository."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.metrics.recompute.repository import RESOURCES, Commit, Game, git

DEV_CARDS = ("Monopoly", "YearOfPlenty", "RoadBuilding", "Knight", "VictoryPoint")
COLOURS = ("Red", "Blue", "Green", "Orange", "White", "Brown")
_ACTIONS = """
Pledge Call Reveal RollForStart SetupPhaseOne SetupPhaseTwo RollDice Discard MoveBandit EmptyTrade
TradeFourToOne TradeThreeToOne TradeTwoToOne OfferTrade OfferTradeTo AnswerTrade ProposeTrade
ConcludeTrade WithdrawTrade EmptyBuild BuildRoad BuildVillage BuildCity BuyDevCard PlayMonopoly
PlayYearOfPlenty PlayRoadBuilding PlayKnight Excuse ComeBack Claim Shuffle Surrender ShowPoint SignEnd
CloseGame OpenAll
"""
COUNTED = (
    *_ACTIONS.split(),
    *(f"dice_{dice}" for dice in range(2, 13)),
    *(f"gained_{resource}" for resource in RESOURCES),
    *(f"bought_{card}" for card in (*DEV_CARDS, "sealed")),
)


class Near(NamedTuple):
    """A number from which a cell may differ by at most ``off``: Git chooses other deltas, or cells are rounded."""

    value: float
    off: float


def camel(action: str) -> str:
    return "".join(word.capitalize() for word in action.split("_"))


def action_columns(game: Game, one: Commit) -> dict[str, Any]:
    """The columns of ``actions.csv`` that one commit gives, except ``step``."""
    trailers, gained = dict(one.trailers), game.gained(one)
    delta = game.deltas[one.id]
    return {
        "game": game.number,
        "commit": one.id,
        "parent_count": len(one.parents),
        "player": one.player,
        "colour": game.seats[one.player - 1],
        "action": camel(one.action),
        "parameters": "; ".join(f"{name}={value}" for name, value in one.trailers[2:]),
        "turn": game.turn[one.id],
        "phase": game.phase(one.parents[0]),
        "dice": trailers["Dice"] if one.action == "roll_dice" else None,
        "gained": None if gained is None else sum(gained.values()),
        "points": game.points(one.id, one.player),
        **delta,
        "pack_bytes": Near(delta["pack_bytes"], 0.8 * delta["pack_bytes"]),
    }


def counts(game: Game) -> dict[str, Any]:
    """Actions by kind, rolls by sum, cards that the bank gave out, and development cards bought."""
    found: Counter[str] = Counter()
    for one in game.actions:
        trailers = dict(one.trailers)
        found[camel(one.action)] += 1
        found.update((game.gained(one) and {f"gained_{name}": n for name, n in (game.gained(one) or {}).items()}) or {})
        if one.action == "roll_dice":
            found[f"dice_{trailers['Dice']}"] += 1
        if one.action == "buy_dev_card" and not game.is_hidden:
            found[f"bought_{trailers['Card']}"] += 1
    return found


def game_columns(game: Game, *, thorough: bool) -> dict[str, Any]:
    """The columns of ``games.csv``, except counts and times."""
    last = game.actions[-1].id
    is_over = game.state(last, "turn_phase") == ["top"]
    active = int(game.state(last, "active_player")[0].removeprefix("player_"))
    rules = game.settings["rules"]
    refs = git(game.repo, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes").decode()
    deltas = game.deltas.values()
    sent = sum(
        game.sent_bytes(row[-1].id, sorted({p for one in row for p in one.parents} - {one.id for one in row}))
        for row in (game.hand_overs if thorough else [])
    )
    return {
        "game": game.number,
        "seed": game.nonce.removeprefix("seed "),
        "players": len(game.seats),
        "policies": " ".join(game.result["policies"]),
        "rules": "own" if ";" in rules else rules,
        "topology": game.settings["topology"],
        "winner": game.seats[active - 1] if is_over else "",
        "points": " ".join(str(game.points(last, player)) for player in range(1, 1 + len(game.seats))),
        "actions": len(game.actions),
        "commits": len(git(game.repo, "rev-list", "--all").split()),
        "turns": sum(one.action == "roll_dice" for one in game.actions),
        "rejected": 0,
        **game.sizes(),
        **(game.sizes_after_gc() if thorough else dict.fromkeys(("gc_disk_bytes", "gc_file_bytes", "gc_pack_bytes"))),
        "diff_bytes": sum(delta["diff_bytes"] for delta in deltas),
        "empty_diffs": sum(not delta["diff_bytes"] for delta in deltas),
        "changed_object_count": sum(delta["changed_object_count"] for delta in deltas),
        "pack_bytes_alone": Near(packs := sum(delta["pack_bytes"] for delta in deltas), 0.2 * packs),
        "hand_overs": len(game.hand_overs) if thorough else None,
        "sent_bytes": sent if thorough else None,
        **{name: game.result[name] for name in ("fetches", "bytes_received", "tries", "findings", "resumed")},
        "syncs": len(game.syncs) or None,
        "syncs_with_news": sum(sync["commits"] != "0" for sync in game.syncs) if game.syncs else None,
        "branches": hashlib.sha256(
            "".join(sorted(refs.splitlines(True), key=lambda x: x.split()[1])).encode()
        ).hexdigest()[:16],
        "closed": "",
    }


def study_columns(game: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that only a study has, from those of ``games.csv``."""
    points = [int(n) for n in given["points"].split()]
    keepers = len(points) if given["topology"] == "shared" else 1
    found: dict[str, Any] = {"winner_points": max(points), "file_bytes_per_player": given["file_bytes"] / keepers}
    for seat, colour in enumerate(COLOURS):
        there = seat < len(points)
        found[f"points_{colour}"] = points[seat] if there else None
        found[f"won_{colour}"] = int(given["winner"] == colour) if there else None
    found["empty_diff_share"] = given["empty_diffs"] / given["actions"]
    for unit in ("commit", "action", "turn", "hand_over"):
        if (count := given[f"{unit}s"]) is None:
            continue
        for name, value in given.items():
            per = {"changed_object_count": "changed_objects"}.get(name, name) + f"_per_{unit}"
            if isinstance(value, int):
                found[per] = value / count
            elif isinstance(value, Near):
                found[per] = Near(value.value / count, value.off / count)
    return found
