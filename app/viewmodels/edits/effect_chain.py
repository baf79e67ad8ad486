"""The effects of a track or of the master as a list, and what a hand does to them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from agent.song.edits import AddEffect, RemoveEffect, UpdateEffect
from agent.song.ids import MASTER, EffectId, Kind, TrackId, derive
from agent.song.palette import EffectKind, Palette
from agent.song.song import Song
from agent.song.track import Effect
from app.i18n import tr
from app.viewmodels.edits.clip_edits import MAX_NAME, HandEdit, find_track
from app.viewmodels.edits.effect_values import held_value, values_of
from app.viewmodels.texts.palette_words import said

Family = Literal["space", "modulation", "dynamics", "tone", "other"]
FAMILIES: tuple[Family, ...] = ("dynamics", "tone", "space", "modulation", "other")
"""Families of effects, in the order of the menu."""

_FAMILY_OF: Mapping[str, Family] = {
    "reverb": "space", "room": "space", "delay": "space", "chorus": "modulation", "phaser": "modulation",
    "compressor": "dynamics", "limiter": "dynamics", "gain": "dynamics", "eq": "tone", "highpass": "tone",
    "lowpass": "tone", "distortion": "tone",
}


class Link(Struct, frozen=True):
    """An effect in a chain. `kind` is None if the palette does not know it; `automated` are names of parameters."""

    effect: Effect
    kind: EffectKind | None
    automated: frozenset[str] = frozenset()

    @property
    def label(self) -> str:
        """The effect's name for people."""
        return self.effect.name if self.kind is None else said(self.kind.label)

    @property
    def values(self) -> dict[str, float]:
        """The values of all parameters that the palette knows."""
        return {} if self.kind is None else values_of(self.kind, self.effect)

    @property
    def strange(self) -> tuple[tuple[str, float], ...]:
        """Parameters in the song that the palette does not know, with their values."""
        known = set() if self.kind is None else {parameter.name for parameter in self.kind.params}
        return tuple((name, value) for name, value in self.effect.params if name not in known)


def family_of(kind: EffectKind) -> Family:
    """The family of an effect; "other" if it is in none."""
    return _FAMILY_OF.get(kind.name, "other")


def family_label(family: Family) -> str:
    """The translated name of a family."""
    labels = {
        "space": tr("Space"), "modulation": tr("Modulation"), "dynamics": tr("Dynamics"), "tone": tr("Tone"),
        "other": tr("Other"),
    }
    return labels[family]


def chain_of(song: Song, owner: TrackId | None, palette: Palette) -> tuple[Link, ...]:
    """The effects of a track, or of the master, in order; empty if `owner` is no track of the song and not the
    master."""
    kinds = {kind.name: kind for kind in palette.effects}
    track = find_track(song, owner)
    effects = song.master_effects if owner == MASTER else () if track is None else track.effects
    lanes = () if track is None else tuple(lane.target.partition(".") for lane in track.automation if lane.points)

    def link(effect: Effect) -> Link:
        moving = frozenset(name for one, _, name in lanes if one == effect.id)
        return Link(effect, kinds.get(effect.name), moving)

    return tuple(link(effect) for effect in effects)


def owner_label(song: Song, owner: TrackId | None) -> str:
    """The name of the track, or "Master"; empty for an unknown track."""
    track = find_track(song, owner)
    return tr("Master") if owner == MASTER else "" if track is None else track.name


def added(song: Song, owner: TrackId, kind: EffectKind) -> tuple[HandEdit, EffectId]:
    """The edit that appends an effect with default parameters to a chain, and the new effect's id."""
    effect = EffectId(derive(Kind.EFFECT, "hand", secrets.token_hex(16)))
    label = tr("Add {effect} to {owner}", effect=said(kind.label), owner=owner_label(song, owner))
    return HandEdit((AddEffect(effect_id=effect, track_id=owner, effect_name=kind.name),), label[:MAX_NAME]), effect


def removed(link: Link) -> HandEdit:
    """The edit that removes an effect from its chain."""
    return _hand(RemoveEffect(effect_id=link.effect.id), tr("Remove {effect}", effect=link.label))


def switched(link: Link) -> HandEdit:
    """The edit that bypasses an effect, or enables it again."""
    now = link.effect.enabled
    label = tr("Bypass {effect}", effect=link.label) if now else tr("Use {effect}", effect=link.label)
    return _hand(UpdateEffect(effect_id=link.effect.id, enabled=not now), label)


def moved(chain: tuple[Link, ...], link: Link, to: int) -> HandEdit:
    """The edit that moves an effect to index `to` of its chain, counted without it."""
    place = next((at for at, one in enumerate(chain) if one.effect.id == link.effect.id), -1)
    to = min(max(0, to), len(chain) - 1)
    if place in (-1, to):
        return HandEdit()
    return _hand(UpdateEffect(effect_id=link.effect.id, position=to), tr("Move {effect}", effect=link.label))


def turned(link: Link, values: Mapping[str, float]) -> HandEdit:
    """The edit that sets parameters to `values` (by name), clamped to their ranges; unchanged ones are left out."""
    if link.kind is None:
        return HandEdit()
    given = dict(link.effect.params)
    wanted = {
        parameter.name: held_value(parameter, values[parameter.name])
        for parameter in link.kind.params if parameter.name in values
    }
    now = link.values
    new = {name: value for name, value in wanted.items() if now[name] != value or given.get(name, value) != value}
    if not new:
        return HandEdit()
    what = tr("{effect} settings", effect=link.label)
    return _hand(UpdateEffect(effect_id=link.effect.id, params=new), what)


def previewed(song: Song, values: Mapping[EffectId, Mapping[str, float]]) -> Song:
    """The song with these parameter values, as it sounds while they are dragged."""
    if not values:
        return song

    def chain(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        if not any(effect.id in values for effect in effects):
            return effects
        return tuple(
            replace(one, params=tuple(sorted({**dict(one.params), **values.get(one.id, {})}.items())))
            for one in effects
        )

    tracks = tuple(
        track if (effects := chain(track.effects)) is track.effects else replace(track, effects=effects)
        for track in song.tracks
    )
    master = chain(song.master_effects)
    same = master is song.master_effects and all(new is old for new, old in zip(tracks, song.tracks, strict=True))
    return song if same else replace(song, tracks=tracks, master_effects=master)


def _hand(edit: UpdateEffect | RemoveEffect, label: str) -> HandEdit:
    return HandEdit((edit,), label[:MAX_NAME])
