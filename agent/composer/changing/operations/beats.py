"""Beats: kick and snare at half or double time under the same tempo."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from types import MappingProxyType

from agent.composer.changing.hearing.grid import BEAT
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Goal, Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import StyleBook
from agent.composer.tones import STEP, Tone
from agent.composer.understanding.operations import Beat
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip

_KICKS = frozenset({35, 36})
_SNARES = frozenset({37, 38, 39, 40})
_TOMS = frozenset({41, 43, 45, 47, 48, 50})
_FILL, _ROLL = 3, 4
"""Toms in a bar, and strokes of the snare in its second half, that make a fill."""


def beat(stage: Stage, operation: Beat) -> None:
    """Play every drum kit at half or double time; hats, cymbals, fills and hand percussion stay, the tempo too."""
    before = stage.song
    for voice in voices_of(stage):
        if voice.role == "drums":

            def changed(tones: list[Tone], _: Clip, voice: Voice = voice) -> Sequence[Tone]:
                return half_time(tones, voice) if operation.feel == "half" else double_time(tones, voice)

            why = "the tempo stays, kick and snare change their pace"
            rewrite(stage, voice, changed, f"in {operation.feel} time", why)
    if stage.song == before:
        raise Blocked(
            msg("no drums play there") if not _drums(stage)
            else msg("the drums cannot go to {feel} time", feel=operation.feel)
        )


def half_time(tones: Sequence[Tone], voice: Voice) -> list[Tone]:
    """A kit's notes with one backbeat a bar, on its last strong beat (beat 3 of 4/4); kicks of the first half are
    spread over the bar."""
    back = _backbeat(tones, voice)
    result: list[Tone] = []
    bars = _bars(tones, voice)
    grounded = 2 * sum(_on_one(inside, start) for (start, _), inside in bars) > len(bars)
    for number, ((start, end), inside) in enumerate(bars):
        kept, kicks, snares, until = _parts(inside, start, end)
        result += kept
        if grounded and (kicks or snares) and not any(tone.start <= start + 120 for tone in kicks):
            level = max(tone.velocity for tone in (*kicks, *snares))
            result.append(Tone(start, 36, STEP // 2, level))
        place = _half_place(voice, start)
        if snares:
            already = {voice.grid.place(tone.start) for tone in snares if tone.velocity >= 60} == {place}
            if place < until and not (already and number % 2 == 0):
                level = max(tone.velocity for tone in snares)
                result += [Tone(voice.grid.swung(place), pitch, STEP // 2, level) for pitch in back]
        middle = (start + end) // 2
        for kick in kicks:
            at = start + 2 * ((voice.grid.place(kick.start) or kick.start) - start)
            if (voice.grid.place(kick.start) or kick.start) < middle and at < until and not (snares and at == place):
                result.append(Tone(voice.grid.swung(at), kick.pitch, kick.length, kick.velocity))
    return sorted(result)


def double_time(tones: Sequence[Tone], voice: Voice) -> list[Tone]:
    """A kit's notes with a kick on every beat and the snare on every eighth between; hats stay."""
    back = _backbeat(tones, voice)
    kick_pitch = next((tone.pitch for tone in tones if tone.pitch in _KICKS), 36)
    level = max((tone.velocity for tone in tones if tone.pitch in _SNARES or tone.pitch in _KICKS), default=100)
    result: list[Tone] = []
    for (start, end), inside in _bars(tones, voice):
        kept, kicks, snares, until = _parts(inside, start, end)
        result += kept
        if not kicks and not snares:
            continue
        beats = voice.grid.beats(start)
        for number, (at, following) in enumerate(zip(beats, [*beats[1:], end], strict=True)):
            off = at + (following - at) // (4 * STEP) * 2 * STEP if following - at != 6 * STEP else at + 4 * STEP
            stress = 1.0 if number == 0 else 0.92 if number % 2 == 0 else 0.88
            if at < until:
                result.append(Tone(at, kick_pitch, STEP // 2, max(1, int(stress * level))))
            if at < off < min(until, following):
                strength = 0.9 if number % 2 else 0.95
                result += [Tone(voice.grid.swung(off), p, STEP // 2, max(1, int(strength * level))) for p in back]
    return sorted(result)


def _bars(tones: Sequence[Tone], voice: Voice) -> list[tuple[tuple[int, int], list[Tone]]]:
    bars: dict[tuple[int, int], list[Tone]] = defaultdict(list)
    for tone in tones:
        start, end = voice.grid.bar(tone.start)
        # a hand that is early for the next bar plays that bar
        early = end - tone.start <= 60
        bars[voice.grid.bar(end) if early else (start, end)].append(tone)
    return sorted(bars.items())


def _on_one(inside: Sequence[Tone], start: int) -> bool:
    return any(tone.pitch in _KICKS and abs(tone.start - start) <= 120 for tone in inside)


def _parts(inside: Sequence[Tone], start: int, end: int) -> tuple[list[Tone], list[Tone], list[Tone], int]:
    """What stays, the kicks and snares that go, and where a fill begins (else the bar's end)."""
    toms = [tone.start for tone in inside if tone.pitch in _TOMS]
    late = [t.start for t in inside if t.pitch in _SNARES and t.velocity >= 60 and t.start >= (start + end) // 2 - 60]
    fills = (toms if len(toms) >= _FILL else []) + (late if len(late) >= _ROLL else [])
    until = min(fills, default=end)
    kicks = [tone for tone in inside if tone.pitch in _KICKS and tone.start < until]
    snares = [tone for tone in inside if tone.pitch in _SNARES and tone.start < until]
    gone = {*kicks, *snares}
    return [tone for tone in inside if tone not in gone], kicks, snares, until


def _half_place(voice: Voice, start: int) -> int:
    strong = [at for at in voice.grid.accents(start) if at > start]
    return strong[-1] if strong else voice.grid.beats(start)[-1]


def _backbeat(tones: Sequence[Tone], voice: Voice) -> list[int]:
    """The pitches of the backbeat, with a clap that comes along; a snare where there was none."""
    counts = Counter(t.pitch for t in tones if t.pitch in _SNARES and voice.grid.weight(t.start) <= BEAT)
    if not counts:
        return [38]
    most = max(counts.values())
    return sorted(pitch for pitch, count in counts.items() if count >= 0.7 * most)


def _drums(stage: Stage) -> bool:
    return any(
        stage.inside(clip.start + note.start)
        for voice in voices_of(stage) if voice.role == "drums" for clip in voice.track.clips for note in clip.notes
    )


def _read(filled: Filled) -> tuple[Beat, ...]:
    only_drums = all(wish is None or wish.role == "drums" for wish in filled.each)
    return (Beat(filled.words.feel),) if only_drums else ()


def _asks(served: Served, operation: Beat, _: StyleBook) -> list[Ask]:
    goal: Goal = "lower" if operation.feel == "half" else "higher"
    measure = "backbeats_per_bar" if served.figure("backbeats_per_bar") else "percussion_hits"
    return served.ask(measure, goal)


KINDS = (OperationKind(Beat, 11, beat, MappingProxyType({"beat": SlotReading(_read)}), _asks),)
