"""The key that is told while planning: only one that is no guess."""

from __future__ import annotations

from msgspec.structs import replace

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.key import Key
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.studio.studio import Studio
from app.viewmodels.chat.telling import key_found


def song(pitches: tuple[int, ...]) -> Song:
    notes = tuple(Note(NoteId(f"n{at}"), pitch, Ticks(at * 960), Ticks(960)) for at, pitch in enumerate(pitches))
    clip = Clip(ClipId("c"), "Tune", Ticks(0), Ticks(960 * max(1, len(pitches))), notes)
    return Song("Tune", tracks=(Track(TrackId("t"), "Keys", "keys_rhodes", clips=(clip,)),))


def test_a_plain_scale_has_a_key_and_all_twelve_pitches_have_none(studio: Studio) -> None:
    told = key_found(song((60, 64, 67, 72, 65, 69, 72, 67, 71, 62, 67, 60, 64, 67, 60)), studio.palette)
    assert told is not None
    assert told[0] == "C major"
    assert told[1] in ("sure", "likely")
    assert key_found(song(tuple(range(60, 72))), studio.palette) is None
    assert key_found(song(()), studio.palette) is None


def test_of_two_keys_of_the_same_notes_the_one_that_the_song_states_is_told(studio: Studio) -> None:
    tune = song((65, 69, 72, 77, 70, 74, 77, 72, 76, 67, 72, 65, 69, 72, 65))
    assert key_found(tune, studio.palette) == ("F major", "sure")
    assert key_found(replace(tune, key=Key("D", "minor")), studio.palette) == ("D minor", "sure")
    assert key_found(replace(tune, key=Key("D", "major")), studio.palette) == ("F major", "sure")
