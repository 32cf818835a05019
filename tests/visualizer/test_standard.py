"""Games of the whole rule book: rolls for the start, offers and answers, special building, the large island."""

from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game.board import board_of, draw_map
from catan_p2p.game.board.openings import beginners_opening
from catan_p2p.game.cards import RESOURCES, describe, pack, unpack
from catan_p2p.game.constants import BRIEF, Constants, profile
from catan_p2p.game.state import Offer, State
from catan_p2p.log.refs import COLOURS
from tests.visualizer.data.test_repository import read
from tests.visualizer.games import WrittenGame, random_actions, recorded, seats
from tests.visualizer.pictures.test_picture import check
from tests.visualizer.pictures.test_words import git_changes
from visualizer.data.graph import edges_into, lane_of
from visualizer.data.recording import GameRecording, PlayedStep
from visualizer.drawing.fonts import FontSet
from visualizer.pictures.explain import TargetExplainer
from visualizer.pictures.layout import layout
from visualizer.pictures.panels.table import has_table, table_panel
from visualizer.pictures.picture import picture
from visualizer.pictures.scene import Layer
from visualizer.pictures.shapes import Sprite, Text
from visualizer.pictures.words import changed_files, deed, phase
from visualizer.view import RecordingView, ViewSituation

FOUR = Constants(BRIEF, player_count=4)
SIX = Constants(profile("brief", 6), board_of(draw_map("large", Random(5))), 6)
LENGTH = 420


@pytest.fixture(scope="module")
def four() -> GameRecording:
    """The start of a game in which two tie for the start, Blue begins, and a card is played before the dice."""
    return recorded(FOUR, 23, title="Catan_0", most=LENGTH)


@pytest.fixture(scope="module")
def six() -> GameRecording:
    """The start of a game of six on the large island; Green begins."""
    return recorded(SIX, 7, title="Catan_0", most=LENGTH)


def where(recording: GameRecording, *phases: str) -> list[PlayedStep]:
    return [step for step in recording.steps if step.state.tp in phases]


def of_each_phase(recording: GameRecording) -> list[int]:
    """The last step in every phase, and of the answers the first, and a trade that was made."""
    last = {(step.state.sup, step.state.tp): step.index for step in recording.steps}
    asked = where(recording, "Offering")[-1].index
    made = next(step.index for step in recording.steps if isinstance(step.action, a.ConcludeTrade))
    return sorted({0, *last.values(), asked - 1, made})


def texts(layer: Layer) -> list[str]:
    return [shape.text for shape in layer.shapes if isinstance(shape, Text)]


def signs(layer: Layer) -> list[str]:
    """Badges by colour and icons by name, from left to right."""
    sprites = sorted((shape for shape in layer.shapes if isinstance(shape, Sprite)), key=lambda shape: shape.x)
    return [str(shape.name[1]) for shape in sprites]  # type: ignore[index]


def strip(recording: GameRecording, state: State, fonts: FontSet) -> Layer:
    parts = layout(640, 480, table=True)
    assert parts.table is not None
    return table_panel(recording.seats, state, parts.table, parts.em, fonts.width).layer


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("size", [(640, 480), (1280, 800), (900, 1600), (3840, 2160)])
def test_nothing_overlaps_in_any_phase(
    four: GameRecording, six: GameRecording, fonts: FontSet, size: tuple[int, int]
) -> None:
    for recording, tab in product((four, six), ("players", "log")):
        for index in of_each_phase(recording):
            view = RecordingView(index=index, tab=tab)  # type: ignore[arg-type]
            check(picture(recording, view, ViewSituation(), size, fonts.width), fonts)


@pytest.mark.long
@pytest.mark.parametrize("size", [(640, 480), (1280, 800), (3840, 2160)])
def test_the_largest_offer_to_all_others_fits(six: GameRecording, fonts: FontSet, size: tuple[int, int]) -> None:
    state = six.steps[-1].state
    offer = Offer(pack((1, 1, 1, 1, 0)), pack((0, 0, 0, 0, 4)))
    full = recorded(SIX, 7, most=8)
    answers = ("none", "asked", "accept", "reject", "accept", "asked")
    offering = state._replace(tp="Offering", offer=offer, ans=answers, ap=1)
    full.append(PlayedStep("f" * 40, (full.steps[-1].commit,), "Red_0", None, offering))
    scene = picture(full, RecordingView(index=full.last), ViewSituation(), size, fonts.width)
    check(scene, fonts)
    table = next(layer for layer in scene.layers if layer.name == "table")
    assert len([sign for sign in signs(table) if sign in COLOURS]) == 6


def test_games_by_the_thesis_rules_have_no_strip(game: GameRecording, fonts: FontSet) -> None:
    assert not has_table(game.constants.rules)
    scene = picture(game, RecordingView(index=300), ViewSituation(), (1280, 800), fonts.width)
    assert "table" not in [layer.name for layer in scene.layers]
    assert layout(1280, 800, table=True).island.h < layout(1280, 800).island.h


def test_the_standing_offer_and_every_answer_are_shown(six: GameRecording, fonts: FontSet) -> None:
    for step in where(six, "Offering"):
        state = step.state
        shown = signs(strip(six, state, fonts))
        give, receive = ([name for name, n in zip(RESOURCES, unpack(cards), strict=True) if n] for cards in state.offer)
        asked = [seat for seat in six.seats if state.ans[seat.player - 1] != "none"]
        answers = [sign for seat in asked for sign in (seat.colour, state.ans[seat.player - 1])]
        assert shown == [six.colour(state.ap), *give, *receive, *answers]
        told = phase(six, state)
        assert all((seat.colour in told) == (state.ans[seat.player - 1] == "asked") for seat in six.seats)


def test_the_rolls_for_the_start_are_shown_until_somebody_begins(four: GameRecording, fonts: FontSet) -> None:
    rolling = [step for step in four.steps if step.state.sup == "Rolling"]
    assert [texts(strip(four, step.state, fonts))[1:] for step in rolling[:5]] == [
        ["…", "…", "…", "…"],
        [str(four.steps[1].state.rolls[0]), "…", "…", "…"],
        [*map(str, four.steps[2].state.rolls[:2]), "…", "…"],
        [*map(str, four.steps[3].state.rolls[:3]), "…"],
        ["out" if roll else "…" for roll in four.steps[4].state.rolls],
    ]
    told = [deed(four, step) for step in four.steps if isinstance(step.action, a.RollForStart)]
    assert told[3].endswith("rolls again")
    assert told[-1].endswith("; Blue begins")
    begun = four.steps[len(told)].state
    assert begun.first == 2
    assert signs(strip(four, begun, fonts)) == ["Blue"]


def test_special_building_names_the_builder_and_who_rolls_next(six: GameRecording, fonts: FontSet) -> None:
    for step in where(six, "SpecialBuilding"):
        state = step.state
        assert signs(strip(six, state, fonts)) == [six.colour(state.sb), six.colour(state.next_player(state.ap))]
        assert six.colour(state.ap) in phase(six, state)
        scene = picture(six, RecordingView(index=step.index), ViewSituation(), (1280, 800), fonts.width)
        header = next(layer for layer in scene.layers if layer.name == "header")
        assert any(text.startswith(f"{six.colour(state.sb)}: special building") for text in texts(header))
    assert where(six, "SpecialBuilding")


def test_cards_played_this_turn_are_counted(four: GameRecording, fonts: FontSet) -> None:
    for step in where(four, "DiceRoll", "TradingBuilding"):
        assert f"{step.state.pd} of 1 played" in texts(strip(four, step.state, fonts))
        assert ("1 card played" in phase(four, step.state)) == (step.state.pd == 1)
    assert {step.state.pd for step in four.steps} == {0, 1}


def test_a_card_before_the_dice_belongs_to_the_turn_that_it_begins(four: GameRecording) -> None:
    rolls, early = 0, 0
    for before, step in pairwise(four.steps):
        rolls += isinstance(step.action, a.RollDice)
        is_early = before.state.tp == "DiceRoll" and not isinstance(step.action, a.RollDice)
        assert four.turns[step.index] == rolls + is_early
        early += is_early
    assert early
    assert any(isinstance(step.action, a.PlayKnight) for step in four.steps)


def test_turns_end_where_somebody_else_is_next(four: GameRecording, six: GameRecording) -> None:
    for recording in (four, six):
        for before, step in pairwise(recording.steps):
            old, new = before.state, step.state
            passes = isinstance(step.action, a.EmptyBuild) or new.tp == "bot" or old.tp == "bot"
            assert (step.index in recording.turn_ends) == passes, step
        rounds = [recording.steps[index].state for index in recording.round_ends[3:]]
        assert rounds
        assert all(state.ap == state.first and state.tp == "DiceRoll" for state in rounds)


def test_answers_have_lanes_of_their_own_and_the_trade_merges_them(six: GameRecording) -> None:
    merges = [step for step in six.steps if isinstance(step.action, a.ConcludeTrade | a.WithdrawTrade)]
    assert {type(step.action) for step in merges} == {a.ConcludeTrade, a.WithdrawTrade}
    for step in merges:
        offer = next(s for s in reversed(six.steps[: step.index]) if isinstance(s.action, a.OfferTrade))
        answers = six.steps[offer.index + 1 : step.index]
        assert all(isinstance(answer.action, a.AnswerTrade) for answer in answers)
        assert [lane_of(six, answer) for answer in answers] == [6 + i for i in range(len(answers))]
        assert all(answer.branch == f"{offer.commit}_answer_{six.colour(answer.player)}_0" for answer in answers)
        by_seat = sorted(answers, key=lambda answer: answer.player)
        assert step.parents == (offer.commit, *(answer.commit for answer in by_seat))
        assert [edge.late for edge in edges_into(six, step.index)] == [False, *[True] * len(answers)]
    assert six.most_replies == 5


def test_a_trade_is_told_with_its_cards_and_marked_on_the_timeline(four: GameRecording) -> None:
    made = [step for step in four.steps if isinstance(step.action, a.ConcludeTrade)]
    assert [mark.index for mark in four.marks if mark.kind == "trade"] == [step.index for step in made]
    for step in made:
        offered = next(s for s in reversed(four.steps[: step.index]) if isinstance(s.action, a.OfferTrade))
        give, receive = (describe(getattr(offered.action, side)) for side in ("give", "receive"))
        assert deed(four, step) == f"trades {give} with {four.colour(step.action.partner)} for {receive}"  # type: ignore[union-attr]


def test_everything_that_can_be_pointed_at_is_explained(
    four: GameRecording, six: GameRecording, fonts: FontSet
) -> None:
    for recording in (four, six):
        for index in of_each_phase(recording):
            view = RecordingView(index=index)
            explainer = TargetExplainer(recording, view, ViewSituation())
            for target in picture(recording, view, ViewSituation(), (1280, 800), fonts.width).targets:
                lines = explainer.lines(target.id)
                assert lines and all(lines), target.id


def test_a_written_game_reads_as_it_was_played_and_names_the_files_that_git_names(tmp_path: Path) -> None:
    constants = Constants(BRIEF, player_count=3, opening=beginners_opening(COLOURS[:3]))
    actions = random_actions(constants, 4, most=60)
    written = WrittenGame(tmp_path / "game", constants)
    written.write(*actions)
    written.close()
    recording = read(written.path)
    assert [step.action for step in recording.steps] == [None, *actions]
    assert recording.seats == tuple(seats(3))
    answers = [step for step in recording.steps if isinstance(step.action, a.AnswerTrade)]
    assert answers
    assert all("_answer_" in step.branch for step in answers)
    for index in (0, 1, answers[0].index - 1, answers[0].index, recording.last):
        named = {change.path for change in changed_files(recording, index)}
        assert named == git_changes(written.path, written.commits[index]), index
    (offer,) = (change for change in changed_files(recording, answers[0].index - 1) if change.path.endswith("/offer"))
    assert offer.summary.startswith("give nothing to ")


@pytest.mark.parametrize("size", [(640, 480), (1280, 800), (900, 1600)])
def test_an_explanation_of_the_offer_does_not_cover_it(
    six: GameRecording, fonts: FontSet, size: tuple[int, int]
) -> None:
    index = where(six, "Offering")[-1].index
    scene = picture(six, RecordingView(index=index), ViewSituation(), size, fonts.width)
    (target,) = (target for target in scene.targets if target.id == ("offer",))
    view = RecordingView(index=index, pointed=("offer",), pointer=target.box.center)
    layers = {layer.name: layer for layer in picture(six, view, ViewSituation(), size, fonts.width).layers}
    assert not layers["tooltip"].area.overlaps(layers["table"].area)
