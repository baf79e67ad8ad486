"""Resuming: a part that the song has plays where it rests, from its own music elsewhere."""

from __future__ import annotations

from agent.composer.changing.notes.laying import lay
from agent.composer.changing.notes.on_chords import own_music
from agent.composer.changing.stage import Span, Stage, tracks_of
from agent.composer.changing.time.material import taken
from agent.composer.understanding.wishes import Wish


def resting_of(stage: Stage, wish: Wish, span: Span) -> Span | None:
    """The whole bars at the beginning of a span in which a part rests that plays elsewhere; None if it plays there, or
    nowhere."""
    tracks = [stage.song.track(track) for track in tracks_of(wish, stage.song, stage.palette)]
    if not any(track.note_count for track in tracks):
        return None
    inside = [tone.start for track in tracks for tone in taken(track, *span)]
    bars = stage.song.bar_map
    end = int(bars.start_of(bars.bar_at(min(inside)))) if inside else span[1]
    return (span[0], end) if end > span[0] else None


def resume(stage: Stage, wish: Wish, span: Span, name: str) -> bool:
    """Copy the part's own music from elsewhere into a span in which it rests, in clips called `name`. Returns False if
    it has none that fits."""
    heard, laid = stage.heard(), False
    sounds = {instrument.name: instrument for instrument in stage.palette.instruments}
    for track in stage.free(wish):
        tones = own_music(track, span, heard, sounds.get(track.instrument)) if track.note_count else []
        if tones:
            laid = True
            lay(stage, track.id, span, tones, name, "its own music, on the chords there")
    return laid
