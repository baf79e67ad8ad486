"""Removing: a part goes, or rests where the task works; or it is the only one that stays."""

from __future__ import annotations

from collections.abc import Collection

from agent.composer.changing.parts.lines import by_hand
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.styles import Drum
from agent.composer.tones import Tone
from agent.composer.understanding.tasks import Remove, Solo
from agent.composer.writing.kit import PITCHES
from agent.song.clip import Clip
from agent.song.track import Track

_ALIKE: dict[Drum, frozenset[int]] = {
    "kick": frozenset({35, 36}), "snare": frozenset({38, 40}), "hat": frozenset({42, 44, 46}),
    "crash": frozenset({49, 57}), "ride": frozenset({51, 59}), "tom_low": frozenset({41, 43, 45}),
    "tom_high": frozenset({48, 50}),
}
"""Pitches of a kit that are the same drum to a listener."""
_FEWEST = 6
"""Different velocities that a played beat has at least."""


def remove(stage: Stage, deed: Remove) -> None:
    """Delete the tracks that are meant; within a scope they only rest there, as single drums of a kit do."""
    wish = deed.wish
    tracks = stage.free(wish)
    if wish.pieces:
        _without_drums(stage, tracks, pitches_of(wish.pieces), wish.label)
        return
    if stage.whole:
        for track in tracks:
            stage.sketch.remove_track(track.id, f"no {wish.label}, as you asked")
        return
    _rest(stage, tracks, f"no {wish.label} here, as you asked", f"there is no {wish.label} to silence there")


def solo(stage: Stage, deed: Solo) -> None:
    """Everything but the parts that are meant goes; within a scope it only rests there."""
    song, palette = stage.song, stage.palette
    kept = {track for wish in deed.wishes for track in tracks_of(wish, song, palette)}
    label = " and ".join(wish.label for wish in deed.wishes)
    if not kept:
        raise Blocked(f"the song has no {label}")
    others = tuple(track for track in stage.sketch.free_tracks() if track.id not in kept)
    if not others:
        raise Blocked(f"nothing but {label} plays already")
    if not stage.whole:
        _rest(stage, others, f"only {label} here, as you asked", f"nothing but {label} plays there already")
        return
    for track in others:
        stage.sketch.remove_track(track.id, f"only {label}, as you asked")


def pitches_of(pieces: Collection[Drum]) -> frozenset[int]:
    """The pitches of drums of a kit, with those that sound like them."""
    return frozenset(pitch for piece in pieces for pitch in _ALIKE.get(piece, frozenset({PITCHES[piece]})))


def _without_drums(stage: Stage, tracks: Collection[Track], pitches: frozenset[int], label: str) -> None:
    hit = [
        track for track in tracks
        if any(n.pitch in pitches and stage.inside(c.start + n.start) for c in track.clips for n in c.notes)
    ]
    if not hit:
        raise Blocked(f"the drums play no {label} there")
    for track in hit:
        left = [n.velocity for c in track.clips for n in c.notes if n.pitch not in pitches]
        # the softer drum may have been all that made the beat uneven
        even = len(set(left)) < _FEWEST

        def without(tones: list[Tone], _: Clip, even: bool = even) -> list[Tone]:
            kept = [tone for tone in tones if tone.pitch not in pitches]
            return by_hand(kept) if even else kept

        stage.sketch.each_clip(track, stage.spans, without, f"without {label}", f"no {label}, as you asked")


def _rest(stage: Stage, tracks: Collection[Track], why: str, idle: str) -> None:
    before = stage.song
    for track in tracks:
        stage.sketch.each_clip(track, stage.spans, lambda _tones, _clip: (), "resting", why)
    if stage.song is before:
        raise Blocked(idle)
