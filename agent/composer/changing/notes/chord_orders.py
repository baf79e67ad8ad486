"""Chord orders: all pitched parts of a song brought onto chords that were asked for, from their beat on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct, structs

from agent.composer.changing.hearing.around import Around
from agent.composer.changing.hearing.listening import SongAnalysis, tones_of
from agent.composer.changing.notes.leading import EARLY, RELEASE, ChordChange, cut, joined, led, turn_at
from agent.composer.changing.notes.on_chords import bars_of
from agent.composer.changing.notes.substitutes import fits
from agent.composer.changing.notes.voices import Voice, clear_of, voices_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import RHYTHMIC, Role
from agent.composer.tones import Tone
from agent.composer.understanding.sentences import counted
from agent.message import msg
from agent.song.chart import ChordSymbol, within_stretch
from agent.song.chord import Chord
from agent.song.time import PPQ
from agent.theory.harmony import may_be, sure_chord
from agent.theory.sounding import pitched

_FOLLOWING: tuple[Role, ...] = ("bass", "chords", "pad", "arp", "texture", "counter")
_TOLD = 4
"""Bars that are named of those in which a tune clashes."""
Rewrite = Callable[[Sequence[Tone]], Sequence[Tone]]


class Ordered(Struct, frozen=True):
    """A chord that the request demands between two ticks."""

    start: int
    end: int
    chord: Chord


def put_on_chords(stage: Stage, stated: Sequence[ChordSymbol], why: str, *, sing: bool = True) -> None:
    """State these chords in the song and move the notes of every unlocked pitched part to them.

    Only notes that begin in a chord's stretch, are held into it, or anticipate it change. In a melody only clashing
    notes move, with `sing` false none. Locked bars stay; raises `Blocked` if all bars are locked.
    """
    stated = _open(stage, stated)
    if not stated:
        raise Blocked(msg("the bars are locked"))
    heard = stage.heard()
    turns = [turn for one in _sounding(stated) for turn in _turns(heard, one)]
    if turns:
        if sing:
            _sing(stage, turns, why)
        _follow(stage, turns, why)
    stage.sketch.state_chords(stated, "; ".join((why, *_rubbing(stage, turns))))


def _rubbing(stage: Stage, turns: Sequence[ChordChange]) -> list[str]:
    """What is said of each tune that stays as it is although notes of it clash with the chords."""
    said: list[str] = []
    for track, role in stage.roles().items():
        own = stage.song.track(track)
        notes = [tone for clip in own.clips for tone in tones_of(clip)] if role == "lead" else []
        left = clashing(notes, turns)
        if left:
            bars = dict.fromkeys(stage.song.bar_map.bar_at(tone.start) for tone in left)
            where = f"bar{'s' if len(bars) > 1 else ''} {', '.join(map(str, list(bars)[:_TOLD]))}"
            more = " and later" if len(bars) > _TOLD else ""
            said.append(f"{own.name} stays as it is: {counted(len(left), 'note')} rub in {where}{more}")
    return said


def _open(stage: Stage, stated: Sequence[ChordSymbol]) -> tuple[ChordSymbol, ...]:
    """The chords outside of locked bars."""
    start, end = stated[0].start, stated[-1].end
    spans = stage.sketch.guard.open_spans(start, end)
    return tuple(one for span in spans for one in within_stretch(stated, *span))


def _sounding(stated: Sequence[ChordSymbol]) -> list[Ordered]:
    return [Ordered(one.start, one.end, chord) for one in stated if (chord := one.chord) is not None]


def _turns(heard: SongAnalysis, one: Ordered) -> list[ChordChange]:
    """What becomes of the chords that are there in the stretch of a new one; where it is stated already but the notes
    are plainly of another, of that."""
    turns: list[ChordChange] = []
    for span in heard.chords_in(one.start, one.end):
        if span.chord != one.chord:
            turns.append(ChordChange(span.start, span.end, span.chord, one.chord))
            continue
        kits = [track for track, role in heard.roles.items() if role in RHYTHMIC]
        notes = pitched(heard.song, kits)
        for low, high in bars_of(heard.song, span.start, span.end):
            start, end = max(low, span.start), min(high, span.end)
            played = sure_chord(notes, start, end)
            if played is not None and not may_be(notes, start, end, one.chord):
                turns.append(ChordChange(start, end, played, one.chord))
    return turns


def _sing(stage: Stage, turns: Sequence[ChordChange], why: str) -> None:
    for voice in voices_of(stage):
        if voice.role == "lead":
            _rewrite(stage, voice, turns, lambda tones, voice=voice: tune_on(tones, turns, voice), why)  # type: ignore[misc]


def _follow(stage: Stage, turns: Sequence[ChordChange], why: str) -> None:
    voices = [voice for voice in voices_of(stage) if voice.role in _FOLLOWING]
    moving = {voice.track.id for voice in voices}
    pitched = [track for track, role in stage.roles().items() if role not in RHYTHMIC]
    fixed = Around(stage.song, [track for track in pitched if track not in moving])
    for voice in sorted(voices, key=lambda one: _FOLLOWING.index(one.role)):

        def follow(tones: Sequence[Tone], voice: Voice = voice) -> Sequence[Tone]:
            made = led(tones, voice, turns, fixed)
            return _on_bass(made, voice, turns) if voice.role == "bass" else made

        _rewrite(stage, voice, turns, follow, why)


def _on_bass(tones: Sequence[Tone], voice: Voice, turns: Sequence[ChordChange]) -> list[Tone]:
    """The line with the bass of each chord on its first beat, where a note begins there."""
    made = sorted(tones)
    for turn in turns:
        beat = range(turn.start - EARLY, min(turn.end, turn.start + PPQ))
        first = next((tone for tone in made if tone.start in beat), None)
        if first is None or first.pitch % 12 == turn.new.lowest:
            continue
        near = [pitch for pitch in range(first.pitch - 7, first.pitch + 8) if pitch % 12 == turn.new.lowest]
        steps = [pitch - first.pitch for pitch in near if voice.fits(pitch)]
        made[made.index(first)] = structs.replace(first, pitch=first.pitch + min(steps, key=abs, default=0))
    return made


def _rewrite(stage: Stage, voice: Voice, turns: Sequence[ChordChange], change: Rewrite, why: str) -> None:
    """Change the notes of a voice that sound in the turns; all others stay as they are."""
    for clip in stage.song.track(voice.track.id).clips:
        tones = stage.sketch.tones(clip)
        meant = [tone for tone in tones if _touched(tone, turns)]
        rest = [tone for tone in tones if not _touched(tone, turns)]
        if meant:
            made = clear_of([tone for tone in change(meant) if clip.start <= tone.start < clip.end], rest)
            stage.sketch.rewrite(clip.id, [*rest, *made], "on the new chords", why)


def _touched(tone: Tone, turns: Sequence[ChordChange]) -> bool:
    return any(
        turn.start - EARLY <= tone.start < turn.end - EARLY
        or tone.start < turn.start < tone.end - RELEASE
        for turn in turns
    )


_HEARD = PPQ // 4
"""Ticks from which a note that no chord carries is heard as wrong where it falls on a beat."""
_FAR = 5
"""Semitones that a note of a tune goes at most."""
_STEP = 2


def tune_on(tones: Sequence[Tone], turns: Sequence[ChordChange], voice: Voice) -> list[Tone]:
    """The melody with clashing notes moved to the nearest tone of their new chord in `turns`; a held note is cut, and
    only its clashing piece moved.

    Short passing notes, and notes that only colour the chord, stay.
    """
    passing = _passing(tones)
    made: list[Tone] = []
    for tone in sorted(tones):
        pieces = cut(tone, turns)
        clashing = [piece for piece in pieces if _clashes(piece, turns, tone in passing)]
        if not clashing:
            made.append(tone)
            continue
        made += [_moved(piece, turns, voice) if piece in clashing else piece for piece in pieces]
    return joined(made, tones)


def clashing(tones: Sequence[Tone], turns: Sequence[ChordChange]) -> list[Tone]:
    """The notes of a melody that clash with the new chord that they get by the changes `turns`."""
    passing = _passing(tones)
    found = ((tone, cut(tone, turns)) for tone in sorted(tones))
    return [tone for tone, pieces in found if any(_clashes(one, turns, tone in passing) for one in pieces)]


def _clashes(tone: Tone, turns: Sequence[ChordChange], passing: bool) -> bool:
    turn = turn_at(tone.start, turns)
    if turn is None or tone.pitch in turn.new:
        return False
    carried = fits(turn.new, [tone], turn.start, turn.end)
    if carried is None or _beside(tone.pitch, turn):
        return True
    on_beat = (tone.start - turn.start) % PPQ < _HEARD
    return carried < 0 and not passing and on_beat and tone.length >= _HEARD


def _beside(pitch: int, turn: ChordChange) -> bool:
    """Whether it lies a semitone from what an alteration or a suspension puts into the chord."""
    chord = turn.new
    special = chord.altered or chord.quality in ("sus2", "sus4", "7sus4", "aug", "dim", "dim7", "m7b5")
    return bool(special) and any((pitch - one) % 12 in (1, 11) for one in chord.pitch_classes if one != chord.root)


def _moved(tone: Tone, turns: Sequence[ChordChange], voice: Voice) -> Tone:
    turn = turn_at(tone.start, turns)
    assert turn is not None
    near = [pitch for pitch in range(tone.pitch - _FAR, tone.pitch + _FAR + 1) if pitch in turn.new]
    options = [pitch for pitch in near if voice.fits(pitch)]
    free = [pitch for pitch in options if not voice.around.rubs(pitch, tone.start, tone.end)] or options
    pitch = min(free, key=lambda one: (abs(one - tone.pitch), one), default=tone.pitch)
    return structs.replace(tone, pitch=pitch)


def _passing(tones: Sequence[Tone]) -> frozenset[Tone]:
    """The notes that a step leads to and a step leads from."""
    row = sorted(tones)
    steps = [0 < abs(after.pitch - before.pitch) <= _STEP for before, after in pairwise(row)]
    return frozenset(tone for tone, into, out in zip(row[1:], steps, steps[1:], strict=False) if into and out)
