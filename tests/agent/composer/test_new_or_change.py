"""Whether a request that names no song is about the one that is there, or describes a piece."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.composer.tokens import tokens_of
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.new_or_change import speaks_of_a_song
from agent.song.apply import apply_all
from agent.song.edits import CreateTrack
from agent.song.ids import Kind, TrackId, derive
from agent.song.song import Song

_ROUNDS = Path(__file__).parent / "rounds"


def about(bench, request: str, song: Song | None = None) -> bool:
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, song or Song())
    return speaks_of_a_song([token.casefold() for token in tokens_of(request)], lexicon)


@pytest.mark.parametrize(
    "request_text",
    [
        "the snare is far too loud",
        "Could you take the guitar out of bars 5-8?",
        "make it swing a little",
        "a bit slower please, and quieter",
        "mm. 9-12 an octave up",
        "It drags. Give the bass more to do",
        "the outro should sound like a music box",
    ],
)
def test_what_points_at_a_song_is_about_it(bench, request_text):
    assert about(bench, request_text)


@pytest.mark.parametrize(
    "request_text",
    [
        "polka, but evil",
        "a slow and rather sad little waltz, the drums only in the last part",
        "Something for the school fair. The tune should be easy",
        "16 bars, A minor, 5/4. The bass alone in bars 1-4",
        "I need a jingle, it must be loud",
        "dark techno at 132, the kick up front",
        "rain on a window",
    ],
)
def test_what_describes_a_piece_is_about_none(bench, request_text):
    assert not about(bench, request_text)


def test_a_track_s_own_name_points_at_its_song(bench):
    track = TrackId(derive(Kind.TRACK, 1))
    song = apply_all(Song(), [CreateTrack(track_id=track, name="Nightjar", instrument="lead_saw")])
    assert about(bench, "Nightjar alone in front, with reverb", song)
    assert not about(bench, "Nightjar alone in front, with reverb")


def test_few_strangers_who_wanted_a_piece_would_see_their_song_changed(bench):
    asked = [one for path in sorted(_ROUNDS.glob("round_[2-6].json")) for one in json.loads(path.read_text())]
    requests = [one for one in asked if one["kind"] == "request"]
    new = [about(bench, one["text"]) for one in requests if one["song"] == "none"]
    changes = [about(bench, one["text"]) for one in requests if one["song"] != "none"]
    assert sum(new) <= len(new) / 12
    assert sum(changes) >= len(changes) * 0.8
