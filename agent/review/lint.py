"""Marks on rows that a person should see before approving; each looks at the plan and its ghost."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from agent.plan.document import Finding, Plan
from agent.plan.order import needed
from agent.plan.plan import Step, StepId
from agent.plan.watch import UNWATCHED, Watch
from agent.review.asked import held
from agent.review.deletions import bar_words, deletions, surprising, thinnings
from agent.review.preview import Preview, RowPreview
from agent.review.rule import Rule
from agent.song import edits as e
from agent.song.clip import Clip
from agent.song.fence import missing_from
from agent.song.ids import ClipId, TrackId
from agent.song.locks import BarsLock, ClipLock, TrackLock
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.figures import FIGURES
from agent.theory.gate import clashing, outside_range, span


class LintContext(Struct, frozen=True):
    """What the rules of lint look at; `deleted` is the result of `deletions`, `watch` tells whether to stop."""

    plan: Plan
    preview: Preview
    song: Song
    palette: Palette
    deleted: tuple[tuple[StepId, TrackId, tuple[int, ...]], ...]
    """Rows that silence a part, as `deletions` tells them."""
    watch: Watch = UNWATCHED


def lint(
    plan: Plan, preview: Preview, song: Song, palette: Palette, watch: Watch = UNWATCHED
) -> tuple[Finding, ...]:
    """All marks on the rows, sorted by row and rule; rows that would fail on this song get an error, all other marks
    are warnings."""
    scene = LintContext(plan, preview, song, palette, tuple(deletions(preview, song, palette)), watch)
    rules = (
        _locks, _fence, _failing, _failing_items, _unseen, _unchanging, _removing, _thinning, _duplicate,
        _silent_track, _clips, _binding,
    )
    order = {step.id: number for number, step in enumerate(plan.steps)}
    found = [finding for rule in rules for finding in rule(scene)]
    return tuple(sorted(found, key=lambda finding: (order.get(finding.step, -1), finding.rule)))


def _rows(scene: LintContext) -> Iterator[tuple[Step, RowPreview]]:
    return zip(scene.watch.each(scene.plan.steps), scene.preview.rows, strict=True)


def _locks(scene: LintContext) -> Iterator[Finding]:
    for lock in scene.plan.locks:
        if isinstance(lock, TrackLock) and all(track.id != lock.track_id for track in scene.song.tracks):
            yield Finding("", Rule.LOCK, f"the song has no track {lock.track_id!r} to lock", "lock another", "error")
        if isinstance(lock, ClipLock) and all(clip.id != lock.clip_id for _, clip in scene.song.clips()):
            yield Finding("", Rule.LOCK, f"the song has no clip {lock.clip_id!r} to lock", "lock another", "error")
        if isinstance(lock, BarsLock) and lock.last < lock.first:
            yield Finding("", Rule.LOCK, f"bars {lock.first}-{lock.last} are no range", "swap the two", "error")


def _fence(scene: LintContext) -> Iterator[Finding]:
    gone = "" if scene.plan.fence is None else missing_from(scene.plan.fence, scene.song)
    if gone:
        yield Finding("", Rule.FENCE, f"the plan is limited to {gone}, which the song does not have",
                      "ask again, limited to something else", "error")


def _failing(scene: LintContext) -> Iterator[Finding]:
    for step, row in _rows(scene):
        if row.problem is not None:
            rule = Rule.LOCKED if row.locked else Rule.FENCE if row.fenced else Rule.WOULD_FAIL
            why = f": {row.problem.why}" if row.problem.why else ""
            yield Finding(step.id, rule, f"{row.problem.what}{why}", row.problem.advice or "reject the row", "error")


def _removing(scene: LintContext) -> Iterator[Finding]:
    """Rows that take music away: a person should see that before approving."""
    names = {track.id: track.name for track in scene.song.tracks}
    for step, track, bars in scene.deleted:
        where = f" in {bar_words(bars)}" if bars else ""
        message = f"{names.get(track, 'A part')} sounds no longer{where}, and nothing of its kind takes its place"
        yield Finding(step, Rule.REMOVES, message, "reject the row if you want to keep it")


def _thinning(scene: LintContext) -> Iterator[Finding]:
    """Rows that leave a part fewer notes although no clause asks for that."""
    names = {track.id: track.name for track in scene.song.tracks}
    for one in thinnings(scene.preview, scene.song, scene.deleted):
        if surprising(scene.plan, one):
            message = f"takes {one.lost} of {one.before} notes from {names.get(one.track, 'a part')}"
            yield Finding(one.step, Rule.THINS, message, "reject the row if you want to keep them")


def _failing_items(scene: LintContext) -> Iterator[Finding]:
    for step, row in _rows(scene):
        if row.failing:
            first, many = row.failing[0], len(row.failing)
            message = f"{_named(step)}: {many} {'item' if many == 1 else 'items'} would fail: {first}"
            yield Finding(step.id, Rule.ITEMS, message, "reject the row, or run it without them")


def _unseen(scene: LintContext) -> Iterator[Finding]:
    """Rows that a goal leaves open cannot be heard; those that the world answers are known when they run."""
    open_rows: dict[str, Rule] = {}
    for step, row in _rows(scene):
        if not row.unseen:
            continue
        causes = sorted(needed(step) & open_rows.keys())
        goal = step.by == "model" or any(open_rows[cause] is Rule.UNHEARD for cause in causes)
        open_rows[step.id] = Rule.UNHEARD if goal else Rule.KNOWN_LATER
        if row.problem is None:
            what = "cannot be heard yet" if goal else "is known only when it runs"
            if step.by == "model":
                reason = "its goal is worked on when the plan runs"
            else:
                reason = f"it needs row {causes[0]}" if causes else "it asks outside of the song"
            yield Finding(step.id, open_rows[step.id], f"{_named(step)} {what}: {reason}")


def _unchanging(scene: LintContext) -> Iterator[Finding]:
    for step, row in _rows(scene):
        if row.edits and row.before == row.after:
            yield Finding(step.id, Rule.NO_EFFECT, f"{_named(step)} changes nothing", "reject the row")


def _duplicate(scene: LintContext) -> Iterator[Finding]:
    seen: dict[bytes, tuple[Step, RowPreview]] = {}
    for step, row in _rows(scene):
        key = msgspec.json.encode((step.tool, step.inputs, step.for_each, step.by, step.goal), order="sorted")
        if key in seen and step.tool not in ("duplicate_clip", "duplicate_track"):
            earlier, then = seen[key]
            if row.edits or row.before == then.before:
                yield Finding(step.id, Rule.DUPLICATE, f"{_named(step)} repeats row {earlier.id}", "reject the row")
        seen[key] = (step, row)


def _silent_track(scene: LintContext) -> Iterator[Finding]:
    ghosts = {track.id: track for track in scene.preview.song.tracks}
    for step, row in _rows(scene):
        for edit in row.edits:
            if isinstance(edit, e.CreateTrack) and edit.track_id in ghosts and not ghosts[edit.track_id].clips:
                yield Finding(
                    step.id, Rule.SILENT_TRACK, f"{_named(step)} makes a track that never gets a clip",
                    "reject the row",
                )


def _clips(scene: LintContext) -> Iterator[Finding]:
    ghosts = {clip.id: (track, clip) for track, clip in scene.preview.song.clips()}
    for step, row in _rows(scene):
        for clip_id in _touched(row):
            if clip_id in ghosts:
                track, clip = ghosts[clip_id]
                yield from _clip(step, track, clip, scene)


def _touched(row: RowPreview) -> Iterator[ClipId]:
    for edit in row.edits:
        if isinstance(edit, e.CreateMidiClip | e.ModifyClip | e.TransformClip):
            yield edit.clip_id
        elif isinstance(edit, e.DuplicateClip):
            yield edit.new_clip_id


def _clip(step: Step, track: Track, clip: Clip, scene: LintContext) -> Iterator[Finding]:
    if not clip.notes:
        yield Finding(step.id, Rule.EMPTY_CLIP, f"{_named(step)} leaves clip {clip.name!r} empty", "reject the row")
    if clashing(clip):
        yield Finding(
            step.id, Rule.OVERLAP, f"{_named(step)}: equal notes overlap in {clip.name!r}", "shorten the first of them"
        )
    outside = _outside_range(track, clip, scene.palette)
    if outside:
        yield Finding(step.id, Rule.RANGE, f"{_named(step)}: {outside}", "move these notes by octaves")
    section = _overrun(clip, scene.preview.song)
    if section:
        message = f"{_named(step)}: {clip.name!r} runs past {section}"
        yield Finding(step.id, Rule.PAST_SECTION, message, "shorten the clip")


def _outside_range(track: Track, clip: Clip, palette: Palette) -> str:
    for instrument in palette.instruments:
        if instrument.name == track.instrument:
            count, (low, high) = len(outside_range(clip, instrument)), span(instrument)
            return f"{count} notes are outside the range {low}-{high} of {instrument.label}" if count else ""
    return ""


def _overrun(clip: Clip, song: Song) -> str:
    """The last section, if the clip begins inside the form but ends after it."""
    if not song.sections:
        return ""
    last = max(song.sections, key=lambda section: section.end)
    return f"the last section, {last.name}" if clip.start < last.end < clip.end else ""


def _binding(scene: LintContext) -> Iterator[Finding]:
    """Words of the request that bind: what they ask for must be true of the ghost."""
    for ask in scene.watch.each(scene.plan.asks):
        figures = held(ask, scene.song, scene.preview.song, scene.palette)
        step = ask.steps[0] if ask.steps else ""
        if ask.measure and figures.after is None:
            unknown = f"{ask.asked}: there is no measure {ask.measure!r:.60}, so it is not checked"
            yield Finding(step, Rule.MEASURE, unknown, f"choose one of {', '.join(FIGURES)}")
        elif not figures.met:
            yield Finding(step, Rule.REQUEST, f"the plan does not do what was asked: {ask.asked}", "ask again")


def _named(step: Step) -> str:
    return f"{step.title or step.tool} ({step.id})"
