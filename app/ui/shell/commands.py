"""What actions call, by room: each command is short, and lets the open project do the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.theme import Choice

if TYPE_CHECKING:
    # The song and its database are slow to import; the window is shown before them.
    from agent.song.locks import Lock
    from app.studio.undo import Walk
    from app.ui.plan.table_actions import PlanAction
    from app.ui.shell.file_commands import FileCommands
    from app.ui.shell.views import HistoryActs
    from app.ui.timeline.commands import TimelineAction
    from app.viewmodels.open_project import OpenProject


class WindowActs(Protocol):
    """Actions on the window itself."""

    example: Callable[[int], None]

    def quit(self) -> object: ...
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
    """The open project and its views, as they are when a command is given."""

    @property
    def opened(self) -> OpenProject: ...
    @property
    def timeline(self) -> Callable[[TimelineAction], None]: ...
    @property
    def plan(self) -> Callable[[PlanAction], None]: ...
    @property
    def iterations(self) -> HistoryActs: ...
    @property
    def in_plan(self) -> bool: ...
    def attach(self) -> None: ...


class EditCommands:
    """Undo and redo, and actions on the selection."""

    def __init__(self, bench: Bench, kit: Kit) -> None:
        self._bench = bench
        self._kit = kit

    def undo(self) -> None:
        """Undo the last change of the song; that makes a new version."""
        self._walk("undo")

    def redo(self) -> None:
        """Redo what was undone last."""
        self._walk("redo")

    def _walk(self, way: Walk) -> None:
        """One step, after those that are on their way; at the end of the way the status line says so."""
        from app.viewmodels.history.versions import NothingLeft

        opened = self._bench.opened

        async def step() -> None:
            try:
                await (opened.versions.undo() if way == "undo" else opened.versions.redo())
            except NothingLeft:
                none = tr("There is nothing to undo") if way == "undo" else tr("There is nothing to redo")
                opened.focus.refused.set(none)

        self._kit.tasks.start(step(), "window")

    def select_all(self) -> None:
        """Select all clips; while the plan has the keyboard, approve all its rows instead."""
        if self._bench.in_plan:
            self._bench.plan("approve all")
        else:
            self._bench.timeline("select all")

    def rename(self) -> None:
        """Rename the current clip or track in place; while the plan has the keyboard, edit the current row instead."""
        if self._bench.in_plan:
            self._bench.plan("edit")
        else:
            self._bench.timeline("rename")

    def lock_track(self) -> None:
        """Lock the chosen track, or unlock it if it is locked; does nothing without one."""
        from agent.song.locks import TrackLock

        track = self._bench.opened.focus.track.value
        self._toggle(() if track is None else (TrackLock(track),))

    def lock_clips(self) -> None:
        """Lock the chosen clips, or unlock them if all of them are locked."""
        from app.viewmodels.edits.locking import clip_locks

        opened = self._bench.opened
        self._toggle(clip_locks(opened.focus.clips.value, opened.workspace.song))

    def lock_bars(self) -> None:
        """Lock the chosen range of bars, or unlock it if it is locked."""
        from app.viewmodels.edits.locking import bars_lock

        self._toggle(bars_lock(self._bench.opened.focus.bars.value))

    def keep_locks(self, locks: tuple[Lock, ...]) -> None:
        """Make these the project's locks, in place of all that there were."""
        self._kit.tasks.start(self._bench.opened.lock(locks), "timeline")

    def _toggle(self, wanted: tuple[Lock, ...]) -> None:
        from app.viewmodels.edits.locking import toggled

        if wanted:
            self.keep_locks(toggled(self._bench.opened.locks.value, wanted))


class PlanCommands:
    """Actions from a request to a run."""

    def __init__(self, bench: Bench, kit: Kit) -> None:
        self._bench = bench
        self._kit = kit

    @property
    def in_front(self) -> bool:
        """Whether the plan has the keyboard, and no text field in it does."""
        return self._bench.in_plan and not isinstance(QApplication.focusWidget(), QLineEdit | QPlainTextEdit)

    def toggle_row(self) -> None:
        """Approve or reject the current row; does nothing unless the plan has the keyboard."""
        if self._bench.in_plan:
            self._bench.plan("toggle")

    def stop(self) -> None:
        """Stop the run that is busy or paused; without one, stop the planner."""
        opened = self._bench.opened
        if opened.running.busy or (opened.running.paused and not opened.asking.doing.value):
            self._bench.plan("stop")
        else:
            opened.asking.stop()

    def resume(self) -> None:
        """Resume the run that an earlier session left unfinished, or that is paused."""
        self._with_unfinished(lambda opened, run: opened.running.resume(run))

    def end(self) -> None:
        """End the unfinished run; the changes that it has made stay."""
        self._with_unfinished(lambda opened, run: opened.running.end(run))

    def _with_unfinished(self, work: Callable[..., object]) -> None:
        opened = self._bench.opened
        left = opened.running.unfinished.value
        if left is not None:
            self._kit.tasks.start(work(opened, left.record.id), "plan")  # type: ignore[arg-type]


class PlayCommands:
    """Actions of the transport."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def to_start(self) -> None:
        """Move the playhead to the first bar."""
        from agent.song.time import Ticks

        self._bench.opened.playback.seek(Ticks(0))

    def to_end(self) -> None:
        """Move the playhead to the end of the last clip."""
        opened = self._bench.opened
        opened.playback.seek(opened.workspace.song.end)

    def loop(self) -> None:
        """Turn looping of the loop range on or off."""
        playback = self._bench.opened.playback
        playback.set_loop(playback.state.value.loop, not playback.state.value.looping)


@dataclass(frozen=True)
class Commands:
    """All that the window's actions call: the open project with its views, and commands by subject."""

    bench: Bench
    files: FileCommands
    edits: EditCommands
    plans: PlanCommands
    plays: PlayCommands
    views: WindowActs
