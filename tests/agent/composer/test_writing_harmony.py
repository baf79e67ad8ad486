"""Harmony: enough progressions, smooth basses, tones that follow their chords, and pieces that differ."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.changing.hearing.listening import drum_tracks
from agent.composer.choosing import choose_style
from agent.composer.dice import Dice
from agent.composer.styles import Exchanges, StyleError, check_style
from agent.composer.understanding.intent import Intent
from agent.composer.writing.cadences import borrowed, smoothed, turned
from agent.composer.writing.exchanges import exchanged
from agent.composer.writing.frame import ChordSpan, Frame, Scene
from agent.composer.writing.harmony import chord_lengths, coloured, themes
from agent.composer.writing.new_piece import decide
from agent.composer.writing.suspensions import with_suspensions
from agent.song.chord_symbols import chord
from agent.song.key import Key
from agent.theory.chords import chord_symbol, progression
from agent.theory.sounding import pitched

OURS = (
    "boom_bap", "bossa_nova", "chiptune", "deep_house", "drone", "dubstep", "funk", "indie", "pop_ballad", "reggae",
    "rock", "soul", "swing", "trance", "waltz",
)
C = Key("C", "major")


def spans(*symbols: str) -> tuple[ChordSpan, ...]:
    return tuple(ChordSpan(at * 3840, (at + 1) * 3840, chord(symbol)) for at, symbol in enumerate(symbols))


@pytest.mark.parametrize("name", OURS)
def test_every_style_has_four_progressions_in_each_of_its_modes(bench, name):
    style = bench.styles.style(name)
    known = style.progressions
    for mode in {"major", "minor", *style.modes}:
        texts = getattr(known, mode)
        assert len(set(texts)) >= 4, mode


@pytest.mark.parametrize("name", ["bossa_nova", "soul", "swing", "waltz"])
def test_styles_that_live_on_them_have_secondary_dominants(bench, name):
    known = bench.styles.style(name).progressions
    lent = [found for text in known.major for found in borrowed(progression(text, C), C)]
    assert any(found.quality in ("7", "9", "13") for found in lent)


@pytest.mark.parametrize(
    ("text", "way", "played"),
    [
        ("Imaj7 vi7 ii7 V7", "vi ii > V7/ii ii", "Imaj7 V7/ii ii7 V7"),
        ("I V vi IV", "IV I > iv I", "I V vi iv"),
        ("I iii IV V", "IV V I > bVI bVII I", "I iii IV V I iii bVI bVII"),
        ("I V/3 vi IV", "V vi > V7/vi vi", "I V/3 vi IV"),
        ("vi ii V I", "vi ii > V7/ii ii", "vi ii V I"),
        ("I IV", "IV I > iv I", "I IV"),
    ],
)
def test_a_chord_is_exchanged_where_its_neighbours_fit_and_never_the_first(text, way, played):
    always = Exchanges(1.0, major=(way,))
    assert exchanged(text, C, always, Dice(1, "a")) == played
    assert exchanged(text, Key("D", "mixolydian"), always, Dice(1, "a")) == text
    assert exchanged(text, C, structs.replace(always, share=0.0), Dice(1, "a")) == text


@pytest.mark.parametrize("name", ["pop", "jazz", "synthwave", "cinematic", "chorale", "country"])
def test_themes_of_styles_that_exchange_chords_have_more_colours(bench, name):
    style = bench.styles.style(name)
    plain = structs.replace(style, exchanges=Exchanges())

    def lent(one):
        rounds = [themes(one, C, Dice(seed, "harmony")) for seed in range(12)]
        return sum(bool(borrowed(chords, C)) for known in rounds for chords in known.values())

    assert lent(style) >= lent(plain) + 6


def hung(*symbols: str, share: float = 1.0, closing: bool = False) -> list[str]:
    scene = Scene("Verse", 0, 0, len(symbols), 3840, 0.5, "a", ("Piano",), spans(*symbols), closing)
    (found,) = with_suspensions((scene,), share, Frame(C, 100, 3840, 0.0, 480), Dice(1, "s"))
    assert [span.start for span in found.chords][1:] == [span.end for span in found.chords][:-1]
    return [chord_symbol(span.chord) for span in found.chords]


def test_a_chord_hangs_on_the_fourth_that_sounded_before_it():
    assert hung("C", "G", "Am", "F") == ["C", "Gsus4", "G", "Am", "F"]
    assert hung("F", "C", "G7", "C") == ["F", "Csus4", "C", "G7sus4", "G7", "Csus4", "C"]
    # where the fourth was not there, of a minor chord, over another bass, and of the last chord it does not
    assert hung("C", "A", "Em", "G/B") == ["C", "A", "Em", "G/B"]
    assert hung("C", "G", "F", "C", closing=True)[-2:] == ["F", "C"]
    assert hung("C", "G", "Am", "F", share=0.0) == ["C", "G", "Am", "F"]


@pytest.mark.parametrize("style", ["pop_ballad", "gospel"])
def test_all_parts_wait_for_the_third_of_a_chord_that_hangs(bench, style):
    song = bench.compose(f"a {bench.styles.style(style).words[0]} in C major", 3)
    hanging = [one for one in song.chords if "sus4" in one.symbol]
    assert hanging
    notes = pitched(song, drum_tracks(song, bench.palette))
    for one in hanging:
        third = (chord(one.symbol).root + 4) % 12
        over = [n for n in notes if one.start + 120 <= n.start < one.start + one.duration - 720]
        assert sum(n.pitch % 12 == third for n in over) <= len(over) // 8


def test_an_easy_piece_keeps_to_the_plain_chords(bench):
    pop = bench.styles.style("pop")
    always = structs.replace(pop, exchanges=structs.replace(pop.exchanges, share=1.0))
    for seed in range(6):
        known = themes(always, C, Dice(seed, "harmony"), plain=True)
        assert not any(borrowed(chords, C) for chords in known.values())


@pytest.mark.parametrize("way", ["vi ii V7/ii ii", "vi > ", "vi ii > II7"])
def test_a_way_to_exchange_chords_that_cannot_be_read_is_named(bench, way):
    wrong = structs.replace(bench.styles.style("rock"), exchanges=Exchanges(major=(way,)))
    with pytest.raises(StyleError, match=way):
        check_style(wrong)


def test_a_bass_goes_by_step_where_an_inversion_lets_it():
    smooth = smoothed(spans("C", "G", "Am"), 99_999)
    assert [chord_symbol(span.chord) for span in smooth] == ["C", "G/B", "Am"]
    assert smoothed(spans("C", "F", "C"), 99_999) == spans("C", "F", "C")
    assert smoothed(spans("C", "G5", "Am"), 99_999) == spans("C", "G5", "Am")


def test_a_loop_that_does_not_lead_on_is_turned():
    led = turned(spans("C", "F", "Am", "C"), (chord("C"), chord("F"), chord("G")), chord("C"), C, (3 * 3840,))
    assert [chord_symbol(span.chord) for span in led] == ["C", "F", "Am", "G"]
    well = spans("C", "F", "C", "G")
    assert turned(well, (chord("F"),), chord("C"), C, (3 * 3840,)) == well


def test_borrowed_chords_are_declared_in_the_rows(bench):
    chords = progression("I iv I V", C)
    assert [chord_symbol(lent, C) for lent in borrowed(chords, C)] == ["Fm"]
    assert borrowed(progression("i iv V7 i", Key("A", "minor")), Key("A", "minor")) == ()
    rows = [step.why for seed in range(6) for step in bench.draft("a swing song in C major", seed=seed).steps]
    assert any("borrowed: " in why for why in rows)


@pytest.mark.parametrize(
    ("pitch", "symbol", "key", "meant"),
    [
        (70, "G7", Key("C", "minor"), 71), (72, "A7", C, 73), (74, "A7", C, 74), (69, "Fm", C, 68), (67, "Fm", C, 67),
        (71, "Bb", C, 70), (72, "C", C, 72),
    ],
)
def test_a_tone_follows_the_chord_that_alters_it(pitch, symbol, key, meant):
    assert coloured(pitch, chord(symbol), key) == meant


def test_two_chords_in_a_bar_change_on_a_strong_beat():
    assert chord_lengths(0.5, 3840, (4, 4, 4, 4)) == (1920, 1920)
    assert chord_lengths(0.5, 4800, (4,) * 5) == (2880, 1920)
    assert chord_lengths(0.5, 2880, (6, 6)) == (1440, 1440)
    assert sum(chord_lengths(0.5, 2880, (4, 4, 4))) == 2880
    assert chord_lengths(2, 3840, (4, 4, 4, 4)) == (7680,)


def test_twenty_open_wishes_give_many_forms_and_progressions(bench):
    forms, progressions = set(), set()
    for seed in range(20):
        intent = Intent(goal="compose", bpm=60 + 6 * seed)
        dice = Dice(seed, "open")
        style = choose_style(intent, bench.styles, bench.palette)
        assert style is not None
        piece = decide(style, intent, bench.palette, dice)
        forms.add(tuple((scene.name, scene.bars) for scene in piece.scenes))
        progressions.add(tuple((c.root - piece.frame.key.pitch_class) % 12 for c in piece.themes["a"]))
    assert len(forms) >= 8
    assert len(progressions) >= 14


def test_a_progression_that_cannot_be_read_is_named(bench):
    style = bench.styles.style("rock")
    wrong = structs.replace(style, progressions=structs.replace(style.progressions, major=("I X IV",)))
    with pytest.raises(StyleError, match="I X IV"):
        check_style(wrong)
