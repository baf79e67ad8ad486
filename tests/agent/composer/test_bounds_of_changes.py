"""How far a change goes: the same interval for all, limits of pitch and of length, and what is kept beside it."""

from __future__ import annotations

import pytest

from agent.composer.changing.operations.ranging import Range
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import (
    Add,
    Cut,
    Double,
    Mix,
    Remove,
    Replace,
    Reshape,
    Resize,
    Restyle,
    Transpose,
)
from agent.composer.understanding.tasks import Edge, Named, Task
from agent.song.clip import Clip, Note
from agent.song.key import Key
from agent.song.song import Section, Song
from agent.song.track import Track
from agent.theory.pitch import pitch_name
from tests.agent.composer.doing import do, read

_BAR = 3840


def _track(name: str, instrument: str, pitches: tuple[int, ...], bars: int) -> Track:
    key = name.casefold().replace(" ", "")
    count = bars * 4
    notes = tuple(Note(f"n{key}{at}", pitches[at % len(pitches)], at * 960, 900, 80) for at in range(count))
    return Track(f"t{key}", name, instrument, clips=(Clip(f"c{key}", name, 0, bars * _BAR, notes),))


def _song(bars: int, *tracks: tuple[str, str, tuple[int, ...]], sections: tuple[str, ...] = ()) -> Song:
    size = bars // max(1, len(sections))
    named = tuple(Section(f"s{n}", name, n * size * _BAR, size * _BAR) for n, name in enumerate(sections))
    return Song(key=Key("C"), tracks=tuple(_track(*one, bars) for one in tracks), sections=named)


CHORALE = _song(
    8, ("Soprano", "piano_grand", (72, 74, 76, 77)), ("Alto", "piano_grand", (67, 69)),
    ("Tenor", "piano_grand", (60, 62)), ("Bass", "piano_grand", (41, 48, 53, 48)),
)
BAND = _song(
    32, ("Voice", "lead_voice", (72, 74, 76, 77)), ("Strum", "guitar_clean", (55, 59, 62)),
    ("Bass", "bass_finger", (28, 36, 40, 43)), ("Bells", "keys_glockenspiel", (84, 86)),
    sections=("Intro", "Verse", "Break", "Chorus"),
)
WITH_DRUMS = _song(
    8, ("Soprano", "piano_grand", (72, 74)), ("Alto", "piano_grand", (67, 69)), ("Tenor", "piano_grand", (60, 62)),
    ("Bass", "piano_grand", (41, 48)), ("Drums", "kit_standard", (36, 42, 38, 42)),
)


@pytest.fixture
def tasks(bench):
    """The tasks of a request about a song."""
    return lambda text, song: list(
        read(text, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True).tasks
    )


def pitches(song: Song, name: str) -> list[int]:
    return [note.pitch for track in song.tracks if track.name == name for clip in track.clips for note in clip.notes]


def test_everything_moves_by_one_interval_and_what_has_no_room_is_told(bench):
    done, _ = do(bench, BAND, Task(Transpose(-5)))
    before, after = (dict.fromkeys(("Voice", "Strum", "Bass", "Bells"), ()) for _ in range(2))
    for name in before:
        before[name], after[name] = pitches(BAND, name), pitches(done, name)
    moved = {name: {b - a for a, b in zip(before[name], after[name], strict=True)} for name in before}
    assert moved["Voice"] == moved["Strum"] == moved["Bells"] == {-5}
    assert moved["Bass"] == {-5, 7}
    draft = bench.draft("transpose everything down 5 semitones", BAND)
    assert any("an octave higher" in step.why for step in draft.steps if step.title.startswith("Bass"))


@pytest.mark.parametrize("text", [
    "put all one tone deeper", "tune it all down a whole step", "tune everything down a whole step to B flat",
    "bring everything a whole tone down",
])  # fmt: skip
def test_all_of_it_goes_down(tasks, text):
    assert [task.operation for task in tasks(text, CHORALE)] == [Transpose(-2)]


def test_a_floor_moves_only_the_notes_below_it(bench):
    bass = Lexicon(bench.words, bench.styles, bench.palette, CHORALE).wish_at(["bass"], 0)[1]
    done, _ = do(bench, CHORALE, Task(Range(low=43, wish=bass)))
    moved = [b - a for a, b in zip(pitches(CHORALE, "Bass"), pitches(done, "Bass"), strict=True)]
    assert moved[:4] == [12, 0, 0, 0]


@pytest.mark.parametrize(("text", "low"), [
    ("the bass should not go under the low E", "E2"), ("no lower than the low F in the bass", "F2"),
])  # fmt: skip
def test_a_low_note_is_the_one_at_the_bottom_of_its_part(tasks, text, low):
    [task] = tasks(text, CHORALE)
    assert isinstance(task.operation, Range)
    assert task.operation.low is not None
    assert pitch_name(task.operation.low) == low


@pytest.mark.parametrize("text", [
    "take the bass down an octave, but nothing below E1",
    "synth bass instead of the fingered one, and take it down an octave, but nothing below E1",
])  # fmt: skip
def test_a_limit_beside_a_transposition_is_one_of_it(bench, tasks, text):
    asked = tasks(text, BAND)
    moved = next(task.operation for task in asked if isinstance(task.operation, Transpose))
    assert (moved.semitones, moved.low, moved.wish.label.casefold()) == (-12, 28, "bass")
    assert not any(isinstance(task.operation, Range) for task in asked)
    done, _ = do(bench, BAND, Task(moved))
    assert pitches(done, "Bass")[:4] == [28, 36, 28, 31]


@pytest.mark.parametrize("text", [
    "just the beginning please, no more than 30 seconds", "only the beginning, 30 seconds at most",
])  # fmt: skip
def test_the_beginning_alone_is_cut_to_its_length(bench, tasks, text):
    [task] = tasks(text, BAND)
    done, _ = do(bench, BAND, task)
    assert 0 < done.bars < BAND.bars
    assert pitches(done, "Bass") == pitches(BAND, "Bass")[: len(pitches(done, "Bass"))]


def test_a_longest_length_makes_nothing_longer(bench):
    song, changed = do(bench, BAND, Task(Resize(seconds=300.0, most=True)))
    assert song is BAND
    assert "no longer" in changed.blocked[0]


@pytest.mark.parametrize("text", [
    "cut it to under 50 seconds, keep the intro and finish on the last chorus",
    "under 50 seconds total, keep the intro",
])  # fmt: skip
def test_what_is_to_stay_is_not_cut(bench, tasks, text):
    resize = next(task for task in tasks(text, BAND) if isinstance(task.operation, Resize))
    assert resize.scope.whole
    done, _ = do(bench, BAND, resize)
    assert done.bars * 4 * 60 / done.bpm < 50
    assert [(one.name, one.duration) for one in done.sections[:1]] == [("Intro", 8 * _BAR)]


def test_what_is_left_behind_a_cut_is_not_cut(tasks):
    [task] = tasks("cut the break and the chorus, i.e. just the intro and the verse", BAND)
    assert isinstance(task.operation, Cut)
    assert {place.name for place in task.scope.places if isinstance(place, Named)} == {"break", "chorus"}


@pytest.mark.parametrize("text", ["bass stays center", "bass dead centre", "keep the bass dead centre"])
def test_a_place_in_the_mix_locks_no_part(bench, text):
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, BAND)
    intent = read(f"{text}, strum hard left", lexicon, has_music=True)
    assert not intent.kept
    assert any(isinstance(task.operation, Mix) and task.operation.control == "pan" for task in intent.tasks)


def test_the_lowest_one_of_a_chord_is_no_part(bench):
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, CHORALE)
    assert not read("bass louder, 1 note at a time, keep the lowest one", lexicon, has_music=True).kept
    assert read("soprano louder. keep the lowest part", lexicon, has_music=True).kept


def test_only_there_is_where_the_added_part_plays(tasks):
    [task] = tasks("add an arpeggio in the break, arpeggio only in the break", BAND)
    assert isinstance(task.operation, Add)
    assert not task.scope.whole


@pytest.mark.parametrize("text", ["the bells are boring remove them", "bells r boring, remove them"])
def test_what_is_removed_is_not_varied_too(tasks, text):
    asked = [task.operation for task in tasks(text, BAND)]
    assert [type(one) for one in asked] == [Remove]
    assert not any(isinstance(one, Reshape) for one in asked)


@pytest.mark.parametrize(("text", "by", "steps"), [
    ("could the flute play along with the sung tune, but only in the chorus", "flute", 0),
    ("an extra choir track that doubles the voice one octave up", "choir", 12),
])  # fmt: skip
def test_a_new_part_plays_along(tasks, text, by, steps):
    [task] = tasks(text, BAND)
    assert isinstance(task.operation, Double)
    assert (task.operation.by.label, task.operation.semitones) == (by, steps)


@pytest.mark.parametrize("text", ["church organ on all 4 voices", "make organ for all the four"])
def test_one_player_takes_all_parts(bench, tasks, text):
    asked = tasks(text, CHORALE)
    assert asked
    assert all(isinstance(task.operation, Replace) for task in asked)
    given = {track for task in asked for track in task.operation.wish.tracks}
    assert given == {track.id for track in CHORALE.tracks}


def test_parts_named_side_by_side_get_their_players(tasks):
    text = "put soprano alto and tenor on distortion guitars and the bass part on bass guitar"
    asked = [task.operation for task in tasks(text, CHORALE)]
    assert [type(one) for one in asked] == [Replace] * 4
    assert [one.by.instruments[0] for one in asked] == ["guitar_distortion"] * 3 + ["bass_finger"]


def test_beside_another_style_no_note_is_called_as_it_was(tasks):
    asked = [task.operation for task in tasks("make it jazz. bass -> synth bass", BAND)]
    assert any(isinstance(one, Restyle) for one in asked)
    assert not any(isinstance(one, Replace) and one.exact for one in asked)



def test_what_words_keep_goes_along_where_bars_go(bench):
    draft = bench.draft("leave out the break, and please keep the strum exactly as it is", BAND)
    done = bench.song(draft, BAND)
    assert done.bars == 24
    assert pitches(done, "Strum") == pitches(BAND, "Strum")[: 16 * 4] + pitches(BAND, "Strum")[24 * 4 :]


def test_all_is_no_part_that_was_complained_about(tasks):
    asked = tasks("this is too high for the soprano. please put all one tone deeper", CHORALE)
    assert [task.operation for task in asked] == [Transpose(-2)]


def test_it_all_is_not_what_was_named_before(tasks):
    asked = tasks("put the bass on bass guitar, then tune it all down a whole step", CHORALE)
    assert Transpose(-2) in [task.operation for task in asked]


def test_parts_that_keep_their_sounds_are_those_named(bench):
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, BAND)
    intent = read("swap the bells for a celesta. voice/bass/strum keep their sounds", lexicon, has_music=True)
    assert [wish.label.casefold() for wish in intent.kept] == ["voice", "bass", "strum"]


def test_a_limit_is_meant_where_the_interval_is(tasks):
    [task] = tasks("voice up an octave in the chorus, but nothing above C6", BAND)
    assert (task.operation.semitones, task.operation.high) == (12, 84)
    assert [place.name for place in task.scope.places] == ["chorus"]


def test_an_interval_behind_a_doubling_is_that_of_it(tasks):
    [task] = tasks("could a cello double the bass in the verse? an octave higher would be lovely", BAND)
    assert isinstance(task.operation, Double)
    assert task.operation.semitones == 12


def test_behind_players_for_all_nothing_is_for_the_last_alone(tasks):
    asked = [task.operation for task in tasks("put it on a string quartet please, and a whole tone higher", CHORALE)]
    assert Transpose(2) in asked


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("make it a string quartet", {"Drums"}), ("score it for flute, viola and cello", {"Drums"}),
        ("arrange this for string quartet and drums", set()), ("set it for two violins, cello and the drums", set()),
    ],
)
def test_an_ensemble_is_the_whole_band(tasks, text, gone):
    asked = [task.operation for task in tasks(text, WITH_DRUMS)]
    assert {one.wish.label for one in asked if isinstance(one, Remove)} == gone
    assert {one.wish.label for one in asked if isinstance(one, Replace)} == {"Soprano", "Alto", "Tenor", "Bass"}


def test_there_is_where_the_complaint_was(tasks):
    [task] = tasks("the strum's annoying in the break, take it out there", BAND)
    assert isinstance(task.operation, Remove)
    assert [place.name for place in task.scope.places] == ["break"]


def test_what_music_is_for_is_no_style(tasks):
    assert not any(isinstance(task.operation, Restyle) for task in tasks("softer please, for the trailer", BAND))


def test_the_first_seconds_are_bars(tasks):
    [task] = tasks("make the first 16 seconds softer", BAND)
    assert task.scope.places == (Edge("start", 8),)


def test_a_fade_at_the_end_is_at_the_end_that_is_left(bench):
    draft = bench.draft("I only need the first 32 seconds, with a fade out at the end", BAND)
    done = bench.song(draft, BAND)
    assert done.bars == 16
    assert any(clause.steps for clause in draft.clauses if "fade" in clause.text)


def test_a_part_plays_what_another_has_lower(tasks):
    [task] = tasks("could the strum play the voice's melody an octave lower in the chorus", BAND)
    assert isinstance(task.operation, Double)
    assert task.operation.semitones == -12


@pytest.mark.parametrize("text", [
    "make the bass louder and darker", "the bass softer and an octave lower", "bass down a fifth and louder",
])  # fmt: skip
def test_what_goes_on_with_and_is_about_the_same_part(tasks, text):
    asked = [task.operation for task in tasks(text, BAND)]
    assert [one.wish.label.casefold() for one in asked] == ["bass", "bass"]


@pytest.mark.parametrize("text", [
    "make the bass louder and the song darker", "bass louder and transpose everything down a tone",
    "take out the bells and softer",
])  # fmt: skip
def test_what_speaks_of_all_is_not(tasks, text):
    assert getattr(tasks(text, BAND)[-1].operation, "wish", None) is None


def test_a_section_that_can_go_is_cut_and_one_that_goes_up_is_not(tasks):
    assert [type(task.operation) for task in tasks("the break can go", BAND)] == [Cut]
    assert not any(isinstance(task.operation, Cut) for task in tasks("the chorus must go up a notch", BAND))


def test_too_before_a_quality_is_not_as_well(tasks):
    asked = [task.operation for task in tasks("the voice is too loud and the strum too busy", BAND)]
    assert [type(one) for one in asked] == [Mix, Reshape]


def test_who_is_kicked_out_is_not_the_kick_drum(tasks):
    [task] = tasks("kick the alto out", WITH_DRUMS)
    assert (type(task.operation), task.operation.wish.label) == (Remove, "Alto")
