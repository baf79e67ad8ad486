"""Imitating: a part follows another in canon, or answers it in its gaps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Literal, cast

from msgspec import Meta, structs

from agent.composer.changing.hearing.around import Around
from agent.composer.changing.hearing.listening import top_line
from agent.composer.changing.notes.seconds import on_chords
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.parts.lines import handed_over, into_range
from agent.composer.changing.parts.second_voice import add_voice, in_bars
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.styles import RHYTHMIC, StyleBook
from agent.composer.tones import STEP, Tone
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


_GAP = 3 * PPQ // 2
"""Ticks of rest in which an answer has room."""
_HELD = 4 * PPQ
"""Ticks of a note that is held so long that it leaves room for an answer over it."""
_MOST = 5
"""Notes of an answer."""


def later(tones: Sequence[Tone], by: int, end: int) -> list[Tone]:
    """The line delayed by `by` ticks; what would begin at or after `end` is dropped, the last notes are cut there."""
    moved = [structs.replace(tone, start=tone.start + by) for tone in tones]
    return [structs.replace(t, length=min(t.length, end - t.start)) for t in moved if t.start + STEP <= end]


def _gaps_of(line: Sequence[Tone], end: int) -> list[tuple[int, int]]:
    """(start, end) ticks of the gaps long enough for an answer: rests, and the rest of notes held for a bar of 4/4.
    `end` closes the last gap."""
    found = []
    for tone, after in pairwise([*line, Tone(end, 0, 0, 0)]):
        free = tone.start + 2 * PPQ if tone.length >= _HELD else tone.end
        if after.start - free >= _GAP:
            found.append((free, after.start))
    return found


def answers(line: Sequence[Tone], end: int) -> list[Tone]:
    """Answers to a line: in each gap the notes before it are repeated whole beats later, as many as fit.

    The last note of an answer is held up to two beats, as the gap allows. Only the answers are returned.
    """
    found: list[Tone] = []
    for start, stop in _gaps_of(line, end):
        begin = -(-start // PPQ) * PPQ
        before = [tone for tone in line if tone.start < start]
        motif = _motif(before, stop - begin)
        if not motif:
            continue
        # the place within the beat stays
        by = begin - motif[0].start // PPQ * PPQ
        moved = [structs.replace(t, start=t.start + by) for t in motif]
        moved = [t for t in moved if start <= t.start and t.start + STEP <= stop]
        if moved:
            last = moved[-1]
            moved[-1] = structs.replace(last, length=max(STEP, min(stop - last.start - STEP // 2, 2 * PPQ)))
            found += moved
    return found


def _motif(before: Sequence[Tone], room: int) -> list[Tone]:
    """The last notes that fit into the room, the last of them short."""
    motif: list[Tone] = []
    for tone in reversed(before[-_MOST:]):
        whole = [tone, *motif]
        if whole[-1].start + PPQ // 2 - whole[0].start // PPQ * PPQ > room:
            break
        motif = whole
    return motif
