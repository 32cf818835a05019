"""A public view in the viewer: what is certain is shown, what is open is told."""

from itertools import product
from pathlib import Path

import pytest

from catan_p2p.game.cards import RESOURCES
from catan_p2p.notation import NotationFinding, import_game, in_order_of_play, write_view
from catan_p2p.view.events import BanditMoved, DiceRolled, TurnEnded, VillageBuilt
from tests.notation import samples
from tests.notation.stories import SETUP
from visualizer.data.feed import GameReader, applied
from visualizer.data.public_view import REMARK
from visualizer.data.recording import GameRecording
from visualizer.pictures.explain import TargetExplainer
from visualizer.pictures.picture import picture
from visualizer.pictures.shapes import Text
from visualizer.pictures.words import sentence
from visualizer.view import RecordingView, ViewSituation

BODY = "red rolls 7\nred moves robber to 1, steals from blue\nred ends turn after 9s\nblue rolls 9\n"


@pytest.fixture
def view(tmp_path: Path) -> Path:
    text = samples.written([samples.start(2)], "catan") + SETUP + BODY
    imported = import_game(list(in_order_of_play(samples.read_back(text, "catan"))), "catan", None)
    write_view(tmp_path / "view", imported.view, "test")
    return tmp_path / "view"


def shown(path: Path) -> tuple[GameRecording, ViewSituation]:
    reader = GameReader(path, None, following=False)
    update = reader.refresh()
    assert update is not None
    recording = applied(None, update)
    assert recording is not None
    assert reader.refresh() is None  # nothing new
    reader.close()
    return recording, update.situation


def test_every_event_is_a_step(view: Path) -> None:
    recording, situation = shown(view)
    assert len(recording) == 1 + len((SETUP + BODY).splitlines())
    assert situation.problem is None
    assert situation.remark == REMARK
    kinds = [type(step.action) for step in recording.steps]
    assert kinds[1] is VillageBuilt and kinds[3] is TurnEnded and kinds[13] is DiceRolled and kinds[14] is BanditMoved


def test_what_is_open_is_told(view: Path) -> None:
    recording, _ = shown(view)
    told = "Red moves the bandit to mountains 10 and steals a card from Blue"
    assert sentence(recording, recording.steps[14]) == told
    assert sentence(recording, recording.steps[16]) == "Blue rolls 9; Red gains 1 Lumber"


def test_hands_show_what_is_certain(view: Path) -> None:
    recording, _ = shown(view)
    before, after = recording.steps[13].state, recording.steps[14].state
    assert before.h[1].rc != 0
    assert after.h[1].rc == 0  # any one of Blue's three different cards may be gone
    assert after.h[0].rc == before.h[0].rc


def test_steps_have_the_ids_of_their_commits(view: Path) -> None:
    recording, _ = shown(view)
    assert len({step.commit for step in recording.steps}) == len(recording)
    assert all(len(step.commit) == 40 for step in recording.steps)
    assert recording.steps[5].parents == (recording.steps[4].commit,)
    assert recording.heads == dict.fromkeys(("Red_0", "Blue_0"), recording.steps[-1].commit)


def test_open_hands_are_shown_as_ranges_and_unknown_cards_as_unknown(tmp_path: Path) -> None:
    """After the theft Red holds 4 cards, 1 or 2 of them lumber; nobody says which card was bought."""
    body = BODY + "blue ends turn after 1s\nred rolls 8\nred ends turn after 1s\nblue rolls 10\nblue buys dev card\n"
    text = samples.written([samples.start(2)], "catan") + SETUP + body
    findings: list[NotationFinding] = []
    events = list(in_order_of_play(samples.read_back(text, "catan")))
    write_view(tmp_path / "view", import_game(events, "catan", None, findings).view, "test")
    recording, situation = shown(tmp_path / "view")
    after = recording.steps[14].known.hand(1)
    assert str(after.number) == "4" and str(after.kinds[0]) == "0-1"
    last = recording.steps[-1].known
    assert [last.unknown(player) for player in last.players] == [0, 1]
    view = RecordingView(index=len(recording) - 1)
    scene = picture(recording, view, situation, (1280, 800), lambda text, size, bold=False: 0.6 * size * len(text))
    told = [shape.text for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text)]
    assert "1 unknown" in told
    assert str(last.hand(1).kinds[0]) in told


def test_a_change_of_a_hand_is_told_where_both_numbers_are_known(tmp_path: Path) -> None:
    """What Blue pays after a theft says which card it was, so that Red's hand is known again with the next gain."""
    body = BODY + "blue buys road, builds at (10 NE)\nblue ends turn after 1s\nred rolls 4\n"
    text = samples.written([samples.start(2)], "catan") + SETUP + body
    events = list(in_order_of_play(samples.read_back(text, "catan")))
    write_view(tmp_path / "view", import_game(events, "catan", None, []).view, "test")
    recording, situation = shown(tmp_path / "view")
    closed = 0
    for index in range(1, len(recording)):
        explainer = TargetExplainer(recording, RecordingView(index=index), situation)
        for player, (at, name) in product((1, 2), enumerate(RESOURCES)):
            old, new = (recording.steps[i].known.hand(player).kinds[at] for i in (index - 1, index))
            told = [line for line in explainer.lines(("hand", player, name)) if line.endswith("in this step.")]
            closed += new.is_exact and not old.is_exact
            assert told == [] or (old.is_exact and told == [f"{new.low - old.low:+d} in this step."])
    assert closed > 2


def test_a_view_that_another_one_replaces_is_read_on(tmp_path: Path) -> None:
    def write(path: Path, body: str) -> None:
        text = samples.written([samples.start(2)], "catan") + SETUP + body
        imported = import_game(list(in_order_of_play(samples.read_back(text, "catan"))), "catan", None)
        write_view(path, imported.view, "test")

    write(tmp_path / "view", "red rolls 6\n")
    reader = GameReader(tmp_path / "view", None, following=True)
    first = reader.refresh()
    assert first is not None
    write(tmp_path / "longer", "red rolls 6\nred ends turn after 9s\nblue rolls 9\n")
    (tmp_path / "view").rename(tmp_path / "old")
    reader.refresh()  # for a moment there is none
    (tmp_path / "longer").rename(tmp_path / "view")
    update = reader.refresh()
    reader.close()
    assert update is not None
    recording = applied(applied(None, first), update)
    assert recording is not None
    assert (update.kept, len(update.commits)) == (len(first.commits), 2)
