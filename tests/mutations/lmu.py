"""Mistakes at tables of the LMU protocol, and at a person's seat there."""

from tests.mutations.mutation import Mutation, mistakes

FOREIGN = "lmu/test_foreign_servers.py"
SIDE_BY_SIDE = "lmu/test_decisions.py::test_9_offers_stand_side_by_side_until_the_turn_ends_and_silence_is_no"
LAPSED = "lmu/test_decisions.py::test_9_who_let_an_offer_lapse_holds_up_the_next_ones_for_a_moment_only"
BACK = "lmu/test_decisions.py::test_11_who_acts_again_has_the_seat_back_without_a_token"
THREE = "lmu/test_lobby.py::test_three_who_are_connected_and_ready_begin_where_four_may_play"

LMU: tuple[Mutation, ...] = (
    Mutation(
        "who is asked and cancels is still asked",
        "lmu/session.py",
        "            offer.answers[player] = False\n",
        "",
        SIDE_BY_SIDE,
    ),
    Mutation(
        "an offer waits for silent programs each time", "lmu/stand_in.py", "if member.lets_lapse", "if False", LAPSED
    ),
    Mutation(
        "an answer does not end the hurry",
        "lmu/table.py",
        "            member.lets_lapse = False\n",
        "            pass\n",
        LAPSED,
    ),
    Mutation(
        "a seat once played for is played for to the end",
        "lmu/table.py",
        "        member.is_computer, member.timeouts = False, 0\n",
        "        member.timeouts = 0\n",
        BACK,
    ),
    Mutation("only a full table begins", "lmu/table.py", "or ready >= self.settings.least_players", "or False", THREE),
    Mutation(
        "two names may be alike",
        "lmu/seats.py",
        "if folded(name) not in taken:",
        "if name not in others:",
        "lmu/test_lobby.py::test_no_two_names_are_alike",
    ),
    Mutation(
        "whoever clicks without end never hears that the server is silent",
        "lmu/client.py",
        "if until == 0.0 or not done:",
        "if not done:",
        "lmu/test_hostile_server.py::test_whoever_clicks_without_end_hears_that_the_server_does_not_answer",
    ),
    Mutation(
        "a refused colour is never tried again",
        "lmu/client_lobby.py",
        "(COLOUR_ROUNDS if is_of_colours else 1) * len(self.colours)",
        "len(self.colours)",
        "lmu/test_server_habits.py::test_a_colour_that_was_refused_is_tried_again_once_all_were",
    ),
    Mutation(
        "a client goes on at another seat",
        "lmu/client_player.py",
        "if self.token is not None and not is_back and self.model.board is not None:",
        "if False:",
        "lmu/test_person.py::test_a_client_that_comes_back_to_another_seat_does_not_play_a_second_game",
    ),
    Mutation(
        "a person agrees to another deal than they saw",
        "lmu/person.py",
        "if deal not in (NO_DEAL, deal_in(steps[-1].state, action)):",
        "if False:",
        "lmu/test_person.py::test_a_deal_that_is_another_one_by_now_is_not_agreed_to",
    ),
    Mutation(
        "a person's turn is decided by the policy",
        "lmu/person.py",
        "        if self._is_played:\n            return super()._think()",
        "        if True:\n            return super()._think()",
        "lmu/test_person.py::test_an_offer_is_seen_answered_and_concluded",
    ),
    Mutation(
        "hidden discards leave the bank as it was",
        "lmu/seat_record.py",
        "            self._seat_state.move_bank(message)\n",
        "            pass\n",
        "lmu/test_person.py::test_somebody_else_s_discard_is_told_in_words_and_leaves_the_bank_open",
    ),
    *mistakes(
        "lmu/step_assembler.py",
        "lmu/test_person.py::test_development_cards_are_played",
        ("what a monopoly brings is not told", "return [*step, gained] if is_gain else step", "return step"),
        ("a knight is told as a seven", "[e.KnightPlayed(seat)] * isinstance(message, m.KnightPlayedMessage)", "[]"),
        ("a hand is empty, and something is stolen", '"none" if cards == NO_CARDS else', ""),
    ),
    Mutation(
        "the first offer is shown even once it is answered",
        "lmu/seat_state.py",
        "if model.me not in offer.answers]",
        "if True]",
        "lmu/test_person.py::test_another_player_s_offers_are_answered_one_after_the_other",
    ),
    *mistakes(
        "lmu/refusals.py",
        f"{FOREIGN}::test_a_turn_in_which_all_is_refused_is_ended",
        (
            "only the message that was refused is left out",
            "            self._kinds.add(_kind(message))\n",
            "            self._messages.add(message)\n",
        ),
        ("nothing is left out", "return not any(", "return True or any("),
    ),
    Mutation(
        "a refused kind is left out for the whole game",
        "lmu/refusals.py",
        "        self._kinds.clear()\n",
        "",
        f"{FOREIGN}::test_what_was_refused_is_tried_again_in_the_next_turn",
    ),
    Mutation(
        "a status told again lets what was refused be sent again",
        "lmu/client_player.py",
        "        if told == before:\n            return\n",
        "",
        f"{FOREIGN}::test_a_kind_that_was_refused_is_left_out_until_the_dice_are_rolled",
    ),
    Mutation(
        "a start without a colour",
        "lmu/client_lobby.py",
        "self._unanswered > ALONE",
        "True",
        f"{FOREIGN}::test_a_name_that_is_lost_is_said_again_and_no_start_without_a_colour",
    ),
    Mutation(
        "a client that cannot go on never says so",
        "lmu/client_player.py",
        "        if self._pauses > MAX_PAUSES:\n            self.is_over, self.failure = True, self.trouble\n"
        "            return []\n        self._is_stuck",
        "        self._is_stuck",
        f"{FOREIGN}::test_where_everything_is_refused_the_client_pauses_tries_again_and_in_the_end_says_so",
    ),
    Mutation(
        "a card is bought twice",
        "lmu/client_player.py",
        "_ONLY_ONCE = (m.BuyCard, ",
        "_ONLY_ONCE = (",
        f"{FOREIGN}::test_what_might_be_done_twice_is_not_said_again",
    ),
    Mutation(
        "who can no longer write reads no more",
        "lmu/client.py",
        "        with contextlib.suppress(OSError):  # the",
        "        with contextlib.suppress(KeyError):  # the",
        f"{FOREIGN}::test_a_client_that_can_no_longer_write_still_reads_what_has_come",
    ),
    Mutation(
        "the end is lost with the connection",
        "lmu/connection.py",
        "        self.feed_eof()\n",
        "        super().set_exception(exc)\n",
        f"{FOREIGN}::test_the_end_is_heard_though_the_connection_breaks_right_after_it",
    ),
    Mutation(
        "a client waits for the number that it had until it was known",
        "lmu/model.py",
        "            self.players.pop(self.me, None)",
        "            pass",
        "lmu/test_foreign_servers.py::test_nobody_waits_for_the_number_that_a_client_had_until_it_was_known",
    ),
    *mistakes(
        "lmu/hosting.py",
        "lmu/test_host.py::test_a_pause_holds_up_messages_until_the_host_goes_on",
        (
            "a pause lets clocks run",
            "time.monotonic() if self._stood_since is None else self._stood_since",
            "time.monotonic()",
        ),
        (
            "messages are taken in a pause",
            "        message = understood(one)\n        await self._running.wait()\n",
            "        message = understood(one)\n",
        ),
    ),
    Mutation(
        "a window that comes back does not see its turn end",
        "lmu/model.py",
        "            self.turn_of, self.is_settled = told.id, True  #",
        "            pass  #",
        "lmu/test_person.py::test_the_end_of_a_turn_that_was_come_back_to_is_seen",
    ),
    Mutation(
        "anybody may read the tokens of seats",
        "lmu/kept_seats.py",
        "0o600",
        "0o644",
        "lmu/test_kept_seats.py::test_seats_are_kept_for_their_owner_alone",
    ),
    Mutation(
        "a served game's commits are judged by nobody but their writer",
        "lmu/game.py",
        "            peer.core.author.judge = self._judge\n",
        "            peer.core.author.judge = peer.graph.check\n",
        "lmu/test_server_connection.py::test_a_commit_that_another_reader_refuses_is_not_logged",
    ),
    Mutation(
        "a lost seat is had back by name from anywhere",
        "lmu/server.py",
        "is_theirs = member.is_free and hosted.groups.get(member) == group",
        "is_theirs = member.is_free",
        "lmu/test_host.py::test_who_comes_again_from_the_same_address_has_a_lost_seat_back_by_name",
    ),
    Mutation(
        "anybody is let in without the password",
        "lmu/server.py",
        "if not secrets.compare_digest(said.encode(), password.encode()):",
        "if False:",
        "lmu/test_host.py::test_only_who_says_the_password_gets_a_seat_and_nobody_else_hears_it",
    ),
    Mutation(
        "the password is told to the others",
        "lmu/table.py",
        "return name if self.settings.password is None else without_secret(name)",
        "return name",
        "lmu/test_host.py::test_only_who_says_the_password_gets_a_seat_and_nobody_else_hears_it",
    ),
    Mutation(
        "a kicked client comes back",
        "lmu/table.py",
        "if self.is_barred(name) or self.is_barred(distinct_name(name, others)):",
        "if self.is_barred(name):",
        "lmu/test_host.py::test_who_is_kicked_under_a_name_with_a_number_comes_back_under_none_that_gives_it_again",
    ),
)
