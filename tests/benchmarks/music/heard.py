"""Words that bind, held against a MIDI file whoever wrote it: in doubt for the file."""

from __future__ import annotations

from msgspec.structs import replace

from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.playing import plays_drums
from agent.theory.sounding import kit_tracks, pitched, sounding
from agent.theory.tonality import scale_classes
from tests.benchmarks.music.checks import BarCount, Bpm, Check, InKey, InMeter, Lasts
from tests.benchmarks.music.judging import band_failure

_IN_KEY = 0.9


def unmet(check: Check, song: Song, palette: Palette) -> str:
    """Why the file does not do what the word asks; empty when it does.

    A drum part on a melodic channel counts as drums; a key holds when nine tenths of the notes are in it (both
    sixths and sevenths in minor), whatever the file states; lengths may be told by the last clip or the last note.
    """
    song = _with_drums(song, palette)
    notes = sounding(song)
    match check:
        case Bpm(value):
            found = {round(change.bpm, 2) for change in song.tempos}
            return "" if all(abs(bpm - value) <= 0.05 for bpm in found) else f"{sorted(found)} BPM, not {value:g}"
        case InKey(tonic, mode):
            home = scale_classes(Key(tonic, mode))
            tones = pitched(song, kit_tracks(song, palette))
            share = sum(note.pitch % 12 in home for note in tones) / max(1, len(tones))
            return "" if tones and round(share, 2) >= _IN_KEY else f"{share:.0%} of the notes in {tonic} {mode}"
        case InMeter(beats, unit):
            meter = song.meters[0]
            fits = (meter.beats, meter.unit) == (beats, unit)
            return "" if fits else f"{meter.beats}/{meter.unit}, not {beats}/{unit}"
        case BarCount(value):
            told = {song.bars, song.bar_map.bar_at(max(note.start for note in notes))}
            return "" if value in told else f"{song.bars} bars, not {value}"
        case Lasts(seconds):
            ends = [song.end, max(note.end for note in notes)]
            lengths = [song.tempo_map.seconds(end) for end in ends]
            fits = any(abs(length - seconds) <= 0.05 * seconds for length in lengths)
            return "" if fits else f"{lengths[0]:.0f} s, not {seconds:g}"
    return band_failure(check, song, palette)


def _with_drums(song: Song, palette: Palette) -> Song:
    kits = kit_tracks(song, palette)
    kit = next(one.name for one in palette.instruments if one.is_kit)
    return replace(
        song,
        tracks=tuple(
            replace(track, instrument=kit) if track.id not in kits and plays_drums(track) else track
            for track in song.tracks
        ),
    )
