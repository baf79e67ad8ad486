"""The band: which parts of a style play a request, on which instruments, and in which sections."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.roles import role_of_family
from agent.composer.styles import RHYTHMIC, PartStyle, Role, Style
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.ensemble import parts_of
from agent.composer.writing.frame import Player
from agent.composer.writing.instruments import SUBSTITUTES, default_part, find_instrument
from agent.composer.writing.solo import plays_alone, solo_parts
from agent.composer.writing.staging import openers, soloists
from agent.fixes import FixKind
from agent.message import msg
from agent.plan.errors import PlanError
from agent.song.palette import Instrument, Palette

_OTHERWISE: tuple[Role, ...] = ("chords", "texture", "pad", "counter")
"""What a wanted instrument does where its own role is refused."""
_SINGLE: tuple[Role, ...] = ("bass", "lead")
"""Roles that one player has, although a style may give them to several."""
_CORE: tuple[Role, ...] = ("drums", "bass", "lead", "chords", "pad", "arp")
_ASKED = "you asked for it"
_BACKING = ("chords", "pads")
_TWO_HANDED = ("piano", "keys", "organ", "guitar", "pluck")


def choose_band(style: Style, intent: Intent, palette: Palette, dice: Dice) -> tuple[Player, ...]:
    """The players for a request: those of the style in its order, then those that the request adds. Raises `PlanError`
    if all are excluded."""
    parts = _parts(style, intent, palette)
    players = []
    for part in parts:
        instrument = _instrument(part, intent, palette, dice.of(part.name))
        if instrument is not None:
            players.append(Player(part, instrument))
    if not players:
        refused = ", ".join(wish.label for wish in intent.refused)
        raise PlanError(
            msg("there is nothing left to play"), why=msg("the request refuses {refused}", refused=refused),
            fix=msg("allow something"),
        )
    return tuple(players)


def at_most(most: int, players: Sequence[Player]) -> tuple[Player, ...]:
    """At most `most` of the players (0: all) in their order; those asked for come first, then the roles that a style
    needs most."""
    if not most or len(players) <= most:
        return tuple(players)
    first = {role: place for place, role in enumerate(_CORE)}
    ranked = sorted(players, key=lambda one: (one.style.why != _ASKED, first.get(one.style.role, len(first))))
    staying = {one.style.name for one in ranked[:most]}
    return tuple(one for one in players if one.style.name in staying)


def _parts(style: Style, intent: Intent, palette: Palette) -> list[PartStyle]:
    if plays_alone(intent):
        return solo_parts(style, intent, palette)
    if len(intent.players) > 1:
        melody = not _refused_role("lead", intent)
        sparse = {one.wish.label for one in intent.rules.manners if one.kind == "sparse"}
        sings = (soloists(intent.course) | _carrying(intent) | sparse) if melody else frozenset()
        opens = openers(intent.course)
        lead = melody and _leads_later(intent)
        parts = parts_of(
            style, intent.players, palette, melody=melody and not lead, sings=sings, opens=opens, spare=sparse
        )
        return [*parts, style.part_for("lead") or default_part("lead", "Lead", ())] if lead else parts
    return _only(style, intent, palette) if intent.only else _with_wanted(style, intent, palette)


def _leads_later(intent: Intent) -> bool:
    """Whether a lead is said to come in, beside the players that are named."""
    coming = (*(wish for stage in intent.course[1:] for wish in stage.enters), *intent.everywhere)
    return any(wish.whole_role and wish.role == "lead" for wish in coming)


def _with_wanted(style: Style, intent: Intent, palette: Palette) -> list[PartStyle]:
    parts = list(style.parts)
    forced: set[str] = set()
    for wish in intent.carriers:
        _give_tune(wish, parts, forced, palette)
    for wish in intent.wanted:
        if any(_means_same(wish, carrier) for carrier in intent.carriers):
            continue
        open_to = [part for part in parts if wish.whole_role or not _refused_role(part.role, intent)]
        others = [one for one in intent.wanted if one != wish and not one.whole_role]
        taken = {part.name for part in parts if any(_plays(n, o, palette) for o in others for n in part.instruments)}
        place = _place_for(wish, open_to, forced, palette, taken)
        index = None if place is None else parts.index(open_to[place])
        if wish.whole_role:
            if index is not None and intent.course and wish.role != "lead":
                # where pads and a choir come in at times of their own, they are two parts
                forced.add(parts[index].name)
            if index is None and wish.role is not None and not any(part.role == wish.role for part in parts):
                parts.append(default_part(wish.role, wish.label.capitalize(), wish.instruments))
            continue
        instrument = find_instrument(wish, palette)
        if instrument is None:
            raise PlanError(msg("no instrument for {wish!r}", wish=wish.label), fix=FixKind.LIST_NAMES("instruments"))
        if index is None:
            role = _role_for(wish, instrument, intent)
            parts.append(default_part(role, wish.label.capitalize(), (instrument.name,)))
            forced.add(parts[-1].name)
        else:
            fitting = tuple(n for n in parts[index].instruments if _plays(n, wish, palette))
            parts[index] = structs.replace(
                parts[index], instruments=fitting or (instrument.name,), why="you asked for it"
            )
            forced.add(parts[index].name)
    return [part for part in parts if part.name in forced or not _refused_role(part.role, intent)]


def _carrying(intent: Intent) -> frozenset[str]:
    """The labels of the players of a named band who have the tune."""
    return frozenset(
        player.label for player in intent.players if any(_means_same(player, carrier) for carrier in intent.carriers)
    )


def _means_same(one: Wish, carrier: Wish) -> bool:
    return one.label == carrier.label or (bool(one.instruments) and one.instruments == carrier.instruments)


def _give_tune(wish: Wish, parts: list[PartStyle], forced: set[str], palette: Palette) -> None:
    """The tune of the style's own lead on another instrument."""
    instrument = find_instrument(wish, palette)
    if instrument is None:
        raise PlanError(msg("no instrument for {wish!r}", wish=wish.label), fix=FixKind.LIST_NAMES("instruments"))
    at = next((at for at, part in enumerate(parts) if part.role == "lead"), None)
    label = wish.label.capitalize()
    base = parts[at] if at is not None else default_part("lead", label, ())
    part = structs.replace(base, name=label, named=True, instruments=(instrument.name,), why="you asked for it")
    parts[len(parts) if at is None else at :] = [part, *parts[at + 1 :]] if at is not None else [part]
    forced.add(label)


def _role_for(wish: Wish, instrument: Instrument, intent: Intent) -> Role:
    """What a wanted instrument does that no part of the style plays; never what the request refuses."""
    own = wish.role or role_of_family(instrument.family)
    return next((role for role in (own, *_OTHERWISE) if not _refused_role(role, intent)), own)


def _only(style: Style, intent: Intent, palette: Palette) -> list[PartStyle]:
    """Exactly the wanted instruments; one that can play alone gets a second hand for the melody."""
    parts: list[PartStyle] = []
    named = any(not wish.whole_role for wish in intent.wanted)
    for wish in intent.wanted:
        if wish.pieces and any(one.role == "drums" and not one.pieces for one in intent.wanted):
            continue
        if wish.whole_role and named and wish.role in ("lead", "chords", "counter") and not wish.families:
            # "one guitar only, the chords" are what the guitar plays
            continue
        if wish.whole_role:
            roles = RHYTHMIC if wish.role in RHYTHMIC else (wish.role,)
            own = [part for part in style.parts if part.role in roles]
            if wish.role in _SINGLE:
                # a left hand is no bass where one is asked for
                own = sorted(own, key=lambda part: not _of_family(part, wish))
                own = own[:1]
            parts += own or ([default_part(wish.role, wish.label.capitalize(), ())] if wish.role else [])
            continue
        instrument = find_instrument(wish, palette)
        if instrument is None:
            raise PlanError(msg("no instrument for {wish!r}", wish=wish.label), fix=FixKind.LIST_NAMES("instruments"))
        own = [part for part in style.parts if any(_plays(name, wish, palette) for name in part.instruments)]
        if len(own) > 1 and style.part_for("chords") is None:
            # a style written for this instrument alone: both of its hands
            parts += [structs.replace(part, instruments=(instrument.name,), why="you asked for it") for part in own]
            continue
        roles = (wish.role or role_of_family(instrument.family),)
        if not any(part.role == "lead" for part in parts) and not wish.label.endswith(_BACKING):
            roles = (*roles, "lead") if instrument.family in _TWO_HANDED and "lead" not in roles else roles
        label = wish.label.capitalize()
        for role in roles:
            base = style.part_for(role) or default_part(role, label, ())
            name = label if len(roles) == 1 else f"{label} {'melody' if role == 'lead' else role}"
            hand = structs.replace(base, name=name, named=True, instruments=(instrument.name,), why="you asked for it")
            parts.append(hand)
    return list({part.name: part for part in parts}.values())


def _place_for(
    wish: Wish, parts: list[PartStyle], forced: set[str], palette: Palette, taken: set[str]
) -> int | None:
    """The part that plays what is wished, else one of its role that is not `taken` by another wish."""
    free = [index for index, part in enumerate(parts) if part.name not in forced]
    for index in free:
        if wish.whole_role and parts[index].role == wish.role:
            return index
        if not wish.whole_role and any(_plays(name, wish, palette) for name in parts[index].instruments):
            return index
    if wish.whole_role:
        return None
    open_ = (index for index in free if parts[index].name not in taken and parts[index].role == wish.role)
    return min(open_, key=lambda index: not _of_family(parts[index], wish), default=None)


def _of_family(part: PartStyle, wish: Wish) -> bool:
    """Whether a part is played on what is wished, and not only in its place, as a left hand plays the bass."""
    return any(name.startswith(wish.families) for name in part.instruments)


def _plays(name: str, wish: Wish, palette: Palette) -> bool:
    if wish.instruments:
        return name in wish.instruments
    return any(i.name == name and i.family in wish.families for i in palette.instruments)


def _refused_role(role: Role, intent: Intent) -> bool:
    return any(
        wish.whole_role and (wish.role == role or (wish.role in RHYTHMIC and role in RHYTHMIC))
        for wish in intent.refused
    )


def _instrument(part: PartStyle, intent: Intent, palette: Palette, dice: Dice) -> Instrument | None:
    """One of the part's sounds that exists and is not refused; a substitute where all are."""
    if _refused_role(part.role, intent):
        return None
    known = {instrument.name: instrument for instrument in palette.instruments}
    # "no crashes" leaves the kit in its place
    refused = [wish for wish in intent.refused if not wish.pieces]
    for names in (part.instruments, SUBSTITUTES[part.role]):
        allowed = [
            known[name] for name in names
            if name in known and not any(wish.covers(part.role, known[name].family) for wish in refused)
        ]
        if allowed:
            return dice.pick(allowed)
    return None
