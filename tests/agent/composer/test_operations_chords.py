"""Chords that are written down for a place of a song: how they are read, who plays them, and what stays."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec import structs

from agent.composer.changing.change import ChangeWriter
from agent.composer.changing.operations.giving_chords import GiveChords
from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.composer.understanding.asked_chart import AskedChart
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Colour, Rekey, Transpose
from agent.composer.understanding.tasks import Bars, Named, Scope, Task
from agent.plan.planning import Brief
from agent.review.asked import met
from agent.song.chart import ChordSymbol
from agent.song.locks import BarsLock
from agent.song.time import Ticks
from agent.theory.figures import figure
from agent.theory.sounding import sounding
from tests.agent.composer.doing import do, flaws, notes_outside, read

SONGS = ("pop", "jazz", "rock", "a waltz", "bossa nova")
SYMBOLS = ("Dm7", "G7sus4", "E7", "Bb", "F#m7b5", "Cmaj9", "Abmaj7", "Am/G", "B7b9", "Gm6")
EARLY = 60


def asked(bench, song, text):
    intent = read(text, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
    return [(task.operation, task.scope.places) for task in intent.tasks], intent


def chords(text, **more):
    return GiveChords(AskedChart(text, True, False), **more)


CHORUS, VERSE = (Named("chorus"),), (Named("verse"),)


@pytest.mark.parametrize(
    ("text", "operation", "places"),
    [
        ("use these chords in the chorus: Am F C G", chords("Am F C G"), CHORUS),
        ("change the chord in bar 3 to Dm7", chords("Dm7"), (Bars(3, 3),)),
        ("make bar 5 a G7sus4", chords("G7sus4"), (Bars(5, 5),)),
        ("put an E7 in bar 4", chords("E7"), (Bars(4, 4),)),
        ("I'd like an A minor chord in bar 5", chords("Am"), (Bars(5, 5),)),
        ("bar 8 should be an E flat major seventh", chords("Ebmaj7"), (Bars(8, 8),)),
        ("the verse should go I vi IV V", chords("I vi IV V"), VERSE),
        ("the chords of the second chorus should be Dm G C Am", chords("Dm G C Am"), (Named("chorus", 2),)),
        ("replace the Em in bar 5 with E7", chords("E7", old="Em"), (Bars(5, 5),)),
        ("play an E7 instead of Em in bar 4", chords("E7", old="Em"), (Bars(4, 4),)),
        ("replace every Em with E7", chords("E7", old="Em"), ()),
        ("put a ii-V before the chorus", chords("ii V", before=CHORUS), ()),
        ("use these chords: Am F C G", chords("Am F C G"), ()),
        ("split bar 4 into Dm7 and G7", chords("Dm7 G7"), (Bars(4, 4),)),
        ("let's have the verse on Am G F E", chords("Am G F E"), VERSE),
        ("lead into the chorus with a ii-V", chords("ii V", before=CHORUS), ()),
        ("use Am F C G, two bars each, in the verse", GiveChords(AskedChart("Am F C G", True, False, 2)), VERSE),
        ("bars 1-4: | Am | F | C | G |", GiveChords(AskedChart("| Am | F | C | G |", False, True)), (Bars(1, 4),)),
    ],
)
def test_chords_are_read_with_their_place(bench, sample, text, operation, places):
    found, intent = asked(bench, sample, text)
    assert found == [(operation, places)]
    assert not intent.ignored
    assert intent.goal == "change"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("verse: Am F C G, chorus: F C G Am", [("Am F C G", VERSE), ("F C G Am", CHORUS)]),
        ("change bar 2 to Dm7, bar 3 to G7 and bar 4 to C",
         [("Dm7", (Bars(2, 2),)), ("G7", (Bars(3, 3),)), ("C", (Bars(4, 4),))]),
    ],
)
def test_each_place_has_its_own_chords(bench, sample, text, wanted):
    found, _ = asked(bench, sample, text)
    assert [(one.chart.text, places) for one, places in found] == wanted


def test_a_place_before_a_colon_is_for_what_follows_it_alone(bench, sample):
    found, _ = asked(bench, sample, "verse: darker, chorus: brighter")
    assert [(type(one), places) for one, places in found] == [(Colour, VERSE), (Colour, CHORUS)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("change the key to D minor", Rekey), ("the bridge should be in F", Rekey), ("play it in D minor", Rekey),
        ("play the chorus an octave higher", Transpose),
    ],
)
def test_a_key_and_an_interval_are_no_chords(bench, sample, text, kind):
    found, _ = asked(bench, sample, text)
    assert [type(one) for one, _ in found] == [kind]


def edited(bench, song, task, locks=()):
    brief = Brief("a change", song, bench.palette, tuple(bench.registry.tools.values()), 1, locks)
    change = ChangeWriter(brief, Intent(goal="change", tasks=(task,)), bench.styles, None, Dice(1, "test"))
    for _ in change.write(Rows(song, Guard(song, locks))):
        pass
    return change.sketch.song, change.changed


def rows(song):
    return {(t.id, clip.start + n.start, n.pitch, n.duration) for t, clip in song.clips() for n in clip.notes}


def strays(before, after, start, end):
    """Notes that differ and neither begin in a stretch, nor are held into or out of it."""
    was, now = rows(before), rows(after)
    held = {(track, at, pitch) for track, at, pitch, length in was if at < start < at + length}
    tied = {(track, pitch) for track, at, pitch, length in was if at < end < at + length}
    return [
        one for one in was ^ now
        if not (start - EARLY <= one[1] < end or one[:3] in held or (one[1] == end and (one[0], one[2]) in tied))
    ]


@pytest.mark.parametrize("request_text", SONGS)
def test_twenty_single_chords_stand_and_keep_the_notes_elsewhere(bench, request_text):
    song = bench.compose(f"{request_text}, 24 bars")
    known = flaws(song, bench.palette)
    for number, symbol in enumerate(SYMBOLS * 2):
        bar = 1 + number * 7 % song.bars
        start, end = map(int, song.bar_map.span(bar, bar))
        after, changed = edited(bench, song, Task(chords(symbol), Scope((Bars(bar, bar),))))
        assert not changed.blocked
        assert not strays(song, after, start, end), (bar, symbol)
        assert [one.symbol for one in after.chords if one.start < end and one.end > start] == [symbol]
        assert figure("on_chords", song, after, bench.palette, (bar, bar)) >= 0.7, (bar, symbol)
        assert {one for one in flaws(after, bench.palette) if one[0] != "key"} <= known, (bar, symbol)


def test_numerals_are_those_of_the_key_and_go_round(bench):
    song = bench.compose("pop")
    name = song.sections[1].name
    after, changed = do(bench, song, Task(chords("I vi IV V"), Scope((Named(name.casefold()),))))
    assert not changed.blocked
    section = next(one for one in after.sections if one.name == name)
    roots = [one.chord.root for one in after.chords if section.start <= one.start < section.end]
    assert roots[:4] == [(song.key.pitch_class + step) % 12 for step in (0, 9, 5, 7)]
    assert roots[4:8] == roots[:4]


def test_the_bass_has_the_bass_of_each_chord_on_its_first_beat(bench, sample):
    after, _ = do(bench, sample, Task(chords("Dm7 G/B C Am/G"), Scope((Bars(1, 4),))))
    bass = next(track.id for track in sample.tracks if track.name == "Bass")
    first = [
        next(note.pitch % 12 for note in sounding(after, (bass,)) if note.start >= sample.bar_map.start_of(bar))
        for bar in range(1, 5)
    ]
    assert first == [2, 11, 0, 7]


def test_what_clashes_in_the_tune_moves_by_the_smallest_step(bench, sample):
    start, end = sample.bar_map.span(1, 1)
    after, _ = do(bench, sample, Task(chords("B7"), Scope((Bars(1, 1),))))
    lead = next(track.id for track in sample.tracks if track.name == "Lead")
    was, now = (
        [note.pitch for note in sounding(song, (lead,)) if start <= note.start < end] for song in (sample, after)
    )
    assert was != now
    assert len(was) == len(now)
    assert all(abs(a - b) <= 2 for a, b in zip(was, now, strict=True))


def test_a_two_five_leads_to_the_chord_that_follows_and_nothing_else_changes(bench, sample):
    song = bench.compose("pop")
    section = song.sections[2]
    after, changed = do(bench, song, Task(chords("ii V", before=(Named(section.name.casefold(), 1),))))
    assert not changed.blocked
    goal = next(one.chord.root for one in after.chords if one.start <= section.start < one.end)
    before = [one.chord.root for one in after.chords if one.end <= section.start][-2:]
    assert before == [(goal + 2) % 12, (goal + 7) % 12]
    bar = int(song.bar_map.start_of(song.bar_map.bar_at(section.start - 1)))
    assert not strays(song, after, bar, int(section.start))


@pytest.mark.parametrize(
    ("operation", "places", "why"),
    [
        (chords("Dm7"), (), "a bar or a section"),
        (chords("Am F C"), (Bars(1, 2),), "2 bars there, which 3 chords do not fit"),
        (chords("E7", old="Bb"), (), "no Bb there"),
        (chords("Am N.C."), (Bars(1, 2),), "out of a bar"),
        (chords("Am F Cmja7 G"), (Bars(1, 4),), "did you mean Cmaj7 for Cmja7?"),
        (GiveChords(AskedChart("| Am | F C | G |", False, True)), (Bars(1, 2),), "your chords have 3 bars"),
    ],
)
def test_what_cannot_be_is_told(bench, sample, operation, places, why):
    after, changed = do(bench, sample, Task(operation, Scope(places)))
    assert after == sample
    assert why in changed.blocked[0]


def test_locked_bars_keep_their_chords_and_notes(bench, sample):
    after, changed = do(bench, sample, Task(chords("Dm7 G7 Cmaj7 E7"), Scope((Bars(1, 4),))), (BarsLock(2, 3),))
    assert not changed.blocked
    start, end = map(int, sample.bar_map.span(2, 3))
    inside = [one for one in notes_outside(sample, 0, 0) if start <= one[1] < end]
    assert [one for one in notes_outside(after, 0, 0) if start <= one[1] < end] == inside
    assert [(sample.bar_map.bar_at(one.start), one.symbol) for one in after.chords] == [(1, "Dm7"), (4, "E7")]


def test_a_tune_that_is_to_stay_stays_and_what_rubs_is_told(bench, sample):
    draft = bench.draft("change the chord in bar 1 to B7 but keep the lead", sample)
    after = bench.song(draft, sample)
    lead = next(track for track in sample.tracks if track.name == "Lead")
    assert after.track(lead.id) == lead
    assert any("Lead stays as it is" in step.why and "in bar 1" in step.why for step in draft.steps)


@pytest.mark.parametrize("request_text", SONGS)
def test_a_row_of_chords_in_a_section_keeps_the_notes_elsewhere(bench, request_text):
    song = bench.compose(request_text)
    section = song.sections[len(song.sections) // 2]
    bars = Bars(song.bar_map.bar_at(section.start), song.bar_map.bar_at(section.end - 1))
    after, changed = edited(bench, song, Task(chords("Dm7 G7 Em7 A7"), Scope((bars,))))
    assert not changed.blocked
    assert not strays(song, after, int(section.start), int(section.end))
    assert figure("on_chords", song, after, bench.palette, (bars.first, bars.last)) >= 0.7


def test_one_chord_gives_way_wherever_it_stands(bench):
    song = bench.compose("pop")
    old = song.chords[0].symbol
    after, changed = do(bench, song, Task(chords("Bbmaj7", old=old)))
    assert not changed.blocked
    told = [one for before, one in pairwise((None, *song.chords)) if before is None or before.symbol != one.symbol]
    assert [one.start for one in after.chords if one.symbol == "Bbmaj7"] == [
        one.start for one in told if one.symbol == old
    ]
    assert old not in {one.symbol for one in after.chords}


def test_the_plan_says_what_is_done_and_measures_it(bench, sample):
    draft = bench.draft("change the chord in bar 3 to Dm7", sample)
    assert [(ask.asked, ask.measure) for ask in draft.asks] == [("the chord Dm7", "on_chords")]
    only_stated = structs.replace(sample, chords=(ChordSymbol(Ticks(7680), Ticks(3840), "F#"),))
    assert not met(draft.asks[0], sample, only_stated, bench.palette)
    assert met(draft.asks[0], sample, bench.song(draft, sample), bench.palette)
