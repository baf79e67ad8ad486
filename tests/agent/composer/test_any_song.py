"""Whatever the song, the request and the locks: a sound plan, a question, or one clear refusal."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.plan.errors import PlanError
from agent.plan.planning import DraftReady
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import ClipId, EffectId, Kind, NoteId, TrackId, derive
from agent.song.locks import BarsLock, ClipLock, Lock, TrackLock, broken
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import Ticks

REQUESTS = (
    "Recompose this sequence to be more ambient and atmospheric", "darker", "calmer", "more energetic and faster",
    "turn into house", "make it jazz", "lofi, keep the bass", "remove the bass", "transpose to F# major",
    "add a choir and drums", "120 bpm", "start over: pop", "more ambient without drums",
)
WORST = frozenset({"locked", "would fail", "no effect", "duplicate", "empty clip", "track without clip"})


def any_song(dice: Random, palette: Palette) -> Song:
    """A song of random tracks, instruments, meters and notes."""
    beats, unit = dice.choice([(4, 4), (3, 4), (6, 8), (7, 8), (5, 4)])
    edits: list[e.Edit] = [
        e.SetTempo(bpm=dice.choice([30.0, 97.5, 180.0, 300.0])), e.SetTimeSignature(beats=beats, unit=unit),
    ]
    if dice.random() < 0.3:
        edits.append(e.SetTimeSignature(beats=3, unit=4, at_beat=Ticks(19_200)))
    for number in range(dice.randint(0, 5)):
        track = TrackId(derive(Kind.TRACK, number))
        name = dice.choice(["Lead", "Bass", "bass", "Piano", f"Track {number}"])
        edits.append(e.CreateTrack(track_id=track, name=name, instrument=dice.choice(palette.instruments).name))
        edits += [any_clip(dice, track, number, clip) for clip in range(dice.randint(0, 3))]
        if dice.random() < 0.4:
            effect = dice.choice(["reverb", "distortion", "lowpass"])
            identity = EffectId(derive(Kind.EFFECT, number))
            edits.append(e.AddEffect(effect_id=identity, track_id=track, effect_name=effect))
    return apply_all(Song(), edits)


def any_clip(dice: Random, track: TrackId, number: int, clip: int) -> e.CreateMidiClip:
    """A clip of random notes, no two of them equal in pitch and start."""
    length = dice.randint(1, 40) * 480
    places = {(dice.randint(0, length - 1), dice.randint(0, 127)) for _ in range(dice.randint(0, 40))}
    notes = tuple(
        e.NoteSpec(
            pitch, Ticks(start), Ticks(dice.randint(1, length - start)), dice.randint(1, 127),
            NoteId(derive(Kind.NOTE, number, clip, start, pitch)),
        )
        for start, pitch in sorted(places)
    )
    return e.CreateMidiClip(
        clip_id=ClipId(derive(Kind.CLIP, number, clip)), track_id=track, notes=notes,
        start_time=Ticks(dice.randint(0, 60) * 480), duration=Ticks(length),
    )


@given(seed=st.integers(0, 10**9), request_text=st.sampled_from(REQUESTS))
@settings(max_examples=examples(100))
def test_any_song_under_any_locks(bench, seed, request_text):
    dice = Random(seed)
    song = any_song(dice, bench.palette)
    locks: list[Lock] = []
    if song.tracks and dice.random() < 0.5:
        locks.append(TrackLock(dice.choice(song.tracks).id))
    if dice.random() < 0.5:
        first = dice.randint(1, 8)
        locks.append(BarsLock(first, first + dice.randint(0, 5)))
    clips = [ClipLock(clip.id) for _, clip in song.clips()]
    if clips and dice.random() < 0.4:
        locks += dice.sample(clips, min(len(clips), dice.choice((1, 2))))
    last = None
    with suppress(PlanError):
        last = bench.events(request_text, song, seed, tuple(locks))[-1]
    if isinstance(last, DraftReady):
        judged = bench.review(last.draft, song, tuple(locks))
        # a clip that begins in locked bars must stay even when its free notes go
        worst = WORST - {"empty clip"} if any(isinstance(lock, BarsLock) for lock in locks) else WORST
        marks = [finding for finding in judged.plan.lint if finding.rule in worst]
        assert marks == []
        assert broken(tuple(locks), song, judged.preview.song) is None
