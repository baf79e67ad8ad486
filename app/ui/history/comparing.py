"""What differs between two iterations, as lines of words; without Qt."""

from __future__ import annotations

from msgspec import Struct

from agent.song.changes import Changes, ClipChanges, FieldChange, TrackChanges
from app.desktop.figures import counted, signed

_NAMES = {
    "volume_db": "Volume, dB", "pan": "Pan", "muted": "Mute", "name": "Name", "instrument": "Instrument",
    "effects": "Effects", "automation": "Automation", "color": "Colour", "tempos": "Tempo", "meters": "Meter",
    "key": "Key", "sections": "Sections", "master_effects": "Effects of the whole song",
    "loudness_target": "Loudness, LUFS", "track order": "Order of tracks", "start": "Start", "duration": "Length",
}
_PLAIN = {"True": "on", "False": "off", "": "none"}
_LONGEST = 200


class Line(Struct, frozen=True):
    """A value that differs: of what, and from what to what; `before` and `after` empty for a whole new thing."""

    what: str
    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """In one line."""
        return f"{self.what}: {self.before} → {self.after}" if self.before or self.after else self.what


class Counts(Struct, frozen=True):
    """Notes that were added, removed and moved."""

    added: int = 0
    removed: int = 0
    moved: int = 0

    @property
    def text(self) -> str:
        """In words, without what is none."""
        parts = ((self.added, "added"), (self.removed, "removed"), (self.moved, "moved"))
        said = ", ".join(f"{count:,} {word}" for count, word in parts if count)
        return f"Notes: {said}" if said else "No notes differ"


class Part(Struct, frozen=True):
    """A track, or the song itself, with what differs in it."""

    title: str
    state: str
    counts: Counts
    lines: tuple[Line, ...]


class Comparison(Struct, frozen=True):
    """Two iterations compared; `same` tracks do not differ."""

    parts: tuple[Part, ...]
    counts: Counts
    headline: str


def compared(changes: Changes) -> Comparison:
    """The changes that lead from A to B, in words."""
    parts = [_track(track) for track in changes.tracks]
    counts = Counts(
        sum(part.counts.added for part in parts), sum(part.counts.removed for part in parts),
        sum(part.counts.moved for part in parts),
    )
    if changes.song:
        parts.insert(0, Part("Song", "changed", Counts(), tuple(_line(one) for one in changes.song)))
    if changes.empty:
        headline = "Both iterations are the same"
    elif not changes.tracks:
        headline = "No track differs"
    else:
        headline = f"{counted(len(changes.tracks), 'track')} {'differs' if len(changes.tracks) == 1 else 'differ'}"
    return Comparison(tuple(parts), counts, headline)


def as_text(comparison: Comparison, a: str, b: str) -> str:
    """All of it, to be copied."""
    said = [f"A: {a}", f"B: {b}", comparison.headline, comparison.counts.text]
    for part in comparison.parts:
        said += ["", f"{part.title} ({part.state})", *([part.counts.text] if part.counts != Counts() else [])]
        said += [f"  {line.text}" for line in part.lines]
    return "\n".join(said)


def _track(track: TrackChanges) -> Part:
    lines = [_line(one) for one in track.fields]
    for clip in track.clips:
        lines += _clip(clip)
    counts = Counts(track.notes_added, track.notes_removed, track.notes_moved)
    return Part(track.name, track.change, counts, tuple(lines))


def _clip(clip: ClipChanges) -> list[Line]:
    name = f"Clip “{clip.name}”" if clip.name else "A clip"
    if clip.change != "changed":
        return [Line(f"{name} {clip.change}")]
    fields = [_line(one, f"{name}, ") for one in clip.fields]
    counts = Counts(len(clip.notes_added), len(clip.notes_removed), len(clip.notes_moved))
    return [*fields, Line(f"{name}: {counts.text[0].lower()}{counts.text[1:]}")] if counts != Counts() else fields


def _line(change: FieldChange, prefix: str = "") -> Line:
    name = _NAMES.get(change.field, change.field.replace("_", " ").capitalize())
    named = f"{prefix}{name.lower() if prefix else name}"
    return Line(named, _value(change.before), _value(change.after))


def _value(text: str) -> str:
    shown = _PLAIN.get(text, text)
    shown = signed(shown) if shown.lstrip("-").replace(".", "", 1).isdigit() else shown
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST - 1]}…"
