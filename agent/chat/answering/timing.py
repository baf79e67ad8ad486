"""How notes lie about the grid: straight or swung, on it, behind or ahead, and how hard they are struck."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median, pstdev

from msgspec import Struct

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import NotesAsked, asked_notes, nothing_asked, sentence, share_said, shown_first
from agent.chat.answering.kit_pieces import piece_of
from agent.chat.answering.wording import counted, listed, number
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.sounding import Sounding, kit_tracks

_STEPS = (PPQ // 4, PPQ // 6)
_NEAR = 0.32
"""The share of a step within which a note belongs to a place of the grid; others are in between, such as rolls."""
_SWUNG = 0.53
_EXACT, _TIGHT, _LOOSE = 1.5, 4.0, 8.0
"""Milliseconds off the grid up to which it is quantised, tight, or a little loose."""
_LATE = 4.0
_ENOUGH = 8
_MOST = 6


class GridFit(Struct, frozen=True):
    """How notes lie about a grid of `step` ticks, whose off-beats fall at `swing` of each pair of `pair` ticks (0.5:
    straight).

    `off` is the mean distance from it and `late` the mean delay, in ms; `between` are notes at none of its places, and
    `pieces` the mean delay of each drum of a kit.
    """

    swing: float
    pair: int
    step: int
    off: float
    late: float
    between: int
    pieces: tuple[tuple[str, float], ...] = ()


def timing(context: Context, about: About) -> Answer:
    """An answer that says of the named parts (none: of all together, and the loosest) whether they are swung, how far
    they lie off the grid, behind or ahead, and between which velocities."""
    asked = asked_notes(context, about)
    if not asked.notes:
        return nothing_asked(context, about)
    song = context.song
    if not about.tracks:
        return _of_all(song, asked)
    kits = kit_tracks(song, context.palette)
    texts, facts = [], []
    for track, notes in asked.notes.items():
        fit = grid_fit(song, notes, drums=track in kits)
        name = asked.names[track]
        texts.append(f"{name}{asked.where}: {_told(fit, len(notes))}{_pieces(fit)} {_struck(notes)}")
        facts += _facts(name, fit, notes)
    return Answer(f"{sentence(' '.join(texts))} Counted from the notes.", tuple(facts), asked.links())


def grid_fit(song: Song, notes: Sequence[Sounding], *, drums: bool = False) -> GridFit:
    """How notes lie about the grid that fits them best; `drums` tells the drums of a kit apart."""
    pair, ratio = swing_of([note.start for note in notes])
    step = _STEPS[0] if ratio >= _SWUNG else min(_STEPS, key=lambda one: _mean_distance(notes, one) / one)
    places = (0, round(pair * ratio), pair) if ratio >= _SWUNG else ()
    late: list[float] = []
    of_piece: dict[str, list[float]] = {}
    between = 0
    for note in notes:
        at = _offset(note.start, step, pair, places)
        if abs(at) > _NEAR * step:
            between += 1
            continue
        seconds = song.tempo_map.seconds(note.start) - song.tempo_map.seconds(note.start - at)
        late.append(1000 * seconds)
        if drums:
            of_piece.setdefault(piece_of(note.pitch).one, []).append(1000 * seconds)
    means = tuple((one, fmean(found)) for one, found in of_piece.items() if len(found) >= _ENOUGH)
    return GridFit(
        round(ratio, 3) if ratio >= _SWUNG else 0.5, pair, step, fmean(map(abs, late)) if late else 0.0,
        fmean(late) if late else 0.0, between, means,
    )


def swing_of(starts: Sequence[int]) -> tuple[int, float]:
    """(pair, ratio): the pair of eighths or of sixteenths that is swung more, and where its second note falls."""
    on_beat = [_signed(at, PPQ) for at in starts if abs(_signed(at, PPQ)) <= PPQ // 12]
    lag = median(on_beat) if on_beat else 0
    best = (PPQ, 0.5)
    for pair in (PPQ, PPQ // 2):
        shifts = [at % pair - pair // 2 - lag for at in starts]
        near = [shift for shift in shifts if abs(shift) <= pair / 5]
        if len(near) < max(4, len(starts) / 20) or pstdev(near) > pair / 14:
            continue  # too few, or triplets on both sides of the middle
        ratio = 0.5 + median(near) / pair
        if ratio > best[1]:
            best = (pair, ratio)
    return best


def _offset(start: int, step: int, pair: int, places: Sequence[int]) -> int:
    """The signed ticks from the nearest place of the grid: of `places` in each pair, or of each step."""
    if not places:
        return _signed(start, step)
    at = start % pair
    swung = min((at - place for place in places), key=abs)
    if pair == PPQ and abs(swung) > _NEAR * step:
        return _signed(start, step)  # straight sixteenths between swung eighths
    return swung


def _signed(at: int, grid: int) -> int:
    return (at + grid // 2) % grid - grid // 2


def _mean_distance(notes: Sequence[Sounding], step: int) -> float:
    return fmean(abs(_signed(note.start, step)) for note in notes)


def _told(fit: GridFit, count: int) -> str:
    grid = "sixteenth" if fit.step == _STEPS[0] else "triplet"
    how = "straight, without swing"
    if fit.swing > 0.5:
        kind = "eighths" if fit.pair == PPQ else "sixteenths"
        how = (
            f"swung {kind}, the second of each pair at {fit.swing:.0%} of it (50% is straight, 67% a triplet)"
        )
    if fit.off <= _EXACT:
        said = f"on the {grid} grid as if quantised, {_ms(fit.off)} off on average"
    else:
        tight = "tight" if fit.off <= _TIGHT else "a little loose" if fit.off <= _LOOSE else "loose"
        said = f"{tight}, not quantised, {_ms(fit.off)} off the {grid} grid on average"
    between = f"; {share_said(fit.between, count)} lie in between" if fit.between > count / 50 else ""
    return f"{how}; {said}{_delay(fit)}{between}."


def _delay(fit: GridFit) -> str:
    if abs(fit.late) < _LATE or abs(fit.late) < fit.off / 3:
        return ", neither late nor early as a whole" if fit.off > _EXACT else ""
    return f", {_ms(abs(fit.late))} {'late' if fit.late > 0 else 'early'} as a whole"


def _pieces(fit: GridFit) -> str:
    """The drums of several that are late or early."""
    found = [(one, late) for one, late in fit.pieces if abs(late) >= _LATE and len(fit.pieces) > 1]
    said = listed(f"{one} {_ms(abs(late))} {'late' if late > 0 else 'early'}" for one, late in found[:_MOST])
    return f" Of its drums: {said}." if said else ""


def _struck(notes: Sequence[Sounding]) -> str:
    low, high = min(note.velocity for note in notes), max(note.velocity for note in notes)
    if low == high:
        return f"All velocities are {low}: constant."
    return f"Velocities vary from {low} to {high}."


def _facts(name: str, fit: GridFit, notes: Sequence[Sounding]) -> list[Fact]:
    return [
        Fact(f"{name} swing", fit.swing), Fact(f"{name} off the grid", round(fit.off, 1), "ms"),
        Fact(f"{name} late", round(fit.late, 1), "ms"),
        Fact(f"{name} velocities", len({note.velocity for note in notes})),
    ]


def _of_all(song: Song, asked: NotesAsked) -> Answer:
    notes = asked.together()
    fits = {track: grid_fit(song, own) for track, own in asked.notes.items()}
    swung = [f"{asked.names[track]} ({fit.swing:.0%})" for track, fit in fits.items() if fit.swing > 0.5]
    exact = [asked.names[track] for track, fit in fits.items() if fit.off <= _EXACT]
    loose = sorted((fit.off, asked.names[track]) for track, fit in fits.items() if fit.off > _EXACT)[::-1]
    constant = [asked.names[track] for track, own in asked.notes.items() if len({one.velocity for one in own}) == 1]
    texts = [
        f"swung, by where the second note of a pair falls (50% is straight): {shown_first(swung, _MOST)}." if swung
        else "all parts are straight, none is swung.",
    ]
    if exact:
        texts.append(f"On the grid as if quantised: {shown_first(exact, _MOST)}.")
    if loose:
        said = shown_first([f"{name} {_ms(off)}" for off, name in loose], _MOST)
        texts.append(f"Off it on average: {said}.")
    if constant:
        texts.append(f"Constant velocities: {shown_first(constant, _MOST)}.")
    facts = [fact for track, fit in fits.items() for fact in _facts(asked.names[track], fit, asked.notes[track])]
    head = f"In {counted(len(notes), 'note')}{asked.where} "
    return Answer(f"{head}{' '.join(texts)} Counted from the notes.", tuple(facts), asked.links())


def _ms(value: float) -> str:
    return f"{number(round(value, 1) if value < 10 else round(value))} ms"
