"""Note limits: players and tones as the rules of a request allow them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise

from msgspec import structs

from agent.composer.styles import RHYTHMIC, Role
from agent.composer.tones import Tone
from agent.composer.understanding.note_rules import NamedNotes, NoteRules, Reach
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.closing import last_chord
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.manners import now_and_then, stabbed
from agent.song.key import Key
from agent.song.time import PPQ
from agent.theory.pitch import in_scale, nearest_in_scale

_OCTAVE = 12
_FIFTH = 7
_RIGHT, _LEFT = 60, 48
"""The lowest keys under a right hand that stays on C, and under a left one."""
_SINGING = 59
"""From where on notes that lie side by side are put, on an instrument that reaches so high."""
_WHITE = Key("C", "major")
_RESTRUCK: tuple[Role, ...] = ("pad", "chords", "bass", "arp")
"""Roles that strike a long note again where it may not last."""
_SHORT = PPQ // 2
"""What the last chord of a piece lasts that ends abruptly."""
_EARLY = PPQ // 8
"""How much too early a tone may be that is meant for a place."""
_BIG = 108
"""Velocity of a big last chord at least."""
_EASY, _EASIEST = PPQ // 2, PPQ
"""Shortest notes of an easy piece and of the easiest."""


def limited(player: Player, rules: NoteRules) -> Player:
    """The player with its range limited by the rules; unchanged if the rules leave no range."""
    if player.style.role in RHYTHMIC or not rules.pitched:
        return player
    low, high = range_of(player, rules)
    if low > high:
        return player
    span = max(7, min(36, high - low))
    centre = max(low, min(high, player.style.centre)) if high - low > _OCTAVE else (low + high) // 2
    return Player(
        structs.replace(player.style, centre=max(12, min(108, centre)), span=min(player.style.span, span)),
        structs.replace(player.instrument, low=low, high=high),
    )


def range_of(player: Player, rules: NoteRules) -> tuple[int, int]:
    """The lowest and highest MIDI pitch that the rules leave to a player; the lowest may exceed the highest."""
    low, high = player.instrument.low, player.instrument.high
    sings = player.style.role == "lead"
    if rules.five_fingers:
        hand = (_RIGHT if sings else _LEFT) + rules.position - (_OCTAVE if rules.position > _FIFTH else 0)
        low, high = max(low, hand), min(high, hand + _FIFTH)
    elif rules.octave and sings:
        low, high = _octave(player)
    notes = named_for(player, rules)
    if notes is not None and notes.row and (sings or notes.wish is not None):
        low, high = _row(notes, player)
    for reach in rules.reaches:
        if reach.spared is not None and _means(reach.spared, player):
            continue
        if reach.spared is not None and reach.wish is None and reach.high is not None:
            # what all but one keep to is no limit of the tune alone
            low, high = low, min(high, reach.high) if reach.high > low else high
            continue
        if (sings and reach.wish is None) or (reach.wish is not None and _means(reach.wish, player)):
            bottom, top = _bounds(reach, player)
            low, high = max(low, bottom), min(high, top)
        elif reach.wish is None and not reach.either and not rules.five_fingers:
            # "nothing above C5" holds for all who can keep it; a range from both sides is that of the tune
            top = reach.high if reach.high is not None and reach.low is None else high
            high = min(high, top) if top >= low + _OCTAVE else high
    return low, high


def named_for(player: Player, rules: NoteRules) -> NamedNotes | None:
    """The only notes that the player may use; None if not limited."""
    return next((one for one in rules.named if one.wish is None or _means(one.wish, player)), None)


def _row(notes: NamedNotes, player: Player) -> tuple[int, int]:
    """The lowest and the highest of notes that lie side by side, in the octave in which a learner finds them."""
    ups = sum((two - one) % _OCTAVE for one, two in pairwise(notes.classes))
    downs = sum((one - two) % _OCTAVE for one, two in pairwise(notes.classes))
    first, span = (notes.classes[0], ups) if ups <= downs else (notes.classes[-1], downs)
    own = player.instrument
    floor = max(own.low, _SINGING) if own.high >= _SINGING + _OCTAVE else own.low
    low = floor + (first - floor) % _OCTAVE
    return (low, low + span) if low + span <= own.high else (own.low, own.high)


def ruled(tones: Sequence[Tone], player: Player, rules: NoteRules, frame: Frame, scenes: Sequence[Scene]) -> list[Tone]:
    """The player's tones changed to follow the rules, within these scenes."""
    result = list(tones)
    if player.style.role not in RHYTHMIC:
        values = next((one.ticks for one in rules.values if one.wish is None or _means(one.wish, player)), ())
        values = values or _at_least(rules)
        if rules.single:
            result = _one_by_one(result, lowest=player.style.role == "bass")
        if rules.pitched:
            result = [structs.replace(tone, pitch=_allowed(tone.pitch, player, rules, frame)) for tone in result]
        if values:
            restruck = player.style.role in _RESTRUCK
            result = bar_by_bar(result, scenes, lambda own, bar: _in_values(own, values, bar, restruck=restruck))
        result = _unique(result)
    for manner in rules.manners:
        if _means(manner.wish, player) and player.style.role not in RHYTHMIC:
            sparse = manner.kind == "sparse"
            result = bar_by_bar(result, scenes, now_and_then) if sparse else stabbed(result, player, scenes)
    return _closed(result, player, rules, scenes[-1])


def bar_by_bar(
    tones: Sequence[Tone], scenes: Sequence[Scene], changed: Callable[[Sequence[Tone], int], list[Tone]]
) -> list[Tone]:
    """The tones after `changed`, a function that counts bars of a length in ticks from 0; scenes with meters of their
    own are changed one by one."""
    if not any(scene.meters for scene in scenes):
        return changed(tones, scenes[0].bar)
    result: list[Tone] = []
    for scene in scenes:
        own = [_moved_by(tone, -scene.start) for tone in tones if scene.start <= tone.start < scene.end]
        result += [_moved_by(tone, scene.start) for tone in (changed(own, scene.bar) if own else [])]
    return result


def _moved_by(tone: Tone, ticks: int) -> Tone:
    return structs.replace(tone, start=tone.start + ticks)


def _at_least(rules: NoteRules) -> tuple[int, ...]:
    """All values from the shortest on; none where no shortest is said."""
    shortest = max(rules.shortest, {"easy": _EASY, "easiest": _EASIEST}.get(rules.ease, 0))
    return tuple(shortest * many for many in (1, 2, 3, 4, 6, 8, 16) if shortest * many <= 4 * PPQ) if shortest else ()


def _bounds(reach: Reach, player: Player) -> tuple[int, int]:
    """A range in the octave that its instrument has: d2 of a recorder is d'', a low D of a cello its lowest."""
    own = player.instrument
    low, high = reach.low, reach.high
    shift = 0
    if reach.either and high is not None:
        while high + shift < own.low + _OCTAVE and high + shift + _OCTAVE <= own.high:
            shift += _OCTAVE
    elif reach.either and low is not None:
        while low + shift - _OCTAVE >= own.low:
            shift -= _OCTAVE
    return (low + shift if low is not None else own.low, high + shift if high is not None else own.high)


def _octave(player: Player) -> tuple[int, int]:
    low = max(player.instrument.low, player.style.centre - _OCTAVE // 2)
    low = min(low, player.instrument.high - _OCTAVE)
    return low, low + _OCTAVE


def _means(wish: Wish, player: Player) -> bool:
    label, name = wish.label.casefold(), player.style.name.casefold()
    return name.startswith(label) or player.instrument.name in wish.instruments or (
        not wish.instruments and wish.covers(player.style.role, player.instrument.family)
    )


def _allowed(pitch: int, player: Player, rules: NoteRules, frame: Frame) -> int:
    """The pitch nearest to one that the rules leave."""
    low, high = range_of(player, rules)
    if low <= high:
        while pitch > high and pitch - _OCTAVE >= low:
            pitch -= _OCTAVE
        while pitch < low and pitch + _OCTAVE <= high:
            pitch += _OCTAVE
    else:
        low, high = player.instrument.low, player.instrument.high
    notes = named_for(player, rules)
    if notes is not None:
        named = [one for one in range(low, high + 1) if one % _OCTAVE in notes.classes]
        return min(named, key=lambda one: (abs(one - pitch), one)) if named else pitch
    scale = rules.diatonic or rules.ease or rules.five_fingers or rules.named
    key = _WHITE if rules.white else frame.key if scale else None
    if low <= pitch <= high and (key is None or in_scale(key, pitch)):
        return pitch
    open_ = [one for one in range(low, high + 1) if key is None or in_scale(key, one)]
    return min(open_, key=lambda one: (abs(one - pitch), one)) if open_ else nearest_in_scale(key or frame.key, pitch)


def _one_by_one(tones: Sequence[Tone], *, lowest: bool) -> list[Tone]:
    """One tone at a time: of those that begin together the outer one, each until the next begins."""
    result: list[Tone] = []
    for _, together in groupby(sorted(tones), key=lambda tone: (tone.start + _EARLY // 2) // _EARLY):
        group = list(together)
        tone = group[0] if lowest else max(group, key=lambda one: one.pitch)
        if result and result[-1].end > tone.start:
            result[-1] = structs.replace(result[-1], length=max(60, tone.start - result[-1].start))
        result.append(tone)
    return result


def _in_values(tones: Sequence[Tone], values: Sequence[int], bar: int, *, restruck: bool) -> list[Tone]:
    """Tones that begin on the grid of the shortest value, each as long as one that fits; the first of a place stays."""
    grid = min(values)
    places: dict[int, list[Tone]] = {}
    heads: dict[int, int] = {}
    for tone in sorted(tones):
        number, within = divmod(tone.start, bar)
        on = (within + _EARLY) // grid * grid
        at = (number + 1) * bar if on >= bar else number * bar + on
        if heads.setdefault(at, tone.start) + _EARLY >= tone.start:
            places.setdefault(at, []).append(tone)
    starts = sorted(places)
    result: list[Tone] = []
    for at, following in zip(starts, (*starts[1:], None), strict=True):
        held = max(grid, *(tone.end - at for tone in places[at]))
        room = min(following - at if following is not None else max(held, grid), _until(at, held, grid, following))
        begin = at
        while begin < at + room:
            left = min(at + room - begin, bar - begin % bar)
            fitting = [value for value in values if value <= left]
            if not fitting:
                break
            length = max(fitting)
            result += [structs.replace(tone, start=begin, length=length) for tone in places[at]]
            begin += length
            if not restruck:
                break
    return result


def _until(at: int, held: int, grid: int, following: int | None) -> int:
    """How long tones may sound: a short one to the next, a lone one as long as it was held."""
    length = -(-held // grid) * grid
    return length if following is None or following - at > 2 * length else following - at


def _unique(tones: Sequence[Tone]) -> list[Tone]:
    """No pitch twice at once."""
    return list({(tone.start, tone.pitch): tone for tone in tones}.values())


def _closed(tones: Sequence[Tone], player: Player, rules: NoteRules, last: Scene) -> list[Tone]:
    """The last bar as the rules want it."""
    start = last.end - last.bar
    body, final = [t for t in tones if t.start < start], [t for t in tones if t.start >= start]
    pitched = player.style.role not in RHYTHMIC
    if rules.last and pitched and final:
        first = min(tone.start for tone in final)
        length = min(rules.last, last.bar)
        final = [_moved(tone, start, length) for tone in final if tone.start == first]
    if rules.close == "abrupt":
        final = [structs.replace(t, length=min(t.length, _SHORT)) for t in final if t.start < start + PPQ]
        body = [structs.replace(tone, length=min(tone.length, start - tone.start)) for tone in body]
    if rules.close == "big_chord":
        final = [structs.replace(tone, velocity=max(tone.velocity, _BIG)) for tone in final]
    if rules.close == "bare_fifth" and pitched:
        chord = last.chords[-1].chord
        classes = (chord.root, (chord.root + 7) % _OCTAVE)
        final = _unique([structs.replace(t, pitch=_nearest(t.pitch, classes, player)) for t in final])
        body = [structs.replace(tone, length=min(tone.length, start - tone.start)) for tone in body]
    tones = sorted([*body, *final])
    return last_chord(tones, player, rules.final, last) if rules.final else tones


def _moved(tone: Tone, start: int, length: int) -> Tone:
    """A tone at another place."""
    return structs.replace(tone, start=start, length=length)


def _nearest(pitch: int, classes: Sequence[int], player: Player) -> int:
    open_ = [p for p in range(player.instrument.low, player.instrument.high + 1) if p % _OCTAVE in classes]
    return min(open_, key=lambda p: (abs(p - pitch), p)) if open_ else pitch
