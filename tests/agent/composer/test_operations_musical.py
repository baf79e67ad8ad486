"""What a producer means by darker, shorter, half-time and a variation."""

from __future__ import annotations

import pytest

from agent.composer.changing.hearing.listening import hear, sections_heard
from agent.song.song import Song
from agent.theory.chords import chord_symbol
from agent.theory.gate import findings
from agent.theory.melody import melody_line, melody_track, similarity


@pytest.fixture(scope="module")
def pop(bench) -> Song:
    return bench.compose("a catchy pop song in G major at 104 bpm, 40 bars, with piano and strings", 3)


def chords(bench, song: Song) -> list[str]:
    heard = hear(song, bench.palette, song.tempos[0].bpm)
    return [chord_symbol(span.chord, heard.key) for span in heard.chords]


def test_darker_borrows_from_minor_and_keeps_the_tune_in_front(bench, pop):
    darker = bench.song(bench.draft("make it darker", pop), pop)
    assert not any(name.startswith("Cm") for name in chords(bench, pop))
    assert any(name.startswith("Cm") for name in chords(bench, darker))
    assert findings(darker, bench.palette) == ()
    singing = melody_track(pop, bench.palette)
    lead, bass = (next(t for t in darker.tracks if one in (t.id, t.name)) for one in (singing, "Bass"))
    cutoffs = [dict(e.params)["cutoff"] for t in (lead, bass) for e in t.effects if e.name == "lowpass"]
    assert cutoffs[0] >= 2 * cutoffs[1]


def test_a_darker_song_is_hardly_softer(bench, pop):
    darker = bench.song(bench.draft("make it darker", pop), pop)
    for before, after in zip(pop.tracks, darker.tracks, strict=True):
        old, new = ([n.velocity for clip in t.clips for n in clip.notes] for t in (before, after))
        assert sum(new) / len(new) >= 0.8 * sum(old) / len(old)


def test_a_shorter_song_keeps_one_section_of_each_kind(bench):
    house = bench.compose("a deep house groove in F minor, 122 bpm, 2 minutes, dark mood", 5)
    shorter = bench.song(bench.draft("make it shorter", house), house)
    assert shorter.bars < house.bars
    kinds = [{s.name.split()[0] for s in sections_heard(song, bench.palette)} for song in (house, shorter)]
    assert kinds[0] == kinds[1]


def test_half_time_keeps_the_one_and_the_fill_of_the_snare(bench):
    rock = bench.compose("a rock track in E minor, 140 bpm, intro, verse, chorus, verse, chorus, outro", 2)
    half = bench.song(bench.draft("half-time drums in the second verse", rock), rock)
    verse = next(s for s in rock.sections if s.name == "Verse 2")
    drums = next(t for t in half.tracks if t.name == "Drums")
    notes = [(c.start + n.start, n.pitch) for c in drums.clips for n in c.notes]
    for bar in range(rock.bar_map.bar_at(verse.start), rock.bar_map.bar_at(verse.end - 1) + 1):
        start = rock.bar_map.start_of(bar)
        assert any(abs(at - start) <= 120 and pitch == 36 for at, pitch in notes), bar


def test_a_variation_is_heard_as_one(bench, pop):
    varied = bench.song(bench.draft("vary the second verse", pop), pop)
    verse = next(s for s in pop.sections if s.name == "Verse 2")
    singer = melody_track(pop, bench.palette)
    old, new = (
        [n for n in melody_line(song, {singer}) if verse.start <= n.start < verse.end] for song in (pop, varied)
    )
    assert 0.5 <= similarity(old, new) <= 0.92
