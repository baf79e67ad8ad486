"""Judging: whether the result of a request does what was asked, check by check."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from agent.song.locks import TrackLock, digest, parse_lock
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.measures import key_fit
from agent.theory.pitch import pitch_class
from agent.theory.sounding import family_tracks, kit_tracks, pitched, sounding
from tests.benchmarks.music import checks as c
from tests.benchmarks.music.excerpts import rest_of, strokes
from tests.benchmarks.music.figures import measured, moved
from tests.benchmarks.music.identity import melody_kept, outside_changed, roots_kept
from tests.benchmarks.music.result import Result, families, row_of, track_called, unless
from tests.benchmarks.music.shapes import chords_changed, doubled, grown, onsets, played_by
from tests.benchmarks.music.style_checks import blended, in_style, style_heard

IN_KEY = 0.8
"""Least share of the pitched notes that a stated key holds; the rest may be borrowed chords and passing notes."""
_VARIED = (0.05, 0.95)
"""Least and largest share of a bar's notes that a variation changes."""


def failure(check: c.Check, result: Result) -> str:
    """Why a check fails; empty when it holds."""
    for judge in (_frame, _band, _preserved, _movement, _shape, _identity):
        said = judge(check, result)
        if said is not None:
            return said
    raise TypeError(f"nobody judges {check!r}")


def _frame(check: c.Check, result: Result) -> str | None:
    """Tempo, key, meter, length, name, sections, style."""
    song = result.after
    match check:
        case c.Bpm(value):
            tempos = sorted({change.bpm for change in song.tempos})
            return unless(tempos == [value], f"tempo is {row_of(tempos)}, not {value:g}")
        case c.InKey(tonic, mode):
            fits = song.key.pitch_class == pitch_class(tonic) and song.key.mode == mode
            return _out_of_key(result) if fits else f"the key is {song.key}, not {tonic} {mode}"
        case c.InMode(modes):
            return _out_of_key(result) if song.key.mode in modes else f"the key is {song.key}"
        case c.InMeter(beats, unit):
            meters = sorted({f"{one.beats}/{one.unit}" for one in song.meters})
            return unless(meters == [f"{beats}/{unit}"], f"the meter is {row_of(meters)}, not {beats}/{unit}")
        case c.BarCount(value):
            return unless(song.bars == value, f"{song.bars} bars, not {value}")
        case c.Lasts(seconds):
            lasts = song.tempo_map.seconds(song.end)
            return unless(abs(lasts - seconds) <= 0.05 * seconds, f"lasts {lasts:.1f} s, not {seconds:g}")
        case c.Titled(name):
            return unless(song.name == name, f"is called {song.name!r}")
        case c.SectionRow():
            return _sections(check, song)
        case c.InStyle(style, any_tempo):
            return in_style(result, style, any_tempo)
        case c.Blend(styles):
            return blended(result, styles)
    return None


def band_failure(check: c.Check, song: Song, palette: Palette) -> str:
    """Why the instruments of a song are not those of a `Has`, `Lacks` or `OnlyPlays`; empty when they are.

    Raises `TypeError` for any other check.
    """
    played = families(song, palette)
    match check:
        case c.Has(wanted, instruments):
            sounds = {track.instrument for track in song.tracks if track.note_count and not track.mute}
            there = bool(set(wanted) & set(played) or set(instruments) & sounds)
            return unless(there, f"no {row_of(wanted or instruments)} plays")
        case c.Lacks(refused):
            still = sorted(set(refused) & set(played))
            return unless(not still, f"{row_of(still)} plays although refused")
        case c.OnlyPlays(allowed, needed):
            others, missing = sorted(set(played) - set(allowed)), sorted(set(needed) - set(played))
            fits = not others and not missing and bool(played)
            return unless(fits, f"also {row_of(others)}; lacks {row_of(missing)}")
    raise TypeError(f"{check!r} is not about the band")


def _band(check: c.Check, result: Result) -> str | None:
    """Which instruments play, and where."""
    match check:
        case c.Has() | c.Lacks() | c.OnlyPlays():
            return band_failure(check, result.after, result.palette)
        case c.PlayedBy(track, family):
            return played_by(result, track, family)
        case c.SoundsOnlyIn(wanted, within):
            old = {track.id for track in result.before.tracks}
            new = family_tracks(result.after, result.palette, *wanted) - old
            bars = {result.after.bar_map.bar_at(note.start) for note in sounding(result.after, new)}
            inside = {bar for first, last in within for bar in range(first, last + 1)}
            return unless(bool(bars) and bars <= inside, f"new {row_of(wanted)} in bars {sorted(bars)[:6] or 'none'}")
    return None


def _preserved(check: c.Check, result: Result) -> str | None:
    """What the request asked to keep."""
    match check:
        case c.Kept(tracks):
            changed = [name for name in tracks if not _sametrack_called(result, name)]
            return unless(not changed, f"{row_of(changed)} is not as it was")
        case c.KeepsNotes(tracks):
            return _kept_notes(result, tracks)
        case c.Locked(text):
            lock = parse_lock(text, result.before)
            same = digest(lock, result.before) == digest(lock, result.after)
            return unless(same, f"the lock {text!r} is broken")
        case c.Same(figure, slack):
            before, after = result.figure(figure)
            return unless(abs(after - before) <= slack * abs(before), f"{figure} was {before:g}, is {after:g}")
        case c.Shifts(figure, by):
            before, after = result.figure(figure)
            return unless(abs(after - before - by) <= 0.1, f"{figure} {before:.3g} → {after:.3g}, not by {by:g}")
        case c.Untouched(spans):
            return outside_changed(result.before, result.after, spans)
    return None


def _movement(check: c.Check, result: Result) -> str | None:
    """Measures that must move."""
    match check:
        case c.Moves(figure, goal, share, within):
            before, after = result.figure(figure, within)
            went = _went(figure, goal, share, before, after)
            return unless(went, f"{figure} {before:.3g} → {after:.3g}, not {goal}")
        case c.Reaches(figure, value, most):
            _, after = result.figure(figure)
            return unless(value <= after <= most, f"{figure} is {after:.3g}, not {value:g} to {most:g}")
        case c.Than(request, figure, goal):
            other, mine = measured(figure, result.ask(request), result.palette), result.figure(figure)[1]
            return unless(_went(figure, goal, 1.0, other, mine), f"{figure} is {mine:.3g}; {request!r}: {other:.3g}")
        case c.Milder(request, figure):
            before, after = result.figure(figure)
            full = measured(figure, result.ask(request), result.palette)
            milder = abs(after - before) <= 0.9 * abs(full - before)
            return unless(milder, f"{figure} {before:.3g} → {after:.3g}, at full measure {full:.3g}")
        case c.StyleHeard(style, any_tempo):
            return style_heard(result, result.style(style), any_tempo)
        case c.RootsChange(share, within):
            changed = chords_changed(result, within)
            return unless(changed >= share, f"{changed:.0%} of the chords change")
    return None


def _shape(check: c.Check, result: Result) -> str | None:
    """Bars that come, go or vary, and doubled parts."""
    match check:
        case c.Varies(within):
            was, now = (onsets(song, within) for song in (result.before, result.after))
            share = 1 - len(was & now) / max(1, len(was | now))
            return unless(_VARIED[0] <= share <= _VARIED[1], f"{share:.0%} of the notes there change")
        case c.Grows():
            return grown(result, check)
        case c.Shrinks((first, last)):
            old = rest_of(result.before.bars, ((first, last),))
            new = ((1, result.before.bars - (last - first + 1)),)
            if result.after.bars != new[0][1]:
                return f"{result.after.bars} bars, not {new[0][1]}"
            return outside_changed(result.before, result.after, old, new)
        case c.Doubled(track):
            return doubled(result, track)
    return None


def _identity(check: c.Check, result: Result) -> str | None:
    match check:
        case c.Melody(least):
            kept = melody_kept(result.before, result.after, result.palette)
            return unless(kept >= least, f"melody similarity {kept:.2f}")
        case c.Roots(least):
            kept = roots_kept(result.before, result.after, result.palette)
            return unless(kept >= least, f"chord roots kept {kept:.0%}")
    return None


def _went(figure: str, goal: str, share: float, before: float, after: float) -> bool:
    if isnan(before) or isnan(after):
        return False
    match goal:
        case "at_most":
            return after <= share * before
        case "at_least":
            return after >= share * before
        case "lower":
            return moved(figure, before, after) <= -1
    return moved(figure, before, after) >= 1


def _out_of_key(result: Result) -> str:
    song = result.after
    share = key_fit(pitched(song, kit_tracks(song, result.palette)), song.key)
    return unless(share >= IN_KEY, f"only {share:.0%} of the notes are in {song.key}")


def _sections(row: c.SectionRow, song: Song) -> str:
    names = [section.name.casefold() for section in song.sections]
    fits = len(names) == len(row.names) and all(word in name for word, name in zip(row.names, names, strict=True))
    if not fits:
        return f"sections are {row_of(names)}"
    lengths = [song.bar_map.bar_at(one.end) - song.bar_map.bar_at(one.start) for one in song.sections]
    return unless(not row.bars or lengths == list(row.bars), f"sections have {row_of(lengths)} bars")


def _sametrack_called(result: Result, name: str) -> bool:
    lock = TrackLock(track_called(result.before, name))
    return digest(lock, result.before) == digest(lock, result.after)


def _kept_notes(result: Result, tracks: Sequence[str]) -> str:
    names = tracks or [track.name for track in result.before.tracks]
    whole = ((1, max(result.before.bars, result.after.bars)),)
    was, now = strokes(result.before, whole), strokes(result.after, whole)
    changed = [name for name in names if was.get(key := track_called(result.before, name)) != now.get(key)]
    return unless(not changed, f"the notes of {row_of(changed)} are not as they were")
