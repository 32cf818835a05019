"""Numbers and lists of README and docs that the code has: each is written here from the code, and must stand there.

A new one is a line in ``FACTS``: a page, and the words as the page has them, made from the code's own value. Tables
that a test of the same room holds (limits of the log, actions and guards, maps, reasons) are left to those.
"""

import argparse
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

import pytest

import catan_p2p
from catan_p2p import limits
from catan_p2p.cli import simulate, turn, values
from catan_p2p.cli.main import make_parser
from catan_p2p.env import CatanEnv
from catan_p2p.env import table as env_table
from catan_p2p.env.action_space import ACTION_COUNT, BLOCKS, SEATS
from catan_p2p.env.observing import OBSERVATION_SIZE, SLICES
from catan_p2p.game import chance, playable, secret_streams
from catan_p2p.game.board import MAPS, MAX_TILES, map_file
from catan_p2p.game.constants import PROFILES, profile
from catan_p2p.game.flat import action_of, fastest, places
from catan_p2p.game.invariants import INVARIANTS
from catan_p2p.lmu import (
    client_player,
    framing,
    hosting,
    server,
    server_connection,
    session,
    stand_in,
    table,
)
from catan_p2p.lmu.client import ClientSettings
from catan_p2p.lmu.codec import MAX_TEXT
from catan_p2p.lmu.objects import MAX_NAME
from catan_p2p.log.game import FORMAT, FORMAT_OF_VIEWS
from catan_p2p.log.storage import writer
from catan_p2p.log.storage.git_program import LEAST_VERSION
from catan_p2p.log.transport import pacing, push_locks, shared_repository
from catan_p2p.log.transport.git_protocol import DEFAULT_PORT
from catan_p2p.notation import FORMATS, WRITABLE
from catan_p2p.notation.writing import ENDINGS
from catan_p2p.players import foreign
from catan_p2p.players.policies import POLICIES, check_policy
from catan_p2p.players.strategist import weights
from catan_p2p.replication import play, replica, turn_clock
from catan_p2p.sealing.hands import MAX_SEALED_CARDS
from catan_p2p.simulation.laboratory import faults, lies, presets
from catan_p2p.simulation.run import SimulationSettings
from catan_p2p.tables import setup
from catan_p2p.view import card_memory
from tests.docs.session import ROOT
from visualizer.pages.steps import MAX_STEPS
from visualizer.pictures.layout import SMALLEST

pytestmark = pytest.mark.needs("env")

WORDS = {
    2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten", 12: "twelve",
    14: "fourteen", 16: "sixteen", 20: "twenty", 1000: "a thousand",
}  # fmt: skip
KIB, MIB = 1 << 10, 1 << 20


def code(names: Iterable[str]) -> str:
    """Names as a page lists them: ``a``, ``b``."""
    return ", ".join(f"`{name}`" for name in names)


THESIS, BRIEF, STANDARD = (profile(name, 4) for name in ("thesis", "brief", "standard"))
LOW, HIGH = zip(*playable.RANGES.values(), strict=True)
RANGE = {playable.constant_name(name): f"{low:,} to {high:,}" for name, (low, high) in playable.RANGES.items()}
ENV, LIBRARY, PLAYERS = "docs/guides/environment.md", "docs/guides/library.md", "docs/guides/players.md"
LMU, PEERS, NETWORK, MAPS_PAGE = (f"docs/guides/{name}.md" for name in ("lmu", "peers", "network", "maps"))
MODEL, LOG_FORMAT, NOTATION = (f"docs/reference/{name}.md" for name in ("model", "log-format", "notation"))
CHANCE, REQUIREMENTS = "docs/how-it-works/chance.md", "docs/reference/requirements.md"
SERVER, CLIENT = hosting.ServerSettings(), ClientSettings("", "")

FACTS: list[tuple[str, str]] = [
    (ENV, f"the numbers 0 to {ACTION_COUNT - 1}, the same"),
    (ENV, f"Observations** are {OBSERVATION_SIZE:,} numbers from 0 to {CatanEnv().observation_space.high.max():.0f}"),
    (ENV, f"has the parts by name ({code(SLICES)})"),
    (ENV, f"lists the kinds ({code(block.name for block in BLOCKS[3:6])}, ...)"),
    (ENV, f"at most {WORDS[env_table.OFFERS_PER_TURN]} a turn; larger ones"),
    (ENV, f"A game of more than `max_turns` turns ({CatanEnv().table.max_turns}) is truncated"),
    (ENV, f"every map and two to {WORDS[SEATS]} players"),
    (ENV, f"agents `player_1` to `player_{SEATS}`"),
    (LIBRARY, f"maps of more than {places.MOST - 2} points"),
    (PLAYERS, f"The program has {WORDS[len(POLICIES)]}:"),
    (PLAYERS, f"within {weights.MOST_POSITIONS:,} positions"),
    (PLAYERS, f"up to {card_memory.MOST_COMBINATIONS} possible combinations of hands"),
    (PLAYERS, f"more than {WORDS[int(foreign.LIMIT_S)]} seconds ({WORDS[int(foreign.START_S / 60)]} minutes to start)"),
    (PLAYERS, f"{places.INPUTS} numbers of a seat"),
    (PLAYERS, f"The {places.WEIGHTS:,} weights are"),
    (LMU, f"| an object | {framing.MAX_OBJECT_CHARS:,} characters, {framing.MAX_DEPTH} levels |"),
    (LMU, f"| messages | {SERVER.messages_per_s:.0f} a second;"),
    (LMU, f"| chat | {MAX_TEXT:,} characters, {SERVER.chats_per_s:.0f} a second |"),
    (LMU, f"| names | {MAX_NAME} characters |"),
    (LMU, f"| unread output | {server_connection.MAX_BACKLOG_BYTES // MIB} MiB, then"),
    (LMU, f"| time for `Hallo` | {SERVER.hello_s:.0f} s |"),
    (LMU, f"at most {session.MAX_OFFERS} times a turn; offers stand side by side"),
    (LMU, f"after {table.MAX_REFUSED} in a row the client is disconnected"),
    (LMU, f"After {WORDS[stand_in.MAX_TIMEOUTS]} times in a row the computer plays the seat"),
    (LMU, f"and {server.MAX_INTRODUCTIONS} end the connection"),
    (LMU, f"lose the last {WORDS[int(table.LAG_S)]} seconds of each game"),
    (LMU, f"A game that waits {WORDS[int(hosting.HANGS_S)]} seconds for the disk"),
    (LMU, f"sends it again after {WORDS[int(ClientSettings('', '').again_s)]} seconds"),
    (LMU, f"After {WORDS[client_player.MAX_PAUSES]} pauses without success"),
    (PEERS, f"one line of at most {limits.MAX_LETTERS} characters"),
    (PEERS, f"The others accept {WORDS[limits.MAX_A_MINUTE]} a minute and {WORDS[limits.MAX_MESSAGES]} a game"),
    (PEERS, f"a quarantine of at most {limits.MAX_QUARANTINED_BYTES // MIB} MiB and a minute"),
    (PEERS, f"{limits.MAX_EVIDENCE_COMMITS} commits and {limits.MAX_REFUSAL_LINES} lines for each player"),
    (PEERS, f"the default is {WORDS[setup.PATIENCE_S // 60]} minutes"),
    (PEERS, f"| {WORDS[turn_clock.TURN_PATIENCES]} patiences |"),
    (PEERS, f"after {WORDS[int(replica.ANSWER_S)]} seconds once more than half have"),
    (PEERS, f"a peer lists the refs every {shared_repository.KEPT_LEAST_S * 1000:.0f} ms"),
    (PEERS, f"found something new, at most {WORDS[int(shared_repository.MOST_S)]} seconds"),
    (PEERS, f"Packs have at most {limits.MAX_FETCHED_PACK_BYTES // MIB} MiB."),
    (PEERS, f"--listen 0.0.0.0:{DEFAULT_PORT}"),
    (PEERS, f"after {WORDS[int(push_locks.LOCK_S / 60)]} minutes a lock that may belong to another copy of the seat"),
    (PEERS, f"and {WORDS[int(play._LEAST_LOOKS)]} times as long as a recent poll"),
    (PEERS, f"takes at most one patience for each action and {WORDS[turn_clock.TURN_PATIENCES]} for a whole turn"),
    ("docs/how-it-works/reliability.md", f"At {writer.CHECKPOINT_BYTES // KIB} KiB, and when the store is closed"),
    ("docs/how-it-works/reliability.md", f"down to once in {pacing._RETRY_ENDED_S:.0f} seconds"),
    ("docs/guides/viewer.md", f"branches are copied, at most {limits.MAX_WRITTEN_FILE_BYTES // MIB} MiB"),
    ("docs/guides/viewer.md", f"`page` refuses more than {MAX_STEPS:,} steps"),
    ("docs/guides/viewer.md", f"in the smallest window, {SMALLEST[0]} by {SMALLEST[1]}"),
    (MAPS_PAGE, f"at most {MAX_TILES} tiles and {map_file.MAX_MAP_FILE_BYTES // KIB} KiB"),
    (MAPS_PAGE, f"Without `--seed`, {secret_streams.SECRET_BITS} random"),
    (NETWORK, f"shows one of {WORDS[len(lies.LIES)]} lies"),
    (NETWORK, f"The last {WORDS[len(faults.KINDS) - len(faults.USUAL)]} kinds happen only where"),
    (CHANCE, f"the end of a chain of {chance.CHAIN_LENGTH:,} SHA-256 hashes"),
    (CHANCE, f"A chain has {chance.CHAIN_LENGTH:,} draws"),
    (CHANCE, f"a pledge contains {8 * chance.NONCE_BYTES} random bits"),
    (LOG_FORMAT, f"The file `format` of every tree contains the version: {FORMAT_OF_VIEWS} where players may leave"),
    (LOG_FORMAT, f"and {FORMAT} everywhere else."),
    (LOG_FORMAT, f"This program has chains of {chance.CHAIN_LENGTH:,} shares"),
    ("docs/how-it-works/sealing.md", f"A hand has at most {MAX_SEALED_CARDS} sealed cards, a deck at most 64"),
    (MODEL, f"`HandLimit` | {RANGE['PointsToWin']}, {RANGE['HandLimit']} |"),
    (MODEL, f"`LargestArmyMin` | {RANGE['LongestRoadMin']}, {RANGE['LargestArmyMin']} |"),
    (MODEL, f"`Cities` | {RANGE['Roads']}, {RANGE['Villages']}, {RANGE['Cities']} |"),
    (
        MODEL,
        f"`RoadBuildingNeeds` | {RANGE['DevCardsPerTurn']}, {RANGE['RoadBuildingNeeds'].replace(' to ', ' or ')} |",
    ),
    (MODEL, f"`ProposalsPerTurn` | {RANGE['OfferMax']}; {RANGE['OffersPerTurn']} |"),
    (MODEL, f"`Patience` | {RANGE['Patience']} seconds"),
    (MODEL, f"`DevCardPool` | at most {playable.MAX_POOL} cards each"),
    (MODEL, f"offers of at most {WORDS[BRIEF.offer_max]} cards"),
    (MODEL, f"| {THESIS.points_to_win}, {THESIS.hand_limit}, {THESIS.longest_road_min}, {THESIS.largest_army_min} |"),
    (MODEL, f"| {THESIS.roads} roads, {THESIS.villages} villages, {THESIS.cities} cities; 2..12 |"),
    (MODEL, f"There are {WORDS[len(PROFILES)]} profiles"),
    (MODEL, f"have {setup.OFFERS_A_TURN} of each unless the rules say otherwise"),
    (NOTATION, f"of at most {limits.MAX_GAME_FILE_BYTES // MIB} MiB"),
    (REQUIREMENTS, f"| Git | {'.'.join(map(str, LEAST_VERSION))} (checked"),
    ("README.md", f"with Git {'.'.join(map(str, LEAST_VERSION))} and Python"),
    ("spec/README.md", f"checks all {WORDS[len(INVARIANTS)]} invariants"),
    ("docs/guides/tables.md", f"| {turn.NOT_AWAITED} | neither |"),
    (
        "docs/guides/tables.md",
        f"| {turn.OVER} | the game is over, and everybody has signed its end and opened the cards |",
    ),
    ("docs/guides/tables.md", f"silent for {WORDS[setup.PATIENCE_S // 60]} minutes"),
]


def text_of(page: str) -> str:
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


@pytest.mark.parametrize(("page", "words"), FACTS, ids=[f"{page}-{words[:40]}" for page, words in FACTS])
def test_what_a_page_says_is_what_the_code_has(page: str, words: str) -> None:
    assert words in text_of(page), "the page says something else"


def first_column(page: str, head: str) -> list[str]:
    """The names in the first column of the table that begins with a row."""
    rows = (ROOT / page).read_text(encoding="utf-8").partition(f"\n{head}\n")[2].splitlines()[1:]
    cells = []
    for row in rows:
        if not row.startswith("|"):
            break
        cells += re.findall(r"`([^`]+)`", row.split("|")[1])
    return cells


def names_of(cells: list[str]) -> list[str]:
    return [re.split(r"[(:]", cell)[0] for cell in cells]


def test_the_table_of_profiles_has_every_rule_that_differs_with_its_values() -> None:
    """Values are written as in the specification; what a cell says besides is for people."""
    rows = (ROOT / MODEL).read_text(encoding="utf-8").partition("| constant | thesis | standard |")[2].splitlines()[2:]
    told = {}
    for row in rows[: rows.index("")]:
        names, thesis, standard, _ = (cell.strip() for cell in row.strip("|").split(" | "))
        told |= dict.fromkeys(re.findall(r"`(\w+)`", names), (thesis, standard))
    pools = {"RCP": "resource_pool", "DCP": "dev_card_pool"}
    fields = {pools.get(name) or re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(): name for name in told}
    profiles = [asdict(rules) for rules in (THESIS, BRIEF, STANDARD, profile("standard", 6))]
    differing = {field for field in profiles[0] if any(rules[field] != profiles[0][field] for rules in profiles)}
    assert {*fields} == differing
    for field, name in fields.items():
        if field in pools.values():
            continue
        for said, rules in zip(told[name], (THESIS, STANDARD), strict=True):
            expected = _as_in_specification(getattr(profile("standard", 6) if "TRUE for 5" in said else rules, field))
            assert said.strip("`").startswith(expected), f"{name}: the page says {said}, the code has {expected}"


def _as_in_specification(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    return f'"{value}"' if isinstance(value, str) else str(value)


def test_the_page_of_notations_names_all_that_can_be_written_and_read() -> None:
    called = {
        "catan": ".catan",
        "sgn": "SGN",
        "catanatron": "catanatron",
        "colonist": "colonist.io",
        "soclog": "JSettlers",
    }
    written, read = (
        text_of(NOTATION).partition("`export` writes ")[2].split(" `import` reads and checks these, and the ")
    )
    assert {*called} == {*FORMATS}
    read = read.partition(". `stats`")[0]
    assert {format for format, name in called.items() if name in written} == {*WRITABLE}
    assert {format for format, name in called.items() if name in read} == {*FORMATS} - {*WRITABLE}


def test_tables_list_what_the_code_has() -> None:
    assert names_of(first_column(PLAYERS, "| name | what it does |"))[: len(POLICIES)] == [*POLICIES]
    assert first_column(MAPS_PAGE, "| name | land tiles | what it is |") == [*MAPS]
    assert first_column(NETWORK, "| name | round trip between two players | source |") == [*presets.PRESETS]
    assert first_column(NETWORK, "| kind | what |") == [*faults.KINDS]
    library = names_of(first_column(LIBRARY, "| name | what it is |"))
    assert {name for name in library if "." not in name} == {*catan_p2p.__all__} - {"__version__"}


def test_the_flat_core_lists_moves_as_its_page_says() -> None:
    """In the order of ``legal_actions``, where one offer, and one proposal, stands for all."""
    for rules in PROFILES:
        for step in catan_p2p.play(players=3, rules=rules, seed=3):
            for player in catan_p2p.to_move(step.before):
                flat = fastest().flat_of(step.before)
                moves = [type(action_of(flat.move(i))).__name__ for i in range(flat.list_moves(player))]
                kinds = [_kind(choice) for choice in catan_p2p.legal_actions(step.before, player)]
                offers = ("OfferTrade", "ProposeTrade")
                assert moves == [kind for i, kind in enumerate(kinds) if kind not in offers or kind not in kinds[:i]]


def _kind(choice: catan_p2p.actions.Action | catan_p2p.Undrawn) -> str:
    return choice.kind.__name__ if isinstance(choice, catan_p2p.Undrawn) else type(choice).__name__


def test_the_names_of_policies_in_helps_are_those_that_there_are() -> None:
    names, installed, own = values.POLICY_NAMES.rpartition(", another installed one, or ")
    assert installed and own == "module:Class"
    assert [name for name in names.split(", ") if ":" not in name] == [*POLICIES]
    assert [check_policy(name) for name in names.split(", ")] == names.split(", ")


def options(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Every option of every verb, and of the verbs of verbs."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in {id(verb): verb for verb in action.choices.values()}.values():
                yield from options(verb)
        elif action.option_strings:
            yield f"{parser.prog} {action.option_strings[-1]}", action


def _same(said: str, default: Any) -> bool:
    if isinstance(default, bool) or not isinstance(default, int | float):
        return said == str(default)
    unit = {"s": 1, "m": 60, "h": 3600}.get(said[-1])
    return float(said[:-1] if unit else said) * (unit or 1) == default


def test_the_defaults_in_helps_are_the_defaults() -> None:
    checked = 0
    for name, action in options(make_parser()):
        for said in re.findall(r"\(default: ([^);,]+)", action.help or ""):
            if action.default not in (None, argparse.SUPPRESS, []):
                assert _same(said, action.default), f"{name}: the help says {said}, the default is {action.default}"
                checked += 1
    assert checked > 25


def test_every_ending_of_a_format_is_named_where_games_are_saved() -> None:
    paragraph = text_of(LIBRARY).partition("`save` writes ")[2].partition(".\u0020")[0]
    assert re.findall(r"`(\.\w+)`", paragraph) == [*ENDINGS]


def test_the_defaults_in_the_help_of_simulate_are_those_of_its_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are no defaults of its options, for a run that is resumed takes none."""
    begun: list[SimulationSettings] = []
    monkeypatch.setattr(simulate, "begin_run", lambda out, settings: begun.append(settings))
    parser = make_parser(["simulate"])
    simulate._open(parser.parse_args(["simulate"]))
    found = asdict(begun[0]) | {"policy": ",".join(begun[0].policies)}
    helps = {action.dest: action.help for name, action in options(parser) if name.startswith("catan-p2p simulate ")}
    said = {
        dest: match[1]
        for dest, text in helps.items()
        if dest in found and (match := re.search(r"\(default: ([^);]+)", text or ""))
    }
    said.pop("seed")
    assert {*said} >= {"players", "games", "policy", "rules", "map", "schedule", "topology", "transport", "network"}
    assert said == {dest: str(found[dest]) for dest in said}
