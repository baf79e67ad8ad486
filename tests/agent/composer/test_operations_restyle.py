"""Restyles: the tune and the chords stay, the amount says how far, bars and blends are kept apart."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.composer.changing.change import ChangeWriter
from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.operations import Restyle
from agent.composer.understanding.tasks import Bars, Scope, Task
from agent.plan.document import Plan
from agent.plan.planning import Brief
from agent.review.review import review
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.figures import figure
from agent.theory.gate import findings

WHOLE = Scope()
HERE = Scope((Bars(3, 4),))


def restyled(bench, song: Song, operation: Restyle, amount: float = 1.0, scope: Scope = WHOLE, **said: bool) -> Song:
    """The song in another style; it passes the gate and is still itself."""
    intent = Intent(goal="change", tasks=(Task(operation, scope, amount),), **said)  # type: ignore[arg-type]
    brief = Brief("", song, bench.palette, tuple(bench.registry.tools.values()), 1)
    rows = Rows(song, Guard(song, ()))
    change = ChangeWriter(brief, intent, bench.styles, None, Dice(1, "test"))
    for _ in change.write(rows):
        pass
    assert change.changed.blocked == {}
    judged = review(Plan(steps=tuple(rows.steps), project="p"), song, bench.registry, bench.palette)
    assert not judged.errors
    assert judged.preview is not None
    after = judged.preview.song
    assert findings(after, bench.palette) == ()
    assert _figure("melody_similarity", song, after, bench) >= 0.5
    assert _figure("root_agreement", song, after, bench) >= 0.7
    return after


def _figure(name: str, before: Song, song: Song, bench) -> float:
    found = figure(name, before, song, bench.palette)
    assert isinstance(found, float)
    return found


def named(song: Song, name: str) -> Track:
    return next(track for track in song.tracks if track.name == name)


@pytest.mark.parametrize("style", ["house", "jazz", "bossa_nova", "reggae", "rock", "synthwave", "waltz", "ambient"])
def test_a_song_in_another_style_is_still_itself(bench, sample, style: str) -> None:
    assert restyled(bench, sample, Restyle(style)) != sample


def test_a_waltz_is_in_three(bench, sample) -> None:
    meter = restyled(bench, sample, Restyle("waltz")).meters[0]
    assert (meter.beats, meter.unit) == (3, 4)


def test_a_small_amount_changes_the_beat_and_no_sound(bench, sample) -> None:
    after = restyled(bench, sample, Restyle("house"), 0.3)
    assert named(after, "Drums").clips != named(sample, "Drums").clips
    assert [t.instrument for t in after.tracks] == [t.instrument for t in sample.tracks]
    assert named(after, "Chords").clips == named(sample, "Chords").clips


def test_a_style_in_bars_leaves_the_others_as_they_are(bench, sample) -> None:
    for style in ("bossa_nova", "ambient"):
        after = restyled(bench, sample, Restyle(style), scope=HERE)
        for track in sample.tracks:
            kept = next(one for one in after.tracks if one.id == track.id)
            assert _outside(kept) == _outside(track)
            assert replace(kept, clips=()) == replace(track, clips=())
        assert after.tempos == sample.tempos


def _outside(track: Track) -> list[tuple[int, int, int, int]]:
    notes = [(c.start + n.start, n.pitch, n.duration, n.velocity) for c in track.clips for n in c.notes]
    return sorted(note for note in notes if not 2 * 3840 <= note[0] < 4 * 3840)


def test_ambient_goes_as_far_as_the_amount(bench, sample) -> None:
    onsets = [
        _figure("onsets_per_bar", sample, restyled(bench, sample, Restyle("ambient"), amount), bench)
        for amount in (0.3, 1.0)
    ]
    assert _figure("onsets_per_bar", sample, sample, bench) > onsets[0] > onsets[1]


def test_a_blend_has_the_beat_of_one_and_the_sounds_of_the_other(bench, sample) -> None:
    after = restyled(bench, sample, Restyle("house", ("jazz",)))
    house, jazz = bench.styles.style("house"), bench.styles.style("jazz")
    assert named(after, "Drums").instrument in house.part_for("drums").instruments
    played = {named(after, "Chords").instrument, named(after, "Lead").instrument}
    assert played & {name for part in jazz.parts for name in part.instruments}


def test_kept_sounds_and_tempo_stay(bench, sample) -> None:
    after = restyled(bench, sample, Restyle("house"), keep_sounds=True, keep_tempo=True)
    assert [t.instrument for t in after.tracks[:4]] == [t.instrument for t in sample.tracks]
    assert after.tempos == sample.tempos
