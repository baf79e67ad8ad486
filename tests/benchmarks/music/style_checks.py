"""Whether a style, or two of them, can be heard in a result."""

from __future__ import annotations

from agent.composer.styles import RHYTHMIC, Style
from agent.song.song import Song
from tests.benchmarks.music.result import Result, families, row_of, unless


def in_style(result: Result, name: str, any_tempo: bool) -> str:
    """Why a new piece is not in a style as the plan says it; empty when it is."""
    style = result.style(name)
    said = () if result.draft is None else result.draft.understood
    if not any(text.startswith("style:") and style.label.casefold() in text.casefold() for text in said):
        return f"not understood as {style.label}: {row_of(said)}"
    stated = any(text.startswith("tempo: exactly") for text in said)
    return "" if stated or any_tempo else _tempo_of_style(result.after, style)


def _tempo_of_style(song: Song, style: Style) -> str:
    low, high = style.tempo
    bpm = song.tempos[0].bpm
    return unless(0.85 * low <= bpm <= 1.15 * high, f"{bpm:g} BPM is no tempo of {style.label}")


def blended(result: Result, names: tuple[str, str]) -> str:
    """Why one of two styles is not there; empty when both are."""
    ignored = () if result.draft is None else result.draft.ignored
    styles = [result.style(name) for name in names]
    lost = [
        style.label for style in styles
        if any(word in text.casefold() for text in ignored for word in (style.name, style.label.casefold()))
    ]
    if lost:
        return f"{row_of(lost)} is ignored"
    played = {track.instrument for track in result.after.tracks if track.note_count}
    mute = [
        style.label for style in styles
        if not played & {name for part in style.parts for name in part.instruments}
    ]
    return unless(not mute, f"nothing of {row_of(mute)} plays")


def style_heard(result: Result, style: Style, any_tempo: bool) -> str:
    """Why a changed song does not sound of a style; empty when it does."""
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
    return unless(not drums or bool({"drums", "percussion"} & set(played)), f"{style.label} without its drums")
