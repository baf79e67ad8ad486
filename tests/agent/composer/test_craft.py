"""Rules of craft: tunes return, climb and end at home, the band stays below, the bass minds the kick."""

from __future__ import annotations

from itertools import pairwise

import pytest
from style_parts import track_of

from agent.composer.dice import Dice
from agent.composer.understanding.intent import Intent
from agent.composer.writing.frame import Scene
from agent.composer.writing.melody import is_chorus, sung
from agent.composer.writing.new_piece import NewPiece, decide
from agent.composer.writing.performing import stage_of
from agent.composer.writing.steps import choose, locked, stumbles
from agent.song.chord_symbols import chord
from agent.song.song import Song
from agent.song.track import Track

SUNG = ("cinematic", "jazz", "lofi", "lullaby", "neoclassical", "pop", "synthwave")
SEEDS = (1, 2, 3, 4)


def piece_of(bench, style: str, seed: int) -> NewPiece:
    return decide(bench.styles.style(style), Intent(goal="compose"), bench.palette, Dice(seed, "craft"))


def pitches(track: Track) -> list[int]:
    return sorted(note.pitch for clip in track.clips for note in clip.notes)


def tracks_of(song: Song, style, *roles: str) -> list[Track]:
    found = [track_of(song, part.name) for part in style.parts if part.role in roles]
    return [track for track in found if track is not None]


@pytest.mark.parametrize("style", SUNG)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_band_leaves_the_top_to_the_tune(bench, style, seed):
    song = bench.compose(f"compose a {style} piece", seed)
    known = bench.styles.style(style)
    tune = [pitch for track in tracks_of(song, known, "lead") for pitch in pitches(track)]
    for track in tracks_of(song, known, "chords", "pad"):
        low = pitches(track)
        assert sorted(tune)[len(tune) // 2] > low[len(low) * 3 // 4], track.name


@pytest.mark.parametrize("style", SUNG)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_theme_that_returns_is_the_same_tune(bench, style, seed):
    piece = piece_of(bench, style, seed)
    singer = next(player for player in piece.players if player.style.role == "lead")
    stage = stage_of(piece.style, piece.players, piece.scenes, piece.frame, Dice(seed, "tune"))
    openings: dict[tuple[str, bool], set[tuple[tuple[int, int], ...]]] = {}
    for scene in piece.scenes:
        notes = stage.tunes[singer.style.name].get(scene.index, [])
        if notes and singer.style.name in scene.parts and scene.energy >= 0.35 and scene.bars >= 8:
            opening = [tone for tone in notes if tone.start < scene.start + 2 * scene.bar]
            first = tuple((tone.start - scene.start, tone.pitch - scene.up) for tone in opening)
            openings.setdefault((scene.tune, is_chorus(scene)), set()).add(first)
    assert all(len(different) == 1 for different in openings.values())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_chorus_lies_above_its_verse(bench, seed):
    piece = piece_of(bench, "pop", seed)
    singer = next(player for player in piece.players if player.style.role == "lead")

    def middle(scene: Scene) -> float:
        heard = [tone.pitch for tone in sung(singer, scene, piece.frame, Dice(seed, "tune"))]
        return sum(heard) / len(heard)

    heard = [scene for scene in piece.scenes if singer.style.name in scene.parts]
    loud = [middle(scene) for scene in heard if scene.energy > 0.65]
    calm = [middle(scene) for scene in heard if 0.35 <= scene.energy < 0.65]
    assert sum(loud) / len(loud) > sum(calm) / len(calm)


@pytest.mark.parametrize("style", ["drum and bass", "house", "techno", "trap", *SUNG])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_chord_leads_to_the_last_and_the_tune_ends_at_home(bench, style, seed):
    piece = piece_of(bench, style.replace(" ", "_"), seed)
    before, last = piece.scenes[-1].chords[-2:]
    assert before.chord.root != last.chord.root
    song = bench.compose(f"compose a {style} piece", seed)
    known = bench.styles.style(style.replace(" ", "_"))
    home = chord(song.chords[-1].symbol).root
    assert (home - song.key.pitch_class) % 12 in (0, *known.transitions.lift)
    for track in tracks_of(song, known, "lead"):
        ends = [(clip.start + note.start, note.pitch) for clip in track.clips for note in clip.notes]
        if len(track.clips) == 1:
            assert max(ends)[1] % 12 == home


@pytest.mark.parametrize("style", ["lofi", "pop", "trap", "drum_and_bass", "synthwave"])
def test_the_bass_keeps_out_of_the_kicks_way(bench, style):
    known = bench.styles.style(style)
    bass = known.part_for("bass")
    for groove in known.grooves:
        for seed in range(8):
            energy = seed / 8
            kick = groove.lines.get("kick", "")
            plain = choose(bass.patterns, energy, Dice(seed, "bass"))
            chosen = locked(bass.patterns, energy, kick, Dice(seed, "bass"))
            assert stumbles(chosen, kick) <= stumbles(plain, kick)


def test_a_stumble_is_a_note_beside_a_lonely_kick():
    assert stumbles("R-----R---------", "X......x........") == 1
    assert stumbles("R------R--------", "X......x........") == 0
    assert stumbles("R-------R-------", "X......x........") == 1
    assert stumbles("R-----RR--------", "X......x........") == 0
    assert stumbles("R-----R---------", "") == 0


@pytest.mark.parametrize("request_text", ["sad piano piece in 3/4", "solo piano", "calm piano music", "piano waltz"])
def test_a_piano_piece_is_a_piano_piece(bench, request_text):
    song = bench.compose(request_text, 3)
    families = {instrument.name: instrument.family for instrument in bench.palette.instruments}
    counts = {track.id: track.note_count for track in song.tracks if families[track.instrument] == "piano"}
    assert sum(counts.values()) >= 0.6 * song.note_count
    assert not {families[track.instrument] for track in song.tracks} & {"drums", "percussion", "bass", "lead"}


@pytest.mark.parametrize("request_text", ["a ballad", "a jazz ballad", "a country ballad", "a rock ballad"])
def test_a_ballad_is_slow_in_any_style_and_still_moves(bench, request_text):
    tempos = [bench.compose(request_text, seed).tempos[0].bpm for seed in SEEDS]
    assert min(tempos) >= 55
    assert max(tempos) <= 92


def test_a_lullaby_rocks(bench):
    lullaby = bench.compose("a lullaby", 1)
    assert lullaby.meters[0].beats == 3
    assert "kit" not in {track.instrument.split("_")[0] for track in lullaby.tracks}


@pytest.mark.parametrize(("request_text", "longer"), [("make it longer", True), ("shorter please", False)])
def test_a_length_that_is_asked_for_changes(bench, sample, request_text, longer):
    after = bench.song(bench.draft(request_text, sample), sample)
    assert (after.bars > sample.bars) == longer
    assert (after.bars < sample.bars) != longer


def test_a_question_names_the_unknown_and_keeps_what_is_kept(bench, sample):
    assert "“blorka”" in bench.question("blorka").text
    for choice in bench.question("keep the bass", sample).choices:
        assert "bass" in " ".join(bench.draft(choice.request, sample).understood)


def test_a_style_that_was_not_asked_for_says_so(bench):
    assert any("you named none" in words for words in bench.draft("a 2 minute track").understood)
    assert not any("you named none" in words for words in bench.draft("a 2 minute lofi track").understood)


def test_phrases_of_a_tune_breathe(bench):
    for style in SUNG:
        song = bench.compose(f"compose a {style} piece", 2)
        (track,) = tracks_of(song, bench.styles.style(style), "lead")
        notes = [(clip.start + note.start, note.duration) for clip in track.clips for note in clip.notes]
        spans = sorted((start, start + duration) for start, duration in notes)
        bar = song.meters[0].beats * 960
        assert sum(b[0] - a[1] >= bar // 16 for a, b in pairwise(spans)) >= 2, style


def test_darker_never_opens_a_filter(bench):
    before = bench.compose("lofi", 3)
    after = bench.song(bench.draft("make it darker", before), before)
    closed = 0
    for old, new in zip(before.tracks, after.tracks, strict=True):
        cutoffs = [[dict(e.params)["cutoff"] for e in track.effects if e.name == "lowpass"] for track in (old, new)]
        was, now = (min(found, default=20_000) for found in cutoffs)
        assert now <= was, new.name
        closed += now < was
    assert closed >= 3
