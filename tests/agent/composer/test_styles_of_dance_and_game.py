"""Seven styles by their signature: drone, deep house, trance, dubstep, pop ballad, chiptune and waltz."""

from __future__ import annotations

from itertools import pairwise

import pytest
from style_parts import track_of

from agent.song.key import Key
from agent.song.song import Section, Song
from agent.theory.gate import findings
from agent.theory.sounding import kit_tracks, percussive_tracks

STYLES = ("drone", "deep house", "trance", "dubstep", "pop ballad", "chiptune", "waltz")
TEMPI = {
    "drone": (50, 66), "deep house": (118, 124), "trance": (134, 140), "dubstep": (138, 144),
    "pop ballad": (62, 78), "chiptune": (132, 168), "waltz": (92, 176),
}
SEEDS = (1, 2, 3, 4, 5)
SIXTEENTH, BEAT = 240, 960
KICK, SNARE, CLAP, OPEN = 36, 38, 39, 46
Hit = tuple[int, int, int]
"""Bar, tick within the bar, pitch."""


def bar_of(song: Song) -> int:
    return song.meters[0].beats * BEAT


def hits(song: Song, *names: str, section: Section | None = None) -> list[Hit]:
    """Notes of the tracks of those parts, without the song's last bar."""
    bar, found = bar_of(song), []
    playing = [track_of(song, name) for name in names]
    for track in song.tracks:
        for clip in track.clips if track in playing else ():
            for note in clip.notes:
                # a player may be a little early: what is meant is the nearest sixteenth
                at = round((clip.start + note.start) / SIXTEENTH) * SIXTEENTH
                inside = section is None or section.start <= at < section.end - bar
                if inside and at < song.sections[-1].end - bar:
                    found.append((at // bar, at % bar, note.pitch))
    return found


def plain(song: Song) -> list[Section]:
    """Sections in which drums play their groove: neither a roll nor a rest."""
    grooving = [section for section in song.sections if not section.name.startswith("Build")]
    return [section for section in grooving if len(hits(song, "Drums", "Noise", section=section)) > 8]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", SEEDS)
def test_it_passes_the_gate_at_its_own_tempo(bench, style, seed):
    draft = bench.draft(f"a {style} song", seed=seed)
    judged = bench.review(draft, bench.nothing)
    assert judged.plan.lint == ()
    song = judged.preview.song
    assert findings(song, bench.palette) == ()
    assert TEMPI[style][0] <= song.tempos[0].bpm <= TEMPI[style][1]
    assert all(step.title and step.group and step.why for step in draft.steps)
    assert {song.bar_map.count(track.end) for track in song.tracks} == {song.bars}


@pytest.mark.parametrize("style", STYLES)
def test_stated_figures_bind(bench, style):
    song = bench.compose(f"a {style} song at 97 bpm in C minor, 24 bars, no bass")
    assert song.tempos[0].bpm == 97
    assert song.key == Key("C", "minor")
    assert song.bars == 24
    assert not any(track_of(song, name) for name in ("Bass", "Sub", "Wobble", "Offbeat bass", "Triangle", "Depth"))
    assert findings(song, bench.palette) == ()


@pytest.mark.parametrize("style", STYLES)
def test_a_style_has_more_than_one_form_and_many_tunes(bench, style):
    songs = [bench.compose(f"a {style} song", seed) for seed in range(8)]
    assert len({tuple(section.name for section in song.sections) for song in songs}) >= 6
    assert len({tuple(note.pitch for clip in song.tracks[-1].clips for note in clip.notes) for song in songs}) >= 5


@pytest.mark.parametrize("seed", SEEDS)
def test_dubstep_has_its_snare_on_three_alone(bench, seed):
    song = bench.compose("a dubstep song", seed)
    for section in plain(song):
        drums = hits(song, "Drums", section=section)
        bars = {bar for bar, _, _ in drums}
        assert {at for _, at, pitch in drums if pitch == SNARE} == {2 * BEAT}, section.name
        assert {bar for bar, _, pitch in drums if pitch == SNARE} == bars
    drop = next(section for section in song.sections if section.name.startswith("Drop"))
    wobble = sorted(bar * 4 * BEAT + at for bar, at, _ in hits(song, "Wobble", section=drop))
    assert len({later - earlier for earlier, later in pairwise(wobble)}) >= 3
    assert len(wobble) >= 7 * 15


@pytest.mark.parametrize("seed", SEEDS)
def test_trance_plays_its_bass_off_the_beat_and_rolls_into_the_climax(bench, seed):
    song = bench.compose("a trance song", seed)
    for section in plain(song):
        assert {at % BEAT for _, at, pitch in hits(song, "Drums", section=section) if pitch == KICK} == {0}
    bass = hits(song, "Offbeat bass")
    assert bass
    assert {at % BEAT for _, at, _ in bass} == {BEAT // 2}
    assert 0 not in {at % BEAT for _, at, _ in hits(song, "Rolling bass")}
    build = next(section for section in song.sections if section.name.startswith("Build"))
    first, last = build.start // 3840, build.end // 3840 - 1
    snares = [bar for bar, _, pitch in hits(song, "Drums") if pitch == SNARE]
    assert snares.count(last) == 16
    assert snares.count(first) <= (2 if last - first >= 7 else 4)
    silent = next(section for section in song.sections if section.name.startswith("Break"))
    assert not hits(song, "Drums", "Offbeat bass", section=silent)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_roll_ends_with_its_section_however_short(bench, seed):
    song = bench.compose("a trance song, 24 bars", seed)
    for build in (section for section in song.sections if section.name.startswith("Build")):
        snares = [bar for bar, _, pitch in hits(song, "Drums") if pitch == SNARE]
        assert snares.count(build.end // 3840 - 1) == 16


@pytest.mark.parametrize("seed", SEEDS)
def test_deep_house_has_offbeat_hats_and_claps_that_shuffle(bench, seed):
    song = bench.compose("a deep house song", seed)
    for section in plain(song):
        drums = hits(song, "Drums", section=section)
        assert {at for _, at, pitch in drums if pitch == KICK} >= {0, BEAT, 2 * BEAT, 3 * BEAT}
        assert {at % BEAT for _, at, pitch in drums if pitch == OPEN} <= {BEAT // 2}
        assert SNARE not in {pitch for _, _, pitch in drums}
    busiest = next(section for section in reversed(plain(song)) if section.name.startswith("Drop"))
    claps = {at for _, at, pitch in hits(song, "Drums", section=busiest) if pitch == CLAP}
    assert {BEAT, 3 * BEAT} < claps
    late = [
        (clip.start + note.start) % SIXTEENTH
        for track in song.tracks if track.name == "Drums"
        for clip in track.clips for note in clip.notes
        if round((clip.start + note.start) / SIXTEENTH - 0.2) % 2
    ]
    assert sum(25 < delay < 75 for delay in late) >= 0.9 * len(late)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_waltz_goes_oom_pah_pah(bench, seed):
    song = bench.compose("a waltz", seed)
    assert (song.meters[0].beats, song.meters[0].unit) == (3, 4)
    # the two chords of the last cadence may share a bar
    assert {at for bar, at, _ in hits(song, "Bass") if bar < song.bars - 2} == {0}
    assert {at for _, at, _ in hits(song, "Pah-pah")} == {BEAT, 2 * BEAT}
    drums = hits(song, "Drums", section=next(s for s in song.sections if s.name in ("B", "A again")))
    assert {at for _, at, pitch in drums if pitch == KICK} == {0}
    assert {at for _, at, pitch in drums if pitch == SNARE} >= {BEAT, 2 * BEAT}


@pytest.mark.parametrize("seed", SEEDS)
def test_chiptune_races_through_its_chords_on_the_grid(bench, seed):
    song = bench.compose("an 8-bit song", seed)
    starts = [clip.start + note.start for track in song.tracks for clip in track.clips for note in clip.notes]
    assert all(start % SIXTEENTH == 0 for start in starts)
    loudest = [section for section in song.sections if section.name.startswith("Chorus")][-1]
    arp = hits(song, "Chip arp", section=loudest)
    assert len(arp) >= 11 * len({bar for bar, _, _ in arp})
    assert len({(bar, at) for bar, at, _ in arp}) == len(arp)
    assert {track.instrument for track in song.tracks} <= {
        "lead_square", "lead_saw", "lead_calliope", "bass_synth", "kit_electronic", "kit_tr808",
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ballad_begins_with_the_piano_and_keeps_its_drums_waiting(bench, seed):
    song = bench.compose("a pop ballad", seed)
    first = {track.name for track in song.tracks if track.clips[0].start == 0}
    assert {"Piano", "Left hand"} <= first
    assert "Drums" not in first
    (drums,) = (track for track in song.tracks if track.name == "Drums")
    waiting = [next(one for one in song.sections if one.name.startswith(kind)) for kind in ("Verse", "Chorus")]
    assert all(drums.clips[0].start >= section.end for section in waiting)
    last = song.sections[-1]
    assert last.name.startswith("Chorus") or not hits(song, "Drums", section=last)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_drone_keeps_one_ground_tone_and_no_beat(bench, seed):
    song = bench.compose("a drone song", seed)
    assert not percussive_tracks(song, bench.palette) | kit_tracks(song, bench.palette)
    tonic = song.key.pitch_class
    depth = track_of(song, "Depth")
    assert {note.pitch % 12 for clip in depth.clips for note in clip.notes} == {tonic}
    ground = track_of(song, "Ground")
    held = [(clip.start + n.start, n.duration) for clip in ground.clips for n in clip.notes if n.pitch % 12 == tonic]
    begin = min(start for start, _ in held)
    assert sum(length for _, length in held) >= 0.95 * (ground.end - begin)
    notes = sum(track.note_count for track in song.tracks)
    assert notes <= 8 * song.bars


@pytest.mark.parametrize(
    ("words", "style", "meter"),
    [
        ("a waltz", "waltz", (3, 4)), ("a jazz waltz", "jazz", (3, 4)), ("a deep house track", "deep_house", None),
        ("a house track", "house", None), ("a drone", "drone", None), ("8-bit music", "chiptune", None),
        ("a pop ballad", "pop_ballad", None), ("uplifting trance", "trance", None), ("ambient", "ambient", None),
    ],
)
def test_words_name_the_style(bench, words, style, meter):
    label = bench.styles.style(style).label
    draft = bench.draft(words)
    assert f"style: {label}" in draft.understood
    assert meter is None or f"meter: {meter[0]}/{meter[1]}" in draft.understood


def test_a_drone_that_is_kept_is_what_holds_the_song(bench):
    song = bench.compose("a drone song", 1)
    kept = bench.draft("keep the drone and add a piano", song)
    assert "kept as it is: pad" in kept.understood
