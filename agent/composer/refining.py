"""Refining: a plan that waits is changed as words say, and what they do not touch stays row for row.

The words are carried out on the song that the plan would make. What then differs from that song is written anew as rows
from the song before; a row about anything else stays as it is, with its id, and with what a person decided on it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from agent.composer.amending.replanning import LEFT_OUT
from agent.composer.changing.change import ChangeWriter, makes_tracks
from agent.composer.changing.changed import Changed
from agent.composer.changing.differing import CHORDS, KEY, LOUDNESS, METER, NAME, TEMPO, differing, font_key
from agent.composer.changing.report.clauses import clauses_of
from agent.composer.changing.report.proposal import RowWriter
from agent.composer.changing.sketch import Sketch
from agent.composer.changing.stage import tracks_of
from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.composer.styles import StyleBook
from agent.composer.understanding.intent import Intent, understood
from agent.composer.understanding.operations import Solo
from agent.composer.understanding.tasks import Task
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.document import Plan
from agent.plan.errors import NothingToDo, PlanError
from agent.plan.order import needed
from agent.plan.plan import Ask, Clause, Step, StepId
from agent.plan.planning import Brief
from agent.review.preview import Preview
from agent.song import edits as e
from agent.song.fence import Fence
from agent.song.ids import ClipId, TrackId
from agent.song.song import Song

_ROW = re.compile(r"\b(?:row|step|change|number|no)\.?\s{0,3}#?(\d{1,4})\b\s{0,3}:?|#(\d{1,4})\b", re.IGNORECASE)


def row_named(words: str) -> tuple[int | None, str]:
    """The number of the row that the words name ("row 7 an octave lower"), None without one, and the words without
    it."""
    found = _ROW.search(words)
    if found is None:
        return None, words
    return int(found[1] or found[2]), f"{words[: found.start()]} {words[found.end() :]}".strip()


class Refining(Struct, frozen=True):
    """A plan to be changed by a remark, with the preview of the song that it would make and the song before it
    (`before`)."""

    plan: Plan
    preview: Preview
    before: Song

    @property
    def keys(self) -> dict[StepId, str]:
        """For each row with a single edit the key of the object that it changes (a clip's or track's id, …)."""
        return {row.step: _key_of(row.edits[0]) for row in self.preview.rows if len(row.edits) == 1}

    def about(self, tracks: Collection[TrackId]) -> frozenset[StepId]:
        """Ids of the rows that change these tracks, their clips or automation; the tracks are those of the song that
        the plan would make."""
        owners = {clip.id: track.id for track, clip in self.preview.song.clips()}
        return frozenset(
            row for row, key in self.keys.items()
            if key.partition(":")[0] in tracks or owners.get(ClipId(key)) in tracks
        )

    def fence(self, number: int) -> Fence:
        """A fence around the clip or track that the row with this number (from 1) changes. Raises `PlanError` if there
        is no such row or it changes something else."""
        if not 1 <= number <= len(self.plan.steps):
            raise PlanError(
                msg("the plan has no row {number}", number=number),
                why=msg("it has {count}", count=len(self.plan.steps)),
            )
        step = self.plan.steps[number - 1]
        key = self.keys.get(step.id, "")
        song = self.preview.song
        if any(clip.id == key for _, clip in song.clips()):
            return Fence(clips=(ClipId(key),))
        if any(track.id == key for track in song.tracks):
            return Fence(tracks=(TrackId(key),))
        raise PlanError(
            msg("row {number} cannot be changed in words", number=number),
            why=msg("it is about no clip or track of its own"), fix=msg("leave it out, or change it by hand"),
        )

    def without(self, number: int, words: str) -> Plan:
        """The plan without the row with this number (from 1) and the rows that depend on it; `words` is the remark that
        asked for it. Raises `PlanError` if there is no such row or none would be left."""
        if not 1 <= number <= len(self.plan.steps):
            raise PlanError(
                msg("the plan has no row {number}", number=number),
                why=msg("it has {count}", count=len(self.plan.steps)),
            )
        return self._with([step for at, step in enumerate(self.plan.steps, 1) if at != number], words)

    def without_rows(self, gone: Collection[StepId], words: str) -> Plan:
        """The plan without the rows `gone` and the rows that depend on them; `words` is the remark that asked for it.
        Raises `PlanError` if none would be left."""
        return self._with([step for step in self.plan.steps if step.id not in gone], words)

    def as_far(self, degrees: Mapping[StepId, float], others: Mapping[float, Mapping[str, Step]]) -> Plan:
        """The plan with rows replaced by weaker or stronger versions: `degrees` has the intensity for each row (1 as
        planned), `others` the rows of the same request at each intensity, by the key of their object. Raises
        `PlanError` if none differs."""
        steps = []
        for step in self.plan.steps:
            other = others.get(degrees.get(step.id, 1.0), {}).get(self.keys.get(step.id, ""))
            if other is not None and (other.tool, other.inputs) != (step.tool, step.inputs):
                step = structs.replace(step, tool=other.tool, inputs=other.inputs, title=other.title, why=other.why)
            steps.append(step)
        if tuple(steps) == self.plan.steps:
            raise NothingToDo(
                msg("the plan stays as it is"),
                why=msg("what it does was named exactly, so there is no more and no less of it"),
                fix=msg("name another figure"),
            )
        return structs.replace(self.plan, steps=tuple(steps), hash="", lint=())

    def refined(self, brief: Brief, intent: Intent, styles: StyleBook, fence: Fence | None) -> Plan:
        """The plan after a remark that was read, as `intent`, on the song that the plan would make; that song is the
        brief's. Nothing outside of `fence` changes (None: anything may). Raises `PlanError` if nothing of the plan
        would change."""
        steps, changed = self.rows_after(brief, intent, styles, fence)
        if tuple(steps) == self.plan.steps:
            why = "; ".join(changed.blocked.values()) or msg("it already is so")
            raise NothingToDo(msg("the plan stays as it is"), why=why, fix=msg("say what should be different in it"))
        return self._told(steps, changed, intent, brief)

    def rows_after(
        self, brief: Brief, intent: Intent, styles: StyleBook, fence: Fence | None = None
    ) -> tuple[list[Step], Changed]:
        """The rows of the plan after the tasks of an intent, none of which changes anything outside of `fence` (None:
        anything may), and the outcome of those tasks."""
        base = _reverted(self.preview.song, self.before, intent, brief)
        tasks = [self._of_plan(task, brief) for task in intent.tasks if not _only_says_which(task.operation, intent)]
        rest = structs.replace(intent, tasks=tuple(tasks))
        rows = Rows(base, Guard(base, brief.locks), brief.palette)
        change = ChangeWriter(
            structs.replace(brief, song=base, fence=fence), rest, styles, None, Dice(brief.seed, "refine")
        )
        for _ in change.write(rows):
            pass
        return self._rewritten(change.sketch, brief), change.changed

    def _of_plan(self, task: Task, brief: Brief) -> Task:
        """A task about a part of which the plan makes one: that is meant, and not the one that was there before."""
        wish = getattr(task.operation, "wish", None)
        if not isinstance(wish, Wish):
            return task
        old = {track.id for track in self.before.tracks}
        meant = tracks_of(structs.replace(wish, tracks=()), brief.song, brief.palette)
        made = tuple(track for track in dict.fromkeys((*wish.tracks, *meant)) if track not in old)
        if not made:
            return task
        return structs.replace(task, operation=structs.replace(task.operation, wish=structs.replace(wish, tracks=made)))

    def _rewritten(self, sketch: Sketch, brief: Brief) -> list[Step]:
        """The rows that lead to a sketch, as few of them anew as can be."""
        touched = frozenset(differing(self.preview.song, sketch.song))
        keys, made = self.keys, self._made
        sketch.before = self.before
        rows = Rows(self.before, Guard(self.before, self.plan.locks), brief.palette, [s.id for s in self.plan.steps])
        proposal = RowWriter(sketch, rows, made)
        for _ in proposal.write(only=touched):
            pass
        anew: dict[str, list[Step]] = defaultdict(list)
        for step in rows.steps:
            anew[proposal.keys[step.id]].append(step)
        steps: list[Step] = []
        for step in self.plan.steps:
            key = keys.get(step.id)
            if key not in touched:
                steps.append(step)
            elif anew[key]:
                new = anew[key].pop(0)
                steps.append(structs.replace(step, tool=new.tool, inputs=new.inputs, title=new.title, why=new.why))
        return steps + [step for left in anew.values() for step in left]

    def _told(self, steps: Sequence[Step], changed: Changed, intent: Intent, brief: Brief) -> Plan:
        plan = self._with(steps, brief.request)
        old = {step.id: step for step in self.plan.steps}
        fresh = tuple(step.id for step in plan.steps if old.get(step.id) != step)
        return structs.replace(
            plan, understood=(*plan.understood, *understood(intent)[1:]), ignored=(*plan.ignored, *intent.ignored),
            clauses=(*plan.clauses, *self._clauses(intent, changed, fresh)), fence=_opened(plan.fence, intent),
        )

    def _with(self, steps: Sequence[Step], words: str) -> Plan:
        rest = _without_gone(steps)
        if not rest:
            raise PlanError(
                msg("nothing would be left of the plan"), why=msg("every row would go"), fix=msg("discard the plan"),
            )
        present = {step.id for step in rest}
        asks = [structs.replace(ask, steps=tuple(one for one in ask.steps if one in present)) for ask in self.plan.asks]
        # what all rows are gone of is asked for no more
        kept = tuple(ask for ask, was in zip(asks, self.plan.asks, strict=True) if ask.steps or not was.steps)
        return structs.replace(
            self.plan, steps=rest, request=f"{self.plan.request}\n{words}", asks=kept, hash="", lint=(),
            understood=self._understood(asks),
            clauses=tuple(_without_rows(clause, present) for clause in self.plan.clauses),
        )

    def _understood(self, asks: Sequence[Ask]) -> tuple[str, ...]:
        """What is understood still, where each ask has a line of it behind the first, which tells what it is about."""
        head, lines, was = self.plan.understood[:1], self.plan.understood[1:], self.plan.asks
        if len(lines) != len(was):
            return self.plan.understood
        left = (line for line, ask, old in zip(lines, asks, was, strict=True) if ask.steps or not old.steps)
        return (*head, *left)

    def _clauses(self, intent: Intent, changed: Changed, rows: tuple[StepId, ...]) -> Iterator[Clause]:
        """What became of the words, which stand behind the request of the plan."""
        behind = len(self.plan.request) + 1
        done = (number for number in range(len(intent.tasks)) if number not in changed.blocked)
        for one in clauses_of(intent, Changed(dict.fromkeys(done, rows), changed.blocked)):
            yield structs.replace(one, start=one.start + behind, end=one.end + behind)

    @property
    def _made(self) -> Mapping[str, StepId]:
        """Which row makes which object."""
        return {
            _key_of(edit): row.step
            for row in self.preview.rows for edit in row.edits
            if isinstance(edit, e.CreateTrack | e.CreateMidiClip | e.AddEffect | e.AddSection)
        }


def _without_rows(clause: Clause, present: Collection[StepId]) -> Clause:
    """A clause of which rows are left out; one that has none left is done no more."""
    steps = tuple(step for step in clause.steps if step in present)
    if steps or not clause.steps:
        return structs.replace(clause, steps=steps)
    return structs.replace(clause, steps=(), outcome="told", reason=LEFT_OUT)


def _opened(fence: Fence | None, intent: Intent) -> Fence | None:
    return structs.replace(fence, allows_new_tracks=True) if fence is not None and makes_tracks(intent) else fence


def _only_says_which(operation: object, intent: Intent) -> bool:
    """Whether it limits the plan instead of changing it: "only the drum part"."""
    return isinstance(operation, Solo) and len(intent.tasks) == 1


def _reverted(ghost: Song, before: Song, intent: Intent, brief: Brief) -> Song:
    """The song that the plan would make, without what the words want to leave as it was before."""
    kept = {track for wish in intent.kept for track in tracks_of(wish, ghost, brief.palette)}
    solo = next((t.operation for t in intent.tasks if isinstance(t.operation, Solo)), None)
    if solo is not None and _only_says_which(solo, intent):
        meant = {track for wish in solo.wishes for track in tracks_of(wish, ghost, brief.palette)}
        kept = {track.id for track in (*ghost.tracks, *before.tracks)} - meant
        ghost = structs.replace(
            before, tracks=ghost.tracks, sections=ghost.sections if before.note_count == 0 else before.sections
        )
    old = {track.id: track for track in before.tracks}
    back = _kept_from_removal(before, ghost, intent, brief)
    kept |= back
    left = {track.id: track for track in ghost.tracks}
    # a part that stays comes back where it stood
    there = [left.get(one.id, one) for one in before.tracks if one.id in back or one.id in left]
    there += [one for one in ghost.tracks if one.id not in old]
    whole = there if back else ghost.tracks
    tracks = tuple(old.get(track.id, track) if track.id in kept else track for track in whole)
    if solo is not None:
        tracks = tuple(track for track in tracks if track.id in old or track.id not in kept)
    song = structs.replace(ghost, tracks=tracks)
    if intent.keep_tempo:
        song = structs.replace(song, tempos=before.tempos)
    return structs.replace(song, key=before.key) if intent.keep_key else song


def _kept_from_removal(before: Song, ghost: Song, intent: Intent, brief: Brief) -> set[TrackId]:
    """The parts that the plan would remove and the words want to stay."""
    left = {track.id for track in ghost.tracks}
    return {one for wish in intent.kept for one in tracks_of(wish, before, brief.palette) if one not in left}


def _key_of(edit: e.Edit) -> str:
    match edit:
        case e.SetAutomation():
            return f"{edit.track_id}:{edit.target}"
        case e.SetTempo():
            return TEMPO
        case e.SetKey():
            return KEY
        case e.SetTimeSignature():
            return METER
        case e.SetChords():
            return CHORDS
        case e.SetLoudness():
            return LOUDNESS
        case e.SetSoundFont():
            return font_key(edit.track_id)
        case e.RenameSong():
            return NAME
    for field in ("clip_id", "effect_id", "section_id", "track_id"):
        found = getattr(edit, field, None)
        if isinstance(found, str):
            return found
    return type(edit).__name__


def _without_gone(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The rows without those that need one that is left out."""
    ids = {step.id for step in steps}
    while True:
        left = [step for step in steps if needed(step) <= ids]
        if len(left) == len(steps):
            return tuple(left)
        steps, ids = left, {step.id for step in left}
