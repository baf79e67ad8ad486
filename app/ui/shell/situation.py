"""What actions depend on: a snapshot of the open project, and why an action is not possible in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from app.ui.kit.shortcuts import key_of
from app.ui.kit.theme import Choice
from app.words import tr

if TYPE_CHECKING:
    from app.desktop.open_project import OpenProject


@dataclass(frozen=True)
class Situation:
    """The window's state as far as actions ask for it. The defaults are those before a project is open."""

    open: bool = False
    welcome: bool = False
    notes: int = 0
    tracks: int = 0
    clips_chosen: bool = False
    track_chosen: bool = False
    track_locked: bool = False
    clips_locked: bool = False
    """All chosen clips are locked."""
    bars: tuple[int, int] | None = None
    """First and last bar of the chosen stretch."""
    bars_locked: bool = False
    proposal: bool = False
    approved: int = 0
    judging: bool = False
    planning: bool = False
    running: bool = False
    pausing: bool = False
    paused: bool = False
    shown_run: bool = False
    """The plan shows a run."""
    failed: bool = False
    ended_run: bool = False
    unfinished: bool = False
    undo: str = ""
    """What would be undone; empty for nothing."""
    redo: str = ""
    playing: bool = False
    loop: bool = False
    looping: bool = False
    follow: bool = False
    overlay: bool = True
    plan_side: bool = False
    other: bool = False
    """There is another song to compare with."""
    ghost: bool = False
    """The other song is what a plan, or edits that wait, would make."""
    exporting: bool = False
    theme: Choice = "system"
    shown: frozenset[str] = frozenset()
    """Object names of the docks that can be seen."""


Need: TypeAlias = Callable[[Situation], str]
"""Why an action is not possible; empty if it is."""


def situation_of(
    opened: OpenProject, *, welcome: bool, follow: bool, exporting: bool, theme: Choice, shown: frozenset[str]
) -> Situation:
    """The situation of an open project in this window."""
    from app.desktop.edits.locking import all_held, bars_lock, clip_locks

    song, proposal, live = opened.workspace.song, opened.reviewing.proposal.value, opened.running.live.value
    steps, playing, track = opened.versions.steps.value, opened.playback.state.value, opened.focus.track.value
    newest, other = opened.versions.iterations.value, opened.listening.other.value
    head = next((one.label for one in newest if one.id == opened.versions.head), "")
    return Situation(
        open=True, welcome=welcome, notes=song.note_count, tracks=len(song.tracks),
        clips_chosen=bool(opened.focus.clips.value), track_chosen=track is not None,
        clips_locked=bool(opened.locks.value)
        and all_held(opened.locks.value, clip_locks(opened.focus.clips.value, song)),
        bars=opened.focus.bars.value,
        bars_locked=all_held(opened.locks.value, bars_lock(opened.focus.bars.value)),
        track_locked=track is not None
        and any(getattr(lock, "track_id", None) == track for lock in opened.locks.value),
        proposal=proposal is not None, approved=0 if proposal is None else len(proposal.judged.plan.steps),
        judging=opened.reviewing.pending.value, planning=bool(opened.asking.doing.value),
        running=opened.running.busy, pausing=live is not None and (live.pausing or live.stopping),
        paused=opened.running.paused, shown_run=live is not None and proposal is None,
        failed=live is not None and not live.running and bool(live.failed),
        ended_run=live is not None and live.view is not None and live.view.record.iteration is not None,
        unfinished=opened.running.unfinished.value is not None,
        undo="" if steps.undo is None else head or tr("last change"),
        redo="" if steps.redo is None else steps.redo.label or tr("last change"),
        playing=playing.playing, loop=playing.loop is not None, looping=playing.looping, follow=follow,
        overlay=opened.focus.overlay.value, plan_side=opened.focus.side.value == "plan",
        other=other is not None, ghost=other is not None and other.kind == "plan",
        exporting=exporting, theme=theme, shown=shown,
    )


def need_open(now: Situation) -> str:
    """A project."""
    return "" if now.open else tr("Bandleader is still starting")


def need_song(now: Situation) -> str:
    """A song with notes."""
    return need_open(now) or ("" if now.notes else tr("The song has no notes yet"))


def need_timeline(now: Situation) -> str:
    """The timeline in sight."""
    return need_open(now) or (tr("Open or make a song first") if now.welcome else "")


def need_welcome(now: Situation) -> str:
    """The start page in sight."""
    return need_open(now) or ("" if now.welcome else tr("The start page is not shown"))


def need_clips(now: Situation) -> str:
    """Selected clips."""
    return need_timeline(now) or ("" if now.clips_chosen else tr("No clip is selected"))


def need_stretch(now: Situation) -> str:
    """Selected clips, or a chosen stretch of bars."""
    return need_timeline(now) or ("" if now.clips_chosen or now.bars else tr("No clip and no bars are selected"))


def need_named(now: Situation) -> str:
    """Something on the timeline that has a name."""
    return need_timeline(now) or ("" if now.clips_chosen or now.track_chosen else tr("No clip or track is selected"))


def need_track(now: Situation) -> str:
    """A chosen track."""
    return need_timeline(now) or ("" if now.track_chosen else tr("No track is selected"))


def need_bars(now: Situation) -> str:
    """A chosen stretch of bars."""
    return need_timeline(now) or ("" if now.bars else tr("No bars are selected: drag along the ruler"))


def need_idle(now: Situation) -> str:
    """No run that holds the song."""
    return need_open(now) or (tr("A run holds the song") if now.running or now.unfinished else "")


def need_undo(now: Situation) -> str:
    """A change to take back. While there is one to bring back, an undo may be on its way to being one."""
    return need_idle(now) or ("" if now.undo or now.redo else tr("There is nothing to undo"))


def need_redo(now: Situation) -> str:
    """A change to bring back. While there is one to take back, quick fingers may have done so already: a key pressed
    before the window knows must not be lost, or the song ends in another state."""
    return need_idle(now) or ("" if now.undo or now.redo else tr("There is nothing to redo"))


def need_steps(now: Situation) -> str:
    """A change to take back or to bring back."""
    return need_idle(now) or ("" if now.undo or now.redo else tr("There is nothing to undo"))


def need_other(now: Situation) -> str:
    """A song to compare with."""
    return need_open(now) or ("" if now.other else tr("There is no plan and no run to compare with"))


def need_ghost(now: Situation) -> str:
    """A plan, or edits that wait, to be heard."""
    return need_open(now) or ("" if now.ghost else tr("There is no plan to hear"))


def need_plan(now: Situation) -> str:
    """A plan under review."""
    return need_open(now) or ("" if now.proposal else tr("There is no plan yet"))


def need_approved(now: Situation) -> str:
    """A plan with rows that would run."""
    if reason := need_plan(now) or need_idle(now):
        return reason
    if now.judging:
        return tr("The plan is being checked again")
    return "" if now.approved else tr("No step is approved")


def need_work(now: Situation) -> str:
    """An answer or a run under way."""
    return need_open(now) or ("" if now.planning or now.running or now.paused else tr("Nothing is being worked on"))


def need_pause(now: Situation) -> str:
    """A run that can rest, or one that does."""
    if now.running:
        return tr("It stops after the steps under way") if now.pausing else ""
    return need_open(now) or ("" if now.paused else tr("No run is under way"))


def need_shown_run(now: Situation) -> str:
    """A run in the plan."""
    return need_open(now) or ("" if now.shown_run else tr("The plan shows no run"))


def need_failed(now: Situation) -> str:
    """A run that has ended with a failed row."""
    return need_open(now) or ("" if now.failed and not now.running else tr("No step has failed"))


def need_run(now: Situation) -> str:
    """A run that can be rolled back."""
    return need_open(now) or ("" if now.unfinished or (now.ended_run and not now.running) else tr("There is no run"))


def need_unfinished(now: Situation) -> str:
    """A run that an earlier session left in the middle."""
    return need_open(now) or ("" if now.unfinished else tr("No run was left in the middle"))


def need_loop(now: Situation) -> str:
    """A stretch to loop."""
    if now.loop or need_open(now):
        return need_open(now)
    key = key_of("transport.loop_selection")
    return tr("No stretch is set: select clips and press {key}", key=key) if key else tr("No stretch is set")


def need_import(now: Situation) -> str:
    """A song that a file's tracks can be added to."""
    return need_timeline(now) or need_idle(now)


def need_export(now: Situation) -> str:
    """A song with notes, and no other export."""
    return need_song(now) or (tr("An export is under way") if now.exporting else "")


def always(_: Situation) -> str:
    """Possible at any time."""
    return ""
