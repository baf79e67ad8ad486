"""What differs between two versions, in words a musician uses."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, EffectId, NoteId, SectionId, TrackId
from agent.song.key import Key
from agent.song.palette import EffectKind, Instrument, Palette, Parameter
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks
from agent.song.track import Automation, Effect, Point, Track
from app.viewmodels.history.comparing import as_text, compared, counts_in_words, headline
from app.viewmodels.history.difference import Counts

BAR = 3840
PALETTE = Palette(
    (Instrument("pad_warm", "pad", "Warm pad", 0), Instrument("keys_tine", "keys", "Tine keys", 1)),
    (EffectKind("reverb", "Reverb", "", (Parameter("mix", "mix", 0, 1, 0.25), Parameter("decay", "s", 0, 9, 2))),
     EffectKind("lowpass", "Low pass", "", (Parameter("cutoff", "Hz", 20, 20000, 8000),))),
)


def clip(name: str = "Verse", start: int = 0, bars: int = 1) -> Clip:
    notes = (Note(NoteId("n1"), 60, Ticks(0), Ticks(960), 90),)
    return Clip(ClipId("c1"), name, Ticks(start), Ticks(bars * BAR), notes)


PAD = Track(TrackId("t1"), "Pad", "pad_warm", volume_db=-7.5, clips=(clip(),))
REVERB = Effect(EffectId("e1"), "reverb", (("decay", 2.0), ("mix", 0.2)))


def lines(before: Track, after: Track) -> list[str]:
    found = compared(Song(tracks=(before,)), Song(tracks=(after,)), PALETTE)
    return [line.text for one in found.tracks for line in one.lines]


@pytest.mark.parametrize(("before", "after", "said"), [
    (PAD, replace(PAD, volume_db=-9.0), "Volume: −7.5 → −9.0 dB"),
    (PAD, replace(PAD, pan=-0.3), "Pan: centre → 30% left"),
    (PAD, replace(PAD, mute=True), "Mute: off → on"),
    (PAD, replace(PAD, name="Air"), "Name: Pad → Air"),
    (PAD, replace(PAD, instrument="keys_tine"), "Instrument: Warm pad → Tine keys"),
    (PAD, replace(PAD, effects=(REVERB,)), "Reverb: added: decay 2 s, mix 20%"),
    (replace(PAD, effects=(REVERB,)), PAD, "Reverb: removed"),
    (replace(PAD, effects=(REVERB,)), replace(PAD, effects=(replace(REVERB, enabled=False),)), "Reverb: on → off"),
    (replace(PAD, effects=(REVERB,)), replace(PAD, effects=(replace(REVERB, params=(("decay", 4.5),)),)),
     "Reverb, decay: 2 s → 4.5 s"),
    (replace(PAD, effects=(REVERB,)), replace(PAD, effects=(replace(REVERB, params=(("decay", 2.0),)),)),
     "Reverb, mix: 20% → 25%"),
    (PAD, replace(PAD, clips=(clip(start=BAR),)), "Clip “Verse”: bar 1 → bar 2"),
    (PAD, replace(PAD, clips=(clip(start=960),)), "Clip “Verse”: bar 1 → bar 1, beat 2"),
    (PAD, replace(PAD, clips=(clip(bars=2),)), "Clip “Verse”, length: 4 beats → 8 beats"),
    (PAD, replace(PAD, clips=(clip("Chorus"),)), "Clip “Verse”: Verse → Chorus"),
    (PAD, replace(PAD, clips=()), "Clip “Verse”: removed"),
])
def test_a_track_in_words(before: Track, after: Track, said: str) -> None:
    assert said in lines(before, after)


def test_places_count_the_beats_of_the_meter() -> None:
    meters = (MeterChange(Ticks(0), 6, 8),)
    later = replace(PAD, clips=(clip(start=2880 + 4 * 480),))
    found = compared(Song(tracks=(PAD,), meters=meters), Song(tracks=(later,), meters=meters), PALETTE)
    assert [line.text for one in found.tracks for line in one.lines] == ["Clip “Verse”: bar 1 → bar 2, beat 5"]


def curve(*points: tuple[int, float], target: str = "volume_db") -> Automation:
    return Automation(target, tuple(Point(Ticks(at), value) for at, value in points))


@pytest.mark.parametrize(("before", "after", "said"), [
    ((), (curve((0, -3.0), (960, 0.0)),), "Volume curve: added, 2 points"),
    ((curve((0, -3.0)),), (), "Volume curve: removed"),
    ((curve((0, -3.0), (960, 0.0)),), (curve((0, -3.0), (1920, 0.0)),), "Volume curve: 1 point moved"),
    ((curve((0, -3.0)),), (curve((0, -3.0), (960, 0.0), (1920, 1.0)),), "Volume curve: 2 points added"),
    ((curve((0, 0.1), target="e1.mix"),), (curve((0, 0.3), target="e1.mix"),), "Reverb mix curve: 1 point moved"),
])
def test_curves_in_words(before: tuple[Automation, ...], after: tuple[Automation, ...], said: str) -> None:
    with_reverb = replace(PAD, effects=(REVERB,))
    assert lines(replace(with_reverb, automation=before), replace(with_reverb, automation=after)) == [said]


def test_the_song_around_the_tracks_in_words() -> None:
    a = Song(sections=(Section(SectionId("s1"), "Verse", Ticks(0), Ticks(4 * BAR)),))
    b = replace(
        a, tempos=(TempoChange(Ticks(0), 62.0),), meters=(MeterChange(Ticks(0), 3, 4),), key=Key("D", "minor"),
        sections=(replace(a.sections[0], duration=Ticks(8 * BAR), name="Long verse"),), loudness_target=-18.0,
        master_effects=(REVERB,),
    )
    assert [line.text for line in compared(a, b, PALETTE).song] == [
        "Tempo: 120 BPM → 62 BPM", "Meter: 4/4 → 3/4", "Key: C major → D minor",
        "Section “Long verse”: Verse → Long verse", "Section “Long verse”: bars 1–4 → bars 1–11",
        "Whole song, Reverb: added: decay 2 s, mix 20%", "Loudness: −14 → −18 LUFS",
    ]


def test_tempo_that_changes_on_the_way() -> None:
    a = Song(tempos=(TempoChange(Ticks(0), 120.0), TempoChange(Ticks(BAR), 90.0)))
    b = Song(tempos=(TempoChange(Ticks(0), 120.0), TempoChange(Ticks(2 * BAR), 90.0)))
    assert [line.text for line in compared(a, b, PALETTE).song] == [
        "Tempo, bar 2: 90 BPM → no change", "Tempo, bar 3: no change → 90 BPM"
    ]


def test_all_of_it_as_text() -> None:
    other = Track(TrackId("t2"), "Bass", "pad_warm")
    a, b = Song(tracks=(PAD, other)), Song(tracks=(replace(PAD, volume_db=-9.0, clips=()),))
    found = compared(a, b, PALETTE)
    text = as_text(found, "Iteration 1", "Iteration 2")
    assert text.startswith("A: Iteration 1\nB: Iteration 2\n2 tracks differ\nNotes: 1 removed")
    assert "Pad (changed)\nNotes: 1 removed\n  Volume: −7.5 → −9.0 dB" in text
    assert "Bass (removed)" in text
    assert headline(compared(a, a, PALETTE)) == "Both iterations are the same"
    assert counts_in_words(Counts(same=3)) == "No notes differ"


def test_what_is_walked_through_begins_with_the_song() -> None:
    a = Song(tracks=(PAD,))
    b = Song(tempos=(TempoChange(Ticks(0), 62.0),), tracks=(replace(PAD, volume_db=-9.0, clips=()),))
    found = compared(a, b, PALETTE)
    assert [(one.track, one.line, one.mark) for one in found.changes] == [
        (None, 0, None), ("t1", 0, None), ("t1", 1, None), ("t1", None, 0)
    ]
