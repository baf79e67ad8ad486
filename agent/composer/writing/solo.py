"""Solo: the parts of one who plays alone, as right hand only, one note at a time or an easy piece ask for."""

from __future__ import annotations

from msgspec import structs

from agent.composer.styles import RHYTHMIC, PartStyle, SectionStyle, Style
from agent.composer.understanding.intent import Intent
from agent.composer.writing.instruments import default_part, find_instrument
from agent.song.palette import Family, Instrument, Palette

_TWO_HANDED: tuple[Family, ...] = ("piano", "keys", "organ")
_USUAL = "piano_grand"
_LOW = 48
"""Around what a left hand plays that is alone."""
_HELD = ("R---------------",)


def plays_alone(intent: Intent) -> bool:
    """Whether the request is for a single player."""
    named = {wish.label for wish in (*intent.wanted, *intent.players) if not wish.whole_role}
    rhythm = any(wish.role in RHYTHMIC for wish in (*intent.wanted, *intent.players))
    learner = bool(intent.rules.named) and not intent.style
    return (intent.rules.alone or learner) and len(named) <= 1 and not intent.course and not rhythm


def solo_parts(style: Style, intent: Intent, palette: Palette) -> list[PartStyle]:
    """The melody part of a single player; an easy keyboard piece has a left-hand part too."""
    instrument = _instrument(intent, palette)
    rules = intent.rules
    base = style.part_for("lead") or default_part("lead", instrument.label, ())
    hand = f"{rules.hand.capitalize()} hand" if rules.hand else instrument.label
    centre = _LOW if rules.hand == "left" else base.centre
    tune = structs.replace(
        base, name=hand, named=True, instruments=(instrument.name,), centre=centre, builds=False,
        why="you asked for it",
    )
    if not (rules.ease or rules.both_hands) or rules.single or rules.hand or instrument.family not in _TWO_HANDED:
        return [tune]
    low = default_part("bass", "Left hand", (instrument.name,))
    low = structs.replace(low, named=True, patterns=_HELD, centre=_LOW, span=12, velocity=base.velocity)
    return [structs.replace(tune, name="Right hand"), low]


def with_soloist(sections: tuple[SectionStyle, ...], parts: tuple[str, ...]) -> tuple[SectionStyle, ...]:
    """The sections, in all of which the same `parts` play."""
    return tuple(structs.replace(section, parts=parts) for section in sections)


def _instrument(intent: Intent, palette: Palette) -> Instrument:
    wishes = [wish for wish in (*intent.players, *intent.wanted) if not wish.whole_role]
    found = [one for wish in wishes if (one := find_instrument(wish, palette)) is not None]
    usual = next((one for one in palette.instruments if one.name == _USUAL), palette.instruments[0])
    return next(iter(found), usual)
