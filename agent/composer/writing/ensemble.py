"""Ensembles: players that are named as the whole band, with the roles that each takes by its range."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct, structs
from msgspec.structs import replace

from agent.composer.styles import RHYTHMIC, PartStyle, Role, SectionStyle, Style
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.instruments import SUBSTITUTES, default_part, find_instrument
from agent.fixes import FixKind
from agent.message import msg
from agent.plan.errors import PlanError
from agent.song.palette import Family, Instrument, Palette

_DEEP = 43
"""Highest lowest note of an instrument that can play a bass."""
_SINGING: tuple[Family, ...] = ("woodwind", "brass", "strings", "choir", "lead")
_STRUCK: tuple[Family, ...] = ("keys", "pluck", "guitar", "piano", "organ", "arp", "pad")
_MANY = ("ensemble", "wide")
"""Tags of instruments that are many players, and so can hold chords."""
_CHORDAL: tuple[Family, ...] = ("piano", "organ", "guitar", "keys", "pad", "arp", "pluck", "choir")
_BASSES = (
    "strings_contrabass", "brass_tuba", "woodwind_bassoon", "woodwind_baritone_sax", "strings_cello", "brass_trombone",
)
"""Who else plays the bass, best first."""
_ROLES: dict[str, Role] = {"strings_harp": "arp", "keys_marimba": "arp", "strings_pizzicato": "arp"}
_LIKE: dict[Role, tuple[Role, ...]] = {
    "chords": ("chords", "arp", "pad"), "arp": ("arp", "chords", "texture"), "pad": ("pad", "chords"),
    "counter": ("counter", "pad", "chords"), "texture": ("texture", "arp"), "lead": ("lead",), "bass": ("bass",),
    "drums": ("drums", "percussion"), "percussion": ("percussion", "drums"),
}
"""Roles of a style's section, any of which brings a player of a role in."""
_CHORAL = 2
"""From so many voices of a choir on each sings a line of its own."""
_MIXED = ((60, 79), (55, 72), (48, 65), (41, 58))
"""Ranges of soprano, alto, tenor and bass."""
_EQUAL = ((60, 77), (57, 72), (55, 69), (53, 67))
"""Ranges of equal voices, the highest first."""
_ALL_PLAY = 6
"""Players of a named band that all play from the first bar on; of a larger one some rest in calm sections."""
_APART = 7
"""Semitones between the places of two who play the same."""
_FULL = 0.6
"""Energy of a section in which all play, and how acoustic a style is that takes the acoustic of two instruments."""


class _Seat(Struct, frozen=True):
    """One player: what was asked, its instrument (None: the style's own for a whole role), and its role once known."""

    wish: Wish
    instrument: Instrument | None
    role: Role | None = None


def parts_of(
    style: Style, players: Sequence[Wish], palette: Palette, *, melody: bool = True,
    sings: Collection[str] = (), opens: Collection[str] = (), spare: Collection[str] = (),
) -> list[PartStyle]:
    """A part for each named player: bass, melody, harmony and rhythm are given to those who can play them.

    The melody goes to players with a label in `sings`, otherwise preferably to one in `opens`; without `melody` nobody
    has it. Players in `spare` play with one hand. Raises `PlanError` for an unknown instrument.
    """
    seats = _seated([_seat(wish, style, palette) for wish in players], sings, opens, melody=melody)
    parts = [_part(style, seat, seats) for seat in seats]
    parts = _told_apart(parts, seats)
    if len(choral := [seat for seat in seats if _family(seat) == "choir"]) > 1:
        parts = [_choral(one, choral, seat) if seat in choral else one for one, seat in zip(parts, seats, strict=True)]
    # a section that sings keeps its chords
    hands = [seat for seat in seats if seat.role == "lead" and _is_many(seat) and len(choral) < _CHORAL]
    hands = [seat for seat in hands if seat.wish.label not in spare]
    backing = [_part(style, replace(seat, role=_backing([seat], 0)), seats) for seat in hands]
    parts += [structs.replace(part, name=f"{part.name} chords") for part in backing]
    if melody and not any(seat.role == "lead" for seat in seats):
        parts += _second_hand(style, seats)
    return parts


def sections_for(
    sections: Sequence[SectionStyle], style: Style, parts: Sequence[PartStyle]
) -> tuple[SectionStyle, ...]:
    """The sections with the named band's parts in place of the style's; a small band plays in all of them."""
    own = {part.name: part.role for part in style.parts}
    if len(parts) <= _ALL_PLAY:
        return tuple(structs.replace(section, parts=tuple(part.name for part in parts)) for section in sections)
    lowest = min(section.energy for section in sections)
    known = {own[name] for section in sections for name in section.parts if name in own}
    result = []
    for section in sections:
        roles = {own[name] for name in section.parts if name in own}
        strong = section.energy >= _FULL or (len(parts) <= 2 and section.energy > lowest)
        names = [
            part.name for part in parts
            if strong or part.voices == 1 or roles & set(_LIKE[part.role])
            or (section.energy > lowest and not known & set(_LIKE[part.role]))
        ]
        sung = [part.name for part in parts if part.role == "lead"]
        names = names or sung or [parts[0].name]
        result.append(structs.replace(section, parts=tuple(names)))
    return tuple(result)


def _seat(wish: Wish, style: Style, palette: Palette) -> _Seat:
    if wish.pieces:
        return _Seat(wish, None, "drums")
    if wish.whole_role and wish.role is not None:
        return _Seat(wish, None, wish.role)
    instrument = _suiting(wish, style, palette)
    if instrument is None:
        raise PlanError(msg("no instrument for {wish!r}", wish=wish.label), fix=FixKind.LIST_NAMES("instruments"))
    if instrument.family == "drums":
        return _Seat(wish, instrument, "drums")
    if instrument.family == "percussion" and "tuned" not in instrument.tags:
        return _Seat(wish, instrument, "percussion")
    return _Seat(wish, instrument)


def _suiting(wish: Wish, style: Style, palette: Palette) -> Instrument | None:
    """The instrument that a wish means: among equals one as acoustic as the style."""
    known = {instrument.name: instrument for instrument in palette.instruments}
    named = [known[name] for name in wish.instruments if name in known]
    if wish.whole_family and not wish.stands_in:
        # of all guitars a style's own
        plugged = {one.name for one in known.values() if one.family in wish.families and "acoustic" not in one.tags}
        open_to = {one.name for one in named} | plugged
        own = [known[name] for part in style.parts for name in part.instruments if name in open_to and name in known]
        if own:
            return own[0]
    acoustic = style.character is not None and style.character.acoustic >= _FULL
    fitting = [one for one in named if ("acoustic" in one.tags) == acoustic]
    return next(iter(fitting or named), None) or find_instrument(wish, palette)


def _seated(
    seats: list[_Seat], sings: Collection[str], opens: Collection[str], *, melody: bool
) -> list[_Seat]:
    """The players with their roles."""
    choral = [at for at, seat in enumerate(seats) if _family(seat) == "choir"]
    if len(choral) >= _CHORAL:
        tune = choral[0] if melody and not sings else None
        seats = [replace(s, role="lead" if at == tune else "pad") if at in choral else s for at, s in enumerate(seats)]
    if melody:
        seats = [replace(s, role="lead") if s.role is None and s.wish.label in sings else s for s in seats]
    open_ = [at for at, seat in enumerate(seats) if seat.role is None]
    taken = {seat.role for seat in seats}
    bass = _bass(seats, open_) if "bass" not in taken and len(open_) > 1 else None
    if bass is not None:
        seats[bass] = replace(seats[bass], role="bass")
        open_.remove(bass)
    first = [at for at, seat in enumerate(seats) if seat.wish.label in opens]
    sung = any(seats[at].role == "lead" for at in first) if first else "lead" in taken
    among = [at for at in open_ if at in first] if first else open_
    singer = _singer(seats, among, alone=bool(first)) if melody and not sung else None
    if singer is not None:
        seats[singer] = replace(seats[singer], role="lead")
        open_.remove(singer)
    for at in open_:
        seats[at] = replace(seats[at], role=_backing(seats, at))
    return seats


def _bass(seats: Sequence[_Seat], free: Sequence[int]) -> int | None:
    """Who plays the bass: a bass, else the deepest voice where another can sing; hands stay together."""
    deep = [at for at in reversed(free) if (one := seats[at].instrument) is not None and one.low <= _DEEP]
    basses = [at for at in deep if seats[at].wish.role == "bass" or _family(seats[at]) == "bass"]
    single = [at for at in free if _family(seats[at]) in _SINGING and not _is_many(seats[at])]
    named = [at for name in _BASSES for at in deep if _name(seats[at]) == name and set(single) - {at}]
    return next(iter((*basses, *named)), None)


def _singer(seats: Sequence[_Seat], free: Sequence[int], *, alone: bool = False) -> int | None:
    """Who sings the tune: the highest voice that can; else mallets and hands, or a section, if others are left.

    With `alone` a section sings even so.
    """
    single = [at for at in free if _family(seats[at]) in _SINGING and not _is_many(seats[at])]
    single = [at for at in single if _name(seats[at]) not in _ROLES]
    if single:
        return max(single, key=lambda at: (_top(seats[at]), -at))
    struck = [at for at in free if _family(seats[at]) in _STRUCK and _name(seats[at]) not in _ROLES]
    if len(free) > 1 and struck:
        return max(struck, key=lambda at: (_top(seats[at]), -at))
    many = [at for at in free if _family(seats[at]) in _SINGING]
    return many[0] if (alone or len(free) > 1) and many else None


def _backing(seats: Sequence[_Seat], at: int) -> Role:
    seat = seats[at]
    if _name(seat) in _ROLES:
        return _ROLES[_name(seat)]
    if _family(seat) in _CHORDAL:
        return "pad" if _family(seat) in ("pad", "choir") else "chords"
    if _is_many(seat):
        return "pad" if _family(seat) == "strings" else "chords"
    return "counter"


def _part(style: Style, seat: _Seat, seats: Sequence[_Seat]) -> PartStyle:
    assert seat.role is not None
    base = style.part_for(seat.role)
    label = _label(seat)
    if seat.instrument is None:
        own = base or (style.part_for("percussion") if seat.role == "drums" else None)
        suits = own is not None and _suits(own, seat.wish)
        part = own if own is not None and suits else default_part(seat.role, label, seat.wish.instruments)
        named = label if seat.wish.pieces else part.name
        return structs.replace(part, name=named, pieces=seat.wish.pieces, why="you asked for it")
    part = base or default_part(seat.role, label, (seat.instrument.name,))
    voices = part.voices
    if seat.role in ("pad", "chords") and not (_family(seat) in _CHORDAL or _is_many(seat)):
        voices = 2
    return structs.replace(
        part, name=label, named=True, instruments=(seat.instrument.name,), builds=False, power=False, voices=voices,
        centre=_centre(part, seat, seats), why=_why(seat),
    )


def _told_apart(parts: Sequence[PartStyle], seats: Sequence[_Seat]) -> list[PartStyle]:
    """The parts, of which several of one whole role have names, sounds and places of their own: two pads are two."""
    result: list[PartStyle] = []
    for part, seat in zip(parts, seats, strict=True):
        alike = [one for one, other in zip(parts, seats, strict=True) if _is_role(other) and one.role == part.role]
        alike = [one for one in alike if one.instruments == part.instruments]
        if not _is_role(seat) or len(alike) < 2 or part.role in RHYTHMIC:
            result.append(part)
            continue
        number = sum(one.role == part.role for one in result)
        sounds = list(dict.fromkeys((*part.instruments, *SUBSTITUTES[part.role])))
        own = tuple(sounds[number :: len(alike)]) or part.instruments
        place = part.centre + _APART * number
        result.append(structs.replace(part, name=_label(seat), instruments=own, centre=place))
    return result


def _is_role(seat: _Seat) -> bool:
    return seat.instrument is None and not seat.wish.pieces


def _choral(part: PartStyle, choral: Sequence[_Seat], seat: _Seat) -> PartStyle:
    """The part of one voice of a choir, in its own range: of a mixed choir, or of equal voices close together."""
    number = choral.index(seat)
    low, high = (_MIXED if len(choral) == len(_MIXED) else _EQUAL)[min(number, len(_MIXED) - 1)]
    span = high - low
    if part.role == "lead":
        return structs.replace(part, centre=(low + high) // 2, span=span)
    plain = default_part("pad", part.name, part.instruments)
    return structs.replace(
        plain, centre=(low + high) // 2, span=span, voices=1, why=part.why, velocity=part.velocity,
    )


def _why(seat: _Seat) -> str:
    if seat.wish.stands_in and seat.instrument is not None:
        return f"{seat.instrument.label} is the nearest here to a {seat.wish.label}"
    return "you asked for it"


def _centre(part: PartStyle, seat: _Seat, seats: Sequence[_Seat]) -> int:
    """Where the part lies: in the good middle of its instrument, each further voice of a kind a third lower."""
    assert seat.instrument is not None
    low, high = seat.instrument.low, seat.instrument.high
    alike = [one for one in seats if one.role == seat.role]
    below = 4 * next((at for at, one in enumerate(alike) if one is seat), 0)
    half = part.span // 2
    wanted = part.centre - below
    if seat.role == "lead" and seat.wish.role == "bass":
        wanted = low + half
    if seat.role == "counter":
        wanted = (low * 3 + high * 2) // 5 - below // 2
    return max(min(low + half, high - 6), min(wanted, high - half))


def _second_hand(style: Style, seats: Sequence[_Seat]) -> list[PartStyle]:
    """A tune for the one whose hands are free, where nobody sings."""
    free = [seat for seat in seats if seat.instrument is not None and _family(seat) in _STRUCK]
    if not free:
        return []
    seat = max(free, key=_top)
    assert seat.instrument is not None
    base = style.part_for("lead") or default_part("lead", seat.wish.label, ())
    name = f"{_label(seat)} melody"
    return [structs.replace(base, name=name, named=True, instruments=(seat.instrument.name,), why="you asked for it")]


def _label(seat: _Seat) -> str:
    return seat.wish.label[0].upper() + seat.wish.label[1:]


def _suits(part: PartStyle, wish: Wish) -> bool:
    """Whether a part of the style sounds as a wish for a whole role means: a bass is no left hand of a piano."""
    families = tuple("kit" if family == "drums" else family for family in wish.families)
    return not families or any(name.startswith(families) for name in part.instruments)


def _family(seat: _Seat) -> Family | None:
    """The family of a player's instrument; tuned drums are played as mallets are."""
    if seat.instrument is None:
        return None
    return "keys" if seat.instrument.family == "percussion" else seat.instrument.family


def _name(seat: _Seat) -> str:
    return seat.instrument.name if seat.instrument is not None else ""


def _is_many(seat: _Seat) -> bool:
    return seat.instrument is not None and bool(set(_MANY) & set(seat.instrument.tags))


def _top(seat: _Seat) -> int:
    return (seat.instrument.low + seat.instrument.high) // 2 if seat.instrument is not None else 0

