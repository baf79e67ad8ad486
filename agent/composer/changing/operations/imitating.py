"""Imitating: a part follows another in canon, or answers it in its gaps."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Annotated, Literal, cast

from msgspec import Meta, structs

from agent.composer.changing.hearing.around import Around
from agent.composer.changing.hearing.listening import top_line
from agent.composer.changing.notes.imitations import answers, later
from agent.composer.changing.notes.seconds import on_chords
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.parts.lines import handed_over, into_range
from agent.composer.changing.parts.second_voice import add_voice, in_bars
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.styles import RHYTHMIC, StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.lexicon import thing_wish
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.instruments import find_instrument
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.chord import Chord
from agent.song.palette import Instrument
from agent.song.time import PPQ
from agent.song.track import Track

_SOFTER = 0.9
_LONG = PPQ // 2
_ANSWERING = ("woodwind_flute", "strings_violin", "woodwind_clarinet", "keys_celesta", "piano_grand")
"""Who answers where the request leaves it open, best first."""


class Imitate(Operation, frozen=True):
    """Another instrument (`by`; None: one is chosen) repeats a part's line later ("canon"), or its last notes in its
    rests ("answer"). A canon is `bars` bars behind, or `beats` beats if `bars` is 0."""

    how: Literal["canon", "answer"]
    wish: Wish
    by: Wish | None = None
    beats: Annotated[float, Meta(gt=0, le=256)] = 4.0
    bars: Annotated[int, Meta(ge=0, le=64)] = 1

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        who = self.by.label if self.by is not None else "another voice"
        if self.how == "answer":
            return f"{who} answers {self.wish.label} in its gaps"
        far = f"{self.bars} bar{'s' if self.bars != 1 else ''}" if self.bars else f"{self.beats:g} beats"
        return f"{who} follows {self.wish.label} in canon, {far} later"


def imitate(stage: Stage, operation: Imitate) -> None:
    """Write the imitating line, within its instrument's range and with clashes against chords or the imitated part
    corrected. Raises `Blocked` if that part plays nothing in the stage's spans."""
    leader = _leader(stage, operation.wish)
    tones = top_line(
        Tone(clip.start + n.start, n.pitch, n.duration, n.velocity) for clip in leader.clips for n in clip.notes
        if stage.inside(clip.start + n.start)
    )
    if not tones:
        raise Blocked(msg("{wish} plays nothing there", wish=operation.wish.label))
    sound = _follower(stage, leader, operation.by)
    line = [tone for span in stage.spans for tone in _imitated(stage, operation, tones, *span)]
    if not line:
        raise Blocked(
            msg("{wish} leaves no gap to answer in", wish=operation.wish.label) if operation.how == "answer"
            else msg("there is no room behind {wish}", wish=operation.wish.label)
        )
    families = {one.name: one.family for one in stage.palette.instruments}
    heard = stage.heard()
    line = into_range(line, sound.low, sound.high, heard.key)
    if operation.how == "answer":
        line = _near(line, tones, sound)
    line = _mended(stage, line, leader)
    line = handed_over(line, families.get(leader.instrument), sound.family, stage.spans[-1][1])
    _write(stage, operation, leader, sound, line)


def _imitated(stage: Stage, operation: Imitate, tones: Sequence[Tone], start: int, end: int) -> list[Tone]:
    inside = [tone for tone in tones if start <= tone.start < end]
    end = min(end, int(stage.song.bar_map.start_of(stage.song.bars + 1)))
    if operation.how == "answer":
        return answers(inside, end) if inside else []
    bar = int(stage.song.bar_map.meter_at(start).bar_length)
    by = operation.bars * bar or round(operation.beats * PPQ)
    return later(inside, by, end)


def _mended(stage: Stage, line: Sequence[Tone], leader: Track) -> list[Tone]:
    heard = stage.heard()
    against = Around(stage.song, [leader.id, *(t for t, role in heard.roles.items() if role == "bass")])

    def clashes(tone: Tone) -> bool:
        return tone.length >= _LONG and against.rubs(tone.pitch, tone.start, tone.end)

    def chord_at(at: int) -> Chord | None:
        return next((span.chord for span in heard.chords if span.start <= at < span.end), None)

    softer = [structs.replace(tone, velocity=max(1, round(tone.velocity * _SOFTER))) for tone in line]
    return on_chords(softer, chord_at, heard.key, clashes)


def _near(line: Sequence[Tone], tones: Sequence[Tone], sound: Instrument) -> list[Tone]:
    """The answer an octave below the tune where it has room, so that both are told apart."""
    lower = [structs.replace(tone, pitch=tone.pitch - 12) for tone in line]
    middle = sum(tone.pitch for tone in tones) / len(tones)
    high = sum(tone.pitch for tone in line) / max(1, len(line)) > middle - 6
    return lower if high and all(tone.pitch >= sound.low for tone in lower) else list(line)


def _leader(stage: Stage, wish: Wish) -> Track:
    roles = stage.roles()
    meant = [t for t in tracks_of(wish, stage.song, stage.palette) if roles[t] not in RHYTHMIC]
    playing = [t for t in meant if stage.song.track(t).note_count]
    if not playing:
        raise Blocked(msg("the song has no {wish} to follow", wish=wish.label))
    return stage.song.track(playing[0])


def _follower(stage: Stage, leader: Track, by: Wish | None) -> Instrument:
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    if by is not None:
        own = [known.get(stage.song.track(t).instrument) for t in tracks_of(by, stage.song, stage.palette)]
        found = find_instrument(by, stage.palette) or next((one for one in own if one is not None), None)
        if found is None or found.is_kit:
            raise Blocked(msg("no instrument for {by!r}", by=by.label))
        return found
    used = {track.instrument for track in stage.song.tracks}
    fresh = [known[name] for name in _ANSWERING if name in known and name not in used]
    if not fresh and leader.instrument not in known:
        raise Blocked(msg("no instrument that could answer"))
    return fresh[0] if fresh else known[leader.instrument]


def _write(stage: Stage, operation: Imitate, leader: Track, sound: Instrument, line: Sequence[Tone]) -> None:
    """Onto the follower's own track where that rests there, else onto a new one."""
    how = "answers" if operation.how == "answer" else "canon"
    why = f"{'answers' if operation.how == 'answer' else 'follows'} {leader.name}"
    passages = in_bars(stage, f"{leader.name} {how}", line, why)
    own = [t for t in stage.sketch.free_tracks() if t.instrument == sound.name and t.id != leader.id]
    for track in own if operation.by is not None else ():
        if not any(clip.start < p.end and clip.end > p.start for clip in track.clips for p in passages):
            for passage in passages:
                stage.sketch.add_clip(track.id, passage.name, passage.start, passage.end, passage.tones, why)
            return
    add_voice(stage, leader, sound, passages, sound.label, why, "counter")


def _read(filled: Filled) -> tuple[Operation, ...]:
    named = [wish for wish in filled.parts if wish != filled.by]
    by = filled.by or (named.pop() if len(named) > 1 else None)
    leader = named[0] if named else thing_wish(filled.lexicon.words.thing("melody"))
    how = cast("Literal['canon', 'answer']", filled.words.variant or "canon")
    bars, beats = filled.value("bars"), filled.number("number")
    if isinstance(bars, int):
        return (Imitate(how, leader, by, bars=min(64, bars)),)
    return (Imitate(how, leader, by, min(256.0, beats), 0) if beats else Imitate(how, leader, by),)


def _asks(served: Served, operation: Imitate, _: StyleBook) -> list[Ask]:
    families = {one.name: one.family for one in served.palette.instruments}
    by = operation.by
    named = [families[name] for name in by.instruments if name in families] if by is not None else []
    family = next(iter((*named, *(by.families if by is not None else ()))), None)
    return served.ask(f"notes:{family}" if family else "notes", "higher", sounding=False)


KINDS = (
    OperationKind(Imitate, 9, imitate, MappingProxyType({"imitate": SlotReading(_read)}), _asks),
)
