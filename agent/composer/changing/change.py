"""Changing a song: every task of the request is done on the sketch, and the difference becomes rows."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence

from msgspec import structs

from agent.composer.changing.changed import Changed
from agent.composer.changing.hearing.listening import drum_tracks
from agent.composer.changing.operations.catalogue import catalogue
from agent.composer.changing.report.proposal import RowWriter
from agent.composer.changing.restating import restated
from agent.composer.changing.scopes import assumed, spans_of
from agent.composer.changing.sketch import Blocked, Sketch
from agent.composer.changing.stage import Span, Stage, tracks_of
from agent.composer.changing.time.moved_bars import MovedBars
from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.composer.styles import Style, StyleBook
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.tasks import Edge, Task
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.planning import Brief
from agent.song.errors import SongError
from agent.song.fence import describe_fence
from agent.song.ids import TrackId
from agent.song.locks import TrackLock
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Automation, Track


def kept_tracks(intent: Intent, song: Song, palette: Palette) -> tuple[TrackId, ...]:
    """Ids of the tracks that the request says to leave as they are.

    A kit is not among them if only one of its drums is to stay and the request changes another drum of that kit.
    """
    asked = [getattr(task.operation, name, None) for task in intent.tasks for name in ("wish", "piece")]
    changing = {piece for wish in asked if isinstance(wish, Wish) for piece in wish.pieces}
    kept = [wish for wish in intent.kept if not wish.pieces or not changing or changing & {*wish.pieces}]
    return tuple(dict.fromkeys(t for wish in kept for t in tracks_of(wish, song, palette)))


def kept_locks(intent: Intent, brief: Brief, changed: Changed) -> tuple[TrackLock, ...]:
    """A `TrackLock` for each track that the request says to leave as it is; empty when the request moved bars, as kept
    tracks then move with them."""
    kept = kept_tracks(intent, brief.song, brief.palette) if changed.moved is None else ()
    return tuple(TrackLock(track) for track in kept)


class ChangeWriter:
    """Carries out one request on a song. `changed` is complete once the iterator of `write` is exhausted."""

    def __init__(
        self, brief: Brief, intent: Intent, styles: StyleBook, style: Style | None, dice: Dice,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._brief = brief
        self._intent = intent
        self._styles = styles
        self._style = style
        self._dice = dice
        self._stopped = stopped
        self.changed = Changed({}, {})
        self.sketch = Sketch(brief.song, brief.palette, Guard(brief.song, brief.locks))
        """The song as changed by the tasks so far."""

    def write(self, rows: Rows) -> Iterator[None]:
        """Carry out all tasks on the sketch, then write the plan's rows; yields after each task and each row so that
        the caller can do other work in between. A task that the song does not allow is noted in `changed.blocked`, not
        raised."""
        fence = self._brief.fence
        if fence is not None and makes_tracks(self._intent):
            fence = structs.replace(fence, allows_new_tracks=True)
        sketch = self.sketch = Sketch(self._brief.song, self._brief.palette, rows.guard, self._stopped, fence)
        blocked: dict[int, str] = {}
        for number, task in _in_order(self._intent.tasks):
            sketch.task = number
            saved = sketch.saved()
            try:
                self._do(sketch, task)
            except (Blocked, SongError) as reason:
                # a song has limits, as of tracks, that a task may meet
                blocked[number] = reason.what
                sketch.go_back(saved)
            yield
        proposal = RowWriter(sketch, rows)
        yield from proposal.write()
        self.changed = Changed(
            proposal.serving, blocked,
            MovedBars(sketch.before, sketch.song, tuple(sketch.moves)) if sketch.moves else None,
            self._assumed(sketch, blocked),
        )

    def _assumed(self, sketch: Sketch, blocked: Container[int]) -> tuple[str, ...]:
        scopes = [task.scope for number, task in enumerate(self._intent.tasks) if number not in blocked]
        said = [words for scope in scopes for words in assumed(scope, sketch.before, sketch.palette)]
        return tuple(dict.fromkeys(said))

    def _do(self, sketch: Sketch, task: Task) -> None:
        kind = catalogue().of(task.operation)
        if task.every is not None and not kind.recurs:
            raise Blocked(msg("I cannot do that again and again yet"))
        condition = task.condition
        if condition is not None:
            present = bool(tracks_of(condition.wish, sketch.before, sketch.palette))
            if present != condition.present:
                label = condition.wish.label
                unmet = msg("there is a {wish}", wish=label) if present else msg("there is no {wish}", wish=label)
                raise Blocked(unmet)
        # places are those of the song as the person sees it, wherever other tasks have moved them
        spans = spans_of(task.scope, sketch.before, sketch.palette, new=kind.takes_place)
        spans = tuple(sketch.placed(*span) for span in spans)
        spans = tuple(span for span in spans if span[0] < span[1])
        if task.scope.whole or (sketch.moves and _at_end(task)):
            spans = spans_of(task.scope, sketch.song, sketch.palette)
        if not spans:
            raise Blocked(msg("that part of the song is gone"))
        stage = Stage(
            sketch, self._intent, self._styles, self._style, spans, task.scope.whole, task.amount,
            self._dice.of(self._stream(task, spans)), task.every,
            self._brief.soundfonts,
        )
        before, moves = sketch.song, len(sketch.moves)
        silent = not kind.makes_tracks and _silent(sketch.before, task, spans, sketch.palette)
        try:
            kind.run(stage, task.operation)
        except Blocked as reason:
            if silent:
                raise Blocked(silent) from reason
            raise
        if silent and _silent(sketch.song, task, spans, sketch.palette):
            raise Blocked(silent)
        self._hold(sketch, task, before)
        self._restate(sketch, before, moved=len(sketch.moves) > moves)
        if self._brief.fence is not None and sketch.song is before:
            raise Blocked(msg("only {fence} may change", fence=describe_fence(self._brief.fence, sketch.before)))


    def _hold(self, sketch: Sketch, task: Task, before: Song) -> None:
        """Leave the aspects that are kept as they were; what asks for another mix may have it."""
        kept = self._intent.kept_aspects
        if aspect := _disturbed(kept, before, sketch.song):
            raise Blocked(msg("the {aspect} is to stay", aspect=aspect))
        if "mix" in kept and not task.operation.of_mix and (song := as_mixed(before, sketch.song)) != sketch.song:
            sketch.become(song, "", "the mix is to stay")
            if song == before:
                raise Blocked(msg("the {aspect} is to stay", aspect="mix"))

    @staticmethod
    def _stream(task: Task, spans: Sequence[Span]) -> str:
        """The name of a task's draws: what it does, to whom and where, so that other clauses do not change them."""
        wish = getattr(task.operation, "wish", None)
        label = wish.label if isinstance(wish, Wish) else ""
        return f"{type(task.operation).__name__} {label} {spans}"

    @staticmethod
    def _restate(sketch: Sketch, before: Song, *, moved: bool) -> None:
        """Stated chords follow the notes that a task gave another harmony."""
        if not sketch.song.chords or sketch.song is before:
            return
        drums = drum_tracks(before, sketch.palette) | drum_tracks(sketch.song, sketch.palette)
        chords = restated(before, sketch.song, drums, moved=moved)
        if chords != sketch.song.chords:
            sketch.become(structs.replace(sketch.song, chords=chords), "", "they follow the notes")


def _silent(song: Song, task: Task, spans: Sequence[Span], palette: Palette) -> str:
    """What is told of a part that plays nothing in the bars in which it is to change; empty where it plays."""
    wish = getattr(task.operation, "wish", None)
    tracks = tracks_of(wish, song, palette) if isinstance(wish, Wish) and not task.scope.whole else ()
    if not tracks or wish is None:
        return ""
    for track, clip in song.clips():
        heard = (clip.start + note.start for note in clip.notes)
        if track.id in tracks and any(start <= at < end for at in heard for start, end in spans):
            return ""
    return f"{wish.label} does not play there"


def makes_tracks(intent: Intent) -> bool:
    """Whether any task of the request asks for a new track; a fence then allows new tracks."""
    return any(catalogue().of(task.operation).makes_tracks for task in intent.tasks)


def _in_order(tasks: tuple[Task, ...]) -> list[tuple[int, Task]]:
    """The tasks as they are done; what happens at the end happens at that which the song then has."""
    moving = any(_moves(task) for task in tasks)

    def place(numbered: tuple[int, Task]) -> tuple[bool, int]:
        task = numbered[1]
        return moving and _at_end(task), catalogue().of(task.operation).order

    return sorted(enumerate(tasks), key=place)


def _moves(task: Task) -> bool:
    return catalogue().of(task.operation).moves_bars(task.operation)


def _at_end(task: Task) -> bool:
    """Whether a task leaves all bars where they are and is done at the end of the song."""
    places = task.scope.places
    return bool(places) and not _moves(task) and all(isinstance(one, Edge) and one.at == "end" for one in places)


def milder(intent: Intent, intensity: float) -> Intent:
    """The intent with every task's `amount` multiplied by `intensity` (above 0; 1 changes nothing)."""
    if intensity == 1:
        return intent
    tasks = tuple(structs.replace(task, amount=task.amount * intensity) for task in intent.tasks)
    return structs.replace(intent, tasks=tasks)


_LANES = ("volume_db", "pan")


def _disturbed(aspects: Sequence[str], before: Song, after: Song) -> str:
    """The first of `aspects` ("form", "meter", "length") in which two songs differ; "" if in none."""
    return next((one for one in aspects if one in _DIFFER and _DIFFER[one](before, after)), "")


def as_mixed(before: Song, after: Song) -> Song:
    """The song `after` with the master and each track that was in `before` mixed as they were there."""
    old = {track.id: track for track in before.tracks}
    tracks = tuple(_mixed_as(old[track.id], track) if track.id in old else track for track in after.tracks)
    master = before.master_effects
    return structs.replace(after, tracks=tracks, master_effects=master, loudness_target=before.loudness_target)


def _mixed_as(old: Track, track: Track) -> Track:
    lanes = [one for one in track.automation if not _is_mixed(one, track)]
    lanes += [one for one in old.automation if _is_mixed(one, old)]
    same = track.automation if set(lanes) == set(track.automation) else tuple(lanes)
    return structs.replace(
        track, volume_db=old.volume_db, pan=old.pan, mute=old.mute, effects=old.effects, automation=same
    )


def _is_mixed(lane: Automation, track: Track) -> bool:
    effects = {effect.id for effect in track.effects}
    return lane.target in _LANES or lane.target.partition(".")[0] in effects


def _form_differs(before: Song, after: Song) -> bool:
    return _form(before) != _form(after)


def _form(song: Song) -> tuple[object, ...]:
    bars = song.bar_map
    sections = tuple((one.name, bars.bar_at(one.start), bars.bar_at(one.start + one.duration)) for one in song.sections)
    return song.bars, sections


def _meter_differs(before: Song, after: Song) -> bool:
    return before.meters != after.meters


def _length_differs(before: Song, after: Song) -> bool:
    """Whether a song lasts longer or shorter by more than a bar: at another tempo no number of bars lasts as long."""
    lasted, lasts = (song.tempo_map.seconds(int(song.end)) for song in (before, after))
    return abs(lasts - lasted) > lasted / max(before.bars, 1)


_DIFFER = {"form": _form_differs, "meter": _meter_differs, "length": _length_differs}
