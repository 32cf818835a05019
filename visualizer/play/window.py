"""The window in which people play: the viewer on their own repository, and the seat below."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pygame

from catan_p2p.actions import Action
from catan_p2p.constants import Player
from catan_p2p.rules import awaited
from catan_p2p.sitting.link import Link
from catan_p2p.sitting.messages import Do, Done, Failed, Hand, Heard, Moved, Refused, Seated, SetPace, Sit, Trouble
from catan_p2p.state import State

from ..control.control import towards
from ..control.keys import press_key
from ..data.feed import Feed
from ..pictures.layout import layout
from ..pictures.panels.players import Panel
from ..pictures.panels.table import has_table
from ..pictures.picture import SeatPicture, picture
from ..pictures.scene import Scene, Target
from ..pictures.words import sentences
from ..view import TargetId, View
from ..window.screen import TITLE, Screen
from ..window.window import Window
from .dialogs import Item, curtain, keys_dialog, list_dialog, settings_items, unfinished_items
from .dock import Seen, dock, lit, proposed
from .draft import NOTHING, Choice, Draft, Wish
from .hints import HINTS
from .moment import COURSE, Moment, keeps, moment
from .reasons import reasons
from .screen import Clickable, Description
from .settings import PACES, SCALES, Settings, write_settings
from .sound import Bell

_ARROWS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}
_STAND_IN = "builder"
_FLASH_S = 1.6
_FLASH_STEPS = 12
_RESTARTS = 3
_WORDS_KEPT = 3
"""So many of the last messages of other players stand below what has happened."""
_VIEWER_KEYS = frozenset({"Home", "End", "Page Up", "Page Down", "Left", "Right", "[", "]", "F11"})


class Table:
    """Which game is played: where it lies, who of those at the screen are people, and how its peers are started."""

    def __init__(self, sit: Sit, people: Sequence[str]) -> None:
        self.sit = sit
        self.people = tuple(people)


class PlayWindow(Window):
    """A window with a seat. ``again`` makes the next table, ``unfinished`` is one that could be gone on with."""

    def __init__(
        self,
        table: Table,
        screen: Screen,
        settings: Settings,
        settings_file: Path,
        again: Callable[[], Table],
        *,
        unfinished: Table | None = None,
        opens_hands: bool = False,
        link: Callable[[Sit, Callable[[], None]], Link] = Link,
        feed: Callable[[Table], Feed] | None = None,
        fullscreen: bool = False,
    ) -> None:
        self._feed = feed or feed_of
        super().__init__(self._feed(table), View(live=True), screen, settings.scale, fullscreen)
        self.settings = settings
        self._file = settings_file
        self._again = again
        self._make_link = link
        self._unfinished = unfinished
        self._opens_hands = opens_hands
        self._bell = Bell()
        self._begin_with(table)
        self.dialog: str = "unfinished" if unfinished is not None else ""

    def _begin_with(self, table: Table) -> None:
        self.table = table
        self.link: Link | None = None
        self.colour = table.people[0]
        """Whose seat is shown."""
        self.curtain = table.people[0] if len(table.people) > 1 else ""
        """Who is to sit down before anything is shown again."""
        self.draft = NOTHING
        self.focused: TargetId | None = None
        self.played: dict[str, str] = {}
        """The seats that a policy plays for its person."""
        self.trouble: tuple[str, ...] = ()
        self.heard: tuple[tuple[str, str], ...] = ()
        """What players have said last, and who."""
        self.notice = ""
        self.failure = ""
        self.address: str | None = None
        self._busy_after: int | None = None
        self._since = time.time()
        self._flash_s = 0.0
        self._was_mine = False
        self._restarts = 0
        self._moment = Moment()
        self._moment_of: tuple[object, ...] = ()

    # Beginning and ending

    def start(self) -> None:
        """Begin to read, and to play."""
        self.feed.start()
        if self.dialog != "unfinished":
            self._sit_down()

    def _sit_down(self) -> None:
        self.link = self._make_link(replace(self.table.sit, pace_s=self.settings.pace_s), self.feed.look)

    def stop(self) -> None:
        """Stop playing, and close the window."""
        if self.link is not None:
            self.link.close()
        self.feed.stop()
        self.screen.close()

    def _change_table(self, table: Table) -> None:
        """Leave this table for another one."""
        if self.link is not None:
            self.link.close()
        self.feed.stop()
        self.recording = None
        self.view = View(live=True, tab=self.view.tab)
        self.feed = self._feed(table)
        self._begin_with(table)
        self.feed.start()
        self._sit_down()

    # What there is

    @property
    def player(self) -> Player:
        """The number of the seat that is shown."""
        assert self.recording is not None
        return next(seat.player for seat in self.recording.seats if seat.colour == self.colour)

    @property
    def state(self) -> State | None:
        """The newest state, None while there is no game yet."""
        return self.recording.steps[-1].state if self.recording is not None and self.recording.steps else None

    @property
    def is_now(self) -> bool:
        """Whether the newest step is shown."""
        return self.recording is not None and self.view.index == self.recording.last

    @property
    def moment(self) -> Moment:
        """What the person can do now."""
        state = self.state
        if state is None or self.recording is None:
            return Moment(title=self.failure or "The table is being laid")
        key = (state, self.player, self.draft, self.is_now, self.colour in self.played, self.curtain)
        if key != self._moment_of:
            self._moment_of, self._moment = key, self._new_moment(state)
        return self._moment

    def _new_moment(self, state: State) -> Moment:
        assert self.recording is not None
        names = tuple(seat.colour for seat in self.recording.seats)
        found = moment(state, self.player, names, self.draft)
        if not self.is_now:
            back = Choice(("do", "now"), "now", "Back to now", "End", Wish("now"), icon="last", is_main=True)
            return Moment(title="You look back in the game", hint="", choices=[back], is_mine=found.is_mine)
        if self.colour in self.played and not state.is_over:
            back = Choice(("do", "take back"), "take back", "I play again", "P", Wish("play for me"), is_main=True)
            return Moment(title=f"{found.title} - a computer plays for you", choices=[back], is_mine=False)
        return found

    @property
    def is_busy(self) -> bool:
        """Whether an action of the person's is on its way into the log."""
        return self._busy_after is not None

    def _own_steps(self) -> int:
        """How many steps of the person's there are."""
        assert self.recording is not None
        return sum(1 for step in self.recording.steps if step.player == self.player and step.action is not None)

    # News

    def tick(self, seconds: float) -> None:
        """Let so much time pass."""
        super().tick(seconds)
        self._veil()
        for news in self.link.take() if self.link is not None else ():
            match news:
                case Seated(_, address):
                    self.address = address
                case Moved(colour, _, since) if colour == self.colour:
                    self._since = min(time.time(), since)
                case Refused(colour, words, guards):
                    self._busy_after = None
                    ask = self._done_action
                    told = reasons(self.state, ask, guards) if guards and ask and self.state else []
                    self.notice = "; ".join(told) or words
                case Heard(colour, speaker, words) if colour == self.colour:
                    self.heard = (*self.heard[-_WORDS_KEPT + 1 :], (speaker, f"says: {words}"))
                case Trouble(lines):
                    self.trouble = lines
                case Failed(words):
                    self._fail(words)
                case Done():
                    pass
        self._follow()
        if self._flash_s > 0:
            self._flash_s = max(0.0, self._flash_s - seconds)

    def _veil(self) -> None:
        """Hide the hands of all but whoever sits here, unless they are to be open; after the game they are."""
        state = self.state
        if self.recording is not None and state is not None:
            shows = self._opens_hands or state.is_over
            hidden = frozenset() if shows else frozenset(state.constants.players) - {self.player}
            if hidden != self.recording.veiled:
                self.recording = self.recording.veil(hidden)

    _done_action: Action | None = None

    def _fail(self, words: str) -> None:
        """The peers are gone: start them again, a few times."""
        self._busy_after = None
        if self.recording is not None and self._restarts < _RESTARTS:
            self._restarts += 1
            self.table.sit = replace(self.table.sit, new=None)
            self.notice = f"{words}; it is started again"
            self._sit_down()
            for colour, policy in self.played.items():
                self._give(Hand(colour, policy))
            return
        self.failure = words
        self.dialog = "failure"

    def _follow(self) -> None:
        """Take account of the newest state: what was prepared, whose turn it is, who is to sit down."""
        state = self.state
        if state is None:
            return
        if self._busy_after is not None and self._own_steps() > self._busy_after:
            self._busy_after = None
        if not keeps(state, self.player, self.draft):
            self.draft, self.focused = NOTHING, None
        self._change_seats(state)
        mine = self.moment.is_mine and not self.is_busy and not self.curtain
        if mine and not self._was_mine:
            self._call()
        elif not mine and self._was_mine:
            self.screen.set_title(TITLE)
        self._was_mine = mine

    def _call(self) -> None:
        """It has become the person's turn."""
        self._flash_s = _FLASH_S
        self.screen.set_title(f"Your turn - {TITLE}")
        if self.settings.sound:
            self._bell.ring()

    def _change_seats(self, state: State) -> None:
        """Where several people play, the one whose move it is comes to the screen."""
        if len(self.table.people) < 2 or state.is_over or state.tp in COURSE or self.is_busy or self.recording is None:
            return
        waiting = [self.recording.colour(player) for player in awaited(state)]
        here = [colour for colour in waiting if colour in self.table.people and colour not in self.played]
        if here and self.colour not in here:
            self.curtain = here[0]

    # Pictures

    def _compose(self, size: tuple[int, int]) -> Scene:
        measure = self.renderer.fonts.width
        table = self.recording is not None and has_table(self.recording.constants.rules)
        parts = layout(*size, self.view.tab, self._text_scale, table, True)
        window, em = parts.window, parts.em
        dialog = self._dialog(window, em)
        panels: list[Panel] = []
        state = self.state
        if state is not None and self.recording is not None and parts.seat is not None:
            found = self.moment
            board = self.recording.constants.board
            marks = lit(board, parts.island, found.places, self.focused, self.draft) if not self.is_busy else None
            asked = proposed(board, parts.island, self.draft.ask)
            panels = [panel for panel in (marks, asked) if panel is not None]
            panels.append(dock(parts.seat, found, self._seen(state), self.focused, em, measure))
        seat = SeatPicture(tuple(panels), dialog, self._notes())
        scene = picture(self.recording, self.view, self.situation, size, measure, self._text_scale, seat)
        if dialog is not None and state is None:
            scene = Scene(size, scene.background, (*scene.layers, dialog.layer), dialog.targets)
        return scene

    def _dialog(self, window: object, em: float) -> Panel | None:
        measure = self.renderer.fonts.width
        if self.dialog in ("settings", "unfinished", "failure"):
            title, told, items = self._lines()
            return list_dialog(title, told, items, self.focused, window, em, measure)  # type: ignore[arg-type]
        if self.dialog == "keys":
            return keys_dialog(window, em, measure)  # type: ignore[arg-type]
        if self.curtain and self.state is not None:
            return curtain(self.curtain, window, em, measure)  # type: ignore[arg-type]
        return None

    def _lines(self) -> tuple[str, str, list[Item]]:
        """Title, sentence and lines of the dialog that is open."""
        if self.dialog == "settings":
            return "Settings", "", settings_items(self.settings)
        if self.dialog == "failure":
            items = [Item(("begin", "leave"), "leave", "Leave", "Enter", is_main=True)]
            return "The game cannot go on here", self.failure, items
        if self.dialog == "unfinished":
            name = self._unfinished.sit.path.name if self._unfinished else ""
            return "A game is not over yet", f"It was begun on {name}.", unfinished_items()
        return "", "", []

    def _seen(self, state: State) -> Seen:
        found = self.moment
        flash = round(self._flash_s / _FLASH_S * _FLASH_STEPS) / _FLASH_STEPS
        notice = self.notice or "; ".join(self.trouble[:1])
        hint = ""
        if self.settings.hints and found.hint not in self.settings.seen_hints:
            hint = HINTS.get(found.hint, "")
        return Seen(
            self.colour,
            self.player,
            state,
            self._waiting(state),
            self._news() + self.heard,
            notice,
            hint,
            self.colour in self.played,
            flash if found.is_mine else 0.0,
            self.is_busy,
        )

    def _waiting(self, state: State) -> str:
        assert self.recording is not None
        if state.is_over:
            return "The game is over"
        names = [self.recording.colour(player) for player in awaited(state)]
        who = " and ".join("you" if name == self.colour else name for name in names)
        return f"waiting for {who}, {_duration(time.time() - self._since)}"

    def _news(self) -> tuple[tuple[str, str], ...]:
        """What others have done since the person last acted, before what the person is doing now."""
        assert self.recording is not None
        found: list[tuple[str, str]] = []
        for step in reversed(self.recording.steps[: self.view.index + 1]):
            if step.action is None or (step.player == self.player and found):
                break
            if step.player != self.player:
                colour = self.recording.colour(step.player)
                found.append((colour, sentences(self.recording, step)[0].removeprefix(f"{colour} ")))
        return tuple(reversed(found))

    def _notes(self) -> dict[TargetId, list[str]]:
        notes: dict[TargetId, list[str]] = {("seat",): [], ("shade",): []}
        for choice in self.moment.choices:
            if choice.refusal:
                notes[choice.id] = [choice.words, choice.refusal.capitalize() + "."]
        return notes

    # Choosing

    def _give(self, order: Do | Hand | SetPace) -> None:
        if self.link is not None:
            self.link.give(order)

    def choose(self, choice: Choice) -> None:
        """Do what a choice leads to."""
        if self.is_busy:
            return
        self.notice = ""
        self.view = replace(self.view, notice=None)
        then = choice.then
        if then is None:
            self.notice = choice.refusal
            return
        self._learn(self.moment.hint)
        if isinstance(then, Wish):
            self.wish(then)
            return
        if isinstance(then, Draft):
            if then.ask is None or self.settings.asks:
                self.draft, self.focused = then, self._kept_focus(choice)
                return
            then = then.ask
        self._carry_out(then)

    def _kept_focus(self, choice: Choice) -> TargetId | None:
        """The keyboard's focus stays on a row of resources, elsewhere it begins anew."""
        return self.focused if choice.id == self.focused and len(choice.id) == 3 else None

    def _carry_out(self, action: Action) -> None:
        self._busy_after = self._own_steps()
        self._done_action = action
        self.draft, self.focused = NOTHING, None
        self._give(Do(self.colour, action))

    def _learn(self, hint: str) -> None:
        """A hint has been followed: it is not given again."""
        if hint in HINTS and hint not in self.settings.seen_hints:
            self.settings.seen_hints += (hint,)
            write_settings(self._file, self.settings)

    def wish(self, wish: Wish) -> None:
        """Grant what is no move in the game."""
        match wish.name:
            case "now":
                if self.recording is not None:
                    self.view = replace(self.view, index=self.recording.last, live=True, row_top=None)
            case "play for me":
                policy = None if self.colour in self.played else _STAND_IN
                self.played = {k: v for k, v in self.played.items() if k != self.colour}
                if policy is not None:
                    self.played[self.colour] = policy
                self.draft = NOTHING
                self._give(Hand(self.colour, policy))
            case "settings" | "keys":
                self.dialog, self.focused = wish.name, None
            case "leave":
                self.running = False
            case "new_game":
                self._change_table(self._again())

    # Events

    def _key(self, key: str) -> None:
        key = _SHIFTED.get(key, key)
        if self.dialog or self._curtain_is_drawn:
            self._dialog_key(key)
            return
        if self.recording is None or self._scene is None:
            if key in ("Q", "q", "Escape"):
                self.running = False
            return
        self.view = replace(self.view, pointed=None, pointer=None)
        if key in ("Tab", "Shift+Tab"):
            self._move_on(1 if key == "Tab" else -1)
        elif key in _ARROWS and self._reachable():
            self._move(*_ARROWS[key])
        elif (choice := self._chosen_by(key)) is not None:
            self.choose(choice)
        elif key in ("+", "="):
            self._set_scale(1)
        elif key == "-":
            self._set_scale(-1)
        elif key.upper() in _TOOLS_BY_KEY:
            self.wish(Wish(_TOOLS_BY_KEY[key.upper()]))
        elif key in ("L", "l"):
            self.view = press_key(self._control(self.recording, self._scene), self.view, "Tab").view
        elif key in _VIEWER_KEYS:
            self._take(press_key(self._control(self.recording, self._scene), self.view, key))

    def _chosen_by(self, key: str) -> Choice | None:
        choices = list(self.moment.all())
        if key in ("Enter", "Space"):
            if self.focused is not None:
                return next((choice for choice in choices if choice.id == self.focused), None)
            return next((choice for choice in choices if choice.is_main), None)
        spelled = key.upper() if len(key) == 1 else key
        return next((choice for choice in choices if choice.key == spelled), None)

    def _reachable(self) -> list[Choice]:
        """What the keyboard's focus can be on, in the order of Tab."""
        return [choice for choice in self.moment.all() if choice.then is not None]

    def _move_on(self, by: int) -> None:
        ids = [choice.id for choice in self._reachable()]
        if ids:
            at = ids.index(self.focused) + by if self.focused in ids else (0 if by > 0 else -1)
            self.focused = ids[at % len(ids)]

    def _move(self, dx: int, dy: int) -> None:
        """Move the focus to what lies that way."""
        assert self._scene is not None
        ids = {choice.id for choice in self._reachable()}
        targets = [target for target in self._scene.targets if target.id in ids and target.is_button]
        current = next((target for target in reversed(targets) if target.id == self.focused), None)
        if current is None:
            self._move_on(1)
        elif (found := towards(targets, current, dx, dy)) is not None:
            self.focused = found.id

    def _mouse(self, event: pygame.event.Event, control: object) -> None:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            assert self._scene is not None
            target = self._scene.target_at(*self._point(event.pos))
            if target is not None and self._click(target.id):
                return
        super()._mouse(event, control)  # type: ignore[arg-type]

    def handle(self, event: pygame.event.Event) -> None:
        """Obey one event."""
        if self.recording is None and self.dialog and event.type == pygame.MOUSEBUTTONDOWN and self._scene is not None:
            target = self._scene.target_at(*self._point(event.pos))
            if target is not None:
                self._click(target.id)
            return
        if event.type == pygame.KEYDOWN and event.mod & pygame.KMOD_SHIFT and (key := _WITH_SHIFT.get(event.key)):
            self._key(f"Shift+{key}")
            return
        super().handle(event)

    def _click(self, target: TargetId) -> bool:
        """Do what a click does; False if it is the viewer's."""
        kind = target[0]
        if kind in ("set", "begin", "curtain"):
            self._click_dialog(target)
            return True
        if kind in ("seat", "shade"):
            return True
        if kind == "tool":
            self.wish(Wish(str(target[1])))
            return True
        choice = next((choice for choice in self.moment.all() if choice.id == target), None)
        if choice is not None:
            self.choose(choice)
            return True
        if kind in ("point", "road", "tile"):
            self.notice = self._why_not_there(str(kind), int(str(target[1])))
            return True
        return kind in ("player", "lane", "hand", "card", "points", "pieces", "bonus", "wharf", "goto")

    def _why_not_there(self, kind: str, number: int) -> str:
        """Why nothing can be done at a place, where something is being looked for."""
        state = self.state
        if state is None or not self.moment.is_mine or not self.is_now:
            return ""
        from .places import refusal_at

        return refusal_at(state, self.player, self.draft, kind, number)

    # Dialogs

    @property
    def _curtain_is_drawn(self) -> bool:
        return bool(self.curtain) and self.state is not None

    def _items(self) -> list[Item]:
        """The lines of what is open."""
        if self.dialog in ("settings", "unfinished", "failure"):
            return self._lines()[2]
        if self.dialog == "keys":
            return [Item(("set", "close"), "close", "", "Enter", is_main=True)]
        return (
            [Item(("curtain", self.curtain), "sit down", "", "Enter", is_main=True)] if self._curtain_is_drawn else []
        )

    def _dialog_key(self, key: str) -> None:
        items = self._items()
        if key in ("Tab", "Down", "Shift+Tab", "Up"):
            ids = [item.id for item in items]
            step = 1 if key in ("Tab", "Down") else -1
            at = ids.index(self.focused) + step if self.focused in ids else (0 if step > 0 else -1)
            self.focused = ids[at % len(ids)]
            return
        spelled = key.upper() if len(key) == 1 else key
        if spelled in ("Enter", "Space"):
            item = next((item for item in items if item.id == self.focused), None)
            item = item or next((item for item in items if item.is_main), None)
        else:
            item = next((item for item in items if item.key == spelled), None)
        if item is not None:
            self._click_dialog(item.id)
        elif spelled == "Escape" and self.dialog in ("settings", "keys"):
            self._click_dialog(("set", "close"))

    def _click_dialog(self, target: TargetId) -> None:
        match target:
            case ("set", "close"):
                self.dialog, self.focused = "", None
            case ("set", str(name)):
                self._set(name)
            case ("begin", "leave"):
                self.running = False
            case ("begin", "go on") if self._unfinished is not None:
                self.dialog, self.focused = "", None
                self._change_table(self._unfinished)
            case ("begin", "new"):
                self.dialog, self.focused = "", None
                self._sit_down()
            case ("curtain", str(colour)):
                self.colour, self.curtain, self.focused, self.draft = colour, "", None, NOTHING

    def _set(self, name: str) -> None:
        settings = self.settings
        match name:
            case "asks":
                settings.asks = not settings.asks
            case "sound":
                settings.sound = not settings.sound
            case "hints":
                settings.hints = not settings.hints
                settings.seen_hints = ()
            case "pace":
                settings.pace_s = PACES[(PACES.index(settings.pace_s) + 1) % len(PACES)]
                self._give(SetPace(settings.pace_s))
            case "scale":
                settings.scale = SCALES[(SCALES.index(settings.scale) + 1) % len(SCALES)]
                self.scale = settings.scale
        write_settings(self._file, settings)

    def _set_scale(self, by: int) -> None:
        at = max(0, min(len(SCALES) - 1, SCALES.index(self.settings.scale) + by))
        self.settings.scale = self.scale = SCALES[at]
        write_settings(self._file, self.settings)

    # The public description

    def describe(self) -> Description:
        """What is on the screen, for scripts."""
        found = self.moment
        if self.dialog or self._curtain_is_drawn:
            items = self._items()
            clickables = tuple(self._clickable(item.name, item.id, (item.key,)) for item in items)
            return Description(self.dialog or "curtain", False, self.colour, clickables, (), self.notice, False)
        choices = [] if self.is_busy else self._reachable()
        ids = [choice.id for choice in choices]
        at = ids.index(self.focused) if self.focused in ids else -1
        clickables = tuple(
            self._clickable(
                choice.name, choice.id, (choice.key,) if choice.key else ("Tab",) * ((i - at) % len(ids)) + ("Enter",)
            )
            for i, choice in enumerate(choices)
        )
        refusals = tuple((choice.name, choice.refusal) for choice in found.all() if choice.then is None)
        over = self.state is not None and self.state.is_over
        mine = found.is_mine and not self.is_busy
        tools = tuple(self._clickable(name, ("tool", name), (key,)) for key, name in _TOOLS_BY_KEY.items())
        return Description(found.title, mine, self.colour, clickables + tools, refusals, self.notice, over)

    def _clickable(self, name: str, id: TargetId, keys: tuple[str, ...]) -> Clickable:
        x, y, w, h = 0.0, 0.0, 0.0, 0.0
        target: Target | None = self._scene.target_under(id, None) if self._scene is not None else None
        if target is not None:
            lw, lh = self._logical_size
            pw, ph = self.screen.points()
            box = target.box
            x, y, w, h = box.x * pw / lw, box.y * ph / lh, box.w * pw / lw, box.h * ph / lh
        return Clickable(name, (round(x), round(y), round(w), round(h)), keys)


def feed_of(table: Table) -> Feed:
    """Reads the repository of the first person at a table."""
    path = table.sit.path
    single = not table.sit.new and (path / ".git").exists()
    return Feed(path if single else path / table.people[0], following=True)


_WITH_SHIFT = {pygame.K_TAB: "Tab"} | {getattr(pygame, f"K_{digit}"): str(digit) for digit in range(10)}
_TOOLS_BY_KEY = {"P": "play for me", "S": "settings", "?": "keys", "Q": "leave"}
_SHIFTED = {"F1": "?", "H": "?"}


def _duration(seconds: float) -> str:
    """A while in words: ``12 s``, ``3 min``, ``2 h``, ``5 days``."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min"
    return f"{whole // 3600} h" if whole < 48 * 3600 else f"{whole // 86400} days"
