"""Adding: new tracks for a song that exists, on its own chords and in its own style."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from msgspec import Struct, structs
from msgspec.structs import replace

from agent.composer.changing.hearing.listening import SongAnalysis
from agent.composer.changing.hearing.near_style import nearest_style
from agent.composer.changing.operations.colouring import coloured
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import called
from agent.composer.changing.operations.reshaping import read_reshaped
from agent.composer.changing.parts.entrances import SectionEnergy, entrances, rising, stretches_of, with_energies
from agent.composer.changing.parts.resuming import resting_of, resume
from agent.composer.changing.parts.room import beneath, clear_of, colour_for, level_for, place_for, tune_of
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.dice import Dice
from agent.composer.parts import PlannedClip, PlannedTrack, in_time
from agent.composer.player_names import player_name
from agent.composer.roles import GROUPS, role_of_family
from agent.composer.styles import RHYTHMIC, Drum, Groove, PartStyle, Role, Style, StyleBook
from agent.composer.tones import Tone, tidy
from agent.composer.understanding.operations import Add
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.frame import Player, Scene
from agent.composer.writing.instruments import default_part, find_instrument
from agent.composer.writing.kit import on_own_keys
from agent.composer.writing.meters import in_meter
from agent.composer.writing.performing import play
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.ids import TrackId
from agent.song.palette import EffectUse, Instrument

_ROOM = EffectUse("reverb", {"room_size": 0.5, "mix": 0.2})
_LEADING = 0.5
"""Share of the bars in which a song's tune sings from which a new singer becomes a second voice."""
_SHORT = 4
"""Bars of a stretch that a riser fills."""
_ALONE: dict[Drum, str] = {
    "kick": "x...x...x...x...", "snare": "....x.......x...", "clap": "....x.......x...", "rim": "....x.......x...",
    "hat": "x.o.x.o.x.o.x.o.", "shaker": "xgogxgogxgogxgog", "tambourine": "..x...x...x...x.",
    "ride": "x.x.x.x.x.x.x.x.",
}
"""What a drum plays that no groove of the style has."""
_OFFBEATS = "..x...x...x...x."


class _Plan(Struct, frozen=True):
    """Who plays what, where, against which tune."""

    player: Player
    style: Style
    heard: SongAnalysis
    scenes: tuple[Scene, ...]
    tune: tuple[Tone, ...]
    places: tuple[SectionEnergy, ...]


def add(stage: Stage, operation: Add) -> None:
    """Add a track for the instrument or role wanted, playing in the stage's spans. Raises `Blocked` for an unknown
    instrument.

    A part that the song has and that rests in those bars plays on there instead.
    """
    wish = operation.wish
    if not operation.style and _resumed(stage, wish):
        return
    heard = stage.heard()
    style = style_for(stage, operation.style)
    instrument = fresh(wish, stage) if not wish.whole_role else None
    role = wish.role or (role_of_family(instrument.family) if instrument is not None else "chords")
    if instrument is None and not wish.whole_role and not wish.pieces:
        raise Blocked(msg("no instrument for {wish!r}", wish=wish.label))
    if wish.pieces:
        role, style = "percussion", of_pieces(style, wish.pieces)
    elif role == "lead" and _sung(heard) >= _LEADING:
        role = "counter"
    new_track(stage, _part(wish, role, style, instrument), style, stage.dice)


def _resumed(stage: Stage, wish: Wish) -> bool:
    """Whether a part that the song has plays on in those of the places, where it is wanted, in which it rests."""
    if stage.whole or wish.pieces:
        return False
    resting = [gap for span in stage.spans if (gap := resting_of(stage, wish, span)) is not None]
    laid = [resume(stage, wish, span, called(stage.song, *span)) for span in resting]
    return any(laid)


def style_for(stage: Stage, name: str = "") -> Style:
    """The style of that name, else the one of the request, else the one nearest to the song; set into the song's
    meter."""
    named = stage.styles.style(name) if name else stage.style
    style = named or nearest_style(stage.sketch.before, stage.palette, stage.styles)
    meter = stage.song.meters[0]
    return in_meter(style, (meter.beats, meter.unit))


def new_track(stage: Stage, part: PartStyle, style: Style, dice: Dice) -> TrackId | None:
    """Add a track that plays the part on the song's chords, in the sections that suit its role; with a scope, in each
    of its spans.

    Returns its id, None where locks leave it nothing to play. Raises `Blocked` if none of its instruments exists or
    there is nothing for it to play.
    """
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    options = [known[name] for name in part.instruments if name in known]
    if not options:
        raise Blocked(msg("there is no sound for {part}", part=part.name.lower()))
    own, heard = dice.of(f"new {part.name}"), stage.heard()
    instrument = own.pick(options)
    stretches = stretches_of(stage.song, stage.palette)
    tune = tune_of(heard)
    plan = _Plan(
        Player(beneath(part, instrument, tune), instrument), style, heard, with_energies(heard, stretches), tune,
        stretches,
    )
    tones = _risers(stage, plan) if part.builds else _played(plan, own)
    tones = on_own_keys(tones, instrument, lambda _: heard.key.pitch_class) if instrument.is_kit else tones
    passages = tuple(_passages(stage, plan, tones))
    if not passages:
        raise Blocked(msg("there is nothing for {part} to play there", part=part.name.lower()))
    return stage.sketch.add_track(
        PlannedTrack(
            player_name(part, instrument), instrument.name, level_for(part, style, stage.song, stage.amount),
            place_for(part, stage.song), colour_for(part, stage.song), passages,
            in_time(part.effects, heard.frame.bpm), GROUPS[part.role], part.why or "you asked for it",
        )
    )


def of_pieces(style: Style, pieces: Sequence[Drum]) -> Style:
    """The style with these drums as its only percussion lines."""
    lines: dict[Drum, str] = {}
    for piece in pieces:
        own = [groove.lines[piece] for groove in (*style.percussion, *style.grooves) if piece in groove.lines]
        lines[piece] = own[-1] if own else _ALONE.get(piece, _OFFBEATS)
    return structs.replace(style, percussion=(Groove(0.0, lines),))


def _part(wish: Wish, role: Role, style: Style, instrument: Instrument | None) -> PartStyle:
    """The style's part for a role, with the instrument that was asked for."""
    own = style.part_for(role)
    label = wish.label[:1].upper() + wish.label[1:]
    if instrument is None:
        part = own or default_part(role, label, wish.instruments)
        return structs.replace(part, name=label if wish.pieces else part.name, why="you asked for it")
    base = own or structs.replace(default_part(role, label, (instrument.name,)), effects=(_ROOM,))
    noise = instrument.family == "fx"
    return structs.replace(
        base, name=label, named=True, instruments=(instrument.name,), builds=noise, why="you asked for it",
    )


def fresh(wish: Wish, stage: Stage) -> Instrument | None:
    """The instrument that a wish means, preferring one that no track plays yet if the wish leaves a choice; None if
    unknown."""
    first = find_instrument(wish, stage.palette)
    used = {track.instrument for track in stage.song.tracks}
    if first is None or first.name not in used or first.is_kit:
        return first
    named = [name for name in wish.instruments if name not in used]
    others = [i for i in stage.palette.instruments if i.name in named]
    alike = [i for i in stage.palette.instruments if i.family == first.family and i.name not in used]
    return next(iter((*others, *(alike if len(wish.instruments) != 1 else ()))), first)


def _sung(heard: SongAnalysis) -> float:
    bars = heard.song.bar_map
    sung = {bars.bar_at(tone.start) for tone in tune_of(heard)}
    return len(sung) / heard.song.bars if heard.song.bars else 0.0


def _played(plan: _Plan, dice: Dice) -> list[Tone]:
    """The whole song as the part would play it; what it rests in is taken out later."""
    player, tones = plan.player, []
    for scene in plan.scenes:
        last = scene.index + 1 == len(plan.scenes)
        line = [tone for tone in plan.tune if scene.start <= tone.start < scene.end]
        line = line if player.style.role == "counter" else []
        tones += play(player, plan.style, scene, plan.heard.frame, dice, fill=not last, tune=line)
    if player.style.role in (*RHYTHMIC, "bass", "counter"):
        return tones
    return clear_of(tones, plan.tune, plan.heard)


def _risers(stage: Stage, plan: _Plan) -> list[Tone]:
    """What climbs to stronger sections, or through a short scope; elsewhere single colours."""
    part = plan.player.style
    builds = _rises(stage, plan)
    if not builds:
        quiet = replace(plan, player=Player(structs.replace(part, builds=False), plan.player.instrument))
        return _played(quiet, stage.dice.of("colours"))
    frame = plan.heard.frame
    return [
        tone for scene in builds for tone in play(plan.player, plan.style, scene, frame, stage.dice, fill=False)
    ]


def _rises(stage: Stage, plan: _Plan) -> list[Scene]:
    bars = stage.song.bar_map
    spans: list[Span] = [(one.start, one.end) for one in rising(plan.places)] if stage.whole else [
        (start, end) for start, end in stage.spans if bars.bar_at(end - 1) - bars.bar_at(start) < _SHORT
    ]
    found = []
    for number, (start, end) in enumerate(spans):
        scene = next((one for one in reversed(plan.scenes) if one.start < end), None)
        if scene is not None:
            count = bars.bar_at(end - 1) - bars.bar_at(start) + 1
            found.append(replace(scene, index=number, start=start, bars=count, builds=True))
    return found


def _passages(stage: Stage, plan: _Plan, tones: Sequence[Tone]) -> list[PlannedClip]:
    role = plan.player.style.role
    passages = []
    if not stage.whole:
        whole = [(_place(stage, start, end), start, end) for start, end in stage.spans]
    elif not plan.places:
        whole = [("Whole song", *stage.spans[0])]
    else:
        chosen = plan.places if plan.player.style.builds else entrances(role, plan.places)
        whole = _runs(chosen, len(chosen) == len(plan.places))
    for name, start, end in whole:
        clean = tidy((tone for tone in tones if start <= tone.start < end), start, end)
        if clean:
            passages.append(PlannedClip(name, start, end, clean, "on the chords of the song"))
    return passages


def _runs(chosen: Sequence[SectionEnergy], everywhere: bool) -> list[tuple[str, int, int]]:
    """Stretches that follow each other as one."""
    runs: list[list[SectionEnergy]] = []
    for one in chosen:
        if runs and runs[-1][-1].end == one.start:
            runs[-1].append(one)
        else:
            runs.append([one])
    if everywhere and len(runs) == 1:
        return [("Whole song", runs[0][0].start, runs[0][-1].end)]
    return [
        (run[0].name if len(run) == 1 else f"{run[0].name} to {run[-1].name}", run[0].start, run[-1].end)
        for run in runs
    ]


def _place(stage: Stage, start: int, end: int) -> str:
    """What a stretch is called: its section, else its bars."""
    for section in stage.song.sections:
        if section.start <= start < section.end:
            return section.name
    bars = stage.song.bar_map
    return f"Bars {bars.bar_at(start)}-{bars.bar_at(end - 1)}"


def _read(filled: Filled) -> tuple[Operation, ...]:
    if filled.by is not None:
        # "a cello under the tune"; who plays already lies there
        return () if filled.lexicon.has_already(filled.by) else (Add(filled.by),)
    mood = filled.value("mood")
    colours = coloured(filled, str(mood), filled.parts) if mood is not None else ()
    if any(wish.tracks and not (wish.instruments or wish.families or wish.role) for wish in filled.parts):
        # a voice that the song calls so, and that is no kind of player, is there already
        return ()
    styles = filled.value("style")
    if isinstance(styles, tuple) and styles:
        return tuple(Add(wish, str(styles[0])) for wish in filled.parts)
    return (*(_added(filled, wish) for wish in filled.parts), *colours)


def _added(filled: Filled, wish: Wish) -> Operation:
    """A new role takes the place of the one there is, a new instrument comes beside it."""
    return read_reshaped(filled, wish) if filled.words.amount > 1 and wish.whole_role else Add(wish)


def _asks(served: Served, operation: Add, _: StyleBook) -> list[Ask]:
    """A part that was not there."""
    wish, whole = operation.wish, served.task.scope.whole
    words = served.task.words or f"with {wish.label}"
    counted = "tracks" if whole else "notes"
    if wish.pieces or (wish.whole_role and wish.role in RHYTHMIC):
        return served.ask("percussion_hits", "higher", words=words, sounding=False)
    if wish.families and not wish.whole_role:
        return served.ask(f"{counted}:{wish.families[0]}", "higher", words=words, sounding=False)
    return served.ask(counted, "higher", words=words, sounding=False)


KINDS = (
    OperationKind(
        Add, 8, add, MappingProxyType({"add": SlotReading(_read, frozenset({"part", "played", "by"}))}), _asks,
        makes_tracks=True,
    ),
)
