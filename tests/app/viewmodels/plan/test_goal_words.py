"""Goals, their calls and a repair's difference in words."""

from __future__ import annotations

import pytest

from agent.plan.plan import Inputs, Step
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.track import Track
from app.viewmodels.plan.goals import GoalCall, acceptance_words, calls_in, calls_words, limits_words
from app.viewmodels.plan.step_fields import input_changes

SONG = Song(
    name="One",
    tracks=(Track(TrackId("tpad"), "Pad", "pad_warm"), Track(TrackId("tbass"), "Bass", "bass_finger")),
)


def goal(tools: list[str], tracks: list[str], *, accept: object = False) -> Step:
    inputs = {"tools": tools, "tracks": tracks, "accept": accept}
    return Step("g", "work_on", inputs, by="model", goal="softer", max_edits=40)


@pytest.mark.parametrize(
    ("tools", "tracks", "said"),
    [
        (["modify_clip"], ["tpad"], "May modify clip on Pad and tracks that it makes, at most 40 edits."),
        (["modify_clip", "create_midi_clip"], [], "May modify clip or create MIDI clip on tracks that it makes, "
                                                  "at most 40 edits."),
        (["add_effect"], ["tbass", "{{s2.track_id}}", "master"],
         "May add effect on Bass, the track of step 4, the master effects and tracks that it makes, at most 40 edits."),
        (["a", "b", "c", "d", "e", "f"], ["tgone"],
         "May a, b, c, d or 2 more on tgone and tracks that it makes, at most 40 edits."),
        ([], [], "May do nothing on tracks that it makes, at most 40 edits."),
    ],
)
def test_limits_name_tools_tracks_and_the_most_edits(tools: list[str], tracks: list[str], said: str) -> None:
    assert limits_words(goal(tools, tracks), SONG, {"s2": 4}) == said


def test_many_tracks_are_counted() -> None:
    said = limits_words(goal(["modify_clip"], [f"t{n}" for n in range(9)]), None, {})
    assert "t4, t5, 3 more tracks and tracks that it makes" in said


def test_only_a_plain_yes_accepts_in_advance() -> None:
    assert "without another look" in acceptance_words(goal([], [], accept=True))
    for other in (False, None, "yes", "{{s1.accept}}", 1):
        assert "wait for your approval" in acceptance_words(goal([], [], accept=other))


def test_calls_are_counted_by_tool_and_those_refused_together() -> None:
    made = [GoalCall("modify_clip", ok) for ok in (True, True, False)] + [GoalCall("add_effect", True)]
    assert calls_words(made) == "4 calls: modify clip ×2, add effect, 1 refused"
    assert calls_words(()) == ""
    assert calls_words([GoalCall(f"t{n}", True) for n in range(7)]) == "7 calls: t0, t1, t2, t3, 3 other tools"
    assert calls_in({"calls": [{"tool": "a", "ok": False, "reason": "no"}, 7]}) == (GoalCall("a", False, "no"),)
    assert calls_in(None) == calls_in([1]) == ()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ({"bpm": 84}, {"bpm": 72.5}, [("Tempo, BPM", "84", "72.5")]),
        ({"volume_db": -3}, {"volume_db": -9}, [("Volume", "−3", "−9")]),
        ({"name": "Pad"}, {"name": "Pad", "mute": True}, [("Mute", "–", "on")]),
        ({"track_id": "tgone"}, {"track_id": "{{s1.track_id}}"}, [("Track", "tgone", "from step 1")]),
        ({"params": {"mix": 0.5, "decay": 2}}, {"params": {"mix": 0.5, "decay": 4}}, [("Decay", "2", "4")]),
        ({"notes": [1, 2]}, {"notes": [1]}, [("Notes", "2 entries", "1 entry")]),
        ({"notes": [1]}, {"notes": [2]}, [("Notes", "1 entry", "1 entry, others")]),
        ({"a": 1, "b": 2}, {"b": 2}, [("A", "1", "–")]),
        ({"a": 1}, {"a": 1}, []),
    ],
)
def test_a_difference_of_inputs_names_each_with_both_values(
    old: Inputs, new: Inputs, told: list[tuple[str, str, str]]
) -> None:
    assert [(one.label, one.was, one.now) for one in input_changes(old, new, {"s1": 1})] == told
