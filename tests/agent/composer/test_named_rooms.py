"""Rooms by their names: what is asked to sound in a church, a hall or a small room does, and nothing else."""

from __future__ import annotations

import pytest

from agent.song.song import Song
from agent.song.track import Effect
from agent.theory.rooms import ROOMS
from tests.agent.composer.conftest import Bench


def rooms(effects: tuple[Effect, ...]) -> list[float]:
    return [dict(one.params)["seconds"] for one in effects if one.name == "room"]


def on_tracks(song: Song) -> dict[str, list[float]]:
    return {track.instrument: found for track in song.tracks if (found := rooms(track.effects))}


@pytest.mark.parametrize(
    ("request_", "room"),
    [
        ("put it in a church", "church"), ("make it sound like it was played in a concert hall", "hall"),
        ("in a cathedral", "cathedral"), ("hall reverb on everything", "hall"),
        ("put it in a small room", "small room"),
    ],
)
def test_the_whole_mix_stands_in_the_room_that_is_named(
    bench: Bench, sample: Song, request_: str, room: str
) -> None:
    after = bench.song(bench.draft(request_, sample), sample)
    assert rooms(after.master_effects) == [ROOMS[room]["seconds"]]  # type: ignore[index]
    assert after.tracks == sample.tracks


@pytest.mark.parametrize(
    ("request_", "room"),
    [
        ("small room on the drums", "small room"), ("put the drums in a big hall", "hall"),
        ("church reverb on the drums", "church"),
    ],
)
def test_a_part_stands_in_the_room_that_is_named_and_its_reverb_goes(
    bench: Bench, sample: Song, request_: str, room: str
) -> None:
    after = bench.song(bench.draft(request_, sample), sample)
    kit = next(track for track in sample.tracks if track.instrument.startswith("kit_"))
    changed = {track.id for track, was in zip(after.tracks, sample.tracks, strict=True) if track != was}
    assert changed == {kit.id}
    effects = after.track(kit.id).effects
    assert rooms(effects) == [ROOMS[room]["seconds"]]  # type: ignore[index]
    assert not any(one.name == "reverb" for one in effects)
    assert after.master_effects == sample.master_effects


def test_another_room_takes_the_place_of_the_first(bench: Bench, sample: Song) -> None:
    first = bench.song(bench.draft("small room on the drums", sample), sample)
    after = bench.song(bench.draft("put the drums in a cathedral", first), first)
    assert list(on_tracks(after).values()).count([ROOMS["cathedral"]["seconds"]]) == 1
    assert [ROOMS["small room"]["seconds"]] not in on_tracks(after).values()


def test_a_room_in_some_bars_is_dry_elsewhere(bench: Bench, sample: Song) -> None:
    after = bench.song(bench.draft("church reverb on the drums in bars 3-4", sample), sample)
    kit = next(track for track in after.tracks if track.instrument.startswith("kit_"))
    lane = next(lane for lane in kit.automation if lane.target.endswith(".mix"))
    start, _ = after.bar_map.span(3, 4)
    assert (lane.curve, lane.points[0].at, lane.points[0].value) == ("hold", start, ROOMS["church"]["mix"])
    assert [dict(one.params)["mix"] for one in kit.effects if one.name == "room"] == [0]


@pytest.mark.parametrize(
    ("request_", "room"),
    [
        ("a techno track in a church, 8 bars", "church"),
        ("a string quartet with cathedral reverb, 8 bars", "cathedral"),
        ("a trance piece recorded in a cave, 8 bars", "cave"),
    ],
)
def test_a_new_piece_stands_in_the_room_that_is_named(bench: Bench, request_: str, room: str) -> None:
    assert ROOMS[room]["seconds"] in rooms(bench.compose(request_).master_effects)  # type: ignore[index]


@pytest.mark.parametrize("request_", [
    "a techno track to play in the club, 8 bars", "music for a church service, techno, 8 bars",
    "a trance piece about an old church, 8 bars",
])
def test_a_place_that_is_an_occasion_is_no_room(bench: Bench, request_: str) -> None:
    song = bench.compose(request_)
    assert not rooms(song.master_effects)
    assert not on_tracks(song)


def test_what_sounds_too_much_like_a_room_gets_drier(bench: Bench, sample: Song) -> None:
    wet = bench.song(bench.draft("church reverb on the drums", sample), sample)
    after = bench.song(bench.draft("the drums sound too much like in a church", wet), wet)
    before, now = on_tracks(wet), on_tracks(after)
    kit = next(track for track in wet.tracks if track.instrument.startswith("kit_"))
    assert kit.instrument in before
    mixes = [dict(one.params)["mix"] for one in after.track(kit.id).effects if one.name == "room"]
    assert all(mix < ROOMS["church"]["mix"] for mix in mixes), now


def test_acoustic_styles_stand_in_a_room(bench: Bench) -> None:
    for style in bench.styles.styles:
        uses = [*style.master, *(use for part in style.parts for use in part.effects)]
        found = [use.params["mix"] for use in uses if use.effect == "room"]
        assert all(mix <= 0.35 for mix in found), style.name
        assert found or style.character is None or style.character.acoustic < 0.8, style.name
