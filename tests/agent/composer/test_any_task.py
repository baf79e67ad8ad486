"""Any task on any small song under any locks: rows that apply, or a refusal; what is closed stays as it is."""

from __future__ import annotations

from random import Random

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.composer.changing.change import ChangeWriter
from agent.composer.changing.operations import (
    carrying,
    ducking,
    dynamics,
    fading,
    looping,
    moving,
    naming,
    slowing,
    swelling,
    swinging,
)
from agent.composer.changing.operations.articulating import Accent, Articulate
from agent.composer.changing.operations.entering import Enter, Leave
from agent.composer.changing.operations.filling import Fill, NoFills
from agent.composer.changing.operations.harmonising import Harmonise
from agent.composer.changing.operations.imitating import Imitate
from agent.composer.changing.operations.kit_pieces import Ghost, Pattern
from agent.composer.changing.operations.locking import LockToKick
from agent.composer.changing.operations.ranging import Ease, Range
from agent.composer.changing.operations.transforming import Break, Transform
from agent.composer.changing.operations.variations import Variations, VaryRepeats
from agent.composer.changing.scopes import spans_of
from agent.composer.changing.sketch import Blocked
from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.composer.understanding import operations as o
from agent.composer.understanding import tasks as t
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.wishes import Wish
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.plan import Step
from agent.plan.planning import Brief
from agent.review.review import review
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, EffectId, Kind, NoteId, SectionId, TrackId, derive
from agent.song.key import Key
from agent.song.locks import BarsLock, ClipLock, Lock, TrackLock, broken
from agent.song.rules import RANGES, check
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks, distinct_meters, distinct_tempos
from agent.song.track import Automation, Effect, Point, Track

MODES = ("major", "minor", "dorian", "lydian")
TONICS = ("C", "F#", "Bb", "E")
NAMES = ("Lead", "Bass", "Drums", "", "مرحبا", "{{s1.track_id}}", "x" * 200)
METERS = ((4, 4), (4, 4), (3, 4), (6, 8), (7, 8), (5, 4), (11, 16), (1, 32), (32, 1))
WORST = frozenset({"locked", "would fail", "no effect", "track without clip"})
STAYING = (
    o.Colour, o.Restyle, o.Transpose, o.Reharmonise, o.Add, o.Remove, o.Solo, o.Double, o.Beat, o.Reshape, o.Mix,
    ducking.Duck, swinging.Swing, swinging.Push, dynamics.Dynamic, dynamics.Strike, dynamics.Beside,
)
"""Operations that leave everything outside their scope as it is."""


class Anything:
    """Draws songs, tasks and locks from one source of chance."""

    def __init__(self, bench, seed: int) -> None:
        self.bench = bench
        self.dice = Random(seed)

    def song(self) -> Song:
        d = self.dice
        grid = d.choice((1, 7, 120, 240, 960))
        tracks = tuple(self.track(number, grid) for number in range(d.choice((1, 2, 3, 5))))
        end = max([960, *(track.end for track in tracks)])
        tempos = {0: d.choice((1.0, 60.0, 97.5, 180.0, 999.0))}
        tempos |= {d.randrange(1, 2 * end): d.choice((40.0, 80.5, 998.0)) for _ in range(d.choice((0, 0, 2, 20)))}
        meters = {0: d.choice(METERS)}
        meters |= {d.choice((d.randrange(1, 2 * end), 7680)): d.choice(METERS) for _ in range(d.choice((0, 0, 1, 3)))}
        sections = [
            Section(
                SectionId(derive(Kind.SECTION, number)), d.choice(("verse", "chorus", "Verse 2", *NAMES)),
                Ticks(d.choice((d.randrange(end), 3840 * d.randrange(8)))), Ticks(d.choice((1, 3840, 15360, 9999))),
            )
            for number in range(d.choice((0, 0, 1, 3, 8)))
        ]
        song = Song(
            tempos=distinct_tempos([TempoChange(Ticks(at), bpm) for at, bpm in tempos.items()]),
            meters=distinct_meters([MeterChange(Ticks(at), *meter) for at, meter in meters.items()]),
            key=Key(d.choice(TONICS), d.choice(MODES)), tracks=tracks, master_effects=self.chain("master"),
            sections=tuple(sorted(sections, key=lambda section: (section.start, section.id))),
        )
        check(song)
        return song

    def track(self, number: int, grid: int) -> Track:
        d = self.dice
        known = d.choice(self.bench.palette.instruments).name
        clips = [self.clip(number, clip, grid) for clip in range(d.choice((0, 1, 1, 3)))]
        chain = self.chain(str(number))
        lanes = [self.lane(target) for target in d.sample(sorted(RANGES), d.choice((0, 0, 1, 4)))]
        if chain and chain[0].params:
            points = tuple(Point(Ticks(at), chain[0].params[0][1]) for at in (100, 9000))
            lanes.append(Automation(f"{chain[0].id}.{chain[0].params[0][0]}", points))
        return Track(
            TrackId(derive(Kind.TRACK, number)), d.choice(NAMES), d.choice((known, known, known, "unknown")),
            volume_db=d.choice((0.0, -96.0, 24.0)), pan=d.choice((0.0, -1.0)), mute=d.random() < 0.2, effects=chain,
            clips=tuple(sorted(clips, key=lambda clip: (clip.start, clip.id))),
            automation=tuple(sorted(lanes, key=lambda lane: lane.target)),
        )

    def chain(self, owner: str) -> tuple[Effect, ...]:
        d = self.dice
        chain = []
        for number in range(d.choice((0, 0, 1, 3))):
            kind = d.choice(self.bench.palette.effects)
            params = {param.name: d.choice((param.low, param.high, param.default)) for param in kind.params}
            name, params = d.choice(((kind.name, params), (kind.name, params), ("unknown", {"zap": 1.0})))
            identity = EffectId(derive(Kind.EFFECT, owner, number))
            chain.append(Effect(identity, name, tuple(sorted(params.items())), d.random() < 0.8))
        return tuple(chain)

    def lane(self, target: str) -> Automation:
        d = self.dice
        places = sorted({d.randrange(40_000) for _ in range(d.choice((1, 2, 20)))})
        points = tuple(Point(Ticks(at), float(d.choice(RANGES[target]))) for at in places)
        return Automation(target, points, d.choice(("linear", "hold")))

    def clip(self, track: int, clip: int, grid: int) -> Clip:
        """Notes of any length from one tick on, also outside the instrument and off the grid."""
        d = self.dice
        length = d.choice((1, 480, 3840, 15360, 15360, 30720, d.randrange(1, 40_000)))
        notes: dict[tuple[int, int], int] = {}
        kind = d.choice(("empty", "any", "tune", "drums", "chords", "short"))
        if kind == "any":
            for _ in range(d.randrange(1, 50)):
                notes[d.randrange(length) // grid * grid, d.randrange(128)] = d.choice((1, 30, 400, 2000))
        if kind in ("tune", "short"):
            by, lasting = (480, 480) if kind == "tune" else (240, 1)
            notes |= {(at, 60 + (0, 2, 4, 5, 7, 9, 11, 12)[at // by % 8]): lasting for at in range(0, length, by)}
        if kind == "drums":
            notes |= {(at, pitch): 10 for at in range(0, length, 960) for pitch in (36 + at // 960 % 2 * 2, 42)}
        if kind == "chords":
            notes |= {(at, root): 1900 for at in range(0, length, 1920) for root in (48, 52, 55)}
        made = [
            Note(
                id=NoteId(derive(Kind.NOTE, track, clip, at, pitch)), pitch=pitch, start=Ticks(at),
                duration=Ticks(min(lasting, length - at)), velocity=d.choice((1, 64, 90, 127)),
            )
            for (at, pitch), lasting in notes.items()
        ]
        start = d.choice((0, 0, 3840, 15360, d.randrange(50_000)))
        name = d.choice(NAMES)
        return Clip(ClipId(derive(Kind.CLIP, track, clip)), name, Ticks(start), Ticks(length), in_order(made))

    def wish(self, song: Song) -> Wish:
        if self.dice.random() < 0.15:
            track = self.dice.choice(song.tracks)
            return Wish(track.name.casefold(), tracks=(track.id,))
        thing = self.dice.choice(self.bench.words.things)
        return Wish(
            thing.name, thing.role, thing.families, thing.instruments, whole_role=thing.whole_role, pieces=thing.pieces
        )

    def scope(self) -> t.Scope:
        d = self.dice
        first = d.randrange(1, 12)
        places: tuple[t.Place, ...] = (
            t.Bars(first, first + d.choice((0, 1, 3, 99_990))),
            t.Named(d.choice(("verse", "chorus")), d.choice((0, 1, -1))),
            t.Edge(d.choice(("start", "end")), d.choice((1, 4, 1000))),
        )
        inside = tuple(d.sample(places, d.choice((0, 1, 1, 2))))
        return t.Scope(inside, tuple(d.sample(places, d.choice((0, 0, 0, 1)))))

    def task(self, song: Song) -> t.Task:
        d = self.dice
        condition = t.Condition(self.wish(song), d.random() < 0.5) if d.random() < 0.1 else None
        every = d.choice((None, None, None, 1, 3))
        amount = d.choice((0.01, 0.5, 1.0, 1.0, 1.5))
        return t.Task(self.operation(song), self.scope(), amount, condition, every, "words")

    def operation(self, song: Song) -> t.Operation:
        d, wish = self.dice, self.wish(song)
        part = d.choice((None, wish))
        styles = [style.name for style in self.bench.styles.styles]
        controls = ("level", "pan", "reverb", "echo", "tone", "width", "punch", "drive")
        return d.choice((
            o.Colour(d.choice(self.bench.words.moods), part), o.Restyle(d.choice(styles), tuple(d.sample(styles, 1))),
            o.Rekey(d.choice((None, *TONICS)), d.choice((None, *MODES))),
            o.Transpose(d.choice((-36, -1, 0, 7, 36)), part),
            o.Retempo(d.choice((None, 1.0, 66.6, 999.0)), d.choice((0.01, 0.5, 1.25, 100.0)), d.random() < 0.3),
            o.Remeter(*d.choice(((3, 4), (4, 4), (6, 8), (7, 8), (2, 2), (1, 8), (32, 8)))),
            o.Reharmonise(), o.Add(wish), o.Remove(wish), o.Solo((wish,)), o.Replace(wish, self.wish(song)),
            o.Double(wish, d.choice((None, self.wish(song))), d.choice((0, -36, 12))),
            o.Beat(d.choice(("half", "double"))),
            o.Reshape(d.choice(("simplify", "thicken", "humanize", "quantize", "vary")), part),
            o.Mix(d.choice(controls), d.choice((-1.0, 0.0, 0.5, 1.0)), part, d.choice((None, None, -60.0, 24.0))),
            o.NewSection(d.choice(("intro", "break", "build", "bridge", "outro")), d.choice((0, 1, 8)),
                         d.random() < 0.5),
            Fill(d.choice(("fill", "roll", "toms")), d.choice(("", "phrase", "section")), self.scope().places),
            LockToKick(wish), Articulate(d.choice(("staccato", "legato", "ringing")), part), Ease(part),
            Accent(d.choice(("one", "beats", "backbeats", "offbeats")), part),
            Range(d.choice((None, 0, 60)), d.choice((None, 60, 127)), part, d.choice(("", "left"))),
            Transform(d.choice(("augment", "diminish", "invert", "retrograde")), wish), VaryRepeats(part),
            Break(d.choice(("arpeggio", "broken", "block", "strum")), wish, d.choice((0.125, 0.5, 4))),
            Variations(d.choice((1, 3, 12)), part), Enter(wish, t.Bars(d.choice((1, 3, 40)), 40), d.random() < 0.5),
            Leave(wish, t.Bars(d.choice((1, 3, 40)), 40), d.random() < 0.5),
            NoFills(), Ghost(wish, d.random() < 0.5),
            Pattern(wish, d.choice(("beats", "offbeats", "backbeats", "grid", "one")), d.choice((0.125, 0.5, 4))),
            Harmonise(wish, d.choice((1, 2, 5, 7, 14)), d.choice((None, True, False)), part, d.random() < 0.5),
            Imitate(d.choice(("canon", "answer")), wish, part, d.choice((0.5, 3.0)), d.choice((0, 1, 64))),
            o.Cut(), o.Repeat(), o.Rename(d.choice(NAMES)),
            o.Resize(d.choice((None, 1, 7, 24)), d.choice((None, None, 1.0, 30.0)), d.choice((0.1, 0.5, 1.5))),
            *self.newer(song, wish, part),
        ))  # fmt: skip

    def newer(self, song: Song, wish: Wish, part: Wish | None) -> tuple[t.Operation, ...]:
        """Operations with places of their own, and those on time, level and names."""
        d = self.dice
        here, there = (self.scope().places[:1] or (t.Bars(2, 3),) for _ in range(2))
        return (
            dynamics.Dynamic(d.choice((1, 36, 127)), part, d.choice(("", "most", "least"))),
            dynamics.Strike(d.choice(("harder", "softer")), part), dynamics.Beside("softer", wish, wish),
            swelling.Swell(d.choice(("louder", "softer")), part, d.choice((None, 36)), None, d.choice(((), here))),
            fading.Fade(d.choice(("in", "out")), part, d.choice((0, 1, 9)), into=d.choice(((), here))),
            slowing.Drift(d.choice(("slower", "faster")), d.choice((0, 3)), d.choice((None, 1.0, 300.0)),
                          into=d.choice(((), there))),
            slowing.Hold(d.choice((0, 2))), looping.Loop(), ducking.Duck(part, d.choice((None, self.wish(song)))),
            moving.Move(here, there, d.choice(("before", "after")), d.choice((0, 0, 2, -5))),
            moving.Copy(here, there, "after", d.choice((1, 3)), d.choice(("", "ending", "again"))),
            moving.Swap(here, there), carrying.Carry(here, there, part, d.random() < 0.3),
            naming.NameTrack(wish, "Basso"), naming.NameSection(here, "Strophe"),
            swinging.Swing(d.choice((None, 50.0, 75.0)), part, d.choice((None, 0.25, 0.33333333))),
            swinging.Push(d.choice(("ahead", "behind")), part, d.choice((None, 150.0))), o.Repeat(4),
            o.Reshape("quantize", part, d.choice((0.25, 0.33333333, 4.0))),
            o.Mix(d.choice(("level", "pan")), 1.0, part, at=d.choice((-1.0, 0.5))),
        )

    def locks(self, song: Song) -> tuple[Lock, ...]:
        d = self.dice
        first = d.randrange(1, 8)
        bars, track = BarsLock(first, first + d.randrange(5)), TrackLock(d.choice(song.tracks).id)
        every = tuple(TrackLock(one.id) for one in song.tracks)
        clips = tuple(ClipLock(clip.id) for _, clip in song.clips())
        some = tuple(d.sample(clips, min(len(clips), d.choice((1, 1, 2)))))
        return d.choice((
            (), (), (), (bars,), (bars, track), (track,), (BarsLock(1, 9999),), every, some, some, clips, (*some, bars),
        ))


def rows_of(bench, song: Song, tasks: tuple[t.Task, ...], locks: tuple[Lock, ...], seed: int) -> tuple[Step, ...]:
    brief = Brief("a change", song, bench.palette, tuple(bench.registry.tools.values()), seed, locks)
    rows = Rows(song, Guard(song, locks))
    for _ in ChangeWriter(
        brief, Intent(goal="change", tasks=tasks), bench.styles, None, Dice(seed, "test")
    ).write(rows):
        pass
    return tuple(rows.steps)


def before_and_after(song: Song, spans: list[tuple[int, int]]) -> list[tuple[str, int, int, int]]:
    """The notes that begin outside the spans. Where one ends does not count: another of its pitch may cut it."""
    return sorted(
        (track.id, clip.start + note.start, note.pitch, note.velocity)
        for track, clip in song.clips() for note in clip.notes
        if not any(start <= clip.start + note.start < end for start, end in spans)
    )


@given(seed=st.integers(0, 10**9))
@settings(max_examples=examples(200))
def test_any_tasks_under_any_locks(bench, seed):
    drawn = Anything(bench, seed)
    song = drawn.song()
    tasks = tuple(drawn.task(song) for _ in range(drawn.dice.choice((1, 1, 2, 3))))
    locks = drawn.locks(song)
    try:
        steps = rows_of(bench, song, tasks, locks, seed % 5)
    except PlanError:
        return
    assert rows_of(bench, song, tasks, locks, seed % 5) == steps
    judged = review(Plan(steps=steps, project="p", locks=locks), song, bench.registry, bench.palette)
    assert judged.errors == ()
    assert [finding for finding in judged.plan.lint if finding.rule in WORST] == []
    after = judged.preview.song
    check(after)
    assert broken(locks, song, after) is None
    if all(isinstance(task.operation, STAYING) and not task.scope.whole for task in tasks):
        spans: list[tuple[int, int]] = []
        for task in tasks:
            try:
                spans += spans_of(task.scope, song, bench.palette)
            except Blocked:
                continue
        assert before_and_after(after, spans) == before_and_after(song, spans)
        assert (after.tempos, after.meters) == (song.tempos, song.meters)


def test_short_drum_hits_stay(bench, sample):
    """Files from drum pads hold hits of a few ticks."""
    drums = sample.tracks[0]
    clips = [
        e.ModifyClip(
            clip_id=clip.id,
            notes=tuple(e.NoteSpec(n.pitch, n.start, Ticks(5), n.velocity, n.id) for n in clip.notes),
        )
        for clip in drums.clips
    ]
    song = apply_all(sample, clips)
    task = t.Task(o.Reshape("humanize", Wish("drums", tracks=(drums.id,))), t.Scope((t.Bars(1, 1),)))
    steps = rows_of(bench, song, (task,), (), 1)
    after = review(Plan(steps=steps, project="p"), song, bench.registry, bench.palette).preview.song
    assert steps
    assert after.note_count == song.note_count


@pytest.mark.parametrize("name", ["{{s1.track_id}}", "{{{{s1.track_id}}}}", "{{", "{{nothing}}"])
def test_a_name_is_never_read_as_a_reference(bench, sample, name):
    steps = rows_of(bench, sample, (t.Task(o.Rename(name)),), (), 1)
    judged = review(Plan(steps=steps, project="p"), sample, bench.registry, bench.palette)
    assert judged.errors == ()
    assert judged.preview.song.name.replace(" ", "") == name
