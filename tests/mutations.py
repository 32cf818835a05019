"""Mistakes that somebody could make in the engine, each with the test that must notice it.

The guards' deletions follow from the source: every ``condition or "TAG word"`` becomes ``True``. Everything else is the
table ``MUTATIONS``. tests/test_mutations.py makes them, one at a time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[1] / "catan_p2p"

EFFECT = "actions/test_effects.py::test_effect"
SHARED = "actions/test_effects.py::test_everything_else_is_the_very_same"
GUARD = "actions/test_guards.py::test_guard_refuses"
AGREEMENT = "actions/test_instances.py::test_listed_is_what_no_guard_refuses[{}]"
DECISIONS = "actions/test_instances.py::test_one_representative_for_each_decision[{}]"


class Mutation(NamedTuple):
    """One piece of source text replaced by another."""

    what: str
    """What the program then does, in the words of the game."""
    file: str
    """Below ``catan_p2p``."""
    old: str
    """Must be there exactly once."""
    new: str
    test: str
    """Below ``tests``: file and function of a test that must fail, with the parameter if only one is meant."""

    @property
    def module(self) -> str:
        """The dotted name of the file."""
        return f"catan_p2p.{self.file.removesuffix('.py').replace('/', '.')}".removesuffix(".__init__")

    @property
    def source(self) -> str:
        """The source with the mistake."""
        text = (PACKAGE / self.file).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file}: {self.old!r} is there {text.count(self.old)} times, expected once")
        return text.replace(self.old, self.new)


def guard_deletions() -> Iterator[Mutation]:
    """Every guard of every action, left out."""
    for path in sorted((PACKAGE / "actions").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
                tag = node.values[-1]
                if isinstance(tag, ast.Constant) and isinstance(tag.value, str):
                    guard = ast.get_source_segment(text, node)
                    assert guard is not None
                    yield Mutation(f"without {tag.value}", f"actions/{path.name}", guard, "True", GUARD)


_BOARD = (
    Mutation(
        "points between sea tiles",
        "board/board.py",
        "if c in beside[b] and land & {a, b, c}",
        "if c in beside[b]",
        "board/test_board.py::test_two_islands_share_no_road",
    ),
    Mutation(
        "a desert is sea",
        "board/tiles.py",
        'return self.terrain != "sea"',
        "return self.terrain in YIELD",
        "test_errata.py::test_s12_a_desert_on_the_coast_keeps_its_corners",
    ),
    Mutation(
        "a wharf serves every corner of its tiles",
        "board/board.py",
        "if wharf_type == type and set(pair) <= set(triple)",
        "if wharf_type == type and set(pair) & set(triple)",
        "board/test_board.py::test_every_wharf_serves_two_points",
    ),
    Mutation(
        "a foreign settlement does not cut a trail",
        "board/trails.py",
        "end if not foreign >> end & 1 else -(2 * road + i)",
        "end",
        "board/test_trails.py::test_the_rule_books_road_of_seven_and_the_settlement_that_breaks_it",
    ),
    Mutation(
        "the longest road of one part of a network only",
        "board/trails.py",
        "    for part in _parts(meeting):",
        "    for part in _parts(meeting)[:1]:",
        "board/test_trails.py::test_two_rows_apart_are_not_added",
    ),
    Mutation(
        "the longest road of the first end only",
        "board/trails.py",
        "starts = [node for node in part if len(meeting[node]) % 2] or part[:1]",
        "starts = part[:1]",
        "test_errata.py::test_s4_the_longest_road_is_the_longest_trail_in_any_order",
    ),
    Mutation(
        "all roads of a player are a road",
        "board/trails.py",
        "            best = max(best, 1 + _longest_from(there, meeting, used | 1 << road))",
        "            best += 1 + _longest_from(there, meeting, used | 1 << road)",
        "board/test_trails.py::test_a_fork_counts_one_branch_only",
    ),
    Mutation(
        "a road continues through an adversary's settlement",
        "board/trails.py",
        "own | touched & ~foreign",
        "own | touched",
        "test_errata.py::test_s17_a_road_does_not_continue_through_an_adversarys_settlement",
    ),
    Mutation(
        "no road starts at an own settlement",
        "board/trails.py",
        "own | touched & ~foreign",
        "touched & ~foreign",
        "board/test_trails.py::test_a_road_may_start_at_an_own_settlement",
    ),
    Mutation(
        "a hand covers a cost if one type is enough",
        "cards.py",
        "- cost & BORROW_BITS == BORROW_BITS",
        "- cost & BORROW_BITS != 0",
        GUARD,
    ),
    Mutation(
        "adversaries' settlements are all settlements",
        "state.py",
        "return taken(self.s) & ~self.s.of(player)",
        "return taken(self.s)",
        "test_state.py::test_adversaries_settlements_are_all_but_the_players",
    ),
)

_SET_UP = (
    Mutation(
        "the second stage begins after player 2",
        "actions/setup_phase_one.py",
        "last = next_player == state.first",
        "last = player == 2",
        EFFECT,
    ),
    Mutation(
        "the second stage runs in the order of the first",
        "actions/setup_phase_two.py",
        "su_ap=player if last else state.previous_player(player)",
        "su_ap=state.next_player(player)",
        EFFECT,
    ),
    Mutation(
        "the second village earns nothing",
        "actions/setup_phase_two.py",
        "rc=state.h[player - 1].rc + gain",
        "rc=state.h[player - 1].rc",
        EFFECT,
    ),
    Mutation(
        "the bank does not pay for the second village",
        "actions/setup_phase_two.py",
        "rc=state.bnk.rc - gain",
        "rc=state.bnk.rc",
        EFFECT,
    ),
    Mutation(
        "the set-up never ends",
        "actions/setup_phase_two.py",
        'tp="DiceRoll" if last else "bot"',
        'tp="bot"',
        EFFECT,
    ),
    Mutation(
        "the first road is not taken from the supply",
        "actions/setup_phase_one.py",
        "road=left.road - 1",
        "road=left.road",
        EFFECT,
    ),
    Mutation(
        "a place beside the bandit is offered",
        "actions/placement.py",
        "        shut |= board.corners[state.ba]",
        "        pass",
        AGREEMENT.format("SetupPhaseOne"),
    ),
    Mutation(
        "a neighbour's place is offered",
        "actions/placement.py",
        "        crowded |= board.adjacent_settlements[point]",
        "        pass",
        AGREEMENT.format("BuildVillage"),
    ),
)

_DICE = (
    Mutation(
        "a city yields one card",
        "actions/roll_dice.py",
        "+ 2 * (cities & corners).bit_count()",
        "+ (cities & corners).bit_count()",
        EFFECT,
    ),
    Mutation(
        "a tile yields once to each player",
        "actions/roll_dice.py",
        "((villages & corners).bit_count() +",
        "(bool(villages & corners) +",
        "test_errata.py::test_s5_every_settlement_at_a_tile_earns_for_itself",
    ),
    Mutation("the bandit's tile yields", "actions/roll_dice.py", "if tile != bandit:", "if True:", SHARED),
    Mutation(
        "only the first tile of a number yields",
        "actions/roll_dice.py",
        "board.producers.get(dice, ())",
        "board.producers.get(dice, ())[:1]",
        EFFECT,
    ),
    Mutation(
        "the bank pays what it does not have",
        "actions/roll_dice.py",
        "if not covers(state.bnk.rc, paid):",
        "if False:",
        SHARED,
    ),
    Mutation(
        "the bank does not pay a roll",
        "actions/roll_dice.py",
        "Bank(state.bnk.rc - paid, state.bnk.dc)",
        "Bank(state.bnk.rc, state.bnk.dc)",
        EFFECT,
    ),
    Mutation("half a hand is rounded up", "actions/roll_dice.py", "cards - cards // 2 if", "cards // 2 if", EFFECT),
    Mutation(
        "a hand of seven is too large",
        "actions/roll_dice.py",
        ":= total(hand.rc)) > limit",
        ":= total(hand.rc)) >= limit",
        EFFECT,
    ),
    Mutation("nobody discards", "actions/roll_dice.py", "if not any(limits):", "if True:", EFFECT),
    Mutation(
        "a hand that did not change is a new one",
        "actions/roll_dice.py",
        "hand.uc) if gain else hand",
        "hand.uc)",
        SHARED,
    ),
    Mutation(
        "the dice are one of eleven",
        "actions/roll_dice.py",
        "rng.randint(1, 6), rng.randint(1, 6)",
        "rng.randint(2, 12), 0",
        "test_rules.py::test_two_dice_are_rolled",
    ),
    Mutation(
        "each sum is a decision",
        "actions/roll_dice.py",
        "return instances(state, player)[:1]",
        "return instances(state, player)",
        DECISIONS.format("RollDice"),
    ),
    Mutation("a discard is not due", "actions/discard.py", "if limit else 0", "if not limit else 0", EFFECT),
    Mutation(
        "only the first who owes is awaited",
        "rules.py",
        "            return owing\n",
        "            return owing[:1]\n",
        "test_rules.py::test_who_is_awaited",
    ),
)

_BANDIT = (
    Mutation("the bandit stays", "actions/move_bandit.py", "        ba=action.to,\n", "", EFFECT),
    Mutation(
        "the limits stay",
        "actions/move_bandit.py",
        "lim=(0,) * len(state.lim) if any(state.lim) else state.lim",
        "lim=state.lim",
        EFFECT,
    ),
    Mutation("the victim keeps the card", "actions/robbery.py", "loser.rc - ONE[card]", "loser.rc", EFFECT),
    Mutation("the thief gets nothing", "actions/robbery.py", "winner.rc + ONE[card]", "winner.rc", EFFECT),
    Mutation(
        "the player can rob themself",
        "actions/robbery.py",
        "if seat != player and s.of(seat)",
        "if s.of(seat)",
        AGREEMENT.format("MoveBandit"),
    ),
    Mutation(
        "the bandit may be offered the sea",
        "actions/robbery.py",
        "        for tile in board.land\n        if tile != ba\n        for seat",
        "        for tile in range(1, board.tile_count + 1)\n        if tile != ba\n        for seat",
        AGREEMENT.format("PlayKnight"),
    ),
    Mutation(
        "with no victim anywhere the bandit cannot move",
        "actions/robbery.py",
        "if not moves or targets",
        "if targets",
        AGREEMENT.format("MoveBandit"),
    ),
    Mutation(
        "the first type of a hand is stolen more often",
        "actions/robbery.py",
        "        at -= number\n",
        "        at -= 1\n",
        "test_rules.py::test_a_card_is_stolen_uniformly_from_the_hand",
    ),
    Mutation(
        "the card is chosen, not drawn",
        "rules.py",
        "return action if kind.draw is None else kind.draw(state, action, rng)",
        "return action",
        "test_rules.py::test_a_card_is_stolen_uniformly_from_the_hand",
    ),
)

_TRADES = (
    Mutation(
        "nothing is received", "actions/wharf_trade.py", "ONE[give] * rate - ONE[receive]", "ONE[give] * rate", EFFECT
    ),
    Mutation(
        "the bank does not take part", "actions/wharf_trade.py", "rc=state.bnk.rc + price", "rc=state.bnk.rc", EFFECT
    ),
    Mutation(
        "a resource is offered for itself",
        "actions/wharf_trade.py",
        " for j in receiving if i != j",
        " for j in receiving",
        AGREEMENT.format("TradeFourToOne"),
    ),
    Mutation(
        "three for one everywhere",
        "actions/trade_three_to_one.py",
        " or not has_wharf(state, player, THREE_TO_ONE):",
        ":",
        AGREEMENT.format("TradeThreeToOne"),
    ),
    Mutation(
        "any wharf is for any resource",
        "actions/trade_two_to_one.py",
        " for give, receive in pairs if give in served",
        " for give, receive in pairs",
        AGREEMENT.format("TradeTwoToOne"),
    ),
    Mutation("trading goes on", "actions/empty_trade.py", '_replace(tp="Building")', "_replace()", EFFECT),
    Mutation(
        "knights only while building",
        "rules.py",
        '"Trading": ("EmptyTrade", *trades, *_CARDS)',
        '"Trading": ("EmptyTrade", *trades, *_CARDS[:-1])',
        "test_rules.py::test_the_phase_table_agrees_with_the_guards[Trading]",
    ),
)

_BUILDING = (
    Mutation(
        "the turn does not pass",
        "actions/turn.py",
        "ap=state.next_player(state.ap)",
        "ap=state.ap",
        EFFECT,
    ),
    Mutation(
        "eleven points are needed",
        "actions/turn.py",
        ">= state.constants.rules.points_to_win",
        "> state.constants.rules.points_to_win",
        EFFECT,
    ),
    Mutation("bought cards are lost", "actions/empty_build.py", "ac=hand.ac + hand.bc", "ac=hand.ac", EFFECT),
    Mutation("the dice stay", "actions/turn.py", "dice=0, ", "", EFFECT),
    Mutation(
        "nothing is paid to the bank",
        "actions/parts.py",
        "Bank(bank.rc + cost, bank.dc)",
        "Bank(bank.rc, bank.dc)",
        EFFECT,
    ),
    Mutation(
        "nothing is paid at all", "actions/parts.py", "Hand(hand.rc - cost, hand.bc", "Hand(hand.rc, hand.bc", EFFECT
    ),
    Mutation("a city costs two ore", "actions/parts.py", '3 * ONE["Ore"]', '2 * ONE["Ore"]', EFFECT),
    Mutation(
        "a road costs wool",
        "actions/parts.py",
        'COST_ROAD: Cards = ONE["Lumber"]',
        'COST_ROAD: Cards = ONE["Wool"]',
        EFFECT,
    ),
    Mutation(
        "a village is not taken from the supply",
        "actions/build_village.py",
        "village=left.village - 1",
        "village=left.village",
        EFFECT,
    ),
    Mutation(
        "a village does not cut a road",
        "actions/build_village.py",
        "holder = longest_road_holder(after)",
        "holder = state.lr",
        EFFECT,
    ),
    Mutation(
        "a village is lost under a city",
        "actions/build_city.py",
        "village=left.village + 1",
        "village=left.village",
        EFFECT,
    ),
    Mutation(
        "a village stays under a city",
        "actions/build_city.py",
        "state.s.villages[player - 1] & ~bit",
        "state.s.villages[player - 1]",
        EFFECT,
    ),
    Mutation(
        "cities beside the bandit are offered",
        "actions/build_city.py",
        "        points &= ~state.constants.board.corners[state.ba]\n",
        "        pass\n",
        AGREEMENT.format("BuildCity"),
    ),
    Mutation(
        "two roads count as one", "actions/build_road.py", "left.road - built.bit_count()", "left.road - 1", EFFECT
    ),
    Mutation(
        "a road never brings the longest road",
        "actions/build_road.py",
        "holder = longest_road_holder(after)",
        "holder = state.lr",
        EFFECT,
    ),
    Mutation(
        "a road point that is taken is offered",
        "actions/placement.py",
        "shut = roads_taken(state.r) | built",
        "shut = built",
        AGREEMENT.format("BuildRoad"),
    ),
)

_CARDS = (
    Mutation(
        "a card can be played in the turn it is bought",
        "actions/buy_dev_card.py",
        "hand._replace(bc=hand.bc + card)",
        "hand._replace(ac=hand.ac + card)",
        EFFECT,
    ),
    Mutation(
        "a victory point stays hidden",
        "actions/buy_dev_card.py",
        'if action.card == "VictoryPoint"',
        "if False",
        EFFECT,
    ),
    Mutation("the bank keeps the card", "actions/buy_dev_card.py", "dc=bank.dc - card", "dc=bank.dc", EFFECT),
    Mutation(
        "every type of card is as likely",
        "actions/buy_dev_card.py",
        "        at -= number\n",
        "        at -= 1\n",
        "test_rules.py::test_a_development_card_is_drawn_from_those_left",
    ),
    Mutation(
        "a card can be played again and again",
        "actions/progress.py",
        "hand._replace(ac=hand.ac - ONE[card])",
        "hand",
        EFFECT,
    ),
    Mutation(
        "cards are offered that were bought this turn",
        "actions/progress.py",
        "        has_available(state, player, card)\n        and ",
        "        ",
        AGREEMENT.format("PlayMonopoly"),
    ),
    Mutation(
        "monopoly takes one card from each",
        "actions/play_monopoly.py",
        "card * count(hand.rc, action.resource)",
        "card * min(1, count(hand.rc, action.resource))",
        EFFECT,
    ),
    Mutation(
        "monopoly is not discarded", "actions/play_monopoly.py", '        dp=state.dp + ONE["Monopoly"],\n', "", EFFECT
    ),
    Mutation(
        "the bank keeps what year of plenty takes",
        "actions/play_year_of_plenty.py",
        "rc=state.bnk.rc - gain",
        "rc=state.bnk.rc",
        EFFECT,
    ),
    Mutation(
        "the second road cannot continue the first",
        "actions/play_road_building.py",
        "second = open_roads(state, player, built=1 << first) if left >= 2 else 0",
        "second = open_roads(state, player) & ~(1 << first) if left >= 2 else 0",
        AGREEMENT.format("PlayRoadBuilding"),
    ),
    Mutation(
        "the knight is not unveiled", "actions/play_knight.py", 'uc=hand.uc + ONE["Knight"]', "uc=hand.uc", EFFECT
    ),
    Mutation(
        "a knight never brings the largest army",
        "actions/play_knight.py",
        "holder = largest_army_holder(after)",
        "holder = state.la",
        EFFECT,
    ),
)

BONUS = "test_scoring.py::test_bonus_card"
POINTS = "test_scoring.py::test_points"

_SCORING = (
    Mutation(
        "the holder loses a tie",
        "scoring.py",
        "if holder != NO_OWNER and sizes[holder - 1] == most:",
        "if False:",
        BONUS,
    ),
    Mutation(
        "the holder keeps the card whatever others have",
        "scoring.py",
        "if holder != NO_OWNER and sizes[holder - 1] == most:",
        "if holder != NO_OWNER:",
        BONUS,
    ),
    Mutation(
        "the first of several with the most gets the card",
        "scoring.py",
        "if sizes.count(most) > 1:",
        "if False:",
        BONUS,
    ),
    Mutation("too little is enough", "scoring.py", "if most < minimum:", "if False:", BONUS),
    Mutation("enough is too little", "scoring.py", "if most < minimum:", "if most <= minimum:", BONUS),
    Mutation("a city counts one point", "state.py", "+ 2 * self.s.cities", "+ self.s.cities", POINTS),
    Mutation("the longest road counts nothing", "state.py", "+ (2 if self.lr == player else 0)", "", POINTS),
    Mutation("the largest army counts for all", "state.py", "2 if self.la == player", "2 if self.la", POINTS),
    Mutation(
        "a knight is a point",
        "state.py",
        'count(self.h[player - 1].uc, "VictoryPoint")',
        'count(self.h[player - 1].uc, "Knight")',
        POINTS,
    ),
)

_CHECKS = (
    Mutation(
        "roads hang together with one another only",
        "invariants.py",
        "points, unreached = state.s.of(player), roads",
        "points, unreached = board.end_points[roads.bit_length() - 1] if roads else 0, roads & roads - 1",
        "test_invariants.py::test_invariant_fails",
    ),
    Mutation(
        "a recorded game is checked without the invariants",
        "model_check/trace.py",
        "    OfferIsCovered\n    SharesAreDue\n    AwayAreSkipped\n    WinAtOnce\n    Reached",
        "    Reached",
        "model_check/test_trace_invariants.py::test_a_recorded_game_is_checked_with_all_invariants",
    ),
    Mutation("a refused action is applied", "rules.py", "    if guards:\n", "    if False:\n", GUARD),
    Mutation(
        "only the first broken guard is told",
        "rules.py",
        "guards = kind.broken(state, action)",
        "guards = kind.broken(state, action)[:1]",
        "actions/test_guards.py::test_a_refusal_carries_every_broken_guard_in_order",
    ),
    Mutation(
        "an invariant is checked only if all it reads changed",
        "invariants.py",
        "if not set(changed).isdisjoint(conjunct.reads)",
        "if set(changed) >= set(conjunct.reads)",
        "test_invariants.py::test_invariant_fails",
    ),
    Mutation(
        "the last invariant is not checked",
        "invariants.py",
        "        for invariant in INVARIANTS\n",
        "        for invariant in INVARIANTS[:-1]\n",
        "test_invariants.py::test_invariant_fails",
    ),
)

ALMANAC = "test_almanac.py::test_{}"

_RULE_BOOK = (
    Mutation(
        "the lowest roll begins", "actions/roll_for_start.py", "highest = max(rolls)", "highest = min(rolls)", EFFECT
    ),
    Mutation(
        "everybody rolls again for a tie",
        "actions/roll_for_start.py",
        "0 if roll == highest else OUT",
        "0",
        EFFECT,
    ),
    Mutation("seat 1 begins after all", "actions/roll_for_start.py", "        first=leader,\n", "", EFFECT),
    Mutation(
        "the dice for the start are one of eleven",
        "actions/roll_for_start.py",
        "dice=sum(two_dice(state, rng))",
        "dice=rng.randint(2, 12)",
        "test_rules.py::test_two_dice_are_rolled_for_the_start",
    ),
    Mutation(
        "of one resource a shortage when the bank has exactly enough",
        "actions/roll_dice.py",
        "if sum(due) > left:",
        "if sum(due) >= left:",
        EFFECT,
    ),
    Mutation(
        "a short resource is paid to nobody, even to a single player",
        "actions/roll_dice.py",
        "is_single = sum(1 for cards in due if cards) == 1",
        "is_single = False",
        EFFECT,
    ),
    Mutation(
        "a short resource is paid to everybody as far as it goes",
        "actions/roll_dice.py",
        "is_single = sum(1 for cards in due if cards) == 1",
        "is_single = True",
        EFFECT,
    ),
    Mutation(
        "one short resource stops all others",
        "actions/roll_dice.py",
        'if state.constants.rules.shortage == "nobody":',
        "if True:",
        EFFECT,
    ),
    Mutation(
        "the player is asked by themself",
        "actions/offering.py",
        "if other != player and covers(",
        "if covers(",
        GUARD,
    ),
    Mutation(
        "everybody is asked",
        "actions/offer_trade.py",
        '"asked" if other in others and other != player else "none"',
        '"asked"',
        EFFECT,
    ),
    Mutation(
        "like for like is offered",
        "actions/offering.py",
        " if mask[give].isdisjoint(mask[receive])",
        "",
        AGREEMENT.format("OfferTrade"),
    ),
    Mutation(
        "what several could pay together is wanted",
        "actions/offering.py",
        "others = tuple(sorted({state.h[other - 1].rc for other in state.present if other != player}))",
        "others = (sum(state.h[other - 1].rc for other in state.present if other != player),)",
        AGREEMENT.format("OfferTrade"),
    ),
    Mutation(
        "an offer is made of one card for one only",
        "actions/offering.py",
        "return rng.choice(listed_offers(state, player))",
        "return listed_offers(state, player)[0]",
        "actions/test_instances.py::test_an_offer_is_drawn_uniformly_from_all",
    ),
    Mutation(
        "the partner gives nothing",
        "actions/conclude_trade.py",
        "_with_gain(state.h, action.player, receive - give)",
        "_with_gain(state.h, action.player, -give)",
        EFFECT,
    ),
    Mutation(
        "the partner gets nothing",
        "actions/conclude_trade.py",
        "_with_gain(hands, action.partner, give - receive)",
        "_with_gain(hands, action.partner, -receive)",
        EFFECT,
    ),
    Mutation("the offer stands for ever", "actions/conclude_trade.py", "offer=NO_OFFER, ", "", EFFECT),
    Mutation("the answers stand for ever", "actions/conclude_trade.py", ", ans=no_answers(len(state.ans))", "", EFFECT),
    Mutation(
        "one answer is enough",
        "actions/withdraw_trade.py",
        " and not needs_answers(state) else ()",
        " else ()",
        AGREEMENT.format("WithdrawTrade"),
    ),
    Mutation(
        "nobody is asked for an answer",
        "actions/replies.py",
        "return is_asked(state, player)",
        "return False",
        "test_rules.py::test_who_is_awaited_by_the_rule_book",
    ),
    Mutation("cards are not counted", "actions/progress.py", "state.pd + 1 if", "state.pd if", EFFECT),
    Mutation(
        "the count of cards goes on",
        "actions/turn.py",
        "pd=0, ",
        "",
        EFFECT,
    ),
    Mutation(
        "cards are offered beyond the limit",
        "actions/progress.py",
        "is_playing(state, phase or state.tp)\n        and is_within_limit(state)\n",
        "is_playing(state, phase or state.tp)\n",
        AGREEMENT.format("PlayMonopoly"),
    ),
    Mutation(
        "no card before the dice",
        "rules.py",
        '("RollDice", *_CARDS) if before_dice else ("RollDice",)',
        '("RollDice",)',
        "test_rules.py::test_the_phase_table_agrees_with_the_guards[DiceRoll]",
    ),
    Mutation(
        "nobody wins before the end of a turn",
        "actions/turn.py",
        'state.constants.rules.win_check != "at_once" or',
        "True or",
        EFFECT,
    ),
    Mutation(
        "a special builder makes the active player win",
        "actions/turn.py",
        '("bot", "top", "SpecialBuilding")',
        '("bot", "top")',
        ALMANAC.format("nobody_wins_in_the_special_building_phase"),
    ),
    Mutation(
        "points gained meanwhile do not win when the turn begins",
        "actions/turn.py",
        "return won(state._replace(",
        "return (state._replace(",
        EFFECT,
    ),
    Mutation(
        "no special building phase",
        "actions/empty_build.py",
        "if builder != NO_OWNER:",
        "if False:",
        EFFECT,
    ),
    Mutation(
        "whoever can pay for nothing builds",
        "actions/empty_build.py",
        "if any(covers(state.h[other - 1].rc, cost) for cost in COSTS):",
        "if True:",
        EFFECT,
    ),
    Mutation(
        "the special building phase begins with seat 1",
        "actions/empty_build.py",
        "    other = state.next_player(player)\n",
        "    other = 1\n",
        EFFECT,
    ),
    Mutation(
        "the last road is not placed",
        "actions/play_road_building.py",
        "        elif rules.road_building_needs == 1:",
        "        elif False:",
        ALMANAC.format("road_building_with_one_road_left_places_that_one"),
    ),
    Mutation(
        "a single road is placed twice",
        "actions/play_road_building.py",
        "(1 << action.second if action.second != NO_ROAD else 0)",
        "1 << action.second",
        EFFECT,
    ),
    Mutation(
        "an opening earns nothing",
        "state.py",
        "rc=hands[seat].rc + gain",
        "rc=hands[seat].rc",
        "test_state.py::test_an_opening_lies_on_the_board_and_has_earned_its_cards",
    ),
)

BARGAINING = "simulation/test_bargaining.py::test_{}"

_POLICIES = (
    Mutation(
        "whoever is about to win is traded with",
        "simulation/bargaining.py",
        "return player_points(state, player) >= needed - 2 or",
        "return",
        BARGAINING.format("it_does_not_trade_with_who_is_within_two_points_of_winning"),
    ),
    Mutation(
        "a winning building is paid for",
        "simulation/bargaining.py",
        " or points_in_reach(state, player, hand) >= needed",
        "",
        BARGAINING.format("it_does_not_pay_for_a_winning_building"),
    ),
    Mutation(
        "any nearer goal is worth any price",
        "simulation/bargaining.py",
        "return nearer > max(0, total(receive) - total(give))",
        "return nearer > 0",
        BARGAINING.format("it_rejects"),
    ),
    Mutation(
        "the first who accepts gets the trade",
        "simulation/bargaining.py",
        "(best is None or danger < best[0])",
        "best is None",
        BARGAINING.format("it_concludes_with_the_least_dangerous_who_accepts"),
    ),
    Mutation(
        "offers are repeated for ever",
        "simulation/bargaining.py",
        " or rng.random() >= OFFER_CHANCE",
        "",
        BARGAINING.format("it_offers_what_it_can_spare_for_what_it_lacks"),
    ),
    Mutation(
        "offers are made in vain",
        "simulation/bargaining.py",
        "        and would_accept(state, other, give, receive)\n",
        "",
        BARGAINING.format("it_makes_no_offer_that_nobody_should_accept"),
    ),
    Mutation(
        "knights wait for the dice",
        "simulation/builder.py",
        "if not knights or not (_is_robbed(state, player) or _wins_by_knight(state, player)):",
        "if True:",
        BARGAINING.format("a_knight_drives_the_bandit_away_before_the_dice"),
    ),
    Mutation(
        "random players offer one card for one only",
        "simulation/policies.py",
        "return any_offer(state, decisions[int(rng.random() * len(decisions))], rng)",
        "return decisions[int(rng.random() * len(decisions))]",
        "simulation/test_policies.py::test_random_players_make_every_offer_sooner_or_later",
    ),
)

MUTATIONS: tuple[Mutation, ...] = (
    *_BOARD,
    *_SET_UP,
    *_DICE,
    *_BANDIT,
    *_TRADES,
    *_BUILDING,
    *_CARDS,
    *_SCORING,
    *_RULE_BOOK,
    *_POLICIES,
    *_CHECKS,
)
"""Mistakes beside the missing guards. Those inside the invariants are made by tests/test_invariants.py itself."""
