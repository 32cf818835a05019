"""A recording that a feed fills, and the step of it that is shown, which advances with time."""

from dataclasses import replace

from ..data.feed import FeedSource, applied
from ..data.recording import GameRecording
from ..view import RecordingView, ViewSituation


class PlayClock:
    """Turns seconds into actions."""

    def __init__(self) -> None:
        self._owed = 0.0

    def actions(self, seconds: float, speed: float) -> int:
        """How many more actions to show after this many seconds, at ``speed`` actions a second."""
        # A window that was stopped for longer does not catch up.
        self._owed += min(seconds, 0.5) * speed
        due = int(self._owed)
        self._owed -= due
        return due

    def reset(self) -> None:
        """Forget the fraction of an action that is left over."""
        self._owed = 0.0


class ReplayFeed:
    """One feed, the recording of its updates so far, and the view of it."""

    def __init__(self, feed: FeedSource, view: RecordingView) -> None:
        self.feed = feed
        self.view = view
        self.recording: GameRecording | None = None
        self.situation = ViewSituation(reading="the game")
        self.start_at: str | None = None
        """The commit to show first, once it has been read."""
        self._clock = PlayClock()

    def take_updates(self, timeout_s: float | None = None) -> None:
        """Apply the updates of the feed to the recording."""
        for update in self.feed.take(timeout_s):
            shown = self._shown_commit()
            self.recording = applied(self.recording, update)
            self.situation = update.situation
            if self.recording is not None:
                self._keep_place(self.recording, shown)

    def _shown_commit(self) -> str | None:
        return self.recording.steps[self.view.index].commit if self.recording and self.recording.steps else None

    def _keep_place(self, recording: GameRecording, shown: str | None) -> None:
        """Show the same commit as before if it still exists; a live view shows the newest."""
        if self.start_at is not None:
            found = recording.find(self.start_at)
            if found:
                self.start_at = None
                self.view = replace(self.view, index=found[0], live=False)
                return
        if self.view.live:
            self.view = replace(self.view, index=recording.last, row_top=None, file_top=0)
        elif shown is not None:
            index = recording.row_of.get(shown, min(self.view.index, recording.last))
            self.view = replace(self.view, index=index)

    def tick(self, seconds: float) -> None:
        """Apply updates, and play on for this many seconds."""
        self.take_updates()
        recording = self.recording
        if not self.view.playing or recording is None:
            self._clock.reset()
            return
        due = self._clock.actions(seconds, self.view.speed)
        if due:
            index = min(recording.last, self.view.index + due)
            at_end = index == recording.last and not self.situation.following
            self.view = replace(self.view, index=index, playing=not at_end, row_top=None, file_top=0)
