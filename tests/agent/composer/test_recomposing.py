"""Changing a song that exists: what is asked happens, the rest stays, locks hold."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import msgspec
import pytest

from agent.composer.changing.change import ChangeWriter
from agent.composer.changing.notes.dissolve import slow_melody
from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.composer.tones import Tone
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.operations import Retempo
from agent.composer.understanding.tasks import Task
from agent.plan.errors import PlanError
from agent.plan.plan import Draft
from agent.plan.planning import Brief
from agent.plan.watch import Stopped
from agent.review.asked import met
from agent.song.ids import TrackId
from agent.song.key import Key
from agent.song.locks import BarsLock, TrackLock, broken, digest
from agent.song.song import Song
from agent.theory.figures import figure
from agent.theory.gate import findings
from agent.theory.harmony import root_agreement
from agent.theory.measures import mean_note_beats, onsets_per_bar, percussion_hits, sustained_share
from agent.theory.melody import melody_line, similarity
from agent.theory.sounding import Sounding, family_tracks, kit_tracks, percussive_tracks

AMBIENT = "Recompose this sequence to be more ambient and atmospheric"
STYLES = ("cinematic", "drum and bass", "house", "jazz", "lofi", "pop", "synthwave", "techno", "trap")
CHANGES = (
    AMBIENT, "make it darker", "make it brighter and faster", "calmer, a bit slower", "more energetic",
    "turn this into techno", "recompose as lofi", "remove the drums", "transpose to D minor", "add strings",
    "turn this song into a jazz trio without piano",
)


def kits(song: Song, bench) -> frozenset[str]:
    return kit_tracks(song, bench.palette)


def draft_under(bench, request_text: str, song: Song, lock) -> Draft | None:
    """The draft under a lock; None where the lock rightly leaves nothing to do."""
    try:
        return bench.draft(request_text, song, locks=(lock,))
    except PlanError as error:
        said = error.what
    assert "nothing would change" in said
    return None


def check_ambient(before: Song, after: Song, bench) -> None:
    drums = kits(before, bench) | kits(after, bench)
    assert onsets_per_bar(after) <= 0.6 * onsets_per_bar(before)
    assert mean_note_beats(after, drums) >= 2 * mean_note_beats(before, drums)
    hits = percussion_hits(before, percussive_tracks(before, bench.palette))
    assert percussion_hits(after, percussive_tracks(after, bench.palette)) <= 0.3 * hits
    assert 50 <= after.tempos[0].bpm <= min(90, before.tempos[0].bpm)
    assert after.key == before.key
    assert sustained_share(after, family_tracks(after, bench.palette, "pad", "strings", "choir")) >= 0.7
    tune = figure("melody_similarity", before, after, bench.palette)
    assert isinstance(tune, float)
    assert tune >= 0.5
    assert root_agreement(before, after, drums) >= 0.7
    wet = [t for t in after.tracks if any(fx.name in ("reverb", "delay") for fx in t.effects)]
    assert len(wet) >= 0.6 * len(after.tracks)
    assert after.loudness_target == -18
    assert after.bars == before.bars


def test_the_sample_becomes_ambient(bench, sample):
    draft = bench.draft(AMBIENT, sample)
    assert len(draft.steps) >= 14
    judged = bench.review(draft, sample)
    assert judged.errors == ()
    check_ambient(sample, judged.preview.song, bench)
    assert findings(judged.preview.song, bench.palette) == ()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_style_becomes_ambient(bench, style, seed):
    before = bench.compose(f"compose a {style} piece, 24 bars", seed=seed)
    draft = bench.draft(AMBIENT, before, seed)
    assert len(draft.steps) >= 14
    after = bench.song(draft, before)
    check_ambient(before, after, bench)
    assert findings(after, bench.palette) == ()


@pytest.mark.parametrize("request_text", CHANGES)
def test_every_row_is_needed(bench, sample, request_text):
    draft = bench.draft(request_text, sample)
    whole = bench.song(draft, sample)
    for step in draft.steps:
        leaning = {other.id for other in draft.steps if f"{{{{{step.id}." in str(other.inputs)}
        rest = bench.review(draft, sample, without={step.id, *leaning})
        assert rest.preview.song != whole, f"{step.tool} {step.title}"


@pytest.mark.parametrize("request_text", CHANGES)
def test_no_object_is_edited_twice(bench, sample, request_text):
    touched = []
    for step in bench.draft(request_text, sample).steps:
        if step.tool == "update_track":
            assert not step.inputs["track_id"].startswith("{{")
        touched += [step.inputs[field] for field in ("clip_id", "effect_id") if field in step.inputs]
        if step.tool in ("update_track", "delete_track"):
            touched.append(step.inputs["track_id"])
    assert len(touched) == len(set(touched))


@pytest.mark.parametrize(("request_text", "name"), list(product(CHANGES, ("Drums", "Bass", "Chords", "Lead"))))
def test_a_locked_track_is_not_touched_by_any_row(bench, sample, request_text, name):
    lock = TrackLock(next(track.id for track in sample.tracks if track.name == name))
    draft = draft_under(bench, request_text, sample, lock)
    if draft is None:
        return
    judged = bench.review(draft, sample, locks=(lock,))
    assert judged.errors == ()
    assert digest(lock, judged.preview.song) == digest(lock, sample)


@pytest.mark.parametrize(("request_text", "bars"), list(product(CHANGES, ((1, 1), (3, 5), (4, 6), (1, 8)))))
def test_locked_bars_keep_every_note(bench, sample, request_text, bars):
    lock = BarsLock(*bars)
    draft = draft_under(bench, request_text, sample, lock)
    if draft is None:
        return
    judged = bench.review(draft, sample, locks=(lock,))
    assert judged.errors == ()
    assert broken((lock,), sample, judged.preview.song) is None
    start, end = sample.bar_map.span(*bars)
    for _, clip in judged.preview.song.clips():
        if clip.id not in {old.id for _, old in sample.clips()}:
            assert not any(start <= clip.start + note.start < end for note in clip.notes)


@pytest.mark.parametrize("word", ["bass", "drums", "melody", "Chords"])
def test_keep_leaves_a_track_as_it_was(bench, sample, word):
    after = bench.song(bench.draft(f"{AMBIENT}, but keep the {word}", sample), sample)
    same = [track.name for track in after.tracks if track in sample.tracks]
    assert same == [{"bass": "Bass", "drums": "Drums", "melody": "Lead", "Chords": "Chords"}[word]]


def test_what_is_kept_becomes_a_lock_of_the_plan(bench, sample):
    kept = bench.draft(f"{AMBIENT}, but keep the bass", sample).locks
    assert [sample.track(lock.track_id).name for lock in kept] == ["Bass"]
    assert bench.draft(AMBIENT, sample).locks == ()


def test_stated_figures_bind_a_change_too(bench, sample):
    after = bench.song(bench.draft(f"{AMBIENT}, at 64 bpm in C minor", sample), sample)
    assert after.tempos[0].bpm == 64
    assert after.key == Key("C", "minor")
    assert [found for found in findings(after, bench.palette) if found.rule == "key"] == []


@pytest.mark.parametrize(
    ("request_text", "check"),
    [
        ("a bit slower", lambda before, after: 100 <= after < before),
        ("faster", lambda before, after: after > before),
        ("half the tempo", lambda before, after: after == before / 2),
        ("96 bpm", lambda _, after: after == 96),
        ("darker, keep the tempo", lambda before, after: after == before),
        ("turn this into drum and bass", lambda _, after: 168 <= after <= 176),
    ],
)
def test_tempo_words(bench, sample, request_text, check):
    after = bench.song(bench.draft(request_text, sample), sample)
    assert check(sample.tempos[0].bpm, after.tempos[0].bpm)


def test_removing_and_adding(bench, sample):
    after = bench.song(bench.draft("remove the drums and add a piano and strings", sample), sample)
    assert not percussive_tracks(after, bench.palette)
    assert family_tracks(after, bench.palette, "strings")
    assert len(after.tracks) == 5
    assert findings(after, bench.palette) == ()


def test_transposing_keeps_the_tune(bench, sample):
    after = bench.song(bench.draft("transpose to D minor", sample), sample)
    lead = next(track.id for track in sample.tracks if track.name == "Lead")
    assert after.key == Key("D", "minor")
    old, new = melody_line(sample, {lead}), melody_line(after, {lead})
    assert {b.pitch - a.pitch for a, b in zip(old, new, strict=True)} == {5}
    assert findings(after, bench.palette) == ()


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_a_thinned_tune_stays_recognisable(level, seed):
    dice = Random(seed)
    tune = [Tone(at * 480, dice.choice((60, 62, 64, 65, 67, 69, 71, 72)), 400, 90) for at in range(64)]
    slow = slow_melody(tune, (), 64 * 480, level)
    before, after = ([Sounding(TrackId("t"), t.pitch, t.start, t.end, 90) for t in line] for line in (tune, slow))
    assert similarity(before, after) >= 0.5
    assert all(a.end <= b.start for a, b in pairwise(slow))
    assert sum(t.length for t in slow) / len(slow) > 400


@pytest.mark.parametrize("request_text", CHANGES)
def test_the_asks_are_met(bench, sample, request_text):
    draft = bench.draft(request_text, sample)
    after = bench.song(draft, sample)
    known = {step.id for step in draft.steps}
    comparing = ("root_agreement",)
    missed = [a.asked for a in draft.asks if a.measure not in comparing and not met(a, sample, after, bench.palette)]
    assert missed == []
    assert all(set(ask.steps) <= known for ask in draft.asks)


def test_starting_over_leaves_nothing_of_the_old(bench, sample):
    after = bench.song(bench.draft("start over: compose a house track at 124 bpm", sample), sample)
    assert not {track.id for track in after.tracks} & {track.id for track in sample.tracks}
    assert after.tempos[0].bpm == 124


def test_a_song_of_unknown_instruments_without_key_can_be_recomposed(bench, sample):
    # what an imported MIDI file looks like: default key, one piano for everything
    tracks = tuple(
        msgspec.structs.replace(t, name=f"Track {n}", instrument="kit_standard" if n == 1 else "piano_grand")
        for n, t in enumerate(sample.tracks, 1)
    )
    imported = msgspec.structs.replace(sample, tracks=tracks, key=Key("C"), sections=())
    after = bench.song(bench.draft(AMBIENT, imported), imported)
    check_ambient(imported, after, bench)


def test_a_request_that_changes_nothing_is_refused(bench, sample):
    with pytest.raises(PlanError, match="nothing would change"):
        bench.draft("112 bpm", sample)


def test_a_change_that_was_stopped_ends_at_its_next_step(bench, sample):
    asked = iter((False, False, True))
    intent = Intent(goal="change", tasks=(Task(Retempo(bpm=90.0)), Task(Retempo(bpm=80.0)), Task(Retempo(bpm=70.0))))
    brief = Brief("slower", sample, bench.palette, (), 1)
    change = ChangeWriter(brief, intent, bench.styles, None, Dice(1, "test"), lambda: next(asked))
    with pytest.raises(Stopped):
        list(change.write(Rows(sample, Guard(sample, ()))))
