"""Blends: the groove of one style under the harmony, the sounds and the tune of another."""

from __future__ import annotations

from msgspec import structs

from agent.composer.styles import Form, PartStyle, Role, SectionStyle, Style

_GROUND: tuple[Role, ...] = ("drums", "percussion", "bass")
_LIKE: dict[Role, tuple[Role, ...]] = {
    "chords": ("chords", "pad", "arp"), "pad": ("pad", "chords", "texture"), "arp": ("arp", "chords", "texture"),
    "lead": ("lead",), "counter": ("counter",), "texture": ("texture", "arp", "pad"),
}
"""Which part of another style can stand for one, nearest first."""


def blended(groove: Style, colour: Style) -> Style:
    """A style with drums, bass, swing, form and tempo of `groove` and harmony, sounds, melody and mix of `colour`.

    The tempo lies in both ranges where they overlap. If only `colour` has drums the two change roles.
    """
    if not groove.grooves and colour.grooves:
        groove, colour = colour, groove
    # a round of chords is what its style is known by, whichever of the two has it
    harmony = groove if groove.round else colour
    ground = tuple(part for part in groove.parts if part.role in _GROUND or part.builds)
    taken = {part.name for part in ground}
    above = tuple(
        _named(part, taken) for part in colour.parts if part.role not in _GROUND and not part.builds
    )
    if not above:
        above = tuple(part for part in groove.parts if part not in ground)
    return structs.replace(
        groove,
        name=f"{groove.name}_{colour.name}",
        label=f"{groove.label} with {colour.label}",
        about=f"The beat and bass of {groove.label.lower()} under the harmony and sounds of {colour.label.lower()}.",
        tempo=_tempo(groove.tempo, colour.tempo),
        tonics=harmony.tonics, modes=harmony.modes, progressions=harmony.progressions, exchanges=harmony.exchanges,
        chord_bars=harmony.chord_bars, inversions=harmony.inversions, ending=harmony.ending, master=colour.master,
        cadences=harmony.cadences,
        dissolves=False, round=harmony.round, gamut=harmony.gamut,
        transitions=structs.replace(groove.transitions, turnaround=False) if harmony.round else groove.transitions,
        forms=tuple(_form(form, groove, ground, above, harmony.round) for form in groove.forms),
        parts=(*ground, *above),
    )


def _named(part: PartStyle, taken: set[str]) -> PartStyle:
    return structs.replace(part, name=f"{part.name} 2") if part.name in taken else part


def _tempo(ground: tuple[float, float], colour: tuple[float, float]) -> tuple[float, float]:
    low, high = max(ground[0], colour[0]), min(ground[1], colour[1])
    return (low, high) if low <= high else ground


def _form(
    form: Form, groove: Style, ground: tuple[PartStyle, ...], above: tuple[PartStyle, ...], whole: int | None
) -> Form:
    return Form(tuple(_section(section, groove, ground, above, whole) for section in form.sections))


def _section(
    section: SectionStyle, groove: Style, ground: tuple[PartStyle, ...], above: tuple[PartStyle, ...],
    whole: int | None,
) -> SectionStyle:
    """The section with each part above the ground replaced by what stands for it in the other style; its length is
    `whole` rounds of chords where the other has them."""
    kept = {part.name for part in ground}
    names = [name for name in section.parts if name in kept]
    for name in section.parts:
        role = groove.part(name).role
        likes = _LIKE.get(role, ()) if name not in kept else ()
        for like in likes:
            same = [part.name for part in above if part.role == like]
            if same:
                free = [other for other in same if other not in names]
                names.append((free or same)[0])
                break
    names = list(dict.fromkeys(names)) or [above[0].name]
    bars = section.bars if whole is None or groove.round else max(1, round(section.bars / whole)) * whole
    return structs.replace(section, parts=tuple(names), bars=bars)
