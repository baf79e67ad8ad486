"""Songs and a palette for the tests of MIDI files."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, NoteId, SectionId, TrackId
from agent.song.key import Key
from agent.song.palette import Instrument, Palette
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks, distinct_meters, distinct_tempos
from agent.song.track import Automation, Point, Track

BAR = 3840
PALETTE = Palette(
    instruments=(
        *(Instrument(f"gm_{program}", "keys", f"Sound {program}", program) for program in range(0, 128, 2)),
        Instrument("gs_8", "keys", "Other bank", 4, 8),
        Instrument("kit", "drums", "Kit", 0, 128),
        Instrument("kit_brushes", "drums", "Brushes", 40, 128),
    )
)
Heard = tuple[str, int, int, int, int]
"""Instrument, start, pitch, duration, velocity in song time."""


def heard(song: Song) -> list[Heard]:
    """Every note with what plays it, sorted."""
    return sorted(
        (track.instrument, clip.start + note.start, note.pitch, note.duration, note.velocity)
        for track, clip in song.clips()
        for note in clip.notes
    )


def track(
    ordinal: int, instrument: str, notes: Iterable[tuple[int, int, int, int]], start: int = 0, **fields: object
) -> Track:
    """A track with one clip; notes as (start, pitch, duration, velocity) in ticks."""
    made = [
        Note(NoteId(f"n{ordinal}-{i}"), pitch, Ticks(at), Ticks(length), velocity)
        for i, (at, pitch, length, velocity) in enumerate(notes)
    ]
    end = max((note.end for note in made), default=1)
    clip = Clip(
        ClipId(f"c{ordinal}"), "clip", Ticks(start), Ticks(-(-(start + end) // BAR) * BAR - start), in_order(made)
    )
    return Track(TrackId(f"t{ordinal}"), f"Track {ordinal}", instrument, clips=(clip,), **fields)  # type: ignore[arg-type]


def rich_song() -> Song:
    """A song with one of everything that MIDI can hold."""
    lead = [(i * 960, 60 + i % 12, 720, 50 + i) for i in range(32)]
    beat = [(i * 480, 36 if i % 2 else 42, 120, 60 + i % 40) for i in range(64)]
    return Song(
        name="Fjord – 夜",
        tempos=(TempoChange(Ticks(0), 93.5), TempoChange(Ticks(4 * BAR), 120.0)),
        meters=(MeterChange(Ticks(0), 4, 4), MeterChange(Ticks(4 * BAR), 7, 8)),
        key=Key("D", "dorian"),
        sections=(
            Section(SectionId("s1"), "Intro", Ticks(0), Ticks(4 * BAR)),
            Section(SectionId("s2"), "Strophe ä", Ticks(4 * BAR), Ticks(5 * 3360)),
        ),
        tracks=(
            track(
                1, "gm_4", lead, volume_db=-7.3, pan=-0.4,
                automation=(
                    Automation("pedal", (Point(Ticks(0), 127.0), Point(Ticks(1920), 0.0)), "hold"),
                    Automation("bend", (Point(Ticks(960), 2.0), Point(Ticks(1920), -12.0)), "hold"),
                    Automation("expression", (Point(Ticks(0), 90.0), Point(Ticks(3840), 20.0)), "hold"),
                    Automation("modulation", (Point(Ticks(0), 0.0), Point(Ticks(3840), 64.0)), "linear"),
                    Automation("volume_db", (Point(Ticks(3840), -20.0),), "hold"),
                ),
            ),
            track(2, "gs_8", [(0, 40, BAR, 99)], start=BAR, volume_db=-20.0, pan=1.0),
            track(3, "kit_brushes", beat, volume_db=-3.0),
            track(4, "gm_8", [(0, 70, 10, 1)], mute=True),
        ),
    )  # fmt: skip


def _line(rows: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Rows (gap, pitch, duration, velocity) as notes of which none of a pitch overlap."""
    free: dict[int, int] = {}
    line = []
    for gap, pitch, duration, velocity in rows:
        at = free.get(pitch, 0) + gap
        line.append((at, pitch, duration, velocity))
        free[pitch] = at + duration
    return line


_rows = st.lists(
    st.tuples(st.integers(0, 4000), st.integers(0, 127), st.integers(1, 9000), st.integers(1, 127)),
    min_size=1,
    max_size=12,
)


@st.composite
def songs(draw: st.DrawFn) -> Song:
    """Songs with up to 20 tracks, tempo and meter changes."""
    names = [instrument.name for instrument in PALETTE.instruments]
    count = draw(st.integers(1, 20))
    tracks = [
        track(
            i, draw(st.sampled_from(names)), _line(draw(_rows)), draw(st.integers(0, 20000)),
            volume_db=draw(st.floats(-35, 0)), pan=draw(st.floats(-1, 1)),
        )
        for i in range(count)
    ]  # fmt: skip
    bpms = st.floats(4, 999).map(lambda bpm: round(bpm, 1))
    tempos = draw(st.dictionaries(st.integers(1, 50), bpms, max_size=4))
    meters = draw(
        st.dictionaries(st.integers(1, 50), st.tuples(st.integers(1, 32), st.sampled_from([2, 4, 8])), max_size=3)
    )
    return Song(
        name=draw(st.text("abc äß夜", min_size=1).map(str.strip).filter(bool)),
        tempos=distinct_tempos(
            (TempoChange(Ticks(0), draw(bpms)), *(TempoChange(Ticks(at * 960), tempos[at]) for at in sorted(tempos)))
        ),
        meters=distinct_meters(
            (MeterChange(Ticks(0)), *(MeterChange(Ticks(at * 960), *meters[at]) for at in sorted(meters)))
        ),
        key=Key(draw(st.sampled_from(["C", "F#", "Bb"])), draw(st.sampled_from(["major", "minor", "lydian"]))),
        tracks=tuple(tracks),
    )
