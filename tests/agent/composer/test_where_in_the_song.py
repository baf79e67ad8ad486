"""Where in the song: the many ways in which people say a place, and the bars that they mean."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.scopes import bars_of
from agent.composer.understanding.tasks import Scope
from agent.plan.errors import PlanError
from agent.song.ids import SectionId
from agent.song.song import Section, Song
from agent.song.time import Ticks
from tests.agent.composer.doing import read

BAR = 3840
FORM = (("Loop A", 1, 8), ("Loop B", 9, 16), ("Break", 17, 24), ("Loop A again", 25, 32))


@pytest.fixture(scope="module")
def looped(sample: Song) -> Song:
    """The sample four times over, in loops: the drums rest in the break, the lead plays in the second half only."""
    tracks = []
    for track in sample.tracks:
        clips = []
        for time in range(4):
            if (track.name == "Drums" and time == 2) or (track.name == "Lead" and time < 2):
                continue
            for clip in track.clips:
                start = Ticks(clip.start + time * 8 * BAR)
                clips.append(structs.replace(clip, id=type(clip.id)(f"{clip.id}-{time}"), start=start))
        tracks.append(structs.replace(track, clips=tuple(clips)))
    sections = tuple(
        Section(SectionId(f"s{first}"), name, Ticks((first - 1) * BAR), Ticks((last - first + 1) * BAR))
        for name, first, last in FORM
    )
    return structs.replace(sample, tracks=tuple(tracks), sections=sections)


@pytest.fixture(scope="module")
def lexicon(bench, looped) -> Lexicon:
    """The words for that song."""
    return Lexicon(bench.words, bench.styles, bench.palette, looped)


def where(scope: Scope, song: Song) -> list[tuple[int, int]]:
    """First and last bars of a scope that names sections once."""
    found = [bars_of(place, song) for place in scope.places]
    return [(bars.first, bars.last) for bars in found if bars is not None]


@pytest.mark.parametrize(("said", "wanted"), [
    ("bb. 17-24: bass louder", (17, 24)), ("bass louder in mm. 5–8", (5, 8)), ("bass louder, m. 12", (12, 12)),
    ("make the bass louder from 13 on", (13, 32)), ("bar 25 onwards the bass louder", (25, 32)),
    ("louder bass in the groove (9-12)", (9, 12)), ("Break, bb. 17-24: bass louder", (17, 24)),
    ("from bar 5 till the break make the bass louder", (5, 16)), ("bass louder up to the end of 24", (1, 24)),
    ("bass louder from Loop B to the break", (9, 24)), ("bass louder in the last bar of Loop B", (16, 16)),
    ("make the bass louder until the end of loop b", (1, 16)), ("in Loop B, from bar 13 on, bass louder", (13, 16)),
    ("make the bass louder from bar 5 on, but only until bar 9", (5, 8)),
    ("bass louder in the second half of Loop B", (13, 16)),
    ("the second loop louder", (9, 16)), ("bass louder in the last loop only", (25, 32)),
    ("second time loop a comes round, bass louder", (25, 32)),
    ("bass louder between Loop B and Loop A again", (17, 24)),
])
def test_a_place_becomes_its_bars(lexicon, looped, said: str, wanted: tuple[int, int]) -> None:
    [task] = read(said, lexicon, has_music=True).tasks
    assert where(task.scope, looped) == [wanted]


@pytest.mark.parametrize("said", ["bass louder all the way through", "make the bass louder throughout"])
def test_everywhere_is_the_whole_song_and_nothing_is_left_to_tell(lexicon, said: str) -> None:
    intent = read(said, lexicon, has_music=True)
    assert intent.tasks[0].scope.whole
    assert not intent.ignored


@pytest.mark.parametrize(("said", "bpm"), [("bring the tempo up to 30", 30), ("from 90 to 30 bpm", 30)])
def test_a_number_of_something_else_is_no_bar(lexicon, said: str, bpm: float) -> None:
    [task] = read(said, lexicon, has_music=True).tasks
    assert (task.scope.whole, getattr(task.operation, "bpm", None)) == (True, bpm)


def test_numbers_of_bars_change_no_tempo(lexicon) -> None:
    [task] = read("bars 20 to 31 louder bass", lexicon, has_music=True).tasks
    assert (task.scope.places[0].first, task.scope.places[0].last) == (20, 31)


@pytest.mark.parametrize(("said", "wanted"), [
    ("make the bass louder where the drums stop", [(17, 24)]), ("bass louder while the drums are silent", [(17, 24)]),
    ("when the lead comes in, bass louder", [(17, 32)]), ("bass louder until the lead comes in", [(1, 16)]),
    ("bass louder where the lead plays", [(17, 32)]), ("bass louder in the last bar of every loop", [
        (8, 8), (16, 16), (32, 32),
    ]),
    ("in the tag (25-28) make the bass louder", [(25, 28)]), ("in bars 1-4, and again in 9 to 12, bass louder", [
        (1, 4), (9, 12),
    ]),
    ("Loop B is too quiet, make it louder", [(9, 16)]), ("halfway through the song, bass louder", [(17, 32)]),
])
def test_bars_are_named_by_what_is_heard_in_them(lexicon, looped, said: str, wanted: list[tuple[int, int]]) -> None:
    tasks = read(said, lexicon, has_music=True).tasks
    assert where(tasks[-1].scope, looped) == wanted


def test_a_place_at_the_head_holds_to_the_end_of_its_sentence(lexicon, looped) -> None:
    said = "In bars 9-16 make the bass louder and take the lead out. Drums softer."
    tasks = read(said, lexicon, has_music=True).tasks
    assert [where(task.scope, looped) for task in tasks] == [[(9, 16)], [(9, 16)], []]


def test_then_is_from_there_on(lexicon, looped) -> None:
    tasks = read("bass softer until the break, then louder", lexicon, has_music=True).tasks
    assert [where(task.scope, looped) for task in tasks] == [[(1, 16)], [(17, 32)]]


@pytest.mark.parametrize("said", [
    "make the bass louder on beat 3 of bar 8", "after the tuba comes in, make the bass louder",
    "bass louder before the kazoo solo",
])
def test_nothing_is_done_elsewhere_where_the_place_is_not_understood(lexicon, said: str) -> None:
    intent = read(said, lexicon, has_music=True)
    assert not intent.tasks
    assert any(clause.reason for clause in intent.clauses)


@pytest.mark.parametrize("said", ["make the drums louder in the break", "drums up an octave in the break"])
def test_a_part_that_rests_there_is_told(bench, looped, said: str) -> None:
    with pytest.raises(PlanError, match="does not play there"):
        bench.events(said, looped)


@pytest.mark.parametrize(("said", "wanted"), [
    ("bass louder from 0:10 on", 10.0), ("at exactly 0:20 the bass gets louder", 20.0),
    ("bass louder 20 seconds in", 20.0), ("from the 0:15 mark the bass louder", 15.0),
])
def test_a_time_is_the_bar_that_begins_nearest_to_it(lexicon, looped, said, wanted):
    task, = read(said, lexicon, has_music=True).tasks
    (first, last), = where(task.scope, looped)
    start = looped.tempo_map.seconds(looped.bar_map.start_of(first))
    assert abs(start - wanted) <= looped.tempo_map.seconds(BAR) / 2
    assert last == looped.bars


def test_from_one_time_to_another_is_the_bars_between_them(lexicon, looped):
    task, = read("bass louder from 0:08 to 0:16", lexicon, has_music=True).tasks
    (first, last), = where(task.scope, looped)
    bar = looped.tempo_map.seconds(BAR)
    assert abs((last - first + 1) * bar - 8) <= bar


def test_a_time_without_a_word_of_place_is_a_length(lexicon):
    length, = read("make it 0:30 long", lexicon, has_music=True).tasks
    assert length.operation.sentence(length.amount, None) == "length: about 30 seconds"
    assert length.scope.whole


@pytest.mark.parametrize(("text", "wanted"), [
    ("take the lead out of Loop B, not out of the break", [("without melody", (9, 16))]),
    ("make the break louder, it's in the middle as they know", [("louder", (17, 24))]),
    ("the break is too long, can you leave that out", [("cut", (17, 24))]),
])
def test_where_it_is_not_meant_and_what_place_that_is(lexicon, looped, text, wanted):
    found = [(task.operation.sentence(1.0, None).lower(), *where(task.scope, looped))
             for task in read(text, lexicon, has_music=True).tasks]
    assert found == wanted


def test_a_part_that_is_kept_somewhere_is_kept_there_only(lexicon, looped):
    intent = read("mute the bass in Loop B, keep it in the break", lexicon, has_music=True)
    assert intent.kept == ()
    assert [where(task.scope, looped) for task in intent.tasks] == [[(9, 16)]]


def test_a_key_that_is_kept_locks_no_part(lexicon, looped):
    key = f"{looped.key.tonic} {looped.key.mode}"
    said = f"make the drums louder, and please keep it in {key} because they learnt it"
    intent = read(said, lexicon, has_music=True)
    assert intent.kept == ()
    assert len(intent.tasks) == 1
