"""Writing parts: a part comes in and plays what its noun phrase says, as it says; nothing beside it changes."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from msgspec import structs
from msgspec.structs import replace

from agent.composer.added_part_words import Material
from agent.composer.changing.operations.adding import fresh, new_track, of_pieces, style_for
from agent.composer.changing.operations.doubling import double
from agent.composer.changing.operations.holding_roots import HoldRoots, hold_roots
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import called
from agent.composer.changing.parts.figured import FiguredPart, figured, rhythm_of, rolled
from agent.composer.changing.parts.room import colour_for, level_for, place_for, tune_of
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.parts import PlannedClip, PlannedTrack, in_time
from agent.composer.roles import GROUPS, role_of_family
from agent.composer.styles import Role, StyleBook
from agent.composer.tones import Tone, tidy
from agent.composer.understanding.operations import Double
from agent.composer.understanding.part_phrase import PartPhrase
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.instruments import default_part
from agent.composer.writing.kit import PITCHES
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.ids import TrackId
from agent.song.palette import EffectUse, Instrument

_LEVELS = {-2: 38, -1: 54, 0: 74, 1: 92, 2: 106}
"""The velocity of a part by how loud it is said to be."""
_STEP_DB = 3.0
_QUIETEST, _LOUDEST = -30.0, 4.0
_ROLES: dict[str, Role] = {
    "roots": "bass", "pulse": "chords", "line": "counter", "chords": "pad", "arpeggio": "arp", "counter": "counter",
    "lead": "lead",
}
_OF_ROLE: dict[Role, Material] = {
    "bass": "roots", "pad": "chords", "chords": "chords", "arp": "arpeggio", "percussion": "pulse",
}
"""What is struck at places of the bar where only the instrument is named."""
_TOLD = {
    "roots": "the roots", "line": "long notes", "chords": "the chords", "arpeggio": "broken chords",
    "pulse": "a pulse", "drone": "a drone", "roll": "a roll", "counter": "a counter-melody", "lead": "a melody",
}
_PLACES = {
    "beats": "on every beat", "one": "on the downbeats", "backbeats": "on two and four", "offbeats": "on the off-beats",
}
_VALUES = {
    2.0: "in half notes", 1.0: "in quarters", 0.5: "in eighths", 0.25: "in sixteenths", 0.125: "in thirty-seconds",
}
_LOUD = {-2: "very quiet", -1: "quiet", 1: "loud", 2: "very loud"}
_HIGH = {-2: "very low", -1: "low", 1: "high", 2: "very high"}
_ROOM = EffectUse("reverb", {"room_size": 0.5, "mix": 0.2})


class WritePart(Operation, frozen=True):
    """Add a part that plays as its phrase says."""

    wish: Wish
    phrase: PartPhrase

    @property
    def newcomer(self) -> Wish | None:
        return self.wish

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return ", ".join([f"add {self.wish.label}", *_said(self.phrase)])

    def placed(self, said: str, places: str, without: str) -> str:
        if self.phrase.leads and places:
            return super().placed(f"{said} before {places}", "", without)
        return super().placed(said, places, without)


def _said(phrase: PartPhrase) -> list[str]:
    """What is said of a part, in a few words."""
    said = []
    if phrase.of is not None:
        apart = {0: "", 12: " an octave higher", -12: " an octave lower"}
        steps = _apart(phrase)
        said.append(f"doubling {phrase.of.label}{apart.get(steps, f' {abs(steps)} semitones away')}")
    elif phrase.plays:
        held = phrase.held and phrase.plays in ("roots", "chords")
        said.append(_TOLD[phrase.plays] + (" held" if held else ""))
    if phrase.key is not None:
        said.append(f"on {phrase.key.tonic}")
    if phrase.beats:
        said.append("on beat " + " and ".join(map(str, phrase.beats)))
    elif phrase.strokes:
        said.append(_PLACES[phrase.strokes])
    elif phrase.step:
        said.append(_VALUES.get(phrase.step, "in triplets"))
    if phrase.above is not None or phrase.below is not None:
        beside = phrase.above or phrase.below
        said.append(f"{'above' if phrase.above is not None else 'below'} {beside.label if beside is not None else ''}")
    if phrase.register and phrase.of is None:
        said.append(_HIGH[phrase.register])
    if phrase.velocity is not None:
        said.append(f"at velocity {phrase.velocity}")
    elif phrase.loud:
        said.append(_LOUD[phrase.loud])
    if phrase.pan is not None:
        said.append("in the middle" if not phrase.pan else f"panned {'left' if phrase.pan < 0 else 'right'}")
    return said


def _apart(phrase: PartPhrase) -> int:
    return phrase.semitones or 12 * phrase.register


def write_part(stage: Stage, operation: WritePart) -> None:
    """Add a track for the part. Raises `Blocked` if its instrument, the part to be doubled, or chords to play are
    missing."""
    stage, phrase = _led_to(stage.in_turn(), operation.phrase), operation.phrase
    if phrase.of is not None or phrase.plays == "drone":
        _made_elsewhere(stage, operation)
        return
    instrument = fresh(operation.wish, stage)
    if instrument is None and not operation.wish.pieces:
        raise Blocked(msg("no instrument for {wish!r}", wish=operation.wish.label))
    if phrase.plays == "roll" and instrument is not None:
        pitch = PITCHES[operation.wish.pieces[0]] if operation.wish.pieces else None
        tones = rolled(stage, FiguredPart(phrase, instrument, _level(phrase, 88)), pitch)
        _lay(stage, operation, instrument, tones, "percussion", "rolls as you asked")
        return
    if operation.wish.pieces or (instrument is not None and instrument.is_kit):
        _struck(stage, operation, instrument)
        return
    assert instrument is not None
    role = operation.wish.role or role_of_family(instrument.family)
    if phrase.timed or phrase.held is not None:
        usual: Material = _OF_ROLE.get(role, "line")
        usual = "chords" if phrase.held and usual != "roots" else usual
        phrase = structs.replace(phrase, plays=phrase.plays or usual)
    if phrase.plays in ("", "counter", "lead"):
        _styled(stage, operation, phrase, role, instrument)
    else:
        _figured(stage, operation, phrase, instrument)


def _led_to(stage: Stage, phrase: PartPhrase) -> Stage:
    """The stage, for what leads to a place in the bar before each of its stretches."""
    if not phrase.leads:
        return stage
    bars, spans = stage.song.bar_map, []
    for start, _ in stage.spans:
        if (first := bars.bar_at(start)) > 1:
            spans.append((int(bars.start_of(first - 1)), start))
    if not spans:
        raise Blocked(msg("there is no bar before it"))
    return replace(stage, spans=tuple(spans), whole=False)


def _made_elsewhere(stage: Stage, operation: WritePart) -> None:
    """What doubles another part, or holds a drone, with what else is said of it."""
    phrase = operation.phrase
    before = {track.id for track in stage.song.tracks}
    if phrase.of is not None:
        double(stage, Double(phrase.of, operation.wish, _apart(phrase)))
    else:
        hold_roots(stage, HoldRoots(operation.wish, added=True, drone=True, key=phrase.key))
    for track in stage.song.tracks:
        if track.id not in before:
            stage.sketch.update_track(track.id, "as you named it", name=_name(stage, operation))
            _touch(stage, track.id, phrase)


def _struck(stage: Stage, operation: WritePart, instrument: Instrument | None) -> None:
    """What has no pitches: strokes at the places that are said, else what it usually plays."""
    wish, phrase = operation.wish, operation.phrase
    if wish.pieces and instrument is not None and phrase.timed:
        tones = rhythm_of(stage, phrase, PITCHES[wish.pieces[0]], _level(phrase, 84))
        _lay(stage, operation, instrument, tones, "percussion", "at the places that you named")
        return
    style = style_for(stage)
    style = of_pieces(style, wish.pieces) if wish.pieces else style
    role: Role = "percussion" if wish.pieces else wish.role or "drums"
    part = style.part_for(role) or default_part(role, wish.label, wish.instruments)
    part = structs.replace(part, name=_name(stage, operation), why="you asked for it")
    made = new_track(stage, part, style, stage.dice)
    if made is not None:
        _touch(stage, made, phrase)


def _styled(stage: Stage, operation: WritePart, phrase: PartPhrase, role: Role, instrument: Instrument) -> None:
    """What the style nearest to the song would play, as high and as loud as is said."""
    style = style_for(stage)
    role = _ROLES[phrase.plays] if phrase.plays else "counter" if role == "lead" else role
    base = style.part_for(role) or structs.replace(default_part(role, operation.wish.label, ()), effects=(_ROOM,))
    centre = max(12, min(108, base.centre + 12 * phrase.register))
    part = structs.replace(
        base, name=_name(stage, operation), instruments=(instrument.name,), centre=centre, why="you asked for it",
        builds=False,
    )
    made = new_track(stage, part, style, stage.dice)
    if made is not None:
        _touch(stage, made, phrase)


def _figured(stage: Stage, operation: WritePart, phrase: PartPhrase, instrument: Instrument) -> None:
    other = phrase.above or phrase.below
    tracks = tracks_of(other, stage.song, stage.palette) if other is not None else ()
    beside = tuple(
        Tone(clip.start + note.start, note.pitch, note.duration, note.velocity)
        for track in tracks for clip in stage.song.track(track).clips for note in clip.notes
    )
    tones = figured(stage, FiguredPart(phrase, instrument, _level(phrase), beside), tune_of(stage.heard()))
    _lay(stage, operation, instrument, tones, _ROLES[phrase.plays], "on the chords of the song")


def _lay(
    stage: Stage, operation: WritePart, instrument: Instrument, tones: Sequence[Tone], role: Role, why: str
) -> None:
    phrase = operation.phrase
    passages = tuple(
        PlannedClip(called(stage.song, start, end) if not stage.whole else "Whole song", start, end, clean, why)
        for start, end in stage.spans if (clean := tidy((t for t in tones if start <= t.start < end), start, end))
    )
    if not passages:
        raise Blocked(msg("there is nothing for {wish} to play there", wish=operation.wish.label))
    part = default_part(role, operation.wish.label, (instrument.name,))
    level = level_for(part, style_for(stage), stage.song, 1.0)
    effects = () if role in ("bass", "percussion") else in_time((_ROOM,), stage.heard().frame.bpm)
    stage.sketch.add_track(
        PlannedTrack(
            _name(stage, operation), instrument.name, _faded(level, phrase),
            place_for(part, stage.song) if phrase.pan is None else phrase.pan, colour_for(part, stage.song), passages,
            effects, GROUPS[role], "you asked for it",
        )
    )


def _touch(stage: Stage, made: TrackId, phrase: PartPhrase) -> None:
    """A part that was made with the usual touch, as loud and where it is said to be."""
    sketch, track = stage.sketch, stage.song.track(made)
    changes: dict[str, float] = {}
    if phrase.pan is not None:
        changes["pan"] = phrase.pan
    if phrase.loud:
        changes["volume_db"] = _faded(track.volume_db, phrase)
    if changes:
        sketch.update_track(made, "as you asked", **changes)
    if phrase.velocity is None and not phrase.loud:
        return
    for clip in track.clips:
        tones = sketch.tones(clip)
        mean = sum(tone.velocity for tone in tones) / max(1, len(tones))
        share = _level(phrase) / mean if mean else 1.0
        louder = [structs.replace(t, velocity=max(1, min(127, round(t.velocity * share)))) for t in tones]
        sketch.rewrite(clip.id, louder, "as loud as you asked", "the same notes")


def _level(phrase: PartPhrase, usual: int = 74) -> int:
    return phrase.velocity or (_LEVELS[phrase.loud] if phrase.loud else usual)


def _faded(level: float, phrase: PartPhrase) -> float:
    return round(max(_QUIETEST, min(_LOUDEST, level + _STEP_DB * phrase.loud)), 1)


def _name(stage: Stage, operation: WritePart) -> str:
    label = operation.wish.label
    return stage.sketch.free_name(label[:1].upper() + label[1:])


def _read(filled: Filled) -> tuple[Operation, ...]:
    phrase = filled.value("phrase")
    return tuple(WritePart(wish, phrase) for wish in filled.parts) if isinstance(phrase, PartPhrase) else ()


def _asks(served: Served, _operation: WritePart, _styles: StyleBook) -> list[Ask]:
    """A part that was not there."""
    whole = served.task.scope.whole
    return served.ask("tracks" if whole else "notes", "higher", sounding=False)


KINDS = (
    OperationKind(
        WritePart, 9, write_part, MappingProxyType({"write_part": SlotReading(_read, frozenset({"part"}))}), _asks,
        makes_tracks=True, recurs=True,
    ),
)
