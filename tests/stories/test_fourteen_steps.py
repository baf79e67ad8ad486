"""The journey of the first seed: a plan of fourteen steps, of which all fourteen run, visibly."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import mido
import pytest
from commandline import CommandLine
from stages import notes_of, with_sample

from agent.song.song import Song

REQUEST = "Recompose this sequence to be more ambient and atmospheric"


def held(*pitches: int, velocity: int = 60) -> list[dict[str, Any]]:
    """Each pitch held for eight beats."""
    return [{"n": pitch, "s": 8 * place, "d": 8, "v": velocity} for place, pitch in enumerate(pitches)]


def fourteen(song: Song) -> list[dict[str, Any]]:
    """The steps that the seed tells of: one clip, one instrument, then new tracks, clips and effects.

    References are written as the seed writes them.
    """
    clip = next(clip for track, clip in song.clips() if clip.name == "Lead 1")
    lead = next(track for track in song.tracks if track.name == "Lead")
    rows: list[tuple[str, dict[str, Any]]] = [
        ("modify_clip", {"clip_id": clip.id, "notes": held(76, 72, 79, 74), "name": "Lead, held"}),
        ("update_track", {"track_id": lead.id, "instrument": "pad_warm", "volume_db": -10}),
        ("create_track", {"name": "Deep pad", "instrument": "pad_halo"}),
        ("create_midi_clip", {"track_id": "[from Step 3]", "start_time": 0, "duration": 64,
                              "notes": held(57, 53, 60, 55, 57, 53, 60, 55)}),
        ("add_effect", {"track_id": "[from Step 3]", "effect_name": "reverb", "params": {"mix": 0.5}}),
        ("create_track", {"name": "Shimmer", "instrument": "fx_atmosphere", "pan": 0.4}),
        ("create_midi_clip", {"track_id": "{{s6.track_id}}", "start_time": 32, "duration": 32,
                              "notes": held(81, 88, 84, 83, velocity=40)}),
        ("add_effect", {"track_id": "{{s6.track_id}}", "effect_name": "delay", "params": {"time": 0.75}}),
        ("create_track", {"name": "Drone", "instrument": "bass_sub"}),
        ("create_midi_clip", {"track_id": "step 9's track", "start_time": 0, "duration": 64, "notes": held(33, 33)}),
        ("add_effect", {"track_id": "{{s9.track_id}}", "effect_name": "lowpass", "params": {"cutoff": 400}}),
        ("set_automation", {"track_id": "{{s3.track_id}}", "target": "volume_db",
                            "points": [{"at": 0, "value": -20}, {"at": 16, "value": 0}]}),
        ("set_tempo", {"bpm": 76}),
        ("add_effect", {"track_id": "master", "effect_name": "reverb", "params": {"mix": 0.2}}),
    ]
    return [
        {"id": f"s{number}", "tool": tool, "title": f"Step {number}", "inputs": inputs}
        for number, (tool, inputs) in enumerate(rows, 1)
    ]


@dataclass(frozen=True)
class Journey:
    """Before, after and the command's words."""

    command_line: CommandLine = field(repr=False)
    steps: list[dict[str, Any]] = field(repr=False)
    document: dict[str, Any] = field(repr=False)
    before: Song = field(repr=False)
    after: Song = field(repr=False)


@pytest.fixture(scope="module")
def journey(tmp_path_factory: pytest.TempPathFactory) -> Journey:
    command_line = with_sample(tmp_path_factory.mktemp("fourteen") / "home")
    before = command_line.song()
    steps = fourteen(before)
    document = command_line.carry_out(steps, name="fourteen", request=REQUEST)
    return Journey(command_line, steps, document, before, command_line.song())


def test_all_fourteen_are_executed(journey: Journey) -> None:
    document = journey.document
    assert (document["state"], document["approved"], document["done"]) == ("COMPLETED", 14, 14)
    assert [action["id"] for action in document["actions_executed"]] == [f"s{number}" for number in range(1, 15)]
    assert [action["tool"] for action in document["actions_executed"]] == [step["tool"] for step in journey.steps]
    assert all(isinstance(action["result"], dict) for action in document["actions_executed"])


def test_the_changes_are_visible(journey: Journey) -> None:
    before, after = journey.before, journey.after
    added = {track.name: track for track in after.tracks if track.name not in {one.name for one in before.tracks}}
    assert set(added) == {"Deep pad", "Shimmer", "Drone"}
    assert [len(track.clips) for track in added.values()] == [1, 1, 1]
    effects = [[effect.name for effect in track.effects] for track in added.values()]
    assert effects == [["reverb"], ["delay"], ["lowpass"]]
    assert [lane.target for lane in added["Deep pad"].automation] == ["volume_db"]
    lead = next(track for track in after.tracks if track.name == "Lead")
    assert (lead.instrument, lead.volume_db) == ("pad_warm", -10)
    assert [(pitch, end - start) for _, pitch, start, end, _ in notes_of(after, lead.id)][:4] == [
        (76, 8 * 960), (72, 8 * 960), (79, 8 * 960), (74, 8 * 960),
    ]
    assert after.tempos[0].bpm == 76
    assert [effect.name for effect in after.master_effects] == ["reverb"]
    untouched = [track for track in before.tracks if track.name != "Lead"]
    assert [track for track in after.tracks if track in untouched] == untouched


def test_it_is_one_iteration_with_its_story(journey: Journey) -> None:
    newest, older, *_ = journey.command_line.ask("history")["iterations"]
    assert newest["id"] == journey.document["iteration"]
    assert (newest["source"], newest["message"], newest["actions"]) == ("ai_iteration", REQUEST, 14)
    assert newest["parent"] == older["id"]
    assert newest["run"] == journey.document["run"]
    [(kind,)] = journey.command_line.rows(
        "SELECT object.kind FROM iteration JOIN object ON object.hash = iteration.plan WHERE iteration.id = ?",
        newest["id"],
    )
    assert kind == "text"


def test_the_events_tell_of_every_step(journey: Journey) -> None:
    shown = journey.command_line.ask("runs", "show", journey.document["run"], "--events")
    events = shown["events"]
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    done = [event["step"] for event in events if event["kind"] == "STEP_DONE"]
    assert done == [f"s{number}" for number in range(1, 15)]
    frame = [event["kind"] for event in events if not event["kind"].startswith("STEP_")]
    assert frame == [
        "RUN_CREATED", "PLAN_GENERATED", "PLAN_APPROVED", "RUN_STARTED", "EXECUTING", "ITERATION_SAVED",
        "RUN_COMPLETED",
    ]


def test_it_is_in_the_diff_and_in_the_file(journey: Journey) -> None:
    newest, older, *_ = journey.command_line.ask("history")["iterations"]
    diff = journey.command_line.ask("diff", older["id"], newest["id"])
    changes = {track["track"]: track["change"] for track in diff["tracks"]}
    assert changes == {"Lead": "changed", "Deep pad": "added", "Shimmer": "added", "Drone": "added"}
    path = journey.command_line.ask("export", "mid")["path"]
    names = [track.name for track in mido.MidiFile(path).tracks]
    assert names[1:] == ["Drums", "Bass", "Chords", "Lead", "Deep pad", "Shimmer", "Drone"]


def test_sloppy_references_are_shown_as_they_were_understood(journey: Journey) -> None:
    command_line, path = journey.command_line, journey.command_line.home / "plan.json"
    steps = [
        {"id": "a", "tool": "create_track", "inputs": {"name": "New", "instrument": "pad_warm"}},
        {"id": "b", "tool": "create_midi_clip",
         "inputs": {"track_id": "[from Step 1]", "start_time": 0, "duration": 4, "notes": held(60)[:1]}},
    ]
    steps[1]["inputs"]["notes"][0]["d"] = 4
    command_line.plan_file(steps)
    plan = command_line.ask("plan", "--file", str(path))
    assert plan["steps"][1]["inputs"]["track_id"] == "{{a.track_id}}"
    assert len(plan["normalised"]) == 1
