"""Where the parts stand between left and right."""

from __future__ import annotations

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import part_names, sentence
from agent.chat.answering.parts import links_of
from agent.chat.answering.wording import listed
from agent.chat.context import Context
from agent.chat.messages import About

_CENTRE = 0.005
_MOST = 40


def pan(context: Context, about: About) -> Answer:
    """An answer with the pan of the named tracks (none: of all), the leftmost first, as set in the song."""
    song = context.song
    names = part_names(song)
    tracks = sorted(
        (track for track in song.tracks if not about.tracks or track.id in about.tracks), key=lambda one: one.pan
    )
    if not tracks:
        return Answer("Nothing is panned: the song has no tracks.", (Fact("tracks", 0),))
    sides: dict[str, list[str]] = {}
    moving = []
    for track in tracks[:_MOST]:
        sides.setdefault(side_said(track.pan), []).append(names[track.id])
        if any(lane.target == "pan" for lane in track.automation):
            moving.append(names[track.id])
    said = "; ".join(f"{listed(parts)} {'is' if len(parts) == 1 else 'are'} {side}" for side, parts in sides.items())
    moves = f" {listed(moving)} {'moves' if len(moving) == 1 else 'move'} from there, by automation." if moving else ""
    facts = tuple(Fact(f"{track.name} pan", round(100 * track.pan)) for track in tracks[:_MOST])
    text = f"{sentence(said)}, as set in the mixer (100% is hard to one side).{moves}"
    return Answer(text, facts, links_of(tracks[:_MOST] if about.tracks else ()))


def side_said(place: float) -> str:
    """A pan of -1 to 1 in words: "20% left", "in the centre"."""
    if abs(place) < _CENTRE:
        return "in the centre"
    return f"{abs(place):.0%} {'left' if place < 0 else 'right'}"
