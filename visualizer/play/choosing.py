"""What a choice of the person's does, in the game and in the dialogs over it."""

from __future__ import annotations

from dataclasses import replace

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import NO_OWNER
from catan_p2p.sessions.messages import NO_DEAL, Deal, Do, Hand, Say, SetPace, deal_in

from ..view import TargetId
from .at_table import AtTable
from .dialogs import Item, settings_items, unfinished_items
from .draft import NOTHING, Choice, Draft, Wish
from .hints import HINTS
from .settings import PACES, SCALES, write_settings
from .talk import talk_items

_STAND_IN = "builder"


class Choosing(AtTable):
    """A window at a table in which something is chosen."""

    _is_opened_now = False
    """Whether the line for words was opened by an event of this frame."""

    def choose(self, choice: Choice) -> None:
        """Do what a choice leads to."""
        if self.is_busy:
            return
        self.notice = ""
        self.view = replace(self.view, notice=None)
        then, deal = choice.then, self.draft.deal
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
            then, deal = then.ask, then.deal
        self._carry_out(then, deal)

    def _kept_focus(self, choice: Choice) -> TargetId | None:
        """The keyboard's focus stays on a row of resources, elsewhere it begins anew."""
        return self.focused if choice.id == self.focused and len(choice.id) == 3 else None

    def _carry_out(self, action: Action, deal: Deal) -> None:
        state = self.state
        if deal == NO_DEAL and state is not None:
            deal = deal_in(state, action)
        self._busy_after = self._own_steps()
        self._done_action, self._done_on = action, None
        self.draft, self.focused = NOTHING, None
        self._give(Do(self.colour, action, deal))

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
            case "say" if self.can_talk:
                self.dialog, self.focused, self._is_opened_now = "talk", None, True
            case "leave":
                self.running = False
            case "new_game":
                self._change_table(self._again())

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
        if self.dialog == "talk":
            return talk_items()
        return (
            [Item(("curtain", self.curtain), "sit down", "", "Enter", is_main=True)] if self._curtain_is_drawn else []
        )

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

    def _type(self, text: str) -> None:
        """Add to the line; what has just opened it is no part of it."""
        if self.dialog == "talk" and not self._is_opened_now:
            typed = self.line.typed + "".join(letter for letter in text if letter.isprintable())
            self.line = self.line._replace(typed=typed[: self.line.most], problem="")

    def _say(self) -> None:
        text, self.line = self.line.typed.strip(), self.line._replace(typed="", problem="")
        if text:
            self._give(Say(self.colour, text))

    def _talk_key(self, key: str) -> bool:
        """Keys of the line in which one types; the others are letters, which come as text."""
        if key == "Backspace":
            self.line = self.line._replace(typed=self.line.typed[:-1], problem="")
        return key in ("Enter", "Escape", "Tab", "Shift+Tab")

    def _dialog_key(self, key: str) -> None:
        if self.dialog == "talk" and not self._talk_key(key):
            return
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
            case ("set" | "talk", "close"):
                self.dialog, self.focused = "", None
            case ("talk", "send"):
                self._say()
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
                self._proposed_to = NO_OWNER

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
