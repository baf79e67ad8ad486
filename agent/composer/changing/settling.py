"""New notes brought to rest in a clip: among those that were there, and clear of those that are locked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence

from agent.composer.tones import SHORTEST, Tone, tidy
from agent.song.clip import Clip, Note


def settled(tones: Sequence[Tone], was: Sequence[Tone], clip: Clip) -> tuple[Tone, ...]:
    """The tones tidied for a clip: cut at its bounds and without overlaps. Old tones (`was`) stay as they were unless a
    new one needs their place."""
    known = set(was)
    shortest = 1 if any(tone.length < SHORTEST for tone in was) else SHORTEST
    clean = {(tone.start, tone.pitch): tone for tone in tidy(tones, clip.start, clip.end, shortest)}
    added: dict[int, list[Tone]] = {}
    for tone in tidy((tone for tone in tones if tone not in known), clip.start, clip.end, shortest):
        added.setdefault(tone.pitch, []).append(tone)
    for tone in tones:
        if tone in known and clean.get((tone.start, tone.pitch)) != tone:
            beside = added.get(tone.pitch, [])
            place = bisect_left(beside, tone.end, key=lambda one: one.start)
            over = beside[place - 1] if place and beside[place - 1].end > tone.start else None
            if over is not None and over.start < tone.start and (tone.start, tone.pitch) not in clean:
                clean.pop((over.start, over.pitch), None)
                over = None
            if over is None:
                clean[tone.start, tone.pitch] = tone
    return tuple(sorted(clean.values()))


def clear_of(tones: tuple[Tone, ...], frozen: Collection[Note], clip: Clip) -> tuple[Tone, ...]:
    """The tones, cut or left out where a locked (`frozen`) note of the same pitch sounds."""
    if not frozen:
        return tones
    locked = [(n.pitch, clip.start + n.start, clip.start + n.end) for n in clip.notes if n in frozen]
    kept = []
    for tone in tones:
        starts = [start for pitch, start, _ in locked if pitch == tone.pitch and tone.start < start < tone.end]
        under = any(pitch == tone.pitch and start <= tone.start < end for pitch, start, end in locked)
        length = min([tone.length, *(start - tone.start for start in starts)])
        if not under and length >= min(SHORTEST, tone.length):
            kept.append(Tone(tone.start, tone.pitch, length, tone.velocity))
    return tuple(kept)
