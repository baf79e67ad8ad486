"""Additions: new tracks for a song that exists, on its own chords."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from agent.composer.changing.listening import Heard
from agent.composer.changing.reshape import in_key, weighted
from agent.composer.dice import Dice
from agent.composer.parts import NewTrack, Passage, in_time
from agent.composer.roles import GROUPS, role_of_family
from agent.composer.rows import Rows
from agent.composer.styles import RHYTHMIC, EffectUse, Form, PartStyle, Progressions, SectionStyle, Style
from agent.composer.tones import Tone, tidy
from agent.composer.understanding.intent import Intent
from agent.composer.writing.band import default_part, find_instrument
from agent.composer.writing.frame import Player
from agent.composer.writing.performing import SOFT_BEAT, play
from agent.plan.errors import PlanError
from agent.song.key import Key
from agent.song.palette import Palette

_ROOM = EffectUse("reverb", {"room_size": 0.5, "mix": 0.2})


def add_wanted(
    heard: Heard, style: Style | None, intent: Intent, key: Key, palette: Palette, rows: Rows, dice: Dice
) -> Iterator[None]:
    """A track for everything that the request wants with the song; `PlanError` for an unknown instrument."""
    for wish in intent.wanted:
        instrument = find_instrument(wish, palette)
        role = wish.role or (role_of_family(instrument.family) if instrument is not None else "chords")
        names = (instrument.name,) if instrument is not None else ()
        if not names and not wish.whole_role:
            raise PlanError(f"no instrument for {wish.label!r}", fix="`bandleader list instruments` shows all names")
        part = style.part_for(role) if style is not None else None
        if part is None or not wish.whole_role:
            base = part or structs.replace(default_part(role, wish.label.capitalize(), names), effects=(_ROOM,))
            part = structs.replace(base, name=wish.label.capitalize(), instruments=names or base.instruments)
        new_track(heard, part, style or plain(part), intent, key, palette, rows, dice)
        yield


def new_track(
    heard: Heard, part: PartStyle, style: Style, intent: Intent, key: Key, palette: Palette, rows: Rows, dice: Dice
) -> None:
    """One more track over the whole song, on its chords."""
    known = {instrument.name: instrument for instrument in palette.instruments}
    options = [known[name] for name in part.instruments if name in known]
    if not options:
        return
    own = dice.of(f"new {part.name}")
    player = Player(part, own.pick(options))
    count = len(heard.scenes)
    tones: list[Tone] = []
    for scene in heard.scenes:
        tones += play(player, style, scene, heard.frame, own, fill=scene.index + 1 < count)
    if key != heard.key and part.role not in RHYTHMIC:
        tones = in_key(tones, heard.key, key)
    end = int(heard.song.bar_map.start_of(heard.song.bars + 1))
    clean = tidy(weighted(tones, intent.energy, intent.brightness), 0, end)
    taken = {track.name for track in heard.song.tracks}
    name = part.name if part.name not in taken else f"{part.name} 2"
    passages = (Passage("Whole song", 0, end, clean, "on the chords of the song"),) if clean else ()
    rows.track(
        NewTrack(
            name, player.instrument.name, part.volume_db, part.pan, part.color, passages,
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
