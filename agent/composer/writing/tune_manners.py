"""Tune manners: how the tunes of a style go where its file says nothing, and what the rules of a request leave."""

from __future__ import annotations

from msgspec import structs

from agent.composer.styles import Character, Style, TuneStyle
from agent.composer.understanding.note_rules import NoteRules

_CALM, _LIVELY = 4.4, 2.0
"""Notes a bar of the calmest tune, and how many more the liveliest has."""
_PLAYED, _STIFF = 0.6, 0.25
"""Acoustic share from which hands bend notes, and groove up to which a tune keeps to its key."""


def tune_of(style: Style, rules: NoteRules | None = None) -> TuneStyle:
    """The manner of the style's melodies with all values set: those of its file, otherwise from its character.

    Rules that limit pitches exclude chromatic and blue notes.
    """
    said, character = style.tune, style.character or Character()
    notes = said.notes if said.notes is not None else _CALM + _LIVELY * character.energy
    chromatic = said.chromatic if said.chromatic is not None else _bent(character)
    plain = rules is not None and (rules.pitched or bool(rules.ease) or rules.power)
    return structs.replace(
        said, notes=notes, chromatic=0.0 if plain else chromatic, blue=0.0 if plain else said.blue,
        tie=said.tie if said.tie is not None else 0.3 + 0.4 * character.groove,
    )


def _bent(character: Character) -> float:
    """How often a tune takes a note beside its key: where hands play it and it is neither stiff nor tense."""
    if character.acoustic < _PLAYED and character.groove > 1 - _STIFF:
        return 0.0
    return 0.3 * character.acoustic
