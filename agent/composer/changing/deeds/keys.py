"""Keys: the song in another key or mode, or moved by semitones."""

from __future__ import annotations

from collections.abc import Callable

from agent.composer.changing.hearing.listening import tones_of
from agent.composer.changing.notes.reshape import in_key, octaves_into, strays_in
from agent.composer.changing.notes.voices import Voice, rewrite, voices_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.tones import Tone
from agent.composer.understanding.tasks import Rekey, Transpose
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.harmony import is_minor
from agent.song.clip import Clip
from agent.song.key import Key
from agent.theory.pitch import usual_tonic


def rekey(stage: Stage, deed: Rekey) -> None:
    """Every degree of the heard key becomes that degree of the new one; within a scope the stated key stays."""
    if stage.intent.keep_key:
        raise Blocked("the key is to stay")
    old = _plain(stage.heard().key)
    new = _key(old, deed)
    before = stage.song
    if stage.whole and new != stage.song.key:
        stage.sketch.rekey(new, "as you asked")
    if new != old:
        _moved(stage, None, lambda tones: in_key(tones, old, new), new, f"in {new}")
    if stage.song == before:
        raise Blocked(f"it is in {old} already")


def transpose(stage: Stage, deed: Transpose) -> None:
    """All pitched notes, or those of a part, up or down; the key goes with them where the whole song moves."""
    if stage.intent.keep_key and deed.wish is None and deed.semitones % 12:
        raise Blocked("the key is to stay")
    old = _plain(stage.heard().key)
    new = Key(usual_tonic((old.pitch_class + deed.semitones) % 12, old.mode), old.mode)
    before, steps = stage.song, deed.semitones
    if stage.whole and deed.wish is None and new != stage.song.key:
        stage.sketch.rekey(new, f"{steps:+d} semitones, as you asked")
    _moved(
        stage, deed.wish, lambda tones: [Tone(t.start, t.pitch + steps, t.length, t.velocity) for t in tones],
        new if deed.wish is None else old, f"{'up' if steps > 0 else 'down'} {_interval(abs(steps))}",
    )
    if stage.song == before:
        raise Blocked(f"there is no room {'above' if steps > 0 else 'below'}")


def _interval(semitones: int) -> str:
    octaves, rest = divmod(semitones, 12)
    if not rest:
        return "an octave" if octaves == 1 else f"{octaves} octaves"
    return "a semitone" if semitones == 1 else f"{semitones} semitones"


def _plain(key: Key) -> Key:
    """Minor with raised degrees as minor: the raised notes go along by themselves."""
    return Key(key.tonic, "minor") if key.mode in ("harmonic_minor", "melodic_minor") else key


def _key(now: Key, deed: Rekey) -> Key:
    """The asked key; "minor" alone leaves a song in dorian as it is, which is minor already."""
    mode = deed.mode or now.mode
    if deed.tonic is None and is_minor(mode) == is_minor(now.mode) and deed.mode in ("major", "minor"):
        return now
    return Key(deed.tonic or now.tonic, mode)


def _moved(
    stage: Stage, wish: Wish | None, change: Callable[[list[Tone]], list[Tone]], key: Key, verb: str
) -> None:
    """Change all pitched voices, each brought into its range as a whole, so that its lines keep their shape."""
    for voice in voices_of(stage, wish):
        if voice.rhythmic:
            continue
        inside = [tone for clip in voice.track.clips for tone in tones_of(clip) if stage.inside(tone.start)]
        octaves = octaves_into(change(inside), voice.low, voice.high)

        def moved(tones: list[Tone], _: Clip, voice: Voice = voice, octaves: int = octaves) -> list[Tone]:
            return strays_in(change(tones), octaves, voice.low, voice.high, key)

        rewrite(stage, voice, moved, verb, "as you asked")
