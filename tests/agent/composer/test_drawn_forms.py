"""Forms by rules: many of them, called as musicians call them, as long as pieces of their kind, the tune early."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from msgspec import structs

from agent.composer.choosing import choose_style
from agent.composer.dice import Dice
from agent.composer.form_rules import FormRules, rules_fault
from agent.composer.styles import StyleError, check_style
from agent.composer.tokens import tokens_of
from agent.composer.understanding.intent import AskedSection, Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.piece_shapes import shape_of
from agent.composer.understanding.section_kinds import stem_of
from agent.composer.vocabulary import Mood
from agent.composer.writing.drawn_form import drawn
from agent.composer.writing.new_piece import NewPiece, decide
from agent.composer.writing.performing import stage_of
from agent.song.song import Song
from agent.song.time import PPQ
from tests.agent.composer.doing import read

SEEDS = range(1, 11)
RULED = (
    "afrobeats", "ambient", "baroque", "bluegrass", "blues", "boom_bap", "bossa_nova", "childrens_song",
    "chiptune", "cinematic", "country", "cumbia", "deep_house", "disco", "drill", "drone", "drum_and_bass",
    "dubstep", "funk", "gospel", "house", "indie", "jazz", "jig_and_reel", "lofi", "lullaby", "metal",
    "neoclassical", "pop", "pop_ballad", "reggae", "reggaeton", "rock", "salsa", "soul", "swing", "synthwave",
    "tango", "techno", "trance", "trap", "trip_hop", "waltz",
)
NAMES = {
    "Intro", "Verse", "Pre-chorus", "Chorus", "Bridge", "Solo", "Break", "Outro", "Build", "Drop", "Groove", "Head",
    "Theme", "Climax", "A", "B", "C", "Coda",
}
SONGS = ("pop", "rock", "house", "jazz", "trap", "reggae", "drum_and_bass", "blues")


def piece_of(bench, style: str, seed: int, **said) -> NewPiece:
    known = bench.styles.style(style)
    return decide(known, Intent(goal="compose", style=style, **said), bench.palette, Dice(seed, style))


def form_of(piece: NewPiece) -> tuple[tuple[str, int], ...]:
    return tuple((scene.name, scene.bars) for scene in piece.scenes)


def names_of(piece: NewPiece) -> tuple[str, ...]:
    return tuple(scene.name for scene in piece.scenes)


def seconds_of(piece: NewPiece, bars: int) -> float:
    return bars * piece.frame.bar / PPQ * 60 / piece.frame.bpm


def tune_begins(piece: NewPiece, seed: int) -> float | None:
    """After how many seconds somebody plays a tune; None where nobody does."""
    stage = stage_of(piece.style, piece.players, piece.scenes, piece.frame, Dice(seed, "early"))
    starts = [
        tone.start for name, tunes in stage.tunes.items() for at, line in tunes.items() for tone in line
        if name in piece.scenes[at].parts
    ]
    return min(starts) / PPQ * 60 / piece.frame.bpm if starts else None


@pytest.mark.parametrize("style", RULED)
def test_ten_seeds_bring_seven_forms_with_sections_called_as_musicians_do(bench, style):
    pieces = [piece_of(bench, style, seed) for seed in SEEDS]
    assert len({form_of(piece) for piece in pieces}) >= 7
    called = {re.sub(r"( \d+| again| repeat)+$", "", name) for piece in pieces for name in names_of(piece)}
    assert called <= NAMES
    for piece in pieces:
        assert len(set(names_of(piece))) == len(piece.scenes)



@pytest.mark.parametrize("style", ["deep_house", "drum_and_bass", "house", "trance"])
def test_a_groove_has_its_bass(bench, style):
    found = bench.styles.style(style)
    basses = {part.name for part in found.parts if part.role == "bass"}
    grooves = [
        section for seed in range(20) for section in drawn(found, found.rules, Dice(seed, "grooves")).sections
        if section.name.startswith("Groove")
    ]
    assert grooves
    assert all(basses & set(section.parts) for section in grooves)


@pytest.mark.parametrize("style", ["reggae", "indie", "metal", "rock", "salsa"])
def test_no_break_follows_another(bench, style):
    found = bench.styles.style(style)
    for seed in range(40):
        names = [stem_of(one.name) for one in drawn(found, found.rules, Dice(seed, "breaks")).sections]
        assert "Break" not in [name for name, other in pairwise(names) if name == other]


def test_sections_that_return_are_counted_from_one(bench):
    for seed in SEEDS:
        names = names_of(piece_of(bench, "pop", seed))
        for kind in ("Verse", "Chorus"):
            counted = [name for name in names if name.startswith(kind)]
            assert counted == ([kind] if len(counted) == 1 else [f"{kind} {n + 1}" for n in range(len(counted))])


def test_a_mood_draws_another_form_and_key_tempo_and_band_do_not(bench):
    mood = Mood(name="sad", words=("sad",))
    plain = [names_of(piece_of(bench, "pop", seed)) for seed in SEEDS]
    assert [names_of(piece_of(bench, "pop", seed, tonic="E", bpm=104.0)) for seed in SEEDS] == plain
    assert [names_of(piece_of(bench, "pop", seed, moods=(mood,))) for seed in SEEDS] != plain


@pytest.mark.parametrize("style", SONGS)
def test_a_song_lasts_about_three_minutes_unless_a_length_is_asked(bench, style):
    for seed in SEEDS:
        piece = piece_of(bench, style, seed)
        assert 140 <= seconds_of(piece, piece.bars) <= 216
        assert piece_of(bench, style, seed, bars=24).bars == 24
    slow = piece_of(bench, style, 1, bpm=60.0)
    assert 136 <= seconds_of(slow, slow.bars) <= 216


@pytest.fixture(scope="module")
def song_of(bench):
    """A song of a style, by its label, with words behind it and a seed: decided, and not written."""
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, Song())

    def decided(label: str, more: str, seed: int) -> NewPiece:
        intent = read(f"a {label.lower()} song{more}", lexicon, has_music=False)
        return decide(choose_style(intent, bench.styles, bench.palette), intent, bench.palette, Dice(seed, "composer"))

    return decided


def test_a_song_of_any_style_is_as_long_as_its_family_says_whatever_the_band(bench, song_of):
    short, long = set(), set()
    for style in bench.styles.styles:
        # a quartet with a piano is none: another style plays it
        for more in ("", " with piano") if style.name != "chamber_quartet" else ("",):
            for seed in (18, 34, 59):
                piece = song_of(style.label, more, seed)
                assert piece.style.name == style.name
                if style.rules is None:
                    assert piece.bars in {form.bars for form in style.forms}
                    continue
                low, high = style.rules.seconds
                assert low <= seconds_of(piece, piece.bars) <= high, (style.name, more, seed)
                (long if (low, high) == (150, 210) else short).add(style.name)
    assert len(long) >= 30
    assert short == {
        "ambient", "baroque", "blues", "childrens_song", "cinematic", "drone", "folk", "jig_and_reel", "lullaby",
        "neoclassical", "tango", "waltz",
    }


def test_the_tune_of_a_song_begins_early_in_every_style_that_has_one(bench, song_of):
    late = set()
    for style in bench.styles.styles:
        piece = song_of(style.label, "", 4)
        tune, intro = tune_begins(piece, 4), piece.scenes[0]
        if tune is None or tune > 12 or (intro.name == "Intro" and seconds_of(piece, intro.bars) >= 8):
            late.add(style.name)
    # tracks to dance to, soundscapes and cues head for something else; a gamelan's opening is a tune
    assert late <= {
        "ambient", "cinematic", "deep_house", "drone", "drum_and_bass", "dubstep", "gamelan", "house", "techno",
        "trance", "chorale",
    }


@pytest.mark.parametrize("bars", [8, 16, 24, 40])
def test_a_short_song_has_few_sections_and_the_chorus_among_them(bench, bars):
    for seed in SEEDS:
        piece = piece_of(bench, "pop", seed, bars=bars)
        assert piece.bars == bars
        assert len(piece.scenes) <= bars // 4
        assert any(name.startswith("Chorus") for name in names_of(piece))


@pytest.mark.parametrize("style", ["pop", "rock", "jazz", "blues", "waltz", "lullaby", "gospel", "metal"])
def test_the_tune_begins_within_twelve_seconds(bench, style):
    for seed in SEEDS:
        piece = piece_of(bench, style, seed)
        begins = tune_begins(piece, seed)
        assert begins is not None
        assert begins <= 12
        if piece.scenes[0].name == "Intro":
            assert seconds_of(piece, piece.scenes[0].bars) < 8


def test_an_intro_that_is_asked_for_is_as_long_as_asked(bench):
    assert piece_of(bench, "pop_ballad", 1, sections=(AskedSection("intro", 8),)).scenes[0].bars == 8


def test_a_section_that_is_asked_for_is_drawn(bench):
    for seed in SEEDS:
        piece = piece_of(bench, "pop", seed, sections=(AskedSection("bridge"),))
        assert any(name.startswith("Bridge") for name in names_of(piece))
        assert len(piece.scenes) > 4


@pytest.mark.parametrize("style", ["pop", "house", "rock", "gospel"])
def test_the_last_third_is_stronger_than_the_first(bench, style):
    for seed in SEEDS:
        piece = piece_of(bench, style, seed)
        third = piece.scenes[-1].end / 3
        early = max(scene.energy for scene in piece.scenes if scene.start < third)
        late = max(scene.energy for scene in piece.scenes if scene.end > 2 * third)
        assert late > early or late == 1.0


@pytest.mark.parametrize(
    ("form", "rules", "said"),
    [
        (("turn",), {}, "no rule 'turn'"), (("turn",), {"turn": ("again",), "again": ("turn",)}, "back to itself"),
        (("",), {}, "0 sections"), (("Verse",), {"Turn": ("Verse",)}, "capital"),
        (("a a a a",), {"a": ("b b b",), "b": ("A B C",)}, "36 sections"),
    ],
)
def test_rules_that_lead_nowhere_are_named(bench, form, rules, said):
    wrong = FormRules(name="wrong", seconds=(60, 120), form=form, rules=rules)
    assert said in rules_fault(wrong)
    with pytest.raises(StyleError, match="rules"):
        check_style(structs.replace(bench.styles.style("pop"), rules=wrong))


@pytest.mark.parametrize(
    ("words", "shape"),
    [
        ("a lofi loop", "loop"), ("make me a trap beat", "loop"), ("a funk groove", "loop"), ("a drum pattern", "loop"),
        ("a pop song", ""), ("a beat track", ""), ("a pop song with a big beat", ""), ("a track, and a loop", ""),
        ("house with a groove, fast", ""), ("a tense cue", "cue"), ("a bed for a podcast", "cue"), ("jazz", ""),
    ],
)
def test_what_a_piece_is_called_says_its_shape(bench, words, shape):
    assert shape_of([token.casefold() for token in tokens_of(words)], bench.words) == shape


@pytest.mark.parametrize("words", ["a lofi loop", "a deep house groove", "a trap beat"])
def test_a_loop_has_8_or_16_bars_and_no_end(bench, words):
    for seed in (1, 2, 3):
        song = bench.compose(words, seed)
        assert song.bars in (8, 16)
        assert len(song.tempos) == 1
        lanes = [lane for track in song.tracks for lane in track.automation if lane.target == "expression"]
        assert all(lane.points[-1].value > 20 for lane in lanes)


def test_a_loop_of_another_length_is_as_long_as_asked(bench):
    assert bench.compose("a lofi beat, 24 bars").bars == 24
    assert bench.compose("a 4 bar trap drum loop at 140").bars == 4


def test_a_cue_lasts_ninety_seconds(bench):
    for seed in (1, 2, 3):
        piece = piece_of(bench, "jazz", seed, shape="cue")
        assert 84 <= seconds_of(piece, piece.bars) <= 96
