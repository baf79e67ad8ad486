"""Verifying: what a new piece was asked for, held against the notes that were written for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct, structs

from agent.composer.changing.notes.kit_pieces import pitches_of
from agent.composer.changing.stage import tracks_of
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.course import CourseStage
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.metered import metered_sections
from agent.composer.understanding.note_rules import NoteRules, Reach, told_rules
from agent.composer.understanding.section_kinds import is_called
from agent.composer.understanding.sentences import counted, told_stage, told_time
from agent.composer.understanding.wishes import Wish
from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Section, Song
from agent.theory.sounding import Sounding, kit_tracks, sounding

_SOFT, _LOUD, _OFF = 56, 96, 20
"""Velocities of stages that are said to be soft and loud, and how far their notes may lie on the other side."""
_MOVES = 3
"""By how many velocities a stage that builds or fades changes at least, or by how many parts."""
_LASTING = 0.25
"""Share of its seconds by which a stage may be longer or shorter."""
_LATE = 2.5
"""By how many seconds a stage may begin too early or too late."""
_LENGTH, _LEAST, _MINUTE = 0.1, 1.0, 60
"""The same of the piece, the seconds by which it may be so at least, and from how many on minutes are spoken of."""

_CHORD = 3
"""Notes that are a chord together."""

_TUNE = Wish("melody", role="lead", families=("lead",), whole_role=True)
"""Whose range one is that is said of nobody."""


class Miss(Struct, frozen=True):
    """Something that was asked for and that the written piece lacks, and why; `label` is its word in the answer.

    `stage` is the number of the stage (from 0) for which it was asked; None for the whole piece.
    """

    label: str
    why: str
    stage: int | None = None


def verified(intent: Intent, song: Song, palette: Palette) -> Intent:
    """The intent of a new piece after a check of the song that was written: requests that the song does not fulfil are
    moved to those reported as not done."""
    piece = _Written(song, palette, sounding(song))
    whole = list(_of_whole(intent, piece))
    missing = {miss.label for miss in whole}
    found = [*whole, *(miss for miss in _of_course(intent, piece) if miss.label not in missing)]
    left = tuple(reach for reach in intent.rules.reaches if _passed(reach, piece))
    if left:
        kept = tuple(reach for reach in intent.rules.reaches if reach not in left)
        found += [Miss(told, "not all notes keep to it") for told in told_rules(NoteRules(reaches=left))]
        intent = structs.replace(intent, rules=structs.replace(intent.rules, reaches=kept))
    return _told(intent, found) if found else intent


class _Written(Struct, frozen=True):
    """The song that was written, with all that sounds in it."""

    song: Song
    palette: Palette
    notes: Sequence[Sounding]

    def inside(self, start: int, end: int) -> list[Sounding]:
        """The notes that begin between two ticks."""
        return [note for note in self.notes if start <= note.start < end]

    def meant(self, wish: Wish) -> set[TrackId]:
        """The tracks of a wish."""
        return set(tracks_of(wish, self.song, self.palette))

    @property
    def harmonised(self) -> bool:
        """Whether somebody plays chords, whatever else his part is like."""
        kits = kit_tracks(self.song, self.palette)
        together = Counter((note.track, note.start) for note in self.notes if note.track not in kits)
        return any(many >= _CHORD for many in together.values())

    def name(self, track: TrackId) -> str:
        """How a track is called."""
        return self.song.track(track).name

    def bar(self, tick: int) -> int:
        """The bar of a tick, counted from 1."""
        return int(self.song.bar_map.bar_at(tick))


def _of_whole(intent: Intent, piece: _Written) -> Iterator[Miss]:
    """What was asked of the whole piece and is not so."""
    playing = {note.track for note in piece.notes}
    for wish in dict.fromkeys((*intent.players, *intent.wanted)):
        if wish.stands_in or wish.pieces or (_is_harmony(wish) and piece.harmonised):
            continue
        if not piece.meant(wish) & playing:
            yield Miss(wish.label, f"nothing in it plays {wish.label}")
    if intent.bars is not None and piece.song.bars != intent.bars:
        yield Miss("bars", f"it became {counted(piece.song.bars, 'bar')}")
    key = piece.song.key
    other_mode = intent.mode is not None and key.mode != intent.mode and not intent.course
    if intent.tonic and not intent.course and key.tonic != intent.tonic:
        yield Miss(intent.tonic, f"it is in {key}")
    elif other_mode:
        yield Miss(str(intent.mode), f"it is in {key}")
    yield from _of_time(intent, piece)
    yield from _of_limits(intent, piece)
    names = [section.name.rstrip("0123456789 ").casefold() for section in piece.song.sections]
    asked = [section.name.casefold() for section in intent.sections]
    if len(asked) > 1 and asked != names:
        yield Miss(intent.sections[0].name, f"its sections are {', '.join(names)}")


def _is_harmony(wish: Wish) -> bool:
    """Whether chords are meant, and nobody who plays them."""
    return wish.whole_role and wish.role == "chords" and not wish.families


def _of_limits(intent: Intent, piece: _Written) -> Iterator[Miss]:
    """A meter that was asked for, and players and drums that were ruled out, where it is not so."""
    meters = {(one.beats, one.unit): f"{one.beats}/{one.unit}" for one in piece.song.meters}
    if intent.meter is not None and intent.meter not in meters:
        yield Miss("/".join(map(str, intent.meter)), f"it is in {' and '.join(meters.values())}")
    sections = [one.name for one in piece.song.sections]
    for name in metered_sections(intent):
        if not any(is_called(name, one) for one in sections):
            yield Miss(name, f"it has no {name}: its sections are {', '.join(dict.fromkeys(sections))}")
    if intent.most_tracks and len(piece.song.tracks) > intent.most_tracks:
        yield Miss(str(intent.most_tracks), f"it has {counted(len(piece.song.tracks), 'track')}")
    playing = {note.track for note in piece.notes}
    kits = kit_tracks(piece.song, piece.palette)
    for wish in intent.refused:
        meant = set(pitches_of(wish.pieces))
        if wish.pieces and any(note.track in kits and note.pitch in meant for note in piece.notes):
            yield Miss(wish.label, f"{wish.label} sounds in it")
        # what sings or accompanies is judged by its notes, and somebody always lies highest
        elif not wish.pieces and wish.role not in ("lead", "chords") and (still := piece.meant(wish) & playing):
            yield Miss(wish.label, f"{', '.join(sorted(map(piece.name, still)))} plays in it")


def _passed(reach: Reach, piece: _Written) -> bool:
    """Whether notes of whom a range is said lie outside it; in whichever octave where its own is not sure."""
    meant = piece.meant(reach.wish if reach.wish is not None else _TUNE)
    if reach.spared is not None:
        kits = kit_tracks(piece.song, piece.palette)
        everybody = {note.track for note in piece.notes} if reach.wish is None else meant
        meant = everybody - piece.meant(reach.spared) - set(kits)
    pitches = [note.pitch for note in piece.notes if note.track in meant]
    low, high = reach.low or 0, reach.high or 127
    return not reach.either and any(not low <= pitch <= high for pitch in pitches)


def _of_time(intent: Intent, piece: _Written) -> Iterator[Miss]:
    """A tempo or a length in time that was asked for and is not so."""
    first, last = piece.song.tempos[0].bpm, piece.song.tempos[-1].bpm
    if intent.bpm is not None and not intent.course and abs(first - intent.bpm) > 1:
        yield Miss(f"{intent.bpm:g}", f"it is at {first:g} BPM")
    if intent.ramp is not None and abs(last - intent.ramp[1]) > 1:
        yield Miss(f"{intent.ramp[1]:g}", f"it ends at {last:g} BPM")
    if intent.seconds is not None and piece.notes:
        lasts = piece.song.tempo_map.seconds(piece.song.bar_map.start_of(piece.song.bars + 1))
        if abs(lasts - intent.seconds) > max(_LEAST, _LENGTH * intent.seconds):
            unit = "minute" if intent.seconds >= _MINUTE else "second"
            named = any(unit in clause.text for clause in intent.clauses)
            yield Miss(unit if named else told_time(intent.seconds), f"it lasts {lasts:.0f} seconds")


def _of_course(intent: Intent, piece: _Written) -> Iterator[Miss]:
    """What was asked of single stages and is not so; stages that add layers have no section of their own."""
    if len(intent.course) < 2 or any(stage.motion == "layered" for stage in intent.course):
        return
    sections = sorted(piece.song.sections, key=_start)
    if len(sections) != len(intent.course):
        yield Miss("", f"it became {counted(len(sections), 'section')}", 0)
        return
    early: set[TrackId] = set()
    before: set[TrackId] = set()
    kits = kit_tracks(piece.song, piece.palette)
    for number, (stage, section) in enumerate(zip(intent.course, sections, strict=True)):
        notes = piece.inside(section.start, section.end)
        here = {note.track for note in notes}
        for label, why in (
            *_place(stage, section, piece), *_players(stage, here, early, piece),
            *_entrance(stage, before, piece), *_kit(stage, notes, kits),
            *_strength(stage, section, notes), *_time(stage, section, piece),
        ):
            yield Miss(label, why, number)
        named = {track for wish in (*stage.alone, *stage.enters) for track in piece.meant(wish)}
        before = here
        early = set() if stage.everyone else early | (here - named)


def _start(section: Section) -> int:
    return section.start


def _place(stage: CourseStage, section: Section, piece: _Written) -> Iterator[tuple[str, str]]:
    """Its first bar and its length, where they are others than was said."""
    first, last = piece.bar(section.start), piece.bar(section.end - 1)
    if stage.from_bar and first != stage.from_bar:
        yield str(stage.from_bar), f"it begins in bar {first}"
    if stage.bars and last - first + 1 != stage.bars:
        yield str(stage.bars), f"it has {counted(last - first + 1, 'bar')}"
    if stage.from_seconds:
        begins = piece.song.tempo_map.seconds(section.start)
        if abs(begins - stage.from_seconds) > max(_LATE, _LENGTH * stage.from_seconds):
            yield "", f"it begins after {begins:.0f} seconds"
    if stage.seconds:
        times = piece.song.tempo_map
        lasts = times.seconds(section.end) - times.seconds(section.start)
        if abs(lasts - stage.seconds) > _LASTING * stage.seconds:
            yield "seconds", f"it lasts {lasts:.0f} seconds"


def _players(stage: CourseStage, here: set[TrackId], early: set[TrackId], piece: _Written) -> Iterator[tuple[str, str]]:
    """Who plays and should not, and who should and does not; `early` played before without having been named."""
    named = {track for wish in (*stage.alone, *stage.enters) for track in piece.meant(wish)}
    for wish in (*stage.alone, *stage.enters):
        if not piece.meant(wish) & here and not wish.pieces and not wish.stands_in:
            yield wish.label, f"{wish.label} does not play there"
    for wish in stage.enters:
        if not stage.everyone and (meant := piece.meant(wish)) and meant <= early and not wish.pieces:
            yield wish.label, f"{wish.label} plays before that too"
    if stage.alone and named and (others := here - named) and not any(w.pieces for w in stage.alone):
        names = ", ".join(sorted(piece.name(track) for track in others))
        yield stage.alone[0].label, f"{names} plays there too"
    for wish in stage.leaves:
        if not wish.pieces and (still := piece.meant(wish) & here):
            yield wish.label, f"{', '.join(sorted(map(piece.name, still)))} goes on"


def _entrance(stage: CourseStage, before: set[TrackId], piece: _Written) -> Iterator[tuple[str, str]]:
    """Players of whom nothing is said but that they come in at a moment, and who all play right before it."""
    bare = structs.replace(stage, enters=(), name="", bars=0, seconds=0.0)
    coming = [piece.meant(wish) for wish in stage.enters if not wish.pieces]
    timed = stage.from_bar or stage.from_seconds
    if timed and coming and not bare.says_something and all(meant and meant <= before for meant in coming):
        yield stage.enters[0].label, f"{stage.enters[0].label} plays before that too"


def _kit(stage: CourseStage, notes: Sequence[Sounding], kits: Collection[TrackId]) -> Iterator[tuple[str, str]]:
    """Whether more plays than the single drums that were to."""
    pieces = [piece for wish in stage.alone for piece in wish.pieces]
    if pieces and all(wish.pieces for wish in stage.alone):
        meant = pitches_of(pieces)
        if any(note.track not in kits or note.pitch not in meant for note in notes):
            yield stage.alone[0].label, "more than that plays there"


def _strength(stage: CourseStage, section: Section, notes: Sequence[Sounding]) -> Iterator[tuple[str, str]]:
    """How loud it is, and how that moves, where it is not so."""
    if stage.motion == "silent":
        if notes:
            yield "", "notes sound there"
        return
    if not notes:
        yield "", "nothing sounds there"
        return
    loud = _mean(notes)
    if stage.level is not None and not stage.motion:
        far = loud > _SOFT + _OFF if stage.level <= _SOFT else loud < _LOUD - _OFF if stage.level >= _LOUD else False
        if far:
            yield "", f"its notes have a velocity of {loud:.0f}"
    if stage.motion in ("builds", "fades"):
        length = section.duration // 4
        first = [note for note in notes if note.start < section.start + length]
        last = [note for note in notes if note.start >= section.end - length]
        moved = _mean(last) - _mean(first) if first and last else 0.0
        added = len({note.track for note in last}) - len({note.track for note in first})
        way = 1 if stage.motion == "builds" else -1
        if way * moved < _MOVES and way * added < 1:
            yield "", "it is as strong at its end as at its beginning"


def _time(stage: CourseStage, section: Section, piece: _Written) -> Iterator[tuple[str, str]]:
    """A tempo of its own that it does not have."""
    begin = piece.song.tempo_map.bpm(section.start)
    if stage.bpm is not None and abs(begin - stage.bpm) > 1:
        yield f"{stage.bpm:g}", f"it is at {begin:g} BPM"
    if stage.drift:
        inside = [one.bpm for one in piece.song.tempos if section.start < one.at < section.end]
        way = 1 if stage.drift == "faster" else -1
        if not inside or way * (inside[-1] - begin) <= 0:
            yield stage.drift, "its tempo stays as it is"


def _mean(notes: Sequence[Sounding]) -> float:
    return sum(note.velocity for note in notes) / len(notes)


def _told(intent: Intent, found: Sequence[Miss]) -> Intent:
    """The intent with each miss told with its clause, and without what was understood of it."""
    clauses = list(intent.clauses)
    ignored = list(intent.ignored)
    for miss in found:
        at = _clause(miss, intent, clauses)
        if at is None:
            said = told_stage(intent.course[miss.stage]) if miss.stage is not None else miss.label
            ignored.append(f"{said} ({miss.why})")
            continue
        one = clauses[at]
        reason = f"{one.reason}; {miss.why}" if one.outcome == "told" else miss.why
        clauses[at] = structs.replace(one, outcome="told", reason=reason)
        ignored.append(f"{one.text} ({miss.why})")
    course = tuple(
        _without(stage, {miss.label for miss in found if miss.stage in (None, number)})
        for number, stage in enumerate(intent.course)
    )
    missed = {miss.label for miss in found if miss.stage is None}
    wanted = tuple(wish for wish in intent.wanted if wish.label not in missed)
    players = tuple(wish for wish in intent.players if wish.label not in missed)
    refused = tuple(wish for wish in intent.refused if wish.label not in missed)
    meter = None if intent.meter is not None and "/".join(map(str, intent.meter)) in missed else intent.meter
    metered = tuple(one for one in intent.metered if not one.section or one.section.rstrip("0123456789 ") not in missed)
    return structs.replace(
        intent, clauses=tuple(clauses), ignored=tuple(dict.fromkeys(ignored)), course=course, wanted=wanted,
        players=players, refused=refused, meter=meter, metered=metered,
        most_tracks=0 if str(intent.most_tracks) in missed else intent.most_tracks,
    )


def _without(stage: CourseStage, missed: Collection[str]) -> CourseStage:
    """The stage as it can be told: without the players that it was said to have, and how it was to move."""
    if "" in missed:
        stage = structs.replace(stage, level=None, motion="", everyone=False)
    if stage.drift in missed:
        stage = structs.replace(stage, drift="")
    keep = {
        name: tuple(wish for wish in getattr(stage, name) if wish.label not in missed)
        for name in ("alone", "enters", "leaves")
    }
    return structs.replace(stage, **keep)


def _clause(miss: Miss, intent: Intent, clauses: Sequence[ReadClause]) -> int | None:
    """The clause that says what was missed: of its stage, with its label, else the first of its stage."""
    begin, end = intent.course_tokens[miss.stage] if miss.stage is not None else (0, 0)
    of_stage = [n for n, one in enumerate(clauses) if miss.stage is None or (one.first < end and begin < one.last)]
    naming = [n for n in of_stage if miss.label and miss.label.casefold() in clauses[n].text.casefold()]
    if naming:
        return naming[0]
    understood = [n for n in of_stage if clauses[n].outcome == "understood"]
    return understood[0] if understood and miss.stage is not None else None
