"""What actions call, by room: each command is short, and lets the open project do the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from app.ui.kit.context import Kit
from app.ui.kit.theme import Choice
from app.words import tr

if TYPE_CHECKING:
    # The song and its database are slow to import; the window is shown before them.
    from agent.song.locks import Lock
    from app.desktop.open_project import OpenProject
    from app.studio.undo import Walk
    from app.ui.plan.table_actions import PlanAction
    from app.ui.shell.views import HistoryActs, TimelineActs


class FileActs(Protocol):
    """What the File menu does."""

    def new(self) -> None: ...
    def start_page(self) -> None: ...
    def choose_project(self) -> None: ...
    def choose_midi(self) -> None: ...
    def choose_import(self) -> None: ...
    def export(self) -> None: ...


class WindowActs(Protocol):
    """What is done with the window itself."""

    example: Callable[[int], None]

    def quit(self) -> None: ...
    def overlay(self) -> None: ...
    def theme(self, choice: Choice) -> None: ...
    def focus(self, part: str) -> None: ...
    def next_part(self, step: int) -> None: ...
    def toggle(self, dock: str) -> None: ...
    def follow(self) -> None: ...
    def reset_layout(self) -> None: ...
    def full_screen(self) -> None: ...
    def find_command(self) -> None: ...
    def locks(self) -> None: ...
    def undo_list(self) -> None: ...
    def shortcuts(self) -> None: ...
    def settings(self, page: str = "") -> None: ...
    def show_logs(self) -> None: ...
    def about(self) -> None: ...


class Bench(Protocol):
    """The open project and its parts, as they are when a command is given."""

    @property
    def opened(self) -> OpenProject: ...
    @property
    def timeline(self) -> TimelineActs: ...
    @property
    def plan(self) -> Callable[[PlanAction], None]: ...
    @property
    def iterations(self) -> HistoryActs | None: ...
    @property
    def in_plan(self) -> bool: ...
    def attach(self) -> None: ...


class EditCommands:
    """Undo and redo, and what is done with the selection."""

    def __init__(self, bench: Bench, kit: Kit) -> None:
        self._bench = bench
        self._kit = kit

    @property
    def timeline(self) -> TimelineActs:
        """What the timeline itself does."""
        return self._bench.timeline

    def undo(self) -> None:
        """Take the last change back, as a new version."""
        self._walk("undo")

    def redo(self) -> None:
        """Bring back what was taken back last."""
        self._walk("redo")

    def _walk(self, way: Walk) -> None:
        """One step, after those that are on their way; at the end of the way the status line says so."""
        from app.desktop.versions.versions import NothingLeft

        opened = self._bench.opened

        async def step() -> None:
            try:
                await (opened.versions.undo() if way == "undo" else opened.versions.redo())
            except NothingLeft:
                none = tr("There is nothing to undo") if way == "undo" else tr("There is nothing to redo")
                opened.focus.refused.set(none)

        self._kit.tasks.start(step(), "window")

    def select_all(self) -> None:
        """All clips; in the plan all rows, as approved."""
        if self._bench.in_plan:
            self._bench.plan("approve all")
        else:
            self._bench.timeline.select_all()

    def rename(self) -> None:
        """The current clip or track; in the plan the current row is edited."""
        if self._bench.in_plan:
            self._bench.plan("edit")
        else:
            self._bench.timeline.rename_selected()

    def compare(self) -> None:
        """Compare the iterations that are selected in the history."""
        if self._bench.iterations is not None:
            self._bench.iterations.compare_selected()

    def restore(self) -> None:
        """Make the selected iteration the newest one."""
        if self._bench.iterations is not None:
            self._bench.iterations.restore_selected()

    def branch(self) -> None:
        """Go on from the selected iteration, in a branch."""
        if self._bench.iterations is not None:
            self._bench.iterations.branch_selected()

    def lock_track(self) -> None:
        """Lock the chosen track, or let it go."""
        from agent.song.locks import TrackLock

        track = self._bench.opened.focus.track.value
        self._toggle(() if track is None else (TrackLock(track),))

    def lock_clips(self) -> None:
        """Lock the chosen clips, or let them go where all of them are locked."""
        from app.desktop.edits.locking import clip_locks

        opened = self._bench.opened
        self._toggle(clip_locks(opened.focus.clips.value, opened.workspace.song))

    def lock_bars(self) -> None:
        """Lock the chosen stretch of bars, or let it go."""
        from app.desktop.edits.locking import bars_lock

        self._toggle(bars_lock(self._bench.opened.focus.bars.value))

    def keep_locks(self, locks: tuple[Lock, ...]) -> None:
        """Have exactly these locks from now on."""
        self._kit.tasks.start(self._bench.opened.lock(locks), "timeline")

    def _toggle(self, wanted: tuple[Lock, ...]) -> None:
        from app.desktop.edits.locking import toggled

        if wanted:
            self.keep_locks(toggled(self._bench.opened.locks.value, wanted))


class PlanCommands:
    """From a request to a run."""

    def __init__(self, bench: Bench, kit: Kit) -> None:
        self._bench = bench
        self._kit = kit

    @property
    def act(self) -> Callable[[PlanAction], None]:
        """Does an action of the plan itself."""
        return self._bench.plan

    @property
    def in_front(self) -> bool:
        """Whether the plan has the keyboard, and nothing is being written there."""
        return self._bench.in_plan and not isinstance(QApplication.focusWidget(), QLineEdit | QPlainTextEdit)

    def attach(self) -> None:
        """Bind the request in the chat to what is selected."""
        self._bench.attach()

    def toggle_row(self) -> None:
        """Approve or reject the current row, when the plan has the keyboard."""
        if self._bench.in_plan:
            self._bench.plan("toggle")

    def stop(self) -> None:
        """Stop the run, also one that rests, else the answer."""
        opened = self._bench.opened
        if opened.running.busy or (opened.running.paused and not opened.asking.doing.value):
            self._bench.plan("stop")
        else:
            opened.asking.stop()

    def pause(self) -> None:
        """Let the run rest after the steps under way; go on with one that rests."""
        self._bench.plan("pause")

    def resume(self) -> None:
        """Take up the run that was left in the middle, or that rests."""
        self._with_unfinished(lambda opened, run: opened.running.resume(run))

    def end(self) -> None:
        """End it; what it has done stays."""
        self._with_unfinished(lambda opened, run: opened.running.end(run))

    def _with_unfinished(self, work: Callable[..., object]) -> None:
        opened = self._bench.opened
        left = opened.running.unfinished.value
        if left is not None:
            self._kit.tasks.start(work(opened, left.record.id), "plan")  # type: ignore[arg-type]


class PlayCommands:
    """The transport."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def toggle(self) -> None:
        """Play, or stop."""
        self._bench.opened.playback.toggle()

    def to_start(self) -> None:
        """The playhead to the first bar."""
        from agent.song.time import Ticks

        self._bench.opened.playback.seek(Ticks(0))

    def to_end(self) -> None:
        """The playhead behind the last clip."""
        opened = self._bench.opened
        opened.playback.seek(opened.workspace.song.end)

    def loop(self) -> None:
        """Repeat the stretch that is set, or no longer."""
        playback = self._bench.opened.playback
        playback.set_loop(playback.state.value.loop, not playback.state.value.looping)


@dataclass(frozen=True)
class Commands:
    """All rooms of commands."""

    files: FileActs
    edits: EditCommands
    plans: PlanCommands
    plays: PlayCommands
    views: WindowActs
