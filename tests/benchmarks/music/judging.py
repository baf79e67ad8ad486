"""Judging: whether the result of a request does what was asked, check by check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan

from agent.composer.styles import RHYTHMIC, Style, StyleBook
from agent.plan.plan import Draft
from agent.song.ids import TrackId
from agent.song.locks import TrackLock, digest, parse_lock
from agent.song.palette import Family, Palette
from agent.song.song import Song
from agent.theory.harmony import bar_chords
from agent.theory.measures import key_fit
from agent.theory.pitch import pitch_class
from agent.theory.sounding import family_tracks, kit_tracks, pitched, sounding
from tests.benchmarks.music import checks as c
from tests.benchmarks.music.excerpts import Span, excerpt, rest_of, strokes
from tests.benchmarks.music.figures import measured, moved
from tests.benchmarks.music.identity import melody_kept, outside_changed, roots_kept

IN_KEY = 0.8
"""Least share of the pitched notes that a stated key holds; the rest may be borrowed chords and passing notes."""
_VARIED = (0.05, 0.95)
"""Least and largest share of a bar's notes that a variation changes."""


@dataclass(frozen=True)
class Result:
    """A request's songs before and after, and the plan between them; `ask` gives the song that other words make."""

    before: Song
    after: Song
    draft: Draft | None
    palette: Palette
    styles: StyleBook
    ask: Callable[[str], Song]

    def figure(self, name: str, within: Sequence[Span] = ()) -> tuple[float, float]:
        """A figure before and after, in some bars or in all."""
        songs = [excerpt(song, within) if within else song for song in (self.before, self.after)]
        return measured(name, songs[0], self.palette), measured(name, songs[1], self.palette)

    def style(self, name: str) -> Style:
        """A style by name."""
        return next(style for style in self.styles.styles if style.name == name)


def families(song: Song, palette: Palette) -> dict[Family, int]:
    """How many notes each family plays, without muted tracks."""
    by_name = {one.name: one.family for one in palette.instruments}
    found: dict[Family, int] = {}
    for track in song.tracks:
        if track.note_count and not track.mute and track.instrument in by_name:
            family = by_name[track.instrument]
            found[family] = found.get(family, 0) + track.note_count
    return found


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
            return _unless(tempos == [value], f"tempo is {_row(tempos)}, not {value:g}")
        case c.InKey(tonic, mode):
            fits = song.key.pitch_class == pitch_class(tonic) and song.key.mode == mode
            return _out_of_key(result) if fits else f"the key is {song.key}, not {tonic} {mode}"
        case c.InMode(modes):
            return _out_of_key(result) if song.key.mode in modes else f"the key is {song.key}"
        case c.InMeter(beats, unit):
            meters = sorted({f"{one.beats}/{one.unit}" for one in song.meters})
            return _unless(meters == [f"{beats}/{unit}"], f"the meter is {_row(meters)}, not {beats}/{unit}")
        case c.BarCount(value):
            return _unless(song.bars == value, f"{song.bars} bars, not {value}")
        case c.Lasts(seconds):
            lasts = song.tempo_map.seconds(song.end)
            return _unless(abs(lasts - seconds) <= 0.05 * seconds, f"lasts {lasts:.1f} s, not {seconds:g}")
        case c.Titled(name):
            return _unless(song.name == name, f"is called {song.name!r}")
        case c.SectionRow():
            return _sections(check, song)
        case c.InStyle(style, any_tempo):
            return _in_style(result, style, any_tempo)
        case c.Blend(styles):
            return _blend(result, styles)
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
            return _unless(there, f"no {_row(wanted or instruments)} plays")
        case c.Lacks(refused):
            still = sorted(set(refused) & set(played))
            return _unless(not still, f"{_row(still)} plays although refused")
        case c.OnlyPlays(allowed, needed):
            others, missing = sorted(set(played) - set(allowed)), sorted(set(needed) - set(played))
            return _unless(not others and not missing and bool(played), f"also {_row(others)}; lacks {_row(missing)}")
    raise TypeError(f"{check!r} is not about the band")


def _band(check: c.Check, result: Result) -> str | None:
    """Which instruments play, and where."""
    match check:
        case c.Has() | c.Lacks() | c.OnlyPlays():
            return band_failure(check, result.after, result.palette)
        case c.PlayedBy(track, family):
            return _played_by(result, track, family)
        case c.SoundsOnlyIn(wanted, within):
            old = {track.id for track in result.before.tracks}
            new = family_tracks(result.after, result.palette, *wanted) - old
            bars = {result.after.bar_map.bar_at(note.start) for note in sounding(result.after, new)}
            inside = {bar for first, last in within for bar in range(first, last + 1)}
            return _unless(bool(bars) and bars <= inside, f"new {_row(wanted)} in bars {sorted(bars)[:6] or 'none'}")
    return None


def _preserved(check: c.Check, result: Result) -> str | None:
    """What the request asked to keep."""
    match check:
        case c.Kept(tracks):
            changed = [name for name in tracks if not _same_track(result, name)]
            return _unless(not changed, f"{_row(changed)} is not as it was")
        case c.KeepsNotes(tracks):
            return _kept_notes(result, tracks)
        case c.Locked(text):
            lock = parse_lock(text, result.before)
            same = digest(lock, result.before) == digest(lock, result.after)
            return _unless(same, f"the lock {text!r} is broken")
        case c.Same(figure, slack):
            before, after = result.figure(figure)
            return _unless(abs(after - before) <= slack * abs(before), f"{figure} was {before:g}, is {after:g}")
        case c.Shifts(figure, by):
            before, after = result.figure(figure)
            return _unless(abs(after - before - by) <= 0.1, f"{figure} {before:.3g} → {after:.3g}, not by {by:g}")
        case c.Untouched(spans):
            return outside_changed(result.before, result.after, spans)
    return None


def _movement(check: c.Check, result: Result) -> str | None:
    """Measures that must move."""
    match check:
        case c.Moves(figure, goal, share, within):
            before, after = result.figure(figure, within)
            went = _went(figure, goal, share, before, after)
            return _unless(went, f"{figure} {before:.3g} → {after:.3g}, not {goal}")
        case c.Reaches(figure, value, most):
            _, after = result.figure(figure)
            return _unless(value <= after <= most, f"{figure} is {after:.3g}, not {value:g} to {most:g}")
        case c.Than(request, figure, goal):
            other, mine = measured(figure, result.ask(request), result.palette), result.figure(figure)[1]
            return _unless(_went(figure, goal, 1.0, other, mine), f"{figure} is {mine:.3g}; {request!r}: {other:.3g}")
        case c.Milder(request, figure):
            before, after = result.figure(figure)
            full = measured(figure, result.ask(request), result.palette)
            milder = abs(after - before) <= 0.9 * abs(full - before)
            return _unless(milder, f"{figure} {before:.3g} → {after:.3g}, at full measure {full:.3g}")
        case c.StyleHeard(style, any_tempo):
            return _style_heard(result, result.style(style), any_tempo)
        case c.RootsChange(share, within):
            changed = _chords_changed(result, within)
            return _unless(changed >= share, f"{changed:.0%} of the chords change")
    return None


def _shape(check: c.Check, result: Result) -> str | None:
    """Bars that come, go or vary, and doubled parts."""
    match check:
        case c.Varies(within):
            was, now = (_flat(song, within) for song in (result.before, result.after))
            share = 1 - len(was & now) / max(1, len(was | now))
            return _unless(_VARIED[0] <= share <= _VARIED[1], f"{share:.0%} of the notes there change")
        case c.Grows():
            return _grown(result, check)
        case c.Shrinks((first, last)):
            old = rest_of(result.before.bars, ((first, last),))
            new = ((1, result.before.bars - (last - first + 1)),)
            if result.after.bars != new[0][1]:
                return f"{result.after.bars} bars, not {new[0][1]}"
            return outside_changed(result.before, result.after, old, new)
        case c.Doubled(track):
            return _doubled(result, track)
    return None


def _identity(check: c.Check, result: Result) -> str | None:
    match check:
        case c.Melody(least):
            kept = melody_kept(result.before, result.after, result.palette)
            return _unless(kept >= least, f"melody similarity {kept:.2f}")
        case c.Roots(least):
            kept = roots_kept(result.before, result.after, result.palette)
            return _unless(kept >= least, f"chord roots kept {kept:.0%}")
    return None


def _unless(holds: bool, reason: str) -> str:
    return "" if holds else reason


def _row(things: Sequence[object]) -> str:
    return ", ".join(str(thing) for thing in things) or "nothing"


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
    return _unless(share >= IN_KEY, f"only {share:.0%} of the notes are in {song.key}")


def _sections(row: c.SectionRow, song: Song) -> str:
    names = [section.name.casefold() for section in song.sections]
    fits = len(names) == len(row.names) and all(word in name for word, name in zip(row.names, names, strict=True))
    if not fits:
        return f"sections are {_row(names)}"
    lengths = [song.bar_map.bar_at(one.end) - song.bar_map.bar_at(one.start) for one in song.sections]
    return _unless(not row.bars or lengths == list(row.bars), f"sections have {_row(lengths)} bars")


def _in_style(result: Result, name: str, any_tempo: bool) -> str:
    style = result.style(name)
    said = () if result.draft is None else result.draft.understood
    if not any(text.startswith("style:") and style.label.casefold() in text.casefold() for text in said):
        return f"not understood as {style.label}: {_row(said)}"
    stated = any(text.startswith("tempo: exactly") for text in said)
    return "" if stated or any_tempo else _tempo_of_style(result.after, style)


def _tempo_of_style(song: Song, style: Style) -> str:
    low, high = style.tempo
    bpm = song.tempos[0].bpm
    return _unless(0.85 * low <= bpm <= 1.15 * high, f"{bpm:g} BPM is no tempo of {style.label}")


def _blend(result: Result, names: tuple[str, str]) -> str:
    ignored = () if result.draft is None else result.draft.ignored
    styles = [result.style(name) for name in names]
    lost = [
        style.label for style in styles
        if any(word in text.casefold() for text in ignored for word in (style.name, style.label.casefold()))
    ]
    if lost:
        return f"{_row(lost)} is ignored"
    played = {track.instrument for track in result.after.tracks if track.note_count}
    mute = [
        style.label for style in styles
        if not played & {name for part in style.parts for name in part.instruments}
    ]
    return _unless(not mute, f"nothing of {_row(mute)} plays")


def _style_heard(result: Result, style: Style, any_tempo: bool) -> str:
    said = () if any_tempo or result.draft is None else result.draft.understood
    stated = any_tempo or any(text.startswith("tempo: exactly") for text in said)
    if not stated and (slow := _tempo_of_style(result.after, style)):
        return slow
    family = {one.name: one.family for one in result.palette.instruments}
    own = {family[name] for part in style.parts for name in part.instruments if name in family}
    played = families(result.after, result.palette)
    share = sum(count for name, count in played.items() if name in own) / max(1, sum(played.values()))
    if share < 0.6:
        return f"only {share:.0%} of the notes are played by instruments of {style.label}"
    drums = any(part.role in RHYTHMIC for part in style.parts)
    return _unless(not drums or bool({"drums", "percussion"} & set(played)), f"{style.label} without its drums")


def _same_track(result: Result, name: str) -> bool:
    lock = TrackLock(_track(result.before, name))
    return digest(lock, result.before) == digest(lock, result.after)


def _track(song: Song, name: str) -> TrackId:
    return next(track.id for track in song.tracks if track.name == name)


def _kept_notes(result: Result, tracks: Sequence[str]) -> str:
    names = tracks or [track.name for track in result.before.tracks]
    whole = ((1, max(result.before.bars, result.after.bars)),)
    was, now = strokes(result.before, whole), strokes(result.after, whole)
    changed = [name for name in names if was.get(key := _track(result.before, name)) != now.get(key)]
    return _unless(not changed, f"the notes of {_row(changed)} are not as they were")


def _played_by(result: Result, name: str, family: Family) -> str:
    wanted = {(note.start, note.pitch % 12) for note in sounding(result.before, {_track(result.before, name)})}
    tracks = family_tracks(result.after, result.palette, family)
    there = {(note.start, note.pitch % 12) for note in sounding(result.after, tracks)}
    share = len(wanted & there) / max(1, len(wanted))
    return _unless(share >= 0.9, f"{family} plays {share:.0%} of what {name} played")


def _chords_changed(result: Result, within: Sequence[Span]) -> float:
    songs = [excerpt(song, within) if within else song for song in (result.before, result.after)]
    was, now = (bar_chords(song, kit_tracks(song, result.palette)) for song in songs)
    pairs = list(zip(was, now, strict=False))
    return sum(a != b for a, b in pairs) / max(1, len(pairs))


def _flat(song: Song, within: Sequence[Span]) -> set[tuple[str, int, int]]:
    return {(key, start, pitch) for key, notes in strokes(song, within).items() for start, pitch, _, _ in notes}


def _grown(result: Result, asked: c.Grows) -> str:
    before, after = result.before.bars, result.after.bars
    more = after - before
    if more <= 0 or (asked.bars is not None and more != asked.bars):
        return f"{before} bars became {after}"
    first = asked.at or before + 1
    old = [span for span in ((1, first - 1), (first, before)) if span[0] <= span[1]]
    moved_on = [span for span in ((1, first - 1), (first + more, after)) if span[0] <= span[1]]
    count = excerpt(result.after, ((first, first + more - 1),)).note_count
    if not count:
        return "the new bars are empty"
    if asked.thin and count / more >= result.before.note_count / before:
        return f"{count / more:.0f} notes a bar in the new bars, {result.before.note_count / before:.0f} in the song"
    was, now = _flat(result.before, old), _flat(result.after, moved_on)
    kept = len(was & now) / max(1, len(was))
    # a fill or a pickup may lead over, an ending may be taken back: the rest stays
    return _unless(kept >= 0.9, f"only {kept:.0%} of the other bars' notes stay")


def _doubled(result: Result, name: str) -> str:
    old = {track.id for track in result.before.tracks}
    wanted = {(note.start, note.pitch % 12) for note in sounding(result.before, {_track(result.before, name)})}
    best = 0.0
    for track in result.after.tracks:
        if track.id not in old:
            there = {(note.start, note.pitch % 12) for note in sounding(result.after, {track.id})}
            best = max(best, len(wanted & there) / max(1, len(wanted)))
    return _unless(best >= 0.9, f"a new track plays {best:.0%} of {name}")

