"""When and how long: entrances that begin otherwise, rests, second times, silent bars, and keys said twice."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.changing.operations.catalogue import catalogue
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.sentences import told
from agent.plan.plan import Draft
from agent.song.ids import SectionId
from agent.song.song import Section, Song
from agent.song.time import Ticks
from tests.agent.composer.conftest import Bench
from tests.agent.composer.doing import read

BAR = 3840
KICK, SNARE, HAT = 36, 38, 42


@pytest.fixture(scope="module")
def verse_chorus(sample: Song) -> Song:
    """The sample twice, as verse and chorus: the drums play in the chorus only."""
    tracks = []
    for track in sample.tracks:
        clips = [
            structs.replace(clip, id=type(clip.id)(f"{clip.id}-{time}"), start=Ticks(clip.start + time * 8 * BAR))
            for time in range(2) if track.name != "Drums" or time for clip in track.clips
        ]
        tracks.append(structs.replace(track, clips=tuple(clips)))
    sections = tuple(
        Section(SectionId(name), name, Ticks(at * BAR), Ticks(8 * BAR)) for name, at in (("Verse", 0), ("Chorus", 8))
    )
    return structs.replace(sample, tracks=tuple(tracks), sections=sections)


@pytest.fixture(scope="module")
def lexicon(bench, verse_chorus) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, verse_chorus)


def said(text: str, lexicon: Lexicon) -> list[str]:
    return [told(task, lexicon.song.tempos[0].bpm) for task in read(text, lexicon, has_music=True).tasks]


def changed(bench: Bench, song: Song, text: str) -> Song:
    """The song after the plan for a request."""
    return bench.song(Draft(steps=tuple(bench.draft(text, song).steps)), song)


def notes(song: Song, name: str) -> list[tuple[int, int, int]]:
    """Starts in ticks, pitches and velocities of a track."""
    track = next(one for one in song.tracks if one.name == name)
    return sorted((c.start + n.start, n.pitch, n.velocity) for c in track.clips for n in c.notes)


@pytest.mark.parametrize(("text", "tasks"), [
    (
        "bring the drums in at bar 5 instead of waiting for the chorus, begin softly, only kick and hats, and build"
        " into the chorus", [
            "drums only from bar 5", "drums softer in bars 5-8", "drums only kick and hi-hats in bars 5-8",
            "drums crescendo from bar 5 up to the chorus",
        ],
    ),
    ("let the drums come in at bar 3, very soft at first", ["drums only from bar 3", "drums softer in bars 3-8"]),
    ("the bass drops out for two bars before the chorus, then slams back in", [
        "bass silent for 2 bars before the chorus",
    ]),
    ("everyone stops for one beat right before the chorus", ["everything silent for 1 beat before the chorus"]),
    ("one bar of silence between the verse and the chorus", ["1 bar of silence between the verse and the chorus"]),
    ("repeat the whole thing, second time through only the bass", ["repeat", "the second time only bass"]),
    ("repeat bars 1 to 4 softer", ["repeat bars 1-4", "the second time softer in bars 1-4"]),
    ("get rid of the chorus", ["cut the chorus"]),
    ("the pace should slowly climb during the verse until the chorus starts", ["gradually faster in bars 1-8"]),
    ("from bar 9 on play at 126", ["tempo: exactly 126 BPM in bars 9-16"]),
    ("everything should drift off into nothing over the last 4 bars", ["fade out in the last 4 bars"]),
    ("it has to fit into 20 seconds", ["length: about 20 seconds"]),
    ("add a crash when the chorus starts and a drum fill right before it", [
        "a crash cymbal at the beginning of the chorus", "a drum fill before the chorus",
    ]),
    ("take it down a tone to G minor", ["2 semitones down"]),
    ("nothing but bass and lead until bar 5", ["only bass and lead in bars 1-4"]),
    ("take everything out but the bass in the verse", ["only bass in the verse"]),
    ("lead softer in the 4 bars before the chorus", ["melody quieter in bars 5-8"]),
    ("everyone stops for the last bar before the chorus", ["everything silent in bar 8"]),
    ("let the bass stop two bars before the end", ["bass silent for 2 bars before the end"]),
    ("repeat from bar 5 to the end, softer the second time", [
        "repeat bars 5-16", "the second time softer in bars 5-16",
    ]),
    ("a fermata at the end of bar 4", ["hold the last chord in bar 4"]),
    ("crescendo to ff at the chorus", ["crescendo to ff up to the chorus"]),
    ("the lead comes in too early", ["melody only from bar 9"]),
    ("the lead should wait four bars", ["melody only from bar 5"]),
    ("the bass stops at bar 5 and comes back at bar 9", ["bass only until bar 5, except in bars 9-16"]),
    ("the drums should play throughout, but very soft", [
        "drums playing on through the whole song", "drums struck much softer",
    ]),
    ("the drums come in two bars later", ["drums only from bar 11"]),
    ("rit. in the last two bars to 60", ["gradually slower to 60 BPM in the last 2 bars"]),
    ("put in a fill when the chorus starts", ["a drum fill before the chorus"]),
    ("play at 96 in the verse and go back to 112 in the chorus", [
        "tempo: exactly 96 BPM in the verse", "tempo: exactly 112 BPM in the chorus",
    ]),
])  # fmt: skip
def test_when_and_how_long_is_read(lexicon, text, tasks):
    assert said(text, lexicon) == tasks


def test_how_much_slower_is_no_tempo(lexicon):
    assert said("a bit slower, by 5 bpm", lexicon)[-1].startswith("tempo: exactly 107 BPM")


@pytest.mark.parametrize("text", ["build up into the chorus", "crescendo in the verse, then drop straight to mf"])
def test_verbs_are_no_sections(lexicon, text):
    scopes = [task.scope.places for task in read(text, lexicon, has_music=True).tasks]
    assert not [place for places in scopes for place in places if getattr(place, "name", "") in ("build", "drop")]


def test_a_place_that_is_praised_is_left_alone(lexicon):
    intent = read("bass louder. The chorus is great, please leave it alone", lexicon, has_music=True)
    assert [[place.name for place in task.scope.excluded] for task in intent.tasks] == [["chorus"]]
    assert not intent.kept


def test_what_is_put_right_says_where(lexicon):
    assert said("mute the bass, I mean bars 5 to 8", lexicon) == ["without bass in bars 5-8"]


def test_a_part_that_comes_in_earlier_begins_otherwise_and_plays_on_as_before(bench, verse_chorus):
    new = changed(bench, verse_chorus, "bring the drums in at bar 5, start gentle, just kick and hi-hat")
    early = [one for one in notes(new, "Drums") if one[0] < 8 * BAR]
    assert {pitch for _, pitch, _ in early} == {KICK, HAT}
    assert min(start for start, _, _ in early) >= 4 * BAR
    later = [one for one in notes(new, "Drums") if one[0] >= 8 * BAR]
    assert later == notes(verse_chorus, "Drums")
    usual = [velocity for _, pitch, velocity in later if pitch == KICK]
    assert max(velocity for _, pitch, velocity in early if pitch == KICK) < max(usual)
    assert notes(new, "Bass") == notes(verse_chorus, "Bass")


def test_everyone_rests_before_a_place_and_no_bar_moves(bench, verse_chorus):
    new = changed(bench, verse_chorus, "everything stops for one beat right before the chorus")
    low, high = 8 * BAR - BAR // 4, 8 * BAR
    for track in new.tracks:
        sounding = [c.start + n.end for c in track.clips for n in c.notes if c.start + n.start < low]
        assert not [start for start, _, _ in notes(new, track.name) if low <= start < high]
        assert not [end for end in sounding if low < end < high]
    assert new.bars == verse_chorus.bars


def test_a_part_that_stops_comes_back_where_it_is_said(bench, verse_chorus):
    new = changed(bench, verse_chorus, "the bass stops at bar 5 and comes back at bar 9")
    rests = [one for one in notes(verse_chorus, "Bass") if 4 * BAR <= one[0] < 8 * BAR]
    assert [one for one in notes(verse_chorus, "Bass") if one not in rests] == notes(new, "Bass")


def test_a_part_plays_on_where_it_rests_and_stays_elsewhere(bench, verse_chorus):
    new = changed(bench, verse_chorus, "let the drums play in the verse too")
    assert {start // BAR for start, _, _ in notes(new, "Drums")} == set(range(16))
    assert set(notes(verse_chorus, "Drums")) <= set(notes(new, "Drums"))


def test_a_part_that_is_limited_to_a_place_does_not_play_on_there(lexicon):
    assert not any("playing on" in one for one in said("the drums should play in the verse only", lexicon))


def test_the_second_time_is_only_those_who_are_named(bench, verse_chorus):
    new = changed(bench, verse_chorus, "repeat bars 1 to 4, the second time only the bass")
    assert new.bars == verse_chorus.bars + 4
    again = [(t.name) for t in new.tracks for start, _, _ in notes(new, t.name) if 4 * BAR <= start < 8 * BAR]
    assert set(again) == {"Bass"}


def test_a_key_said_twice_moves_once(bench, verse_chorus):
    new = changed(bench, verse_chorus, "take it down a tone to G minor")
    moved = {was[1] - now[1] for was, now in zip(notes(verse_chorus, "Lead"), notes(new, "Lead"), strict=True)}
    assert moved == {2}
    assert str(new.key) == "G minor"


def test_there_is_an_operation_for_every_form():
    assert {"ease_in", "rest", "second_time", "build_in", "uneven", "untimely"} <= set(catalogue().readings)
