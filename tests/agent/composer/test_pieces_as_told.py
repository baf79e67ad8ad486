"""A new piece is as its request tells it: who plays when and who does not, how far the tune goes, and how it ends."""

from __future__ import annotations

from itertools import pairwise
from statistics import mean

import pytest

from agent.song.song import Song
from agent.theory.melody import melody_line, melody_track
from agent.theory.sounding import sounding


def bars_of(song: Song, name: str) -> set[int]:
    tracks = {track.id for track in song.tracks if track.name.startswith(name)}
    return {song.bar_map.bar_at(note.start) for note in sounding(song) if note.track in tracks}


def names(song: Song) -> list[str]:
    return [track.name for track in song.tracks]


def lengths(song: Song) -> list[int]:
    return [song.bar_map.count(section.end) - song.bar_map.count(section.start) for section in song.sections]


@pytest.mark.parametrize(
    ("request_", "seconds"),
    [
        ("a lofi piece, 1 minute, no drums until 0:30", 30),
        ("pop, 2 minutes, no drums before 0:45 please", 45),
        ("ambient piece about 3 minutes, no percussion until 1:00", 60),
        ("lofi beat, 1:30, keys from the start, drums not before 0:15", 15),
    ],
)
def test_a_clock_says_until_when_somebody_rests(bench, request_, seconds):
    song = bench.compose(request_)
    kits = [track.id for track in song.tracks if track.instrument.startswith(("kit", "percussion"))]
    first = min(note.start for note in sounding(song) if note.track in kits)
    assert abs(song.tempo_map.seconds(first) - seconds) <= 3


def test_who_plays_only_from_a_moment_on_is_not_alone_then(bench):
    song = bench.compose("house, one minute, bass only from 0:30")
    begin = song.bar_map.bar_at(song.tempo_map.ticks(30))
    assert min(bars_of(song, "Bass")) == begin
    assert song.bars in bars_of(song, "Drums")


def test_halves_are_halves_of_the_length(bench):
    song = bench.compose("16 bars of dreamy synth pop, first half in C major second half in A major")
    assert lengths(song) == [8, 8]
    assert song.key.tonic == "C"


def test_a_list_that_is_closed_is_the_band(bench):
    song = bench.compose("16 bar house loop. drums, bass, stabby chords, thats it. bass only comes in from bar 9")
    assert names(song) == ["Drums", "Bass", "Bright piano"]
    assert bars_of(song, "Bass") == set(range(9, 17))


def test_a_player_who_would_do_too_is_no_other_player(bench):
    song = bench.compose("for bass xylophone, xylophone, metallophone (vibraphone will do) and glockenspiel, 16 bars")
    assert names(song) == ["Bass xylophone", "Xylophone", "Metallophone", "Glockenspiel"]


def test_parts_come_in_by_turns_in_the_order_of_the_list(bench):
    song = bench.compose(
        "rock, 24 bars, start with the bass on its own, then add one part every 4 bars until they're all going: "
        "bass, drums, guitar, organ"
    )
    assert [min(bars_of(song, name)) for name in ("Bass", "Drums", "Guitar", "Organ")] == [1, 5, 9, 13]
    assert song.bars == 24


def test_a_player_of_whom_is_only_told_is_none(bench):
    song = bench.compose("bossa for piano trio, 16 bars, no guitar, everyone puts nylon guitar on a bossa")
    assert not any("guitar" in track.instrument for track in song.tracks)


def test_refused_drums_leave_the_kit(bench):
    song = bench.compose("bossa for piano trio, no crashes, 16 bars")
    kits = [track.id for track in song.tracks if track.instrument.startswith("kit")]
    struck = {note.pitch for note in sounding(song) if note.track in kits}
    assert struck
    assert 49 not in struck


def test_a_single_drum_waits_and_not_its_kit(bench):
    song = bench.compose("minimal techno 128, kick, hats and one bass line, 32 bars, hats only from bar 9")
    kits = [track.id for track in song.tracks if track.name == "Drums"]
    early = {note.pitch for note in sounding(song) if note.track in kits and note.start < song.bar_map.start_of(9)}
    assert 36 in early
    assert not early & {42, 44, 46}


def test_the_tune_keeps_to_a_range_in_words(bench):
    song = bench.compose("a song for flute and guitar, about middle C up to the A is what she can sing, 16 bars")
    line = melody_line(song, {melody_track(song, bench.palette)})
    assert {60 <= note.pitch <= 69 for note in line} == {True}


def test_what_all_but_one_keep_to_spares_that_one(bench):
    draft = bench.draft("dark drone, low strings, pad and piano, keep it mostly below middle C apart from the piano")
    song = bench.song(draft)
    others = {track.id for track in song.tracks if not track.name.startswith("Piano")}
    assert max(note.pitch for note in sounding(song) if note.track in others) <= 60
    assert any("but for piano" in line for line in draft.understood)


def test_the_second_half_has_the_tune_again(bench):
    song = bench.compose("16 bars of country, the second half can use the same tune again")
    line = melody_line(song, {melody_track(song, bench.palette)})
    half = song.bar_map.start_of(9)
    first = {(note.start, note.pitch) for note in line if note.start < song.bar_map.start_of(7)}
    again = {(note.start - half, note.pitch) for note in line if note.start >= half}
    assert len(first & again) >= 0.7 * len(first)


def test_cells_are_played_as_often_as_is_said(bench):
    song = bench.compose("metal: 4 bar riff x2, then a second riff x2, then an 8 bar halftime breakdown")
    assert [section.name for section in song.sections] == ["Riff", "Riff 2", "Breakdown"]
    assert lengths(song) == [8, 8, 8]


def test_the_bridge_of_a_form_of_letters_is_its_b(bench):
    song = bench.compose("bossa, 32 bars AABA in D minor, piano trio, the bridge in F major")
    assert [section.name[0] for section in song.sections] == ["A", "A", "B", "A"]
    assert lengths(song) == [8, 8, 8, 8]
    low = {track.id for track in song.tracks if track.name == "Double bass"}
    bass = [note for note in sounding(song) if note.track in low and note.start >= song.sections[2].start]
    assert min(bass, key=lambda note: note.start).pitch % 12 == 5


def test_a_button_ends_it_short_and_together(bench):
    song = bench.compose("30 second jingle, piano, drums and brass with a clear button at the end")
    start = song.bar_map.start_of(song.bars)
    last = [note for note in sounding(song) if note.start >= start]
    assert len({note.track for note in last}) == len(song.tracks)
    assert max(note.end - note.start for note in last) <= 480
    assert min(note.velocity for note in last) >= 110


@pytest.mark.parametrize("request_", ["strings, starts really quiet and gets bigger and bigger, 32 bars"])
def test_a_growth_has_no_plateau(bench, request_):
    song = bench.compose(request_)
    quarter = song.end // 4
    loud = [
        mean(note.velocity for note in sounding(song) if at * quarter <= note.start < (at + 1) * quarter)
        for at in range(4)
    ]
    assert all(later > earlier + 8 for earlier, later in pairwise(loud))


def test_a_short_piece_has_everybody_from_its_first_bar(bench):
    song = bench.compose("a little goodbye song in C major, 8 bars, simple piano underneath")
    assert all(track.instrument.startswith("piano") for track in song.tracks)
    assert all({1, 3, 4} <= bars_of(song, track.name) for track in song.tracks)


def test_no_real_tune_is_no_tune(bench):
    draft = bench.draft("techno with no real tune, 32 bars")
    assert "without: melody" in draft.understood
    assert "Lead" not in names(bench.song(draft))


def test_a_break_at_work_is_no_section(bench):
    draft = bench.draft("something chilled for when I'm on break, rhodes and bass")
    assert not any(line.startswith("sections") for line in draft.understood)


def test_a_key_behind_a_list_of_sections_is_that_of_all(bench):
    song = bench.compose("dubstep 140, 8 bar intro piano, 8 bar build, 16 bar drop, 4 bar outro, F minor")
    assert (song.key.tonic, song.key.mode) == ("F", "minor")


def test_five_letters_behind_only_are_the_notes(bench):
    song = bench.compose("for xylophone and glockenspiel, using only C D E G A, 8 bars, finish all together on C")
    assert {note.pitch % 12 for note in sounding(song)} <= {0, 2, 4, 7, 9}
    last = [note for note in sounding(song) if note.start >= song.bar_map.start_of(song.bars)]
    assert {note.pitch % 12 for note in last} <= {0, 4, 7}
