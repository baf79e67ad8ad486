"""Staging: the stages that a request tells become sections with players, lengths, keys, tempi and dynamics."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs
from msgspec.structs import replace

from agent.composer.piece_words import Pace
from agent.composer.styles import RHYTHMIC, SectionStyle, Style
from agent.composer.understanding.course import CourseStage
from agent.composer.understanding.intent import AskedSection, Intent
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.asked_form import asked_form
from agent.composer.writing.frame import Player, Turn
from agent.composer.writing.layers import layered, shared
from agent.composer.writing.meant_players import covers, those
from agent.message import msg
from agent.plan.errors import PlanError
from agent.song.key import Key
from agent.song.palette import Family
from agent.song.time import PPQ
from agent.theory.pitch import usual_tonic

_USUAL, _LONG = 8, 16
"""Fewest and most bars of a stage of which nothing is said."""
_SOFTEST, _LOUDEST, _MIDDLE = 30, 115, 72
_QUIET = 56
"""How loud a stage that builds is at its beginning at most."""
_FULL = 0.85
"""Energy of a stage in which all play."""
_BUILT, _FADED = 26, 42
"""By how much a stage that builds is louder at its end, and how loud one that fades is there at most."""
_DRIFT = {"faster": 1.35, "slower": 0.75}
"""How fast a stage is at its end that changes its tempo, beside its start."""
_PACES: dict[Pace, float] = {
    "very slow": 0.68, "slow": 0.8, "not fast": 0.92, "medium": 1.0, "not slow": 1.08, "fast": 1.25,
    "very fast": 1.4,
}
_SECTIONS: tuple[Family, ...] = ("strings", "brass", "woodwind")
"""Families of which one may go while others stay."""
_MOOD = 0.8
_PLAIN = "Theme"
"""What a stage is made like of which nothing is said."""
"""How far the energy of a mood moves that of a stage."""


class Staged(Struct, frozen=True):
    """A section made from a stage, and how it differs from the piece around it (`turn`)."""

    section: SectionStyle
    turn: Turn


def staged(
    intent: Intent, style: Style, players: Sequence[Player], key: Key, bpm: float, bar: int, bars: int | None
) -> tuple[Staged, ...]:
    """The stages of a request as sections for these players, in `bars` bars (None: open) of `bar` ticks; `key` and
    `bpm` are those of the piece where a stage has none of its own. Raises `PlanError` if the stages are longer."""
    stages = _without_gaps(intent.course)
    playing = [player for player in players if not player.style.builds]
    named = bool(intent.players) or intent.only
    stages = layered(stages, playing, bars, named=named)
    turns = [_turn(stage, key, bpm, intent.pace) for stage in stages]
    usual = sum(form.bars for form in style.forms) // len(style.forms)
    lengths = _lengths(stages, turns, bars, bpm, bar, usual, exact=intent.bars is not None)
    energies = _energies(stages)
    sections = _sections(style, stages, lengths, energies)
    casts = _casts(stages, sections, playing, named=named)
    result = []
    for number, (stage, section, cast) in enumerate(zip(stages, sections, casts, strict=True)):
        begin, end = _levels(stage, energies[number], turns[number - 1] if number else None)
        turn = replace(turns[number], begin=begin, end=end, rests=stage.motion == "silent", alone=True)
        turns[number] = turn
        parts = () if turn.rests else cast
        result.append(Staged(structs.replace(section, parts=parts), turn))
    return tuple(result)


def soloists(course: Sequence[CourseStage]) -> frozenset[str]:
    """The labels of players who need a melody part, as the stages `course` have them alone in the first one, or let
    them take over the melody."""
    alone = [wish.label for stage in course[:1] if len(stage.alone) == 1 for wish in stage.alone]
    return frozenset((*alone, *(wish.label for stage in course for wish in stage.singers)))


def openers(course: Sequence[CourseStage]) -> frozenset[str]:
    """The labels of players who play from the beginning; empty if that is not said."""
    return frozenset(wish.label for stage in course[:1] for wish in (*stage.alone, *stage.enters))


def spread(stage: CourseStage, sections: Sequence[SectionStyle], key: Key, bpm: float) -> tuple[Turn, ...]:
    """How each section differs in a piece that grows or changes its tempo as a whole, as `stage` says; the piece is in
    `key` and begins at `bpm`. One `Turn` for each section, in order."""
    total = sum(section.bars for section in sections)
    begin, end = _levels(stage, None, None)
    turns: list[Turn] = []
    done = 0
    for section in sections:
        shares = [done / total, (done + section.bars) / total]
        done += section.bars
        tempi = [round(bpm * (1 + (_DRIFT.get(stage.drift, 1.0) - 1) * share), 1) for share in shares]
        loud = [None if begin is None or end is None else round(begin + (end - begin) * share) for share in shares]
        turns.append(Turn(key, tempi[0], tempi[1], loud[0], loud[1]))
    return tuple(turns)


def joined_by(
    sections: Sequence[SectionStyle], wishes: Sequence[Wish], players: Sequence[Player]
) -> tuple[SectionStyle, ...]:
    """The sections with the players that the wishes mean added to each."""
    meant = those(wishes, players)
    names = [player.style.name for player in players]
    result = []
    for section in sections:
        joining = (name for name in names if name in meant and name not in section.parts)
        result.append(structs.replace(section, parts=(*section.parts, *joining)))
    return tuple(result)


def _without_gaps(course: Sequence[CourseStage]) -> list[CourseStage]:
    """The stages with one that goes on as it comes where one begins later than those before it end."""
    result: list[CourseStage] = []
    done: int | None = 0
    for stage in course:
        begin = stage.from_bar - 1
        if stage.from_bar and done is not None and result and begin > done and all(one.bars for one in result[-1:]):
            result.append(CourseStage(bars=begin - done))
        known = begin if stage.from_bar else done
        done = known + stage.bars if known is not None and stage.bars else None
        result.append(stage)
    return result


def _turn(stage: CourseStage, key: Key, bpm: float, pace: Pace | None) -> Turn:
    """The key and tempo of a stage."""
    own = key
    if stage.steps is not None:
        mode = stage.mode or key.mode
        own = Key(usual_tonic((key.pitch_class + stage.steps) % 12, mode), mode)
    elif stage.tonic is not None or stage.mode is not None:
        own = Key(stage.tonic or key.tonic, stage.mode or (key.mode if stage.tonic is None else "major"))
    tempo = stage.bpm or bpm * stage.factor * (_PACES[stage.pace] / _PACES[pace or "medium"] if stage.pace else 1.0)
    tempo = float(round(tempo)) if stage.bpm is None else tempo
    return Turn(own, tempo, ends_at=tempo * _DRIFT.get(stage.drift, 1.0))


def _lengths(
    stages: Sequence[
        CourseStage
    ], turns: Sequence[Turn], bars: int | None, bpm: float, bar: int, usual: int, *, exact: bool
) -> list[int]:
    """Bars of each stage: those that are said, then what beginnings leave, then an equal share of the rest."""
    known = [_said(stage, turn, bar) for stage, turn in zip(stages, turns, strict=True)]
    starts = [
        stage.from_bar - 1 if stage.from_bar else _bars_in(stage.from_seconds, bpm, bar) if stage.from_seconds else None
        for stage in stages
    ]
    for number, start in enumerate(starts):
        if start is None or not number:
            continue
        before = range(next((n for n in range(number - 1, 0, -1) if starts[n] is not None), 0), number)
        begin = starts[before[0]] or 0
        free = [n for n in before if not known[n]]
        left = start - begin - sum(known[n] or 0 for n in before)
        if free and left >= len(free):
            for n, share in zip(free, shared(left, len(free)), strict=True):
                known[n] = share
    free = [n for n, length in enumerate(known) if not length]
    fixed = sum(length or 0 for length in known)
    if bars is not None and not exact and (fixed + len(free) > bars or not free):
        # a length in seconds gives way to stages in bars, and is told as not reached
        bars = None
    if bars is not None and (fixed + len(free) > bars or (not free and fixed != bars)):
        raise PlanError(
            msg("the stages make {fixed} bars, and the piece was to have {bars}", fixed=fixed + len(free), bars=bars),
            why=msg("both were asked for"), fix=msg("say the length of the piece or those of its stages otherwise"),
        )
    if bars is not None and free:
        for n, share in zip(free, _parted(bars - fixed, len(free)), strict=True):
            known[n] = share
    usual = max(_USUAL, min(_LONG, usual // max(1, len(stages)) // 4 * 4))
    return [length or (_USUAL if stages[n].last else usual) for n, length in enumerate(known)]


def _parted(bars: int, count: int) -> list[int]:
    """Bars parted among stages, in whole fours or twos where there is room."""
    for unit in (4, 2, 1):
        if bars % unit == 0 and bars // unit >= count:
            return [share * unit for share in shared(bars // unit, count)]
    return shared(bars, count)


def _said(stage: CourseStage, turn: Turn, bar: int) -> int | None:
    if stage.bars:
        return stage.bars
    return max(1, _bars_in(stage.seconds, turn.bpm, bar)) if stage.seconds else None


def _bars_in(seconds: float, bpm: float, bar: int) -> int:
    return max(1, round(seconds * bpm / 60 * PPQ / bar))


def _energies(stages: Sequence[CourseStage]) -> list[float | None]:
    """How strong each stage is, 0-1; None where nothing says."""
    result: list[float | None] = []
    for stage in stages:
        lift = sum(mood.energy for mood in stage.moods) * _MOOD + sum(setting.lift for setting in stage.settings)
        if stage.returns and result and stage.level is None:
            result.append(result[0])
        elif stage.level is not None:
            result.append(max(0.05, min(1.0, (stage.level - _SOFTEST) / (_LOUDEST - _SOFTEST))))
        elif lift:
            result.append(max(0.1, min(1.0, 0.5 + lift)))
        elif stage.everyone or stage.motion == "builds":
            result.append(0.75)
        elif stage.motion == "fades" or len(stage.alone) in (1, 2):
            result.append(0.3)
        else:
            result.append(None)
    return result


def _sections(
    style: Style, stages: Sequence[CourseStage], lengths: Sequence[int], energies: Sequence[float | None]
) -> list[SectionStyle]:
    """A section of the style for each stage, called after it, as strong as it says."""
    first = stages[0].name
    names = [
        stage.name or (first if stage.returns and number else "") or _default_name(stage, number)
        for number, stage in enumerate(stages)
    ]
    # an opening of which nothing else is said plays as the piece does
    plain = {n for n, stage in enumerate(stages) if not stage.name and energies[n] is None}
    asked = tuple(AskedSection(_PLAIN if n in plain else names[n], length) for n, length in enumerate(lengths))
    formed = [
        structs.replace(section, name=names[n]) if n in plain else section
        for n, section in enumerate(asked_form(style, asked))
    ]
    result: list[SectionStyle] = []
    for number, (stage, section) in enumerate(zip(stages, formed, strict=True)):
        energy = energies[number]
        theme = "a" if stage.returns or stage.sings or not stage.name else section.theme
        if stage.name and not stage.sings and not stage.returns and number and section.theme == "a":
            theme = "b"
        # what is called the same is the same
        theme = next((one.theme for one in result if stage.name and one.name == section.name), theme)
        if energy is not None:
            near = min((one for form in style.forms for one in form.sections), key=lambda one: abs(one.energy - energy))
            section = structs.replace(section, energy=energy, parts=near.parts, groove="")
        again = stage.sings and not stage.singers and number == 1
        result.append(structs.replace(section, theme=theme, repeats=again or section.repeats))
    return result


def _default_name(stage: CourseStage, number: int) -> str:
    if stage.motion == "silent":
        return "Silence"
    if stage.last:
        return "Close"
    return "Opening" if not number else f"Stage {number + 1}"


def _casts(
    stages: Sequence[CourseStage], sections: Sequence[SectionStyle], players: Sequence[Player], *, named: bool
) -> list[tuple[str, ...]]:
    """Who plays in each stage. Those who come in later rest until then; else a stage goes on with who played before.

    A style's band without a word about it plays as the style's own sections do (`named` bands all play).
    """
    names = [player.style.name for player in players]
    coming = [those(stage.enters, players) for stage in stages]
    first_in = {name: n for n in range(len(stages) - 1, 0, -1) for name in coming[n]}
    called = {wish.label.casefold() for stage in stages[1:] for wish in stage.enters}
    later = {name for name in names if name.casefold() in called}
    first = those(stages[0].alone, players)
    opening = (first - later or first) | coming[0]
    waiting = {name: n for name, n in first_in.items() if name not in opening}
    casts: list[tuple[str, ...]] = []
    current: set[str] = set()
    asked: set[str] = set()
    for number, stage in enumerate(stages):
        late = {name for name, n in waiting.items() if n > number}
        own = set(names) if named else {*sections[number].parts} & set(names)
        if stage.alone and those(stage.alone, players):
            # "pads alone" are not the choir that comes in later
            own_part = those(stage.alone, players)
            current = (own_part - late or own_part) | coming[number]
        elif stage.returns and casts:
            current = set(casts[0])
        elif stage.everyone or (sections[number].energy >= _FULL and not stage.names_players):
            current = set(names) - late
        elif not number:
            current = (own | coming[0]) - late
        elif stage.names_players:
            current = current | coming[number]
            current |= (own - late) if stage.enters and not named else set()
        elif not named:
            # who was asked to come in stays
            current = (own - late) | (current & asked) or current
        asked |= those(stage.alone, players) | coming[number]
        current = current - _gone(stage.leaves, players)
        current = current or ({*names} - late - _gone(stage.leaves, players)) or {_stays(players)}
        casts.append(tuple(name for name in names if name in current))
    return _with_everyone(casts, stages, names) if named else casts


def _stays(players: Sequence[Player]) -> str:
    """Who plays where everybody is only to come in later: the first with pitches."""
    return next((one.style.name for one in players if one.style.role not in RHYTHMIC), players[0].style.name)


def _with_everyone(
    casts: list[tuple[str, ...]], stages: Sequence[CourseStage], names: Sequence[str]
) -> list[tuple[str, ...]]:
    """The casts with players of a named band whom no stage names: where nobody is said to be alone, else at the end."""
    missing = {name for name in names if not any(name in cast for cast in casts)}
    open_ = [number for number, stage in enumerate(stages) if not stage.alone or stage.implied] or [len(stages) - 1]
    return [
        tuple(name for name in names if name in cast or (number in open_ and name in missing))
        for number, cast in enumerate(casts)
    ]


def _gone(wishes: Sequence[Wish], players: Sequence[Player]) -> set[str]:
    """The names of all that wishes may mean, as "no organ" means every organ; of an orchestra just those meant."""
    every = [p for wish in wishes for p in players if p.instrument.family not in _SECTIONS and covers(wish, p)]
    return those(wishes, players) | {player.style.name for player in every}


def _levels(stage: CourseStage, energy: float | None, before: Turn | None) -> tuple[int | None, int | None]:
    """How loud a stage is at its begin and end, as velocities; None where its energy says enough."""
    level = stage.level
    if stage.motion == "builds":
        begin = (before.end if before is not None else None) or stage.begins
        begin = begin or min((level or _MIDDLE) - _BUILT, _QUIET)
        return begin, level or (_LOUDEST if stage.begins is not None else min(_LOUDEST, begin + _BUILT))
    if stage.motion == "fades":
        begin = (before.end if before is not None else None) or _MIDDLE
        return begin, max(_SOFTEST, level or min(_FADED, begin - _BUILT))
    if level is None and energy is not None:
        level = round(_SOFTEST + energy * (_LOUDEST - _SOFTEST))
    return level, level
