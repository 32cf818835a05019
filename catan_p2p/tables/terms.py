"""The terms of a game in words, for those who join: rules, map, root id, and keys."""

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from catan_p2p import durations
from catan_p2p.game.board import BEGINNERS_MAP_NAME, DEFAULT_MAP, DEFAULT_MAP_NAME, DRAWN_MAPS, Map, draw_map
from catan_p2p.game.constants import PROFILES, Rules, profile
from catan_p2p.game.playable import constant_name, deviations
from catan_p2p.log.commit import decode_commit, trailers_of
from catan_p2p.log.game import GameDefinition, format_rules
from catan_p2p.log.keys import public_key_blob
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.sentences import listed
from catan_p2p.tables.map_nonce import is_made_by
from catan_p2p.tables.setup import PATIENCE_S, strength_of


@dataclass(frozen=True, slots=True)
class ExpectedTerms:
    """What a player who joins expects of the game; None expects nothing."""

    rules: str | None = None
    """The name of a profile."""
    map: str | None = None
    """The name of a map, or the text of a map file."""
    again: bool = True
    """Whether a seat that has already played may be taken, in a game without keys."""
    root: ObjectId | None = None
    """The root commit of the game."""


_ALL_DRAW = "all draw together"
_AHEAD = "rolls come at once, and two neighbours who collude could foresee one"
_HIDDEN = "nobody sees another's hand"
_GO_ON = "the others may go on without a player who is silent"


def declined(words: str) -> list[str]:
    """What a table gives up if its terms lack the default agreements, a line each."""
    said = words.split("; ")
    lines = [] if _ALL_DRAW in said else ["each player draws alone, so a changed program can choose what it draws"]
    lines += [] if _HIDDEN in said else ["hands are open: anyone who reads the log sees all cards"]
    if not any(part.startswith(_GO_ON) for part in said):
        lines.append("nobody can go on without a player who is gone")
    return lines


def computers_in_words(
    computers: Mapping[str, str], colours: Sequence[str], rules: Rules, name: str | None = None
) -> list[str]:
    """Which seats computers play, and what the others must trust the host with; a text each, none without computers.

    ``colours`` are in the order of seats, and ``name`` is what the host is called.
    """
    if not computers:
        return []
    host = name or colours[0]
    who = listed([f"{colour} ({strength_of(policy)})" for colour, policy in computers.items()])
    is_one, together = len(computers) == 1, {colours[0], *computers}
    they, play = ("the computer player", "plays") if is_one else ("the computer players", "play")
    told = [f"{who} {'is a computer player' if is_one else 'are computer players'} on {host}'s machine"]
    told.append(f"{they} {play} only while {host} does: the game waits while that machine is away")
    if rules.hands == "hidden":
        told.append(f"{host}'s machine knows the cards of {they}, so {host} could look at them")
    if rules.chance == "joint":
        around = zip(colours, [*colours[1:], colours[0]], strict=True)
        foresee = rules.chance_ahead and len(colours) > 2 and any({*pair} <= together for pair in around)
        but = "and could foresee a roll but not choose it" if foresee else "which cannot choose a result alone"
        told.append(f"when all draw together, {host} and {they} count as one party, {but}")
    if rules.leaving and len(together) == len(colours) - 1:
        opens = "open the development cards of the only other person, and " if rules.hands == "hidden" else ""
        told.append(f"{host}'s machine could {opens}go on without the only other person at any time")
    return told


def nearest_profile(rules: Rules, players: int) -> str:
    """The profile with the fewest deviations from the rules."""
    return min(PROFILES, key=lambda name: len(deviations(rules, profile(name, players))))


def rules_in_words(game: GameDefinition) -> str:
    """Such as ``standard rules; all draw together`` or ``thesis rules but PointsToWin = 5``."""
    rules, players = game.constants.rules, game.constants.player_count
    # The agreements of a table are said separately, so they must not count as deviations.
    by_the_book = replace(rules.drawn_by_actors, leaving=False, patience=0, offers_per_turn=0, proposals_per_turn=0)
    by_the_book = replace(by_the_book, returns=0, hands="open", signed_end=False, offers_to_one=False)
    if by_the_book.start_order == "dice_then_seat":
        by_the_book = replace(by_the_book, start_order="dice")
    name = nearest_profile(by_the_book, players)
    changed = _changes(by_the_book, profile(name, players))
    return "; ".join([f"{name} rules" + f" but {changed}" * bool(changed), *_agreements(rules)])


def _agreements(rules: Rules) -> list[str]:
    """What a table has agreed on besides the rules of the game."""
    words = [_ALL_DRAW] if rules.chance == "joint" else []
    words += [_AHEAD] * rules.chance_ahead
    words += [_HIDDEN] if rules.hands == "hidden" else []
    if rules.leaving:
        words.append(f"{_GO_ON} for {durations.agreed(rules.patience)}" if rules.patience else _GO_ON)
    words += [f"whoever was left out may come back, up to {rules.returns} times"] * (rules.returns > 0)
    words += ["an offer may be to one player alone"] * rules.offers_to_one
    counts = (("offers", rules.offers_per_turn), ("proposals", rules.proposals_per_turn))
    bounds = [f"{count} {what}" for what, count in counts if count]
    words += [f"at most {' and '.join(bounds)} a turn"] * bool(bounds)
    ties = ["if all who roll for the start tie, the first of them begins"]
    return words + ties * (rules.start_order == "dice_then_seat")


def _changes(rules: Rules, expected: Rules) -> str:
    """The lines of the rules that differ from the expected ones; empty if none does."""
    changed = {constant_name(field) for field in deviations(rules, expected)}
    if not changed:
        return ""
    # A constant that is as in the thesis may have no line of its own.
    lines = {line.partition(" = ")[0]: line for line in format_rules(rules).splitlines()}
    unsaid = {
        "OfferMax": "OfferMax = 0",
        "SpecialBuilding": "SpecialBuilding = no",
        "StartOrder": "StartOrder = seat",
        "TableTalk": "TableTalk = no",
    }
    return ", ".join(lines.get(name) or unsaid[name] for name in sorted(changed))


def map_in_words(game: GameDefinition) -> str:
    """The name of a known map; for a drawn one or one from a file, its size and a digest to compare."""
    constants = game.constants
    if constants.board.map == DEFAULT_MAP:
        return f"map {BEGINNERS_MAP_NAME if constants.opening else DEFAULT_MAP_NAME}"
    text = "".join(f"{tile.at}{tile.terrain}{tile.number}\n" for tile in constants.board.map.tiles)
    text += "".join(f"{wharf}\n" for wharf in constants.board.map.wharfs)
    digest = hashlib.sha256(text.encode()).hexdigest()[:10]
    kinds = [name for name in DRAWN_MAPS if _is_of_kind(constants.board.map, name)]
    return f"map {' or '.join(kinds) or 'of its own'}, {len(constants.board.land)} land tiles, {digest}"


def _is_of_kind(map: Map, name: str) -> bool:
    """Whether a map has the same places and terrains as a drawn map of this name."""
    other = draw_map(name, Random(0))
    places, others = ({tile.at for tile in one.tiles if tile.is_land} for one in (map, other))
    return places == others and Counter(t.terrain for t in map.tiles) == Counter(t.terrain for t in other.tiles)


def fingerprint(key: str) -> str:
    """The fingerprint of a public key, as ``ssh-keygen -l`` prints it."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(public_key_blob(key)).digest()).decode().rstrip("=")


def terms(game: GameDefinition, root: ObjectId) -> list[str]:
    """What all players should find to be the same, a line each."""
    lines = [f"{rules_in_words(game)}; {map_in_words(game)}", f"game {root}"]
    for seat, name in zip(game.seats, game.names, strict=True):
        who = seat.colour if name == seat.colour else f"{seat.colour}, {name}"
        lines.append(f"{who}: {'no key' if seat.key is None else fingerprint(seat.key)}")
    if any(seat.key is not None for seat in game.seats):  # without keys it is a game of one's own programs
        lines += declined(rules_in_words(game))
    return lines


def map_choice(path: Path, game: GameDefinition, root: ObjectId) -> list[str]:
    """A line that says who chose the map of the game at ``path``; none for a map that is not drawn."""
    map = game.constants.board.map
    if map == DEFAULT_MAP or not any(_is_of_kind(map, name) for name in DRAWN_MAPS):
        return []
    with GitStore.open(path, writer=None) as store:
        nonce = trailers_of(decode_commit(store.read(root)[1]).message)["Nonce"]
    by = "all together, at the table" if is_made_by(map, nonce) else f"{game.seats[0].colour}, who began the game"
    return [f"the map is the choice of {by}"]


def check_expected(game: GameDefinition, player: int, plays: bool, expected: ExpectedTerms, where: str) -> None:
    """Raise ``StoreError`` if the game is not the expected one; ``plays`` says whether the player has acted in it."""
    constants = game.constants
    if expected.rules is not None:
        # What no profile has and every table of people offers makes no difference: bounds, and what keeps it fair.
        wanted = replace(
            profile(expected.rules, constants.player_count),
            offers_per_turn=constants.rules.offers_per_turn,
            proposals_per_turn=constants.rules.proposals_per_turn,
            chance=constants.rules.chance,
        )
        if constants.rules.leaving:
            wanted = replace(wanted, leaving=True, patience=PATIENCE_S, returns=constants.rules.returns)
        if wanted.start_order == "dice" and constants.rules.start_order == "dice_then_seat":
            wanted = replace(wanted, start_order="dice_then_seat")
        if changed := _changes(constants.rules, wanted):
            raise StoreError(f"{where}: not the {expected.rules} rules: the game has {changed}")
    if expected.map is not None and not _is_expected_map(game, expected.map):
        name = "not the map of the file" if "\n" in expected.map else f"not the map {expected.map}"
        raise StoreError(f"{where}: {name}: {map_in_words(game)}")
    if plays and not expected.again and game.seats[player - 1].key is None:
        raise StoreError(
            f"{where}: {game.seats[player - 1].colour} already plays, and without keys nobody can tell who that is; "
            "add --again to take the seat from the player who has it"
        )


def _is_expected_map(game: GameDefinition, wanted: str) -> bool:
    constants = game.constants
    if wanted in (DEFAULT_MAP_NAME, BEGINNERS_MAP_NAME):
        is_beginners = wanted == BEGINNERS_MAP_NAME
        return constants.board.map == DEFAULT_MAP and bool(constants.opening) == is_beginners
    if wanted in DRAWN_MAPS:
        return _is_of_kind(constants.board.map, wanted)
    return constants.board.map == draw_map(wanted, Random(0)) and not constants.opening


def terms_of(game: GameDefinition, drawn: str | None = None) -> str:
    """Rules and map of a game in words; ``drawn`` is the name of a map that all players will draw together."""
    return f"{rules_in_words(game)}; {map_in_words(game) if drawn is None else f'map {drawn}, drawn by all together'}"
