"""A tune with memory: hooks that come back note for note, phrases with pickups and ties, notes from beside the key."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.styles import TuneStyle
from agent.composer.tones import STEP, Tone
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.note_rules import NoteRules
from agent.composer.writing.frame import ChordSpan, Scene
from agent.composer.writing.melody import is_chorus
from agent.composer.writing.new_piece import NewPiece, decide
from agent.composer.writing.performing import stage_of
from agent.composer.writing.tune_fit import SoughtNote, fitted
from agent.composer.writing.tune_manners import tune_of
from agent.composer.writing.tune_rhythm import RhythmNote, resting, running, unit_rhythm
from agent.song.chord import Chord
from agent.song.key import Key
from agent.theory.pitch import in_scale, scale_pitches

SEEDS = (11, 12, 13)
SUNG = ("pop", "indie", "jazz", "bossa_nova", "soul", "reggae", "chiptune", "waltz", "trance", "cinematic")
VOICES = ("Voice", "Singer", "Lead voice")
BAR = 16 * STEP


def sung(bench, style: str, seed: int, rules: NoteRules | None = None, **manners: float) -> tuple[
    NewPiece, list[tuple[Scene, list[Tone]]]
]:
    """A piece, and the scenes that are sung in it; `manners` stand in place of the style's own."""
    known = bench.styles.style(style)
    known = structs.replace(known, tune=structs.replace(known.tune, **manners))
    dice = Dice(seed, "tunes")
    piece = decide(known, Intent(goal="compose", style=style, rules=rules or NoteRules()), bench.palette, dice)
    stage = stage_of(piece.style, piece.players, piece.scenes, piece.frame, dice, rules=rules)
    singer = next(player.style.name for player in piece.players if player.style.role == "lead")
    return piece, [
        (scene, stage.tune[scene.index]) for scene in piece.scenes
        if singer in scene.parts and stage.tune.get(scene.index)
    ]


def figures(scene: Scene, tune: list[Tone], key: Key) -> list[tuple[tuple[int, int], ...]]:
    """The first bar of each two, with the way from note to note and its size up to a third, so that a sequence that is
    answered in the chord is the same figure."""
    scale = scale_pitches(key, 0, 127)
    found = []
    for bar in two_bars(scene, tune):
        inside = [(at, sum(one <= pitch for one in scale)) for at, pitch in bar if at < scene.bar]
        moves = [max(-2, min(2, b - a)) for (_, a), (_, b) in pairwise(inside)]
        found.append(tuple(zip((at for at, _ in inside), (0, *moves), strict=True)))
    return [one for one in found if len(one) > 1]


def two_bars(scene: Scene, tune: list[Tone]) -> list[tuple[tuple[int, int], ...]]:
    """The notes of each two bars without the last three beats, in which they may end differently or lead on."""
    width, found = 2 * scene.bar, []
    for start in range(scene.start, scene.end - width + 1, width):
        inside = [t for t in tune if start <= t.start < start + width - 12 * STEP]
        # in a section that lies higher it is the same tune
        found.append(tuple((t.start - start, t.pitch - scene.up) for t in inside))
    return [one for one in found if len(one) > 2]


@pytest.mark.parametrize("style", SUNG)
def test_a_hook_comes_back_in_its_scene_note_for_note_or_moved(bench, style):
    returned = scenes = 0
    for seed in SEEDS:
        piece, found = sung(bench, style, seed, chromatic=0.0, blue=0.0)
        for scene, tune in found:
            if scene.bars >= 8 and scene.energy >= 0.35:
                scenes += 1
                key = piece.frame.within(scene).key
                returned += max(Counter(figures(scene, tune, key)).values(), default=0) >= 2
    assert returned >= 0.55 * scenes


def test_a_theme_that_develops_says_nothing_twice_and_one_that_does_not_repeats_its_idea(bench):
    exact = {0.0: 0, 1.0: 0}
    for develops in exact:
        for seed in range(8):
            for scene, tune in sung(bench, "neoclassical", seed, develops=develops)[1]:
                if scene.bars == 8 and scene.energy >= 0.35:
                    exact[develops] += max(Counter(two_bars(scene, tune)).values(), default=0) >= 2
    assert exact[0.0] > 4
    assert exact[1.0] < 0.4 * exact[0.0]


@pytest.mark.parametrize("style", SUNG)
def test_sections_of_one_kind_open_alike(bench, style):
    alike = pairs = 0
    for seed in SEEDS:
        _, scenes = sung(bench, style, seed)
        kinds: dict[tuple[str, bool], list[tuple[tuple[int, int], ...]]] = {}
        for scene, tune in scenes:
            if scene.bars >= 4 and scene.energy >= 0.35 and (units := two_bars(scene, tune)):
                kinds.setdefault((scene.tune, is_chorus(scene)), []).append(units[0])
        for ones in kinds.values():
            pairs += len(ones) - 1
            alike += sum(one == ones[0] for one in ones[1:])
    assert alike >= 0.8 * pairs


@pytest.mark.parametrize("style", ["jazz", "swing", "soul", "bossa_nova", "waltz"])
def test_chromatic_notes_sound_where_the_style_has_them_and_move_on_by_step(bench, style):
    foreign = notes = 0
    for seed in SEEDS:
        piece, scenes = sung(bench, style, seed)
        for scene, tune in scenes:
            notes += len(tune)
            for note, after in pairwise(tune):
                over = [scene.chord_at(at).chord for at in (note.start, note.start + note.length // 2, note.end)]
                key = piece.frame.within(scene).key
                if not in_scale(key, note.pitch) and not any(note.pitch in chord for chord in over):
                    foreign += 1
                    assert abs(after.pitch - note.pitch) <= 2, (scene.name, note)
    assert 0.01 * notes <= foreign <= 0.2 * notes


def test_rules_about_notes_leave_no_note_from_beside_the_key(bench):
    for rules in (NoteRules(diatonic=True), NoteRules(ease="easy"), NoteRules(white=True)):
        piece, scenes = sung(bench, "jazz", 11, rules, chromatic=1.0, blue=1.0)
        leading = (piece.frame.key.pitch_class - 1) % 12
        outside = [t for _, tune in scenes for t in tune if not in_scale(piece.frame.key, t.pitch)]
        assert all(t.pitch % 12 == leading for t in outside)


def test_more_notes_are_sung_where_the_style_wants_more(bench):
    few, many = (
        sum(len(tune) for _, tune in sung(bench, "pop", 11, notes=notes)[1]) for notes in (3.0, 7.0)
    )
    assert many > 1.2 * few


def test_blue_notes_sound_where_the_style_has_them(bench):
    def blue(share: float) -> int:
        piece, scenes = sung(bench, "rock", 12, chromatic=0.0, blue=share)
        return sum(not in_scale(piece.frame.key, t.pitch) for _, tune in scenes for t in tune)

    assert blue(0.0) == 0
    assert blue(1.0) > 0


@pytest.mark.parametrize("seed", range(12))
def test_a_unit_that_rests_breathes_for_a_beat_and_one_that_runs_does_not(seed):
    beats = unit_rhythm(Dice(seed, "r"), ("x---x-x-x-------", "..x-x-x---x-...."), BAR, TuneStyle(notes=5.0, tie=1.0))
    for pickup in (0, 2 * STEP, 6 * STEP):
        rests = resting(beats, 2 * BAR, pickup)
        assert rests[-1].end <= 2 * BAR - 4 * STEP - pickup
        assert rests[-1].length >= 4 * STEP
        home = resting(beats, 2 * BAR, pickup, home=BAR)
        assert home[-1].end <= 2 * BAR - 4 * STEP - pickup
        assert home[-1].at <= 2 * BAR - 13 * STEP
        assert home[-1].length >= 8 * STEP - pickup
        held = resting(beats, 2 * BAR, pickup, held=True)
        assert [beat.at for beat in held] == [beat.at for beat in rests]
        assert held[-1].end == min(2 * BAR - 2 * STEP - pickup, held[-1].at + 16 * STEP)
    assert running(beats, 2 * BAR)[-1].end >= 2 * BAR - 4 * STEP


def test_a_new_note_on_a_strong_beat_is_rather_a_third_than_the_bass(bench):
    piece, _ = sung(bench, "pop", 1)
    player = next(player for player in piece.players if player.style.role == "lead")
    scene = piece.scenes[0]
    span = ChordSpan(scene.start, scene.end, Chord(piece.frame.key.pitch_class, "maj"))
    frame = structs.replace(piece.frame, key=Key(piece.frame.key.tonic, "major"))
    root = next(pitch for pitch in range(player.low + 5, player.high) if pitch % 12 == span.chord.root)
    slot = SoughtNote(scene.start, RhythmNote(0, 4 * STEP, "x"), root + 2)
    found = fitted([slot], [root + 2], player, structs.replace(scene, chords=(span,)), frame)
    assert found == [root + 4]


def test_a_tie_holds_a_note_over_the_bar_line():
    rows = ("x---x-x-x---x---",)
    for tie, held in ((1.0, True), (0.0, False)):
        beats = unit_rhythm(Dice(3, "r"), rows, BAR, TuneStyle(notes=4.0, tie=tie))
        assert any(beat.at < BAR < beat.end for beat in beats) is held
        assert all(one.end <= two.at for one, two in pairwise(beats))


def test_a_livelier_style_sings_more_where_its_file_says_nothing(bench):
    calm, lively = (structs.replace(bench.styles.style(name), tune=TuneStyle()) for name in ("lullaby", "rock"))
    assert (tune_of(calm).notes or 0) < (tune_of(lively).notes or 0)
    assert tune_of(calm, NoteRules(diatonic=True)).chromatic == 0


@pytest.mark.parametrize("style", ["jazz", "swing", "blues", "bossa_nova"])
def test_a_solo_is_no_repeat_of_the_tune_but_goes_over_its_chords(bench, style):
    solos = 0
    for seed in (*SEEDS, 14):
        piece, found = sung(bench, style, seed)
        tunes: list[tuple[Scene, frozenset[tuple[int, int]]]] = [
            (scene, frozenset((tone.start - scene.start, tone.pitch - scene.up) for tone in tune))
            for scene, tune in found
        ]
        for scene, notes in tunes:
            if not scene.name.startswith("Solo"):
                continue
            solos += 1
            before = [(one, other) for one, other in tunes if one.index < scene.index and one.theme == scene.theme]
            for one, other in before:
                assert len(notes & other) < (0.8 if one.sings else 0.5) * len(notes), (seed, scene.name, one.name)
            kin = [one for one in piece.scenes if one.theme == scene.theme and not one.sings and not one.closing]
            first = scene.chords[0].chord.transposed(-scene.up)
            assert not kin or any(first == one.chords[0].chord.transposed(-one.up) for one in kin)
    assert solos > 1


@pytest.mark.parametrize("style", [*SUNG, "march", "swing", "salsa", "reggae", "bluegrass", "indie"])
def test_a_tune_goes_somewhere_and_does_not_sit_on_one_note(bench, style):
    sat = long = 0
    for seed in SEEDS:
        for scene, tune in sung(bench, style, seed)[1]:
            if scene.bars >= 8 and len(tune) >= 12:
                long += 1
                pitches = Counter(tone.pitch for tone in tune)
                sat += max(pitches.values()) > 0.45 * len(tune) or max(pitches) - min(pitches) < 5
    assert long > 2
    assert sat <= 0.1 * long


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_soloist_without_a_section_plays_where_nobody_else_has_the_tune(bench, seed):
    piece, _ = sung(bench, "salsa", seed)
    leads = {player.style.name for player in piece.players if player.style.role == "lead"}
    playing = [leads & set(scene.parts) for scene in piece.scenes]
    assert set().union(*playing) == leads
    assert all(len(names) <= 1 for names in playing)


def test_what_a_voice_sings_lies_where_voices_sing(bench):
    sung_parts = {
        (style.name, part.name): (part.centre - part.span // 2, part.centre + (part.span + 1) // 2)
        for style in bench.styles.styles for part in style.parts
        if part.role == "lead" and (part.name in VOICES or part.instruments[0] == "lead_voice")
    }
    assert len(sung_parts) > 15
    # from the lowest note of an alto to the highest of a soprano that is no trained one
    assert {name: span for name, span in sung_parts.items() if span[0] < 53 or span[1] > 81} == {}
