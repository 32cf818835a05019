"""Explanations of what is on the screen, in a few lines each; the first is a heading."""

from collections.abc import Callable

from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.actions.roll_dice import production
from catan_p2p.game.actions.roll_for_start import OUT
from catan_p2p.game.board import THREE_TO_ONE
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, count, describe, total, unpack
from catan_p2p.game.constants import NO_OWNER, Player, Rules
from catan_p2p.game.scoring import army_size, player_points
from catan_p2p.game.state import NO_OFFER, NOTHING_HIDDEN, State, taken
from catan_p2p.sentences import listed
from catan_p2p.view.knowledge import PublicKnowledge
from catan_p2p.view.places import around, tile_name
from catan_p2p.view.words import CARD_NAMES

from ..commands import BY_NAME, spelled
from ..data.recording import GameRecording
from ..view import RecordingView, TargetId, ViewSituation
from .island.pieces import ways
from .panels.players import CARD_STATES
from .panels.timeline import speed_text
from .words import (
    branch_words,
    changed_files,
    made_by,
    phase,
    place,
    points_from,
    sentence,
    trail_of,
)

_CARD_EFFECTS = {
    "Monopoly": "Name a resource: everybody else hands over all cards of it.",
    "YearOfPlenty": "Take any two resource cards from the bank.",
    "RoadBuilding": "Build two roads without paying.",
    "Knight": "Move the bandit and take a card from somebody beside it. Knights played count as your army.",
    "VictoryPoint": "One point, unveiled as soon as it is bought.",
}
_COSTS = {"road": COST_ROAD, "village": COST_VILLAGE, "city": COST_CITY, "development card": COST_DEV_CARD}
_PLURALS = {"road": "roads", "village": "villages", "city": "cities", "development card": "development cards"}
_USES: dict[str, str] = {
    resource: listed([_PLURALS[name] for name, cost in _COSTS.items() if count(cost, resource)])
    for resource in RESOURCES
}
_STATES = {
    "bc": "bought this turn, playable from the owner's next turn on",
    "ac": "available, can be played",
    "uc": "unveiled, lies open",
}
_SETUP_RULE = "The highest roll begins; players who tie for it roll again."
_PHASE_RULES = {
    "TradingBuilding": "Trade and build in any order, until the turn ends.",
    "Pledging": "Everybody pledges their secrets, all at the same time, before anything else.",
    "Drawing": "Everybody but the caller reveals their share, all at the same time; together they make the outcome.",
    "Offering": "All who could pay answer, at the same time; then the offer is concluded with one who accepts, "
    "or withdrawn.",
    "SpecialBuilding": "Between two turns the others may build and buy in order, but not trade or play cards.",
}
_TALK_RULE = (
    "Everybody may answer or make a counter-offer; the offer is concluded with one of them, or withdrawn, at any time. "
    "What was said until then counts, what comes later does not."
)
_REPLIES = {
    "loss": "A discard",
    "answer": "An answer to the offer",
    "proposal": "A proposal to the active player",
    "pledge": "A pledge of the secrets that draws will come from",
    "chance": "A share of the draw, revealed",
    "end": "A signature under the end",
    "opening": "All cards of a player, opened",
}
_MERGED = {
    "answer": ("offer", "answer", "answers"),
    "proposal": ("turn", "proposal", "proposals"),
    "chance": ("call", "reveal", "reveals"),
    "end": ("end", "signature", "signatures"),
    "pledge": ("beginning", "pledge", "pledges"),
    "loss": ("roll", "discard", "discards"),
}
_ANSWERS = {
    "asked": "Is asked, and has not answered yet.",
    "accept": "Accepts: the trade can be made.",
    "reject": "Rejects the offer.",
    "none": "Is not asked: could not pay.",
}
assert set(_STATES) == {name for name, _ in CARD_STATES}


def card_effect(card: str, rules: Rules) -> str:
    """What a development card does."""
    if card == "VictoryPoint" and rules.hands == "hidden":
        return "One point, which nobody else sees until it is shown to win."
    return _CARD_EFFECTS[card]


class TargetExplainer:
    """Explains the targets of one view of a recording."""

    def __init__(self, recording: GameRecording, view: RecordingView, situation: ViewSituation) -> None:
        self.recording = recording
        self.view = view
        self.situation = situation
        self.step = recording.steps[view.index]
        self.state: State = self.step.state
        self.board = recording.constants.board

    def lines(self, target: TargetId) -> list[str]:
        """The explanation of a target; empty if there is nothing to say."""
        # A target ("tile", 7) is explained by ``_tile(7)``; kinds without a method have no explanation.
        kind, *values = target
        explain: Callable[..., list[str]] | None = getattr(self, f"_{kind}", None)
        return explain(*values) if explain else []

    def _name(self, player: Player) -> str:
        return self.recording.name(player)

    # The island

    def _tile(self, tile: int) -> list[str]:
        found = self.board.map.tiles[tile - 1]
        lines = [tile_name(self.board, tile).capitalize()]
        if found.resource and found.number:
            lines.append(f"Yields {found.resource} on {found.number}: {ways(found.number)} of 36 throws.")
            if tile == self.state.ba:
                lines.append("The bandit is here: it yields nothing.")
            else:
                gains = self._gains(tile)
                lines.append(f"Gains: {gains}." if gains else "Nobody has settled on it.")
        elif tile == self.state.ba:
            lines.append("The bandit is here.")
        elif found.terrain == "desert":
            lines.append("Yields nothing.")
        beside = [self.board.tile_number[near] for near in found.at.neighbours() if near in self.board.tile_number]
        lines.append("Beside: " + around(self.board, tuple(beside)) + ".")
        return lines

    def _gains(self, tile: int) -> str:
        corners = self.board.corners[tile]
        parts = []
        for player in self.recording.constants.players:
            villages = (self.state.s.villages[player - 1] & corners).bit_count()
            cities = (self.state.s.cities[player - 1] & corners).bit_count()
            if villages + cities:
                parts.append(f"{self._name(player)} {villages + 2 * cities}")
        return ", ".join(parts)

    def _point(self, point: int) -> list[str]:
        lines = [around(self.board, self.board.settlement_tiles[point]).capitalize()]
        owner = self.state.s.owner(point)
        if owner != NO_OWNER:
            kind = "city" if self.state.s.cities[owner - 1] >> point & 1 else "village"
            lines.insert(1, f"{self._name(owner)}'s {kind}.")
        elif self.board.adjacent_settlements[point] & taken(self.state.s):
            lines.insert(1, "Free, but too near to a settlement.")
        else:
            lines.insert(1, "Free.")
        for type, points in self.board.wharf_points.items():
            if points >> point & 1:
                lines.append(wharf_words(type))
        return lines

    def _road(self, road: int) -> list[str]:
        owner = next((player for player, roads in enumerate(self.state.r, 1) if roads >> road & 1), NO_OWNER)
        beside = listed([tile_name(self.board, tile) for tile in self.board.road_tiles[road]])
        return [f"Between {beside}", f"{self._name(owner)}'s road." if owner else "Free for a road."]

    def _wharf(self, index: int) -> list[str]:
        pair, type = self.board.wharf_tiles[index]
        points = [sp for sp, tiles in enumerate(self.board.settlement_tiles) if set(pair) <= set(tiles)]
        owners = {self.state.s.owner(point) for point in points} - {NO_OWNER}
        used = ", ".join(self._name(owner) for owner in sorted(owners)) or "nobody"
        return ["Wharf", wharf_words(type), f"Used by {used}."]

    # Players

    def _is_veiled(self, player: Player) -> bool:
        return player in self.recording.veiled

    @property
    def _known(self) -> PublicKnowledge:
        return self.recording.steps[self.view.index].known

    def _player(self, player: Player) -> list[str]:
        seat = self.recording.seat(player)
        hand = self.state.h[player - 1]
        cards = total(hand.bc + hand.ac + hand.uc) + self._known.unknown(player)
        held = self._known.hand(player)
        in_short = self._is_veiled(player) or not held.is_exact
        return [
            f"{seat.name}: player {player}" + (f", {seat.colour}" if seat.name != seat.colour else ""),
            f"{player_points(self.state, player)} of {self.recording.constants.rules.points_to_win} points.",
            f"{held.number} resource cards{'.' if in_short else f': {describe(held.low)}.'}",
            f"{cards} development cards.",
            f"Longest trail {trail_of(self.state, player)}, {army_size(self.state, player)} knights.",
        ]

    def _points(self, player: Player) -> list[str]:
        lines = [f"{self._name(player)}: {player_points(self.state, player)} points"]
        return lines + [f"{n} from {name}" for name, n in points_from(self.state, player).items() if n]

    def _hand(self, player: Player, name: str) -> list[str]:
        cards, hidden = self._known.hand(player), self.state.hid
        if self._is_veiled(player):
            lines = [f"{self._name(player)} holds {cards.number} resource cards"]
            if hidden is not NOTHING_HIDDEN:
                told = zip(RESOURCES, cards.kinds, strict=True)
                lines.append("As everybody can tell: " + ", ".join(f"{each} {name}" for name, each in told) + ".")
            return lines
        if not cards.is_exact:
            held_now = cards.number if name == "hand" else cards.kinds[RESOURCES.index(name)]
            sealed = 0 if hidden is NOTHING_HIDDEN else hidden.sealed[player - 1]
            return [
                f"{self._name(player)} holds {held_now} {'resource cards' if name == 'hand' else name}",
                f"{sealed} cards are sealed." if sealed else "As far as the file of this public view says.",
            ]
        held = cards.low
        if name == "hand":
            limit = self.recording.constants.rules.hand_limit
            more = [f"More than {limit}: a seven would cost half of them."] if total(held) > limit else []
            return [f"{self._name(player)} holds {total(held)} resource cards", describe(held) + ".", *more]
        number, at = count(held, name), RESOURCES.index(name)
        earlier = self.recording.steps[max(0, self.view.index - 1)].known.hand(player)
        change = cards.kinds[at].more_than(earlier.kinds[at])
        last = [f"{change:+d} in this step."] if change else []
        return [f"{self._name(player)} holds {number} {name}", f"For {_USES[name]}.", *last]

    def _card(self, player: Player, state: str, kind: str) -> list[str]:
        number = count(getattr(self.state.h[player - 1], state), kind)
        return [
            f"{CARD_NAMES[kind].capitalize()}, {number} of {self._name(player)}",
            card_effect(kind, self.state.constants.rules),
            f"Here: {_STATES[state]}.",
        ]

    def _cards(self, player: Player) -> list[str]:
        hand = self.state.h[player - 1]
        lines = [f"{self._name(player)}'s development cards"]
        if self._is_veiled(player):
            lines.append(f"hidden: {total(hand.bc + hand.ac) + self._known.unknown(player)}")
        elif unseen := self._known.unknown(player):
            lines.append(f"hidden: {unseen}")
        return lines + [
            f"{word}: {describe(getattr(hand, state), DEV_CARDS)}"
            for state, word in (CARD_STATES[2:] if self._is_veiled(player) else CARD_STATES)
            if getattr(hand, state)
        ]

    def _pieces(self, player: Player, name: str) -> list[str]:
        cards = [(n, resource) for n, resource in zip(unpack(_COSTS[name]), RESOURCES, strict=True) if n]
        cost = listed([resource if n == 1 else f"{n} {resource}" for n, resource in cards])
        left = getattr(self.state.b[player - 1], name)
        where = ", on an own village" if name == "city" else ""
        return [
            f"{self._name(player)} has {left} {name if left == 1 else _PLURALS[name]} left",
            f"A {name} costs {cost}{where}.",
        ]

    def _bonus(self, player: Player, name: str) -> list[str]:
        rules = self.recording.constants.rules
        if name == "longest_road":
            head = f"{self._name(player)}'s longest trail: {trail_of(self.state, player)}"
            holder, least = self.state.lr, f"at least {rules.longest_road_min} roads"
        else:
            head = f"{self._name(player)}'s army: {army_size(self.state, player)} unveiled knights"
            holder, least = self.state.la, f"at least {rules.largest_army_min} knights"
        who = self._name(holder) if holder else "nobody yet"
        return [head, f"Two points for the most, {least}.", f"Holds the card: {who}."]

    def _stock(self, name: str) -> list[str]:
        bank = self.state.bnk
        if name == "discards":
            return ["Played progress cards", describe(self.state.dp, DEV_CARDS) + "."]
        if name == "deck":
            return [f"{self.state.deck_size} development cards left in the bank", "Which ones is not known."]
        if name in RESOURCES:
            number = self._known.bank.kinds[RESOURCES.index(name)]
            return [f"The bank holds {number} {name}", f"For {_USES[name]}."]
        return [
            f"{count(bank.dc, name)} {CARD_NAMES[name]} left in the bank",
            card_effect(name, self.state.constants.rules),
        ]

    def _bank(self) -> list[str]:
        bank = self._known.bank
        ranges = (f"{number} {name}" for number, name in zip(bank.kinds, RESOURCES, strict=True))
        held = describe(bank.low) if bank.is_exact else ", ".join(ranges)
        return ["The bank", f"{held}.", f"{self.state.deck_size} development cards."]

    # Header

    def _dice(self) -> list[str]:
        dice = self.state.dice
        if not dice:
            return ["The dice", "Not rolled yet this turn."]
        gains = production(self.board, self.state.s, self.state.ba, dice)
        who = [f"{self._name(p)}: {describe(gain)}" for p, gain in enumerate(gains, 1) if gain]
        seven = ["Hands of more than seven cards are halved, the bandit moves."] if dice == 7 else []
        yields = (
            [f"A {dice} yields here: {'; '.join(who)}."] if who else ([] if seven else [f"A {dice} yields nothing."])
        )
        return [f"Rolled {dice} in sum", *self._shown(), *seven, *yields]

    def _shown(self) -> list[str]:
        """What each of the dice shows, and whose shares made it."""
        roll = self.recording.roll_before(self.step.index)
        faces = self.recording.faces(self.step.index)
        if roll is None or roll.draw is None or faces is None:
            return ["This game records only the sum."]
        return ["The dice show {} and {}.".format(*faces), f"{made_by(self.recording, roll.draw)}."]

    def _phase(self) -> list[str]:
        lines = [sentence(self.recording, self.step), f"Now: {phase(self.recording, self.state)}."]
        where = place(self.recording, self.step)
        if where:
            lines.append(where.capitalize() + ".")
        rule = _SETUP_RULE if self.state.sup == "Rolling" else _PHASE_RULES.get(self.state.tp)
        return [*lines, rule] if rule else lines

    def _source(self) -> list[str]:
        lines = [self.recording.title or "A game", *([self.situation.source] if self.situation.source else [])]
        if self.situation.problem:
            lines.append(self.situation.problem)
        for colour, steps in self.situation.behind:
            lines.append(f"{colour} knows all of it." if not steps else f"{colour} is {steps} behind.")
        return lines

    # The table

    def _table(self) -> list[str]:
        return ["The table", f"Now: {phase(self.recording, self.state)}."]

    def _offer(self) -> list[str]:
        give, receive = self.state.offer
        return [
            f"{self._name(self.state.ap)}'s offer",
            f"Gives {describe(give)} for {describe(receive)}.",
            _TALK_RULE if self.recording.constants.rules.table_talk else _PHASE_RULES["Offering"],
        ]

    def _answer(self, player: Player) -> list[str]:
        give, receive = self.state.offer
        answer = _ANSWERS[self.state.ans[player - 1]]
        proposed = self.state.prop[player - 1]
        if proposed != NO_OFFER:
            return [
                self._name(player),
                "Proposes to the active player, until that player goes on.",
                f"Gives {describe(proposed.give)} for {describe(proposed.receive)}.",
            ]
        return [self._name(player), answer, f"Would give {describe(receive)} for {describe(give)}."]

    def _start_roll(self, player: Player) -> list[str]:
        roll = self.state.rolls[player - 1]
        told = "Has still to roll." if not roll else "Rolled less than others." if roll == OUT else f"Rolled {roll}."
        return [self._name(player), told, _SETUP_RULE]

    def _first(self) -> list[str]:
        known = self.state.sup != "Rolling"
        return [f"{self._name(self.state.first)} began" if known else "Nobody has begun yet", _SETUP_RULE]

    def _special(self) -> list[str]:
        state = self.state
        return [
            f"{self._name(state.sb)} may build now",
            f"{self._name(state.ap)}'s turn has ended, {self._name(state.next_player(state.ap))}'s is next.",
            _PHASE_RULES["SpecialBuilding"],
        ]

    def _played(self) -> list[str]:
        limit = self.recording.constants.rules.dev_cards_per_turn
        return [
            f"{self.state.pd} of {limit} development card{'' if limit == 1 else 's'} played this turn",
            "That many may be played in a turn, also before the dice, but none that was bought in it.",
        ]

    # Log and time

    def _row(self, row: int) -> list[str]:
        step = self.recording.steps[row]
        heads = [f"{name} ends here." for name in self.recording.heads_at(step.commit)]
        return [
            sentence(self.recording, step),
            f"Commit {step.commit[:20]} on {branch_words(step.branch, 10)}.",
            *heads,
        ]

    def _refused(self, number: int) -> list[str]:
        refused = self.situation.refused[number]
        where = f"It stands on {branch_words(refused.branch, 10)} and is no part of the game."
        return [f"Commit {refused.commit}", f"Refused ({refused.reason}): {refused.detail}", where]

    def _goto(self, text: str) -> list[str]:
        return [f"To the next {'seven' if text == 'seven' else f'step of {text}'}"]

    def _scroll(self) -> list[str]:
        return ["Scroll the log", "Click here, or turn the wheel over the log."]

    def _parent(self, row: int) -> list[str]:
        return ["Parent: click to go there", sentence(self.recording, self.recording.steps[row])]

    def _commit(self, index: int) -> list[str]:
        step = self.recording.steps[index]
        lines = [f"Commit {step.commit}", f"On branch {branch_words(step.branch, 10)}."]
        if step.reply_kind is not None:
            what = _REPLIES[step.reply_kind]
            lines.append(f"{what}: beside those of the others.")
        others = [self.recording.row_of.get(parent) for parent in step.parents[1:]]
        merged = [self.recording.steps[row] for row in others if row is not None]
        # With views a commit also links to its player's previous one, and to what a change of the view made.
        merged = [one for one in merged if one.is_reply and one.parents[0] == step.parents[0]]
        if merged:
            kinds = {one.reply_kind for one in merged}
            base, one, many = next((_MERGED[kind] for kind in _MERGED if kind in kinds), _MERGED["loss"])
            lines.append(f"A merge: it joins the {base} and {len(merged)} {one if len(merged) == 1 else many}.")
        return lines

    def _file(self, number: int) -> list[str]:
        files = changed_files(self.recording, self.view.index)
        if not number < len(files):
            return []
        change = files[number]
        lines = [change.path]
        for old, new in list(zip(change.removed, change.added, strict=True))[:6]:
            lines += [f"-  {old}"] * bool(old) + [f"+ {new}"] * bool(new)
        return lines

    def _lane(self, player: Player) -> list[str]:
        branch = f"{self.recording.colour(player)}_{self.recording.number}"
        head = self.recording.heads.get(branch)
        return [
            f"Lane of {branch}",
            "Only this player ever moves the branch.",
            *([f"It ends at {head[:10]}."] if head else []),
        ]

    def _replies(self) -> list[str]:
        lines = [
            "Lanes of the replies",
            "After a seven each large hand is halved on a branch of its own, all at the same time; "
            "the move of the bandit merges them.",
        ]
        if self.recording.constants.rules.domestic_trade:
            lines.append("Answers to an offer are on such branches, too; the trade, or the withdrawal, merges them.")
        return lines

    def _timeline(self, index: int | None = None) -> list[str]:
        if index is None:
            return [
                "Timeline",
                "Points of all players over the turns; what the marks below mean stands above. Drag to move.",
            ]
        step = self.recording.steps[index]
        scores = ", ".join(
            f"{seat.name} {points}"
            for seat, points in zip(self.recording.seats, self.recording.points[index], strict=True)
        )
        return [f"Step {index}: {sentence(self.recording, step)}", scores]

    def _button(self, name: str) -> list[str]:
        words = BY_NAME[name]
        lines = [words.words.capitalize(), "Keys: " + ", ".join(words.keys)]
        if name == "follow" and not self.situation.following:
            lines.append("Start with --follow to watch a running game.")
        return lines

    def _speed(self) -> list[str]:
        return [f"Speed: {speed_text(self.view.speed)}", "Actions a second.", spelled("faster"), spelled("slower")]

    def _tab(self, name: str) -> list[str]:
        return ["Players and bank" if name == "players" else "Commits", "Key: " + BY_NAME["tab"].keys[0]]


def wharf_words(type: str) -> str:
    """What a wharf trades."""
    return "Any three of a kind for one." if type == THREE_TO_ONE else f"Two {type} for one of anything."
