"""A second validator of game logs, plain and slow, which shares nothing with the program but its documentation.

    python tests/referee/referee.py REPOSITORY...

It judges every commit that the branches of a repository lead to, and prints a line for each that is refused. Exit
codes: 0 all accepted, 1 something refused, 2 wrong usage. What it knows is in docs/reference/log-format.md (commits,
trees, shares), docs/reference/model.md (what can be played) and ``spec/Catan.tla`` (guards, effects).
It imports nothing of ``catan_p2p`` and keeps every state as plain dicts. What sealed cards need is beside it:
``sealing.py`` (the equations of docs/how-it-works/sealing.md) and ``vault.py`` (what each commit has to prove).

From the bottom up: the board; what never changes; the state and its files; guards; effects; messages; signatures; the
log with replies and draws; repositories. Games with views are judged by ``views.py``.
"""

import base64
import hashlib
import re
import struct
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.referee import vault as vaults

State = dict[str, Any]
"""A state of the game: its components by name, players, points and roads as numbers from 1."""
Action = dict[str, Any]
"""What a message tells: ``name``, ``player``, the parameters by trailer, and what else the commit tells."""
Read = Callable[[str], tuple[str, bytes]]
"""Kind and bytes of an object; KeyError if it is not there."""

RESOURCES = ("Lumber", "Brick", "Wool", "Grain", "Ore")
CARDS = ("Monopoly", "YearOfPlenty", "RoadBuilding", "Knight", "VictoryPoint")
PROGRESS = CARDS[:3]
YIELDS = {"forest": "Lumber", "hills": "Brick", "pasture": "Wool", "fields": "Grain", "mountains": "Ore"}
COLOURS = ("Red", "Blue", "Green", "Orange", "White", "Brown")
DRAWS = ("RollForStart", "RollDice", "MoveBandit", "BuyDevCard", "PlayKnight")
ROBBERIES = ("MoveBandit", "PlayKnight")
ROLLS = ("RollForStart", "RollDice")
REPLIES = ("discard", "answer_trade", "propose_trade", "pledge", "reveal", "surrender", "sign_end", "open_all")
ROAD = {"Lumber": 1, "Brick": 1}
VILLAGE = {"Lumber": 1, "Brick": 1, "Wool": 1, "Grain": 1}
CITY = {"Grain": 2, "Ore": 3}
CARD = {"Wool": 1, "Grain": 1, "Ore": 1}
MAX_COMMIT, MAX_HIDDEN_COMMIT, MAX_OBJECT = 16_384, 65_536, 65_536


class Refused(Exception):
    """A commit is refused: a reason of docs/reference/log-format.md, what is wrong, and the commit that proves it."""

    def __init__(self, reason: str, detail: str = "", other: str | None = None, guards: tuple[str, ...] = ()) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail, self.other, self.guards = reason, detail, other, guards


def none_of(kinds: Iterable[str]) -> dict[str, int]:
    """No cards of these kinds."""
    return dict.fromkeys(kinds, 0)


def covers(held: dict[str, int], cost: dict[str, int]) -> bool:
    """Whether all of these cards are there."""
    return all(held[kind] >= n for kind, n in cost.items())


def move(cards: dict[str, int], giver: dict[str, int], taker: dict[str, int]) -> None:
    """Let cards pass from one to another, in place."""
    for kind, n in cards.items():
        giver[kind] -= n
        taker[kind] += n


def copied(value: dict[Any, Any]) -> dict[Any, Any]:
    """A state that can be changed without changing this one."""
    return {key: copied(part) if isinstance(part, dict) else part for key, part in value.items()}


# The board: docs/reference/model.md, "Numbering"


class Island:
    """Tiles, points and roads by number, in the order of the tiles that they touch."""

    def __init__(
        self, tiles: Iterable[tuple[int, int, int, str, int | None]], wharfs: Iterable[tuple[int, int, str]]
    ) -> None:
        listed = list(tiles)
        self.terrain = {i: tile[3] for i, tile in enumerate(listed, 1)}
        self.number = {i: tile[4] for i, tile in enumerate(listed, 1)}
        self.name = {i: "{},{},{}".format(*tile[:3]) for i, tile in enumerate(listed, 1)}
        # The second array lies half a tile west of the first, and one row below it.
        self.place = {i: (col - arr / 2, 2 * row + arr) for i, (arr, row, col, _, _) in enumerate(listed, 1)}
        self.near = {frozenset(pair) for pair in combinations(self.place, 2) if self._touch(*pair)}
        self.land = land = {i for i, terrain in self.terrain.items() if terrain != "sea"}
        beside = {i: {j for pair in self.near if i in pair for j in pair} - {i} for i in self.place}
        self.beside = beside
        pairs = sorted(tuple(sorted(pair)) for pair in self.near)
        triples = sorted({tuple(sorted((a, b, c))) for a, b in pairs for c in beside[a] & beside[b]})
        self.point = {i: frozenset(t) for i, t in enumerate((t for t in triples if land & {*t}), 1)}
        self.road = {i: frozenset(pair) for i, pair in enumerate((pair for pair in pairs if land & {*pair}), 1)}
        self.ends = {i: [p for p, tiles in self.point.items() if pair <= tiles] for i, pair in self.road.items()}
        self.roads_at = {p: [i for i, ends in self.ends.items() if p in ends] for p in self.point}
        self.neighbours = {p: {q for i in self.roads_at[p] for q in self.ends[i]} - {p} for p in self.point}
        self.corners = {tile: [p for p, tiles in self.point.items() if tile in tiles] for tile in self.place}
        self.wharfs = {p: {kind for a, b, kind in wharfs if {a, b} <= tiles} for p, tiles in self.point.items()}
        deserts = [i for i in sorted(land) if self.terrain[i] == "desert"]
        self.start = (deserts or sorted(land) or [0])[0]

    def _touch(self, a: int, b: int) -> bool:
        (x, y), (u, v) = self.place[a], self.place[b]
        return (abs(x - u), abs(y - v)) in ((1, 0), (0.5, 1))

    def harvest(self, point: int) -> dict[str, int]:
        """One card for every tile around a point that yields."""
        around = [YIELDS.get(self.terrain[tile]) for tile in self.point[point]]
        return {kind: around.count(kind) for kind in RESOURCES}

    def longest_trail(self, roads: set[int], blocked: set[int]) -> int:
        """The longest way over roads, none used twice, that passes no blocked point: every way is tried."""

        def walk(at: int, used: frozenset[int]) -> int:
            if used and at in blocked:
                return len(used)
            ways = [(road, self.ends[road]) for road in self.roads_at[at] if road in roads and road not in used]
            return max((walk(ends[ends[0] == at], used | {road}) for road, ends in ways), default=len(used))

        return max((walk(at, frozenset()) for road in roads for at in self.ends[road]), default=0)


# What never changes in a game: docs/reference/log-format.md, "The tree", and reference/model.md, "What can be played"

YES_NO = {"no": False, "yes": True}
CONSTANTS = [
    line.split()
    for line in """\
BanditBlocksBuilding yes|no; BanditTargets adversary|any|friendly; Shortage nobody|per_resource
CombinedTradeBuild yes|no; DevCardsPerTurn 0 50; DevCardBeforeDice yes|no; WinCheck turn_end|at_once
DomesticTrade yes|no; RoadBuildingNeeds 1 2; PointsToWin 3 40; HandLimit 1 100; LongestRoadMin 3 50
LargestArmyMin 1 50; ResourcePool 5; DevCardPool 5; Roads 2 25; Villages 2 25; Cities 0 25; Dice 0
OfferMax 0 6; SpecialBuilding yes|no; StartOrder seat|dice|dice_then_seat; Chance actor|joint; TableTalk yes|no
OffersPerTurn 0 100; ProposalsPerTurn 0 100; Leaving yes|no; Patience 0 604800; Returns 0 9; Hands open|hidden
SignedEnd yes|no; ChanceAhead yes|no; OffersToOne yes|no""".replace("\n", ";").split(";")
]
"""The lines of the file ``rules`` in their order: words, least and greatest number, or how many numbers (0: any)."""
DEFAULTS: dict[str, Any] = dict.fromkeys(("OfferMax", "OffersPerTurn", "ProposalsPerTurn", "Patience", "Returns"), 0)
DEFAULTS |= dict.fromkeys(("SpecialBuilding", "TableTalk", "Leaving", "SignedEnd", "ChanceAhead", "OffersToOne"), False)
DEFAULTS |= {"StartOrder": "seat", "Chance": "actor", "Hands": "open"}
"""Those that are written only where they differ."""


def natural(text: str) -> int:
    """A number in its one spelling; ``Refused`` for any other text."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,11}", text):
        raise Refused("format", f"{text!r} is no number")
    return int(text)


def rules_of(text: str) -> dict[str, Any]:
    """The rule constants that the file ``rules`` tells."""
    told = dict(line.partition(" = ")[::2] for line in text.splitlines())
    rules: dict[str, Any] = {}
    for name, *kind in CONSTANTS:
        if name in DEFAULTS and name not in told:
            rules[name] = DEFAULTS[name]
            continue
        spelled = told.get(name, "")
        if "|" in kind[0]:
            rules[name] = YES_NO.get(spelled, spelled)
            is_known = spelled in kind[0].split("|")
        elif len(kind) == 2:
            rules[name] = natural(spelled)
            is_known = int(kind[0]) <= rules[name] <= int(kind[1])
        else:
            rules[name] = tuple(map(natural, spelled.split(" ")))
            is_known = kind[0] in ("0", str(len(rules[name])))
        if not is_known or rules[name] == DEFAULTS.get(name):
            raise Refused("format", f"rules: {name} = {spelled}")
    if text != "".join(f"{name} = {told[name]}\n" for name, *_ in CONSTANTS if name in told) or len(told) > len(
        CONSTANTS
    ):
        raise Refused("format", "rules: not in order, or unknown")
    return rules


@lru_cache(maxsize=64)
def island_of(tiles_text: str, wharfs_text: str) -> Island:
    """The board that ``map/tiles`` and ``map/wharfs`` describe."""
    tiles: list[tuple[int, int, int, str, int | None]] = []
    for line in tiles_text.splitlines():
        found = re.fullmatch(r"([01]),(\d+|-\d+),(\d+|-\d+),(\w+),(-|[2-6]|[89]|1[0-2])", line)
        if found is None or (found[4] in YIELDS) is (found[5] == "-") or found[4] not in (*YIELDS, "sea", "desert"):
            raise Refused("format", f"map/tiles: {line!r}")
        tiles.append(
            (int(found[1]), int(found[2]), int(found[3]), found[4], natural(found[5]) if found[5] != "-" else None)
        )
    order = [(2 * row + arr, col) for arr, row, col, _, _ in tiles]
    spelled = "".join(f"{arr},{row},{col},{terrain},{number or '-'}\n" for arr, row, col, terrain, number in tiles)
    if spelled != tiles_text or sorted({*order}) != order or len(tiles) > 1000:
        raise Refused("format", "map/tiles: not in order, or too many")
    island = Island(tiles, ())
    number_of = {name: i for i, name in island.name.items()}
    wharfs = []
    for line in wharfs_text.splitlines():
        a, b, kind = (line.split(" ") + ["", "", ""])[:3]
        pair = number_of.get(a, 0), number_of.get(b, 0)
        is_coast = frozenset(pair) in island.near and len(island.land & {*pair}) == 1
        if line != f"{a} {b} {kind}" or not is_coast or pair[0] > pair[1] or kind not in ("ThreeToOne", *RESOURCES):
            raise Refused("format", f"map/wharfs: {line!r}")
        wharfs.append((*pair, kind))
    places = [wharf[:2] for wharf in wharfs]
    if sorted({*places}) != places or (wharfs_text and not wharfs_text.endswith("\n")):
        raise Refused("format", "map/wharfs: not in order, or twice at one place")
    return Island(tiles, wharfs)


class Game:
    """What the root tells once and for all: rules, board, seats, keys and opening."""

    def __init__(self, files: dict[str, str]) -> None:
        if files["format"] not in ("1\n", "2\n"):
            raise Refused("version", f"version {files['format'].strip()!r}")
        self.has_views = files["format"] == "2\n"
        self.party: dict[int, int] = {}
        self.seats = self._seats(files["players"])
        self.players = range(1, len(self.seats) + 1)
        self.island = island_of(files["map/tiles"], files["map/wharfs"])
        self.rules = rules_of(files["rules"])
        self.is_hidden = self.rules["Hands"] == "hidden"
        self.most_bytes = MAX_HIDDEN_COMMIT if self.is_hidden else MAX_COMMIT
        self.opening = [self._placement(line) for line in files.get("map/opening", "").splitlines()]
        self.files = files
        self.is_signed = any(key != "-" for _, key, _ in self.seats)
        self._check_rules()
        self._check_opening()
        self._check_board()

    def _seats(self, text: str) -> list[tuple[str, str, str]]:
        seats, words = [], []
        for i, line in enumerate(text.splitlines(), 1):
            seat, colour, key, name = (line.split(" ", 3) + ["", "", ""])[:4]
            words.append("")
            if self.has_views:
                word, _, name = name.partition(" ")
                words[-1] = f"{word} "
                first = natural(word.removesuffix("*"))
                if first != i and self.party.get(first) != first:
                    raise Refused("format", f"players: {line!r}")
                self.party[i] = first
            is_name = name and name.isprintable() and not {"<", ">"} & {*name} and len(name.encode()) <= 64
            if seat != str(i) or colour not in COLOURS or not is_name or not (key == "-" or key_bytes(key)):
                raise Refused("format", f"players: {line!r}")
            seats.append((colour, key, name))
        if not 2 <= len(seats) <= 6 or len({colour for colour, _, _ in seats}) != len(seats):
            raise Refused("format", "players: not 2 to 6 of different colours")
        spelled = (f"{i} {colour} {key} {words[i - 1]}{name}\n" for i, (colour, key, name) in enumerate(seats, 1))
        if text != "".join(spelled):
            raise Refused("format", "players: not in its one spelling")
        return seats

    @staticmethod
    def _placement(line: str) -> tuple[int, int, int, bool]:
        found = re.fullmatch(r"([1-9]\d*),([1-9]\d*),([1-9]\d*),(earns|-)", line)
        if found is None:
            raise Refused("format", f"map/opening: {line!r}")
        return int(found[1]), int(found[2]), int(found[3]), found[4] == "earns"

    def pool(self, name: str) -> dict[str, int]:
        """The resource or development cards of the game."""
        return dict(zip(RESOURCES if name == "ResourcePool" else CARDS, self.rules[name], strict=True))

    def _check_rules(self) -> None:
        r = self.rules
        if r["TableTalk"] and not r["DomesticTrade"]:
            raise Refused("format", "rules: TableTalk without DomesticTrade")
        if r["Leaving"] != self.has_views:
            reason = "version" if r["Leaving"] else "format"
            raise Refused(reason, "version 2 is for games with Leaving, version 1 for all others")
        if r["Leaving"] and any(key == "-" for _, key, _ in self.seats):
            raise Refused("format", "players: Leaving, and a player has no key")
        if r["Patience"] and not r["Leaving"]:
            raise Refused("format", "rules: Patience without Leaving")
        if r["Returns"] and not r["Leaving"]:
            raise Refused("format", "rules: Returns without Leaving")
        if sum(r["ResourcePool"]) > 250 or sum(r["DevCardPool"]) > 250:
            raise Refused("format", "rules: a pool of more than 250 cards")
        if self.is_hidden and r["Chance"] != "joint":
            raise Refused("format", "rules: Hands = hidden without Chance = joint")
        if r["SignedEnd"] != (self.is_hidden and r["Leaving"]):
            raise Refused("format", "rules: expected SignedEnd with Hands = hidden and Leaving, and only then")
        if r["OffersToOne"] and not r["DomesticTrade"]:
            raise Refused("format", "rules: OffersToOne without DomesticTrade")
        if r["ChanceAhead"] and (r["Chance"] != "joint" or r["SpecialBuilding"]):
            raise Refused("format", "rules: ChanceAhead without Chance = joint, or with SpecialBuilding")
        dice = r["Dice"]
        if not dice or [*dice] != sorted({*dice}) or not {*dice} <= {*range(2, 13)}:
            raise Refused("format", "rules: Dice")
        if len(dice) < 2 and r["StartOrder"] == "dice":
            raise Refused("format", "rules: one sum for StartOrder = dice")
        if len(self.players) > 4 and not r["SpecialBuilding"]:
            raise Refused("format", "rules: more than four players without SpecialBuilding")

    def _check_opening(self) -> None:
        island = self.island
        if "map/opening" not in self.files:
            return
        if sorted(at[0] for at in self.opening) != sorted([*self.players] * 2):
            raise Refused("format", "map/opening: not two placements of each player")
        towns: set[int] = set()
        roads: set[int] = set()
        earned = none_of(RESOURCES)
        for _, point, road, earns in self.opening:
            if (
                road not in island.roads_at.get(point, ())
                or road in roads
                or towns & {point, *island.neighbours[point]}
            ):
                raise Refused("format", "map/opening: a placement that no set-up has")
            towns.add(point)
            roads.add(road)
            move(island.harvest(point) if earns else {}, none_of(RESOURCES), earned)
        if not covers(self.pool("ResourcePool"), earned):
            raise Refused("format", "map/opening: more first cards than the bank has")
        spelled = "".join(f"{p},{sp},{rp},{'earns' if e else '-'}\n" for p, sp, rp, e in self.opening)
        if spelled != self.files["map/opening"]:
            raise Refused("format", "map/opening: not in its one spelling")

    def _check_board(self) -> None:
        island, rules, n = self.island, self.rules, len(self.players)
        if any(len(island.beside[tile]) != 6 for tile in island.land) or not island.land:
            raise Refused("format", "map/tiles: no land, or land without six neighbours")
        if len(island.point) - len(island.corners[island.start]) < 4 * (2 * n - 1) + 1:
            raise Refused("format", "map/tiles: too few settlement points")
        pool = self.pool("ResourcePool")
        for kind in RESOURCES:
            if pool[kind] < n * max(island.harvest(point)[kind] for point in island.point):
                raise Refused("format", f"rules: too little {kind} for the first cards")
        if self._most_points(pool) < rules["PointsToWin"]:
            raise Refused("format", "rules: PointsToWin cannot be reached")

    def _most_points(self, pool: dict[str, int]) -> int:
        island, rules = self.island, self.rules
        if not any(island.number[tile] in rules["Dice"] for tile in island.land):
            raise Refused("format", "rules: no tile yields for these Dice")
        there = {YIELDS[terrain] for terrain in island.terrain.values() if terrain in YIELDS}
        kinds = {kind for kinds in island.wharfs.values() for kind in kinds}
        rate = 2 if kinds - {"ThreeToOne"} else 3 if kinds else 4
        if not any(pool[kind] >= rate for kind in there):
            pool = {kind: n if kind in there else 0 for kind, n in pool.items()}
        cards = self.pool("DevCardPool") if covers(pool, CARD) else none_of(CARDS)
        cities = rules["Cities"] if covers(pool, CITY) else 0
        towns = min(rules["Villages"] + cities if covers(pool, VILLAGE) else 2, len(island.point))
        roads = rules["Roads"] if covers(pool, ROAD) or cards["RoadBuilding"] else 2
        bonus = 2 * (roads >= rules["LongestRoadMin"]) + 2 * (cards["Knight"] >= rules["LargestArmyMin"])
        return int(towns + min(cities, towns) + cards["VictoryPoint"] + bonus)


# The state and its files: docs/reference/model.md, "State", and docs/reference/log-format.md, "The tree"


def first_state(game: Game) -> State:
    """The state before the first action."""
    rules, players = game.rules, game.players
    is_joint, has_opening = rules["Chance"] == "joint", bool(game.opening)
    s: State = dict.fromkeys(("su_ap", "first", "ap"), 1) | dict.fromkeys(("dice", "pd", "sb", "lr", "la"), 0)
    each = {
        "rolls": 0,
        "lim": 0,
        "made": 0,
        "ans": "none",
        "prop": None,
        "due": is_joint,
        "away": False,
        "ahead": False,
        "left": rules["Returns"],
        "missed": False,
    }
    s |= {name: dict.fromkeys(players, value) for name, value in each.items()}
    held = {"hand": RESOURCES, "bought": CARDS[:4], "available": CARDS[:4], "open": CARDS[3:]}
    s |= {name: {p: none_of(kinds) for p in players} for name, kinds in held.items()}
    s["sup"] = "Rolling" if rules["StartOrder"] != "seat" else "PhaseTwo" if has_opening else "PhaseOne"
    s["tp"] = "Pledging" if is_joint else first_phase(game)
    s |= {"ba": game.island.start, "dp": none_of(PROGRESS), "call": None, "town": {}, "road": {}}
    s |= {"give": none_of(RESOURCES), "receive": none_of(RESOURCES)}
    s |= {"bank": game.pool("ResourcePool"), "deck": game.pool("DevCardPool")}
    s["hid"] = {name: dict.fromkeys(players, 0) for name in ("sealed", "bought", "held")}
    s["hid"] |= {"shuffles": 0, "wanted": "none", "back": "bot"}
    s["hid"]["keyless"] = dict.fromkeys(players, False)
    s["hid"]["deck"] = "keys" if game.is_hidden and rules["Leaving"] else "first"
    for player, point, road, earns in game.opening:
        s["town"][point], s["road"][road] = (player, "Village"), player
        move(game.island.harvest(point) if earns else {}, s["bank"], s["hand"][player])
    return s


def first_phase(game: Game) -> str:
    """The phase that the game begins with once all have pledged."""
    return "DiceRoll" if game.rules["StartOrder"] == "seat" and game.opening else "bot"


def left(game: Game, s: State, p: int) -> dict[str, int]:
    """The pieces that a player has not placed."""
    kinds = [kind for owner, kind in s["town"].values() if owner == p]
    return {
        "Road": game.rules["Roads"] - [*s["road"].values()].count(p),
        "Village": game.rules["Villages"] - kinds.count("Village"),
        "City": game.rules["Cities"] - kinds.count("City"),
    }


def spell_cards(cards: dict[str, int]) -> str:
    """Cards as trailers and offers spell them."""
    return ", ".join(f"{n} {kind}" for kind, n in cards.items() if n) or "nothing"


def state_files(game: Game, s: State) -> dict[str, str]:
    """Path and text of every file below the root, for a state."""
    rules, players, island = game.rules, game.players, game.island
    names = {0: "none", **{p: f"player_{p}" for p in players}}

    def lines(values: dict[Any, Any]) -> str:
        return "".join(f"{names.get(key, key)} {value}\n" for key, value in values.items())

    call = s["call"] or ("none", "none", 0, 0)
    call = (*call[:2], island.name.get(call[2], "none"), names[call[3]])
    towns = {point: s["town"].get(point, (0, "none")) for point in island.point}
    found = {
        "game/bandit": island.name[s["ba"]] + "\n",
        "game/settlement_points": "".join(f"{i},{names[own]},{kind}\n" for i, (own, kind) in towns.items()),
        "game/road_points": "".join(f"{i},{names[s['road'].get(i, 0)]}\n" for i in island.road),
    }
    words = {"initialization/init_phase": "sup", "game/turn_phase": "tp", "game/dice": "dice"}
    owners = {"initialization/active_player": "su_ap", "game/active_player": "ap"}
    owners |= {"game/longest_road": "lr", "game/largest_army": "la"}
    counts = {"game/discard_pile": "dp", "game/hand_limits": "lim"}
    counts |= {"game/bank/resource_cards": "bank", "game/bank/development_cards": "deck"}
    for p in players:
        found[f"game/player_buildings/player_{p}"] = lines(left(game, s, p))
        for file, part in (
            ("resource", "hand"),
            ("bought", "bought"),
            ("available", "available"),
            ("unveiled", "open"),
        ):
            found[f"game/player_hands/player_{p}/{file}_cards"] = lines(s[part][p])
    if rules["StartOrder"] != "seat" or rules["Leaving"]:
        owners["initialization/first_player"] = "first"
    if rules["StartOrder"] != "seat":
        counts["initialization/start_rolls"] = "rolls"
    if rules["DevCardsPerTurn"]:
        words["game/played_cards"] = "pd"
    if rules["SpecialBuilding"]:
        owners["game/special_builder"] = "sb"
    if rules["DomesticTrade"]:
        found["game/offer"] = f"give {spell_cards(s['give'])}\nreceive {spell_cards(s['receive'])}\n"
        counts["game/answers"] = "ans"
    if rules["TableTalk"]:
        told = {p: tuple(map(spell_cards, s["prop"][p] or ({}, {}))) for p in players}
        found["game/proposals"] = "".join(f"player_{p} gives {give} for {get}\n" for p, (give, get) in told.items())
    if rules["OffersPerTurn"] or rules["ProposalsPerTurn"]:
        counts["game/offers_made"] = "made"
    if rules["Chance"] == "joint":
        told_call = zip(("what", "phase", "to", "victim"), call, strict=True)
        found["game/call"] = "".join(f"{key} {value}\n" for key, value in told_call)
    if rules["Leaving"]:
        found["game/seats"] = lines({p: "away" if s["away"][p] else "present" for p in players})
    if rules["Returns"]:
        ways = {p: f"{s['left'][p]}{', missed a turn' * s['missed'][p]}" for p in players}
        found["game/ways_back"] = lines(ways)
    if rules["ChanceAhead"]:
        found["game/shares_ahead"] = lines({p: "told" if s["ahead"][p] else "none" for p in players})
    if game.is_hidden:
        hid, piles = s["hid"], ("sealed", "bought", "held")
        found["game/hidden_cards"] = "".join(
            f"player_{p} {' '.join(f'{pile} {hid[pile][p]}' for pile in piles)}\n" for p in players
        )
        found["game/hidden_cards"] += f"shuffles {hid['shuffles']}\nwanted {hid['wanted']} {hid['back']}\n"
        found["game/hidden_cards"] += f"deck {hid['deck']}\n" if rules["Leaving"] else ""
        keyless = " ".join(str(p) for p in players if hid["keyless"][p])
        found["game/hidden_cards"] += f"keyless {keyless}\n" if keyless else ""
    found |= {path: f"{s[key]}\n" for path, key in words.items()} | {
        path: lines(s[key]) for path, key in counts.items()
    }
    found |= {path: names[s[key]] + "\n" for path, key in owners.items()}
    return {**game.files, **{f"state/{path}": text for path, text in found.items()}}


def object_id(kind: str, data: bytes) -> str:
    """The id that Git gives an object."""
    return hashlib.sha1(f"{kind} {len(data)}\0".encode() + data).hexdigest()


@lru_cache(maxsize=1 << 12)
def blob_id(text: str) -> str:
    """The id of a file with this text; most of a game's files stay as they are from action to action."""
    return object_id("blob", text.encode())


def tree_id(files: dict[str, str]) -> str:
    """The id of the tree with these files."""
    entries: list[tuple[bytes, str, str]] = []
    folders: dict[str, dict[str, str]] = {}
    for path, text in files.items():
        name, _, rest = path.partition("/")
        if rest:
            folders.setdefault(name, {})[rest] = text
        else:
            entries.append((name.encode(), "100644", blob_id(text)))
    entries += [(name.encode() + b"/", "40000", tree_id(inside)) for name, inside in folders.items()]
    written = (
        mode.encode() + b" " + name.rstrip(b"/") + b"\0" + bytes.fromhex(at) for name, mode, at in sorted(entries)
    )
    return object_id("tree", b"".join(written))


# What the guards and effects speak of: docs/reference/model.md and the operators of spec/Catan.tla


def builder_of(s: State) -> int:
    """Whose turn it is to build: the one who builds between two turns, or the active player."""
    return int(s["sb"] if phase_of(s) == "SpecialBuilding" else s["ap"])


def phase_of(s: State) -> str:
    """The phase of the turn: during a draw the one that it was called in."""
    if s["tp"] == "Surrendering":
        return str(s["hid"]["back"])
    return str(s["call"][1] if s["tp"] == "Drawing" else s["tp"])


def caller_of(s: State, what: str) -> int:
    """Who calls for a draw."""
    return int({"RollForStart": s["su_ap"], "BuyDevCard": builder_of(s)}.get(what, s["ap"]))


def hand_size(s: State, p: int) -> int:
    """How many cards a player holds; sealed ones of who is away are out of play."""
    return int(sum(s["hand"][p].values()) + (0 if s["away"][p] else s["hid"]["sealed"][p]))


def excess(s: State, p: int) -> int:
    """How many cards a player has to discard."""
    return max(0, hand_size(s, p) - s["lim"][p]) if s["lim"][p] else 0


def lacking(s: State, p: int, cost: dict[str, int]) -> dict[str, int]:
    """What the known cards of a player lack for a cost."""
    return {kind: max(0, n - s["hand"][p][kind]) for kind, n in cost.items()}


def unseen(game: Game, s: State) -> dict[str, int]:
    """The resource cards of which nobody sees where they are: all that are sealed."""
    pool = game.pool("ResourcePool")
    return {kind: n - s["bank"][kind] - sum(s["hand"][q][kind] for q in game.players) for kind, n in pool.items()}


def could_pay(s: State, p: int, cost: dict[str, int]) -> bool:
    """Whether a player can pay, as far as the number of their sealed cards tells."""
    return bool(sum(lacking(s, p, cost).values()) <= s["hid"]["sealed"][p])


def affords(game: Game, s: State, p: int, cost: dict[str, int]) -> bool:
    """The same, where what comes into the open can be what it is said to be."""
    lacks = lacking(s, p, cost)
    return could_pay(s, p, cost) and covers(unseen(game, s), lacks)


def can_play(s: State, p: int, card: str) -> bool:
    """Whether a player can play a development card, as far as everybody knows."""
    return bool(s["available"][p][card] or (s["hid"]["held"][p] and s["deck"][card]))


def deck_size(s: State) -> int:
    """How many development cards can be bought, where nobody knows which."""
    hid = s["hid"]
    in_hands = sum(hid["bought"].values()) + sum(hid["held"].values())
    return 0 if hid["deck"] == "lost" else sum(s["deck"].values()) - in_hands


def has_sealed(s: State, victim: int) -> bool:
    """Whether only robber and victim see which card is stolen."""
    return bool(victim and s["hid"]["sealed"][victim] and not s["away"][victim])


def owes_reply(game: Game, s: State, p: int) -> bool:
    """Whether the game waits for a reply of a player: a pledge, a share, a discard, or an answer."""
    lacks = s["due"][p] or excess(s, p) > 0 or (s["ans"][p] == "asked" and not game.rules["TableTalk"])
    return s["tp"] != "Shuffling" and lacks


def to_act(s: State) -> int:
    """Who acts next, once all replies are there."""
    if s["tp"] in ("bot", "Pledging"):
        return int(s["su_ap"])
    if s["tp"] == "Signing":
        return next(q for q in (*range(s["ap"], len(s["away"]) + 1), *s["away"]) if not s["away"][q])
    if s["tp"] == "Shuffling":
        return int([p for p, is_away in s["away"].items() if not is_away][s["hid"]["shuffles"]])
    return caller_of(s, s["call"][0]) if s["tp"] == "Drawing" else builder_of(s)


def is_awaited(game: Game, s: State, p: int) -> bool:
    """Whether the game waits for a player."""
    return owes_reply(game, s, p) or (to_act(s) == p and not any(owes_reply(game, s, q) for q in game.players))


def present(game: Game, s: State) -> list[int]:
    """The players who have not been excused."""
    return [p for p in game.players if not s["away"][p]]


def after(game: Game, s: State, p: int, step: int = 1) -> int:
    """The next player who is present, or the previous one."""
    q = p
    for _ in game.players:
        q = (q - 1 + step) % len(game.players) + 1
        if not s["away"][q] or not present(game, s):
            return q
    return p


def talk_phases(game: Game) -> tuple[str, ...]:
    """The phases in which the others make proposals."""
    return ("Trading", "TradingBuilding", "Offering") if game.rules["TableTalk"] else ()


def owner(s: State, point: int) -> int:
    """Whose settlement is on a point, 0 if nobody's."""
    return int(s["town"].get(point, (0, ""))[0])


def points(s: State, p: int) -> int:
    """Villages, cities, victory points, and two for each bonus card."""
    kinds = [kind for own, kind in s["town"].values() if own == p]
    bonus = 2 * (s["lr"] == p) + 2 * (s["la"] == p)
    return kinds.count("Village") + 2 * kinds.count("City") + s["open"][p]["VictoryPoint"] + bonus


def adversaries(game: Game, s: State, p: int, tile: int) -> set[int]:
    """The others with a settlement at a tile."""
    return {owner(s, point) for point in game.island.corners.get(tile, ())} - {0, p}


def can_aim(game: Game, s: State, p: int, tile: int) -> bool:
    """Whether the rules let the bandit go to this land."""
    targets = game.rules["BanditTargets"]
    others = game.island.land - {s["ba"]}
    if targets == "adversary":
        return bool(adversaries(game, s, p, tile)) or not any(adversaries(game, s, p, other) for other in others)

    def is_spared(at: int) -> bool:
        return any(points(s, q) < 3 for q in adversaries(game, s, p, at))

    return targets == "any" or not is_spared(tile) or all(map(is_spared, others))


def loot(s: State, victim: int) -> list[str]:
    """The cards that can be stolen."""
    if has_sealed(s, victim):
        return ["sealed"]
    return [kind for kind in RESOURCES if victim and s["hand"][victim][kind]] or ["none"]


def outcomes(game: Game, s: State, what: str, victim: int) -> list[Any]:
    """What can come of a decision."""
    if what in ("RollForStart", "RollDice"):
        return [*game.rules["Dice"]]
    if what == "BuyDevCard" and game.is_hidden:
        return ["sealed"] if deck_size(s) > 0 else []
    return [card for card in CARDS if s["deck"][card]] if what == "BuyDevCard" else loot(s, victim)


def is_uncertain(game: Game, s: State, what: str, victim: int = 0) -> bool:
    """Whether more than one thing can come of a decision."""
    if game.is_hidden and what in ROBBERIES and victim:
        return not s["away"][victim] and (has_sealed(s, victim) or len(loot(s, victim)) > 1)
    if game.is_hidden and what == "BuyDevCard":
        return deck_size(s) > 0
    return len(outcomes(game, s, what, victim)) > 1


def is_drawn(game: Game, s: State, what: str, to: int = 0, victim: int = 0) -> bool:
    """Whether the outcome of a decision may be told now."""
    if game.rules["Chance"] == "actor" or not is_uncertain(game, s, what, victim):
        return s["tp"] not in ("Drawing", "Surrendering")
    if what == "RollDice" and is_ahead(game, s):
        return s["tp"] not in ("Drawing", "Surrendering")
    return s["call"] == (what, phase_of(s), to, victim) and not any(s["due"].values())


def is_ahead(game: Game, s: State) -> bool:
    """Whether a roll needs no call: all who are there have told their shares of it ahead, or only have to roll."""
    return all(s["ahead"][p] for p in present(game, s))


def is_blocked(game: Game, s: State, tiles: frozenset[int]) -> bool:
    """Whether the bandit keeps anybody from building beside him."""
    return game.rules["BanditBlocksBuilding"] and s["ba"] in tiles


def reaches(game: Game, s: State, p: int, road: int, first: int = 0) -> bool:
    """Whether a player's network comes to an end of a road, with a first road built before."""
    own = {i for i, q in s["road"].items() if q == p} | {first} - {0}
    ends = [(end, owner(s, end)) for end in game.island.ends[road]]
    return any(own_by == p or (not own_by and own & {*game.island.roads_at[end]}) for end, own_by in ends)


def may_follow(game: Game, s: State, p: int, first: int, road: int) -> bool:
    """Whether a second free road can be placed after the first."""
    is_free = road != first and road not in s["road"]
    return is_free and reaches(game, s, p, road, first) and not is_blocked(game, s, game.island.road[road])


def terms(s: State, partner: int) -> tuple[dict[str, int], dict[str, int]]:
    """What the active player gives to a partner and receives; nothing for nothing if there are no terms."""
    if s["ans"][partner] == "accept":
        return s["give"], s["receive"]
    give, receive = s["prop"][partner] or (none_of(RESOURCES), none_of(RESOURCES))
    return receive, give


def takers(game: Game, s: State, p: int, cards: dict[str, int]) -> list[int]:
    """The others who could give these cards."""
    return [q for q in present(game, s) if q != p and could_pay(s, q, cards)]


def is_side(game: Game, cards: dict[str, int]) -> bool:
    """Whether there can be so many cards on one side of an offer."""
    return 1 <= sum(cards.values()) <= (game.rules["OfferMax"] or 250)


# Guards: spec/Catan.tla, and docs/reference/model.md, "Actions and their guards"


ACTIONS = [
    line.split()
    for line in """\
pledge PL; reveal RV; empty_trade ET; withdraw_trade WT; empty_build EB; call CA What:draw To:goal Victim:victim
roll_for_start RS Dice:sum; setup_phase_one SO At:point Road:road; setup_phase_two ST At:point Road:road
roll_dice RD Dice:sum; discard DI Cards:cards
move_bandit MB To:tile Victim:victim Card:loot; trade_four_to_one TF Give:resource Receive:resource
trade_three_to_one TT Give:resource Receive:resource; trade_two_to_one TW Give:resource Receive:resource
offer_trade OT Give:cards Receive:cards; offer_trade_to OO Partner:player Give:cards Receive:cards
answer_trade AT Answer:answer; propose_trade PT Give:cards Receive:cards
conclude_trade CT Partner:player; build_road BR At:road; build_village BV At:point; build_city BC At:point
buy_dev_card BD Card:card; play_monopoly PM Resource:resource; play_year_of_plenty PY First:resource Second:resource
play_road_building PR First:road Second:second; play_knight PK To:tile Victim:victim Card:loot
excuse EX Absent:player; come_back CB Absent:player Shown:cards; claim CL Absent:player
shuffle SH; surrender SU Cards:cards; show_point SP Pile:pile; sign_end SE; close_game CG; open_all OA""".replace(
        "\n", ";"
    ).split(";")
]
"""Each action with the tag of its guards, and its trailers with what they spell, in their order."""
TAGS = {name: tag for name, tag, *_ in ACTIONS}
HIDDEN = ("shuffle", "surrender", "show_point", "sign_end", "close_game", "open_all")
PARAMETERS = {name: dict(pair.split(":") for pair in pairs) for name, _, *pairs in ACTIONS}
TRADE_PHASES = ("Trading", "TradingBuilding")
BUILD_PHASES = ("Building", "TradingBuilding", "SpecialBuilding")
RATES = {"trade_four_to_one": 4, "trade_three_to_one": 3, "trade_two_to_one": 2}


def broken_guards(game: Game, s: State, a: Action) -> tuple[str, ...]:
    """The tags of the guards of an action that do not hold."""
    for guards in (_chance_guards, _trade_guards, _build_guards, _card_guards, _hidden_guards, _leaving_guards):
        holds = guards(game, s, a["player"], a)
        if holds:
            return tuple(f"{TAGS[a['name']]}{i}" for i, good in enumerate(holds, 1) if not good)
    raise AssertionError(a["name"])


def _chance_guards(game: Game, s: State, p: int, a: Action) -> list[bool]:
    island, owing = game.island, [q for q in game.players if excess(s, q)]
    match a["name"]:
        case "pledge":
            return [s["tp"] == "Pledging", s["due"][p]]
        case "reveal":
            return [s["tp"] == "Drawing", s["due"][p]]
        case "call":
            return _call_guards(game, s, p, a["What"], a["To"], a["Victim"])
        case "roll_for_start":
            is_phase = s["sup"] == "Rolling" and phase_of(s) == "bot"
            return [is_phase, s["su_ap"] == p, a["Dice"] in game.rules["Dice"], is_drawn(game, s, "RollForStart")]
        case "roll_dice":
            is_phase, is_sum = phase_of(s) == "DiceRoll", a["Dice"] in game.rules["Dice"]
            return [is_phase, s["ap"] == p, is_sum, is_drawn(game, s, "RollDice")]
        case "discard":
            is_amount = sum(a["Cards"].values()) == excess(s, p)
            return [s["tp"] == "Discarding", p in owing, is_amount, affords(game, s, p, a["Cards"])]
        case "move_bandit":
            drawn = is_drawn(game, s, "MoveBandit", a["To"], a["Victim"])
            is_phase = phase_of(s) in ("Discarding", "MovingBandit")
            return [is_phase, s["ap"] == p, not owing, *_robs(game, s, p, a), a["Card"] in loot(s, a["Victim"]), drawn]
        case "setup_phase_one" | "setup_phase_two":
            point, road, is_second = a["At"], a["Road"], a["name"] == "setup_phase_two"
            return [
                s["tp"] == "bot",
                s["sup"] == ("PhaseTwo" if is_second else "PhaseOne"),
                s["su_ap"] == p,
                not owner(s, point),
                not any(owner(s, near) for near in island.neighbours[point]),
                not is_blocked(game, s, island.point[point]),
                road not in s["road"],
                road in island.roads_at[point],
                not is_blocked(game, s, island.road[road]),
                *([covers(s["bank"], island.harvest(point))] if is_second else []),
            ]
    return []


def _robs(game: Game, s: State, p: int, a: Action) -> list[bool]:
    """Guards elsewhere, land, target and victim of whatever moves the bandit."""
    to = a["To"]
    is_victim = a["Victim"] in (adversaries(game, s, p, to) or {0})
    return [to != s["ba"], to in game.island.land, can_aim(game, s, p, to), is_victim]


def _call_guards(game: Game, s: State, p: int, what: str, to: int, victim: int) -> list[bool]:
    phases = {
        "RollForStart": ("bot",),
        "RollDice": ("DiceRoll",),
        "MoveBandit": ("Discarding", "MovingBandit"),
        "BuyDevCard": BUILD_PHASES,
        "PlayKnight": play_phases(game),
    }[what]
    robs, is_knight = what in ROBBERIES, what == "PlayKnight"
    return [
        game.rules["Chance"] == "joint",
        s["tp"] in phases,
        what != "RollForStart" or s["sup"] == "Rolling",
        p == caller_of(s, what),
        what != "MoveBandit" or not any(excess(s, q) for q in game.players),
        what != "BuyDevCard" or affords(game, s, p, CARD),
        not is_knight or can_play(s, p, "Knight"),
        not is_knight or limit(game, s),
        robs or (to, victim) == (0, 0),
        *(not robs or good for good in _robs(game, s, p, {"To": to, "Victim": victim})),
        is_uncertain(game, s, what, victim),
        what != "RollDice" or not is_ahead(game, s),
    ]


def _trade_guards(game: Game, s: State, p: int, a: Action) -> list[bool]:
    rules, ends = game.rules, s["tp"] == "Offering"
    trades = [s["tp"] in TRADE_PHASES, s["ap"] == p]
    sides = [a.get("Give"), a.get("Receive")]
    is_answered = rules["TableTalk"] or "asked" not in s["ans"].values()
    match a["name"]:
        case "empty_trade":
            return [s["tp"] == "Trading", s["ap"] == p]
        case "trade_four_to_one" | "trade_three_to_one" | "trade_two_to_one":
            give, receive, rate = a["Give"], a["Receive"], RATES[a["name"]]
            own = [kind for point, kinds in game.island.wharfs.items() if owner(s, point) == p for kind in kinds]
            wharf = [("ThreeToOne" if rate == 3 else give) in own] if rate < 4 else []
            return [*trades, affords(game, s, p, {give: rate}), s["bank"][receive] > 0, give != receive, *wharf]
        case "offer_trade":
            most, has_taker = rules["OffersPerTurn"], rules["TableTalk"] or bool(takers(game, s, p, a["Receive"]))
            shape = [*(is_side(game, side) for side in sides), _differ(a), affords(game, s, p, a["Give"])]
            return [rules["DomesticTrade"], *trades, *shape, has_taker, not most or s["made"][p] < most]
        case "offer_trade_to":
            most, q = rules["OffersPerTurn"], a["Partner"]
            could = rules["TableTalk"] or could_pay(s, q, a["Receive"])
            shape = [*(is_side(game, side) for side in sides), _differ(a), affords(game, s, p, a["Give"])]
            is_other = [q != p, not s["away"][q]]
            return [rules["OffersToOne"], *trades, *is_other, *shape, could, not most or s["made"][p] < most]
        case "answer_trade":
            is_free = a["Answer"] == "reject" or not (rules["TableTalk"] or game.is_hidden)
            return [ends, s["ans"][p] == "asked", is_free or affords(game, s, p, s["receive"])]
        case "propose_trade":
            most, shape = rules["ProposalsPerTurn"], [*(is_side(game, side) for side in sides), _differ(a)]
            is_asked = not ends or s["ans"][p] == "asked"
            may = [rules["TableTalk"], s["tp"] in talk_phases(game), s["ap"] != p]
            rest = [s["prop"][p] is None, is_asked, not s["away"][p], not most or s["made"][p] < most]
            return [*may, *shape, affords(game, s, p, a["Give"]), *rest]
        case "conclude_trade":
            give, receive = terms(s, a["Partner"])
            has_terms = any(give.values()) or any(receive.values())
            return [
                ends or s["tp"] in talk_phases(game),
                s["ap"] == p,
                is_answered,
                has_terms,
                affords(game, s, p, give),
            ]
        case "withdraw_trade":
            return [ends, s["ap"] == p, is_answered]
    return []


def _differ(a: Action) -> bool:
    return not any(a["Give"][kind] and a["Receive"][kind] for kind in RESOURCES)


def _build_guards(game: Game, s: State, p: int, a: Action) -> list[bool]:
    island, pieces, at = game.island, left(game, s, p), a.get("At", 0)
    builds = [s["tp"] in BUILD_PHASES, builder_of(s) == p]
    match a["name"]:
        case "empty_build":
            return builds
        case "build_road":
            is_free, is_near = at not in s["road"], reaches(game, s, p, at)
            can = [affords(game, s, p, ROAD), pieces["Road"] > 0]
            return [*builds, *can, is_free, is_near, not is_blocked(game, s, island.road[at])]
        case "build_village":
            is_apart = not any(owner(s, near) for near in island.neighbours[at])
            is_near = any(s["road"].get(road) == p for road in island.roads_at[at])
            can = [affords(game, s, p, VILLAGE), pieces["Village"] > 0]
            return [*builds, *can, not owner(s, at), is_apart, is_near, not is_blocked(game, s, island.point[at])]
        case "build_city":
            can = [affords(game, s, p, CITY), pieces["City"] > 0]
            return [*builds, *can, s["town"].get(at) == (p, "Village"), not is_blocked(game, s, island.point[at])]
        case "buy_dev_card":
            is_phase, is_there = phase_of(s) in BUILD_PHASES, a["Card"] in outcomes(game, s, "BuyDevCard", 0)
            return [is_phase, builds[1], affords(game, s, p, CARD), is_there, is_drawn(game, s, "BuyDevCard")]
    return []


def _card_guards(game: Game, s: State, p: int, a: Action) -> list[bool]:
    plays, needs = s["tp"] in play_phases(game), game.rules["RoadBuildingNeeds"]
    is_turn, within, island = s["ap"] == p, limit(game, s), game.island
    match a["name"]:
        case "play_monopoly":
            return [plays, is_turn, can_play(s, p, "Monopoly"), within]
        case "play_year_of_plenty":
            chosen = [a["First"], a["Second"]]
            has_both = all(s["bank"][kind] >= chosen.count(kind) for kind in chosen)
            return [plays, is_turn, can_play(s, p, "YearOfPlenty"), has_both, within]
        case "play_knight":
            is_phase, is_loot = phase_of(s) in play_phases(game), a["Card"] in loot(s, a["Victim"])
            drawn = is_drawn(game, s, "PlayKnight", a["To"], a["Victim"])
            return [is_phase, is_turn, can_play(s, p, "Knight"), *_robs(game, s, p, a), is_loot, within, drawn]
        case "play_road_building":
            first, second, roads = a["First"], a["Second"], left(game, s, p)["Road"]
            is_single = roads == 1 or not any(may_follow(game, s, p, first, road) for road in island.road)
            return [
                *(plays, is_turn, can_play(s, p, "RoadBuilding"), roads >= needs),
                first not in s["road"],
                reaches(game, s, p, first),
                not is_blocked(game, s, island.road[first]),
                first != second,
                second not in s["road"],
                not second or reaches(game, s, p, second, first),
                not second or not is_blocked(game, s, island.road[second]),
                not second or roads >= 2,
                second != 0 or (needs == 1 and is_single),
                within,
            ]
    return []


def _hidden_guards(game: Game, s: State, p: int, a: Action) -> list[bool]:
    signs, wanted = s["tp"] == "Signing", s["hid"]["wanted"]
    match a["name"]:
        case "shuffle":
            return [s["tp"] == "Shuffling", to_act(s) == p]
        case "surrender":
            is_wanted = wanted != "none" and not any(n for kind, n in a["Cards"].items() if kind != wanted)
            return [s["tp"] == "Surrendering", s["due"][p], is_wanted, affords(game, s, p, a["Cards"])]
        case "show_point":
            is_phase = s["tp"] in ("DiceRoll", *play_phases(game))
            is_there = s["hid"][a["Pile"]][p] > 0 and s["deck"]["VictoryPoint"] > 0
            return [game.is_hidden, is_phase, s["ap"] == p, is_there]
        case "sign_end":
            return [signs, s["due"][p]]
        case "close_game":
            return [signs, not any(s["due"].values()), to_act(s) == p]
        case "open_all":
            return [s["tp"] == "top", s["due"][p]]
    return []


def _leaving_guards(game: Game, s: State, p: int, a: Action) -> list[bool]:
    x, there, owing = a["Absent"], present(game, s), [q for q in game.players if owes_reply(game, s, q)]
    common = [game.rules["Leaving"], s["tp"] != "top"]
    match a["name"]:
        case "come_back":
            is_phase = s["tp"] in {"DiceRoll", *TRADE_PHASES, *BUILD_PHASES}
            is_foreseen = s["tp"] == "DiceRoll" and is_ahead(game, s)
            settled = sum(owner(s, point) == x for point in s["town"]) >= 2
            is_all = sum(a["Shown"].values()) == s["hid"]["sealed"][x] and covers(unseen(game, s), a["Shown"])
            return [is_phase, p in there, s["missed"][x], not is_foreseen, settled, is_all]
        case "excuse":
            has_replied = p not in owing or s["tp"] in ("Drawing", "Surrendering")
            return [*common, x in there, len(there) > 2, p in there and p != x, has_replied]
    what, _, _, victim = s["call"] or ("none", "none", 0, 0)
    is_accusable = game.is_hidden and what in ROBBERIES and s["ap"] == p and victim == x
    is_fit = is_awaited(game, s, x) or is_accusable
    return [*common, p != x and there == sorted((p, x)), is_fit, p not in owing]


def limit(game: Game, s: State) -> bool:
    """Whether one more development card may be played this turn."""
    return bool(s["pd"] < game.rules["DevCardsPerTurn"] or not game.rules["DevCardsPerTurn"])


def play_phases(game: Game) -> tuple[str, ...]:
    """The phases in which development cards are played."""
    return ("Trading", "Building", "TradingBuilding", *(["DiceRoll"] if game.rules["DevCardBeforeDice"] else []))


# Effects: docs/reference/model.md, "Effects", and the primed parts of spec/Catan.tla


def effect(game: Game, before: State, a: Action) -> State:
    """The state after an action that is enabled."""
    s = copied(before)
    p = a["player"]
    if game.is_hidden:
        come_into_the_open(s, a)
    if a["name"] in ("roll_for_start", "roll_dice", "move_bandit", "buy_dev_card", "play_knight"):
        s["tp"], s["call"] = phase_of(s), None
    if a["name"].startswith("play_"):
        s["pd"] += bool(game.rules["DevCardsPerTurn"])
    for change in (_chance_effect, _trade_effect, _build_effect, _hidden_effect, _leaving_effect):
        change(game, s, p, a)
    if a["name"] not in (*REPLIES, "excuse", "claim", "come_back", "shuffle", "close_game"):
        s["prop"] = dict.fromkeys(game.players)
    if a["name"] in WINNING:
        win(game, s)
    return s


WINNING = (
    *("setup_phase_two", "empty_build", "build_road", "build_village", "build_city", "buy_dev_card"),
    *("play_road_building", "play_knight", "show_point"),
)
"""The actions that can bring the active player points, or that begin a turn."""


def price(s: State, a: Action) -> dict[str, int]:
    """What an action takes of its player's resource cards."""
    match a["name"]:
        case "build_road":
            return ROAD
        case "build_village":
            return VILLAGE
        case "build_city":
            return CITY
        case "buy_dev_card":
            return CARD
        case "call" if a["What"] == "BuyDevCard":
            return CARD
        case "trade_four_to_one" | "trade_three_to_one" | "trade_two_to_one":
            return {a["Give"]: RATES[a["name"]]}
        case "offer_trade" | "offer_trade_to" | "propose_trade":
            return dict(a["Give"])
        case "answer_trade" if a["Answer"] == "accept":
            return dict(s["receive"])
        case "conclude_trade":
            return terms(s, a["Partner"])[0]
        case "discard" | "surrender":
            return dict(a["Cards"])
    return {}


PLAYED = {
    "play_monopoly": "Monopoly",
    "play_year_of_plenty": "YearOfPlenty",
    "play_road_building": "RoadBuilding",
    "play_knight": "Knight",
}


def shown_card(s: State, a: Action) -> tuple[str, str] | None:
    """The development card that comes into the open with an action, and the pile that it comes from."""
    if a["name"] == "show_point":
        return "VictoryPoint", a["Pile"]
    is_called = a["name"] == "call" and a["What"] == "PlayKnight"
    card = "Knight" if is_called else PLAYED.get(a["name"])
    return (card, "held") if card and not s["available"][a["player"]][card] else None


def come_into_the_open(s: State, a: Action) -> None:
    """Show what an action needs of its player's hidden cards."""
    p, shown = a["player"], shown_card(s, a)
    lacks = lacking(s, p, price(s, a))
    s["hid"]["sealed"][p] -= sum(lacks.values())
    move(lacks, none_of(RESOURCES), s["hand"][p])
    if shown is not None:
        card, pile = shown
        s["hid"][pile][p] -= 1
        move({card: 1}, s["deck"], s["open" if card == "VictoryPoint" else "available"][p])


def _hidden_effect(game: Game, s: State, p: int, a: Action) -> None:
    hid = s["hid"]
    match a["name"]:
        case "shuffle":
            hid["shuffles"] += 1
            if hid["shuffles"] < len(present(game, s)):
                return
            if hid["deck"] == "keys":
                hid["shuffles"], hid["deck"] = 0, "first"
            elif game.rules["Leaving"]:
                resume(s)
                if hid["deck"] == "back":
                    hid["keyless"] = dict(s["away"])
                else:
                    add_keys(s)
            else:
                s["tp"] = first_phase(game)
        case "surrender":
            s["due"][p] = False
            move(a["Cards"], s["hand"][p], s["hand"][s["ap"]])
            if not any(s["due"].values()):
                resume(s)
        case "sign_end" | "open_all":
            s["due"][p] = False
        case "close_game":
            close(game, s)


def resume(s: State) -> None:
    """Go on once shuffles, or what a monopoly asks for, are over."""
    if s["tp"] in ("Shuffling", "Surrendering"):
        s["tp"] = s["hid"]["back"]
        s["hid"] |= {"wanted": "none", "back": "bot"}


def shuffle_anew(s: State, deck: str) -> None:
    """Let those who are there tell their keys, or shuffle what is left, before play goes on."""
    s["hid"] |= {"shuffles": 0, "back": s["tp"], "deck": deck}
    s["tp"] = "Shuffling"


def add_keys(s: State) -> None:
    """Let those who are there shuffle what is left with the keys of who is back, before play goes on."""
    is_back = any(s["hid"]["keyless"][p] and not is_away for p, is_away in s["away"].items())
    if is_back and s["tp"] not in ("Signing", "top") and deck_size(s) > 0:
        shuffle_anew(s, "back")


def close(game: Game, s: State) -> None:
    """End the game; hidden cards are due."""
    s["tp"] = "top"
    if game.is_hidden:
        s["due"] = {q: not s["away"][q] for q in game.players}


def end(game: Game, s: State) -> None:
    """End the game that the active player has won, once all others have signed it where they have to."""
    signing = {q: game.rules["SignedEnd"] and not s["away"][q] and q != s["ap"] for q in game.players}
    if any(signing.values()):
        s["tp"], s["due"] = "Signing", signing
    else:
        close(game, s)


def after_dice(game: Game) -> str:
    """The phase after a roll, after the bandit was moved, and after an offer."""
    return "TradingBuilding" if game.rules["CombinedTradeBuild"] else "Trading"


def win(game: Game, s: State) -> None:
    """End the game if the active player has enough points, where they are counted at once."""
    is_turn = game.rules["WinCheck"] == "at_once" and s["tp"] not in ("bot", "SpecialBuilding", "top")
    if is_turn and points(s, s["ap"]) >= game.rules["PointsToWin"]:
        end(game, s)


def _chance_effect(game: Game, s: State, p: int, a: Action) -> None:
    match a["name"]:
        case "pledge":
            s["due"][p] = False
            if not any(s["due"].values()):
                s["tp"] = first_phase(game)
                if game.is_hidden and game.rules["Leaving"]:
                    shuffle_anew(s, "keys")
                elif game.is_hidden:
                    s["tp"] = "Shuffling"
        case "reveal":
            s["due"][p] = False
            if game.is_hidden and s["call"][3] == p:
                s["hid"]["sealed"][p] += sum(s["hand"][p].values())
                s["hand"][p] = none_of(RESOURCES)
        case "call":
            s["call"], s["tp"] = (a["What"], s["tp"], a["To"], a["Victim"]), "Drawing"
            s["due"] = {q: q != p and not s["away"][q] for q in game.players}
            if game.is_hidden and a["What"] in ROBBERIES:
                s["due"] = {q: q == a["Victim"] for q in game.players}
        case "roll_for_start":
            s["rolls"][p] = a["Dice"]
            rolled(game, s)
        case "setup_phase_one" | "setup_phase_two":
            s["town"][a["At"]], s["road"][a["Road"]] = (p, "Village"), p
            if a["name"] == "setup_phase_two":
                move(game.island.harvest(a["At"]), s["bank"], s["hand"][p])
                if p == s["first"]:
                    s["tp"] = "DiceRoll"
                else:
                    s["su_ap"] = after(game, s, p, -1)
            elif after(game, s, p) == s["first"]:
                s["sup"] = "PhaseTwo"
            else:
                s["su_ap"] = after(game, s, p)
        case "roll_dice":
            s["dice"], s["ahead"][p] = a["Dice"], False
            (seven if a["Dice"] == 7 else harvest)(game, s)
        case "discard":
            move(a["Cards"], s["hand"][p], s["bank"])
        case "move_bandit":
            s["lim"], s["tp"] = dict.fromkeys(game.players, 0), after_dice(game)
            rob(s, p, a)


def rob(s: State, p: int, a: Action) -> None:
    """Move the bandit and take the card."""
    s["ba"] = a["To"]
    if a["Card"] == "sealed":
        s["hid"]["sealed"][a["Victim"]] -= 1
        s["hid"]["sealed"][p] += 1
    elif a["Card"] != "none":
        move({a["Card"]: 1}, s["hand"][a["Victim"]], s["hand"][p])


def rolled(game: Game, s: State) -> None:
    """Who rolls next for the start, or who begins, after a roll or without a player who leaves."""
    rolls = s["rolls"]
    waiting, leaders = [q for q in rolls if not rolls[q]], [q for q in rolls if rolls[q] == max(rolls.values())]
    if waiting:
        s["su_ap"] = waiting[0]
        return
    in_play = [q for q in rolls if rolls[q] != 1]
    s["su_ap"] = leaders[0]
    if len(leaders) > 1 and not (game.rules["StartOrder"] == "dice_then_seat" and leaders == in_play):
        s["rolls"] = {q: 0 if q in leaders else 1 for q in rolls}
        return
    s["rolls"], s["first"], s["ap"] = dict.fromkeys(rolls, 0), leaders[0], leaders[0]
    s["sup"] = "PhaseTwo" if game.opening else "PhaseOne"
    s["tp"] = "DiceRoll" if game.opening else s["tp"]


def first_cards(hand: dict[str, int], n: int) -> dict[str, int]:
    """The first cards of a hand, in the order of resources."""
    cards = [kind for kind in RESOURCES for _ in range(hand[kind])][:n]
    return {kind: cards.count(kind) for kind in RESOURCES}


def seven(game: Game, s: State) -> None:
    """Limit every hand that is too large; those who are away lose their first cards."""
    for q in game.players:
        n = hand_size(s, q)
        s["lim"][q] = n - n // 2 if n > game.rules["HandLimit"] else 0
        if s["away"][q] and s["lim"][q]:
            move(first_cards(s["hand"][q], n // 2), s["hand"][q], s["bank"])
            s["lim"][q] = 0
    s["tp"] = "Discarding" if any(s["lim"].values()) else "MovingBandit"


def harvest(game: Game, s: State) -> None:
    """Pay what a roll yields, as far as the bank can."""
    due = {q: none_of(RESOURCES) for q in game.players}
    for point, (q, kind) in s["town"].items():
        for tile in game.island.point[point]:
            if game.island.number[tile] == s["dice"] and tile != s["ba"]:
                due[q][YIELDS[game.island.terrain[tile]]] += 2 if kind == "City" else 1
    short = [kind for kind in RESOURCES if sum(cards[kind] for cards in due.values()) > s["bank"][kind]]
    s["tp"] = after_dice(game)
    if short and game.rules["Shortage"] == "nobody":
        return
    for kind in short:
        earners = [q for q in game.players if due[q][kind]]
        for q in earners:
            due[q][kind] = s["bank"][kind] if len(earners) == 1 else 0
    for q in game.players:
        move(due[q], s["bank"], s["hand"][q])


def _trade_effect(game: Game, s: State, p: int, a: Action) -> None:
    match a["name"]:
        case "empty_trade":
            s["tp"] = "Building"
        case "trade_four_to_one" | "trade_three_to_one" | "trade_two_to_one":
            move({a["Give"]: RATES[a["name"]]}, s["hand"][p], s["bank"])
            move({a["Receive"]: 1}, s["bank"], s["hand"][p])
        case "offer_trade" | "offer_trade_to":
            everybody = takers(game, s, p, {} if game.rules["TableTalk"] else a["Receive"])
            asked = [a["Partner"]] if "Partner" in a else everybody
            s["tp"], s["give"], s["receive"] = "Offering", a["Give"], a["Receive"]
            s["ans"] = {q: "asked" if q in asked else "none" for q in game.players}
            s["made"][p] += bool(game.rules["OffersPerTurn"])
        case "answer_trade":
            s["ans"][p] = a["Answer"]
        case "propose_trade":
            s["prop"][p] = (a["Give"], a["Receive"])
            s["made"][p] += bool(game.rules["ProposalsPerTurn"])
            s["ans"][p] = "reject" if s["tp"] == "Offering" else s["ans"][p]
        case "conclude_trade":
            give, receive = terms(s, a["Partner"])
            move(give, s["hand"][p], s["hand"][a["Partner"]])
            move(receive, s["hand"][a["Partner"]], s["hand"][p])
            no_offer(game, s)
        case "withdraw_trade":
            no_offer(game, s)


def no_offer(game: Game, s: State) -> None:
    """End an offer."""
    s["tp"], s["give"], s["receive"] = after_dice(game), none_of(RESOURCES), none_of(RESOURCES)
    s["ans"] = dict.fromkeys(game.players, "none")


def _build_effect(game: Game, s: State, p: int, a: Action) -> None:
    match a["name"]:
        case "empty_build":
            is_turn = s["tp"] != "SpecialBuilding" and game.rules["WinCheck"] == "turn_end"
            if is_turn and points(s, p) >= game.rules["PointsToWin"]:
                end(game, s)
            else:
                if game.rules["ChanceAhead"]:
                    tell_ahead(game, s, p)
                next_builder(game, s, p)
        case "build_road":
            move(ROAD, s["hand"][p], s["bank"])
            s["road"][a["At"]] = p
        case "build_village":
            move(VILLAGE, s["hand"][p], s["bank"])
            s["town"][a["At"]] = (p, "Village")
        case "build_city":
            move(CITY, s["hand"][p], s["bank"])
            s["town"][a["At"]] = (p, "City")
        case "buy_dev_card":
            move(CARD, s["hand"][p], s["bank"])
            if a["Card"] == "sealed":
                s["hid"]["bought"][p] += 1
                return
            move({a["Card"]: 1}, s["deck"], s["open" if a["Card"] == "VictoryPoint" else "bought"][p])
        case "play_monopoly":
            move({"Monopoly": 1}, s["available"][p], s["dp"])
            for q in {*game.players} - {p}:
                move({a["Resource"]: s["hand"][q][a["Resource"]]}, s["hand"][q], s["hand"][p])
            asked = {q: q != p and has_sealed(s, q) for q in game.players}
            if any(asked.values()):
                s["hid"] |= {"wanted": a["Resource"], "back": s["tp"]}
                s["tp"], s["due"] = "Surrendering", asked
        case "play_year_of_plenty":
            move({"YearOfPlenty": 1}, s["available"][p], s["dp"])
            for kind in (a["First"], a["Second"]):
                move({kind: 1}, s["bank"], s["hand"][p])
        case "play_road_building":
            move({"RoadBuilding": 1}, s["available"][p], s["dp"])
            s["road"].update({road: p for road in (a["First"], a["Second"]) if road})
        case "play_knight":
            move({"Knight": 1}, s["available"][p], s["open"][p])
            rob(s, p, a)
            knights = {q: s["open"][q]["Knight"] for q in game.players}
            s["la"] = bonus(s["la"], knights, game.rules["LargestArmyMin"])
    if a["name"] in ("build_road", "build_village", "play_road_building"):
        least, lengths = game.rules["LongestRoadMin"], {}
        for q in game.players:
            own = {road for road, whose in s["road"].items() if whose == q}
            blocked = {point for point in s["town"] if owner(s, point) != q}
            lengths[q] = game.island.longest_trail(own, blocked) if len(own) >= least else 0
        s["lr"] = bonus(s["lr"], lengths, least)


def bonus(holder: int, has: dict[int, int], least: int) -> int:
    """Who holds a bonus card."""
    best = [q for q in has if has[q] == max(has.values())]
    if max(has.values()) < least:
        return 0
    return holder if holder in best else best[0] if len(best) == 1 else 0


def rest(s: State, p: int) -> None:
    """Make the cards that a player has bought available."""
    move(copied(s["bought"][p]), s["bought"][p], s["available"][p])
    s["hid"]["held"][p] += s["hid"]["bought"][p]
    s["hid"]["bought"][p] = 0


def next_builder(game: Game, s: State, p: int) -> None:
    """Let the next player build between two turns, or let the next turn begin."""
    n = len(game.players)
    later = (
        [(s["ap"] - 1 + i) % n + 1 for i in range((p - s["ap"]) % n + 1, n)] if game.rules["SpecialBuilding"] else []
    )
    costs = (ROAD, VILLAGE, CITY, CARD)
    able = [q for q in later if not s["away"][q] and any(could_pay(s, q, cost) for cost in costs)]
    rest(s, p)
    if able:
        s["tp"], s["sb"], s["call"] = "SpecialBuilding", able[0], None
        s["due"] = dict.fromkeys(game.players, False)
    else:
        next_turn(game, s)


def tell_ahead(game: Game, s: State, p: int) -> None:
    """Take note that a player tells their shares of rolls; who is next calls if they can play or show a card before."""
    following = after(game, s, p)
    plays = game.rules["DevCardBeforeDice"] and any(s["available"][following].values())
    s["ahead"][p] = True
    if plays or s["hid"]["held"][following]:
        s["ahead"][following] = False


def next_turn(game: Game, s: State) -> None:
    """Begin the turn of the next player who is there."""
    following, q = after(game, s, s["ap"]), s["ap"] % len(game.players) + 1
    while q != following:
        s["missed"][q] = s["left"][q] > 0
        q = q % len(game.players) + 1
    s.update(tp="DiceRoll", ap=following, dice=0, pd=0, sb=0, made=dict.fromkeys(game.players, 0))


def _leaving_effect(game: Game, s: State, p: int, a: Action) -> None:
    if a["name"] == "come_back":
        x = a["Absent"]
        s["away"][x], s["left"][x], s["missed"][x] = False, s["left"][x] - 1, False
        s["ahead"] = dict.fromkeys(game.players, False)
        move(a["Shown"], none_of(RESOURCES), s["hand"][x])
        s["hid"]["sealed"][x] = 0
        if (n := hand_size(s, x)) > game.rules["HandLimit"]:
            move(first_cards(s["hand"][x], n // 2), s["hand"][x], s["bank"])
        add_keys(s)
    if a["name"] not in ("excuse", "claim"):
        return
    x, began, is_lost = a["Absent"], s["tp"], loses_deck(game, s, a["Absent"])
    is_begun = began != "Pledging" and (began, s["hid"]["deck"]) not in (("Shuffling", "keys"), ("Shuffling", "first"))
    if not is_begun:
        s["left"][x] = 0
    elif withholds(game, s, x):
        s["left"][x] = min(s["left"][x], 1)
    owed = max(0, sum(s["hand"][x].values()) - s["lim"][x]) if excess(s, x) else 0
    drop_hidden(game, s, x, is_lost)
    builder, phase, stage = builder_of(s), phase_of(s), s["hid"]["deck"]
    is_setup = phase == "bot" or began == "Pledging"
    was_next, was_last = s["su_ap"] == x, s["sup"] == "PhaseOne" and s["first"] != x and after(game, s, x) == s["first"]
    s["away"][x], s["due"][x], s["prop"][x] = True, False, None
    was_keyless = s["hid"]["keyless"][x]
    s["hid"]["keyless"][x] = game.is_hidden
    s["ahead"] = dict.fromkeys(game.players, False)
    if s["tp"] == "Pledging" and not any(s["due"].values()):
        s["tp"] = first_phase(game)
    if s["ans"][x] in ("asked", "accept"):
        s["ans"][x] = "reject"
    move(first_cards(s["hand"][x], owed), s["hand"][x], s["bank"])
    if began == "Signing":
        if not any(s["due"].values()):
            close(game, s)
    elif a["name"] == "claim":
        skip(game, s, x)
        end(game, s)
    elif is_setup:
        leave_setup(game, s, x, was_next, was_last)
    elif builder == x and phase == "SpecialBuilding":
        next_builder(game, s, x)
        if s["tp"] == "DiceRoll":
            skip(game, s, x, is_begun=True)
    elif builder == x:
        skip(game, s, x)
    if not game.is_hidden or a["name"] == "claim" or s["tp"] == "Pledging":
        return
    if not is_begun:
        shuffle_anew(s, "keys")
    elif is_lost:
        s["hid"]["deck"] = "lost"
    elif was_keyless and (began, stage) != ("Shuffling", "rest"):
        add_keys(s)
    elif s["tp"] not in ("Signing", "top") and deck_size(s) > 0:
        shuffle_anew(s, "rest")


def withholds(game: Game, s: State, x: int) -> bool:
    """Whether a draw that was called for, or a roll that is foreseen, waits for a player."""
    if game.rules["Chance"] == "actor" or s["tp"] not in ("Drawing", "DiceRoll"):
        return False
    return bool(s["due"][x] or to_act(s) == x) if s["tp"] == "Drawing" else s["ap"] == x and is_ahead(game, s)


def tells_pieces(game: Game, s: State) -> bool:
    """Whether at least three have never left, so that pieces of keys can be told."""
    return sum(not s["away"][q] and s["left"][q] == game.rules["Returns"] for q in game.players) >= 3


def loses_deck(game: Game, s: State, x: int) -> bool:
    """Whether nobody can open the rest of the deck once a player leaves.

    They have not shuffled it since another left, or those who are away gave pieces that are not told.
    """
    is_rest = s["tp"] == "Shuffling" and s["hid"]["deck"] == "rest"
    if s["hid"]["keyless"][x]:
        return is_rest and not tells_pieces(game, s)
    return (is_rest and x >= to_act(s)) or (any(s["away"].values()) and not tells_pieces(game, s))


def drop_hidden(game: Game, s: State, x: int, is_lost: bool) -> None:
    """Drop what is hidden and under way that needs a player who leaves."""
    if not game.is_hidden:
        return
    what, phase, _, victim = s["call"] or ("none", "none", 0, 0)
    is_lacking = any(s["due"].values()) or is_lost
    if s["tp"] == "Surrendering":
        s["due"] = dict.fromkeys(game.players, False)
    resume(s)
    if what == "BuyDevCard" and caller_of(s, what) == x:
        s["hid"]["held"][x] += 1
    elif (what in ROBBERIES and victim == x) or (what == "BuyDevCard" and is_lacking):
        s["tp"], s["call"], s["due"] = phase, None, dict.fromkeys(game.players, False)


def skip(game: Game, s: State, x: int, is_begun: bool = False) -> None:
    """Drop what a player who leaves has begun, and begin the next turn."""
    no_offer(game, s)
    s["lim"], s["prop"], s["call"] = dict.fromkeys(game.players, 0), dict.fromkeys(game.players), None
    s["due"] = dict.fromkeys(game.players, False)
    rest(s, x)
    if is_begun:
        s["tp"] = "DiceRoll"
    else:
        s["missed"][x] |= s["ap"] == x and s["left"][x] > 0
        next_turn(game, s)
    win(game, s)


def leave_setup(game: Game, s: State, x: int, was_next: bool, was_last: bool) -> None:
    """The set-up without a player."""
    follower, was_first = after(game, s, x), s["first"] == x
    if s["tp"] == "Drawing" and was_next:
        s["tp"], s["call"], s["due"] = phase_of(s), None, dict.fromkeys(game.players, False)
    if s["sup"] == "Rolling":
        s["ap"], s["rolls"][x] = 1, 1
        if not {*s["rolls"].values()} - {1}:
            s["rolls"] = {q: int(q == x or s["away"][q]) for q in game.players}
        rolled(game, s)
        return
    s["first"], s["ap"] = (follower if q == x else q for q in (s["first"], s["ap"]))
    if not was_next:
        return
    begins = s["sup"] == "PhaseTwo" and was_first and s["tp"] == "bot"
    s["su_ap"] = follower if (s["sup"] == "PhaseOne" and not was_last) or was_first else after(game, s, x, -1)
    if was_last:
        s["sup"] = "PhaseTwo"
    if begins:
        s["tp"] = "DiceRoll"
        win(game, s)


# Commits and messages: docs/reference/log-format.md, "Commits"

WORDS = {
    "draw": DRAWS,
    "resource": RESOURCES,
    "loot": (*RESOURCES, "none"),
    "card": CARDS,
    "answer": ("accept", "reject"),
    "pile": ("held", "bought"),
}
PERSON = r"(.*?) <(.*)> (0|[1-9][0-9]{0,11}) \+0000\n"
COMMIT = re.compile(
    rf"tree ([0-9a-f]{{40}})\n((?:parent [0-9a-f]{{40}}\n)*)author {PERSON}committer {PERSON}"
    r"(?:(gpgsig .*\n(?: .*\n)*))?\n([\s\S]*)"
)


def value_of(game: Game, domain: str, text: str) -> Any:
    """What a trailer spells."""
    if domain in WORDS:
        if text not in WORDS[domain] and not (text == "sealed" and game.is_hidden and domain in ("loot", "card")):
            raise Refused("format", f"{text!r} is no {domain}")
        return text
    if domain == "cards":
        pairs = [part.partition(" ")[::2] for part in text.split(", ")] if text != "nothing" else []
        cards = none_of(RESOURCES) | {kind: natural(n) for n, kind in pairs}
        if len(cards) > len(RESOURCES) or not covers(game.pool("ResourcePool"), cards):
            raise Refused("format", f"{text!r}: more cards than the game has")
        if spell_cards(cards) != text:
            raise Refused("format", f"{text!r} is not the one spelling")
        return cards
    island, n = game.island, len(game.players)
    ranges = {
        "player": (1, n),
        "victim": (0, n),
        "point": (1, len(island.point)),
        "road": (1, len(island.road)),
        "second": (2 - game.rules["RoadBuildingNeeds"] == 0, len(island.road)),
        "sum": (2, 12),
        "tile": (1, len(island.name)),
        "goal": (0, len(island.name)),
    }
    if not ranges[domain][0] <= natural(text) <= ranges[domain][1]:
        raise Refused("format", f"{text!r} is no {domain}")
    return natural(text)


def told_besides(game: Game, name: str, told: dict[str, str]) -> list[str]:
    """The trailers that a message has after its parameters."""
    is_joint, has_dice = game.rules["Chance"] == "joint", len(game.rules["Dice"]) > 1
    is_shared = name in ("call", "pledge", "reveal")
    if game.is_hidden and name in ("call", "reveal"):
        is_shared = told.get("What") in ROLLS if name == "call" else "Share" in told
    keys = ["Draw"] if is_joint and name == "call" and is_shared else []
    keys += ["Share"] if is_joint and is_shared else []
    tells_ahead = game.rules["ChanceAhead"] and name in ("pledge", "empty_build", "roll_dice")
    keys += ["Ahead"] if tells_ahead and "Ahead" in told else []
    keys += ["Nonce"] if name == "pledge" and "Nonce" in told else []
    needs = is_joint and name in ("roll_dice", "roll_for_start")
    keys += ["Shows"] if has_dice and (needs or (name == "roll_dice" and "Shows" in told)) else []
    return keys + [key for key in ("Deck", "Place", "Seal") if game.is_hidden and key in told]


SPELLINGS = {
    "Draw": r"0|[1-9]\d{0,8}",
    "Share": r"[0-9a-f]{64}",
    "Ahead": r"[0-9a-f]{64}",
    "Nonce": r"[0-9a-f]{32}",
    "Shows": r"[1-6] [1-6]",
    "Deck": r"0|[1-9]\d{0,2}",
    "Place": r"0|[1-9]\d{0,2}",
    "Seal": r"[0-9A-Za-z+/=]*",
}


def parse(game: Game, message: str) -> Action:
    """What a message tells; ``Refused`` if it is not the one spelling of an action."""
    subject, _, rest = message.partition("\n\n")
    told = dict(line.partition(": ")[::2] for line in rest.split("\n")[:-1])
    name = told.get("Action", "")
    if name not in PARAMETERS or (name in HIDDEN and not game.is_hidden):
        raise Refused("format", f"no action {name!r}")
    parameters = PARAMETERS[name]
    besides = told_besides(game, name, told)
    keys = ["Action", "Player", *parameters, *besides]
    if [*told] != keys or message != subject + "\n\n" + "".join(f"{key}: {told[key]}\n" for key in keys):
        raise Refused("format", f"the trailers of {name}")
    a: Action = {"name": name, "player": value_of(game, "player", told["Player"])}
    a |= {key: value_of(game, domain, told[key]) for key, domain in parameters.items()}
    for key in besides:
        if not re.fullmatch(SPELLINGS[key], told[key], re.ASCII):
            raise Refused("format", f"{key}: {told[key]!r}")
        a[key] = int(told[key]) if key in ("Draw", "Deck", "Place") else told[key]
    if "Seal" in a:
        a["Seal"] = decode_base64(a["Seal"])
    ends = {
        "roll_dice": f" {told.get('Dice')}",
        "call": " " + re.sub(r"(?<!^)([A-Z])", r"_\1", told.get("What", "")).lower(),
    }
    if subject != f"{name} player_{a['player']}" + ends.get(name, ""):
        raise Refused("format", f"the subject {subject!r}")
    if game.rules["Chance"] == "actor" and "Shows" in a and sum(map(int, a["Shows"].split())) != a["Dice"]:
        raise Refused("format", f"{a['Shows']} are not {a['Dice']}")
    return a


def decode_base64(word: str) -> bytes:
    """The bytes that a word spells, in its one spelling."""
    try:
        data = base64.b64decode(word, validate=True)
    except ValueError:
        data = b""
    if base64.b64encode(data).decode() != word:
        raise Refused("format", f"{word[:20]!r} is not base64")
    return data


class Commit:
    """The parts of a commit object."""

    def __init__(self, data: bytes, most: int = MAX_COMMIT) -> None:
        if len(data) > most:
            raise Refused("size", f"{len(data)} bytes")
        try:
            found = COMMIT.fullmatch(data.decode())
        except UnicodeDecodeError:
            found = None
        if found is None or (found[9] or "").endswith("\n \n"):
            raise Refused("format", "not a commit of this format")
        self.tree, self.message, self.signature = found[1], found[10], found[9]
        self.parents = tuple(re.findall("[0-9a-f]{40}", found[2]))
        self.people = {(found[3], found[4]), (found[6], found[7])}
        self.signed = data.replace((found[9] or "").encode(), b"", 1)


# Signatures: PROTOCOL.sshsig of OpenSSH


def field(data: bytes) -> bytes:
    """Bytes with their number before them."""
    return struct.pack(">I", len(data)) + data


KEY_HEAD = field(b"ssh-ed25519") + struct.pack(">I", 32)


def key_bytes(word: str) -> bytes:
    """The 32 bytes of a public key, none if the word is no key."""
    try:
        blob = decode_base64(word)
    except Refused:
        return b""
    return blob[len(KEY_HEAD) :] if blob.startswith(KEY_HEAD) and len(blob) == len(KEY_HEAD) + 32 else b""


def is_signed(commit: Commit, word: str) -> bool:
    """Whether a commit has the signature of a key, in its one spelling."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    lines = (commit.signature or "").split("\n ")
    try:
        signature = decode_base64("".join(lines[1:-1]))[-64:]
    except Refused:
        return False
    space = field(b"git") + field(b"") + field(b"sha512")
    key = KEY_HEAD + key_bytes(word)
    armoured = base64.b64encode(
        b"SSHSIG\0\0\0\1" + field(key) + space + field(field(b"ssh-ed25519") + field(signature))
    ).decode()
    spelled = [armoured[i : i + 70] for i in range(0, len(armoured), 70)]
    if lines != ["gpgsig -----BEGIN SSH SIGNATURE-----", *spelled, "-----END SSH SIGNATURE-----\n"]:
        return False
    try:
        signed = b"SSHSIG" + space + field(hashlib.sha512(commit.signed).digest())
        Ed25519PublicKey.from_public_bytes(key_bytes(word)).verify(signature, signed)
    except InvalidSignature:
        return False
    return True


def check_author(game: Game, commit: Commit, player: int) -> None:
    """``Refused`` unless a player has written a commit, and signed it if they have a key."""
    _, key, name = game.seats[player - 1]
    if commit.people != {(name, f"{name}@catan-p2p.invalid")}:
        raise Refused("author", f"not by {name}")
    if commit.signature is not None if key == "-" else not is_signed(commit, key):
        raise Refused("signature", f"not signed as {name} signs")


def read_game(root: str, read: Read) -> Game:
    """The game that a root commit begins; ``Refused`` if it begins none."""
    kind, data = read(root)
    commit = Commit(data)
    number, players, nonce = (
        re.findall(rf"^{key}: (.*)$", commit.message, re.M) + [""] for key in ("Game", "Players", "Nonce")
    )
    expected = (
        f"new_game Catan_{number[0]}\n\nAction: new_game\nGame: {number[0]}\nPlayers: {players[0]}\nNonce: {nonce[0]}\n"
    )
    if commit.message != expected or natural(number[0]) >= 10**9 or commit.parents:
        raise Refused("format", "the first commit begins no game")
    files = {}
    for path in ("format", "rules", "players", "map/tiles", "map/wharfs", "map/opening"):
        at = commit.tree
        for name in path.split("/"):
            kind, data = read(at)
            entries = re.findall(rb"(\d+) ([^\0]+)\0(.{20})", data, re.S) if kind == "tree" else []
            at = {entry[1].decode(): entry[2].hex() for entry in entries}.get(name, "")
            if not at or len(data) > MAX_OBJECT:
                break
        if not at and path == "map/opening":
            continue
        kind, data = read(at) if at else ("nothing", b"")
        if kind != "blob" or len(data) > MAX_OBJECT:
            raise Refused("format", f"{path}: {kind} of {len(data)} bytes")
        try:
            files[path] = data.decode()
        except UnicodeDecodeError:
            raise Refused("format", f"{path}: no text") from None
    game = Game(files)
    if natural(players[0]) != len(game.seats):
        raise Refused("format", f"Players: {players[0]}")
    check_author(game, commit, 1)
    if commit.tree != tree_id(state_files(game, first_state(game))):
        raise Refused("tree", "not that of a new game")
    return game


def moment(game: Game, s: State, a: Action) -> vaults.Moment:
    """What sealed cards are judged by."""
    pays = lacking(s, a["player"], price(s, a))
    paid = [pays.get(kind, 0) for kind in RESOURCES]
    if a["name"] == "surrender":
        paid = [a["Cards"][kind] for kind in RESOURCES]
    sizes = {q: hand_size(s, q) for q in game.players}
    is_due = "Absent" in a and is_awaited(game, s, a["Absent"])
    resumed = copied(s)
    resume(resumed)
    caller = caller_of(resumed, s["call"][0]) if s["call"] else 0
    is_lost = "Absent" in a and loses_deck(game, s, a["Absent"])
    pool = [*game.pool("DevCardPool").values()]
    builder, tells = builder_of(resumed), tells_pieces(game, s)
    shown = shown_card(s, a)
    return vaults.Moment(s, present(game, s), paid, shown, sizes, is_due, pool, builder, caller, is_lost, tells)


# The log: docs/reference/log-format.md, "Replies", "Joint chance" and "Validity"


class Node:
    """A commit that was accepted: its parents, what it tells, and the state after it."""

    def __init__(self, id: str, parents: tuple[str, ...], a: Action, state: State) -> None:
        self.id, self.parents, self.a, self.state = id, parents, a, state
        self.player: int = a.get("player", 0)
        self.facts: dict[str, Any] = {}
        self.vault: dict[str, Any] = {}


class Log:
    """The commits of one game that were accepted, and the judgement of the next one. It judges as nobody's peer."""

    def __init__(self, root: str, game: Game) -> None:
        self.game = game
        self.head = root
        self.node = {root: Node(root, (), {"name": "new_game"}, first_state(self.game))}
        self.node[root].vault = vaults.first_vault([*game.players], game.rules["Leaving"]) if game.is_hidden else {}
        self.child: dict[str, str] = {}
        self.replies: dict[str, dict[int, str]] = {root: {}}
        self.shares: dict[str, Any] = {"draws": 0, "newest": {}, "number": {}, "apart": {}, "revealed": {}}
        self.shares |= {"turn": 1, "ahead": {}, "ahead_for": {}}

    def judge(self, id: str, data: bytes) -> Node:
        """What a commit is that can come next; ``Refused`` if it cannot. Nothing changes."""
        commit = Commit(data, self.game.most_bytes)
        if not commit.parents:
            raise Refused("game", "another root")
        a = parse(self.game, commit.message)
        check_author(self.game, commit, a["player"])
        state, facts, vault = self.action(a, commit.parents)
        if commit.tree != tree_id(state_files(self.game, state)):
            raise Refused("tree", "another than the action produces")
        node = Node(id, commit.parents, a, state)
        node.facts, node.vault = facts, vault
        return node

    def take(self, node: Node) -> None:
        """Add a commit that was judged."""
        self._tell(node)
        self.node[node.id] = node
        if node.a["name"] in REPLIES:
            self.replies[self.head][node.player] = node.id
        else:
            self.child[self.head], self.head, self.replies[node.id] = node.id, node.id, {}

    def _tell(self, node: Node) -> None:
        """Note the shares that an action tells."""
        a, name, told = node.a, node.a["name"], self.shares
        if "Share" in a:
            p = node.player
            told["number"][p] = 0 if name == "pledge" else self._told(p) + 1
            told["newest"][p], told["draws"] = a["Share"], told["draws"] + (name == "call")
            told["revealed"] = {p: a["Share"]} if name == "call" else {**told["revealed"], p: a["Share"]}
        if "Ahead" in a:
            told["ahead"][node.player] = a["Ahead"]
            told["ahead_for"][node.player] = self._roll_told(name, node.state)
        told["turn"] += {"empty_build": 1, "excuse": 64}.get(name, 0)

    # Actions of the line, and replies

    def action(self, a: Action, parents: tuple[str, ...]) -> tuple[State, dict[str, Any], dict[str, Any]]:
        """The state after an action or a reply, what it proves of sealed cards, and the vault after it."""
        game, p, head = self.game, a["player"], self.head
        is_reply, talks = a["name"] in REPLIES, self._talks(head)
        replies = [] if is_reply else sorted(self.replies[head].items())
        heard = [reply for _, reply in replies if reply in parents or not talks]
        if parents != (head, *heard):
            self._misplaced(a, parents[0])
        if is_reply and p in self.replies[head]:
            raise Refused("fork", "a second reply", self.replies[head][p])
        before = self._heard(head, heard)
        broken = broken_guards(game, before, a)
        if broken:
            raise Refused("guard", ", ".join(broken), guards=broken)
        self._check_chance(a, before)
        facts, vault = self._check_seals(a, before, parents[0], heard) if game.is_hidden else ({}, {})
        return effect(game, before, a), facts, vault

    # Sealed cards

    def _check_seals(
        self, a: Action, before: State, base: str, heard: list[str]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a commit proves of sealed cards, and the vault after it."""
        state, vault = self.node[base].state, self.node[base].vault
        for reply in (self.node[id] for id in heard):
            vault = vaults.after(moment(self.game, state, reply.a), reply.a, vault, reply.facts)
            state = effect(self.game, state, reply.a)
        now = moment(self.game, before, a)
        try:
            facts = vaults.proven(now, a, vault, (self._root(), a["player"], base))
        except vaults.Wrong as wrong:
            raise Refused("seal", str(wrong)) from None
        return facts, vaults.after(now, a, vault, facts)

    def _talks(self, base: str) -> bool:
        return self.node[base].state["tp"] in talk_phases(self.game)

    def _heard(self, base: str, replies: Iterable[str]) -> State:
        state = self.node[base].state
        for reply in replies:
            state = effect(self.game, state, self.node[reply].a)
        return state

    def _misplaced(self, a: Action, first: str) -> None:
        p, following = a["player"], self.node.get(self.child.get(first, ""))
        if a["name"] in REPLIES and following is not None:
            known = self.replies[first].get(p)
            raise Refused("overtaken" if known is None and self._talks(first) else "late", "", known)
        if following is not None and following.player == p:
            raise Refused("fork", "its player has gone on otherwise", following.id)
        raise Refused("parents", f"{a['name']} cannot be there")

    # Draws

    def _told(self, p: int) -> int:
        return max(self.shares["number"].get(p, 0), self.shares["apart"].get(p, 0))

    def _check_chance(self, a: Action, before: State) -> None:
        p, told = a["player"], self.shares
        if "Draw" in a and a["Draw"] != told["draws"] + 1:
            raise Refused("chance", f"draw {a['Draw']} after {told['draws']}")
        if "Share" in a and p in told["newest"]:
            number, share = self._told(p) + 1, a["Share"]
            for _ in range(number - told["number"][p]):
                share = sha256("catan-p2p chain 1", self._root(), p, share)
            if share != told["newest"][p]:
                raise Refused("chance", "another share than was pledged")
        if self.game.rules["ChanceAhead"]:
            self._check_ahead(a, before)
        is_thrown = before["tp"] == "Drawing" and (not self.game.is_hidden or before["call"][0] in ROLLS)
        if self.game.is_hidden and a["name"] == "reveal" and is_thrown != ("Share" in a):
            raise Refused("chance", "a share where none is due, or none where one is")
        if is_thrown and not any(before["due"].values()) and a["name"] not in ("excuse", "claim"):
            self._check_outcome(a, before)

    def _roll_told(self, name: str, s: State) -> int:
        """The roll up to which a commit tells shares ahead."""
        turn: int = self.shares["turn"]
        return {"pledge": 0, "roll_dice": turn}.get(name, turn + len(present(self.game, s)) - 1)

    def _check_ahead(self, a: Action, before: State) -> None:
        rules, p, name, told = self.game.rules, a["player"], a["name"], self.shares
        is_won = rules["WinCheck"] == "turn_end" and points(before, p) >= rules["PointsToWin"]
        is_roll = name == "roll_dice" and before["tp"] == "DiceRoll" and len(rules["Dice"]) > 1
        is_due = name == "pledge" or (name == "empty_build" and not is_won) or (is_roll and is_ahead(self.game, before))
        if is_due != ("Ahead" in a):
            raise Refused("chance", "a share ahead where none is due, or none where one is")
        if not is_due or name == "pledge":
            return
        last, share = self._roll_told(name, before), a["Ahead"]
        if self._ahead_of(p, share, last - told["ahead_for"][p]) != told["ahead"][p]:
            raise Refused("chance", "another share ahead than was pledged")
        if is_roll:
            turn = told["turn"]
            shares = {
                q: self._ahead_of(q, told["ahead"][q], told["ahead_for"][q] - turn) for q in present(self.game, before)
            }
            self._check_outcome(
                a, before | {"call": ("RollDice", "DiceRoll", 0, 0)}, ("roll", turn, shares | {p: share})
            )

    def _ahead_of(self, p: int, share: str, steps: int) -> str:
        for _ in range(steps):
            share = sha256("catan-p2p roll chain 1", self._root(), p, share)
        return share

    def _root(self) -> str:
        return next(iter(self.node))

    def _numbers(self, word: str, number: int, told: dict[int, str]) -> Iterator[int]:
        shares = [f"{p} {share}" for p, share in sorted(told.items())]
        for block in range(1_000):
            digits = sha256(f"catan-p2p {word} 1", self._root(), number, block, *shares)
            yield from (int(digits[i : i + 8], 16) for i in range(0, 64, 8))

    def _check_outcome(self, a: Action, before: State, drawn: tuple[str, int, dict[int, str]] | None = None) -> None:
        words = self._numbers(*(drawn or ("draw", self.shares["draws"], self.shares["revealed"])))

        def below(n: int) -> int:
            return next(word for word in words if word < 2**32 - 2**32 % n) % n

        what, _, to, victim = before["call"]
        if what in ("RollForStart", "RollDice"):
            one = other = 0
            while one + other not in self.game.rules["Dice"]:
                one, other = below(6) + 1, below(6) + 1
            expected = {"Dice": one + other, **({"Shows": f"{one} {other}"} if "Shows" in a else {})}
        else:
            held = before["deck"] if what == "BuyDevCard" else before["hand"][victim]
            cards = [kind for kind, n in held.items() for _ in range(n)]
            expected = {"Card": cards[below(len(cards))], **({"To": to, "Victim": victim} if to else {})}
        if expected != {key: a[key] for key in expected}:
            raise Refused("chance", f"the shares make {expected}")


def sha256(*lines: object) -> str:
    """The SHA-256 of lines, in hexadecimal digits."""
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


# Repositories


def git(path: str, *arguments: str, given: str = "") -> bytes:
    """What the program Git prints."""
    return subprocess.run(["git", "-C", path, *arguments], input=given.encode(), capture_output=True, check=True).stdout


def reader(path: str) -> Read:
    """Reads objects of a repository."""

    def read(id: str) -> tuple[str, bytes]:
        head, _, data = git(path, "cat-file", "--batch", given=id + "\n").partition(b"\n")
        kind = head.decode().split(" ")[1]
        if kind == "missing":
            raise KeyError(id)
        return kind, data[:-1]

    return read


def log_of(root: str, game: Game) -> Log:
    """The log of a game of either version."""
    if not game.has_views:
        return Log(root, game)
    from tests.referee.views import ViewsLog

    return ViewsLog(root, game)


def audit(path: str) -> tuple[int, list[tuple[str, Refused]]]:
    """How many commits the players' branches lead to, and which of them are refused, with what continues them."""
    heads = git(path, "for-each-ref", "--format=%(objectname) %(refname)").decode().splitlines()
    branch = re.compile(
        rf"[0-9a-f]{{40}} refs/(heads|remotes/\w+)/([0-9a-f]{{40}}_[a-z]+\d?_)?({'|'.join(COLOURS)})_\d+"
    )
    mine = [line[:40] for line in heads if branch.fullmatch(line)]
    ids = git(path, "rev-list", "--topo-order", "--date-order", "--reverse", *mine).decode().split() if mine else []
    roots = git(path, "rev-list", "--max-parents=0", *mine).decode().split() if mine else []
    if not roots:
        return 0, [("", Refused("branch", "no game"))]
    read, bad = reader(path), []
    try:
        log = log_of(roots[-1], read_game(roots[-1], read))
    except Refused as refused:
        return len(ids), [(roots[-1], refused)]
    stream = git(path, "cat-file", "--batch", given="\n".join(ids) + "\n")
    for id in ids:
        head, _, stream = stream.partition(b"\n")
        size = int(head.split(b" ")[2])
        data, stream = stream[:size], stream[size + 1 :]
        try:
            if id != roots[-1]:
                log.take(log.judge(id, data))
        except Refused as refused:
            bad.append((id, refused))
    return len(ids), bad


def main(paths: list[str]) -> int:
    """Audit repositories; the exit code."""
    if not paths:
        print("expected repositories", file=sys.stderr)
        return 2
    code = 0
    for path in paths:
        count, bad = audit(path)
        print(f"{path}: {count} commits, {len(bad)} refused")
        for id, refused in bad:
            print(f"  {id[:10]} {refused}" + (f" ({refused.other[:10]})" if refused.other else ""))
        code |= bool(bad)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
