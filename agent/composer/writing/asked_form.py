"""The form that a request spells out: its sections in the order named, each made after one of the style's own."""

from __future__ import annotations

from msgspec import structs

from agent.composer.styles import Form, SectionStyle, Style
from agent.composer.understanding.intent import AskedSection
from agent.composer.understanding.section_kinds import SectionKind, kind_of

_STRONG = 0.75
"""Least energy of a section that a piece heads for."""
_MORE = 0.06
"""How much stronger a section is each time it returns."""
_EDGE = 8
"""Most bars of an opening or a close."""


def asked_form(style: Style, asked: tuple[AskedSection, ...]) -> tuple[SectionStyle, ...]:
    """One section for each that was asked for, in order, as long as asked.

    Those that return grow a little; the last of the peaks is the strongest.
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


def forms_with(style: Style, asked: AskedSection) -> tuple[Form, ...]:
    """The forms of the style that hold the section, as long as asked.

    Where none does, all of them, opened or closed by it if it belongs to an edge, else with it in the place of the
    section that is as strong as it usually is.
    """
    kind = kind_of(asked.name.casefold())
    own = [form for form in style.forms if any(kind_of(one.name.casefold()) is kind for one in form.sections)]
    if own and kind.words:
        return tuple(Form(tuple(_as_long(section, asked, kind) for section in form.sections)) for form in own)
    if kind.words and not kind.edge:
        return tuple(_with_named(form, asked, kind) for form in style.forms)
    new = asked_form(style, (asked,)) if kind.edge else ()
    return tuple(
        Form((*new, *form.sections) if kind.edge == "first" else (*form.sections, *new)) for form in style.forms
    )


def _with_named(form: Form, asked: AskedSection, kind: SectionKind) -> Form:
    """The form with the section in the place of the one that is most like it."""
    place = min(range(len(form.sections)), key=lambda at: abs(form.sections[at].energy - kind.energy))
    near = form.sections[place]
    energy = max(near.energy, _STRONG) if kind.peak else near.energy
    named = structs.replace(
        near, name=asked.name[0].upper() + asked.name[1:], bars=asked.bars or near.bars, energy=energy
    )
    return Form((*form.sections[:place], named, *form.sections[place + 1 :]))


def _as_long(section: SectionStyle, asked: AskedSection, kind: SectionKind) -> SectionStyle:
    meant = asked.bars and kind_of(section.name.casefold()) is kind
    return structs.replace(section, bars=asked.bars) if meant else section


def _nearest(style: Style, name: str, kind: SectionKind) -> SectionStyle:
    """The style's section of that name, else of that kind, else the one nearest in energy, at the edge it needs."""
    found: list[tuple[float, SectionStyle]] = []
    for form in style.forms:
        last = len(form.sections) - 1
        for at, section in enumerate(form.sections):
            own = section.name.casefold()
            distance = abs(section.energy - kind.energy)
            distance -= 2.0 if own == name else 1.0 if kind.words and kind_of(own) is kind else 0.0
            place = "first" if at == 0 else "last" if at == last else ""
            distance += 0.5 if kind.edge != place else 0.0
            found.append((distance, section))
    return min(found, key=lambda pair: pair[0])[1]
