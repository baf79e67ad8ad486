"""The sketch: a song while it is being changed. Locks hold here, and every object remembers why it changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, structs

from agent.composer.changing.differing import differing
from agent.composer.changing.settling import clear_of, settled
from agent.composer.changing.time.moves import TimeMove
from agent.composer.guard import Guard
from agent.composer.parts import PlannedTrack
from agent.composer.player_names import renamed
from agent.composer.tones import Tone, outside, tidy
from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.watch import Stopped
from agent.review.fenced import Closed
from agent.song import edits as e
from agent.song.apply import apply
from agent.song.chart import ChordSymbol
from agent.song.clip import Clip
from agent.song.fence import Fence
from agent.song.ids import MASTER, ClipId, EffectId, NoteId, SectionId, TrackId
from agent.song.key import Key
from agent.song.locks import BarsLock, ClipLock, Lock, TrackLock, broken, describe
from agent.song.palette import EffectUse, Palette
from agent.song.song import Song
from agent.song.time import MeterChange, TempoChange, Ticks
from agent.song.track import Automation, Effect, Track


class Blocked(BandleaderError):
    """Raised where a song does not allow a task; `what` is the reason in a few words, for the report of what was
    ignored."""


class Reason(Struct, frozen=True):
    """Why an object changed: `verb` for the row's title ("in D minor"), `why` for its explanation, `task` the number of
    its task."""

    verb: str
    why: str
    task: int


class SketchSnapshot(Struct, frozen=True):
    """A saved state of a sketch, for `Sketch.go_back`: its song, the reasons by changed object (`touched`), and the
    `moves` of bars so far."""

    song: Song
    touched: dict[str, tuple[Reason, ...]]
    moves: tuple[TimeMove, ...]


class Sketch:
    """The song while the tasks of a request change it. Changes to locked content are silently left out.

    `before` is the song at the start, `song` its present state; times are ticks. `touched` has the reasons by the id of
    the changed object, "TRACK:TARGET" for automation, or `NAME`, `KEY`, … for the song's own fields. Ids of new objects
    are valid within the sketch only.
    """

    def __init__(
        self, song: Song, palette: Palette, guard: Guard, stopped: Callable[[], bool] = lambda: False,
        fence: Fence | None = None,
    ) -> None:
        self.before = song
        self.song = song
        self.palette = palette
        self.guard = guard
        self.stopped = stopped
        """Whether planning was stopped; asked at every change."""
        self.touched: dict[str, list[Reason]] = {}
        self.task = 0
        """The number of the task being done, for its reasons."""
        self.moves: list[TimeMove] = []
        """How bars were moved so far, in order."""
        self._closed = None if fence is None else Closed((), fence, song)
        self._made = _last_made(song)
        self._locked_clips: tuple[Lock, ...] = tuple(ClipLock(clip) for clip in sorted(guard.clips))

    def tones(self, clip: Clip) -> tuple[Tone, ...]:
        """The unlocked notes of a clip as tones in ticks of the song, sorted; empty for a locked clip."""
        if clip.id in self.guard.clips:
            return ()
        return outside(
            sorted(Tone(clip.start + n.start, n.pitch, n.duration, n.velocity) for n in clip.notes), self.guard.spans
        )

    def free_tracks(self) -> tuple[Track, ...]:
        """The unlocked tracks in their present state."""
        return tuple(track for track in self.song.tracks if track.id not in self.guard.tracks)

    def free_name(self, name: str) -> str:
        """The name, with a number if a track has it already."""
        taken = {track.name for track in self.song.tracks}
        number = 2
        while name in taken and f"{name} {number}" in taken:
            number += 1
        return name if name not in taken else f"{name} {number}"

    def become(self, song: Song, verb: str, why: str) -> None:
        """Take over a changed song; each object that differs gets the reason (`verb` for the row's title, `why`).

        A change outside of the fence is ignored. Raises `Stopped` when planning was stopped, and `Blocked` if a locked
        clip would change.
        """
        if self.stopped():
            raise Stopped(msg("the planning was stopped"))
        if self._breach(song):
            return
        lock = broken(self._locked_clips, self.song, song)
        if lock is not None:
            raise Blocked(msg("the locked {lock} would change", lock=describe(lock, self.song)))
        reason = Reason(verb, why, self.task)
        for key in differing(self.song, song):
            kept = self.touched.setdefault(key, [])
            if reason not in kept:
                kept.append(reason)
        self.song = song

    def _breach(self, song: Song) -> str:
        """What lies outside of the fence and would change; empty for nothing."""
        return self._closed.breach(song) if self._closed is not None else ""

    def saved(self) -> SketchSnapshot:
        """A snapshot of the present state, for `go_back`."""
        return SketchSnapshot(
            self.song, {key: tuple(reasons) for key, reasons in self.touched.items()}, tuple(self.moves)
        )

    def go_back(self, saved: SketchSnapshot) -> None:
        """Restore a snapshot, undoing all changes since."""
        self.song = saved.song
        self.touched = {key: list(reasons) for key, reasons in saved.touched.items()}
        self.moves = list(saved.moves)

    def move(self, song: Song, move: TimeMove, why: str) -> None:
        """Take over a song whose bars were moved as `move` says. Raises `Blocked` if locked content, or anything
        outside of the fence, would move."""
        bars = self.before.bar_map
        locks: list[Lock] = [BarsLock(bars.bar_at(start), bars.bar_at(end - 1)) for start, end in self.guard.spans]
        held = self.guard.tracks - self.guard.going_along
        locks += [TrackLock(track.id) for track in self.song.tracks if track.id in held]
        match broken((*locks, *self._locked_clips), self.song, song):
            case BarsLock(first, last):
                raise Blocked(msg("locked bars {first}-{last} would move", first=first, last=last))
            case TrackLock(track_id):
                raise Blocked(msg("{name} is to stay as it is and would move", name=self.song.track(track_id).name))
            case ClipLock() as lock:
                raise Blocked(msg("the locked {lock} would move", lock=describe(lock, self.song)))
        if breach := self._breach(song):
            raise Blocked(breach)
        self.become(song, "", why)
        self.moves.append(move)

    def placed(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of the original song (`before`) lies now; empty (end not above start) if it was removed."""
        for move in self.moves:
            start, end = move.placed(start), move.placed(end, closing=True)
        return start, end

    def rewrite(self, clip_id: ClipId, tones: Sequence[Tone], verb: str, why: str) -> None:
        """Replace a clip's notes outside of locked bars; a clip without notes afterwards is deleted. Does nothing for a
        locked clip. `verb` and `why` word the plan's row."""
        track, clip = self.song.clip(clip_id)
        if track.id in self.guard.tracks or clip_id in self.guard.clips:
            return
        if sorted(outside(tones, self.guard.spans)) == sorted(self.tones(clip)):
            return
        frozen = [note for note in clip.notes if self.guard.closed(clip.start + note.start)]
        new = clear_of(settled(outside(tones, self.guard.spans), self.tones(clip), clip), frozen, clip)
        if not new and not frozen and not self.guard.closed(clip.start):
            self._do(e.DeleteClip(clip_id=clip_id), verb, why)
            return
        known = {(clip.start + note.start, note.pitch): note.id for note in clip.notes if note not in frozen}
        specs = [e.NoteSpec.of(note) for note in frozen]
        for tone in new:
            known_id = known.pop((tone.start, tone.pitch), None)
            specs.append(_spec(tone, clip.start, known_id or NoteId(self._id("n"))))
        self._do(e.ModifyClip(clip_id=clip_id, notes=tuple(specs)), verb, why)

    def each_clip(
        self, track: Track, spans: Sequence[tuple[int, int]], change: Callable[[list[Tone], Clip], Sequence[Tone]],
        verb: str, why: str,
    ) -> None:
        """Apply `change` to the notes of a track that begin within `spans` (ticks), clip by clip; other notes stay.
        `verb` and `why` word the plan's row."""
        for clip in track.clips:
            tones = self.tones(clip)
            inside = [tone for tone in tones if any(start <= tone.start < end for start, end in spans)]
            if inside:
                new = [tone for tone in change(inside, clip) if any(s <= tone.start < end for s, end in spans)]
                self.rewrite(clip.id, [*outside(tones, spans), *new], verb, why)

    def add_clip(self, track_id: TrackId, name: str, start: int, end: int, tones: Sequence[Tone], why: str) -> None:
        """Add a clip with these tones, cut where bars are locked; nothing if no tone remains or the track is locked."""
        if track_id in self.guard.tracks:
            return
        for begin, stop in self.guard.open_spans(start, end):
            inside = tidy(outside(tones, self.guard.spans), begin, stop)
            if inside:
                edit = e.CreateMidiClip(
                    clip_id=ClipId(self._id("c")), track_id=track_id, start_time=Ticks(begin), name=name,
                    duration=Ticks(stop - begin),
                    notes=tuple(_spec(tone, begin, NoteId(self._id("n"))) for tone in inside),
                )
                self._do(edit, "", why)

    def add_track(self, new: PlannedTrack) -> TrackId | None:
        """Add a track with its clips and effects and return its id; None where locked bars leave nothing to play.
        Raises `Blocked` if the fence allows no new track."""
        open_tones = [
            tone
            for passage in new.passages
            for start, end in self.guard.open_spans(passage.start, passage.end)
            for tone in tidy(outside(passage.tones, self.guard.spans), start, end)
        ]
        if not open_tones:
            return None
        track_id = TrackId(self._id("t"))
        edit = e.CreateTrack(
            track_id=track_id, name=self.free_name(new.name), instrument=new.instrument, volume_db=new.volume_db,
            pan=new.pan, color=new.color,
        )
        if breach := self._breach(apply(self.song, edit)):
            raise Blocked(breach)
        self._do(edit, "", new.why)
        for passage in new.passages:
            self.add_clip(track_id, passage.name, passage.start, passage.end, passage.tones, passage.why)
        for use in new.effects:
            self.add_effect(track_id, use, "")
        return track_id

    def remove_track(self, track_id: TrackId, why: str) -> None:
        """Delete a track; if it has locked bars or clips, only its other notes are removed. Does nothing for a locked
        track."""
        track = self.song.track(track_id)
        if track_id in self.guard.tracks:
            return
        if not _is_frozen(track, self.guard):
            self._do(e.DeleteTrack(track_id=track_id), "", why)
            return
        for clip in track.clips:
            self.rewrite(clip.id, (), "silent outside the lock", why)

    def update_track(self, track_id: TrackId, why: str, **changes: Any) -> None:
        """Set fields of a track (name, instrument, mix). A track named after its old instrument is renamed after the
        new one. Does nothing for a locked track."""
        if track_id not in self.guard.tracks:
            if "instrument" in changes and "name" not in changes:
                changes |= self._called(track_id, changes["instrument"])
            self._do(e.UpdateTrack(track_id=track_id, **changes), "", why)

    def _called(self, track_id: TrackId, instrument: str) -> dict[str, str]:
        track = self.song.track(track_id)
        known = {one.name: one for one in self.palette.instruments}
        was, now = known.get(track.instrument), known.get(instrument)
        name = renamed(track.name, was, now) if was is not None and now is not None else None
        return {"name": self.free_name(name)} if name is not None else {}

    def dress(self, track_id: TrackId, uses: Sequence[EffectUse], why: str = "") -> None:
        """Bring a track's effects (id `MASTER`: those of the master) to `uses`: existing effects are set, missing ones
        added, others stay."""
        for use in uses:
            chain = self.song.master_effects if track_id == MASTER else self.song.track(track_id).effects
            present = next((effect for effect in chain if effect.name == use.effect), None)
            if present is None:
                self.add_effect(track_id, use, why)
            else:
                self.set_effect(track_id, present, use.params, why)

    def add_effect(self, track_id: TrackId, use: EffectUse, why: str) -> None:
        """Append an effect to a track's chain (id `MASTER`: the master's)."""
        if track_id not in self.guard.tracks:
            made = EffectId(self._id("e"))
            edit = e.AddEffect(effect_id=made, track_id=track_id, effect_name=use.effect, params=dict(use.params))
            self._do(edit, "", why)

    def set_effect(self, track_id: TrackId, effect: Effect, params: dict[str, float], why: str) -> None:
        """Set parameters of an existing effect and enable it."""
        if track_id in self.guard.tracks:
            return
        defaults = {param.name: param.default for param in self.palette.effect(effect.name).params}
        now = {**defaults, **dict(effect.params)}
        changed = {name: value for name, value in params.items() if now.get(name) != value}
        if changed or not effect.enabled:
            self._do(e.UpdateEffect(effect_id=effect.id, params=changed, enabled=True), "", why)

    def remove_effect(self, track_id: TrackId, effect: Effect, why: str) -> None:
        """Remove an effect from its chain, unless its automation has points in locked bars."""
        lanes = () if track_id == MASTER else self.song.track(track_id).automation
        points = [point for lane in lanes if lane.target.startswith(f"{effect.id}.") for point in lane.points]
        if track_id not in self.guard.tracks and not any(self.guard.closed(point.at) for point in points):
            self._do(e.RemoveEffect(effect_id=effect.id), "", why)

    def automate(self, track_id: TrackId, lane: Automation, why: str) -> None:
        """Replace a track's automation lane; ignored if its points in locked bars would change."""
        old = next((one for one in self.song.track(track_id).automation if one.target == lane.target), None)
        was = [point for point in (old.points if old else ()) if self.guard.closed(point.at)]
        if track_id in self.guard.tracks or was != [point for point in lane.points if self.guard.closed(point.at)]:
            return
        points = tuple(e.PointSpec(point.at, point.value) for point in lane.points)
        self._do(e.SetAutomation(track_id=track_id, target=lane.target, points=points, curve=lane.curve), "", why)

    def rename(self, name: str, why: str) -> None:
        """Name the song."""
        self._do(e.RenameSong(name=name), "", why)

    def sound_font(self, track_id: TrackId | None, file: str) -> None:
        """Set the SoundFont file of a track (None: of the song); "" for the built-in bank."""
        now = self.song.soundfont if track_id is None else self.song.track(track_id).soundfont
        if now != file:
            self._do(e.SetSoundFont(track_id=track_id, file=file), "", "you named the file" if file else "as you said")

    def rekey(self, key: Key, why: str) -> None:
        """Set the stated key; notes stay."""
        self._do(e.SetKey(tonic=key.tonic, mode=key.mode), "", why)

    def retempo(self, changes: Sequence[TempoChange], why: str) -> None:
        """Replace all tempo changes of the song."""
        self.become(structs.replace(self.song, tempos=tuple(changes)), "", why)

    def remeter(self, changes: Sequence[MeterChange], why: str) -> None:
        """Replace all meter changes of the song. Raises `Blocked` if bars are locked, as they would shift."""
        if self.guard.spans:
            raise Blocked(msg("locked bars would lie elsewhere in another meter"))
        self.become(structs.replace(self.song, meters=tuple(changes)), "", why)

    def state_chords(self, chords: Sequence[ChordSymbol], why: str) -> None:
        """Set these chords, in place of those stated in the same stretches; notes stay."""
        for start, end, own in _runs(chords):
            specs = tuple(e.ChordSpec.of(one) for one in own)
            self._do(e.SetChords(start_time=Ticks(start), duration=Ticks(end - start), chords=specs), "", why)

    def loudness(self, target: float, why: str) -> None:
        """Set the loudness target in LUFS."""
        self._do(e.SetLoudness(target=target), "", why)

    def add_section(self, name: str, start: int, end: int, why: str) -> None:
        """Add a section from `start` to `end`."""
        made = SectionId(self._id("s"))
        edit = e.AddSection(section_id=made, name=name, start_time=Ticks(start), duration=Ticks(end - start))
        self._do(edit, "", why)

    def new_id(self, kind: str) -> str:
        """A new id for an object that `become` will bring in; `kind` is the id's first letter ("c" for a clip)."""
        return self._id(kind)

    def _do(self, edit: e.Edit, verb: str, why: str) -> None:
        self.become(apply(self.song, edit), verb, why)

    def _id(self, kind: str) -> str:
        self._made += 1
        return f"{kind}new{self._made}"


def _runs(chords: Sequence[ChordSymbol]) -> list[tuple[int, int, list[ChordSymbol]]]:
    """The chords as stretches in which each begins where the one before it ends."""
    runs: list[tuple[int, int, list[ChordSymbol]]] = []
    for one in chords:
        if runs and runs[-1][1] == one.start:
            runs[-1] = (runs[-1][0], int(one.end), [*runs[-1][2], one])
        else:
            runs.append((int(one.start), int(one.end), [one]))
    return runs


def _last_made(song: Song) -> int:
    """The highest number in the ids that another sketch gave to objects of the song."""
    ids = [str(track.id) for track in song.tracks] + [str(section.id) for section in song.sections]
    ids += [str(effect.id) for chain in (song.master_effects, *(t.effects for t in song.tracks)) for effect in chain]
    for _, clip in song.clips():
        ids += [str(clip.id), *(str(note.id) for note in clip.notes)]
    made = [one[4:] for one in ids if one[1:4] == "new"]
    return max((int(number) for number in made if number.isdigit()), default=0)


def _spec(tone: Tone, clip_start: int, note_id: NoteId) -> e.NoteSpec:
    return e.NoteSpec(tone.pitch, Ticks(tone.start - clip_start), Ticks(tone.length), tone.velocity, note_id)


def _is_frozen(track: Track, guard: Guard) -> bool:
    """Whether locks hold something of the track, so that it cannot be deleted."""
    points = [point.at for lane in track.automation for point in lane.points]
    return any(guard.holds(clip) for clip in track.clips) or any(guard.closed(point) for point in points)
