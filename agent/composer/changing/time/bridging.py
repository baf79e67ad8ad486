"""A bridge on other chords, higher and calmer, and an outro of a song's own bars, whose last chord rings."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.hearing.listening import top_line
from agent.composer.changing.time.material import (
    CRASH,
    HATS,
    KICK,
    filled,
    mean_pitch,
    mean_velocity,
    ramped,
    revoiced,
    snare_of,
    taken,
    within,
)
from agent.composer.changing.time.new_sections import Parts, Plot
from agent.composer.dice import Dice
from agent.composer.styles import RHYTHMIC
from agent.composer.tones import STEP, Tone
from agent.composer.writing.bass import nearest
from agent.composer.writing.frame import ChordSpan
from agent.composer.writing.harmony import is_minor
from agent.song.chord import Chord
from agent.song.track import Track
from agent.theory.chords import diatonic, progression
from agent.theory.pitch import move, nearest_in_scale
from agent.theory.voicing import voice

_MAJOR = ("vi IV ii V", "IV iii vi V", "ii vi IV V", "vi iii IV V")
_MINOR = ("VI III iv VII", "III VII iv VI", "iv VII III VI", "VI VII III iv")
_RIDE = 51
_LONGEST = 8 * STEP


def bridge(plot: Plot, dice: Dice) -> Parts:
    """The notes of a new bridge by track: the parts of the bars before it, moved to a progression that the song has
    used least, softer, with a new melody."""
    chords = _chords(plot, dice)
    parts: Parts = {}
    for track in plot.tracks:
        own = plot.own(track)
        if not own:
            continue
        match plot.role(track):
            case "drums":
                parts[track.id] = _calm_beat(plot, own)
            case "percussion" | "texture":
                parts[track.id] = own
            case "bass":
                parts[track.id] = _bass(own, chords)
            case "lead" | "counter":
                parts[track.id] = _line(plot, track, own, chords)
            case _:
                parts[track.id] = _comped(own, chords)
    return {track: ramped(tones, plot.at, plot.end, 0.88, 1.0) for track, tones in parts.items()}


def _chords(plot: Plot, dice: Dice) -> list[ChordSpan]:
    """One chord a bar, of the progressions the one that begins furthest from what was heard."""
    key = plot.heard.key
    used = [span.chord.root for span in plot.chords()]
    options = [progression(text, key) for text in (_MINOR if is_minor(key.mode) else _MAJOR)]
    strange = {number: _new(chords, used) for number, chords in enumerate(options)}
    best = max(strange.values())
    chosen = options[dice.pick([number for number in strange if strange[number] == best])]
    spans = []
    for bar in range(plot.bars):
        left = plot.bars - 1 - bar
        chord = chosen[-1] if left == 0 else chosen[bar % len(chosen)]
        start = plot.at + bar * plot.bar
        spans.append(ChordSpan(start, start + plot.bar, chord))
    return spans


def _new(chords: Sequence[Chord], used: Sequence[int]) -> int:
    """How many chords of a progression differ from what was heard at the same place."""
    return sum(chord.root != used[at % len(used)] for at, chord in enumerate(chords)) if used else 0


def _bass(own: Sequence[Tone], chords: Sequence[ChordSpan]) -> list[Tone]:
    """The rhythm of the bass on the new roots; what is not on a beat's head may be the fifth."""
    centre = mean_pitch(own)
    tones = []
    for span in chords:
        inside = within(own, span.start, span.end)
        root = nearest(span.chord.lowest, centre, max(0, centre - 7), centre + 7)
        if not inside:
            continue
        low = min(tone.pitch for tone in inside)
        for number, tone in enumerate(inside):
            above = tone.pitch - low
            pitch = root if number == 0 or above < 3 else root + 12 if above >= 12 else root + 7
            tones.append(Tone(tone.start, pitch if pitch - centre < 13 else root, tone.length, tone.velocity))
    return tones


def _comped(own: Sequence[Tone], chords: Sequence[ChordSpan]) -> list[Tone]:
    tones: list[Tone] = []
    previous: tuple[int, ...] | None = None
    for span in chords:
        new = revoiced(within(own, span.start, span.end), span.chord, previous)
        pitches = tuple(sorted({tone.pitch for tone in new}))
        previous = pitches if len(pitches) > 1 else previous
        tones += new
    return tones


def _line(plot: Plot, track: Track, own: Sequence[Tone], chords: Sequence[ChordSpan]) -> list[Tone]:
    """Fewer and longer notes than the tune before, a third or more higher, on chord tones where it counts."""
    key, line = plot.heard.key, top_line(own)
    highest = max(tone.pitch for tone in taken(track, 0, int(plot.heard.song.end)))
    lift = 3 if max(t.pitch for t in line) + 5 <= highest + 2 else 1
    tones: list[Tone] = []
    beat = 4 * STEP
    kept = [t for n, t in enumerate(line) if (t.start - plot.at) % beat < STEP // 2 or n % 3 == 0]
    kept = [t for n, t in enumerate(kept) if n == 0 or t.start - kept[n - 1].start >= beat // 2]
    for number, tone in enumerate(kept):
        span = next((one for one in chords if one.start <= tone.start < one.end), chords[-1])
        pitch = nearest_in_scale(key, move(key, tone.pitch, lift))
        if tone.start - span.start < STEP or tone.length >= beat:
            options = [p for p in range(pitch - 4, pitch + 5) if p in span.chord]
            goal = tones[-1].pitch if tones else pitch
            pitch = min(options, key=lambda p: (abs(p - pitch) + 0.3 * abs(p - goal), p)) if options else pitch
        following = kept[number + 1].start if number + 1 < len(kept) else plot.end
        end = min(following, tone.start + _LONGEST, span.end if pitch not in span.chord else plot.end)
        until = [one for one in chords if tone.start < one.start < end and pitch not in one.chord]
        end = min([end, *(one.start for one in until)])
        tones.append(Tone(tone.start, min(127, pitch), max(STEP, end - tone.start), tone.velocity))
    return tones


def _calm_beat(plot: Plot, own: Sequence[Tone]) -> list[Tone]:
    """The ride instead of the hats and half as many snares at first, then the usual beat and a fill."""
    usual, snare = plot.beat() or list(own), snare_of(own)
    tones = []
    bar = plot.bar
    for tone in own:
        within_bar = (tone.start - plot.at) % bar
        if tone.pitch in HATS and tone.start < plot.middle:
            if within_bar % (4 * STEP) < STEP:
                tones.append(Tone(tone.start, _RIDE, tone.length, tone.velocity))
        elif tone.pitch == snare and tone.start < plot.middle:
            if within_bar >= bar // 2:
                tones.append(tone)
        else:
            tones.append(tone)
    level = mean_velocity(usual)
    if not tones:
        tones = [Tone(plot.at, _RIDE, STEP, level)]
    return filled(tones, usual, plot.fill_start(), plot.end)


def outro(plot: Plot, close: int) -> Parts:
    """The notes of an outro by track: the last phrase once more, thinning out; from the tick `close` on the last chord
    is held.

    If `close` is the section's end, no chord is held, as the song's own ending follows.
    """
    parts: Parts = {}
    chord = _home(plot)
    for track in plot.tracks:
        role, own = plot.role(track), plot.own(track)
        until = min(close, plot.middle) if role in ("lead", "counter", "percussion", "texture", "arp") else close
        if role == "drums":
            light = [t for t in own if t.start < plot.middle or t.pitch in (*HATS, KICK)]
            own = [t for t in light if t.pitch != CRASH or t.start < plot.middle]
        tones = within(own, plot.at, until)
        if not tones and not own:
            continue
        tones = ramped(tones, plot.at, plot.end, 0.95, 0.7)
        parts[track.id] = [*tones, *_last(plot, track, chord, close)] if close < plot.end else tones
    return parts


def _home(plot: Plot) -> Chord:
    """The last chord of the song where that is home, else the chord on the tonic."""
    key = plot.heard.key
    last = plot.heard.chords[-1].chord if plot.heard.chords else None
    return last if last is not None and last.root == key.pitch_class else diatonic(key, 1)


def _last(plot: Plot, track: Track, chord: Chord, close: int) -> list[Tone]:
    """What a track ends on from `close` to the end of the section."""
    song = plot.heard.song
    usual = taken(track, max(0, int(song.end) - 8 * plot.bar), int(song.end))
    if not usual:
        return []
    role, level, centre = plot.role(track), int(mean_velocity(usual) * 0.85), mean_pitch(usual)
    length = plot.end - close
    if role in RHYTHMIC:
        hits = (KICK, CRASH) if role == "drums" else (usual[0].pitch,)
        return [Tone(close, pitch, 4 * STEP, level) for pitch in hits]
    if role == "bass":
        return [Tone(close, nearest(chord.lowest, centre, max(0, centre - 8), centre + 8), length, level)]
    if role in ("lead", "counter"):
        line = top_line(usual)
        options = [p for p in range(max(0, line[-1].pitch - 7), min(127, line[-1].pitch + 7) + 1) if p in chord]
        pitch = min(options, key=lambda p: (abs(p - line[-1].pitch) + (p % 12 != chord.root), p))
        return [Tone(close, pitch, length, level)]
    if role == "texture":
        return []
    together = max(2, min(4, round(len(usual) / len({tone.start for tone in usual}))))
    shape = voice(chord, centre, None, max(0, centre - 18), min(127, centre + 18), voices=max(3, together))
    return [Tone(close, pitch, length, max(1, level - 2 * order)) for order, pitch in enumerate(shape)]
