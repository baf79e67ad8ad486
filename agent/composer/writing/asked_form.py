"""The form that a request spells out: its sections in the order named, each made after one of the style's own."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.styles import Form, SectionStyle, Style
from agent.composer.understanding.intent import AskedSection
from agent.composer.understanding.section_kinds import SectionKind, kind_of, stem_of

_STRONG = 0.75
"""Least energy of a section that a piece heads for."""
_MORE = 0.06
"""How much stronger a section is each time it returns."""
_EDGE = 8
"""Most bars of an opening or a close."""
_GROOVE = "groove"
_AT_HOME = 0.3
"""How much nearer a section of the form that is meant counts."""


def asked_form(style: Style, asked: tuple[AskedSection, ...]) -> tuple[SectionStyle, ...]:
    """A section for each one that was asked for, in order and with the lengths asked.

    Sections that return get a little more energy; the last peak gets the most.
    """
    counts: dict[str, int] = {}
    sections = []
    for one in asked:
        label = " ".join(one.name.split()).strip() or "Part"
        key = label.casefold()
        counts[key] = counts.get(key, 0) + 1
        kind = kind_of(key)
        base = _nearest(style, key, kind)
        energy = (base.energy + kind.energy) / 2 if kind.words else base.energy
        energy = max(energy, _STRONG) if kind.peak else energy
        bars = one.bars or (min(base.bars, _EDGE) if kind.edge else base.bars)
        title = label[0].upper() + label[1:] + (f" {counts[key]}" if counts[key] > 1 else "")
        sections.append(
            structs.replace(
                base, name=title[:60], bars=bars, theme=kind.theme if kind.words else base.theme,
                energy=min(1.0, energy + _MORE * (counts[key] - 1)),
            )
        )
    return tuple(sections)


def made_like(style: Style, sections: Sequence[AskedSection], home: Form) -> tuple[SectionStyle, ...]:
    """A section for each of these, with their lengths, modelled on the most similar sections of the style, preferably
    those of the form `home`.

    Sections that return get a little more energy.
    """
    counts: dict[SectionKind, int] = {}
    result = []
    for one in sections:
        kind = kind_of(one.name.casefold())
        counts[kind] = counts.get(kind, 0) + 1
        base = _nearest(style, _known_as(style, one.name.casefold()), kind, home)
        energy = (base.energy + kind.energy) / 2 if kind.words else base.energy
        energy = max(energy, _STRONG) if kind.peak else energy
        parts = with_soloist(base.parts, style) if kind.sings else base.parts
        parts = with_bass(parts, style) if stem_of(one.name).casefold() == _GROOVE else parts
        if not _alike(base.name, one.name, kind):
            base = structs.replace(base, groove="", up=0, repeats=False)
        result.append(
            structs.replace(
                base, name=one.name, bars=one.bars, parts=parts, theme=kind.theme if kind.words else base.theme,
                energy=min(1.0, energy + _MORE * (counts[kind] - 1)),
            )
        )
    return tuple(result)


def _known_as(style: Style, name: str) -> str:
    """What a style calls a section: its second verse where it has no third, its only one the first."""
    known = {section.name.casefold() for form in style.forms for section in form.sections}
    stem = stem_of(name)
    number = int(name[len(stem) :]) if name[len(stem) :].strip().isdigit() else 1
    if name in known or name[len(stem) :].strip() in ("again", "repeat"):
        return name
    return next((f"{stem} {few}" for few in range(number, 1, -1) if f"{stem} {few}" in known), stem)


def with_soloist(parts: tuple[str, ...], style: Style) -> tuple[str, ...]:
    """The section's parts, with a melody part of the style added if it has none."""
    leads = [part.name for part in style.parts if part.role == "lead"]
    return parts if set(leads) & set(parts) else (*parts, *leads[-1:])


def with_bass(parts: tuple[str, ...], style: Style) -> tuple[str, ...]:
    """The section's parts, with a bass part of the style added if they have none and the style has one."""
    basses = [part.name for part in style.parts if part.role == "bass"]
    return parts if set(basses) & set(parts) else (*parts, *basses[:1])


def forms_with(style: Style, forms: Sequence[Form], asked: AskedSection) -> tuple[Form, ...]:
    """The forms that contain the section, with the length asked.

    If none of `forms` does, all of them with it added: at the start or end if it belongs there, otherwise in place of
    the section of the most similar energy.
    """
    kind = kind_of(asked.name.casefold())
    own = [form for form in forms if any(kind_of(one.name.casefold()) is kind for one in form.sections)]
    if own and kind.words:
        return tuple(Form(tuple(_as_long(section, asked, kind) for section in form.sections)) for form in own)
    if kind.words and not kind.edge:
        return tuple(_with_named(form, asked, kind) for form in forms)
    new = asked_form(style, (asked,)) if kind.edge else ()
    return tuple(
        Form((*new, *form.sections) if kind.edge == "first" else (*form.sections, *new)) for form in forms
    )


def _with_named(form: Form, asked: AskedSection, kind: SectionKind) -> Form:
    """The form with the section in the place of the one that is most like it."""
    inner = range(1, len(form.sections) - 1) or range(len(form.sections))
    place = min(inner, key=lambda at: abs(form.sections[at].energy - kind.energy))
    near = form.sections[place]
    energy = max(near.energy, _STRONG) if kind.peak else near.energy
    named = structs.replace(
        near, name=asked.name[0].upper() + asked.name[1:], bars=asked.bars or near.bars, energy=energy
    )
    return Form((*form.sections[:place], named, *form.sections[place + 1 :]))


def _as_long(section: SectionStyle, asked: AskedSection, kind: SectionKind) -> SectionStyle:
    meant = asked.bars and kind_of(section.name.casefold()) is kind
    return structs.replace(section, bars=asked.bars) if meant else section


def _alike(own: str, name: str, kind: SectionKind) -> bool:
    """Whether a section of a style is of the kind, or called like one of none."""
    return kind_of(own.casefold()) is kind if kind.words else stem_of(own).casefold() == stem_of(name).casefold()


def _nearest(style: Style, name: str, kind: SectionKind, home: Form | None = None) -> SectionStyle:
    """The style's section of that name, else of that kind, else the one nearest in energy, at the edge it needs; of
    several the one in the form `home`."""
    found: list[tuple[float, SectionStyle]] = []
    for form in style.forms:
        last = len(form.sections) - 1
        for at, section in enumerate(form.sections):
            own = section.name.casefold()
            distance = abs(section.energy - kind.energy)
            distance -= 2.0 if own == name else 1.0 if _alike(own, name, kind) else 0.0
            place = "first" if at == 0 else "last" if at == last else ""
            distance += 0.5 if kind.edge != place else 0.0
            distance -= _AT_HOME if form is home else 0.0
            found.append((distance, section))
    return min(found, key=lambda pair: pair[0])[1]
