"""Notes made simpler, thicker, looser, straighter or varied; drums at half and double time."""

from __future__ import annotations

import pytest

from agent.composer.understanding.operations import Beat, Remeter, Reshape
from agent.composer.understanding.tasks import Bars, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.song import edits as e
from agent.song.apply import apply
from agent.song.ids import NoteId
from agent.song.time import to_ticks
from agent.theory.figures import figure
from agent.theory.sounding import kit_tracks, pitched
from tests.agent.composer.doing import do, flaws, notes_outside

WAYS = ("simplify", "thicken", "humanize", "quantize", "vary")
REQUESTS = ("pop", "jazz", "a waltz", "drum and bass", "neoclassical", "house")
LEAD = Wish("melody", role="lead", whole_role=True)


def part(song, name):
    track = next(track for track in song.tracks if track.name == name)
    return [(clip.start + n.start, n.pitch, n.duration, n.velocity) for clip in track.clips for n in clip.notes]


def minor_ninths(song, palette):
    notes = pitched(song, kit_tracks(song, palette))
    return sum(
        abs(a.pitch - b.pitch) == 13 and min(a.end, b.end) - max(a.start, b.start) > 240
        for at, a in enumerate(notes) for b in notes[at + 1 : at + 60]
    )


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize(("request_text", "amount"), list(zip(REQUESTS, (0.3, 1.0, 1.5) * 2, strict=True)))
def test_a_reshaped_song_stays_itself_and_sound(bench, how, request_text, amount):
    song = bench.compose(f"{request_text}, 32 bars", 4)
    after, changed = do(bench, song, Task(Reshape(how), amount=amount))
    assert not changed.blocked
    assert flaws(after, bench.palette) <= flaws(song, bench.palette)
    assert figure("melody_similarity", song, after, bench.palette) >= 0.5
    # chords without their root are not all heard as they are stated, in the song itself neither; of a simpler band with
    # moving inner voices fewer are
    heard = figure("root_agreement", song, song, bench.palette)
    share = 0.55 if how == "simplify" else 0.85
    assert figure("root_agreement", song, after, bench.palette) >= min(0.7, share * heard)
    if how == "simplify":
        assert after.note_count < song.note_count
    if how == "thicken":
        assert after.note_count > song.note_count
        assert minor_ninths(after, bench.palette) <= minor_ninths(song, bench.palette)


@pytest.mark.parametrize("how", WAYS)
def test_only_the_bars_that_are_meant(bench, sample, how):
    start, end = sample.bar_map.span(3, 4)
    after, changed = do(bench, sample, Task(Reshape(how), Scope((Bars(3, 4),))))
    assert changed.blocked or after != sample
    assert bool(changed.blocked) == (how == "quantize")
    assert notes_outside(after, start, end) == notes_outside(sample, start, end)


def test_a_simpler_melody_keeps_the_beats(bench, sample):
    after, _ = do(bench, sample, Task(Reshape("simplify", LEAD)))
    old, new = part(sample, "Lead"), part(after, "Lead")
    assert len(new) < len(old)
    kept = {(start, pitch) for start, pitch, *_ in new}
    assert all((start, pitch) in kept for start, pitch, *_ in old if start % 3840 == 0)
    assert part(after, "Bass") == part(sample, "Bass")


def test_hands_stray_less_than_twenty_milliseconds_and_strike_differently(bench, sample):
    after, _ = do(bench, sample, Task(Reshape("humanize"), amount=1.5))
    reach = 0.02 * sample.tempos[0].bpm * 960 / 60
    for name in ("Lead", "Bass", "Drums", "Chords"):
        old, new = part(sample, name), part(after, name)
        assert len(old) == len(new)
        assert max(min(abs(start - at) for at, *_ in new) for start, *_ in old) <= reach
        assert old != new
    assert do(bench, sample, Task(Reshape("humanize"), amount=1.5))[0] == after
    assert do(bench, sample, Task(Reshape("humanize"), amount=1.5), seed=2)[0] != after


def test_pads_begin_on_time_under_loose_hands(bench):
    song = bench.compose("ambient", 1)
    after, _ = do(bench, song, Task(Reshape("humanize")))
    pads = {one.name for one in bench.palette.instruments if one.family == "pad"}
    names = [track.name for track in song.tracks if track.instrument in pads]
    assert names
    for name in names:
        assert [row[:3] for row in part(after, name)] == [row[:3] for row in part(song, name)]


def test_the_grid_takes_loose_notes_back_and_keeps_swing(bench, sample):
    loose, _ = do(bench, sample, Task(Reshape("humanize"), amount=1.5))
    after, _ = do(bench, loose, Task(Reshape("quantize")))
    assert [row[0] for row in part(after, "Lead")] == [row[0] for row in part(sample, "Lead")]
    swinging = bench.compose("jazz", 3)
    straight, _ = do(bench, swinging, Task(Reshape("quantize")))
    swing = figure("swing", straight, straight, bench.palette)
    assert swing == pytest.approx(figure("swing", swinging, swinging, bench.palette), abs=0.04)
    assert swing > 0.6


def test_triplets_stay_triplets(bench, sample):
    track = sample.track(next(track.id for track in sample.tracks if track.name == "Lead"))
    clip = track.clips[0]
    notes = tuple(
        e.NoteSpec(
            72 + n % 5, to_ticks(n / 3 + (0.02 if n % 2 else -0.015) * bool(n)), to_ticks(0.3), 80 + n % 9,
            NoteId(f"n{n}"),
        )
        for n in range(24)
    )
    loose = apply(sample, e.ModifyClip(clip_id=clip.id, notes=notes))
    after, _ = do(bench, loose, Task(Reshape("quantize", LEAD)))
    assert [row[0] for row in part(after, "Lead") if row[0] < 8 * 960] == [320 * n for n in range(24)]


def test_a_varied_melody_is_neither_the_same_nor_another(bench):
    song = bench.compose("pop", 1)
    after, _ = do(bench, song, Task(Reshape("vary")))
    assert 0.5 <= figure("melody_similarity", song, after, bench.palette) <= 0.95
    assert part(after, "Drums") != part(song, "Drums")


@pytest.mark.parametrize(("feel", "most", "least"), [("half", 0.6, 0.3), ("double", 3.0, 1.7)])
def test_half_and_double_time_move_the_backbeat_and_nothing_else(bench, sample, feel, most, least):
    after, _ = do(bench, sample, Task(Beat(feel)))
    old, new = part(sample, "Drums"), part(after, "Drums")

    def snares(rows):
        return [row[0] for row in rows if row[1] == 38]

    assert least <= len(snares(new)) / len(snares(old)) <= most
    assert [row for row in new if row[1] == 42] == [row for row in old if row[1] == 42]
    places = {start % 3840 for start in snares(new)}
    assert places == ({1920} if feel == "half" else {480, 1440, 2400, 3360})
    assert after.tempos == sample.tempos
    for name in ("Lead", "Bass", "Chords"):
        assert part(after, name) == part(sample, name)


@pytest.mark.parametrize("meter", [(3, 4), (6, 8), (5, 4), (7, 8)])
@pytest.mark.parametrize("feel", ["half", "double"])
def test_half_and_double_time_in_other_meters(bench, meter, feel):
    song, _ = do(bench, bench.compose("rock", 1), Task(Remeter(*meter)))
    after, changed = do(bench, song, Task(Beat(feel)))
    assert not changed.blocked
    backbeats = [figure("backbeats_per_bar", one, one, bench.palette) for one in (song, after)]
    assert backbeats[1] < backbeats[0] if feel == "half" else backbeats[1] > backbeats[0]
    assert flaws(after, bench.palette) <= flaws(song, bench.palette)


def test_without_drums_there_is_no_half_time(bench):
    song = bench.compose("neoclassical piano", 1)
    after, changed = do(bench, song, Task(Beat("half")))
    assert after == song
    assert "drums" in changed.blocked[0]
