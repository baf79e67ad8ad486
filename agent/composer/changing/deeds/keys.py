"""Keys: the song in another key or mode, or moved by semitones."""

from __future__ import annotations

from collections.abc import Callable

from agent.composer.changing.reshape import fitted, in_key
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.styles import RHYTHMIC
from agent.composer.tones import Tone
from agent.composer.understanding.tasks import Rekey, Transpose
from agent.composer.writing.harmony import is_minor
from agent.song.clip import Clip
from agent.song.key import Key
from agent.theory.pitch import usual_tonic


def rekey(stage: Stage, deed: Rekey) -> None:
    """Every degree of the old key becomes that degree of the new one."""
    if stage.intent.keep_key:
        raise Blocked("the key is to stay")
    old = stage.heard().key
    new = _key(old, deed)
    if stage.whole and new != stage.song.key:
        stage.sketch.rekey(new, "as you asked")
    if new != old:
        _moved(stage, lambda tones: in_key(tones, old, new), new, f"in {new}")


def transpose(stage: Stage, deed: Transpose) -> None:
    """All pitched notes up or down; the key goes with them where the whole song moves."""
    if stage.intent.keep_key:
        raise Blocked("the key is to stay")
    old = stage.heard().key
    new = Key(usual_tonic((old.pitch_class + deed.semitones) % 12, old.mode), old.mode)
    if stage.whole and new != stage.song.key:
        stage.sketch.rekey(new, f"{deed.semitones:+d} semitones, as you asked")
    steps = deed.semitones
    _moved(
        stage, lambda tones: [Tone(t.start, t.pitch + steps, t.length, t.velocity) for t in tones], new,
        f"{'up' if steps > 0 else 'down'} {abs(steps)} semitones",
    )


def _key(now: Key, deed: Rekey) -> Key:
    mode = deed.mode or now.mode
    if deed.tonic is None and is_minor(mode) == is_minor(now.mode) and deed.mode in ("major", "minor"):
        return now
    return Key(deed.tonic or now.tonic, mode)


def _moved(stage: Stage, change: Callable[[list[Tone]], list[Tone]], key: Key, verb: str) -> None:
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    roles = stage.roles()
    for track in stage.free():
        if roles[track.id] in RHYTHMIC:
            continue
        instrument = known.get(track.instrument)
        low, high = (instrument.low, instrument.high) if instrument is not None else (0, 127)

        def moved(tones: list[Tone], _: Clip, low: int = low, high: int = high) -> list[Tone]:
            return fitted(change(tones), low, high, key)

        stage.sketch.each_clip(track, stage.spans, moved, verb, "as you asked")
