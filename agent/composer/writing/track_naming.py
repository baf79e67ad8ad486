"""Track naming: the tracks of a new piece after their players, so that whoever listens finds who has the tune."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.composer.parts import PlannedTrack
from agent.composer.player_names import beside, track_names
from agent.composer.writing.frame import Player
from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from agent.theory.melody import melody_track


def named_tracks(players: Sequence[Player], tracks: Sequence[PlannedTrack]) -> list[PlannedTrack]:
    """The tracks, one for each player in the same order, named after their players. If the melody could be taken to be
    elsewhere, "melody" is added to its track's name."""
    names = track_names(players)
    called = [names[player.style.name] for player in players]
    singers = [at for at, player in enumerate(players) if player.style.role == "lead" and tracks[at].passages]
    if singers and _heard_singing(players, tracks, called) not in singers:
        called[singers[0]] = beside(called[singers[0]], "lead")
    return [replace(track, name=name) for track, name in zip(tracks, called, strict=True)]


def _heard_singing(players: Sequence[Player], tracks: Sequence[PlannedTrack], names: Sequence[str]) -> int | None:
    """Which track the song's own ear takes for the tune."""
    song = Song(tracks=tuple(_track(at, *one) for at, one in enumerate(zip(tracks, names, strict=True))))
    heard = melody_track(song, Palette(tuple({one.instrument.name: one.instrument for one in players}.values())))
    return None if heard is None else int(heard)


def _track(number: int, new: PlannedTrack, name: str) -> Track:
    clips = tuple(
        Clip(ClipId(f"{number}-{at}"), one.name, Ticks(one.start), Ticks(one.end - one.start), tuple(
            Note(NoteId(f"{n}"), tone.pitch, Ticks(tone.start - one.start), Ticks(tone.length), tone.velocity)
            for n, tone in enumerate(one.tones)
        ))
        for at, one in enumerate(new.passages)
    )
    return Track(TrackId(str(number)), name, new.instrument, clips=clips)
