"""What Bandleader says in the conversation, as Markdown: of a plan, of the song it read, of a run's end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from agent.plan.document import Plan
from agent.plan.errors import NothingToDo
from agent.plan.ledger import StepState
from agent.review.review import Review
from agent.session.answer import AskResult, LockProof
from agent.session.gathering import gathered_edits
from agent.session.run_state import RunState
from agent.song.changes import compare
from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.description import describe
from agent.theory.pitch import same_notes
from app.i18n import tr, trn
from app.studio.running.run_view import RunView
from app.viewmodels.texts.figures import bars_text, clock, number, signed
from app.viewmodels.texts.measure_words import figure_words, measure_words

_ENDS = ("RUN_PAUSED", "RUN_COMPLETED", "RUN_FAILED", "RUN_CANCELLED")
_SURE, _LIKELY = 0.75, 0.35
_MOST_NAMES = 3
_MOST_LOCKS = 6
_MOST_ASKED = 6
"""Number of measured wishes that the message at the end of a run contains; more are in the details."""
_DIGITS = 8
_BARS = re.compile(r"bars (\d+)-(\d+)")
_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+!|~&])")


def key_found(song: Song, palette: Palette) -> tuple[str, str] | None:
    """The key of the notes and its certainty, in words; None if it would be a guess. Of a major key and its relative
    minor the one that the song states is preferred."""
    found = describe(song, palette).found_key
    if found.confidence < _LIKELY:
        return None
    stated = song.key != Key("C") and same_notes(song.key, found.key)
    return str(song.key if stated else found.key), tr("sure") if found.confidence >= _SURE else tr("likely")


def plan_words(judged: Review, song: Song) -> str:
    """What a plan proposes and what was understood of the request: two to four short sentences."""
    plan, ghost = judged.plan, None if judged.preview is None else judged.preview.song
    said = []
    if ghost is not None:
        said.append(f"{tr('Here is a plan.')} {_new_piece(ghost) if not song.note_count else _changed(song, ghost)}")
    else:
        said.append(tr("Here is a plan, but it cannot run as it is. The marked steps say why."))
    if plan.musical_reasoning:
        said.append(plan.musical_reasoning)
    # What became of each clause stands on the plan's card.
    if plan.ignored and not plan.clauses:
        said.append(tr("I left out: {what}.", what=_listed([_quoted(one) for one in plan.ignored])))
    if ghost is not None and judged.errors:
        count = len({one.step for one in judged.errors})
        said.append(trn("{count} step cannot run yet; the plan says why.",
                        "{count} steps cannot run yet; the plan says why.", count))
    return "\n\n".join(said)


def nothing_words(nothing: NothingToDo) -> str:
    """That there is nothing to do, why, and what else could be asked, in plain words as it is no error."""
    told = f"{nothing.what}: {nothing.why}" if nothing.why else nothing.what
    return " ".join(plain(f"{part[:1].upper()}{part[1:].rstrip('.')}.") for part in (told, nothing.advice) if part)


def run_words(view: RunView, shown: Plan | None = None) -> str:
    """The result of a run in short: counts, what was measured, locks, time, and what failed. Rows have the numbers of
    the plan `shown`, which may contain rejected rows; with None of what ran."""
    numbers = _numbers_of(view, shown)
    answer = view.answer
    asked = () if answer is None else answer.measured
    told = asked if len(asked) <= _MOST_ASKED else sorted(asked, key=lambda one: not _missed(one))[:_MOST_ASKED]
    changed = [] if answer is None else [_kept(one) for one in answer.locks if not one.equal]
    if answer is not None and answer.fence is not None and not answer.fence.equal:
        changed.append(_outside(answer.fence))
    left = len(asked) - len(told)
    more = [trn("and {count} more, see the details", "and {count} more, see the details", left)] if left else []
    lines = ([*_rows(view, numbers)], changed, [*(_measured(one, numbers) for one in told), *more])
    return _paragraphs([" ".join(filter(None, [_headline(view), *_summed_up(view)]))], *lines)


def run_details(view: RunView, shown: Plan | None = None) -> str:
    """Details of a run as Markdown: many failed rows, everything that was asked if it is much, and locked parts with
    their proof; empty if there is none of it. Rows have the numbers of the plan `shown`, with None of what ran."""
    numbers, answer = _numbers_of(view, shown), view.answer
    rows = [*_rows(view, numbers, len(view.rows))]
    asked = () if answer is None or len(answer.measured) <= _MOST_ASKED else answer.measured
    measured = [_measured(one, numbers) for one in asked]
    kept = [] if answer is None else [*_locks_kept(answer.locks)]
    if answer is not None and answer.fence is not None:
        kept.append(_outside(answer.fence))
    return _paragraphs(rows if len(rows) > _MOST_NAMES else (), measured, kept)


def _numbers_of(view: RunView, shown: Plan | None) -> dict[str, int]:
    return {step.id: at for at, step in enumerate((shown or view.plan).steps, 1)}


def _paragraphs(*paragraphs: Sequence[str]) -> str:
    """Lines of their own without a list, whose indent is too wide for the chat."""
    return "\n\n".join("  \n".join(lines) for lines in paragraphs if lines)


def _summed_up(view: RunView) -> Iterator[str]:
    """One short sentence each: of rows that were not done, of what was measured, of locks, of the time."""
    answer, ledger = view.answer, view.ledger
    left = (
        (ledger.failed, tr("{count} failed", count=ledger.failed)),
        (ledger.skipped, tr("{count} skipped", count=ledger.skipped)),
        (ledger.needs_review, tr("{count} to be looked at", count=ledger.needs_review)),
        (ledger.not_run, tr("{count} not run", count=ledger.not_run)),
    )
    if view.state is not RunState.COMPLETED and any(count for count, _ in left):
        yield f"{', '.join(words for count, words in left if count)}."
    measured = [] if answer is None else [one for one in answer.measured if one.after is not None]
    if measured:
        met = sum(one.met for one in measured)
        yield trn("{met} of {count} measured wish is met.", "{met} of {count} measured wishes are met.", len(measured),
                  met=met)
    same = 0 if answer is None else sum(one.equal for one in answer.locks)
    if same:
        yield trn("{count} locked part is unchanged.", "{count} locked parts are unchanged.", same)
    if answer is not None and answer.fence is not None and answer.fence.equal:
        yield tr("Nothing but {what} has changed.", what=plain(answer.fence.target))
    seconds = taken(view)
    if seconds >= 1:
        yield tr("It took {time}.", time=clock(seconds))


def taken(view: RunView) -> float:
    """How long a run was carried out, in seconds, without pauses."""
    seconds, began = 0.0, 0.0
    for event in view.events:
        at = _second(event.at)
        if event.kind == "RUN_STARTED":
            began = at
        elif event.kind in _ENDS and began:
            seconds, began = seconds + max(0.0, at - began), 0.0
    return seconds


def _second(at: str) -> float:
    try:
        return datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def _missed(one: AskResult) -> bool:
    return one.after is not None and not one.met


def outcome(view: RunView) -> str:
    """How a run ended, in a few words for its card."""
    if rolled_back(view):
        return tr("Rolled back")
    ledger, steps = view.ledger, len(view.rows)
    if view.state is RunState.WAITING_USER:
        return trn("Paused, {done} of {count} step", "Paused, {done} of {count} steps", steps, done=ledger.done)
    return trn("{done} of {count} step", "{done} of {count} steps", ledger.approved, done=ledger.done)


def rolled_back(view: RunView) -> bool:
    """Whether the song from before the run was restored."""
    return any(event.kind == "RUN_ROLLED_BACK" for event in view.events)


def plain(text: str) -> str:
    """The text with Markdown's marks escaped."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def _quoted(words: str) -> str:
    """A word of the request in quotes; a longer remark as it is."""
    return plain(words) if " " in words else f"“{plain(words)}”"


def _headline(view: RunView) -> str:
    ledger = view.ledger
    if view.state is RunState.COMPLETED:
        skipped = tr(", {count} skipped", count=ledger.skipped) if ledger.skipped else ""
        return trn("Done: {done} of {count} step{skipped}.", "Done: {done} of {count} steps{skipped}.",
                   ledger.approved, done=ledger.done, skipped=skipped)
    waiting = [row for row in view.rows if gathered_edits(row)]
    if waiting and not ledger.failed:
        rest = trn("{count} step waits for your approval.", "{count} steps wait for your approval.", len(waiting))
        return f"{rest} {_done(view)}" if ledger.done else rest
    ended = tr("Stopped") if view.state is RunState.CANCELLED else tr("Not all of it worked")
    kept = tr("What was done stays.") if ledger.done else tr("Nothing was changed.")
    return f"{ended}: {_done(view)} {kept}"


def _done(view: RunView) -> str:
    ledger = view.ledger
    return trn("{done} of {count} step done.", "{done} of {count} steps done.", ledger.approved, done=ledger.done)


def _rows(view: RunView, numbers: Mapping[str, int], most: int = _MOST_NAMES) -> Iterator[str]:
    bad = [row for row in view.rows if row.reason and row.state not in (StepState.DONE, StepState.NOT_RUN)]
    for row in bad[:most]:
        number_of, reason = numbers[row.step], plain(row.reason)
        if gathered_edits(row):
            yield tr("Step {number}: {reason}", number=number_of, reason=reason)
        else:
            yield tr("Step {number} {state}: {reason}", number=number_of, state=_state(row.state), reason=reason)
    if len(bad) > most:
        yield trn("and {count} more step", "and {count} more steps", len(bad) - most)


def _state(state: StepState) -> str:
    known = {
        StepState.FAILED: tr("failed"), StepState.PARTIAL: tr("partly done"), StepState.SKIPPED: tr("skipped"),
        StepState.NEEDS_REVIEW: tr("to be looked at"), StepState.WAITING: tr("waiting"),
        StepState.RUNNING: tr("running"),
    }
    return known.get(state, state.value.replace("_", " "))


def _measured(one: AskResult, numbers: Mapping[str, int]) -> str:
    served = [numbers[step] for step in one.steps if step in numbers]
    steps = trn("step {steps}", "steps {steps}", len(served), steps=numbers_said(served)) if served else tr("no step")
    asked = plain(one.asked)
    if one.after is None and not one.met:
        return tr("{mark} {asked}: **not done** ({steps})", mark=one.mark, asked=asked, steps=steps)
    if one.after is None:
        return tr("{mark} {asked}: done, which nothing measures ({steps})", mark=one.mark, asked=asked, steps=steps)
    was, now = (plain(figure_words(one.measure, value)) for value in (one.before, one.after))
    figures = f"{plain(measure_words(one.measure))} {was} → {now}"
    if one.met:
        return f"{one.mark} {asked}: {figures} ({steps})"
    return tr(
        "{mark} {asked}: {figures}, **not reached** ({steps})", mark=one.mark, asked=asked, figures=figures, steps=steps
    )


def _locks_kept(proofs: Sequence[LockProof]) -> Iterator[str]:
    """Each part that changed, and the first of those that did not; a request for one clip locks all others."""
    yield from (_kept(one) for one in proofs if not one.equal)
    same = [one for one in proofs if one.equal]
    yield from (_kept(one) for one in same[:_MOST_LOCKS])
    left = len(same) - _MOST_LOCKS
    if left > 0:
        yield trn("and {count} more locked part is unchanged", "and {count} more locked parts are unchanged", left)


def _outside(one: LockProof) -> str:
    """What became of all that a plan was not to change, with the first digits of its digests."""
    what, was, now = plain(one.target), one.before[:_DIGITS], one.after[:_DIGITS]
    if one.equal:
        return tr("All but {what} is unchanged ({digest} before and after)", what=what, digest=was)
    return tr("Something else than {what} has **changed** ({before} before, {after} after)", what=what, before=was,
              after=now)


def _kept(one: LockProof) -> str:
    """What became of a locked part, with the first digits of its digests."""
    what, was, now = plain(one.target), one.before[:_DIGITS], one.after[:_DIGITS]
    bars = _BARS.fullmatch(one.target)
    if bars is not None:
        what = f"{bars[1]}–{bars[2]}"
        if one.equal:
            return tr("Bars {bars} are locked and unchanged ({digest} before and after)", bars=what, digest=was)
        return tr("Bars {bars} are locked and **changed** ({before} before, {after} after)", bars=what, before=was,
                  after=now)
    what = f"{what[:1].upper()}{what[1:]}"
    if one.equal:
        return tr("{what} is locked and unchanged ({digest} before and after)", what=what, digest=was)
    return tr("{what} is locked and **changed** ({before} before, {after} after)", what=what, before=was, after=now)


def numbers_said(numbers: Sequence[int]) -> str:
    """Numbers as text with ranges: 1, 2, 3 and 7 are "1–3, 7"."""
    runs: list[list[int]] = []
    for one in sorted(numbers):
        if runs and one == runs[-1][-1] + 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def _new_piece(ghost: Song) -> str:
    return trn(
        "A new piece of {count} bar in {key} at {tempo} BPM, for {tracks}.",
        "A new piece of {count} bars in {key} at {tempo} BPM, for {tracks}.", ghost.bars, key=_key(ghost),
        tempo=_tempo(ghost), tracks=_listed([plain(track.name) for track in ghost.tracks], 6),
    )


def _changed(song: Song, ghost: Song) -> str:
    changes = compare(song, ghost)
    if changes.empty:
        return tr("It would not change the song.")
    frame = []
    if _tempo(song) != _tempo(ghost):
        frame.append(tr("takes the tempo from {before} to {after} BPM", before=_tempo(song), after=_tempo(ghost)))
    if song.key != ghost.key:
        frame.append(tr("moves from {before} to {after}", before=_key(song), after=_key(ghost)))
    called = {track.id: track.name for track in song.tracks}
    for change in ("added", "changed", "removed"):
        names = [plain(called.get(one.track_id, one.name)) for one in changes.tracks if one.change == change]
        if names:
            frame.append(_does(change, _listed(names)))
    touched = {track.track_id for track in changes.tracks}
    same = sum(track.id not in touched for track in song.tracks)
    rest = trn("{count} track stays as it is.", "{count} tracks stay as they are.", same)
    joined = _joined(frame) or tr("changes {bars}", bars=bars_text(1, ghost.bars))
    said = tr("It {does}.", does=joined)
    return f"{said} {rest}" if same else said


def _does(change: str, names: str) -> str:
    match change:
        case "added":
            return tr("adds {names}", names=names)
        case "removed":
            return tr("removes {names}", names=names)
    return tr("changes {names}", names=names)


def _tempo(song: Song) -> str:
    return number(song.bpm)


def _key(song: Song) -> str:
    return signed(str(song.key))


def _listed(names: Sequence[str], most: int = _MOST_NAMES) -> str:
    if len(names) > most + 1:
        return tr("{names} and {count} more", names=", ".join(names[:most]), count=len(names) - most)
    return _joined(names)


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else tr(
        "{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1]
    ) if parts else ""
