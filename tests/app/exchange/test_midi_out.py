"""What other programs read in the MIDI files written here; mido and pretty_midi stand for them."""

from __future__ import annotations

import errno
import os
from io import BytesIO
from pathlib import Path

import mido
import pretty_midi
import pytest
from msgspec.structs import replace

from agent.errors import Blame
from agent.song.ids import EffectId
from agent.song.key import Key
from agent.song.song import Song
from agent.song.time import MeterChange, TempoChange, Ticks
from agent.song.track import Automation, Effect, Point
from app.exchange.conductor import bpm_to_microseconds, key_from_text, key_text, microseconds_to_bpm, signature_name
from app.exchange.controllers import cc_to_pan, cc_to_volume, pan_to_cc, volume_to_cc
from app.exchange.errors import ExchangeError
from app.exchange.midi_in import song_from_midi
from app.exchange.midi_out import export_midi, midi_bytes
from tests.app.exchange.midi_songs import PALETTE, heard, rich_song, track


def read(song: Song) -> mido.MidiFile:
    return mido.MidiFile(file=BytesIO(midi_bytes(song, PALETTE).data))


def test_mido_reads_the_frame() -> None:
    file = read(rich_song())
    assert (file.type, file.ticks_per_beat) == (1, 960)
    now, seen = 0, []
    for message in file.tracks[0]:
        now += message.time
        seen.append((now, message.type, message))
    tempos = [(at, round(mido.tempo2bpm(m.tempo), 3)) for at, kind, m in seen if kind == "set_tempo"]
    assert tempos == [(0, 93.5), (15360, 120.0)]
    meters = [(at, m.numerator, m.denominator) for at, kind, m in seen if kind == "time_signature"]
    assert meters == [(0, 4, 4), (15360, 7, 8)]
    markers = [(at, m.text.encode("latin-1").decode()) for at, kind, m in seen if kind == "marker"]
    assert markers == [(0, "Intro"), (15360, "Strophe ä")]
    assert [m.key for _, kind, m in seen if kind == "key_signature"] == ["Am"]
    assert file.tracks[0].name.encode("latin-1").decode() == "Fjord – 夜"
    assert [one.name for one in file.tracks[1:]] == ["Track 1", "Track 2", "Track 3", "Track 4"]


def test_pretty_midi_hears_the_same_notes_programs_and_drums() -> None:
    song = rich_song()
    other = pretty_midi.PrettyMIDI(BytesIO(midi_bytes(song, PALETTE).data))
    assert [(one.program, one.is_drum, len(one.notes)) for one in other.instruments] == [
        (4, False, 32), (4, False, 1), (40, True, 64), (8, False, 1),
    ]  # fmt: skip
    first = other.instruments[0].notes
    expected = [song.tempo_map.seconds(note.start) for note in song.tracks[0].clips[0].notes]
    assert [note.start for note in sorted(first, key=lambda note: note.start)] == pytest.approx(expected, abs=1e-4)
    assert [(note.pitch, note.velocity) for note in other.instruments[1].notes] == [(40, 99)]


def test_drums_are_on_channel_10_and_nothing_else_is() -> None:
    for one, is_kit in zip(read(rich_song()).tracks[1:], (False, False, True, False), strict=True):
        channels = {message.channel for message in one if message.type == "note_on"}
        assert (channels == {9}) == is_kit
        assert is_kit or 9 not in channels


def test_volume_pan_bank_and_a_mute_are_controllers() -> None:
    controls = [
        {message.control: message.value for message in reversed(one) if message.type == "control_change"}
        for one in read(rich_song()).tracks[1:]
    ]
    assert (controls[1][7], controls[1][10], controls[1][0]) == (volume_to_cc(-20), 127, 8)
    assert 0 not in controls[0]
    assert controls[2][7] == volume_to_cc(-3)
    assert controls[3][7] == 0


def test_a_bend_lane_sets_its_range_first() -> None:
    lead = read(rich_song()).tracks[1]
    messages = [
        m for m in lead if m.type == "pitchwheel" or (m.type == "control_change" and m.control in (6, 100, 101))
    ]
    assert [(m.control, m.value) for m in messages[:5]] == [(101, 0), (100, 0), (6, 12), (101, 127), (100, 127)]
    assert [m.pitch for m in messages[5:]] == [round(2 / 12 * 8192), -8192]


def test_thirty_tracks_all_play_and_keep_their_sound() -> None:
    song = Song(tracks=tuple(track(i, f"gm_{2 * i}", [(0, 60, 960, 80)], pan=i / 30) for i in range(30)))
    exported = midi_bytes(song, PALETTE)
    file = mido.MidiFile(file=BytesIO(exported.data))
    seats = []
    for one in file.tracks[1:]:
        port = next((m.port for m in one if m.type == "midi_port"), 0)
        seats.append((port, next(m.channel for m in one if m.type == "note_on")))
    assert len(set(seats)) == 30
    assert all(channel != 9 for _, channel in seats)
    assert "15 tracks" in exported.dropped[0]
    back = song_from_midi(exported.data, "thirty.mid", PALETTE).song
    assert [(one.instrument, round(one.pan, 1)) for one in back.tracks] == [
        (one.instrument, round(one.pan, 1)) for one in song.tracks
    ]


def test_beyond_fifteen_equal_sounds_share_a_channel_of_the_first_port() -> None:
    song = Song(tracks=tuple(track(i, f"gm_{2 * (i % 15)}", [(i * 960, 60, 960, 80)]) for i in range(30)))
    exported = midi_bytes(song, PALETTE)
    assert not any(m.type == "midi_port" for one in mido.MidiFile(file=BytesIO(exported.data)).tracks for m in one)
    assert "30 tracks share" in " ".join(exported.dropped)
    assert heard(song_from_midi(exported.data, "x.mid", PALETTE).song) == heard(song)


def test_the_same_song_gives_the_same_bytes() -> None:
    assert midi_bytes(rich_song(), PALETTE) == midi_bytes(rich_song(), PALETTE)


def test_what_midi_cannot_hold_is_reported() -> None:
    loud = track(
        1, "gm_0", [(0, 60, 960, 80), (0, 60, 400, 80)], volume_db=6.0,
        effects=(Effect(EffectId("e1"), "reverb"),),
        automation=(Automation("e1.mix", (Point(Ticks(0), 0.5),)),),
    )  # fmt: skip
    song = Song(
        tempos=(TempoChange(Ticks(0), 2.0),),
        meters=(MeterChange(Ticks(0), 4, 6),),
        tracks=(loud, track(2, "gm_2", [(0, 64, 960, 80)], volume_db=0.0)),
    )
    exported = midi_bytes(song, PALETTE)
    told = " / ".join(exported.dropped)
    for words in ("lowered by 6.0 dB", "1 effects", "automation of 1", "1 notes that double", "3.58", "power of two"):
        assert words in told
    back = song_from_midi(exported.data, "x.mid", PALETTE).song
    assert back.tracks[0].volume_db - back.tracks[1].volume_db == pytest.approx(6, abs=0.5)


def test_a_song_without_notes_is_refused() -> None:
    with pytest.raises(ExchangeError, match="no notes"):
        midi_bytes(Song(), PALETTE)


def test_an_export_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "song.mid"
    exported = export_midi(rich_song(), PALETTE, target)
    assert target.read_bytes() == exported.data

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ExchangeError, match="no space left") as caught:
        export_midi(replace(rich_song(), name="Other"), PALETTE, target)
    assert caught.value.blame is Blame.MACHINE
    assert target.read_bytes() == exported.data
    assert [path.name for path in tmp_path.iterdir()] == ["song.mid"]


def test_a_folder_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="cannot write"):
        export_midi(rich_song(), PALETTE, tmp_path / "nowhere" / "song.mid")


@pytest.mark.parametrize("value", range(1, 128))
def test_mix_controllers_can_be_inverted(value: int) -> None:
    assert volume_to_cc(cc_to_volume(value)) == value
    assert pan_to_cc(cc_to_pan(value)) == value


@pytest.mark.parametrize("bpm", [4, 60, 93.5, 120, 120.01, 174.4, 333.33, 999])
def test_tempos_survive_microseconds(bpm: float) -> None:
    assert microseconds_to_bpm(bpm_to_microseconds(bpm)) == bpm


@pytest.mark.parametrize(
    ("key", "name"),
    [
        (Key("C"), "C"), (Key("A", "minor"), "Am"), (Key("D", "dorian"), "Am"), (Key("G", "mixolydian"), "C"),
        (Key("Gb"), "Gb"), (Key("F#"), "F#"), (Key("G#"), "Ab"), (Key("Eb", "harmonic_minor"), "Ebm"),
        (Key("F", "lydian"), "C"),
    ],
)  # fmt: skip
def test_keys_have_the_nearest_signature(key: Key, name: str) -> None:
    assert signature_name(key) == name
    mido.MetaMessage("key_signature", key=name)
    assert key_from_text(key_text(key)) == key


def test_equal_instruments_with_another_mix_do_not_share_a_channel() -> None:
    song = Song(tracks=tuple(track(i, "gm_0", [(0, 60, 960, 80)], volume_db=-float(i)) for i in range(17)))
    ports = [next((m.port for m in one if m.type == "midi_port"), 0) for one in read(song).tracks[1:]]
    assert ports == [0] * 15 + [1, 1]


def test_a_volume_lane_moves_with_the_others_and_repeats_nothing() -> None:
    lane = Automation("volume_db", (Point(Ticks(0), 6.0), Point(Ticks(3840), 0.0)), "linear")
    song = Song(tracks=(track(1, "gm_0", [(0, 60, 3840, 80)], automation=(lane,)),))
    values = [m.value for m in read(song).tracks[1] if m.type == "control_change" and m.control == 7][1:]
    assert (values[0], values[-1]) == (127, volume_to_cc(-6))
    assert values == sorted(set(values), reverse=True)


def test_a_repeated_note_ends_before_it_begins_again() -> None:
    song = Song(tracks=(track(1, "gm_0", [(0, 60, 960, 80), (960, 60, 960, 90)]),))
    played = [(m.type, m.velocity) for m in read(song).tracks[1] if m.type.startswith("note_")]
    assert played == [("note_on", 80), ("note_off", 64), ("note_on", 90), ("note_off", 64)]
