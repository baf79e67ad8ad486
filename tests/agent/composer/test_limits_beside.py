"""What limits, and what is handed on: nothing goes that only the operation beside it was meant to do without."""

from __future__ import annotations

import pytest
from msgspec import structs

from agent.composer.changing.operations.kit_limits import KitLimit
from agent.composer.changing.operations.octaves import NoOctaves, without_octaves
from agent.composer.changing.operations.steadying import Steady
from agent.composer.tones import Tone
from agent.composer.understanding.lexicon import Lexicon, thing_wish
from agent.composer.understanding.operations import Remove, Replace, Solo
from agent.composer.understanding.tasks import Bars, Edge, Scope, Task
from agent.song.time import TempoChange, Ticks
from tests.agent.composer.doing import do, read


@pytest.fixture
def lexicon(bench, sample) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, sample)


@pytest.mark.parametrize("text", [
    "put a drum fill in bar 8, only snare and toms", "give me a fill in bar 8, just the snare, no cymbals",
    "make the drums simpler in bars 9-16, only kick and snare", "let the drums come in at bar 9, no snare yet",
    "add a flute in bars 9-16, no bass drum",
    "let the drums come in at bar 9, but just the hats, and bass softer",
    "let the drums play in bars 9-12 too, but only kick and hi-hats", "add a shaker in bars 9-16, nothing else",
])  # fmt: skip
def test_a_limit_beside_an_order_takes_nothing_else_out(lexicon, text):
    tasks = read(text, lexicon, has_music=True).tasks
    assert tasks
    assert not any(isinstance(task.operation, Solo | Remove) for task in tasks)


@pytest.mark.parametrize(("text", "pieces", "without"), [
    ("make the drums simpler, only kick and snare", 2, False), ("make the drums softer, no crash", 1, True),
    ("drums just kick and hats", 2, False),
])  # fmt: skip
def test_a_limit_of_the_kit_is_one_of_its_pieces(lexicon, text, pieces, without):
    asked = [task.operation for task in read(text, lexicon, has_music=True).tasks]
    [limit] = [operation for operation in asked if isinstance(operation, KitLimit)]
    assert (len(limit.pieces), limit.without) == (pieces, without)


@pytest.mark.parametrize(("text", "kind"), [
    ("only piano and strings", Solo), ("no drums in bars 1-8", Remove),
    ("make it softer and take out the snare", Remove),
])  # fmt: skip
def test_what_stands_alone_or_says_so_still_takes_out(lexicon, text, kind):
    assert any(isinstance(task.operation, kind) for task in read(text, lexicon, has_music=True).tasks)


def test_of_a_kit_only_the_named_drums_play_there(bench, sample):
    kick = thing_wish(bench.words.thing("kick"))
    new, changed = do(bench, sample, Task(KitLimit((kick,)), Scope((Bars(1, 2),))))
    assert not changed.blocked
    end = int(new.bar_map.start_of(3))
    before = {t.id: t for t in sample.tracks}
    for track in new.tracks:
        struck = {n.pitch for c in track.clips for n in c.notes if c.start + n.start < end}
        assert track == before[track.id] or struck <= {35, 36}


@pytest.mark.parametrize("text", [
    "take out the lead and let a flute play the same melody", "remove the lead. a clarinet takes over",
    "drop the lead, a trumpet should have its line",
])  # fmt: skip
def test_a_line_that_somebody_takes_over_is_handed_on(lexicon, text):
    [task] = read(text, lexicon, has_music=True).tasks
    assert isinstance(task.operation, Replace)


@pytest.mark.parametrize("text", [
    "take out the lead and let the dishwasher play the same melody", "remove the lead, somebody odd has its line",
])  # fmt: skip
def test_a_line_that_nobody_known_takes_over_stays(lexicon, text):
    intent = read(text, lexicon, has_music=True)
    assert not intent.tasks
    assert intent.ignored


@pytest.mark.parametrize("text", [
    "take out the ritardando at the end", "no rit please", "lose the rall.", "kill that rit",
    "please don't slow down at the end",
])  # fmt: skip
def test_slowing_down_is_taken_out(lexicon, text):
    assert [type(task.operation) for task in read(text, lexicon, has_music=True).tasks] == [Steady]


def test_without_its_ritardando_a_song_keeps_its_tempo_to_the_end(bench, sample):
    bpm, last = sample.tempos[0].bpm, int(sample.bar_map.start_of(sample.bars))
    slower = (TempoChange(Ticks(last), bpm * 0.9), TempoChange(Ticks(last + 1920), bpm * 0.8))
    slowing = structs.replace(sample, tempos=(*sample.tempos, *slower))
    new, changed = do(bench, slowing, Task(Steady()))
    assert not changed.blocked
    assert new.tempos == sample.tempos


@pytest.mark.parametrize("text", [
    "make the bass louder and the drums softer, but only in bars 9-16",
    "turn the bass up and make the drums softer, but just in bars 9-16",
])  # fmt: skip
def test_only_there_is_meant_for_all_that_a_sentence_asks(lexicon, text):
    tasks = read(text, lexicon, has_music=True).tasks
    assert [task.scope.places for task in tasks] == [(Bars(9, 16),)] * 2


def test_what_is_too_much_is_too_much_of_each_quality(lexicon):
    tasks = read("the drums are too busy and loud, turn em down", lexicon, has_music=True).tasks
    assert all(getattr(task.operation, "by", -1.0) < 0 for task in tasks)


@pytest.mark.parametrize("text", [
    "simplify the bass so there are no octaves", "make the bass simpler, no octaves",
    "take the octaves out of the bass",
])  # fmt: skip
def test_without_octaves_is_all_that_simpler_means_there(lexicon, text):
    assert [type(task.operation) for task in read(text, lexicon, has_music=True).tasks] == [NoOctaves]


@pytest.mark.parametrize(("upper", "left"), [(False, [40, 55]), (True, [52, 55])])
def test_of_an_octave_one_note_is_left_and_every_other_stays(upper, left):
    tones = [Tone(0, 40, 480, 80), Tone(0, 52, 480, 80), Tone(480, 55, 480, 80)]
    assert [tone.pitch for tone in without_octaves(tones, upper=upper)] == left


@pytest.mark.parametrize(("text", "places"), [
    ("fade out over the last 4", (Edge("end", 4),)), ("softer in the last 4 notes", None),
])  # fmt: skip
def test_a_last_number_alone_counts_bars(lexicon, text, places):
    tasks = read(text, lexicon, has_music=True).tasks
    assert ([task.scope.places for task in tasks] or [None]) == [places]


@pytest.mark.parametrize("text", ["I want the bass in bars 1-8 to do something wild", "leave the loop a length"])
def test_a_part_or_place_that_is_there_is_neither_added_nor_left_alone(lexicon, text):
    assert not read(text, lexicon, has_music=True).tasks
