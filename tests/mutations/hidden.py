"""Checks of hidden hands that are left out: each lets a liar through."""

from tests.mutations.mutation import GUARD, Mutation, mistakes

_LOG = "hidden/test_log.py::test_{}"
_LEAVING = "hidden/test_leaving.py::test_{}"
_LIES = "simulation/laboratory/test_hidden.py::test_a_lie_about_cards_costs_the_seat[{}]"
_TOLD_TWICE = "hidden/test_told_twice.py::test_a_card_is_not_sold_whose_share_was_told_on_another_side"
_APART = "hidden/test_noninterference.py::test_nobody_else_can_tell_hidden_cards_apart[{}]"
_SHARES = _LOG.format("a_share_where_a_card_is_opened_and_none_where_dice_are_thrown_are_refused")

HIDDEN: tuple[Mutation, ...] = (
    Mutation(
        "more is told than an action needs",
        "log/vault.py",
        "        if self._data:",
        "        if False:",
        _LOG.format("without_its_proof_or_with_more_a_commit_is_refused"),
    ),
    Mutation(
        "a card of the deck is shown twice, or in the turn in which it was bought",
        "log/vault.py",
        "if number not in pile(hoard, entry.action):",
        "if False:",
        _LOG.format("a_card_shown_before_or_bought_in_the_same_turn_is_not_shown"),
    ),
    Mutation(
        "any card is played as a knight",
        "log/vault.py",
        "if kind is None or DEV_CARDS[kind] != card:",
        "if kind is None:",
        _LOG.format("a_card_of_another_kind_is_not_shown"),
    ),
    Mutation(
        "a robber tells another place than was chosen",
        "log/vault.py",
        "if (wrong := place_problem(occasion, choosing.choice, choosing.size, place, proof)) is not None:",
        "if (wrong := None) is not None:",
        _LOG.format("another_place_than_the_chosen_one_is_refused"),
    ),
    Mutation(
        "nobody has to tell a share of the dice",
        "log/lottery.py",
        "isinstance(action, Reveal) and (share is None) == is_shared(before):",
        "False:",
        _SHARES,
    ),
    Mutation(
        "any key opens the cards after the end",
        "log/vault.py",
        "if not self.is_pledged(player, key):",
        "if False:",
        "hidden/test_opened.py::test_another_key_than_that_of_the_pledge_is_refused",
    ),
    Mutation(
        "cards are opened at the first sight of an end",
        "game/actions/sign_end.py",
        "if any(due) else",
        "if False else",
        "simulation/laboratory/test_hidden.py::test_who_alone_is_shown_an_end_tells_no_key[9]",
    ),
    Mutation(
        "nobody is excused who does not sign the end",
        "replication/voting.py",
        'if is_here and replica.graph.state.tp != "top":',
        "if is_here and not replica.graph.state.is_over:",
        "hidden/test_signed_end.py::test_a_game_is_closed_without_who_is_silent_at_its_end[signer]",
    ),
    Mutation(
        "the game key does not follow from the pledge",
        "sealing/transcript.py",
        "*([nonce] if nonce else [])",
        "*()",
        "hidden/test_game_keys.py::test_two_games_from_one_root_with_one_private_key_have_nothing_in_common",
    ),
    Mutation(
        "who pledged by older rules cannot go on",
        "replication/own_cards.py",
        "key if vault.is_pledged(self._player, key) else self._key_for(None)",
        "key",
        "hidden/test_game_keys.py::test_who_pledged_without_the_nonce_in_the_key_goes_on",
    ),
    Mutation(
        "a game is read as open whose cards somebody keeps",
        "log/opened.py",
        "    if closed:",
        "    if False:",
        "hidden/test_opened.py::test_who_has_not_opened_is_named",
    ),
    Mutation(
        "a shuffle of the rest strips what it likes",
        "sealing/deck.py",
        """        if holds(about, _stripping(cards, point, shares), 1, reader.take(proof_bytes(1))):""",
        """        if reader.take(proof_bytes(1)):""",
        _LEAVING.format("a_piece_is_off_the_deck_only_if_the_proof_holds"),
    ),
    Mutation(
        "any number is told as a piece of a key",
        "log/vault.py",
        "if not 0 < piece < ORDER or times(piece, BASE) != self.of(giver).given[owner]:",
        "if not 0 < piece < ORDER:",
        _LEAVING.format("forged_shuffles_of_a_rest_are_refused"),
    ),
    Mutation(
        "a key that nobody can do without",
        "log/vault.py",
        "            if self.unlike(player):",
        "            if False:",
        _LEAVING.format("a_key_that_is_not_the_sum_of_its_pieces_shuffles_nothing"),
    ),
    Mutation(
        "a robber accuses a victim who has told the card",
        "sealing/theft.py",
        "    if uncovered(occasion, told, accused) is not None:",
        "    if False:",
        _LEAVING.format("a_false_accusation_is_refused"),
    ),
    Mutation(
        "another choice shows a lie",
        "sealing/theft.py",
        "    if accused.point() != choice:",
        "    if False:",
        _LEAVING.format("a_victim_who_covers_false_openings_is_accused"),
    ),
    Mutation(
        "a true piece is a lie",
        "log/vault.py",
        "if piece == self.of(absent).given[player] else None",
        "if False else None",
        _LEAVING.format("a_true_piece_of_a_key_is_no_lie"),
    ),
    Mutation(
        "two leave at once, and the deck is sold",
        "game/actions/absence.py",
        "and absent >= state.to_act",
        "and False",
        _LEAVING.format("who_leaves_while_the_rest_is_shuffled_takes_the_deck_along"),
    ),
    Mutation(
        "a card that was called for is sold to another",
        "log/vault.py",
        "            shares = {**shares, self.next_card: told}",
        "            pass",
        _LEAVING.format("play_goes_on_without_a_player_in_every_phase"),
    ),
    Mutation(
        "a robber does not show that the victim has lied",
        "replication/own_cards.py",
        "rules.leaving and self._uncovered(vault) is None:",
        "rules.leaving and False:",
        _LIES.format("opening"),
    ),
    Mutation(
        "a player does not show that a piece of their key is false",
        "replication/own_cards.py",
        "            giver = self.false_giver(state, vault)",
        "            giver = None",
        _LIES.format("piece"),
    ),
    Mutation(
        "a robber who is slow claims the game of a victim who has answered",
        "replication/core/voter.py",
        "if other != me and is_awaited(graph.state, other)]",
        "if other != me]",
        "simulation/laboratory/test_hidden.py::test_a_robber_who_takes_another_card_does_not_get_the_game",
    ),
    Mutation(
        "a relay is charged with a lie about cards",
        "replication/core/refusals.py",
        '"seal", "tree"',
        '"tree"',
        _LIES.format("payment"),
    ),
    Mutation(
        "the dates of commits tell of the hand",
        "replication/peer.py",
        "self._clock(self.graph.next_height(self.player)), share,",
        "self._clock(self.graph.next_height(self.player)) + (self._own.cards(self.graph.line.vault) % 7), share,",
        _APART.format("another player"),
    ),
    Mutation(
        "what a relay keeps tells of the hand",
        "replication/peer.py",
        "                if store.own_ref(ref) == old:",
        "                if store.own_ref(ref) == old and self._own.cards(self.graph.line.hearing_all().vault) % 2:",
        _APART.format("a relay"),
    ),
    Mutation(
        "a purchase goes on whose share a liar owes",
        "game/actions/absence.py",
        "and state.due[absent - 1]",
        "and False",
        _TOLD_TWICE,
    ),
    Mutation(
        "the shares of a dropped purchase count for the next one",
        "log/vault.py",
        "if is_buyer or is_purchase_dropped(before, absent):",
        "if is_buyer:",
        _TOLD_TWICE,
    ),
    Mutation(
        "a reply about hidden cards is written a second time",
        "replication/told_shares.py",
        "            if isinstance(entry.action, Reveal) and entry.share is None:",
        "            if False:",
        _LEAVING.format("a_reply_on_a_side_that_is_left_is_not_written_a_second_time"),
    ),
    Mutation(
        "more sealed cards are paid than there are",
        "game/hidden.py",
        "    if left < 0:",
        "    if False:",
        GUARD,
    ),
    *mistakes(
        "replication/own_cards.py",
        "hidden/test_known.py::test_a_player_lacks_just_what_they_do_not_hold",
        ("a person pays with sealed cards that they do not hold", 'return ("HI2 held",)', "pass"),
        (
            "a person plays a development card that they do not hold",
            'return () if count(held, card) else ("HI1 shown",)',
            "return ()",
        ),
    ),
    Mutation(
        "the window counts own development cards among those of the bank",
        "replication/known_cards.py",
        "bank.dc - bought - held",
        "bank.dc - bought",
        "hidden/test_known.py::test_what_is_known_of_a_hand_bounds_what_it_holds",
    ),
)
"""Mistakes in what hidden hands add to the log and to the game."""
