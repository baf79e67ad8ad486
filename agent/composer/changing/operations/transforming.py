"""Transforming: a line slower, faster, upside down or backwards over the chords that stay; chords broken or struck."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Literal, cast, get_args

from msgspec import Meta

from agent.composer.changing.hearing.listening import sections_heard
from agent.composer.changing.notes.compass import in_compass
from agent.composer.changing.notes.seconds import on_chords
from agent.composer.changing.notes.transforming import Breaking, backwards, block, broken, inverted, stretched, strummed
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.parts.lines import by_hand
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.styles import StyleBook
from agent.composer.tones import Tone, outside, tidy
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.operations import Retempo
from agent.composer.understanding.slot_filling import Filled, SlotReading, within
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.song.time import PPQ

Turn = Literal["augment", "diminish", "invert", "retrograde"]
_SAID: dict[Turn, str] = {
    "augment": "twice as slow", "diminish": "twice as fast", "invert": "upside down", "retrograde": "backwards",
}
_BROKEN: dict[Breaking, str] = {
    "arpeggio": "as arpeggios", "broken": "as broken chords", "block": "as block chords", "strum": "strummed",
}
_PACES = {"augment": 0.5, "diminish": 2.0}
"""What becomes of the tempo where not a line but the whole song goes so."""
_CHORDAL = 1.5
"""Notes for each attack from which a part plays chords and has no line to turn."""
_FEWEST = 6
"""Different velocities that struck chords have at least."""
_ALIKE = 0.6
"""Share of the moves that must be mirrored, or of the notes that must be reversed; chords may ask for the rest."""


class Transform(Operation, frozen=True):
    """Change a part's line over the same chords, as `how` says: all notes longer ("augment") or shorter ("diminish"),
    mirrored in pitch ("invert") or backwards ("retrograde"). Each section is transformed for itself."""

    how: Turn
    wish: Wish

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{self.wish.label} {_SAID[self.how]}"


class Break(Operation, frozen=True):
    """Change when the notes of a part's chords are struck, as `how` says: one by one, every `beats` quarter notes
    ("arpeggio", "broken"); single notes gathered into chords ("block"); or strummed ("strum")."""

    how: Breaking
    wish: Wish
    beats: Annotated[float, Meta(ge=0.125, le=4)] = 0.5

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"{self.wish.label} {_BROKEN[self.how]}"


def transform(stage: Stage, operation: Transform) -> None:
    """Transform the line; long notes outside the chord are moved to its nearest tone. Raises `Blocked` if the part has
    no single pitched line."""
    before = stage.song
    voices = [voice for voice in voices_of(stage, operation.wish) if not voice.rhythmic]
    lines = [voice for voice in voices if _together(voice) < _CHORDAL]
    if not lines:
        raise Blocked(
            msg("{wish} has no single line to turn", wish=operation.wish.label) if voices
            else msg("{wish} has no pitches to turn", wish=operation.wish.label)
        )
    for voice in lines:
        for span in _stretches(stage):
            _turned(stage, voice, span, operation.how)
    if stage.song is before:
        raise Blocked(msg("{wish} plays nothing there that would change", wish=operation.wish.label))


def break_chords(stage: Stage, operation: Break) -> None:
    """Change when the part's notes are struck as `operation.how` says; pitches stay. Raises `Blocked` if nothing
    changes."""
    before = stage.song
    step = max(1, round(operation.beats * PPQ))
    for voice in voices_of(stage, operation.wish):
        if voice.rhythmic:
            continue

        def changed(tones: list[Tone], clip: Clip, voice: Voice = voice) -> Sequence[Tone]:
            if operation.how == "block":
                struck = block(tones, voice.heard.chords, voice.grid)
                return by_hand(struck) if len({tone.velocity for tone in struck}) < _FEWEST else struck
            strum = operation.how == "strum"
            new = strummed(tones, voice.grid) if strum else broken(tones, operation.how, step)
            return [tone for tone in tidy(new, int(clip.start), int(clip.end)) if stage.inside(tone.start)]

        rewrite(stage, voice, changed, _BROKEN[operation.how], "on the chords that are there")
    if stage.song is before:
        raise Blocked(
            msg("{wish} has nothing to play {broken} there", wish=operation.wish.label, broken=_BROKEN[operation.how]),
        )


def _turned(stage: Stage, voice: Voice, span: Span, how: Turn) -> None:
    track = stage.song.track(voice.track.id)
    start, end = span
    tones = [t for clip in track.clips for t in stage.sketch.tones(clip) if start <= t.start < end]
    if not tones:
        return
    tones = sorted(tones)
    first, last = voice.grid.bar(tones[0].start)[0], voice.grid.bar(tones[-1].start)[1]
    first, last = max(start, first), min(end, last)
    match how:
        case "augment" | "diminish":
            new = stretched(tones, 2.0 if how == "augment" else 0.5, first, last)
        case "invert":
            new = in_compass(inverted(tones, voice.key), voice.low, voice.high, voice.key)
        case _:
            new = backwards(tones, first, last)
    new = on_chords(new, voice.chord_at, voice.key, lambda tone: not voice.fits(tone.pitch))
    for clip in track.clips:
        low, high = max(start, int(clip.start)), min(end, int(clip.end))
        if low < high:
            own = tidy((tone for tone in new if low <= tone.start < high), low, high)
            kept = outside(stage.sketch.tones(clip), [(low, high)])
            stage.sketch.rewrite(clip.id, [*kept, *own], _SAID[how], "over the same chords")


def _stretches(stage: Stage) -> list[Span]:
    """The task's place, cut where sections begin."""
    cuts = sorted(int(section.start) for section in sections_heard(stage.song, stage.palette))
    found: list[Span] = []
    for start, end in stage.spans:
        edges = [start, *(at for at in cuts if start < at < end), end]
        found += [(low, high) for low, high in pairwise(edges) if low < high]
    return found


def _together(voice: Voice) -> float:
    notes = voice.track.note_count
    starts = {(clip.id, note.start) for clip in voice.track.clips for note in clip.notes}
    return notes / len(starts) if starts else 1.0


def _read_transform(filled: Filled) -> tuple[Operation, ...]:
    turn, pointed = filled.words.variant, filled.value("part")
    if not filled.parts and pointed is not None and turn in _PACES:
        # "play it at half speed", where nothing was named before
        return (Retempo(factor=_PACES[turn]),)
    melody = thing_wish(filled.lexicon.words.thing("melody"))
    return tuple(Transform(cast("Turn", filled.words.variant), wish) for wish in filled.parts or (melody,))


def _read_break(filled: Filled) -> tuple[Operation, ...]:
    usual = {"strum": "guitar", "block": "arpeggio"}.get(filled.words.variant, "chords")
    how = cast("Breaking", filled.words.variant if filled.words.variant in get_args(Breaking) else "arpeggio")
    beats = within(filled.number("grid") or 0.5, 0.125, 4.0)
    wishes = filled.parts or (thing_wish(filled.lexicon.words.thing(usual)),)
    return tuple(Break(how, wish, beats) for wish in wishes)


def _asks_transform(served: Served, operation: Transform, _: StyleBook) -> list[Ask]:
    match operation.how:
        case "augment":
            return served.of_parts(operation.wish, "mean_note_beats", "higher")
        case "diminish":
            return served.of_parts(operation.wish, "mean_note_beats", "lower")
        case "invert":
            return [a for t in served.parts(operation.wish)[:2] for a in served.ask(
                f"mirrored:{served.named(t)}", "at_least", _ALIKE
            )] or served.plain()
        case _:
            return served.plain()


def _asks_break(served: Served, operation: Break, _: StyleBook) -> list[Ask]:
    if operation.how == "strum":
        return served.plain()
    return served.of_parts(operation.wish, "notes_per_attack", "higher" if operation.how == "block" else "lower")


KINDS = (
    OperationKind(
        Transform, 11, transform, MappingProxyType({"transform": SlotReading(_read_transform)}), _asks_transform
    ),
    OperationKind(Break, 11, break_chords, MappingProxyType({"break": SlotReading(_read_break)}), _asks_break),
)
