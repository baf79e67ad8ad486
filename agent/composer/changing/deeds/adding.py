"""Adding: new tracks for a song that exists, on its own chords."""

from __future__ import annotations

from msgspec import structs

from agent.composer.changing.stage import Stage
from agent.composer.dice import Dice
from agent.composer.parts import NewTrack, Passage, in_time
from agent.composer.roles import GROUPS, role_of_family
from agent.composer.styles import EffectUse, Form, PartStyle, Progressions, SectionStyle, Style
from agent.composer.tones import Tone, tidy
from agent.composer.understanding.tasks import Add
from agent.composer.writing.band import default_part, find_instrument
from agent.composer.writing.frame import Player
from agent.composer.writing.performing import SOFT_BEAT, play
from agent.plan.errors import PlanError

_ROOM = EffectUse("reverb", {"room_size": 0.5, "mix": 0.2})


def add(stage: Stage, deed: Add) -> None:
    """A track for what is wanted, playing where the task works; `PlanError` for an unknown instrument."""
    wish, style = deed.wish, stage.style
    instrument = find_instrument(wish, stage.palette)
    role = wish.role or (role_of_family(instrument.family) if instrument is not None else "chords")
    names = (instrument.name,) if instrument is not None else ()
    if not names and not wish.whole_role:
        raise PlanError(f"no instrument for {wish.label!r}", fix="`bandleader list instruments` shows all names")
    part = style.part_for(role) if style is not None else None
    if part is None or not wish.whole_role:
        base = part or structs.replace(default_part(role, wish.label.capitalize(), names), effects=(_ROOM,))
        part = structs.replace(base, name=wish.label.capitalize(), instruments=names or base.instruments)
    new_track(stage, part, style or plain(part), stage.dice)


def new_track(stage: Stage, part: PartStyle, style: Style, dice: Dice) -> None:
    """One more track on the song's chords: over the whole song, or a clip in each span of the task."""
    heard = stage.heard()
    known = {instrument.name: instrument for instrument in stage.palette.instruments}
    options = [known[name] for name in part.instruments if name in known]
    if not options:
        return
    own = dice.of(f"new {part.name}")
    player = Player(part, own.pick(options))
    count = len(heard.scenes)
    tones: list[Tone] = []
    for scene in heard.scenes:
        tones += play(player, style, scene, heard.frame, own, fill=scene.index + 1 < count)
    passages = []
    for start, end in stage.spans:
        clean = tidy((tone for tone in tones if start <= tone.start < end), start, end)
        if clean:
            name = "Whole song" if stage.whole else _place(stage, start, end)
            passages.append(Passage(name, start, end, clean, "on the chords of the song"))
    stage.sketch.add_track(
        NewTrack(
            part.name, player.instrument.name, part.volume_db, part.pan, part.color, tuple(passages),
            in_time(part.effects, heard.frame.bpm), GROUPS[part.role], part.why or "you asked for it",
        )
    )


def plain(part: PartStyle) -> Style:
    """A style of nothing but one part, for an addition that comes without a style."""
    section = SectionStyle("Whole", 8, 0.5, (part.name,))
    return Style(
        name="plain", label="Plain", about="", words=("plain",), tempo=(60, 180), modes=("major",),
        progressions=Progressions(("I",), ("i",)), forms=(Form((section, section)),), grooves=(SOFT_BEAT,),
        percussion=(SOFT_BEAT,), parts=(part, structs.replace(part, name=f"{part.name} again")),
    )


def _place(stage: Stage, start: int, end: int) -> str:
    """What a stretch is called: its section, else its bars."""
    for section in stage.song.sections:
        if section.start <= start < section.end:
            return section.name
    bars = stage.song.bar_map
    return f"Bars {bars.bar_at(start)}-{bars.bar_at(end - 1)}"
