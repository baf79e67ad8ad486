"""New pieces: sound, bound to the words, repeatable and different."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest

from agent.composer.writing import new_piece
from agent.plan.errors import PlanError
from agent.plan.planning import ClarifyingQuestion, DraftReady, Revision, StepProposed
from agent.song.key import Key
from agent.song.song import Song
from agent.theory.gate import findings
from agent.theory.melody import melody_line, melody_track
from agent.theory.sounding import family_tracks, kit_tracks, percussive_tracks, sounding

STYLES = (
    "ambient", "cinematic", "drum and bass", "house", "jazz", "lofi", "lullaby", "neoclassical", "pop", "synthwave",
    "techno", "trap",
)


def families(song: Song, bench) -> set[str]:
    known = {instrument.name: instrument.family for instrument in bench.palette.instruments}
    return {known[track.instrument] for track in song.tracks}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_style_passes_the_gate(bench, style, seed):
    draft = bench.draft(f"compose a {style} piece", seed=seed)
    judged = bench.review(draft, bench.nothing)
    assert judged.plan.lint == ()
    song = judged.preview.song
    assert findings(song, bench.palette) == ()
    assert 15 <= len(draft.steps) <= 70
    assert all(step.title and step.group and step.why for step in draft.steps)
    assert {song.bar_map.count(track.end) for track in song.tracks} == {song.bars}
    assert all(step.inputs.get("start_time", 0) >= 0 for step in draft.steps)


@pytest.mark.parametrize("style", STYLES)
def test_sections_differ(bench, style):
    song = bench.compose(f"compose a {style} piece", seed=2)
    pictures = []
    for section in song.sections:
        notes = [n for n in sounding(song) if section.start <= n.start < section.end]
        pictures.append((frozenset(n.track for n in notes), len(notes) * 960 / section.duration))
    different = sum(
        a[0] != b[0] or abs(a[1] - b[1]) > 0.2 * max(a[1], b[1])
        for a, b in pairwise(pictures)
    )
    assert different >= 1


@pytest.mark.parametrize("style", STYLES)
def test_the_tune_does_not_jump_and_hands_vary(bench, style):
    song = bench.compose(f"compose a {style} piece", seed=3)
    singer = melody_track(song, bench.palette)
    line = melody_line(song, {singer})
    jumps = [abs(b.pitch - a.pitch) > 12 for a, b in pairwise(line)]
    assert sum(jumps) <= 0.05 * len(jumps)
    kits = kit_tracks(song, bench.palette)
    for track in song.tracks:
        if track.id not in kits and track.note_count >= 24:
            assert len({note.velocity for clip in track.clips for note in clip.notes}) >= 4, track.name


@pytest.mark.parametrize("bpm", [48, 91.5, 201])
@pytest.mark.parametrize("style", ["ambient", "house"])
def test_a_stated_tempo_is_taken_exactly(bench, bpm, style):
    assert bench.compose(f"a {style} piece of 16 bars at {bpm} bpm").tempos[0].bpm == bpm


@pytest.mark.parametrize("bars", [1, 3, 7, 8, 20, 33, 64])
@pytest.mark.parametrize("style", ["lofi", "techno"])
def test_stated_bars_are_taken_exactly(bench, bars, style):
    song = bench.compose(f"{bars} bars of {style}")
    assert song.bars == bars
    assert findings(song, bench.palette) == ()


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("in C# minor", Key("C#", "minor")), ("in Bb major", Key("Bb", "major")), ("in D dorian", Key("D", "dorian")),
        ("in E phrygian", Key("E", "phrygian")), ("in F harmonic minor", Key("F", "harmonic_minor")),
        ("in B locrian", Key("B", "locrian")),
    ],
)
@pytest.mark.parametrize("style", ["pop", "ambient", "jazz"])
def test_a_stated_key_is_taken_exactly(bench, words, key, style):
    song = bench.compose(f"a {style} piece of 16 bars {words}")
    assert song.key == key
    assert [found.message for found in findings(song, bench.palette) if found.rule == "key"] == []


@pytest.mark.parametrize("style", STYLES)
def test_no_drums_means_no_drums(bench, style):
    song = bench.compose(f"a {style} piece of 16 bars, no drums")
    assert not percussive_tracks(song, bench.palette)
    assert findings(song, bench.palette) == ()


@pytest.mark.parametrize("style", STYLES)
def test_no_bass_means_no_bass(bench, style):
    assert not family_tracks(bench.compose(f"a {style} piece of 16 bars without bass"), bench.palette, "bass")


@pytest.mark.parametrize(
    ("words", "family"),
    [
        ("piano", "piano"), ("strings", "strings"), ("a choir", "choir"), ("saxophone", "woodwind"),
        ("guitar", "guitar"), ("an organ", "organ"), ("a trumpet", "brass"), ("drums", "drums"), ("pads", "pad"),
    ],
)
@pytest.mark.parametrize("style", ["ambient", "techno", "pop"])
def test_a_wanted_instrument_plays(bench, words, family, style):
    song = bench.compose(f"a {style} piece of 16 bars with {words}")
    playing = family_tracks(song, bench.palette, family)
    if words != "pads":
        assert playing
    assert findings(song, bench.palette) == ()


def test_a_refused_family_never_plays(bench):
    song = bench.compose("synthwave without synths, no piano")
    assert not families(song, bench) & {"lead", "pad", "piano"}


def test_only_what_is_asked(bench):
    song = bench.compose("solo piano, calm")
    assert families(song, bench) == {"piano"}
    assert len(song.tracks) == 2


def test_meter(bench):
    song = bench.compose("a jazz waltz, 16 bars")
    assert (song.meters[0].beats, song.meters[0].unit) == (3, 4)
    assert song.bars == 16
    assert findings(song, bench.palette) == ()


def test_a_frame_that_is_so_already_gets_no_row(bench):
    draft = bench.draft("pop at 120 bpm in C major")
    tools = {step.tool for step in draft.steps}
    assert not tools & {"set_tempo", "set_key", "set_time_signature"}


def test_rows_stream_before_the_draft(bench):
    events = bench.events("a house track", Song())
    proposed = [event.step for event in events if isinstance(event, StepProposed)]
    assert isinstance(events[-1], DraftReady)
    assert tuple(proposed) == events[-1].draft.steps


def test_the_same_brief_gives_the_same_draft(bench):
    first, second = (bench.events("a trap beat in E minor", Song(), seed=9)[-1].draft for _ in range(2))
    assert first is not second
    assert msgspec.json.encode(first) == msgspec.json.encode(second)


def test_ten_seeds_give_ten_melodies(bench):
    tunes = set()
    for seed in range(10):
        song = bench.compose("a pop song in C major at 100 bpm, 16 bars", seed=seed)
        line = melody_line(song, {melody_track(song, bench.palette)})
        tunes.add(tuple(note.pitch for note in line))
    assert len(tunes) == 10


def test_styles_differ_in_form_and_density(bench):
    songs = [bench.compose(f"compose a {style} piece", seed=1) for style in STYLES]
    forms = {tuple((section.name, section.duration) for section in song.sections) for song in songs}
    assert len(forms) == len(STYLES)


def test_times_are_whole_ticks(bench):
    for step in bench.draft("a drum and bass track").steps:
        for note in step.inputs.get("notes", ()):
            assert round(note["s"] * 960) / 960 == note["s"]
            assert round(note["d"] * 960) / 960 == note["d"]


def test_too_long_is_refused(bench):
    with pytest.raises(PlanError, match="100,000 bars"):
        bench.draft("100000 bars of techno")



def test_it_refuses_to_plan_rows_anew(bench):
    plan = bench.review(bench.draft("a lofi beat"), Song()).plan
    with pytest.raises(PlanError, match="whole plans only"):
        bench.draft("a lofi beat", revision=Revision(plan, (plan.steps[0].id,), "brighter"))


def test_a_change_of_nothing_is_refused(bench):
    with pytest.raises(PlanError, match="nothing to change"):
        bench.draft("Recompose this sequence to be more ambient and atmospheric")


@pytest.mark.parametrize("request_text", ["asdf qwer", "compose something", "🎵🎵"])
def test_an_unclear_request_gives_one_question(bench, request_text):
    question = bench.question(request_text)
    assert 3 <= len(question.choices) <= 4
    for choice in question.choices:
        assert bench.draft(choice.request).steps


@pytest.mark.parametrize("request_text", ["'; DROP TABLE songs; --", "<script>alert(1)</script>", "../../etc/passwd"])
def test_hostile_text_is_met_calmly(bench, request_text):
    last = bench.events(request_text, Song())[-1]
    if isinstance(last, DraftReady):
        assert bench.song(last.draft).bars
    else:
        assert isinstance(last, ClarifyingQuestion)


def test_a_new_piece_where_there_is_music_gives_a_question(bench, sample):
    question = bench.question("compose a techno track", sample)
    for choice in question.choices:
        assert bench.draft(choice.request, sample).steps


def test_a_style_that_would_fill_the_plan_is_stopped_while_it_is_written(bench, monkeypatch):
    monkeypatch.setattr(new_piece, "MAX_NOTES", 300)
    with pytest.raises(PlanError, match="a piece of more than 300 notes") as caught:
        bench.events("compose a techno piece, 64 bars", Song(), seed=11)
    assert "Techno has that many in 64 bars" in caught.value.why
    assert "fewer bars" in caught.value.advice
