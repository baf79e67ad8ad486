"""The request of the seeds: "more ambient and atmospheric", on a song made by hand and on a composed one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commandline import CommandLine
from listening import centroid, loudest_second
from stages import copied, families, notes_of, song_tools, with_sample

from agent.plan.decision import Reject
from agent.plan.document import Plan
from agent.review.decide import decided
from agent.review.preview import preview
from agent.song.song import Song

REQUEST = "Recompose this sequence to be more ambient and atmospheric"
BAR = 4 * 960
BEGINNINGS = ("a sample made by hand", "a composed song")


@dataclass(frozen=True)
class Recomposed:
    """The song before and after, and what the command said."""

    command_line: CommandLine = field(repr=False)
    document: dict[str, Any] = field(repr=False)
    before: Song = field(repr=False)
    after: Song = field(repr=False)
    sound_before: Path

    @property
    def plan(self) -> Plan:
        """The plan that ran."""
        return msgspec.convert(self.document["plan"], Plan)


@pytest.fixture(scope="module", params=BEGINNINGS)
def recomposed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recomposed:
    home = tmp_path_factory.mktemp("ambient") / "home"
    if request.param == BEGINNINGS[0]:
        command_line = with_sample(home)
        sound = command_line.ask("export", "wav")["path"]
    else:
        command_line = CommandLine(home)
        words = ("compose", "a lively pop song in G major at 120 BPM, 8 bars", "--yes", "--seed", "4")
        sound = command_line.ask(*words)["files"]["wav"]
    before = command_line.song()
    [project] = command_line.ask("projects")["projects"]
    document = command_line.ask("compose", REQUEST, "--project", project["name"], "--yes", "--seed", "4")
    return Recomposed(command_line, document, before, command_line.song(), Path(sound))


def test_all_rows_run(recomposed: Recomposed) -> None:
    document = recomposed.document
    assert document["state"] == "COMPLETED"
    assert document["approved"] == document["done"] >= 14
    assert all(one["met"] for one in document["measured"])
    assert {"tempo", "onsets_per_bar", "pad_share"} <= {one["measure"] for one in document["measured"]}


def test_what_ran_is_what_the_ghost_showed(recomposed: Recomposed) -> None:
    plan = recomposed.plan
    ghost = preview(plan, plan.hash, recomposed.before, song_tools())
    assert ghost.song == recomposed.after


def test_each_row_is_needed(recomposed: Recomposed) -> None:
    plan, tools = recomposed.plan, song_tools()
    for step in plan.steps:
        rest = decided(plan, [Reject(step.id)])
        without = preview(rest, plan.hash, recomposed.before, tools).song
        assert without != recomposed.after, f"{step.id} {step.title} changes nothing"


def test_no_two_rows_could_be_one(recomposed: Recomposed) -> None:
    objects = Counter(edited(step.tool, step.inputs, f"{{{{{step.id}.") for step in recomposed.plan.steps)
    assert [name for name, count in objects.items() if count > 1] == []
    gone = {name for kind, name in objects if kind == "delete_track"}
    assert not gone & {name for kind, name in objects if kind != "delete_track"}


def edited(tool: str, inputs: dict[str, Any], own: str) -> tuple[str, str]:
    """The object whose own values a row sets: what it makes, or what it names."""
    match tool:
        case "modify_clip" | "transform_clip" | "delete_clip":
            return "clip", inputs["clip_id"]
        case "create_midi_clip":
            return "clip", f"{own}clip_id}}}}"
        case "update_track":
            return "track", inputs["track_id"]
        case "delete_track":
            return "delete_track", inputs["track_id"]
        case "create_track":
            return "track", f"{own}track_id}}}}"
        case "update_effect" | "remove_effect":
            return "effect", inputs["effect_id"]
        case "add_effect":
            return "effect", f"{own}effect_id}}}}"
        case "set_automation":
            return "lane", f"{inputs['track_id']} {inputs['target']}"
        case "set_tempo" | "set_time_signature":
            return tool, str(inputs.get("at_beat", 0))
        case _:
            return tool, str(inputs.get("section_id", ""))


def test_every_new_track_has_notes_and_sounds(recomposed: Recomposed, tmp_path: Path) -> None:
    old = {track.id for track in recomposed.before.tracks}
    made = [track for track in recomposed.after.tracks if track.id not in old]
    assert made
    assert all(track.note_count and not track.mute for track in made)
    stems = Path(recomposed.command_line.ask("export", "stems", "--out", str(tmp_path / "stems"))["path"])
    levels = {stem.name: round(loudest_second(stem), 1) for stem in stems.iterdir()}
    assert len(levels) == len(recomposed.after.tracks)
    assert min(levels.values()) > -50, levels


def test_it_is_sparser_longer_and_without_a_beat(recomposed: Recomposed) -> None:
    before, after = recomposed.before, recomposed.after
    assert len(list(notes_of(after))) / after.bars <= 0.6 * len(list(notes_of(before))) / before.bars
    assert mean_length(after) >= 2 * mean_length(before)
    assert hits(after) <= 0.3 * hits(before)
    assert hits(before) > 0


def mean_length(song: Song) -> float:
    """Ticks of a pitched note."""
    tracks = [one for family, ids in families(song).items() if family not in ("drums", "percussion") for one in ids]
    lengths = [end - start for _, _, start, end, _ in notes_of(song, *tracks)]
    return sum(lengths) / len(lengths)


def hits(song: Song) -> int:
    """Notes of drums and percussion."""
    found = families(song)
    tracks = [*found.get("drums", []), *found.get("percussion", [])]
    return len(list(notes_of(song, *tracks))) if tracks else 0


def test_a_pad_lies_under_it(recomposed: Recomposed) -> None:
    after = recomposed.after
    pads = families(after)["pad"]
    covered = set()
    for _, _, start, end, _ in notes_of(after, *pads):
        for bar in range(start // BAR, (end - 1) // BAR + 1):
            if min(end, (bar + 1) * BAR) - max(start, bar * BAR) >= BAR / 2:
                covered.add(bar)
    assert len(covered) >= 0.7 * after.bars


def test_the_key_is_kept(recomposed: Recomposed) -> None:
    assert recomposed.after.key == recomposed.before.key
    scale = {(9, 11, 0, 2, 4, 5, 7), (7, 9, 11, 0, 2, 4, 6)}
    [inside] = [one for one in scale if one[0] == {"A minor": 9, "G major": 7}[str(recomposed.after.key)]]
    fits = [pitch % 12 in inside for _, pitch, *_ in notes_of(recomposed.after)]
    assert sum(fits) / len(fits) >= 0.95


def test_it_sounds_darker(recomposed: Recomposed) -> None:
    assert centroid(Path(recomposed.document["files"]["wav"])) < centroid(recomposed.sound_before)


def test_both_versions_are_kept(recomposed: Recomposed) -> None:
    newest, older, *_ = recomposed.command_line.ask("history")["iterations"]
    assert newest["message"] == REQUEST
    assert newest["parent"] == older["id"]
    assert recomposed.command_line.song(older["id"]) == recomposed.before


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return with_sample(tmp_path_factory.mktemp("locks") / "home")


def recompose_locked(sample: CommandLine, home: Path, lock: str) -> tuple[dict[str, Any], Song, Song]:
    """Plan with a lock, approve the file by its hash, run: the document, the song before and after."""
    command_line = copied(sample, home)
    before, plan = command_line.song(), home / "locked.json"
    shown = command_line.ask("plan", REQUEST, "--lock", lock, "--seed", "9", "--out", str(plan))
    document = command_line.ask("run", str(plan), "--approve", shown["hash"])
    assert document["state"] == "COMPLETED"
    assert document["done"] >= 14
    [proof] = document["locks"]
    assert proof["equal"] is True
    assert proof["before"] == proof["after"]
    return document, before, command_line.song()


@pytest.mark.parametrize("name", ["Lead", "drums"])
def test_a_locked_track_stays_to_the_byte(sample: CommandLine, tmp_path: Path, name: str) -> None:
    document, before, after = recompose_locked(sample, tmp_path / "home", name)
    assert document["locks"][0]["target"].casefold() == f"track {name}".casefold()
    was, now = (
        [msgspec.json.encode(track) for track in song.tracks if track.name.casefold() == name.casefold()]
        for song in (before, after)
    )
    assert was == now
    assert len(was) == 1
    assert before.tracks != after.tracks


def test_locked_bars_stay_to_the_byte(sample: CommandLine, tmp_path: Path) -> None:
    document, before, after = recompose_locked(sample, tmp_path / "home", "bars:5-8")
    assert document["locks"][0]["target"] == "bars 5-8"
    was, now = (inside(song, 5, 8) for song in (before, after))
    assert was == now
    assert was
    assert [inside(before, 1, 4), inside(before, 9, 16)] != [inside(after, 1, 4), inside(after, 9, 16)]


def inside(song: Song, first: int, last: int) -> list[Any]:
    """Notes that start in these bars."""
    return sorted(note for note in notes_of(song) if (first - 1) * BAR <= note[2] < last * BAR)


def test_only_what_is_named_changes_and_the_run_proves_it(sample: CommandLine, tmp_path: Path) -> None:
    command_line = copied(sample, tmp_path / "home")
    before, plan = command_line.song(), tmp_path / "home" / "only.json"
    request = "transpose the lead up an octave"
    shown = command_line.ask("plan", request, "--only", "Lead", "--only", "bars:5-8", "--seed", "9", "--out", str(plan))
    lead = next(track for track in before.tracks if track.name == "Lead")
    assert shown["fence"] == {"tracks": [lead.id], "clips": [], "bars": [5, 8], "allows_new_tracks": False}
    document = command_line.ask("run", str(plan), "--approve", shown["hash"])
    assert (document["fence"]["target"], document["fence"]["equal"]) == ("Lead, bars 5-8", True)
    after = command_line.song()
    assert [track for track in after.tracks if track.id != lead.id] == [t for t in before.tracks if t.id != lead.id]
    assert inside(after, 1, 4) == inside(before, 1, 4)
    assert inside(after, 5, 8) != inside(before, 5, 8)
