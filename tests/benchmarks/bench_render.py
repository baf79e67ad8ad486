"""Dry render of a song (3 min, 16 tracks, 7,000 notes) against the `fluidsynth` program, in one run.

Both read the same notes and SoundFont and start as new processes with nothing cached.
"""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import mido

from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import PPQ, Ticks
from agent.song.track import Track
from app.paths import find_paths
from app.services.library_files import read_palette
from app.sound.audio_files import write_audio
from app.sound.renderer import Renderer
from app.sound.soundfont import SoundFont, find_soundfont

_BARS, _CLIP_BARS, _NOTES = 90, 6, 7008
_ROUNDS = 2
_INSTRUMENTS = (
    "piano_grand", "keys_tine", "organ_drawbar", "guitar_nylon", "guitar_clean", "bass_finger",
    "strings_ensemble", "choir_aahs", "brass_section", "woodwind_flute", "lead_saw", "pad_warm",
    "pluck_koto", "keys_vibraphone", "strings_cello", "kit_standard",
)  # fmt: skip


def main() -> None:
    """Print wall seconds and their ratio to the program's."""
    palette, soundfont = read_palette(find_paths().resources), find_soundfont()
    song = big_song(palette)
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write_midi(song, palette, root / "song.mid")
        rounds = list(_rounds(song, palette, soundfont, root))
        program, dry, cold = (min(times) for times in zip(*rounds, strict=True))
        with Renderer(root / "warm", soundfont, palette) as renderer:
            renderer.mix_down(song)
            warm = _wall(lambda: renderer.render(song))
            rendering = renderer.render(song)
        written = _wall(lambda: write_audio(root / "song.wav", rendering.mix))
    rows = (
        ("fluidsynth -ni -R 0 -C 0 -F -r 48000", program),
        ("dry mix and WAV, nothing cached", dry),
        ("brought to the target, nothing cached", cold),
        ("the same with a full cache", warm),
        ("24 bit WAV", written),
    )
    print(f"{song.note_count} notes, {len(song.tracks)} tracks, {rendering.duration:.0f} s")
    for name, seconds in rows:
        print(f"{name:48} {seconds:7.2f} s   {seconds / program:5.2f} x the program")


def _rounds(
    song: Song, palette: Palette, soundfont: SoundFont, root: Path
) -> Iterator[tuple[float, float, float]]:
    """The program, the dry mix, the whole render; in turn, so that a busy machine is unfair to none."""
    for _ in range(_ROUNDS):
        program = _wall(lambda: _program(soundfont, root))
        with TemporaryDirectory() as cache, Renderer(Path(cache), soundfont, palette) as renderer:
            dry = _wall(lambda: write_audio(root / "dry.wav", renderer.mix_down(song).mix.T))
        with TemporaryDirectory() as cache, Renderer(Path(cache), soundfont, palette) as renderer:
            cold = _wall(lambda: renderer.render(song))
        yield program, dry, cold


def _program(soundfont: SoundFont, root: Path) -> None:
    options = ["-ni", "-q", "-R", "0", "-C", "0", "-r", "48000", "-F", str(root / "program.wav")]
    command = ["fluidsynth", *options, str(soundfont.path), str(root / "song.mid")]
    subprocess.run(command, check=True, capture_output=True)


def _wall(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def big_song(palette: Palette) -> Song:
    """Three minutes at 120 BPM; no two clips are equal, so that no cache helps."""
    dice = random.Random(1)
    tracks = []
    for index, name in enumerate(_INSTRUMENTS):
        instrument = palette.instrument(name)
        low = 36 if instrument.is_kit else instrument.low
        high = min(instrument.high, low + (16 if instrument.is_kit else 36))
        clips = []
        for number in range(_BARS // _CLIP_BARS):
            notes = []
            for step in range(_NOTES // len(_INSTRUMENTS) // (_BARS // _CLIP_BARS) + 1):
                start = step * _CLIP_BARS * 4 * PPQ // 30
                wanted = dice.choice((PPQ // 2, PPQ, 2 * PPQ))
                pitch, velocity = dice.randint(low, high), dice.randint(50, 110)
                duration = Ticks(min(wanted, _CLIP_BARS * 4 * PPQ - start))
                notes.append(Note(NoteId(f"n{number}_{step}"), pitch, Ticks(start), duration, velocity))
            start = Ticks(number * _CLIP_BARS * 4 * PPQ)
            length = Ticks(_CLIP_BARS * 4 * PPQ)
            clips.append(Clip(ClipId(f"c{index}_{number}"), "", start, length, in_order(notes)))
        tracks.append(Track(TrackId(f"t{index}"), name, name, clips=tuple(clips)))
    return Song(tracks=tuple(tracks))


def write_midi(song: Song, palette: Palette, path: Path) -> None:
    """The same notes for the program: type 1, 960 ticks to a quarter."""
    file = mido.MidiFile(type=1, ticks_per_beat=PPQ)
    channels = [channel for channel in range(16) if channel != 9]
    for track in song.tracks:
        instrument = palette.instrument(track.instrument)
        channel = 9 if instrument.is_kit else channels.pop(0)
        events = [(0, 0, mido.Message("program_change", channel=channel, program=instrument.program))]
        for clip in track.clips:
            for note in clip.notes:
                at = clip.start + note.start
                on = mido.Message("note_on", channel=channel, note=note.pitch, velocity=note.velocity)
                off = mido.Message("note_off", channel=channel, note=note.pitch)
                events += [(at, 2, on), (at + note.duration, 1, off)]
        row, now = mido.MidiTrack(), 0
        for at, _, message in sorted(events, key=lambda event: event[:2]):
            row.append(message.copy(time=at - now))
            now = at
        file.tracks.append(row)
    file.save(path)


if __name__ == "__main__":
    main()
