"""What the window at a table shows: the current picture, and its public description."""

from catan_p2p import durations
from catan_p2p.game.actions.absence import all_awaited
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.safe_text import shown
from catan_p2p.sentences import listed
from catan_p2p.view import events as e

from ..control.control import towards
from ..data.recording import PlayedStep
from ..pictures.layout import PartLayout, layout
from ..pictures.panels.table import has_table
from ..pictures.picture import SeatPicture, picture
from ..pictures.scene import Layer, Panel, Scene
from ..pictures.shapes import Rect, Shape
from ..pictures.words import deed
from ..view import TargetId
from ..window.canvas import Canvas
from .dialogs import curtain, keys_dialog, list_dialog
from .dock import TOOLS, DockContents, DockTool, dock
from .hints import HINTS
from .history import history_dialog
from .marks import lit, proposed
from .menu import stepped
from .motion import LONGEST_S, MOVE_S, dice_panel, dice_shown, last_gains, moves_pieces, moving, newest_moving
from .rules_dialog import rules_dialog
from .screen import ClickTarget, ScreenDescription, clickable
from .session import ScreenSession
from .talk import talk_panel

_JOINED = "\N{NO-BREAK SPACE}"
FLASH_S = 1.6
_BEFORE = (3, 4)
"""How the dice lie before the first roll."""
_FLASH_STEPS = 12
_COURSE = (e.DiceCalled, e.CardCalled, e.TheftCalled, e.Revealed)
"""Steps of a joint draw, which programs take by themselves: they are no news. So are most declarations."""
_DECIDED = ("trading ended", "offer withdrawn", "special building ended")
"""The declarations that a player decides on."""
_WORDS_SHOWN, _WORDS_S = 3, 60.0
_UNSEEN_S = 10.0
"""For how long nobody asks why no commit of a player was seen."""
"""How many chat messages are shown below the news, and for how many seconds."""


class TableView:
    """A session as it looks on a canvas."""

    def __init__(self, session: ScreenSession, canvas: Canvas) -> None:
        self.session, self.canvas = session, canvas
        self.flash_s = 0.0
        """For how many more seconds the frame flashes that says it is the person's turn."""
        self._shown: int | None = None
        """The step that was shown last."""
        self._moving: int | None = None
        """The step that is being animated."""
        self._moved_s = 0.0
        """The seconds since its animation began."""

    # Pictures

    def scene(self) -> Scene:
        """The current picture."""
        session, seat, replay = self.session, self.session.seat, self.session.replay
        size, scale, measure = self.canvas.size, self.canvas.text_scale, self.canvas.renderer.fonts.width
        table = replay.recording is not None and has_table(replay.recording.constants.rules)
        parts = layout(*size, replay.view.tab, scale, table, True)
        window, em = parts.window, parts.em
        dialog = self._dialog(window, parts.seat, em)
        panels: list[Panel] = []
        state = seat.state
        if state is not None and replay.recording is not None and parts.seat is not None and not session.shown_curtain:
            found = seat.moment
            board = replay.recording.constants.board
            marks = None if seat.is_busy else lit(board, parts.island, found.places, seat.focused, seat.draft)
            places = {choice.id: choice for choice in found.places}
            pointed = places.get(replay.view.pointed or seat.focused or ())
            asked = proposed(board, parts.island, seat.colour, state, seat.draft, pointed)
            rolled = self._dice(parts)
            panels = [panel for panel in (marks, asked, rolled) if panel is not None]
            panels.append(dock(parts.seat, found, self._seen(state), seat.focused, em, measure))
            if session.dialog == "talk":
                talk = session.worker.talk
                dialog = talk_panel(talk.heard, talk.line, seat.focused, window, parts.seat, em, measure)
        moves, got = False, {}
        if replay.recording is not None and state is not None:
            index = replay.view.index
            got = last_gains(replay.recording, index) if replay.recording.steps[index].state.dice else {}
            shapes: tuple[Shape, ...] = ()
            if (at := self._moving) is not None:
                shapes = moving(replay.recording, at, self._moved_s, parts, seat.player)
                moves = at == index and self._moved_s < MOVE_S and moves_pieces(replay.recording.steps[at])
            # Also if nothing moves: a layer that is added or removed would redraw the whole window.
            panels.append(Panel(Layer("moving", window, None, shapes), ()))
        over = SeatPicture(tuple(panels), dialog, self._notes(), moves, got)
        scene = picture(replay.recording, replay.view, replay.situation, size, measure, scale, over)
        if dialog is not None and state is None:
            scene = Scene(size, scene.background, (*scene.layers, dialog.layer), dialog.targets)
        return scene

    def _dice(self, parts: PartLayout) -> Panel | None:
        """The dice, and whether a click on them rolls them."""
        session, recording = self.session, self.session.replay.recording
        assert recording is not None
        index = session.replay.view.index
        roll = next((choice for choice in session.seat.moment.choices if choice.name == "roll"), None)
        may_roll = roll is not None and not session.seat.is_busy
        faces = dice_shown(recording, index) or (_BEFORE if may_roll else None)
        rolls = self._moving is not None and isinstance(
            recording.steps[self._moving].event, e.DiceRolled | e.StartRolled
        )
        return faces and dice_panel(faces, self._moved_s if rolls else None, parts, may_roll=may_roll)

    def advance(self, seconds: float) -> PlayedStep | None:
        """Advance animations by this many seconds; returns the newest step since the last call, if there is one."""
        self.flash_s = max(0.0, self.flash_s - seconds)
        self._moved_s += seconds
        if self._moved_s >= LONGEST_S:
            self._moving = None
        replay = self.session.replay
        if replay.recording is None or replay.view.index == self._shown:
            return None
        before, self._shown = self._shown, replay.view.index
        if before is None or before > self._shown or not replay.view.live:
            self._moving = None
            return None
        found = newest_moving(replay.recording, before, self._shown)
        if found is not None and self.session.settings.motion:
            self._moving, self._moved_s = found, 0.0
        return replay.recording.steps[self._shown if found is None else found]

    def _dialog(self, window: Rect, foot: Rect | None, em: float) -> Panel | None:
        measure = self.canvas.renderer.fonts.width
        session = self.session
        if session.dialog in ("settings", "failure", "leaving"):
            return list_dialog(session.menu, session.seat.focused, window, em, measure)
        recording = session.replay.recording
        if session.dialog == "keys":
            return keys_dialog(window, em, measure)
        if session.dialog == "history" and recording is not None:
            return history_dialog(recording, session.menu, session.seat.focused, window, em, measure)
        if session.dialog == "rules" and recording is not None:
            return rules_dialog(recording.constants.rules, window, em, measure)
        return curtain(session.shown_curtain, window, foot or window, em, measure) if session.shown_curtain else None

    def _seen(self, state: State) -> DockContents:
        session, seat = self.session, self.session.seat
        found = seat.moment
        flash = round(self.flash_s / FLASH_S * _FLASH_STEPS) / _FLASH_STEPS
        notice = session.notice or "; ".join(session.worker.trouble[:1])
        is_told = seat.away.is_back or not found.is_mine
        hint = (seat.away.words[:1].upper() + seat.away.words[1:]) * is_told
        if not hint and session.settings.hints and found.hint not in session.settings.seen_hints:
            hint = HINTS.get(found.hint, "")
        return DockContents(
            seat.colour,
            seat.player,
            state,
            self._waiting(state),
            self._news() + self.words(),
            notice,
            hint,
            seat.is_played,
            flash if found.is_mine else 0.0,
            seat.is_busy,
            self.tools,
        )

    @property
    def tools(self) -> tuple[DockTool, ...]:
        """The buttons that the seat has at every moment."""
        state = self.session.seat.state
        hidden = {"say": not self.session.can_talk, "play for me": state is not None and state.is_over}
        return tuple(tool for tool in TOOLS if not hidden.get(tool.name))

    def words(self) -> tuple[tuple[str, str], ...]:
        """The latest chat messages: colours and words."""
        worker = self.session.worker
        late = [said for said in worker.talk.heard[-_WORDS_SHOWN:] if worker.clock() - said.at < _WORDS_S]
        return tuple((said.colour, f"says: {shown(said.text)}" if said.colour else shown(said.text)) for said in late)

    def _waiting(self, state: State) -> str:
        if state.is_over:
            return "The game is over"
        worker, recording = self.session.worker, self.session.replay.recording
        assert recording is not None
        own, patience_s = self.session.seat.player, state.constants.rules.patience
        waited_s = worker.clock() - worker.since

        def name(player: Player) -> str:
            is_seen = f"{recording.colour(player)}_{recording.number}" in recording.heads
            # At first nobody is, so this is said only when something may be wrong.
            return recording.name(player) + ("" if is_seen or waited_s < _UNSEEN_S else " (not seen yet)")

        who = listed(["you" if player == own else name(player) for player in all_awaited(state)])
        of = f" of {durations.agreed(patience_s)}" if state.constants.rules.leaving and patience_s else ""
        time = f"{durations.passed(waited_s)}{of}".replace(" ", _JOINED)
        return f"waiting for {who}, {time}"

    def _news(self) -> tuple[tuple[str, str], ...]:
        """What others have done since the person last acted: colours and words, the oldest first."""
        recording, player = self.session.replay.recording, self.session.seat.player
        assert recording is not None
        found: list[tuple[str, str]] = []
        for step in reversed(recording.steps[: self.session.replay.view.index + 1]):
            is_course = isinstance(step.event, e.Declared) and step.event.what not in _DECIDED
            if is_course or isinstance(step.event, _COURSE):
                continue
            if step.action is None or (step.player == player and found):
                break
            if step.player != player:
                words = deed(recording, step)
                found.append((recording.colour(step.player), words))
        return tuple(reversed(found))

    def _notes(self) -> dict[TargetId, list[str]]:
        notes: dict[TargetId, list[str]] = {("seat",): [], ("shade",): []}
        pointed = self.session.replay.view.pointed
        if pointed is not None and pointed[0] in ("point", "road", "tile") and self.session.seat.is_busy:
            notes[pointed] = []  # the click on it may be under way: no explanation lies over the place
        for tool in self.tools:
            notes["tool", tool.name] = [tool.words, f"Key {tool.key}."]
        for choice in self.session.seat.moment.choices:
            if choice.refusal:
                notes[choice.id] = [choice.words, choice.refusal.capitalize() + "."]
        return notes

    # The keyboard's focus

    def move_focus(self, dx: int, dy: int) -> bool:
        """Move the focus to the next choice in a direction; False if there is nothing to choose."""
        seat, scene = self.session.seat, self.canvas.scene
        ids = [choice.id for choice in seat.reachable]
        targets = [target for target in scene.targets if target.id in ids and target.is_button] if scene else []
        current = next((target for target in reversed(targets) if target.id == seat.focused), None)
        if current is None:
            seat.focused = stepped(ids, seat.focused, 1)
        elif (found := towards(targets, current, dx, dy)) is not None:
            seat.focused = found.id
        return bool(ids)

    # The public description

    def describe(self) -> ScreenDescription:
        """What is on the screen, for scripts."""
        session, seat = self.session, self.session.seat
        said = tuple((message.colour, shown(message.text)) for message in session.worker.talk.heard)
        over = seat.state is not None and seat.state.is_over
        if session.is_covered:
            clickables = tuple(self._clickable(item.name, item.id, (item.key,)) for item in session.menu.items)
            title = session.dialog or "curtain"
            return ScreenDescription(title, False, seat.colour, clickables, (), session.notice, over, said)
        found = seat.moment
        choices = [] if seat.is_busy else seat.reachable
        ids = [choice.id for choice in choices]
        at = ids.index(seat.focused) if seat.focused in ids else -1
        clickables = tuple(
            self._clickable(
                choice.name, choice.id, (choice.key,) if choice.key else ("Tab",) * ((i - at) % len(ids)) + ("Enter",)
            )
            for i, choice in enumerate(choices)
        )
        refusals = tuple((choice.name, choice.refusal) for choice in found.all() if choice.then is None)
        mine = found.is_mine and not seat.is_busy
        tools = tuple(self._clickable(tool.name, ("tool", tool.name), (tool.key,)) for tool in self.tools)
        return ScreenDescription(
            found.title, mine, seat.colour, clickables + tools, refusals, session.notice, over, said
        )

    def _clickable(self, name: str, id: TargetId, keys: tuple[str, ...]) -> ClickTarget:
        return clickable(self.canvas, name, id, keys)
