"""Recomposing: what a request does to a song that exists, as rows that each change one thing."""

from __future__ import annotations

from collections.abc import Iterator

from agent.composer.changing.additions import add_wanted
from agent.composer.changing.ambient import dissolve_song
from agent.composer.changing.listening import hear, roles_of
from agent.composer.changing.restyle import restyle_song
from agent.composer.changing.rewriting import remove_track
from agent.composer.dice import Dice
from agent.composer.rows import Rows
from agent.composer.styles import Style
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.harmony import is_minor
from agent.plan.planning import Brief
from agent.song.ids import TrackId
from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Song

_FLOATING = (50.0, 76.0)


def kept_tracks(intent: Intent, song: Song, palette: Palette) -> tuple[TrackId, ...]:
    """Tracks that the request wants untouched."""
    return tuple(dict.fromkeys(t for wish in intent.kept for t in tracks_of(wish, song, palette)))


def tracks_of(wish: Wish, song: Song, palette: Palette) -> tuple[TrackId, ...]:
    """Tracks that a wish means: by name, else by role, family or a name that contains its word."""
    if wish.tracks:
        return wish.tracks
    families = {instrument.name: instrument.family for instrument in palette.instruments}
    roles = roles_of(song, palette)
    return tuple(
        track.id
        for track in song.tracks
        if wish.covers(roles[track.id], families.get(track.instrument, "keys"))
        or wish.label in track.name.casefold()
    )


def recompose(brief: Brief, intent: Intent, style: Style | None, rows: Rows, dice: Dice) -> Iterator[None]:
    """Write the change as rows; yields after each group so that the caller can show them."""
    song = brief.song
    bpm = new_tempo(song, intent, style)
    heard = hear(song, brief.palette, bpm)
    key = new_key(heard.key, intent)
    rows.name(intent.title)
    if bpm != song.tempos[0].bpm:
        rows.tempo(bpm, "as you asked" if intent.bpm else "the pace that goes with it")
    if key != heard.key:
        rows.key(key, "as you asked")
    if style is not None:
        rows.loudness(style.loudness, f"the usual level of {style.label.lower()}")
    yield
    gone = set(rows.guard.tracks)
    for wish in intent.refused:
        for track_id in tracks_of(wish, song, brief.palette):
            if track_id not in gone:
                remove_track(song.track(track_id), rows, f"no {wish.label}, as you asked")
                gone.add(track_id)
    yield
    free = tuple(track for track in song.tracks if track.id not in gone)
    if style is not None and style.dissolves:
        yield from dissolve_song(heard, free, style, intent, key, brief.palette, rows, dice)
    else:
        yield from restyle_song(heard, free, style, intent, key, brief.palette, rows, dice)
    yield from add_wanted(heard, style, intent, key, brief.palette, rows, dice)


def new_tempo(song: Song, intent: Intent, style: Style | None) -> float:
    """The stated tempo, or where the words lead from the song's own."""
    now = song.tempos[0].bpm
    if intent.bpm is not None or intent.keep_tempo:
        return intent.bpm or now
    factor = intent.tempo_factor
    for mood in intent.moods:
        factor *= mood.tempo
    if style is None:
        return now if factor == 1 else float(round(max(20.0, min(300.0, now * factor))))
    if style.dissolves:
        low, high = _FLOATING
        target = float(round(max(low, min(high, now * 0.75 * min(1.0, factor)))))
        return min(now, target)
    low, high = style.tempo
    wanted = now * factor
    return now if low <= wanted <= high and factor == 1 else float(round(max(low, min(high, wanted))))


def new_key(now: Key, intent: Intent) -> Key:
    """The stated key; of tonic and mode, what is not stated stays."""
    if intent.keep_key or not (intent.tonic or intent.mode):
        return now
    mode = intent.mode or now.mode
    if intent.tonic is None and is_minor(mode) == is_minor(now.mode) and intent.mode in ("major", "minor"):
        return now
    return Key(intent.tonic or now.tonic, mode)
