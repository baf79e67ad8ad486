"""What a MIDI file may bring of sections, meters and tempos; what is more is told, and nothing sounds elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.song import rules
from agent.song.time import PPQ, TempoChange, TempoMap, Ticks, distinct_tempos
from app.exchange.errors import ExchangeError
from app.exchange.frame_in import FARTHEST, thinned
from app.exchange.midi_in import ImportedMidi, song_from_midi
from tests.app.exchange.midi_songs import PALETTE

HEADER = b"MThd\x00\x00\x00\x06\x00\x00\x00\x01\x03\xc0"
MARKER, METER, TEMPO = b"\xff\x06\x01m", b"\xff\x58\x04", b"\xff\x51\x03"
BAR = 3840


def imported(metas: Iterable[bytes], apart: int) -> ImportedMidi:
    """A file with the events, each so many ticks (up to 16,383) after the one before it, and a note over them all."""
    delta = bytes([0x80 | apart >> 7, apart & 0x7F])
    body = b"\x00\x90\x3c\x40" + b"".join(delta + meta for meta in metas) + delta + b"\x80\x3c\x00\x00\xff\x2f\x00"
    return song_from_midi(HEADER + b"MTrk" + len(body).to_bytes(4, "big") + body, "long.mid", PALETTE)


def tempo(microseconds: int) -> bytes:
    return TEMPO + microseconds.to_bytes(3, "big")


def test_more_markers_than_sections_are_told() -> None:
    found = imported([MARKER] * (rules.MAX_SECTIONS + 500), 960)
    assert len(found.song.sections) == rules.MAX_SECTIONS
    assert "500 markers after the first 2,000" in found.dropped
    assert {section.duration for section in found.song.sections} == {960}


def test_more_meters_are_told() -> None:
    found = imported([METER + bytes([3 + number % 2, 2, 24, 8]) for number in range(rules.MAX_METERS + 100)], BAR)
    assert len(found.song.meters) == rules.MAX_METERS
    # the first of them follows the 4/4 with which a song begins
    assert "101 time signature changes after the first 2,000" in found.dropped


def test_as_many_as_a_song_holds_are_all_kept() -> None:
    found = imported([MARKER] * rules.MAX_SECTIONS, 960)
    assert (len(found.song.sections), found.dropped) == (rules.MAX_SECTIONS, ())


def test_more_tempo_changes_are_thinned_and_told() -> None:
    count = rules.MAX_TEMPOS + 10_000
    lengths = [500_000 + number * 7919 % 4001 for number in range(count)]
    found = imported(map(tempo, lengths), 24)
    assert len(found.song.tempos) <= rules.MAX_TEMPOS
    [told] = found.dropped
    assert told.endswith("tempo changes: what sounds is less than 5 ms off")
    seconds = 24 / PPQ * 0.5
    for number, length in enumerate(lengths, 1):
        assert abs(found.song.tempo_map.seconds(number * 24) - seconds) <= FARTHEST + 0.0001
        seconds += 24 / PPQ * length / 1e6


def test_a_file_whose_tempo_cannot_be_said_with_fewer_changes_is_refused() -> None:
    with pytest.raises(ExchangeError, match="tempo"):
        imported((tempo(200_000 if number % 2 else 3_000_000) for number in range(rules.MAX_TEMPOS + 1)), 960)


@given(st.lists(st.tuples(st.integers(1, 5000), st.floats(1, 999)), max_size=60), st.floats(1, 999))
@settings(max_examples=examples(300), deadline=None)
def test_thinned_tempos_keep_every_moment(steps: list[tuple[int, float]], first: float) -> None:
    at, changes = 0, [TempoChange(Ticks(0), first)]
    for apart, bpm in steps:
        at += apart
        changes.append(TempoChange(Ticks(at), bpm))
    whole = distinct_tempos(changes)
    few = thinned(whole)
    true, kept = TempoMap(whole), TempoMap(few)
    assert len(few) <= len(whole)
    assert few[0].at == 0
    assert all(a.at < b.at for a, b in pairwise(few))
    assert few[-1] == whole[-1]
    assert all(1 - 1e-9 <= change.bpm <= 999 + 1e-9 for change in few)
    for moment in (*(change.at for change in whole), at + 100_000):
        assert abs(true.seconds(moment) - kept.seconds(moment)) <= FARTHEST + 1e-6
