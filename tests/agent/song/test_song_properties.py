"""What always holds of songs, edits and differences."""

from __future__ import annotations

import msgspec
import pytest
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from songs import edits, songs

from agent.song.apply import apply, apply_all
from agent.song.changes import compare
from agent.song.difference import edits_between
from agent.song.edits import Edit
from agent.song.errors import SongError
from agent.song.rules import check
from agent.song.song import Song

quick = settings(max_examples=examples(120), suppress_health_check=list(HealthCheck))


@quick
@given(songs())
def test_a_song_survives_its_own_json(song: Song) -> None:
    check(song)
    assert msgspec.json.decode(msgspec.json.encode(song), type=Song) == song


@quick
@given(songs(), st.data())
def test_apply_never_yields_a_song_that_breaks_a_rule(song: Song, data: st.DataObject) -> None:
    for _ in range(4):
        edit = data.draw(edits(song))
        try:
            after = apply(song, edit)
        except SongError:
            continue
        check(after)
        assert msgspec.json.encode(apply(song, edit)) == msgspec.json.encode(after), "an edit is repeatable"
        song = after


@quick
@given(songs(), st.data())
def test_an_edit_survives_its_own_json(song: Song, data: st.DataObject) -> None:
    edit = data.draw(edits(song))
    again = msgspec.json.decode(msgspec.json.encode(edit), type=Edit)  # type: ignore[arg-type]
    assert again == edit


@quick
@given(songs(), songs())
def test_the_edits_of_a_difference_turn_one_song_into_the_other(before: Song, after: Song) -> None:
    steps = edits_between(before, after)
    assert apply_all(before, steps) == after
    assert compare(before, after).empty == (before == after)
    assert bool(steps) == (before != after)


@quick
@given(songs())
def test_a_song_does_not_differ_from_itself(song: Song) -> None:
    assert compare(song, song).empty
    assert edits_between(song, song) == ()


@quick
@given(songs(), st.integers(0, 960 * 40))
def test_seconds_and_bars_lead_back_to_the_same_tick(song: Song, tick: int) -> None:
    assert song.tempo_map.ticks(song.tempo_map.seconds(tick)) == tick
    bar = song.bar_map.bar_at(tick)
    assert song.bar_map.start_of(bar) <= tick < song.bar_map.start_of(bar + 1) or bar == song.bar_map.bar_at(
        song.bar_map.start_of(bar + 1)
    )


def test_a_broken_rule_names_track_clip_and_note() -> None:
    from agent.song import edits as e
    from agent.song.ids import ClipId, NoteId, TrackId
    from agent.song.time import Ticks

    song = apply(Song(), e.CreateTrack(track_id=TrackId("taaaaaaaaaaaa"), name="Bass", instrument="bass"))
    late = e.NoteSpec(40, Ticks(960), Ticks(1920), 90, NoteId("n1"))
    with pytest.raises(SongError, match="track 'Bass', clip 'Riff', note 1"):
        apply(
            song,
            e.CreateMidiClip(
                clip_id=ClipId("caaaaaaaaaaaa"), track_id=TrackId("taaaaaaaaaaaa"), start_time=Ticks(0),
                duration=Ticks(1920), notes=(late,), name="Riff",
            ),
        )
