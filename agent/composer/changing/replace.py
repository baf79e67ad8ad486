"""Starting over: the rows that clear what is there, as far as it is not locked."""

from __future__ import annotations

from msgspec import structs

from agent.composer.guard import Guard
from agent.composer.rows import CLEARING, MASTER, Rows
from agent.composer.understanding.intent import Intent
from agent.song.song import Song
from agent.song.track import Track


def clear(song: Song, rows: Rows) -> None:
    """Write rows that delete tracks, sections and master effects; of a track with locked clips or bars only the
    unlocked clips."""
    for track in song.tracks:
        if track.id not in rows.guard.tracks:
            _clear_track(track, rows)
    for section in song.sections:
        rows.add(
            "delete_section", {"section_id": section.id},
            title=f"Remove section {section.name}", group=CLEARING, why="the new piece has its own form",
        )
    for effect in song.master_effects:
        rows.add(
            "remove_effect", {"effect_id": effect.id},
            title=f"Remove {effect.name} from the mix", group=MASTER, why="the new piece has its own mix",
        )


def fitting(intent: Intent, song: Song, guard: Guard) -> Intent:
    """The intent of a new piece that has to go with locked content: it takes the song's key, unless the request names
    one, and with locked bars also its meter."""
    if guard.spans:
        meter = song.meters[0]
        intent = structs.replace(intent, meter=(meter.beats, meter.unit), metered=())
    held = guard.spans or guard.tracks or guard.clips
    if held and song.note_count and intent.tonic is None and intent.mode is None:
        intent = structs.replace(intent, tonic=song.key.tonic, mode=song.key.mode)
    return intent


def _clear_track(track: Track, rows: Rows) -> None:
    frozen = [clip for clip in track.clips if rows.guard.holds(clip)]
    points = [point for lane in track.automation for point in lane.points if rows.guard.closed(point.at)]
    if not frozen and not points:
        rows.add(
            "delete_track", {"track_id": track.id},
            title=f"Remove {track.name}", group=CLEARING, why="you asked to start over",
        )
        return
    for clip in track.clips:
        if clip not in frozen:
            rows.add(
                "delete_clip", {"clip_id": clip.id},
                title=f"Remove {clip.name} of {track.name}", group=CLEARING, why="only what is locked stays",
            )
