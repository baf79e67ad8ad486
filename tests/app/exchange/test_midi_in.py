"""MIDI files of others as songs: all that is readable comes in, the rest is one clear error."""

from __future__ import annotations

import os
import random
from io import BytesIO
from pathlib import Path

import mido
import pretty_midi
import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.song import rules
from agent.song.colors import color_in_turn
from agent.song.key import Key
from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from app.exchange.errors import ExchangeError
from app.exchange.midi_in import ImportedMidi, import_midi, song_from_midi
from app.exchange.midi_out import midi_bytes
from tests.app.exchange.midi_songs import PALETTE, heard, rich_song, songs

HEADER = b"MThd\x00\x00\x00\x06\x00\x01\x00\x01\x03\xc0"
END = b"\x00\xff\x2f\x00"


def chunk(body: bytes, kind: bytes = b"MTrk") -> bytes:
    return kind + len(body).to_bytes(4, "big") + body


def load(body: bytes, header: bytes = HEADER) -> ImportedMidi:
    return song_from_midi(header + chunk(body), "some.mid", PALETTE)


def from_mido(file: mido.MidiFile) -> ImportedMidi:
    buffer = BytesIO()
    file.save(file=buffer)
    return song_from_midi(buffer.getvalue(), "other.mid", PALETTE)


def test_a_rich_song_comes_back() -> None:
    song = rich_song()
    imported = song_from_midi(midi_bytes(song, PALETTE).data, "x.mid", PALETTE)
    back = imported.song
    assert imported.dropped == ()
    assert imported.kept == song.note_count
    assert heard(back) == heard(song)
    assert (back.name, back.key, back.tempos, back.meters) == (song.name, song.key, song.tempos, song.meters)
    assert [(s.name, s.start, s.duration) for s in back.sections] == [
        (s.name, s.start, s.duration) for s in song.sections
    ]
    assert [(t.name, t.mute) for t in back.tracks] == [(t.name, t.mute) for t in song.tracks]
    lanes = {lane.target: [(p.at, p.value) for p in lane.points] for lane in back.tracks[0].automation}
    assert lanes["pedal"] == [(0, 127), (1920, 0)]
    assert lanes["bend"] == [(960, 2), (1920, -12)]
    assert lanes["expression"] == [(0, 90), (3840, 20)]
    assert lanes["modulation"][-1] == (3840, 64)
    assert lanes["volume_db"] == [(3840, pytest.approx(-20, abs=0.3))]


def test_tracks_of_a_file_are_told_apart_by_colour_as_new_tracks_are() -> None:
    back = song_from_midi(midi_bytes(rich_song(), PALETTE).data, "x.mid", PALETTE).song
    assert len(back.tracks) > 1
    assert [track.color for track in back.tracks] == [color_in_turn(number) for number in range(len(back.tracks))]
    assert len({track.color for track in back.tracks}) == len(back.tracks)


@given(songs())
@settings(max_examples=examples(60))
def test_any_song_comes_back(song: Song) -> None:
    rules.check(song)
    imported = song_from_midi(midi_bytes(song, PALETTE).data, "x.mid", PALETTE)
    back = imported.song
    rules.check(back)
    assert heard(back) == heard(song)
    assert imported.kept == song.note_count
    assert back.key == song.key
    assert (back.tempos, back.meters) == (song.tempos, song.meters)
    for was, now in zip(song.tracks, back.tracks, strict=True):
        assert now.name == was.name
        assert now.volume_db == pytest.approx(was.volume_db, abs=0.5)
        assert now.pan == pytest.approx(was.pan, abs=0.01)


def test_the_same_file_gives_the_same_song() -> None:
    data = midi_bytes(rich_song(), PALETTE).data
    assert song_from_midi(data, "a.mid", PALETTE) == song_from_midi(data, "b.mid", PALETTE)


def test_a_file_of_pretty_midi_is_read() -> None:
    file = pretty_midi.PrettyMIDI(initial_tempo=100, resolution=220)
    for program, drums in ((40, False), (0, True)):
        player = pretty_midi.Instrument(program, is_drum=drums, name="Violin")
        player.notes = [pretty_midi.Note(80, 60 + i, i * 0.6, i * 0.6 + 0.3) for i in range(8)]
        file.instruments.append(player)
    buffer = BytesIO()
    file.write(buffer)
    song = song_from_midi(buffer.getvalue(), "violin.mid", PALETTE).song
    assert [one.instrument for one in song.tracks] == ["gm_40", "kit"]
    assert song.tempos[0].bpm == 100
    assert [(n.start, n.duration) for n in song.tracks[0].clips[0].notes][:2] == [(0, 480), (960, 480)]
    assert song.name == "violin"


def test_type_0_becomes_one_track_for_each_channel() -> None:
    one = mido.MidiTrack([mido.MetaMessage("track_name", name="All of it")])
    for channel, program in ((0, 8), (3, 50), (9, 0)):
        one.append(mido.Message("program_change", channel=channel, program=program))
        one.append(mido.Message("note_on", channel=channel, note=60, velocity=64))
        one.append(mido.Message("note_off", channel=channel, note=60, time=120))
    song = from_mido(mido.MidiFile(type=0, ticks_per_beat=120, tracks=[one])).song
    assert song.name == "All of it"
    assert [(t.instrument, t.clips[0].notes[0].duration) for t in song.tracks] == [
        ("gm_8", 960), ("gm_50", 960), ("kit", 960),
    ]  # fmt: skip


def test_settings_of_a_channel_may_stand_in_another_track() -> None:
    setup = mido.MidiTrack(
        [mido.Message("program_change", program=24), mido.Message("control_change", control=7, value=64)]
    )
    notes = mido.MidiTrack([mido.Message("note_on", note=60), mido.Message("note_off", note=60, time=96)])
    song = from_mido(mido.MidiFile(type=1, ticks_per_beat=96, tracks=[setup, notes])).song
    assert [(t.instrument, round(t.volume_db, 1)) for t in song.tracks] == [("gm_24", -11.9)]


def test_running_status_zero_velocity_and_alien_chunks_are_understood() -> None:
    body = b"\x00\x90\x3c\x40\x60\x3c\x00\x00\x3e\x40\x60\x3e\x00" + END
    data = HEADER + chunk(b"anything", b"XFIH") + chunk(body) + b"tail"
    song = song_from_midi(data, "a.mid", PALETTE).song
    assert [(n.pitch, n.start, n.duration) for n in song.tracks[0].clips[0].notes] == [(60, 0, 96), (62, 96, 96)]


def test_a_note_without_an_end_lasts_to_the_end_of_its_track_and_is_told() -> None:
    imported = load(b"\x00\x90\x3c\x40\x83\x60\xff\x2f\x00")
    assert imported.song.tracks[0].clips[0].notes[0].duration == 480
    assert "1 notes without an end" in imported.dropped[0]


def test_a_note_of_no_length_lasts_one_tick() -> None:
    assert load(b"\x00\x90\x3c\x40\x00\x80\x3c\x00" + END).song.tracks[0].clips[0].notes[0].duration == 1


def test_overlapping_notes_of_a_pitch_are_cut_where_the_next_begins() -> None:
    imported = load(b"\x00\x90\x3c\x40\x60\x3c\x50\x60\x3c\x00\x60\x3c\x00" + END)
    assert [(n.start, n.duration) for n in imported.song.tracks[0].clips[0].notes] == [(0, 96), (96, 192)]
    assert "shortened" in imported.dropped[0]


def test_without_a_key_signature_the_key_is_found() -> None:
    notes = b"".join(bytes([0, 0x90, p, 64, 96, p, 0]) for p in (64, 66, 67, 69, 71, 69, 67, 66, 64, 71, 64, 64))
    assert load(notes + END).song.key == Key("E", "minor")
    assert load(b"\x00\xff\x59\x02\x03\x00" + notes + END).song.key == Key("A")
    assert load(b"\x00\xff\x59\x02\x0f\x00" + notes + END).song.key == Key("E", "minor")


def test_a_signature_of_c_major_that_the_notes_deny_is_not_believed() -> None:
    notes = b"".join(bytes([0, 0x90, p, 64, 96, p, 0]) for p in (64, 66, 67, 69, 71, 69, 67, 66, 64, 71, 64, 64))
    imported = load(b"\x00\xff\x59\x02\x00\x00" + notes * 3 + END)
    assert imported.song.key == Key("E", "minor")
    assert "they are in E minor" in imported.dropped[0]
    inside = b"".join(bytes([0, 0x90, p, 64, 96, p, 0]) for p in (69, 71, 72, 74, 76, 69))
    assert load(b"\x00\xff\x59\x02\x00\x00" + inside * 6 + END).song.key == Key("C")


def test_frames_a_second_become_beats_at_120() -> None:
    smpte = b"MThd\x00\x00\x00\x06\x00\x00\x00\x01\xe7\x28"
    song = load(b"\x00\x90\x3c\x40\x87\x68\x3c\x00" + END, smpte).song
    assert song.tempo_map.seconds(song.tracks[0].clips[0].notes[0].end) == 1.0


def test_other_messages_are_counted_and_odd_values_survive() -> None:
    body = (
        b"\x00\xff\x51\x03\x00\x00\x00\x00\xff\x58\x04\x00\xff\x18\x08\x00\xf0\x02\x7e\xf7\x00\xff\x05\x02la"
        b"\x00\xd0\x40\x00\xb0\x5b\x20\x00\xb0\x07\x40\x00\x90\x3c\x40\x60\x3c\x00\x00\xc0\x05" + END
    )
    imported = load(body)
    assert imported.song.tempos[0].bpm == 999
    assert imported.song.meters[0].beats == 4
    told = " / ".join(imported.dropped)
    for words in (
        "1 lyrics", "1 aftertouch", "1 messages of controller 91", "1 system exclusive", "1 program changes",
        "1 tempos above 999 BPM: read as 999", "1 time signatures that a song cannot have",
    ):
        assert words in told


def test_bends_beyond_what_a_song_says_are_told() -> None:
    two_octaves = b"\x00\xb0\x65\x00\x00\xb0\x64\x00\x00\xb0\x06\x18"
    note = b"\x00\x90\x3c\x40\x60\x3c\x00"
    whole, half = b"\x00\xe0\x7f\x7f", b"\x00\xe0\x00\x60"
    assert any("bends of more than an octave" in one for one in load(two_octaves + whole + note + END).dropped)
    assert load(two_octaves + half + note + END).dropped == ()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"RIFF....WAVEfmt ", "header"),
        (b"MThd\x00\x00\x00\x06", "header"),
        (HEADER[:8] + b"\x00\x02\x00\x01\x03\xc0" + chunk(END), "type 2"),
        (HEADER[:12] + b"\x00\x00" + chunk(END), "division"),
        (HEADER, "holds 0"),
        (HEADER + chunk(END)[:-1], "cut off"),
        (HEADER + b"MTrk\xff\xff\xff\xff" + END, "cut off"),
        (HEADER + chunk(END), "no notes"),
        (HEADER + chunk(b"\x00\x90\x3c"), "middle of an event"),
        (HEADER + chunk(b"\x00\x3c\x40"), "no MIDI message"),
        (HEADER + chunk(b"\x00\x90\x3c\xff" + END), "above 127"),
        (HEADER + chunk(b"\xff\xff\xff\xff\x7f\x90\x3c\x40" + END), "four bytes"),
        (HEADER + chunk(b"\xff\xff\xff\x7f\x90\x3c\x40" * 9 + END), "impossible"),
        (HEADER + chunk(b"\x00\xff\x01\xff\xff\xff\x7f" + END), "middle of an event"),
    ],
)  # fmt: skip
def test_malformed_files_are_refused_with_their_name_and_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(ExchangeError, match=reason) as caught:
        song_from_midi(data, "broken.mid", PALETTE)
    assert "broken.mid" in caught.value.what


def test_files_that_are_none_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mid")
    for path in (tmp_path, tmp_path / "missing.mid", tmp_path / "pipe.mid"):
        with pytest.raises(ExchangeError, match="cannot import"):
            import_midi(path, PALETTE)
    with (tmp_path / "huge.mid").open("wb") as huge:
        huge.truncate(65 * 1024 * 1024)
    with pytest.raises(ExchangeError, match="larger"):
        import_midi(tmp_path / "huge.mid", PALETTE)


def _mutated(data: bytes, dice: random.Random) -> bytes:
    bad = bytearray(data)
    for _ in range(dice.choice([1, 1, 2, 5, 40])):
        at = dice.randrange(len(bad))
        change = dice.choice([0, 0, 0, 0, 0, 1, 2, 3])
        if change == 0:
            bad[at] = dice.randrange(256)
        elif change == 1:
            del bad[at : at + dice.randrange(1, 40)]
        elif change == 2:
            bad[at:at] = dice.randbytes(dice.randrange(1, 20))
        else:
            bad[at] = 0xFF
        bad = bad or bytearray(b"M")
    return bytes(bad)


def test_five_hundred_damaged_files_end_in_a_song_or_the_one_error() -> None:
    data = midi_bytes(rich_song(), PALETTE).data
    read = refused = 0
    for seed in range(500):
        try:
            imported = song_from_midi(_mutated(data, random.Random(seed)), "bad.mid", PALETTE)
        except ExchangeError as error:
            refused += "bad.mid" in error.what
        else:
            rules.check(imported.song)
            read += 1
    assert read + refused == 500
    assert min(read, refused) > 20


@given(st.binary(max_size=200))
@settings(max_examples=examples(200))
def test_any_track_bytes_end_in_a_song_or_the_one_error(body: bytes) -> None:
    try:
        rules.check(load(b"\x00\x90\x3c\x40" + body).song)
    except ExchangeError:
        return


def test_sections_without_a_name_are_numbered_and_marks_behind_the_music_dropped() -> None:
    body = b"\x00\xff\x06\x00\x00\x90\x3c\x40\x60\x3c\x00" + END
    assert [(s.name, s.start, s.duration) for s in load(body).song.sections] == [("Section 1", 0, 3840)]
    late = b"\x00\x90\x3c\x40\x60\x3c\x00\x9d\x20\xff\x06\x03End" + END
    assert load(late).song.sections == ()


def test_all_notes_off_ends_notes() -> None:
    song = load(b"\x00\x90\x3c\x40\x60\xb0\x7b\x00\x83\x60\x3e\x00" + END).song
    assert song.tracks[0].clips[0].notes[0].duration == 96


def test_times_are_rounded_to_the_nearest_tick() -> None:
    header = HEADER[:12] + (1920).to_bytes(2, "big")
    note = load(b"\x03\x90\x3c\x40\x04\x3c\x00" + END, header).song.tracks[0].clips[0].notes[0]
    assert (note.start, note.end) == (2, 4)


def test_a_file_with_too_many_notes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MAX_NOTES", 2)
    with pytest.raises(ExchangeError, match="more than 2 notes"):
        load(b"".join(bytes([0, 0x90, p, 64, 9, p, 0]) for p in (60, 62, 64)) + END)


def test_a_file_with_too_many_tracks_is_refused_before_each_is_held_against_all() -> None:
    chunk = b"\x00\x90\x3c\x40\x01\x80\x3c\x00" + END
    many = 60_000
    head = b"MThd\x00\x00\x00\x06\x00\x01" + many.to_bytes(2, "big") + b"\x01\xe0"
    with pytest.raises(ExchangeError, match="60,000 tracks are too many"):
        song_from_midi(head + (b"MTrk" + len(chunk).to_bytes(4, "big") + chunk) * many, "bomb", PALETTE)


@pytest.mark.parametrize(
    ("channel", "bank", "program", "instrument"),
    [
        (0, 0, 6, "gm_6"), (0, 8, 4, "gs_8"), (0, 3, 4, "gm_4"), (0, 0, 7, "gm_6"), (0, 0, 127, "gm_126"),
        (0, 0, 15, "gm_14"), (9, 0, 40, "kit_brushes"), (9, 0, 41, "kit_brushes"), (9, 0, 8, "kit"), (0, 127, 0, "kit"),
    ],
)  # fmt: skip
def test_programs_are_played_by_the_nearest_instrument(channel: int, bank: int, program: int, instrument: str) -> None:
    c = channel
    body = bytes([0, 0xB0 | c, 0, bank, 0, 0xC0 | c, program, 0, 0x90 | c, 60, 64, 96, 60, 0])
    assert load(body + END).song.tracks[0].instrument == instrument


def test_a_missing_program_stays_in_its_group() -> None:
    palette = Palette((Instrument("piano", "piano", "Piano", 0), Instrument("bells", "keys", "Bells", 8)))
    song = song_from_midi(HEADER + chunk(b"\x00\xc0\x07\x00\x90\x3c\x40\x60\x3c\x00" + END), "x.mid", palette).song
    assert song.tracks[0].instrument == "piano"


def test_a_palette_without_instruments_is_one_clear_error() -> None:
    with pytest.raises(ExchangeError, match="no instrument"):
        song_from_midi(midi_bytes(rich_song(), PALETTE).data, "x.mid", Palette())
