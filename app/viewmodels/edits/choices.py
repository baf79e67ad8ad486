"""Instruments and effects as a person chooses them: under headings, found by their words."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from agent.song.palette import Palette
from app.i18n import tr
from app.viewmodels.edits.effect_chain import FAMILIES, family_label, family_of
from app.viewmodels.texts.palette_words import said


class SoundChoice(Struct, frozen=True):
    """An instrument or effect to choose: its name (`key`), label, family (`group`) and tooltip (`about`); `words` are
    searched in addition to its label."""

    key: str
    label: str
    group: str
    about: str = ""
    words: str = ""


def instrument_choices(palette: Palette) -> tuple[SoundChoice, ...]:
    """All instruments, grouped by family."""
    families = list(dict.fromkeys(one.family for one in palette.instruments))
    return tuple(
        SoundChoice(
            one.name, said(one.label), _titled(family),
            said(one.samples.terms) if one.samples else ", ".join(said(tag) for tag in one.tags),
            " ".join((one.name, family, *one.tags, *(said(tag) for tag in one.tags))),
        )
        for family in families for one in palette.instruments if one.family == family
    )


def effect_choices(palette: Palette) -> tuple[SoundChoice, ...]:
    """All effects, grouped by family."""
    return tuple(
        SoundChoice(
            kind.name, said(kind.label), family_label(family), said(kind.about), f"{kind.name} {said(kind.about)}"
        )
        for family in FAMILIES for kind in palette.effects if family_of(kind) == family
    )


def found(choices: Iterable[SoundChoice], text: str) -> tuple[SoundChoice, ...]:
    """The choices whose texts contain every word of `text`, in their order."""
    words = text.casefold().split()
    return tuple(
        one for one in choices
        if all(word in f"{one.label} {one.group} {one.words}".casefold() for word in words)
    )


def _titled(family: str) -> str:
    return tr("Effects") if family == "fx" else said(family[:1].upper() + family[1:])
