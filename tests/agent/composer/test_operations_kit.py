"""Single drums of a kit: exchanged, patterned, ghosted, taken out; no other drum changes."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.changing.operations.kit_pieces import Ghost, Pattern
from agent.composer.tones import Tone
from agent.composer.understanding.lexicon import Lexicon, thing_wish
from agent.composer.understanding.operations import Remove, Replace, Solo
from agent.composer.understanding.tasks import Bars, Operation, Scope, Task
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.kit import on_keys_of
from agent.song.locks import BarsLock
from agent.song.song import Song
from agent.theory.figures import figure
from tests.agent.composer.doing import do, flaws, read

BAR, BEAT = 3840, 960
SNARE = Wish("snare", "drums", ("drums",), pieces=("snare",))


@pytest.fixture
def thing(bench):
    return lambda name: thing_wish(bench.words.thing(name))


def kit(song: Song, *without: int) -> list[tuple[int, int, int]]:
    notes = [(c.start + n.start, n.pitch, n.velocity) for c in song.tracks[0].clips for n in c.notes]
    return sorted(note for note in notes if note[1] not in without)


def of(song: Song, pitch: int) -> list[int]:
    return [at for at, found, _ in kit(song) if found == pitch]


def after(bench, song: Song, operation: Operation, *scope: Bars) -> Song:
    """The song after it: the kit is there, the other tracks are as before, nothing is wrong."""
    new, changed = do(bench, song, Task(operation, Scope(scope)))
    assert not changed.blocked
    assert new.tracks[0].id == song.tracks[0].id
    assert new.tracks[1 : len(song.tracks)] == song.tracks[1:]
    assert flaws(new, bench.palette) <= flaws(song, bench.palette)
    return new


@pytest.mark.parametrize(("old", "new", "pitches"), [
    ("snare", "rim", (38, 37)), ("hi-hats", "ride", (42, 51)), ("snare", "claps", (38, 39)),
    ("kick", "cowbell", (36, 56)),
])  # fmt: skip
def test_a_piece_for_a_piece_keeps_its_strokes_and_all_others(bench, sample, thing, old, new, pitches):
    changed = after(bench, sample, Replace(thing(old), thing(new)))
    assert len(changed.tracks) == len(sample.tracks)
    assert of(changed, pitches[1]) == of(sample, pitches[0])
    assert not of(changed, pitches[0])
    assert kit(changed, *pitches) == kit(sample, *pitches)


def test_the_foot_stays_on_the_pedal_where_the_hands_go_to_the_ride(bench, sample, thing):
    footed = with_feet(sample, lambda tone: tone.pitch != 38)
    changed = after(bench, footed, Replace(thing("hi-hats"), thing("ride")))
    assert of(changed, 44) == of(footed, 44) != []
    assert of(changed, 51) == of(footed, 42)
    alone = with_feet(sample, lambda tone: tone.pitch not in (38, 42))
    new, told = do(bench, alone, Task(Replace(thing("hi-hats"), thing("ride"))))
    assert new is alone
    assert "only the foot" in told.blocked[0]


def with_feet(song: Song, stays) -> Song:
    """The song with a pedal hi-hat in the place of each snare, and only those of its other strokes that stay."""
    clips = tuple(
        structs.replace(clip, notes=tuple(
            structs.replace(note, pitch=44) if note.pitch == 38 else note for note in clip.notes
            if note.pitch == 38 or stays(note)
        ))
        for clip in song.tracks[0].clips
    )
    return structs.replace(song, tracks=(structs.replace(song.tracks[0], clips=clips), *song.tracks[1:]))


def test_only_there(bench, sample, thing):
    changed = after(bench, sample, Replace(thing("snare"), thing("rim")), Bars(3, 4))
    assert {at // BAR for at in of(changed, 37)} == {2, 3}
    assert set(of(changed, 38)) == {at for at in of(sample, 38) if at // BAR not in (2, 3)}


def test_another_instrument_takes_the_place_of_one_drum_only(bench, sample, thing):
    new, changed = do(bench, sample, Task(Replace(thing("hi-hats"), thing("percussion"))))
    assert not changed.blocked
    assert len(new.tracks) == len(sample.tracks) + 1
    assert kit(new) == kit(sample, 42)


def test_one_drum_alone(bench, sample, thing):
    new, _ = do(bench, sample, Task(Solo((thing("kick"),)), Scope((Bars(1, 2),))))
    assert {pitch for at, pitch, _ in kit(new) if at < 2 * BAR} == {36}
    assert [note for note in kit(new) if note[0] >= 2 * BAR] == [note for note in kit(sample) if note[0] >= 2 * BAR]
    assert not [n for t in new.tracks[1:] for c in t.clips for n in c.notes if c.start + n.start < 2 * BAR]


def test_take_only_the_snare_out(bench, sample, thing):
    changed = after(bench, sample, Remove(thing("snare")))
    assert [note[:2] for note in kit(changed)] == [note[:2] for note in kit(sample, 38)]


def test_four_on_the_floor(bench, sample, thing):
    changed = after(bench, sample, Pattern(thing("kick"), "beats"))
    assert of(changed, 36) == list(range(0, 8 * BAR, BEAT))
    assert kit(changed, 36) == kit(sample, 36)


def test_open_hats_on_the_off_beat_close_no_other(bench, sample, thing):
    changed = after(bench, sample, Pattern(thing("open hi-hats"), "offbeats"))
    assert of(changed, 46) == list(range(BEAT // 2, 8 * BAR, BEAT))
    assert of(changed, 42) == list(range(0, 8 * BAR, BEAT))


@pytest.mark.parametrize(("places", "beats", "expected"), [
    ("backbeats", 0.5, range(BEAT, 8 * BAR, 2 * BEAT)), ("one", 0.5, range(0, 8 * BAR, BAR)),
    ("grid", 0.25, range(0, 8 * BAR, BEAT // 4)),
])  # fmt: skip
def test_other_places(bench, sample, thing, places, beats, expected):
    assert of(after(bench, sample, Pattern(thing("claps"), places, beats)), 39) == list(expected)


def test_ghost_notes_are_soft_and_come_between(bench, sample):
    counts = []
    for amount in (0.5, 1.5):
        new, _ = do(bench, sample, Task(Ghost(SNARE), amount=amount))
        assert set(kit(sample)) <= set(kit(new))
        added = set(kit(new)) - set(kit(sample))
        assert added
        assert all(pitch == 38 and velocity < 48 for _, pitch, velocity in added)
        assert all(at % (BEAT // 2) for at, _, _ in added), "off the eighths, where hands are free"
        assert not {at for at, _, _ in added} & set(of(sample, 36))
        assert figure("ghost_notes", sample, new, bench.palette) == len(added)
        counts.append(len(added))
    assert counts[0] < counts[1]
    gone, _ = do(bench, new, Task(Ghost(SNARE, gone=True)))
    assert kit(gone) == kit(sample)


def test_what_cannot_be_done_is_said(bench, sample, thing):
    for operation, why in (
        (Replace(thing("crash"), thing("ride")), "play no crash"), (Ghost(SNARE, gone=True), "no ghost notes"),
    ):
        new, changed = do(bench, sample, Task(operation))
        assert why in changed.blocked[0]
        assert new is sample


def test_locked_bars_stay(bench, sample, thing):
    new, _ = do(bench, sample, Task(Pattern(thing("kick"), "beats")), locks=(BarsLock(1, 7),))
    assert [n for n in kit(new) if n[0] < 7 * BAR] == [n for n in kit(sample) if n[0] < 7 * BAR]
    assert len([at for at in of(new, 36) if at >= 7 * BAR]) == 4


@pytest.mark.parametrize(("text", "said"), [
    ("ghost notes on the snare", "ghost notes on snare"), ("rim instead of snare", "rim instead of snare"),
    ("use the ride instead of the hi-hat", "ride instead of hi-hats"), ("take only the crash out", "without crash"),
    ("open hats on the off-beat", "open hi-hats on the off-beats"), ("four on the floor kick", "kick on every beat"),
    ("remove the ghost notes", "no ghost notes on snare"), ("put the snare on 2 and 4", "snare on two and four"),
    ("replace the hi-hats with a shaker", "shaker instead of hi-hats"),
    ("hi-hats in sixteenths", "hi-hats in sixteenths"),
    ("swap the snare for a side stick", "rim instead of snare"), ("add some ghost notes", "ghost notes on snare"),
])  # fmt: skip
def test_it_is_read(bench, text, said):
    intent = read(text, Lexicon(bench.words, bench.styles, bench.palette, Song()), has_music=True)
    assert [task.operation.sentence(1.0, None) for task in intent.tasks] == [said]
    assert not intent.ignored


def test_an_orchestra_s_kit_plays_each_drum_on_its_own_and_gives_it_back(bench, sample):
    whole = bench.song(bench.draft("replace the drum kit with the orchestra kit", sample), sample)
    assert whole.tracks[0].instrument == "kit_orchestra"
    assert of(whole, 27) == of(sample, 42)
    assert not of(whole, 42)
    assert of(whole, 38) == of(sample, 38)
    back = bench.song(bench.draft("replace the drum kit with the room kit", whole), whole)
    assert kit(back) == kit(sample)


@pytest.mark.parametrize(("general", "own"), [
    (49, 57), (51, 30), (46, 29), (44, 28), (36, 36), (45, 45), (47, 52), (50, 52),
])  # fmt: skip
def test_strokes_find_what_plays_the_same_in_another_kit(bench, general, own):
    orchestra, plain = bench.palette.instrument("kit_orchestra"), bench.palette.instrument("kit_standard")
    (there,) = on_keys_of([Tone(0, general, 60, 90)], plain, orchestra, lambda _: 9)
    assert there == Tone(0, own, 60, 90)
    (back,) = on_keys_of([there], orchestra, plain, lambda _: 9)
    assert back.pitch == {50: 47}.get(general, general)


def test_kettledrums_that_are_tuned_otherwise_are_toms_by_their_height(bench):
    orchestra, plain = bench.palette.instrument("kit_orchestra"), bench.palette.instrument("kit_standard")
    struck = on_keys_of([Tone(0, pitch, 60, 90) for pitch in (42, 47, 53)], orchestra, plain, lambda _: 0)
    assert [tone.pitch for tone in struck] == [45, 47, 50]


def test_a_song_that_becomes_a_march_has_no_kettledrums_for_hi_hats(bench, sample):
    march = bench.song(bench.draft("make it a march", sample), sample)
    drums = next(track for track in march.tracks if track.instrument == "kit_orchestra")
    struck = {note.pitch for clip in drums.clips for note in clip.notes}
    assert not struck & {42, 44, 46, 49}
