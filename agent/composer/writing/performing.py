"""Performing: every player plays its scenes, and what it plays becomes the passages of a track."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby, pairwise

from msgspec import Struct, field, structs
from msgspec.structs import replace

from agent.composer.dice import Dice
from agent.composer.parts import PlannedClip, PlannedTrack, in_time
from agent.composer.roles import GROUPS
from agent.composer.styles import RHYTHMIC, Groove, Style
from agent.composer.tones import Tone, tidy
from agent.composer.understanding.note_rules import NoteRules
from agent.composer.writing.backing import arpeggio, closing_chord, colours, comped, drone, held
from agent.composer.writing.bar_meters import InMeters, in_meters
from agent.composer.writing.bass import bass_line
from agent.composer.writing.below_tune import below_tune
from agent.composer.writing.chord_changes import on_stated_bass
from agent.composer.writing.counter import counter_line
from agent.composer.writing.drums import beat, groove_of, last_hit, on_one_drum, pieces_of
from agent.composer.writing.entrances import entered
from agent.composer.writing.expression import lanes
from agent.composer.writing.feel import laid_back, played, shaded, under
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.gamut import ladder, within
from agent.composer.writing.kit import PITCHES, on_own_keys
from agent.composer.writing.melody import is_chorus, last_note, sung
from agent.composer.writing.note_limits import ruled
from agent.composer.writing.singing import Memory
from agent.composer.writing.together import Tunes, written_together
from agent.composer.writing.touch import touched
from agent.composer.writing.transitions import breath, riser, roll, upbeat, walk_up, walks, with_upbeat

SOFT_BEAT = Groove(0.0, {"kick": "x.........o.....", "rim": "........o.......", "hat": "g...o...g...o.g."})
"""The groove of drums in a style that has none."""
_LIFT = 4
"""Semitones up to which a section in a higher key is the same section, lifted."""
_TUTTI, _GENTLE = 0.6, 0.72
"""Energy of a last section below which those that rest in it join the last chord softly, and how softly."""


class Performance(Struct, frozen=True):
    """What all players of a piece share: style, scenes, frame, dice, and the melodies (`tunes`) by the name of their
    part and scene index.

    No velocity exceeds `loudest`, and `rules` limit the notes (None: no limits). `written` are the tones of parts that
    are written together (a choir), by part name and scene index. `middle` is the MIDI pitch around which the first
    melody part lies, 0 without one. `meters` are the style and patterns for scenes with meters of their own (None: as
    the style has them).
    """

    style: Style
    scenes: tuple[Scene, ...]
    frame: Frame
    dice: Dice
    tunes: dict[str, Tunes]
    loudest: int | None = None
    rules: NoteRules | None = None
    written: dict[str, Tunes] = field(default_factory=dict)
    middle: int = 0
    meters: InMeters | None = None

    @property
    def tune(self) -> Tunes:
        """The melody of the first melody part, by scene index; empty if there is none."""
        return next(iter(self.tunes.values()), {})


def stage_of(
    style: Style, players: Sequence[Player], scenes: tuple[Scene, ...], frame: Frame, dice: Dice,
    loudest: int | None = None, rules: NoteRules | None = None, source: Style | None = None,
) -> Performance:
    """The performance of a piece, with its melodies and upbeats written.

    No velocity exceeds `loudest`, and `rules` limit the notes. `source` is the style in its original meter, for scenes
    with meters of their own.
    """
    meters = in_meters(style, source, scenes)
    singers = [player for player in players if player.style.role == "lead"]
    # where one takes the tune over from another it is the same
    shared = any(scene.turn is not None for scene in scenes)
    named = {p.style.name: dice.of("tune" if shared else p.style.name) for p in singers}
    tunes = {p.style.name: _tunes(p, meters, scenes, frame, named[p.style.name]) for p in singers}
    middle = singers[0].style.centre if singers else 0
    written = written_together(players, scenes, frame, dice)
    for name in tunes.keys() & written.keys():
        tunes[name] = {**tunes[name], **written[name]}
    return Performance(style, scenes, frame, dice, tunes, loudest, rules, written, middle, meters)


def perform(player: Player, stage: Performance) -> PlannedTrack:
    """The player's track in the performance `stage`: a clip for each run of scenes that it plays without a pause, and
    the last bar."""
    own = stage.dice.of(player.style.beside or player.style.name)
    part, scenes = player.style, stage.scenes
    passages: list[PlannedClip] = []
    lowered: dict[str, int] = {}
    for plays, members in groupby(scenes, key=lambda scene: _plays(player, scene)):
        if plays:
            passages += _stretch(player, stage, list(members), own, lowered)
    last = scenes[-1]
    if last.turn is not None and last.turn.rests and passages:
        # the piece lasts until its silence ends
        passages[-1] = replace(passages[-1], end=last.end)
    if not _plays(player, last) and last.turn is None and last.closing:
        start = max(last.start, last.end - last.bar, last.chords[-1].start)
        before = passages[-1].tones[-1] if passages and part.role == "lead" else None
        close = _ending(player, last, start, last.end, stage.frame.within(last), before)
        gentle = last.energy < _TUTTI or part.builds
        tones = tidy(_gently(close, player) if gentle else close, start, last.end)
        passages.append(PlannedClip("Last chord", start, last.end, tones, "everyone ends together"))
    passages = [_as_ruled(_in_gamut(passage, player, stage), player, stage) for passage in passages]
    passages = [_on_own_keys(passage, player, stage) for passage in passages]
    return PlannedTrack(
        part.name, player.instrument.name, part.volume_db, part.pan, part.color, tuple(passages),
        in_time(part.effects, stage.frame.bpm), GROUPS[part.role], part.why,
        lanes(player, scenes, passages, stage.frame, stage.style.ending, stage.rules),
    )


def _in_gamut(passage: PlannedClip, player: Player, stage: Performance) -> PlannedClip:
    """A passage in the tones that the style has."""
    rungs = ladder(stage.style.gamut, stage.frame.key, player)
    if not rungs or player.style.role in RHYTHMIC:
        return passage
    return replace(passage, tones=tidy(within(passage.tones, rungs), passage.start, passage.end))


def _on_own_keys(passage: PlannedClip, player: Player, stage: Performance) -> PlannedClip:
    """A passage on the drums that its kit has."""
    kit = player.instrument
    if not kit.drums and kit.kettledrums is None:
        return passage

    def tonic_at(tick: int) -> int:
        scene = next((one for one in stage.scenes if tick < one.end), stage.scenes[-1])
        return stage.frame.within(scene).key.pitch_class

    return replace(passage, tones=tidy(on_own_keys(passage.tones, kit, tonic_at), passage.start, passage.end))


def _as_ruled(passage: PlannedClip, player: Player, stage: Performance) -> PlannedClip:
    """A passage as loud and with such notes as the request allows."""
    tones = under(passage.tones, stage.loudest)
    if stage.rules is not None and stage.rules != NoteRules():
        tones = tidy(ruled(tones, player, stage.rules, stage.frame, stage.scenes), passage.start, passage.end)
    return replace(passage, tones=tones)


def play(
    player: Player, style: Style, scene: Scene, frame: Frame, dice: Dice, *, fill: bool,
    tune: Sequence[Tone] = (), following: Scene | None = None,
) -> list[Tone]:
    """The player's tones in a scene. With `fill` its last bar ends with a drum fill. `tune` is the melody there, which
    a lead plays exactly and others answer; `following` is the next scene, to which the bass may lead (None: none)."""
    part = player.style
    frame = frame.within(scene)
    # what returns is played as it was; only the drums vary each time
    own = dice.of(f"scene {scene.index}" if part.role in RHYTHMIC else f"theme {scene.theme}")
    rolls = scene.builds and style.transitions.build in ("roll", "both") and not scene.groove
    match part.role:
        case "drums":
            groove = groove_of(style.grooves or (SOFT_BEAT,), scene, frame)
            groove = pieces_of(groove, part.pieces, frame) if part.pieces else groove
            rolls = rolls and not part.pieces
            impact = style.transitions.impact and not part.pieces
            fills = () if part.pieces else style.fills
            tones = beat(player, scene, groove, fills, frame, own, fill=fill and not rolls, impact=impact)
            tones = roll(player, scene, tones) if rolls else tones
            tones = tones if rolls or groove.name else breath(tones, scene)
        case "percussion":
            groove = groove_of(style.percussion or (SOFT_BEAT,), scene, frame)
            tones = breath(beat(player, scene, groove, (), frame, own, fill=False), scene)
        case "bass":
            line = bass_line(player, scene, frame, _kick(style, scene, frame), dice, following, tune)
            tones = breath(line, scene)
            change = own.of(f"walk to {following.theme}") if following is not None else own
            if following is not None and not (scene.drop or scene.goes_on) and walks(style, player, change):
                tones = walk_up(player, scene, following, frame, tones)
            tones = on_stated_bass(tones, player, scene)
        case "pad":
            tones = breath(_pad(player, scene, frame, tune, own), scene)
        case "chords":
            tones = breath(comped(player, scene, frame, tune, own), scene)
        case "arp":
            tones = breath(arpeggio(player, scene, own, ladder(style.gamut, frame.key, player)), scene)
        case "lead":
            tones = list(tune) or sung(player, scene, frame, dice)
        case "counter":
            tones = breath(counter_line(player, scene, frame, tune, own), scene)
        case "texture":
            tones = riser(player, scene, frame, own) if part.builds else colours(player, scene, frame, own)
    if part.octaves:
        tones = doubled(tones, player)
    if part.role in RHYTHMIC and player.instrument.family == "percussion":
        tones = list(tidy(on_one_drum(tones, player), scene.start, scene.end))
    heard = laid_back(played(tones, player, scene, frame, dice.of("feel")), player, scene, frame)
    return shaded(touched(heard, player, scene, frame), player, scene)


def _pad(player: Player, scene: Scene, frame: Frame, tune: Sequence[Tone], dice: Dice) -> list[Tone]:
    return drone(player, scene, frame) if player.style.drone else held(player, scene, frame, tune, dice)


def doubled(tones: Sequence[Tone], player: Player) -> list[Tone]:
    """The tones and each an octave above, or below where the instrument ends."""
    apart = [12 if tone.pitch + 12 <= player.instrument.high else -12 for tone in tones]
    return [*tones, *(structs.replace(t, pitch=t.pitch + by) for t, by in zip(tones, apart, strict=True))]


def _plays(player: Player, scene: Scene) -> bool:
    return scene.builds if player.style.builds else player.style.name in scene.parts


def _tunes(player: Player, meters: InMeters, scenes: tuple[Scene, ...], frame: Frame, dice: Dice) -> Tunes:
    tunes: Tunes = {}
    playing = [scene for scene in scenes if _plays(player, scene)]
    lifts = {scene.theme: scene.up for scene in playing if _is_lifted(scene)}
    top = 0
    memory: Memory = {}
    # choruses come last here, since they sing higher than any verse, and the last of several higher than the others
    loud = [scene for scene in playing if is_chorus(scene)]
    verses = [scene for scene in playing if not is_chorus(scene)]
    for number, scene in enumerate((*verses, *loud)):
        if number in (len(verses), len(playing) - 1) and loud:
            top = max((tone.pitch for line in tunes.values() for tone in line), default=0)
        here = meters.player(player, scene)
        singer = _with_room(here, lifts.get(scene.theme, 0))
        tunes[scene.index] = breath(_sung(here, singer, scene, frame, dice, top, memory), scene)
    for before, scene in pairwise(scenes):
        if scene.repeats and before.index in tunes and scene.index in tunes and before.up == scene.up:
            moved = scene.start - before.start
            tunes[scene.index] = [structs.replace(t, start=t.start + moved) for t in tunes[before.index]]
    for scene, following in pairwise(scenes):
        line = tunes.get(following.index)
        chance = dice.of(f"upbeat into {following.theme}")
        rests = scene.turn is not None and not _plays(player, scene)
        if line and not rests and not scene.goes_on and chance.chance(meters.home.transitions.pickup):
            own = tunes.get(scene.index, [])
            highest = max((tone.pitch for tone in own), default=0)
            notes = upbeat(player, scene, line[0], frame.within(following), chance, highest)
            if notes:
                tunes[scene.index] = with_upbeat(own, notes)
    return tunes


def _is_lifted(scene: Scene) -> bool:
    """Whether it is a section of the piece a little above its key."""
    return 0 < scene.up <= _LIFT and scene.turn is None


def _with_room(player: Player, lift: int) -> Player:
    """The player as long as a tune is written that will be lifted by so many semitones; an octave must be left."""
    room = max(player.low + 12, player.instrument.high - lift)
    return replace(player, instrument=structs.replace(player.instrument, high=min(room, player.instrument.high)))


def _sung(
    player: Player, singer: Player, scene: Scene, frame: Frame, dice: Dice, above: int, memory: Memory
) -> list[Tone]:
    """The tune of a scene; of a lifted one that of its key, moved up, but for a player without the room for it."""
    if _is_lifted(scene):
        at_home = tuple(replace(span, chord=span.chord.transposed(-scene.up)) for span in scene.chords)
        line = sung(singer, replace(scene, up=0, chords=at_home), frame, dice, above, memory)
        if all(tone.pitch + scene.up <= player.instrument.high for tone in line):
            return [structs.replace(tone, pitch=tone.pitch + scene.up) for tone in line]
    return sung(singer, scene, frame.within(scene), dice, above, memory)


def _kick(style: Style, scene: Scene, frame: Frame) -> str:
    """The kick line that sounds in the scene; empty where no drums play."""
    drums = style.part_for("drums")
    if drums is None or drums.name not in scene.parts or not style.grooves:
        return ""
    return groove_of(style.grooves, scene, frame).lines.get("kick", "")


def _stretch(
    player: Player, stage: Performance, run: list[Scene], dice: Dice, lowered: dict[str, int]
) -> list[PlannedClip]:
    scenes, frame = stage.scenes, stage.frame
    meters = stage.meters or InMeters(stage.style, {})
    tunes = stage.tunes.get(player.style.name, stage.tune)
    start, end = run[0].start, run[-1].end
    tones: list[Tone] = []
    before = scenes[run[0].index - 1] if run[0].index else None
    if before is not None and player.style.role == "lead" and before.index in tunes:
        early = played(tunes[before.index], player, before, frame, dice.of("feel"))
        start -= before.bar
        tones += tidy(early, start, before.end)
    for scene in run:
        following = scenes[scene.index + 1] if scene is not run[-1] else None
        line = tunes.get(scene.index, ())
        fill = scene.index + 1 < len(scenes) and not scene.goes_on
        played_by = partial(
            play, style=meters.style(scene), scene=scene, frame=frame, dice=dice, fill=fill, tune=line,
            following=following,
        )
        parts = stage.written.get(player.style.name, {}).get(scene.index)
        heard = (
            _read_off(parts, player, scene, frame, dice) if parts
            else below_tune(
                meters.player(player, scene), stage.tune.get(scene.index, ()), stage.middle, played_by, lowered,
                f"{scene.tune} {is_chorus(scene)}",
            )
        )
        tones += tidy(entered(heard, player, scene), scene.start, scene.end)
    if run[-1].closing and run[-1].index not in stage.written.get(player.style.name, {}):
        last = max(run[0].start, end - run[-1].bar, run[-1].chords[-1].start)
        earlier = tidy(tones, start, last)
        final = _ending(player, run[-1], last, end, frame.within(run[-1]), earlier[-1] if earlier else None)
        tones = [*earlier, *shaded(final, player, run[-1])]
    clean = tidy(tones, start, end)
    if not clean:
        return []
    names = list(dict.fromkeys(scene.name for scene in run))
    name = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    why = f"plays {', '.join(names)}" if not player.style.builds else f"rises at the end of {', '.join(names)}"
    return [PlannedClip(name, start, end, clean, why)]


def _read_off(parts: Sequence[Tone], player: Player, scene: Scene, frame: Frame, dice: Dice) -> list[Tone]:
    """What was written together with other parts, as the player plays it."""
    heard = played(parts, player, scene, frame.within(scene), dice.of("feel"))
    return shaded(touched(heard, player, scene, frame.within(scene)), player, scene)


def _ending(player: Player, scene: Scene, start: int, end: int, frame: Frame, before: Tone | None) -> list[Tone]:
    """What the player ends on, after the tone `before`."""
    role = player.style.role
    if role in RHYTHMIC:
        hit = last_hit(player, start, kit=role == "drums" and not player.style.pieces)
        return on_one_drum(hit, player) if player.instrument.family == "percussion" else hit
    span = scene.chords[-1]
    if role == "bass" and span.silent:
        return []
    if role == "bass":
        from_low = [pitch for pitch in range(player.low, player.high + 1) if pitch % 12 == span.chord.lowest]
        pitch = from_low[0] if from_low else player.low
        return [Tone(start, pitch, end - start, int(player.velocity(0.4)))]
    if role == "lead" and before is not None:
        return [last_note(player, span, start, end, before)]
    return touched(closing_chord(player, span, start, end, frame, before), player, scene, frame)


def _gently(tones: Sequence[Tone], player: Player) -> list[Tone]:
    """What one who has rested plays on the last chord of a quiet close: soft, low for a tune, without a crash."""
    result = []
    for tone in tones:
        pitch = tone.pitch
        if player.style.role == "drums" and pitch == PITCHES["crash"]:
            pitch = PITCHES["ride"]
        if player.style.role == "lead" and pitch > player.style.centre and pitch - 12 >= player.instrument.low:
            pitch -= 12
        result.append(structs.replace(tone, pitch=pitch, velocity=max(1, int(tone.velocity * _GENTLE))))
    return result
