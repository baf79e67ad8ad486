"""The chords of a song at the command line: printed, set, asked about, compared and gone back from."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import CommandLine
from stages import with_sample


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return with_sample(tmp_path_factory.mktemp("chords") / "home", bpm=140)


def test_a_chart_is_set_told_compared_and_taken_back(stage: CommandLine, tmp_path: Path) -> None:
    heard = stage.ask("chords")
    assert not heard["stated"]
    assert all(0 < one["certainty"] <= 1 for one in heard["chords"])
    chart = tmp_path / "chart.cho"
    chart.write_text("{c: Verse}\n| Am7 | D7/F# G7(b9) |\n", encoding="utf-8")
    done = stage.ask("chords", "--file", str(chart), "--repeat")
    assert done["stated"]
    assert [one["symbol"] for one in done["chords"]][:4] == ["Am7", "D7/F#", "G7(b9)", "Am7"]
    assert {one["certainty"] for one in done["chords"]} == {1.0}
    assert "| Am7 | D7/F# G7(b9) |" in done["chart"]
    assert "states them" in stage.ask("ask", "what are the chords in the first two bars?")["answer"]
    versions = stage.ask("history")["iterations"]
    assert versions[0]["label"] == "Chords of a chart"
    changed = stage.ask("diff", versions[1]["id"], versions[0]["id"])
    assert changed["tracks"] == []
    stage.ask("restore", versions[1]["id"])
    assert not stage.ask("chords")["stated"]


def test_chords_that_are_set_stand_on_the_lead_sheet_and_the_song_follows_a_chart(
    stage: CommandLine, tmp_path: Path
) -> None:
    stage.ask("chords", "--set", "| F#m7 | B7sus4 |", "--repeat")
    sheet = Path(stage.ask("export", "leadsheet", "--out", str(tmp_path / "sheet"))["path"])
    text = sheet.read_text("utf-8")
    assert "sus4" in text
    chords = Path(stage.ask("export", "chordpro", "--out", str(tmp_path / "sheet"))["path"]).read_text("utf-8")
    assert "| F#m7 | B7sus4 |" in chords
    chart = tmp_path / "chart.txt"
    chart.write_text("Am for 2 bars\nF for 2 bars\n", encoding="utf-8")
    plan = stage.ask("plan", "use these chords", "--chart", str(chart))
    stated = next(step for step in plan["steps"] if step["tool"] == "set_chords")
    assert [one["c"] for one in stated["inputs"]["chords"]][:2] in (["Am", "Am"], ["Am", "F"])
    assert len(plan["steps"]) > 1
    assert stage.ask("chords")["chords"][0]["symbol"] == "F#m7"
    # what waits in the queue follows it as well, and does not write a piece instead of the song
    queued = stage.ask("plan", "use these chords", "--chart", str(chart), "--queue")
    assert queued["request"] == plan["request"]
    stage.ask("runs", "cancel", queued["run"])


@pytest.mark.parametrize(("words", "says"), [
    (("--set", "Am | Amm"), "did you mean Am"),
    (("--set", ""), "no chords"),
    (("--set", "5/4 Am"), "the song in 4/4"),
    (("--set", "Am", "--first", "999"), "no bar 999"),
    (("--set", "Am", "--file", "x"), "not from both"),
    (("--repeat",), "belong to"),
    (("--file", "nothing-there.txt"), "cannot read"),
])
def test_a_chart_that_cannot_be_set_changes_nothing(stage: CommandLine, words: tuple[str, ...], says: str) -> None:
    before = len(stage.ask("history")["iterations"])
    error = stage.refused(2, "chords", *words)
    assert says in " ".join(str(part) for part in error.values())
    assert len(stage.ask("history")["iterations"]) == before


@pytest.mark.parametrize(("chart", "says"), [
    ("[Verse]\n[Chorus]\n", "no chords"), ("| Am | Cmaj8 |\n", "did you mean Cmaj"), ("C " * 3_000, "too long"),
    ("x" * 10_000_000, "only the chart"), ("| Em | B | H7 |", "B flat"), ("\x00\x1b[31m|||", "no chord"),
])
def test_a_chart_file_that_cannot_be_read_says_what_is_wrong_and_what_to_do(
    stage: CommandLine, tmp_path: Path, chart: str, says: str
) -> None:
    path = tmp_path / "chart.txt"
    path.write_text(chart, encoding="utf-8")
    error = stage.refused(2, "plan", "a pop song", "--chart", str(path))
    assert says in " ".join(str(part) for part in error.values())
    assert error["try"]


def test_a_chart_of_hostile_bytes_is_one_error(stage: CommandLine, tmp_path: Path) -> None:
    chart = tmp_path / "chart.txt"
    chart.write_bytes(b"\xff\xfe\x00C | G\x00" * 100)
    assert "not a text" in stage.refused(2, "chords", "--file", str(chart))["what"]
