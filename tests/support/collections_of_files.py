"""Folders with MIDI files and samples, as people have them."""

from __future__ import annotations

import wave
from collections.abc import Mapping
from pathlib import Path

from mido import Message, MetaMessage, MidiFile, MidiTrack, bpm2tempo

A_MINOR = (57, 60, 64, 69, 67, 65, 64, 62, 60, 59, 57, 57)
D_MAJOR = (62, 66, 69, 74, 73, 71, 69, 67, 66, 64, 62, 62)


def midi_file(path: Path, *, bpm: float = 120, pitches: tuple[int, ...] = A_MINOR, key: str | None = "Am",
              program: int = 0, channel: int = 0, second_bpm: float | None = None) -> Path:
    """A file of one track in quarter notes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file, track = MidiFile(ticks_per_beat=480), MidiTrack()
    file.tracks.append(track)
    track.append(MetaMessage("set_tempo", tempo=bpm2tempo(bpm)))
    if key is not None:
        track.append(MetaMessage("key_signature", key=key))
    track.append(Message("program_change", program=program, channel=channel))
    for number, pitch in enumerate(pitches):
        if second_bpm is not None and number == len(pitches) // 2:
            track.append(MetaMessage("set_tempo", tempo=bpm2tempo(second_bpm)))
        track.append(Message("note_on", note=pitch, velocity=80, time=0, channel=channel))
        track.append(Message("note_off", note=pitch, velocity=0, time=480, channel=channel))
    file.save(path)
    return path


def sample_file(path: Path, *, seconds: float = 0.5, rate: int = 8000, channels: int = 1) -> Path:
    """A silent WAV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(bytes(2 * channels * round(seconds * rate)))
    return path


def a_collection(root: Path) -> Mapping[str, Path]:
    """A small library with something of everything, also of what is broken."""
    broken = root / "Old" / "broken.mid"
    files = {
        "riff": midi_file(root / "Bass" / "Night riff.mid", bpm=96, program=33),
        "lead": midi_file(root / "Leads" / "Bright lead.mid", bpm=128, pitches=D_MAJOR, key="D"),
        "beat": midi_file(root / "Drums" / "Slow beat.mid", bpm=80, pitches=(36, 42, 38, 42) * 4, key=None, channel=9),
        "kick": sample_file(root / "Drums" / "Kick_loop_120bpm_F#min.wav", channels=2),
        "rain": sample_file(root / "Noises" / "rain.wav", seconds=1),
        "broken": broken,
    }
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"MThd\0\0\0\6")
    return files
