"""The song service: its schemas, the edits it makes, the ids it gives, and what it answers."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, get_args

import msgspec
import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from songs import edits, songs
from studio_parts import BASS, CHORDS, PAD, REVERB, RIFF, a_song, beats, the_palette

from agent.errors import BandleaderError
from agent.plan.inputs import BadInput, read_inputs
from agent.services.service import Call, Origin, Outcome
from agent.services.song_edits import EDIT_KINDS, tool_name
from agent.services.song_service import SongService
from agent.song import edits as e
from agent.song.apply import apply, apply_all
from agent.song.changes import compare
from agent.song.errors import SongError
from agent.song.rules import check
from agent.song.song import Song
from agent.song.time import UNIT_BEATS

SERVICE = SongService(the_palette())
TOOLS = {tool.name: tool for tool in SERVICE.tools}
DESIGNED = [
    "create_track",
    "update_track",
    "delete_track",
    "duplicate_track",
    "create_midi_clip",
    "modify_clip",
    "transform_clip",
    "duplicate_clip",
    "split_clip",
    "delete_clip",
    "add_effect",
    "update_effect",
    "remove_effect",
    "set_automation",
    "set_tempo",
    "set_time_signature",
    "set_key",
    "add_section",
    "update_section",
    "delete_section",
    "get_song",
    "get_track",
    "find_tracks",
    "list_instruments",
    "list_effects",
    "describe_song",
]
ORIGIN = Origin("hash", "s1")


def ask(tool: str, song: Song | None = None, origin: Origin = ORIGIN, **inputs: Any) -> Outcome:
    return SERVICE.foresee(Call(tool, inputs, song or a_song(), origin))


def as_inputs(value: Any, schema: dict[str, Any]) -> Any:
    """An edit's field as a tool takes it: times in beats, made ids left out."""
    for inner in schema.get("anyOf", ()):
        if inner.get("type") != "null" and value is not None:
            return as_inputs(value, inner)
    if schema.get("unit") == UNIT_BEATS and value is not None:
        return value / 960
    if isinstance(value, dict) and "properties" in schema:
        return {name: as_inputs(value[name], inner) for name, inner in schema["properties"].items() if name in value}
    if isinstance(value, list):
        return [as_inputs(inner, schema["items"]) for inner in value]
    return value


def test_every_tool_of_the_design_exists_and_every_edit_has_one() -> None:
    assert set(DESIGNED) <= TOOLS.keys()
    for kind in get_args(e.Edit):
        tool = TOOLS[tool_name(kind)]
        assert tool.changes_song
        assert tool.about
        assert tool.inputs["type"] == "object"


@pytest.mark.parametrize("name", sorted(EDIT_KINDS))
def test_no_tool_takes_the_id_of_what_it_makes(name: str) -> None:
    made = {
        "create_track": "track_id",
        "create_midi_clip": "clip_id",
        "add_effect": "effect_id",
        "add_section": "section_id",
        "duplicate_track": "new_track_id",
        "duplicate_clip": "new_clip_id",
        "split_clip": "new_clip_id",
    }
    assert made.get(name) not in TOOLS[name].inputs["properties"]
    assert "edit" not in TOOLS[name].inputs["properties"]
    assert "$ref" not in str(TOOLS[name].inputs)
    if "notes" in TOOLS[name].inputs["properties"]:
        assert "id" not in str(TOOLS[name].inputs["properties"]["notes"])


@settings(max_examples=examples(200))
@given(songs(), st.data())
def test_an_edit_written_as_inputs_is_accepted_by_its_own_schema_and_does_the_same(
    song: Song, data: st.DataObject
) -> None:
    edit = data.draw(edits(song))
    name = tool_name(type(edit))
    inputs = as_inputs(msgspec.json.decode(msgspec.json.encode(edit)), TOOLS[name].inputs)
    read = read_inputs(TOOLS[name].inputs, inputs)
    for field, value in msgspec.json.decode(msgspec.json.encode(edit)).items():
        if field in TOOLS[name].inputs["properties"] and not isinstance(value, list):
            assert read[field] == value


def test_made_ids_come_from_the_origin_alone() -> None:
    def made(origin: Origin) -> str:
        return str(ask("create_track", name="x", instrument="piano_grand", origin=origin).result["track_id"])

    origins = [Origin("h", "s1"), Origin("h", "s2"), Origin("g", "s1"), Origin("h", "s1", 0), Origin("h", "s1", 1)]
    assert len({made(origin) for origin in origins}) == len(origins)
    assert made(Origin("h", "s1")) == made(Origin("h", "s1", run="another run"))
    for tool, inputs, field in (
        ("duplicate_track", {"track_id": BASS}, "track_id"),
        ("duplicate_clip", {"clip_id": RIFF}, "clip_id"),
        ("split_clip", {"clip_id": RIFF, "at_time": 4}, "clip_id"),
        ("add_section", {"name": "B", "start_time": 0, "duration": 4}, "section_id"),
        ("add_effect", {"track_id": BASS, "effect_name": "delay"}, "effect_id"),
    ):
        outcome = ask(tool, **inputs)
        assert outcome.result[field] in msgspec.json.encode(outcome.edits).decode()
        assert outcome.result[field] not in (BASS, RIFF)
        apply_all(a_song(), outcome.edits)


def replaced(*notes: dict[str, Any], **more: Any) -> Song:
    return apply_all(a_song(), ask("modify_clip", clip_id=RIFF, notes=list(notes), **more).edits)


def counts(song: Song) -> tuple[int, int, int]:
    [track] = compare(a_song(), song).tracks
    return track.notes_added, track.notes_removed, track.notes_moved


def test_a_replaced_note_keeps_the_id_of_an_equal_or_near_one_so_that_it_has_moved() -> None:
    song = replaced(
        {"n": 40, "s": 0, "d": 2},
        {"n": 43, "s": 4.5, "d": 1},
        {"n": 45, "s": 8, "d": 2, "v": 90},
        {"n": 40, "s": 9, "d": 1},
    )
    assert counts(song) == (1, 1, 2), "one longer, one later, one gone far away, one as it was"


def test_two_notes_never_keep_the_same_id() -> None:
    song = replaced(
        {"n": 40, "s": 0, "d": 1}, {"n": 40, "s": 0, "d": 1}, {"n": 40, "s": 0.25, "d": 1}, {"n": 40, "s": 14.5, "d": 1}
    )
    _, clip = song.clip(RIFF)
    assert len({note.id for note in clip.notes}) == 4
    assert counts(song)[0] == 2


def test_thousands_of_shifted_drum_hits_are_matched_without_delay() -> None:
    hits = [{"n": 42, "s": i / 64, "d": 1 / 64} for i in range(8000)]
    song = apply_all(a_song(), ask("modify_clip", clip_id=RIFF, duration=130, notes=hits).edits)
    late = [{**hit, "s": hit["s"] + 0.005} for hit in hits]
    after = apply_all(song, ask("modify_clip", song, clip_id=RIFF, notes=late).edits)
    [track] = compare(song, after).tracks
    assert (track.notes_added, track.notes_removed, track.notes_moved) == (0, 0, 8000)


def test_a_note_may_leave_its_clip_by_one_tick_of_rounding_and_not_more() -> None:
    def clip(end: float) -> e.Edit:
        return ask(
            "create_midi_clip", track_id=BASS, start_time=0, duration=4, notes=[{"n": 60, "s": 3, "d": end - 3}]
        ).edits[0]

    rounded = clip(4 + 1 / 960)
    assert isinstance(rounded, e.CreateMidiClip)
    assert rounded.notes[0].s + rounded.notes[0].d == beats(4)
    apply(a_song(), rounded)
    with pytest.raises(SongError, match="leaves its clip"):
        apply(a_song(), clip(4 + 2 / 960))


@pytest.mark.parametrize(
    ("tool", "inputs", "words"),
    [
        ("create_track", {"name": "x", "instrument": "pad_worm"}, "pad_warm"),
        ("update_track", {"track_id": BASS, "instrument": "kazoo"}, "no instrument called 'kazoo'"),
        ("add_effect", {"track_id": BASS, "effect_name": "reverbb"}, "did you mean reverb"),
        ("add_effect", {"track_id": BASS, "effect_name": "reverb", "params": {"size": 1}}, "no parameter 'size'"),
        ("add_effect", {"track_id": BASS, "effect_name": "reverb", "params": {"mix": 2}}, "between 0 and 1"),
        ("update_effect", {"effect_id": REVERB, "params": {"mix": -1}}, "between 0 and 1"),
        ("update_effect", {"effect_id": REVERB, "params": {"time": 1}}, "no parameter 'time'"),
        ("modify_clip", {"clip_id": "cnope"}, "no clip 'cnope'"),
        ("get_track", {"track_id": ["tbass"]}, "must be a text"),
        ("get_track", {}, "missing"),
        ("find_tracks", {"family": "kazoos"}, "choose one of"),
        ("get_song", {"x": 1}, "unknown"),
    ],
)
def test_what_the_palette_or_the_song_does_not_have_is_refused_helpfully(
    tool: str, inputs: dict[str, Any], words: str
) -> None:
    with pytest.raises((BadInput, SongError)) as refusal:
        apply_all(a_song(), ask(tool, **inputs).edits)
    assert words in f"{refusal.value.what} {refusal.value.why} {refusal.value.advice}"


def test_a_new_effect_has_all_its_settings() -> None:
    [edit] = ask("add_effect", track_id=BASS, effect_name="reverb", params={"mix": 0.5}).edits
    assert isinstance(edit, e.AddEffect)
    assert edit.params == {"room_size": 0.5, "damping": 0.5, "width": 1.0, "mix": 0.5}


@pytest.mark.parametrize(
    ("tool", "inputs"),
    [
        ("get_song", {}),
        ("get_track", {"track_id": PAD}),
        ("find_tracks", {"name": "a"}),
        ("find_tracks", {"family": "drums"}),
        ("list_instruments", {}),
        ("list_instruments", {"family": "pad"}),
        ("list_effects", {}),
        ("describe_song", {}),
    ],
)
def test_answers_fit_their_own_result_schemas_and_change_nothing(tool: str, inputs: dict[str, Any]) -> None:
    for song in (a_song(), Song()):
        if tool == "get_track" and not song.tracks:
            continue
        outcome = ask(tool, song, **inputs)
        assert outcome.edits == ()
        assert msgspec.json.decode(msgspec.json.encode(outcome.result)) == outcome.result
        read_inputs(TOOLS[tool].result, outcome.result)


def test_answers_speak_in_beats_and_name_what_a_plan_needs() -> None:
    view = ask("get_song").result
    assert [track["name"] for track in view["tracks"]] == ["Bass", "Pad", "Drums"]
    assert (view["bars"], view["beats"], view["bpm"], view["meter"]) == (8, 32, 120, "4/4")
    detail = ask("get_track", track_id=PAD).result
    [clip] = detail["clips"]
    assert (clip["clip_id"], clip["start_time"], [note["n"] for note in clip["notes"]]) == (CHORDS, 16, [60, 64, 67])
    drums = ask("find_tracks", family="drums").result["items"]
    assert [track["name"] for track in drums] == ["Drums"]
    assert [track["name"] for track in ask("find_tracks", name="BAS").result["items"]] == ["Bass"]
    assert ask("find_tracks", name="BAS", family="drums").result["items"] == []


@settings(max_examples=examples(300))
@given(st.sampled_from(sorted(TOOLS)), st.data())
def test_any_inputs_are_done_or_refused_clearly(tool: str, data: st.DataObject) -> None:
    scalar = (
        st.none()
        | st.booleans()
        | st.integers(-10, 300)
        | st.floats()
        | st.sampled_from([BASS, RIFF, REVERB, "x", "master"])
    )
    value = scalar | st.lists(scalar, max_size=2) | st.dictionaries(st.sampled_from(["n", "s", "d", "mix"]), scalar)
    schema = TOOLS[tool].inputs
    inputs = {name: data.draw(value) for name in schema["properties"]}
    kept = {name: inputs[name] for name in inputs if name in schema["required"] or data.draw(st.booleans())}
    with suppress(BandleaderError):
        check(apply_all(a_song(), ask(tool, **kept).edits))
