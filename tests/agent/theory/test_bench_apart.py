"""What tells people's pieces from a program's: features that move, a classifier that is fair, pages that hide names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Song
from app.services.library_files import read_palette
from tests.benchmarks.music import told_apart
from tests.benchmarks.music.blind import OURS, PEOPLE, counted, evenly
from tests.benchmarks.music.classifier import accuracy
from tests.benchmarks.music.features import features_of
from tests.benchmarks.music.mma import Charted, charts, through_midi
from tests.benchmarks.music.people import PACKAGES, Library
from tests.benchmarks.music.rolls import by_instrument, by_voice, roll
from tests.benchmarks.music.songs import Row, built, eighths, struck

RESOURCES = Path(__file__).parents[3] / "resources"
TUNE: tuple[Row, ...] = ((67, 0, 1, 90), (69, 1, 0.5, 90), (71, 1.5, 1.5, 90), (67, 3, 1, 90))
"""A bar of G major."""
BARS = 12


@pytest.fixture(scope="module")
def palette() -> Palette:
    return read_palette(RESOURCES)


def piece(tune: Sequence[Row] = (), *, late: float = 0.0, velocity: int = 90, up: int = 0) -> Song:
    """A tune over chords and a bass; `late` in beats, `up` by so many semitones more with each bar."""
    bars = range(BARS)
    rows = tune or [(p + up * bar, 4 * bar + s + late, d - late, velocity) for bar in bars for p, s, d, _ in TUNE]
    parts: dict[tuple[str, str], list[Row]] = {
        ("Lead", "lead_square"): list(rows),
        ("Piano", "piano_grand"): struck(((55, 59, 62), (48, 52, 55)), bars),
        ("Bass", "bass_finger"): eighths((43, 36), bars),
    }
    return built("Apart", parts, BARS, bpm=100, clip_bars=BARS, key=Key("G"))


def test_timing_and_velocity_are_not_seen(palette: Palette) -> None:
    assert features_of(piece(late=0.05, velocity=40), palette) == features_of(piece(), palette)


def test_a_bar_that_comes_back_higher_is_a_sequence_and_no_return(palette: Palette) -> None:
    same, rising = features_of(piece(), palette), features_of(piece(up=1), palette)
    assert same is not None
    assert rising is not None
    assert same["tune.sequences"] == rising["tune.sequences"] == pytest.approx(1 - 1 / BARS)
    assert same["tune.different_bars"] < rising["tune.different_bars"]
    assert same["form.bars_2"] == 1
    assert rising["form.bars_2"] == 0


def test_an_accompaniment_is_measured_without_the_tune(palette: Palette) -> None:
    found = features_of(piece(), palette, sung=False)
    assert found is not None
    assert {name.partition(".")[0] for name in found} == {"bass", "harmony", "form"}


def corpora(dice: Random, middle: float) -> dict[str, list[dict[str, float]]]:
    return {corpus: [{"a": dice.gauss(middle, 1), "b": dice.gauss(0, 1)} for _ in range(30)] for corpus in "xyz"}


def test_alike_pieces_are_told_apart_by_chance_alone_and_unlike_ones_surely() -> None:
    dice = Random(1)
    pieces = [{"a": dice.gauss(0, 1), "b": dice.gauss(0, 1)} for _ in range(90)]
    assert accuracy(corpora(dice, 0), pieces, ["a", "b"]).mean == pytest.approx(0.5, abs=0.12)
    unlike = accuracy(corpora(dice, 6), pieces, ["a", "b"])
    assert unlike.mean > 0.95
    assert unlike.telling[0][0] == "a"


def test_few_pieces_of_ours_weigh_as_much_as_many_of_people() -> None:
    dice = Random(2)
    few = [{"a": dice.gauss(0, 1), "b": 0.0} for _ in range(9)]
    people = {corpus: [{"a": dice.gauss(0, 1), "b": 0.0} for _ in range(200)] for corpus in "xyz"}
    assert accuracy(people, few, ["a"]).mean < 0.75


def test_a_roll_shows_where_notes_begin_and_how_long_they_last(palette: Palette) -> None:
    song = piece()
    page = roll(song, by_instrument(song, palette), (1, 4), accents=False)
    assert "4 columns to the beat" in page
    assert "    B4 |      o-----    |      o-----    |" in page
    assert "lead\n" in page
    assert "Lead" not in page


def test_a_page_of_a_tune_names_no_instrument(palette: Palette) -> None:
    lead, piano, bass = (track.id for track in piece().tracks)
    names = [name for name, _ in by_voice(piece(), palette, lead, bass)]
    assert names == ["tune", "part 2", "bass"]
    assert by_voice(piece(), palette, lead, bass)[1] == ("part 2", [piano])


def test_notes_in_thirds_of_a_beat_have_columns_of_thirds(palette: Palette) -> None:
    thirds = [(67 + n % 5, n / 3, 1 / 3, 90) for n in range(12 * BARS)]
    song = piece(thirds)
    assert "3 columns to the beat" in roll(song, by_instrument(song, palette), (1, 4))


def test_a_chart_is_written_for_mma_with_a_groove_for_each_half() -> None:
    chart = Charted("swing", 150, 4, ("Swing", "SwingWalk"), (("C",), ("Dm7", "G7"), ("C",), ("C",)))
    assert chart.source.splitlines() == [
        "Tempo 150", "Time 4", "Groove Swing", "1 C / / /", "2 Dm7 / G7 /",
        "Groove SwingWalk", "3 C / / /", "4 C / / /",
    ]
    assert len(list(charts())) == 40


def test_a_piece_goes_through_a_file_without_its_names(palette: Palette) -> None:
    song = through_midi(piece(), palette)
    assert song.note_count == piece().note_count
    assert not song.chords


def test_answers_are_counted_for_ours_and_for_people() -> None:
    assert counted({"01": "A", "02": "B"}, {"01": "A", "02": "A", "99": "B"}) == "ours preferred 1 of 2"
    said = counted({"01": OURS, "02": PEOPLE, "03": OURS}, {"01": "person", "02": "program", "03": "program"})
    assert said == "ours taken for a person's 1 of 2, people taken for a person's 0 of 1"


def test_pages_are_taken_evenly() -> None:
    assert evenly(range(10), 4) == [0, 2, 5, 7]
    assert evenly(range(3), 4) == [0, 1, 2]


def test_without_pieces_by_people_it_is_said_which_packages_bring_some(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told_apart.main(["--share", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert "no piece by people was found" in told
    assert str(tmp_path) in told
    assert all(name in told for name in PACKAGES)
    assert "scores_as_midi.py" in told


def test_one_corpus_alone_is_not_enough_to_tell_apart(tmp_path: Path) -> None:
    told = told_apart.lacking(["chorales"], Library(tmp_path, tmp_path / "scores"))
    assert "only chorales has pieces" in told
    assert "write the listed scores" in told
