"""Replacing: what one instrument played, another plays from now on, or in a stretch of the song."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType
from typing import cast

from msgspec import structs

from agent.composer.changing.notes.kit_pieces import exchanged, given_up, pitches_of
from agent.composer.changing.operations.adding import new_track, of_pieces, style_for
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.parts.lines import handed_over, into_range
from agent.composer.changing.parts.room import colour_for
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.parts import PlannedClip, PlannedTrack
from agent.composer.roles import GROUPS, role_of_family
from agent.composer.styles import RHYTHMIC, StyleBook
from agent.composer.tones import Tone, tidy
from agent.composer.understanding.items import Referring
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Remove, Replace
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.instruments import default_part
from agent.composer.writing.kit import on_keys_of
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.clip import Clip
from agent.song.palette import EffectUse, Instrument
from agent.song.track import Track
from agent.theory.mixing import REVERBS

_ANOTHER = "another sound"
_ROUGH = ("guitar", "bass", "lead", "keys", "organ")
"""Families on which distortion sounds meant."""


def replace(stage: Stage, operation: Replace) -> None:
    """Give the tracks that the wish means the other instrument; with a scope they rest there and a new track plays
    their notes.

    Between drums and pitched instruments notes cannot be kept: the old part is removed and a new one added.
    """
    tracks = stage.free(operation.wish)
    options = _options(stage, operation.by)
    if operation.wish.pieces:
        _exchange_piece(stage, tracks, options[0], operation)
        return
    if operation.by.pieces or (operation.by.whole_role and operation.by.role == "percussion"):
        _exchange(stage, tracks, options[0], operation)
        return
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    if operation.by.label == _ANOTHER:
        used = {track.instrument for track in tracks}
        options = [option for option in options if option.name not in used]
    if all(track.instrument in {one.name for one in options} for track in tracks):
        raise Blocked(
            msg(
                "{wish} is {label} already",
                wish=operation.wish.label, label=_a(known[tracks[0].instrument].label.lower()),
            ),
        )
    changing = [track for track in tracks if track.instrument not in {one.name for one in options}]
    for number, track in enumerate(changing):
        sound = options[0 if operation.by.instruments else number % len(options)]
        was = known.get(track.instrument)
        if (was is not None and was.is_kit) != sound.is_kit:
            _exchange(stage, (track,), sound, operation)
        elif stage.whole:
            _swap(stage, track, was, sound, operation)
        else:
            _take_over(stage, track, was, sound, operation)


def _options(stage: Stage, by: Wish) -> list[Instrument]:
    """The instruments that are meant, best first; all of a family, so that several tracks need not be the same."""
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    named = [known[name] for name in by.instruments if name in known]
    if by.whole_role and by.role is not None and not named:
        style = style_for(stage)
        part = style.part_for(by.role) or default_part(by.role, by.label, ())
        named = [known[name] for name in part.instruments if name in known]
    found = named or [one for one in stage.palette.instruments if one.family in by.families]
    if not found:
        raise Blocked(msg("no instrument for {by!r}", by=by.label))
    return found


def _swap(stage: Stage, track: Track, was: Instrument | None, sound: Instrument, operation: Replace) -> None:
    sketch = stage.sketch
    handed = [] if operation.exact else _handed(stage, track, was, sound)
    new = dict(handed)
    why = f"{sound.label} instead of {was.label.lower() if was else track.instrument}, as you asked"
    if not sound.is_kit:
        why += _beyond(track, sound) if operation.exact else _brought(stage, track, handed)
    for clip in track.clips if not operation.exact else ():
        sketch.rewrite(clip.id, new.get(clip.id, ()), "played by another", _how(was, sound))
    sketch.update_track(track.id, why, instrument=sound.name, **_renamed(stage, track, was, operation))
    if sound.family not in _ROUGH:
        for effect in stage.song.track(track.id).effects:
            if effect.name == "distortion":
                sketch.remove_effect(track.id, effect, f"{sound.label} stays clean")


def _take_over(stage: Stage, track: Track, was: Instrument | None, sound: Instrument, operation: Replace) -> None:
    """A new track plays the line within the scope, the old one rests there."""
    sketch = stage.sketch
    tones = [tone for clip in track.clips for tone in sketch.tones(clip) if stage.inside(tone.start)]
    if not tones:
        raise Blocked(msg("{wish} plays nothing there", wish=operation.wish.label))
    end = stage.spans[-1][1]
    line = tones if operation.exact else _fitted(tones, was, sound, end, stage)
    passages = tuple(
        PlannedClip(f"{track.name}'s line", start, stop, clean, _how(was, sound))
        for start, stop in stage.spans
        if (clean := tidy((tone for tone in line if start <= tone.start < stop), start, stop))
    )
    role = role_of_family(sound.family)
    part = default_part(role, operation.by.label, (sound.name,))
    effects = tuple(EffectUse(fx.name, dict(fx.params)) for fx in track.effects if fx.name in (*REVERBS, "delay", "eq"))
    sketch.add_track(
        PlannedTrack(
            _capital(operation.by.label), sound.name, track.volume_db, track.pan, colour_for(part, stage.song),
            passages, effects, GROUPS[role], f"takes over from {track.name} there",
        )
    )
    sketch.each_clip(track, stage.spans, lambda _tones, _clip: (), "resting", f"{sound.label} plays this here")


def _exchange_piece(stage: Stage, tracks: Sequence[Track], sound: Instrument, operation: Replace) -> None:
    """Only the strokes of that drum change: to another drum of the kit, else to what comes in for it."""
    wish, by = operation.wish, operation.by
    old = given_up(wish.pieces, by.pieces) if by.pieces else pitches_of(wish.pieces)
    struck = _striking(stage, tracks, old)
    if not struck:
        by_foot = by.pieces and _striking(stage, tracks, pitches_of(wish.pieces))
        raise Blocked(
            msg("only the foot plays the {wish} there", wish=wish.label) if by_foot
            else msg("the drums play no {wish} there", wish=wish.label)
        )

    def other(tones: list[Tone], _: Clip) -> list[Tone]:
        rest = [tone for tone in tones if tone.pitch not in old]
        taken = {(tone.start, tone.pitch) for tone in rest}
        new = exchanged(tones, old, by.pieces) if by.pieces else []
        return sorted([*rest, *(tone for tone in new if (tone.start, tone.pitch) not in taken)])

    for track in struck:
        stage.sketch.each_clip(
            track, stage.spans, other, f"with {by.label} instead of {wish.label}", "the other drums stay as they are"
        )
    if not by.pieces:
        _come_in(stage, sound, operation, wish.label)


def _striking(stage: Stage, tracks: Sequence[Track], pitches: frozenset[int]) -> list[Track]:
    """The tracks that strike one of these drums within the scope."""
    return [
        track for track in tracks
        if any(n.pitch in pitches and stage.inside(c.start + n.start) for c in track.clips for n in c.notes)
    ]


def _exchange(stage: Stage, tracks: Sequence[Track], sound: Instrument, operation: Replace) -> None:
    _come_in(stage, sound, operation, " and ".join(track.name for track in tracks))
    for track in tracks:
        if stage.whole:
            stage.sketch.remove_track(track.id, f"{operation.by.label} instead of it, as you asked")
        else:
            why = f"{operation.by.label} instead"
            stage.sketch.each_clip(track, stage.spans, lambda _tones, _clip: (), "resting", why)


def _come_in(stage: Stage, sound: Instrument, operation: Replace, old: str) -> None:
    """A new track of what is to play instead."""
    by = operation.by
    role = "percussion" if by.pieces else by.role or role_of_family(sound.family)
    style = style_for(stage)
    style = of_pieces(style, by.pieces) if by.pieces else style
    base = style.part_for(role) or default_part(role, _capital(by.label), (sound.name,))
    names = (sound.name,) if not by.whole_role else base.instruments
    part = structs.replace(base, name=_capital(by.label), instruments=names, why=f"instead of {old}")
    new_track(stage, part, style, stage.dice)


def _handed(
    stage: Stage, track: Track, was: Instrument | None, sound: Instrument
) -> list[tuple[str, Sequence[Tone]]]:
    """The notes of each clip in the new hands; the octave is the same in all of them."""
    per_clip = [(clip, stage.sketch.tones(clip)) for clip in track.clips]
    if sound.is_kit:
        return [(clip.id, _struck(tones, was, sound, stage)) for clip, tones in per_clip]
    every = [tone for _, tones in per_clip for tone in tones]
    moved = iter(into_range(every, sound.low, sound.high, stage.heard().key))
    result: list[tuple[str, Sequence[Tone]]] = []
    for clip, tones in per_clip:
        own = [next(moved) for _ in tones]
        result.append((clip.id, handed_over(own, was.family if was else None, sound.family, int(clip.end))))
    return result


def _struck(tones: Sequence[Tone], was: Instrument | None, sound: Instrument, stage: Stage) -> list[Tone]:
    """Strokes on the drums that another kit has for them."""
    tonic = stage.heard().key.pitch_class
    return on_keys_of(tones, was, sound, lambda _: tonic)


def _beyond(track: Track, sound: Instrument) -> str:
    """What is said of notes that stay although they lie outside of what the instrument usually plays."""
    beyond = sum(not sound.low <= note.pitch <= sound.high for clip in track.clips for note in clip.notes)
    return f"; {beyond} of its notes lie outside of its usual range" if beyond else ""


def _brought(stage: Stage, track: Track, handed: Sequence[tuple[str, Sequence[Tone]]]) -> str:
    """What is said of notes that had to move into the range of who plays them now; empty where none did."""
    before = [tone.pitch for clip in track.clips for tone in stage.sketch.tones(clip)]
    after = [tone.pitch for _, tones in handed for tone in tones]
    steps = [new - old for old, new in zip(before, after, strict=False)]
    if not any(steps):
        return ""
    return _shifted(steps) + _fallen_together(handed)


def _fallen_together(handed: Sequence[tuple[str, Sequence[Tone]]]) -> str:
    """What is said of octaves whose two notes became the same one in the new range; empty where none did."""
    every = [[(tone.start, tone.pitch) for tone in tones] for _, tones in handed]
    lost = sum(len(tones) - len(set(tones)) for tones in every)
    if not lost:
        return ""
    return f"; {lost} of its {sum(map(len, every))} notes fall together with another one an octave away"


def _shifted(steps: Sequence[int]) -> str:
    """How far the notes had to move, by the semitones of each."""
    moved, whole = sum(step != 0 for step in steps), Counter(steps).most_common(1)[0][0]
    if whole:
        octaves = abs(whole) // 12
        apart = "an octave" if octaves == 1 else f"{octaves} octaves"
        return f"; {apart} {'up' if whole > 0 else 'down'}, because it cannot play so {'low' if whole > 0 else 'high'}"
    return f"; {moved} of its notes are an octave away, because it cannot play them where they were"


def _fitted(
    tones: Sequence[Tone], was: Instrument | None, sound: Instrument, end: int, stage: Stage
) -> list[Tone]:
    if sound.is_kit:
        return _struck(tones, was, sound, stage)
    moved = into_range(tones, sound.low, sound.high, stage.heard().key)
    return handed_over(moved, was.family if was else None, sound.family, end)


def _renamed(stage: Stage, track: Track, was: Instrument | None, operation: Replace) -> dict[str, str]:
    """Another name where the old one says what instrument it is."""
    said = track.name.casefold()
    wish = operation.wish
    # a voice called Soprano stays one, whatever plays it
    speaks = not operation.exact or (was is not None and was.family in wish.families)
    named = [wish.label.casefold()] if speaks else []
    told = [*named, *((was.family, *was.label.casefold().split()) if was is not None else ())]
    general = wish.whole_role and (not wish.tracks or wish.role in RHYTHMIC)
    # of "the melody" the name says who plays it where it is no word for a role
    general = general and (was is None or was.family in GROUPS or was.family not in said)
    if general or not any(word and word in said for word in told):
        return {}
    if operation.by.label == _ANOTHER:
        return {}
    name = _capital(operation.by.label)
    return {"name": stage.sketch.free_name(name)} if name.casefold() != said else {}


def _how(was: Instrument | None, sound: Instrument) -> str:
    if was is not None and was.is_kit and (was.drums, was.kettledrums) != (sound.drums, sound.kettledrums):
        return "the same strokes, each on the drum that plays it there"
    if was is None or was.family == sound.family or sound.family in RHYTHMIC:
        return "the same notes"
    return f"the same notes as {sound.label.lower()} plays them"


def _capital(label: str) -> str:
    return label[:1].upper() + label[1:]


def _a(label: str) -> str:
    return f"an {label}" if label[:1] in "aeiou" else f"a {label}"


def _read(filled: Filled) -> tuple[Replace | Remove, ...]:
    by, players = filled.by, filled.value("players")
    if filled.words.variant == "sound":
        return tuple(Replace(wish, Wish(_ANOTHER, families=filled.lexicon.families(wish))) for wish in filled.parts)
    if filled.words.variant == "scored" and isinstance(players, tuple):
        ensemble = cast("tuple[Wish, ...]", players)
        pitched = tuple(wish for wish in ensemble if not _strikes(wish))
        striking = () if len(pitched) < len(ensemble) else filled.lexicon.striking
        gone = (Wish(filled.lexicon.song.track(track).name, tracks=(track,)) for track in striking)
        # the ensemble is the whole band
        return (*map(Remove, gone), *_by_height(filled.lexicon, pitched))
    if isinstance(players, tuple):
        return _in_turn(filled, cast("tuple[Wish, ...]", players))
    if by is None or (filled.words.variant == "player" and filled.lexicon.has_already(by)):
        # who plays already goes on with its own part
        return ()
    parts, exact = filled.parts, filled.words.variant == "exact"
    if exact:
        return tuple(Replace(wish, by, exact=True) for wish in parts if wish != by)
    nameless = not parts and filled.value("part") == (Referring(),)
    if filled.words.variant == "each":
        every = tuple(Wish(filled.lexicon.song.track(one).name, tracks=(one,)) for one in filled.lexicon.pitched)
        return _each_other(every, by, filled.lexicon)
    if filled.words.variant == "whole" or (nameless and filled.words.variant == "onto"):
        # "put it on a Hammond", where nothing was named that it could be
        parts = (Wish("everything", tracks=filled.lexicon.pitched),)
    if filled.words.variant == "kind" or (nameless and not parts):
        # "a fretless bass rather than that one"
        alike = filled.lexicon.of_kind(by)
        parts = filled.named or ((alike,) if alike is not None else ())
    new = [wish for wish in parts if not filled.lexicon.has_already(wish)]
    handed = filled.words.variant == "onto" or len(by.tracks) > 1
    if handed and len(new) == 1 == len(parts) and filled.lexicon.has(by) and not new[0].whole_role:
        # "put brushes on the drums", "organ for all the four"; of "swap the 808 for a 909" it is clear who goes
        return (Replace(by, new[0]),)
    return tuple(_given(filled.lexicon, wish, parts, by) for wish in parts if wish != by)


def _each_other(parts: tuple[Wish, ...], by: Wish, lexicon: Lexicon) -> tuple[Replace, ...]:
    """Each part on another instrument of the families that are meant; none where there are too few of them."""
    kinds = lexicon.instruments_of(by.families)
    if len(kinds) < len(parts):
        return ()
    return tuple(Replace(part, kind, exact=True) for part, kind in zip(parts, kinds, strict=False))


def _given(lexicon: Lexicon, wish: Wish, parts: Sequence[Wish], by: Wish) -> Replace:
    """A part to its player; one that the song lacks, beside those it has, plays what its own kind did: "brushes rather
    than those drums and a double bass"."""
    alike = lexicon.of_kind(wish) if len(parts) > 1 and not lexicon.has(wish) else None
    others = {track for one in parts if one != wish for track in lexicon.meant(one)}
    return Replace(alike, wish) if alike is not None and not others.intersection(alike.tracks) else Replace(wish, by)


def _strikes(player: Wish) -> bool:
    return player.role in RHYTHMIC or bool({"drums", "percussion"}.intersection(player.families))


def _by_height(lexicon: Lexicon, players: tuple[Wish, ...]) -> tuple[Replace, ...]:
    """The pitched parts from the highest down to the players in their order; neighbours share one where they are few.

    Of more players than parts the outer ones play, and those between at even distances.
    """
    tracks = lexicon.by_height
    last = max(1, len(tracks) - 1)
    few = len(players) < len(tracks)
    most = len(players) - 1
    chosen = [n * len(players) // len(tracks) if few else round(n * most / last) for n in range(len(tracks))]
    return tuple(
        Replace(Wish(lexicon.song.track(track).name, tracks=(track,)), players[player], exact=True)
        for track, player in zip(tracks, chosen, strict=True)
    )


def _in_turn(filled: Filled, players: tuple[Wish, ...]) -> tuple[Replace, ...]:
    """Each part to its own player, where there are as many; of one wish for several tracks, track by track."""
    parts = filled.parts
    if len(parts) != len(players):
        parts = tuple(track for wish in parts for track in filled.lexicon.one_by_one(wish))
    return tuple(map(Replace, parts, players)) if len(parts) == len(players) else ()


def _asks(served: Served, operation: Replace, _: StyleBook) -> list[Ask]:
    """Another instrument plays."""
    families = {one.name: one.family for one in served.palette.instruments}
    old = {families.get(track.instrument) for track in served.parts(operation.wish)}
    by = operation.by
    named = [families[name] for name in by.instruments if name in families]
    new = next(iter((*named, *by.families)), None)
    if new is None or new in old or by.role in RHYTHMIC:
        return served.plain()
    return served.ask(f"notes:{new}", "higher", sounding=False)


KINDS = (
    OperationKind(
        Replace, 4, replace,
        MappingProxyType({"replace": SlotReading(_read, frozenset({"by", "players", "part"}))}), _asks,
        removes=lambda _: True,
    ),
)
