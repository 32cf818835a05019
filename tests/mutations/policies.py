"""Mistakes in how computer players bargain and play, and in how they are rated."""

from tests.mutations.mutation import Mutation, mistakes

BARGAINING = "players/test_bargaining.py::test_{}"
LEARNED = "players/test_learned.py::test_{}"
MEMORY = "players/test_memory.py::test_{}"
RECORDED = "players/test_recorded.py::test_every_policy_decides_as_it_did[{}]"

POLICIES: tuple[Mutation, ...] = (
    Mutation(
        "whoever is about to win is traded with",
        "players/bargaining.py",
        "return player_points(state, player) >= needed - 2 or",
        "return",
        BARGAINING.format("it_does_not_trade_with_who_is_within_two_points_of_winning"),
    ),
    Mutation(
        "a winning building is paid for",
        "players/bargaining.py",
        " or points_in_reach(state, player, hand) >= needed",
        "",
        BARGAINING.format("it_does_not_pay_for_a_winning_building"),
    ),
    Mutation(
        "any nearer goal is worth any price",
        "players/bargaining.py",
        "return nearer > max(0, total(receive) - total(give))",
        "return nearer > 0",
        BARGAINING.format("it_rejects"),
    ),
    Mutation(
        "the first who accepts gets the trade",
        "players/bargaining.py",
        "(best is None or danger < best[0])",
        "best is None",
        BARGAINING.format("it_concludes_with_the_least_dangerous_who_accepts"),
    ),
    Mutation(
        "offers are repeated for ever",
        "players/bargaining.py",
        " or rng.random() >= OFFER_CHANCE",
        "",
        BARGAINING.format("it_offers_what_it_can_spare_for_what_it_lacks"),
    ),
    Mutation(
        "offers are made in vain",
        "players/bargaining.py",
        "        and would_accept(state, other, give, receive)\n",
        "",
        BARGAINING.format("it_makes_no_offer_that_nobody_should_accept"),
    ),
    Mutation(
        "knights wait for the dice",
        "players/builder.py",
        "if not knights or not (_is_robbed(state, player) or _wins_by_knight(state, player)):",
        "if True:",
        BARGAINING.format("a_knight_drives_the_bandit_away_before_the_dice"),
    ),
    Mutation(
        "random players offer one card for one only",
        "players/random_player.py",
        "return any_offer(state, decisions[int(rng.random() * len(decisions))], rng)",
        "return decisions[int(rng.random() * len(decisions))]",
        "players/test_policies.py::test_random_players_make_every_offer_sooner_or_later",
    ),
    Mutation(
        "ratings are moved to a mean of 1500",
        "tournament/ratings.py",
        "    return {name: factor * value for name, value in strength.items()}",
        "    mean = math.prod(strength.values()) ** (1 / len(strength))\n"
        "    return {name: value / mean for name, value in strength.items()}",
        "tournament/test_tournament.py::test_ratings_are_the_likeliest_of_the_stated_model",
    ),
    Mutation(
        "every seat of a policy is taken to be able to win",
        "tournament/ratings.py",
        "return Interval(low * games / seats, high * games / seats)",
        "return wilson(wins, seats)",
        "tournament/test_tournament.py::test_the_share_of_a_policy_with_several_seats_is_bounded_by_what_it_can_win",
    ),
    Mutation(
        "games of a deal are taken to be independent",
        "tournament/ratings.py",
        "effective = min(games, share * (1 - share) / variance) if variance else games",
        "effective = games",
        "tournament/test_tournament.py::test_games_of_a_deal_that_go_alike_count_as_one",
    ),
    Mutation(
        "policies are shown calls",
        "players/choosing.py",
        "called_for(state, one) if isinstance(one, Call) else one for one",
        "one for one",
        "api/test_games.py::test_a_game_in_which_all_draw_together_is_played_without_mistakes",
    ),
    Mutation(
        "the library applies actions whose fields nothing can have",
        "api/choices.py",
        "if wrong := misfit(action, state.constants):",
        "if wrong := None:",
        "api/test_out_of_range.py::test_a_value_that_no_field_can_have_is_refused",
    ),
    *mistakes(
        "api/positions.py",
        "api/test_positions.py::test_a_public_position_allows_what_some_hidden_cards_allow",
        (
            "a public hand is judged by what is certain",
            "Hand(known.hand(seat).high, hand.bc, _available(known, seat), hand.uc)",
            "Hand(known.hand(seat).low, hand.bc, _available(known, seat), hand.uc)",
        ),
        (
            "what a public position lists is not looked at by the referee",
            "self._after(known, _events(choice, known)) is not None",
            "True",
        ),
    ),
    Mutation(
        "what the network would do is not looked up among the decisions",
        "players/strategist/learned.py",
        "return next((one for one in decisions if one.decision == wanted), None)",
        "return action",
        LEARNED.format("an_answer_that_is_not_among_the_decisions_is_not_given"),
    ),
    Mutation(
        "the strategist and its network see all hands",
        "players/strategist/policy.py",
        "seen = known(state, player, self._memory.hands(state, player))",
        "seen = state",
        LEARNED.format("cards_that_its_player_does_not_see_change_no_decision"),
    ),
    *mistakes(
        "view/card_memory.py",
        MEMORY.format("what_a_player_says_to_an_offer_counts_once_play_goes_on"),
        ("a player may accept what they do not hold", "shown = player, before.offer.receive", "pass"),
        ("repliers know one another's replies", "(self._said if is_reply else self._moves)", "self._moves"),
    ),
    Mutation(
        "everybody sees what is stolen",
        "view/card_memory.py",
        "and self._player not in move.theft",
        "and False",
        MEMORY.format("a_theft_is_seen_by_robber_and_victim_and_weighed_by_everybody_else"),
    ),
    Mutation(
        "what is supposed of hands is fitted once",
        "view/card_memory.py",
        "range(FITTING_ROUNDS)",
        "range(1)",
        RECORDED.format(17),
    ),
    *mistakes(
        "view/sample.py",
        RECORDED.format(10),
        ("somebody is taken to hold points", "deck.sort(key=_POINT.__ne__)", "pass"),
    ),
    Mutation(
        "cards are drawn in another order",
        "view/sample.py",
        "    rng.shuffle(single)",
        "    rng.shuffle(single)\n    single.reverse()",
        RECORDED.format(33),
    ),
    Mutation(
        "a beginner overlooks more",
        "players/beginner.py",
        "rng.random() < 2 / 3",
        "rng.random() < 0.6",
        RECORDED.format(12),
    ),
    Mutation(
        "a state that the flat core does not play ends the policy",
        "players/strategist/learned.py",
        "        except NotCovered:\n            return False\n",
        "        except ZeroDivisionError:\n            return False\n",
        LEARNED.format("where_the_core_does_not_play_the_plan_decides"),
    ),
    Mutation(
        "joint chance is left to the plan",
        "players/strategist/learned.py",
        "replace(constants.rules.drawn_by_actors, returns=0)",
        "replace(constants.rules, returns=0)",
        LEARNED.format("it_decides_by_the_rules_in_every_game"),
    ),
    Mutation(
        "games with returns are left to the plan",
        "players/strategist/learned.py",
        ", ret=ret)",
        ")",
        LEARNED.format("it_decides_by_the_rules_in_every_game"),
    ),
    Mutation(
        "the network is asked at once",
        "players/strategist/learned.py",
        "budget_ms: int) -> None:\n        self.search = SEARCHES[max(at for at in SEARCHES if at <= budget_ms)]",
        "budget_ms: int) -> None:\n        self.search = SEARCHES[min(SEARCHES)]",
        "players/test_strategist.py::test_its_time_is_a_parameter",
    ),
)
