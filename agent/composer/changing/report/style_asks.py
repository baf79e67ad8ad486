"""The asks of another style: the song must still be itself, and a style that floats must float."""

from __future__ import annotations

from agent.composer.changing.report.measuring import Served
from agent.composer.styles import Style, StyleBook
from agent.composer.understanding.operations import Restyle
from agent.plan.plan import Ask
from agent.theory.sounding import percussive_tracks

_SPARSE = 8.0
"""Onsets a bar below which a song floats already and can only go a little further."""
_MELODY, _CHORDS = 0.5, 0.7
"""Likeness of the tune, and share of the chord roots, by which a song is still itself."""
_FULL = 0.9
"""The amount from which a song without a beat has to float, and not only to be thinner."""


def asks_style(served: Served, operation: Restyle, styles: StyleBook) -> list[Ask]:
    """The asks of a restyling: that the style is met, and that melody and chords are still recognisable."""
    style, blend = styles.style(operation.style), bool(operation.others)
    held = served.by("modify_clip", "create_midi_clip")
    chords = served.ask("root_agreement", "at_least", _CHORDS, words="still your chords", rows=held)
    tune = served.ask("melody_similarity", "at_least", _MELODY, words="still your melody", rows=held)
    if style.dissolves and not blend:
        floats = _floating(served, style) if served.task.scope.whole else served.ask("onsets_per_bar", "lower")
        return [*floats, *tune, *chords]
    return [*served.plain(served.words if blend else style.label.lower()), *tune]


def _floating(served: Served, style: Style) -> list[Ask]:
    word, song = style.label.lower(), served.song
    clips = served.by("modify_clip", "delete_track", "delete_clip")
    closed = bool(served.guard.tracks or served.guard.spans or served.guard.clips)
    full = served.task.amount >= _FULL and bool(served.by("delete_track", "create_track"))
    modest = closed or not full or served.figure("onsets_per_bar") <= _SPARSE
    softer = (*clips, *served.by("update_track"))
    asks = [
        Ask(f"{word}: fewer notes", clips, "onsets_per_bar", *(("lower",) if modest else ("at_most", 0.6))),
        Ask(f"{word}: softer", softer, "velocity", "lower"),
    ]
    if full:
        held = served.by("modify_clip", "create_midi_clip")
        longer = ("higher",) if modest else ("at_least", 2.0)
        pads, space = served.by("create_track", "create_midi_clip"), served.by("add_effect", "update_effect")
        asks += [
            Ask(f"{word}: longer notes", held, "mean_note_beats", *longer),
            Ask(f"{word}: held sound", pads, "pad_share", "at_least", 0.7),
            Ask(f"{word}: space", space, "wet_share", "at_least", 0.6),
        ]
    if percussive_tracks(song, served.palette) - served.guard.tracks and served.figure("percussion_hits"):
        goal = ("lower",) if closed or not full else ("at_most", 0.3)
        asks.insert(0, Ask(f"{word}: less beat", clips, "percussion_hits", *goal))
    if rows := served.by("set_tempo"):
        asks.insert(0, Ask(f"{word}: slower", rows, "tempo", "lower"))
    return asks
