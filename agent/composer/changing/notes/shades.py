"""Shades and feelings: borrowed chords, register, voicing and loudness for dark and bright, sad and happy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.composer.changing.hearing.around import Around, rubs
from agent.composer.changing.hearing.grid import attacks
from agent.composer.changing.hearing.listening import SongAnalysis
from agent.composer.changing.notes.leading import ChordChange, led
from agent.composer.changing.notes.substitutes import fits
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.stage import Stage
from agent.composer.styles import RHYTHMIC, Role
from agent.composer.tones import Tone
from agent.composer.writing.frame import ChordSpan
from agent.composer.writing.harmony import is_minor
from agent.composer.writing.kit import PITCHES
from agent.song.chord import Chord, Quality
from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.key import Key
from agent.theory.pitch import in_scale, move
from agent.theory.sounding import sounding

_CYMBALS = frozenset(
    PITCHES[drum] for drum in ("hat", "pedal", "open", "ride", "bell", "crash", "splash", "tambourine", "shaker")
)
_CLOSE, _MUD, _FLOOR = 60, 52, 43
"""Below the first seconds are muddy, below the next thirds too; below the last no chord is voiced."""
_FAR = 0.75
"""How far a colour must go to move a whole line by an octave."""


def tilt(tone: Tone, bright: float, *, drum: bool) -> float:
    """The factor for a tone's velocity: high notes and cymbals change most. `bright` is negative for darker, positive
    for brighter; `drum` says that the pitch is a drum."""
    if drum:
        return 1 + (0.22 if bright < 0 else 0.3) * bright * (tone.pitch in _CYMBALS)
    height = max(0.0, min(1.0, (tone.pitch - 48) / 36))
    # dark is not soft: what is high steps back a little more than the rest
    return 1 + bright * (0.06 + 0.12 * height) if bright < 0 else 1 + bright * (0.05 + 0.2 * height)


def revoiced(tones: Sequence[Tone], voice: Voice, bright: float) -> list[Tone]:
    """Chords with some top voices an octave lower (`bright` below 0) or bottom voices higher (above 0); arpeggios and
    melodies move as a whole, if `bright` is strong.

    No note leaves the instrument's range, goes below the bass or comes to clash. Drums and bass stay.
    """
    if not bright or voice.rhythmic or voice.role == "bass":
        return list(tones)
    step = 12 if bright > 0 else -12
    if voice.role in ("chords", "pad"):
        return [tone for group in attacks(tones) for tone in _turned(group, voice, bright, step)]
    if abs(bright) < _FAR:
        return list(tones)
    mean = sum(tone.pitch for tone in tones) / len(tones)
    edge = {"lead": (66, 74), "counter": (62, 70)}.get(voice.role, (64, 67))
    beyond = mean < edge[0] if bright > 0 else mean > edge[1]
    moved = [Tone(t.start, t.pitch + step, t.length, t.velocity) for t in tones]
    clear = all(voice.fits(t.pitch) and _above_bass(t, voice) for t in moved)
    clear = clear and sum(voice.around.rubs(t.pitch, t.start, t.end) for t in moved) <= sum(
        voice.around.rubs(t.pitch, t.start, t.end) for t in tones
    )
    return moved if beyond and clear else list(tones)


def _turned(group: Sequence[Tone], voice: Voice, bright: float, step: int) -> list[Tone]:
    """A chord with some voices an octave away."""
    if len(group) < 3:
        return list(group)
    count = max(1, round(abs(bright) * len(group) / 3))
    ordered = sorted(group, key=lambda tone: tone.pitch, reverse=bright < 0)
    turned = list(ordered)
    for at in range(min(count, len(ordered) - 1)):
        tone = ordered[at]
        moved = Tone(tone.start, tone.pitch + step, tone.length, tone.velocity)
        others = [other.pitch for other in turned if other is not turned[at]]
        if _stands(moved, others, voice):
            turned[at] = moved
    return sorted(turned)


def _stands(tone: Tone, others: Sequence[int], voice: Voice) -> bool:
    near = min((abs(tone.pitch - other) for other in others), default=12)
    if not voice.fits(tone.pitch) or tone.pitch in others or tone.pitch < _FLOOR or tone.pitch > 91:
        return False
    if near < (5 if tone.pitch < _MUD else 3 if tone.pitch < _CLOSE else 1):
        return False
    if rubs(tone.pitch, others) or voice.around.rubs(tone.pitch, tone.start, tone.end):
        return False
    return tone.pitch > min(others, default=0) or _above_bass(tone, voice)


def _above_bass(tone: Tone, voice: Voice) -> bool:
    """Whether something lower sounds, so that the chord keeps its bass; else the note is high anyway."""
    lowest = voice.around.lowest(tone.start, tone.end)
    return tone.pitch > 60 if lowest is None else tone.pitch > lowest + 2


_FOLLOWING: tuple[Role, ...] = ("bass", "chords", "pad", "arp", "texture", "counter")
_SHADED: dict[tuple[int, str], Quality] = {
    (5, "maj"): "min", (5, "maj7"): "min7", (5, "6"): "min6", (5, "maj9"): "min9", (5, "add9"): "min",
    (2, "min"): "dim", (2, "min7"): "m7b5", (2, "7"): "m7b5", (2, "maj"): "dim",
}
"""What becomes of a chord so many semitones above the tonic of a major key: its fourth and second degrees."""
_EVERY = 4
"""Bars of which one chord at most is borrowed."""


def borrowings(stage: Stage) -> list[ChordChange]:
    """Changes of chords to those of the parallel minor key, where the melody fits them; empty for a song in minor.
    Locked bars are left out."""
    heard = stage.heard()
    if is_minor(heard.key.mode):
        return []
    fixed = _fixed(heard, stage)
    tune = [Tone(n.start, n.pitch, n.end - n.start, n.velocity) for n in sounding(stage.song, fixed)]
    spans = [span for span in heard.chords if stage.inside(span.start) and not stage.sketch.guard.closed(span.start)]
    return _turns(spans, tune, heard.key, _EVERY * heard.frame.bar)


def darkened(stage: Stage, turns: Sequence[ChordChange], verb: str) -> None:
    """Rewrite bass and chord parts for the changed chords `turns`; the melody stays. Does nothing without such parts.
    `verb` is what the plan's rows say of it ("dark")."""
    voices = [voice for voice in voices_of(stage) if voice.role in _FOLLOWING]
    if not voices:
        return
    around = Around(stage.song, _fixed(voices[0].heard, stage))
    for voice in sorted(voices, key=lambda one: _FOLLOWING.index(one.role)):

        def moved(tones: list[Tone], _: Clip, voice: Voice = voice) -> Sequence[Tone]:
            return led(tones, voice, turns, around)

        rewrite(stage, voice, moved, verb, "a chord borrowed from minor, where the tune allows it")


def _fixed(heard: SongAnalysis, stage: Stage) -> list[TrackId]:
    """The pitched tracks that stay as they are: the tune, and what is locked or kept."""
    moving = {track.id for track in stage.free() if heard.roles[track.id] in _FOLLOWING}
    return [t for t, role in heard.roles.items() if t not in moving and role not in RHYTHMIC]


def _turns(spans: Sequence[ChordSpan], tune: Sequence[Tone], key: Key, apart: int) -> list[ChordChange]:
    """Where a chord is shaded: never twice within `apart` ticks, and only where the root then moves on."""
    turns: list[ChordChange] = []
    for span, after in pairwise([*spans, None]):
        assert span is not None
        new = _shaded(span.chord, key)
        moves = after is None or after.chord.root != span.chord.root
        if new is None or not moves or (turns and span.start - turns[-1].start < apart):
            continue
        over = [tone for tone in tune if tone.start < span.end and tone.end > span.start]
        fit = fits(new, over, span.start, span.end)
        if fit is not None and fit > 0.2:
            turns.append(ChordChange(span.start, span.end, span.chord, new))
    return turns


def _shaded(chord: Chord, key: Key) -> Chord | None:
    quality = _SHADED.get(((chord.root - key.pitch_class) % 12, chord.quality))
    return None if quality is None else Chord(chord.root, quality)


_BEAT = 960
_SAD = {"min": (14, 10), "maj": (11, 14), "dim": (10,)}
_HAPPY = {"min": (10, 14), "maj": (14, 9), "dim": (10,)}
"""Tones added to triads, in semitones above the root, by preference."""


def phrase_ends(tones: Sequence[Tone], voice: Voice, feeling: float) -> list[Tone]:
    """The line with altered phrase endings: a sigh (a step down into the last note) for sad, a rise after it for happy.

    `feeling` runs from -1.5 (sad) to 1.5 (happy); its size, up to 1, is the share of phrases that change.
    """
    line = sorted(tones)
    usual = sum(tone.length for tone in line) / max(1, len(line))
    ends = [
        number for number, (tone, after) in enumerate(pairwise([*line, None]))
        if tone is not None and tone.length >= _BEAT and _closes(tone, after, usual)
    ]
    share = min(1.0, abs(feeling))
    chosen = {end for count, end in enumerate(ends) if int((count + 1) * share) > int(count * share)}
    result: list[Tone] = []
    for number, tone in enumerate(line):
        result += (_sigh(tone, voice) if feeling < 0 else _lift(tone, voice)) if number in chosen else [tone]
    return result


def _closes(tone: Tone, after: Tone | None, usual: float) -> bool:
    """Whether a tone ends a phrase: a rest follows, or it lasts much longer than tones usually do."""
    return after is None or after.start - tone.end >= _BEAT // 4 or tone.length >= 1.7 * usual


def _sigh(tone: Tone, voice: Voice) -> list[Tone]:
    """A step from above, leaning on the beat, falls into the note."""
    if not in_scale(voice.key, tone.pitch):
        return [tone]
    above = move(voice.key, tone.pitch, 1)
    lean = min(_BEAT // 2, tone.length // 3)
    if not voice.fits(above) or voice.around.rubs(above, tone.start, tone.start + lean):
        return [tone]
    return [
        Tone(tone.start, above, lean, tone.velocity),
        Tone(tone.start + lean, tone.pitch, tone.length - lean, max(1, int(0.86 * tone.velocity))),
    ]


def _lift(tone: Tone, voice: Voice) -> list[Tone]:
    """The note, and at its end the next chord tone above."""
    chord = voice.chord_at(tone.end - 1)
    above = next((p for p in range(tone.pitch + 3, tone.pitch + 8) if chord is not None and p in chord), None)
    tail = min(_BEAT // 2, tone.length // 3)
    begin = tone.end - tail
    if above is None or not voice.fits(above) or voice.around.rubs(above, begin, tone.end):
        return [tone]
    return [Tone(tone.start, tone.pitch, tone.length - tail, tone.velocity), Tone(begin, above, tail, tone.velocity)]


def coloured_chords(tones: Sequence[Tone], voice: Voice, feeling: float) -> list[Tone]:
    """The part with a seventh, sixth or ninth of the key added to chords of three or more notes. The size of `feeling`
    (-1.5 sad to 1.5 happy), up to 1, is the share of chords."""
    share = min(1.0, abs(feeling))
    spans = [span.start for span in voice.heard.chords]
    result: list[Tone] = []
    for group in attacks(tones):
        result += group
        number = sum(start <= group[0].start + 60 for start in spans)
        chosen = int(number * share) > int((number - 1) * share)
        chord = voice.chord_at(group[0].start + 60)
        if chord is not None and chosen and len(group) >= 3 and len(chord.intervals) == 3:
            added = _colour(group, chord, voice, sad=feeling < 0)
            result += [added] if added is not None else []
    return result


def _colour(group: Sequence[Tone], chord: Chord, voice: Voice, *, sad: bool) -> Tone | None:
    table = _SAD if sad else _HAPPY
    kind = "min" if 3 in chord.intervals and 7 in chord.intervals else "dim" if 6 in chord.intervals else "maj"
    pitches = [tone.pitch for tone in group]
    model = max(group, key=lambda tone: tone.pitch)
    length = min(tone.length for tone in group)
    for interval in table[kind]:
        colour = (chord.root + interval) % 12
        if not in_scale(voice.key, colour) or any(pitch % 12 == colour for pitch in pitches):
            continue
        near = [pitch for pitch in range(max(pitches) - 9, max(pitches) + 8) if pitch % 12 == colour]
        for pitch in sorted(near, key=lambda one: (abs(one - max(pitches)), one)):
            clear = pitch > min(pitches) + 2 and pitch >= 55 and voice.fits(pitch) and not rubs(pitch, pitches)
            if clear and not voice.around.rubs(pitch, model.start, model.start + length):
                return Tone(model.start, pitch, length, max(1, int(0.86 * model.velocity)))
    return None
