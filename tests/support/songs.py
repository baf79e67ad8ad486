"""Hypothesis strategies for songs that keep the rules, and for edits that fit a song."""

from __future__ import annotations

from hypothesis import strategies as st

from agent.song import edits as e
from agent.song.chart import ChordSymbol
from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, EffectId, Kind, NoteId, SectionId, TrackId, derive
from agent.song.key import Key
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks, distinct_meters, distinct_tempos
from agent.song.track import Automation, Effect, Point, Track

names = st.text("abcXYZ 'ä<\u202e1", min_size=1, max_size=8)
ticks = st.integers(0, 960 * 16).map(Ticks)
lengths = st.integers(1, 960 * 16).map(Ticks)
bpms = st.integers(40, 250).map(float)
meters = st.tuples(st.integers(1, 12), st.sampled_from([2, 4, 8]))
effect_names = st.sampled_from(["reverb", "delay", "gain"])
params = st.dictionaries(st.sampled_from(["mix", "time", "level"]), st.integers(0, 10).map(float))
pool = st.integers(0, 5)
symbols = st.sampled_from(["C", "F#m7b5", "Bb/D", "G7(b9)", "N.C."])


@st.composite
def note_lists(draw: st.DrawFn, length: int, salt: str) -> tuple[Note, ...]:
    notes = []
    for i in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, length - 1))
        duration = draw(st.integers(1, length - start))
        velocity = draw(st.integers(1, 127))
        note_id = NoteId(derive(Kind.NOTE, salt, i))
        notes.append(Note(note_id, draw(st.integers(0, 127)), Ticks(start), Ticks(duration), velocity))
    return in_order(notes)


@st.composite
def chains(draw: st.DrawFn, salt: str) -> tuple[Effect, ...]:
    numbers = draw(st.lists(st.integers(0, 3), unique=True, max_size=3))
    return tuple(
        Effect(
            EffectId(derive(Kind.EFFECT, salt, n)),
            draw(effect_names),
            tuple(sorted(draw(params).items())),
            draw(st.booleans()),
        )
        for n in numbers
    )


@st.composite
def lanes(draw: st.DrawFn, effects: tuple[Effect, ...]) -> tuple[Automation, ...]:
    targets = ["volume_db", "pan", "pedal", *(f"{effect.id}.mix" for effect in effects)]
    chosen = draw(st.lists(st.sampled_from(targets), unique=True, max_size=2))
    made = []
    for target in sorted(chosen):
        at = sorted(draw(st.sets(ticks, min_size=1, max_size=3)))
        points = tuple(Point(Ticks(t), float(draw(st.integers(0, 1)))) for t in at)
        made.append(Automation(target, points, draw(st.sampled_from(["linear", "hold"]))))
    return tuple(made)


@st.composite
def charts(draw: st.DrawFn) -> tuple[ChordSymbol, ...]:
    """Chords one after another, with and without gaps."""
    at, made = 0, []
    drawn = st.tuples(st.integers(0, 960), st.integers(1, 7680), symbols)
    for gap, length, symbol in draw(st.lists(drawn, max_size=4)):
        made.append(ChordSymbol(Ticks(at + gap), Ticks(length), symbol))
        at += gap + length
    return tuple(made)


@st.composite
def songs(draw: st.DrawFn) -> Song:
    """Songs over a small pool of ids, so that two drawn songs share some of their parts."""
    clip_numbers = draw(st.lists(st.integers(0, 5), unique=True, max_size=5))
    track_numbers = draw(st.lists(st.integers(0, 3), unique=True, max_size=4))
    tracks = []
    for n in track_numbers:
        clips = []
        while clip_numbers and draw(st.booleans()):
            number = clip_numbers.pop()
            length = draw(lengths)
            notes = draw(note_lists(length, f"c{number}"))
            clip_id = ClipId(derive(Kind.CLIP, number))
            clips.append(Clip(clip_id, draw(names), draw(ticks), length, notes))
        effects = draw(chains(f"t{n}"))
        tracks.append(
            Track(
                TrackId(derive(Kind.TRACK, n)), draw(names), draw(st.sampled_from(["pad_warm", "kit_standard"])),
                volume_db=float(draw(st.integers(-60, 6))), pan=draw(st.integers(-4, 4)) / 4,
                mute=draw(st.booleans()), clips=tuple(sorted(clips, key=lambda c: (c.start, c.id))),
                effects=effects, automation=draw(lanes(effects)),
            )
        )
    tempos = [TempoChange(Ticks(0), draw(bpms)), *(
        TempoChange(Ticks(at + 1), draw(bpms)) for at in sorted(draw(st.sets(ticks, max_size=2)))
    )]
    changes = [MeterChange(Ticks(0), *draw(meters)), *(
        MeterChange(Ticks(at + 1), *draw(meters)) for at in sorted(draw(st.sets(ticks, max_size=2)))
    )]
    sections = [
        Section(SectionId(derive(Kind.SECTION, n)), draw(names), draw(ticks), draw(lengths))
        for n in draw(st.lists(st.integers(0, 3), unique=True, max_size=3))
    ]
    return Song(
        draw(names), distinct_tempos(tempos), distinct_meters(changes),
        Key(draw(st.sampled_from(["C", "F#", "Bb"])), draw(st.sampled_from(["major", "minor", "dorian"]))),
        tuple(sorted(sections, key=lambda s: (s.start, s.id))), tuple(tracks), draw(chains("master")),
        float(draw(st.integers(-30, -8))), draw(charts()),
    )


specs = st.builds(
    lambda n, s, d, i: e.NoteSpec(n, Ticks(s), Ticks(d), 90, NoteId(derive(Kind.NOTE, "spec", i))),
    st.integers(0, 127), st.integers(0, 4000), st.integers(1, 4000), st.integers(0, 1000),
)
spec_lists = st.lists(specs, max_size=3, unique_by=lambda spec: spec.id).map(tuple)


@st.composite
def edits(draw: st.DrawFn, song: Song) -> e.Edit:
    """An edit that may or may not fit the song."""
    fresh = str(draw(st.integers(0, 10**9)))
    track_ids = [track.id for track in song.tracks] or [TrackId("missing")]
    clip_ids = [clip.id for _, clip in song.clips()] or [ClipId("missing")]
    effect_ids = [fx.id for track in song.tracks for fx in track.effects]
    effect_ids += [fx.id for fx in song.master_effects] or [EffectId("missing")]
    track, clip, effect = (draw(st.sampled_from(ids)) for ids in (track_ids, clip_ids, effect_ids))
    section = draw(st.sampled_from([s.id for s in song.sections] or [SectionId("missing")]))
    place, length, number = draw(ticks), draw(lengths), draw(pool)
    operation = draw(st.sampled_from(
        ["transpose", "quantize", "humanize", "scale_velocity", "stretch", "reverse", "thin"]
    ))
    share = number / 5
    options: list[e.Edit] = [
        e.CreateTrack(track_id=TrackId(derive(Kind.TRACK, fresh)), name="new", instrument="pad_warm", position=number),
        e.UpdateTrack(track_id=track, name="renamed", pan=0.5, position=number),
        e.DeleteTrack(track_id=track),
        e.DuplicateTrack(track_id=track, new_track_id=TrackId(derive(Kind.TRACK, fresh))),
        e.CreateMidiClip(
            clip_id=ClipId(derive(Kind.CLIP, fresh)), track_id=track, start_time=place, duration=length,
            notes=draw(spec_lists),
        ),
        e.ModifyClip(clip_id=clip, notes=draw(spec_lists), name="changed"),
        e.ModifyClip(clip_id=clip, start_time=place, duration=length, to_track_id=track),
        e.TransformClip(
            clip_id=clip, operation=operation, semitones=number, grid=Ticks(240), timing=Ticks(50), velocity=9,
            factor=share + 0.5, keep=share, seed=number,
        ),
        e.DuplicateClip(clip_id=clip, new_clip_id=ClipId(derive(Kind.CLIP, fresh)), to_track_id=track),
        e.SplitClip(clip_id=clip, new_clip_id=ClipId(derive(Kind.CLIP, fresh)), at_time=place),
        e.DeleteClip(clip_id=clip),
        e.AddEffect(
            effect_id=EffectId(derive(Kind.EFFECT, fresh)), track_id=track, effect_name="delay",
            params=draw(params), position=number,
        ),
        e.UpdateEffect(effect_id=effect, params=draw(params), enabled=draw(st.booleans()), position=number),
        e.RemoveEffect(effect_id=effect),
        e.SetAutomation(track_id=track, target="pan", points=(e.PointSpec(place, share),)),
        e.SetTempo(bpm=draw(bpms), at_beat=place),
        e.SetTimeSignature(beats=number + 1, unit=4, at_beat=place),
        e.SetKey(tonic="D", mode="lydian"),
        e.SetChords(
            start_time=place, duration=length, chords=(e.ChordSpec(draw(symbols), place, Ticks(max(1, length // 2))),),
        ),
        e.SetChords(start_time=place, duration=length, chords=()),
        e.SetLoudness(target=-20.0),
        e.SetSoundFont(file="mine.sf2"), e.SetSoundFont(track_id=track, file="other.sf3"),
        e.RenameSong(name="Other"),
        e.AddSection(section_id=SectionId(derive(Kind.SECTION, fresh)), name="A", start_time=place, duration=length),
        e.UpdateSection(section_id=section, name="B", duration=length),
        e.DeleteSection(section_id=section),
    ]
    return draw(st.sampled_from(options))
