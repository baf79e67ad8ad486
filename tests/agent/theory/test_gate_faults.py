"""Faults planted in composed songs: each is found by its own rule, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from awaiting import result_of
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agent.composer.composer import Composer
from agent.plan.document import Plan
from agent.plan.plan import Ask
from agent.plan.planning import Brief, DraftReady
from agent.review.asked import met
from agent.review.review import review
from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.song.clip import Clip, Note, in_order
from agent.song.key import Key
from agent.song.song import Song
from agent.song.time import TempoChange, Ticks
from agent.song.track import Track
from agent.theory.gate import findings
from agent.theory.pitch import usual_tonic
from agent.theory.sounding import family_tracks, kit_tracks, percussive_tracks
from app.services.library_files import read_palette
from app.services.style_files import read_styles, read_vocabulary

RESOURCES = Path(__file__).parents[3] / "resources"
PALETTE = read_palette(RESOURCES)
STYLES = ("house", "jazz", "lofi", "pop", "synthwave", "trap")


@cache
def composed(style: str) -> Song:
    """A piece of a style, with drums and bass."""
    registry = Registry([SongService(PALETTE)])
    request = f"compose a {style} piece at 100 bpm in D minor with drums and bass"
    brief = Brief(request, Song(), PALETTE, tuple(registry.tools.values()), 3, ())

    async def last() -> DraftReady:
        events = [event async for event in Composer(read_styles(RESOURCES), read_vocabulary(RESOURCES)).plan(brief)]
        assert isinstance(events[-1], DraftReady)
        return events[-1]

    draft = result_of(last()).draft
    judged = review(Plan(draft.steps, asks=draft.asks), Song(), registry, PALETTE)
    assert judged.preview is not None
    return judged.preview.song


def with_notes(track: Track, change: Callable[[Note], Note]) -> Track:
    def changed(clip: Clip) -> Clip:
        return replace(clip, notes=in_order([change(note) for note in clip.notes]))

    return replace(track, clips=tuple(changed(clip) for clip in track.clips))


def off_key_bass(song: Song, semitones: int = 1) -> Song:
    return each(song, family_tracks(song, PALETTE, "bass"), lambda track: with_notes(
        track, lambda note: replace(note, pitch=note.pitch + semitones)
    ))


def each(song: Song, tracks: frozenset[str], change: Callable[[Track], Track]) -> Song:
    assert tracks
    return replace(song, tracks=tuple(change(one) if one.id in tracks else one for one in song.tracks))


def emptied(track: Track) -> Track:
    return replace(track, clips=tuple(replace(clip, notes=()) for clip in track.clips))


def first(song: Song) -> frozenset[str]:
    return frozenset({song.tracks[-1].id})


FAULTS: dict[str, tuple[str, Callable[[Song], Song]]] = {
    "a bass a semitone too high": ("key", off_key_bass),
    "a bass a tritone away": ("key", lambda song: off_key_bass(song, 6)),
    "a track without clips": ("empty track", lambda song: each(song, first(song), lambda t: replace(t, clips=()))),
    "a track without notes": ("empty clip", lambda song: each(song, first(song), emptied)),
    "a track nobody hears": ("silent track", lambda song: each(
        song, first(song), lambda track: replace(track, volume_db=-90.0)
    )),
    "drums on a piano": ("drum channel", lambda song: each(
        song, kit_tracks(song, PALETTE), lambda track: replace(track, instrument="piano_grand")
    )),
    "all velocities equal": ("velocity", lambda song: each(
        song, frozenset(track.id for track in song.tracks),
        lambda track: with_notes(track, lambda note: replace(note, velocity=90)),
    )),
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_by_its_own_rule(fault: str, style: str) -> None:
    song = composed(style)
    assert findings(song, PALETTE) == ()
    rule, plant = FAULTS[fault]
    assert {flaw.rule for flaw in findings(plant(song), PALETTE)} == {rule}


@pytest.mark.parametrize("style", STYLES)
def test_an_ignored_tempo_is_not_what_was_asked(style: str) -> None:
    song = composed(style)
    ask = Ask("100 BPM", (), "tempo", "equals", 100.0)
    assert met(ask, Song(), song, PALETTE)
    assert not met(ask, Song(), replace(song, tempos=(TempoChange(Ticks(0), 120.0),)), PALETTE)


@settings(max_examples=30)
@given(st.sampled_from(STYLES), st.integers(-5, 6), st.randoms(use_true_random=False))
def test_neither_the_key_nor_the_order_of_tracks_matters(style: str, semitones: int, chance: object) -> None:
    song = composed(style)
    drums = kit_tracks(song, PALETTE) | percussive_tracks(song, PALETTE)
    moved = [
        track if track.id in drums else with_notes(track, lambda note: replace(note, pitch=note.pitch + semitones))
        for track in song.tracks
    ]
    chance.shuffle(moved)  # type: ignore[attr-defined]
    key = Key(usual_tonic(song.key.pitch_class + semitones, song.key.mode), song.key.mode)
    elsewhere = replace(song, key=key, tracks=tuple(moved))
    # A tune may leave its instrument's range; what else the gate says must not change.
    assert {flaw.rule for flaw in findings(elsewhere, PALETTE)} <= {"range"}
    assert "key" in {flaw.rule for flaw in findings(off_key_bass(elsewhere), PALETTE)}
