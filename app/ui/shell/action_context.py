"""What actions depend on: a snapshot of the open project, and why an action is not possible in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from app.i18n import tr
from app.ui.kit.shortcuts import key_of
from app.ui.kit.theme import Choice

if TYPE_CHECKING:
    from app.viewmodels.open_project import OpenProject


@dataclass(frozen=True)
class ActionContext:
    """The state of the window as far as actions depend on it. The defaults are those before a project is open."""

    open: bool = False
    welcome: bool = False
    notes: int = 0
    tracks: int = 0
    clips_chosen: bool = False
    track_chosen: bool = False
    track_locked: bool = False
    clips_locked: bool = False
    """Whether all chosen clips are locked."""
    bars: tuple[int, int] | None = None
    """First and last bar of the chosen range; None for none."""
    bars_locked: bool = False
    proposal: bool = False
    approved: int = 0
    judging: bool = False
    planning: bool = False
    running: bool = False
    pausing: bool = False
    paused: bool = False
    shown_run: bool = False
    """Whether the plan shows a run."""
    failed: bool = False
    ended_run: bool = False
    unfinished: bool = False
    undo: str = ""
    """Label of the change that undo would take back; empty for none."""
    redo: str = ""
    playing: bool = False
    loop: bool = False
    looping: bool = False
    follow: bool = False
    overlay: bool = True
    plan_side: bool = False
    other: bool = False
    """Whether there is a song to compare the working one with: a plan's preview, the song before the run, or a compared
    version."""
    ghost: bool = False
    """Whether the other song is the preview of a plan or of pending edits."""
    exporting: bool = False
    theme: Choice = "system"
    shown: frozenset[str] = frozenset()
    """Object names of the docks that can be seen."""


Need: TypeAlias = Callable[[ActionContext], str]
"""Returns why an action is disabled, as a translated text; empty if it is enabled."""


def action_context_of(
    opened: OpenProject, *, welcome: bool, exporting: bool, theme: Choice, shown: frozenset[str]
) -> ActionContext:
    """The state of an open project and this window, as actions ask for it. `welcome`: the start page is shown;
    `exporting`: an export runs; `shown`: names of the open docks."""
    from app.viewmodels.edits.locking import all_held, bars_lock, clip_locks

    song, proposal, live = opened.workspace.song, opened.reviewing.proposal.value, opened.running.live.value
    steps, playing, track = opened.versions.steps.value, opened.playback.state.value, opened.focus.track.value
    newest, other = opened.versions.iterations.value, opened.listening.other.value
    head = next((one.label for one in newest if one.id == opened.versions.head), "")
    return ActionContext(
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
        playing=playing.playing, loop=playing.loop is not None, looping=playing.looping,
        follow=opened.focus.follow.value,
        overlay=opened.focus.overlay.value, plan_side=opened.focus.side.value == "plan",
        other=other is not None, ghost=other is not None and other.kind == "plan",
        exporting=exporting, theme=theme, shown=shown,
    )


def need_open(now: ActionContext) -> str:
    """Why an action that needs an open project is disabled; empty if there is one."""
    return "" if now.open else tr("Bandleader is still starting")


def need_song(now: ActionContext) -> str:
    """Why an action that needs a song with notes is disabled; empty if it is enabled."""
    return need_open(now) or ("" if now.notes else tr("The song has no notes yet"))


def need_timeline(now: ActionContext) -> str:
    """Why an action that needs the timeline shown is disabled; empty if it is enabled."""
    return need_open(now) or (tr("Open or make a song first") if now.welcome else "")


def need_welcome(now: ActionContext) -> str:
    """Why an action that needs the start page shown is disabled; empty if it is enabled."""
    return need_open(now) or ("" if now.welcome else tr("The start page is not shown"))


def need_clips(now: ActionContext) -> str:
    """Why an action that needs selected clips is disabled; empty if it is enabled."""
    return need_timeline(now) or ("" if now.clips_chosen else tr("No clip is selected"))


def need_stretch(now: ActionContext) -> str:
    """Why an action that needs selected clips or a range of bars is disabled; empty if it is enabled."""
    return need_timeline(now) or ("" if now.clips_chosen or now.bars else tr("No clip and no bars are selected"))


def need_named(now: ActionContext) -> str:
    """Why an action that needs a selected clip or track is disabled; empty if it is enabled."""
    return need_timeline(now) or ("" if now.clips_chosen or now.track_chosen else tr("No clip or track is selected"))


def need_track(now: ActionContext) -> str:
    """Why an action that needs a selected track is disabled; empty if it is enabled."""
    return need_timeline(now) or ("" if now.track_chosen else tr("No track is selected"))


def need_bars(now: ActionContext) -> str:
    """Why an action that needs a range of bars is disabled; empty if it is enabled."""
    return need_timeline(now) or ("" if now.bars else tr("No bars are selected: drag along the ruler"))


def need_idle(now: ActionContext) -> str:
    """Why an action that no run may accompany is disabled: a run holds the song. Empty if none does."""
    return need_open(now) or (tr("A run holds the song") if now.running or now.unfinished else "")


def need_undo(now: ActionContext) -> str:
    """Why undo, or the list of its steps, is disabled; empty if it is enabled. It stays so while there is something to
    redo: a key pressed before the window has seen a redo finish must not be lost."""
    return need_idle(now) or ("" if now.undo or now.redo else tr("There is nothing to undo"))


def need_redo(now: ActionContext) -> str:
    """Why redo is disabled; empty if it is enabled. It stays enabled while there is something to undo: a key pressed
    before the window has seen an undo finish must not be lost, or the song ends in another state."""
    return need_idle(now) or ("" if now.undo or now.redo else tr("There is nothing to redo"))


def need_other(now: ActionContext) -> str:
    """Why an action that needs another song to compare with is disabled; empty if it is enabled."""
    return need_open(now) or ("" if now.other else tr("There is no plan and no run to compare with"))


def need_ghost(now: ActionContext) -> str:
    """Why an action that needs the preview of a plan or of pending edits is disabled; empty if it is enabled."""
    return need_open(now) or ("" if now.ghost else tr("There is no plan to hear"))


def need_plan(now: ActionContext) -> str:
    """Why an action that needs a plan under review is disabled; empty if it is enabled."""
    return need_open(now) or ("" if now.proposal else tr("There is no plan yet"))


def need_approved(now: ActionContext) -> str:
    """Why running the plan is disabled: no plan, a run, a check under way or no approved row. Empty if it is
    enabled."""
    if reason := need_plan(now) or need_idle(now):
        return reason
    if now.judging:
        return tr("The plan is being checked again")
    return "" if now.approved else tr("No step is approved")


def need_work(now: ActionContext) -> str:
    """Why stopping is disabled: neither the planner nor a run is at work. Empty if one is."""
    return need_open(now) or ("" if now.planning or now.running or now.paused else tr("Nothing is being worked on"))


def need_pause(now: ActionContext) -> str:
    """Why pause and resume are disabled: no run is busy or paused, or it is already stopping. Empty if enabled."""
    if now.running:
        return tr("It stops after the steps under way") if now.pausing else ""
    return need_open(now) or ("" if now.paused else tr("No run is under way"))


def need_shown_run(now: ActionContext) -> str:
    """Why an action that needs a run in the plan's view is disabled; empty if it is enabled."""
    return need_open(now) or ("" if now.shown_run else tr("The plan shows no run"))


def need_failed(now: ActionContext) -> str:
    """Why an action that needs an ended run with a failed row is disabled; empty if it is enabled."""
    return need_open(now) or ("" if now.failed and not now.running else tr("No step has failed"))


def need_run(now: ActionContext) -> str:
    """Why an action that needs a run to roll back is disabled; empty if it is enabled."""
    return need_open(now) or ("" if now.unfinished or (now.ended_run and not now.running) else tr("There is no run"))


def need_unfinished(now: ActionContext) -> str:
    """Why an action that needs a run left unfinished by an earlier session is disabled; empty if it is enabled."""
    return need_open(now) or ("" if now.unfinished else tr("No run was left in the middle"))


def need_loop(now: ActionContext) -> str:
    """Why looping is disabled: no loop range is set. Empty if there is one."""
    if now.loop or need_open(now):
        return need_open(now)
    key = key_of("transport.loop_selection")
    return tr("No stretch is set: select clips and press {key}", key=key) if key else tr("No stretch is set")


def need_import(now: ActionContext) -> str:
    """Why importing tracks into the song is disabled; empty if it is enabled."""
    return need_timeline(now) or need_idle(now)


def need_export(now: ActionContext) -> str:
    """Why exporting is disabled: no notes, or another export is under way. Empty if it is enabled."""
    return need_song(now) or (tr("An export is under way") if now.exporting else "")


def always(_: ActionContext) -> str:
    """Empty: the action is always enabled."""
    return ""
