"""Keys: the song in another key or mode, or moved by semitones."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Literal, cast

from agent.composer.changing.hearing.listening import tones_of
from agent.composer.changing.notes.reshape import in_key, octaves_into, strays_in
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import StyleBook
from agent.composer.tones import Tone
from agent.composer.understanding.operations import Rekey, Transpose
from agent.composer.understanding.sentences import counted
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.harmony import is_minor
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.song.key import TONICS, Key, Mode, Tonic
from agent.theory.pitch import usual_tonic

_ENOUGH = 0.5
"""Share of a part that its instrument has to have, so that only the notes beyond its range go by an octave."""
_RELATIVE = {"minor": -3, "major": 3}
"""Semitones from a key to its relative minor or major."""


def rekey(stage: Stage, operation: Rekey) -> None:
    """Move all notes from the key that is heard to the new one, degree by degree; only for the whole song the stated
    key changes too. Raises `Blocked` if the request keeps the key."""
    if stage.intent.keep_key:
        raise Blocked(msg("the key is to stay"))
    old = _plain(stage.heard().key)
    new = _key(old, operation)
    before = stage.song
    if stage.whole and new != stage.song.key:
        stage.sketch.rekey(new, "as you asked")
    if new != old:
        _moved(stage, None, lambda tones: in_key(tones, old, new, operation.way), new, f"in {new}")
    if stage.song == before:
        raise Blocked(msg("it is in {old} already", old=old))


def transpose(stage: Stage, operation: Transpose) -> None:
    """Transpose all pitched parts, or the one named, by semitones; the stated key changes only if the whole song moves.
    Raises `Blocked` if the request keeps the key."""
    if stage.intent.keep_key and operation.wish is None and operation.semitones % 12:
        raise Blocked(msg("the key is to stay"))
    old = _plain(stage.heard().key)
    new = Key(usual_tonic((old.pitch_class + operation.semitones) % 12, old.mode), old.mode)
    before, steps = stage.song, operation.semitones
    stated = _stated(stage.song.key, old, steps)
    if stage.whole and operation.wish is None and stated != stage.song.key:
        stage.sketch.rekey(stated, f"{steps:+d} semitones, as you asked")
    _moved(
        stage, operation.wish,
        lambda tones: [Tone(t.start, _within(t.pitch + steps, operation), t.length, t.velocity) for t in tones],
        new if operation.wish is None else old, f"{'up' if steps > 0 else 'down'} {_interval(abs(steps))}",
    )
    if stage.song == before:
        raise Blocked(msg("there is no room above") if steps > 0 else msg("there is no room below"))


def _within(pitch: int, operation: Transpose) -> int:
    """A moved pitch, an octave nearer to where it was for each that it would be beyond a limit."""
    if operation.low is not None and operation.semitones < 0:
        return pitch + 12 * max(0, -((pitch - operation.low) // 12))
    if operation.high is not None and operation.semitones > 0:
        return pitch - 12 * max(0, -((operation.high - pitch) // 12))
    return pitch


def _stated(now: Key, heard: Key, steps: int) -> Key:
    """The key that the song then states: its own one moved where its scale is what is heard, as in a relative key."""
    plain = _plain(now)
    apart = (heard.pitch_class - plain.pitch_class) % 12
    relative = is_minor(plain.mode) != is_minor(heard.mode) and apart == _RELATIVE.get(heard.mode, 0) % 12
    own = plain if relative else heard
    return Key(usual_tonic((own.pitch_class + steps) % 12, own.mode), own.mode)


def _interval(semitones: int) -> str:
    octaves, rest = divmod(semitones, 12)
    if not rest:
        return "an octave" if octaves == 1 else f"{octaves} octaves"
    return "a semitone" if semitones == 1 else f"{semitones} semitones"


def _plain(key: Key) -> Key:
    """Minor with raised degrees as minor: the raised notes go along by themselves."""
    return Key(key.tonic, "minor") if key.mode in ("harmonic_minor", "melodic_minor") else key


def _key(now: Key, operation: Rekey) -> Key:
    """The asked key; "minor" alone leaves a song in dorian as it is, which is minor already."""
    mode = operation.mode or now.mode
    if operation.tonic is None and is_minor(mode) == is_minor(now.mode) and operation.mode in ("major", "minor"):
        return now
    return Key(operation.tonic or now.tonic, mode)


def _moved(
    stage: Stage, wish: Wish | None, change: Callable[[list[Tone]], list[Tone]], key: Key, verb: str
) -> None:
    """Change all pitched voices by the same interval; what an instrument does not have goes by an octave, and its row
    says so."""
    for voice in voices_of(stage, wish):
        if voice.rhythmic:
            continue
        asked = change([tone for clip in voice.track.clips for tone in tones_of(clip) if stage.inside(tone.start)])
        octaves = _octaves(asked, voice)

        def moved(tones: list[Tone], _: Clip, voice: Voice = voice, octaves: int = octaves) -> list[Tone]:
            return strays_in(change(tones), octaves, voice.low, voice.high, key)

        rewrite(stage, voice, moved, verb, "; ".join(("as you asked", *_elsewhere(asked, octaves, voice))))


def _octaves(asked: list[Tone], voice: Voice) -> int:
    """Semitones by which a whole part goes beside the others: 0, unless its instrument has hardly a note of it."""
    fit = sum(voice.fits(tone.pitch) for tone in asked)
    return octaves_into(asked, voice.low, voice.high) if fit < len(asked) * _ENOUGH else 0


def _elsewhere(asked: list[Tone], octaves: int, voice: Voice) -> tuple[str, ...]:
    """What goes by an octave more or less than the rest, in words."""
    if octaves:
        many = "an octave" if abs(octaves) == 12 else f"{abs(octaves) // 12} octaves"
        return (f"{many} {'higher' if octaves > 0 else 'lower'}, as its range ends",)
    beyond = sum(not voice.fits(tone.pitch) for tone in asked)
    lower = sum(tone.pitch < voice.low for tone in asked) * 2 >= beyond
    said = f"{counted(beyond, 'note')} beyond its range an octave {'higher' if lower else 'lower'}"
    return (said,) if beyond else ()


def _read_key(filled: Filled) -> tuple[Rekey, ...]:
    words = filled.words
    keys = cast("list[tuple[Tonic | None, Mode | None]]", filled.found.all("key")) or [(None, None)]
    # of "from B minor to A minor" the second is asked for, of "in G, not A flat" the first
    tonic, mode = keys[-1 if words.variant == "from" else 0]
    way = cast("Literal[-1, 0, 1]", int(words.sign)) if words.variant in ("way", "from") else 0
    return (Rekey(tonic, mode or cast("Mode | None", filled.value("mode")) or words.mode, way),)


def _read_relative(filled: Filled) -> tuple[Rekey, ...]:
    """The relative minor or major of the song's key."""
    key, mode = filled.lexicon.song.key, cast("Mode", filled.words.mode)
    if key.mode == mode:
        return (Rekey(key.tonic, mode),)
    pitch = (key.pitch_class + _RELATIVE[mode]) % 12
    flats = "b" in key.tonic or key.tonic == "F"
    spelled = [tonic for tonic in TONICS if Key(tonic).pitch_class == pitch]
    return (Rekey(next((tonic for tonic in spelled if ("b" in tonic) == flats), spelled[0]), mode),)


def _read_transpose(filled: Filled) -> tuple[Transpose, ...]:
    octave = 12 if filled.words.variant == "octave" else 0
    steps = cast("int", filled.value("steps") or octave) * filled.direction
    return tuple(Transpose(steps, wish) for wish in filled.each)


def _asks(served: Served, _: Rekey | Transpose, _styles: StyleBook) -> list[Ask]:
    stated = next((step for step in served.steps if step.tool == "set_key" and step.id in served.rows), None)
    if stated is None:
        return served.plain()
    key = f"{stated.inputs['tonic']} {str(stated.inputs.get('mode', 'major')).replace('_', ' ')}"
    return [Ask(key, served.by("set_key"), "key", "equals", key)]


KINDS = (
    OperationKind(
        Rekey, 5, rekey,
        MappingProxyType({"rekey": SlotReading(_read_key), "relative_key": SlotReading(_read_relative)}), _asks
    ),
    OperationKind(
        Transpose, 6, transpose,
        MappingProxyType({"transpose": SlotReading(_read_transpose, frozenset({"steps", "part"}))}), _asks,
    ),
)
