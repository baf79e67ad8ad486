"""The form that a request spells out: its sections in the order named, each made after one of the style's own."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import structs

from agent.composer.styles import Form, SectionStyle, Style
from agent.composer.understanding.intent import AskedSection

_STRONG = 0.75
"""Least energy of a section that a piece heads for."""
_MORE = 0.06
"""How much stronger a section is each time it returns."""
_EDGE = 8
"""Most bars of an opening or a close."""


@dataclass(frozen=True)
class _Kind:
    """What a section is called, how strong it usually is, its theme, and whether it stands at an edge or peaks."""

    words: tuple[str, ...]
    energy: float
    theme: str
    edge: str = ""
    peak: bool = False


_KINDS = (
    _Kind(("intro", "introduction", "opening", "prelude"), 0.28, "a", "first"),
    _Kind(("pre", "prechorus", "lift"), 0.6, "c"),
    _Kind(("build", "buildup", "rise", "riser"), 0.58, "b"),
    _Kind(("chorus", "refrain", "hook"), 0.85, "b", peak=True),
    _Kind(("drop", "climax", "peak"), 0.95, "b", peak=True),
    _Kind(("breakdown", "break"), 0.25, "c"),
    _Kind(("bridge", "middle"), 0.45, "c"),
    _Kind(("interlude",), 0.4, "c"),
    _Kind(("solo",), 0.68, "a"),
    _Kind(("outro", "ending", "coda", "end"), 0.35, "a", "last"),
    _Kind(("verse", "strophe", "theme", "groove"), 0.5, "a"),
)
_OTHER = _Kind((), 0.5, "a")


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
        kind = _kind(key)
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
    kind = _kind(asked.name.casefold())
    own = [form for form in style.forms if any(_kind(one.name.casefold()) is kind for one in form.sections)]
    if own and kind.words:
        return tuple(Form(tuple(_as_long(section, asked, kind) for section in form.sections)) for form in own)
    if kind.words and not kind.edge:
        return tuple(_with_named(form, asked, kind) for form in style.forms)
    new = asked_form(style, (asked,)) if kind.edge else ()
    return tuple(
        Form((*new, *form.sections) if kind.edge == "first" else (*form.sections, *new)) for form in style.forms
    )


def _with_named(form: Form, asked: AskedSection, kind: _Kind) -> Form:
    """The form with the section in the place of the one that is most like it."""
    place = min(range(len(form.sections)), key=lambda at: abs(form.sections[at].energy - kind.energy))
    near = form.sections[place]
    energy = max(near.energy, _STRONG) if kind.peak else near.energy
    named = structs.replace(
        near, name=asked.name[0].upper() + asked.name[1:], bars=asked.bars or near.bars, energy=energy
    )
    return Form((*form.sections[:place], named, *form.sections[place + 1 :]))


def _as_long(section: SectionStyle, asked: AskedSection, kind: _Kind) -> SectionStyle:
    meant = asked.bars and _kind(section.name.casefold()) is kind
    return structs.replace(section, bars=asked.bars) if meant else section


def same_kind(one: str, other: str) -> bool:
    """Whether two sections are of one kind, or are called alike."""
    first, second = (" ".join(name.casefold().rstrip("0123456789 ").split()) for name in (one, other))
    kind = _kind(first)
    return first == second or (bool(kind.words) and kind is _kind(second))


def _kind(name: str) -> _Kind:
    words = name.replace("-", " ").split()
    return next((kind for kind in _KINDS if set(kind.words) & {*words, "".join(words)}), _OTHER)


def _nearest(style: Style, name: str, kind: _Kind) -> SectionStyle:
    """The style's section of that name, else of that kind, else the one nearest in energy, at the edge it needs."""
    found: list[tuple[float, SectionStyle]] = []
    for form in style.forms:
        last = len(form.sections) - 1
        for at, section in enumerate(form.sections):
            own = section.name.casefold()
            distance = abs(section.energy - kind.energy)
            distance -= 2.0 if own == name else 1.0 if kind.words and _kind(own) is kind else 0.0
            place = "first" if at == 0 else "last" if at == last else ""
            distance += 0.5 if kind.edge != place else 0.0
            found.append((distance, section))
    return min(found, key=lambda pair: pair[0])[1]
