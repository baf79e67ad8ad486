"""Which tools a model may plan with, and which it may use while it plans."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from agent.model_planner.prompt.goal_offer import as_offered
from agent.model_planner.prompt.words import words_of
from agent.plan.tool import ToolSpec

_ALWAYS = ("create_track", "update_track", "create_midi_clip", "modify_clip", "add_effect")
_ASKED: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "tempo": ("set_tempo",), "bpm": ("set_tempo",), "faster": ("set_tempo",), "slower": ("set_tempo",),
    "key": ("set_key", "transform_clip"), "major": ("set_key",), "minor": ("set_key",),
    "chord": ("set_chords",), "chords": ("set_chords",), "progression": ("set_chords",), "harmony": ("set_chords",),
    "meter": ("set_time_signature",), "waltz": ("set_time_signature",), "time": ("set_time_signature",),
    "section": ("add_section", "update_section", "delete_section"), "intro": ("add_section",),
    "verse": ("add_section",), "chorus": ("add_section",), "outro": ("add_section",), "loop": ("duplicate_clip",),
    "repeat": ("duplicate_clip",),
    "copy": ("duplicate_clip", "duplicate_track"), "double": ("duplicate_track",), "split": ("split_clip",),
    "remove": ("delete_track", "delete_clip", "remove_effect"),
    "delete": ("delete_track", "delete_clip", "remove_effect"),
    "without": ("delete_track", "remove_effect"), "no": ("delete_track", "remove_effect"),
    "transpose": ("transform_clip",),
    "octave": ("transform_clip",), "quantize": ("transform_clip",), "humanize": ("transform_clip",),
    "louder": ("set_loudness", "set_automation"), "loudness": ("set_loudness",), "fade": ("set_automation",),
    "automation": ("set_automation",), "swell": ("set_automation",), "rename": ("rename_song",),
    "reverb": ("update_effect",), "delay": ("update_effect",), "effect": ("update_effect", "remove_effect"),
    "recompose": ("set_tempo", "set_key", "transform_clip", "delete_clip"), "compose": ("set_tempo", "set_key"),
    "export": ("export_audio",), "render": ("render",), "restore": ("restore",), "branch": ("branch",),
})
"""Tools that a word of the request asks for."""
_MOST_CONNECTED = 12
"""Tools of connected services that a model with a short memory is told of."""


def reading_tools(tools: tuple[ToolSpec, ...]) -> tuple[ToolSpec, ...]:
    """The tools that a model may call while it plans: they only read and have no effect."""
    return tuple(tool for tool in tools if tool.pure and tool.effect == "none" and not tool.changes_song)


def planning_tools(tools: tuple[ToolSpec, ...], request: str, *, small: bool) -> tuple[ToolSpec, ...]:
    """The tools that a model may use in plan rows; for a `small` window only those that the request needs."""
    return as_offered(tools_for(tools, request) if small else tools, small=small)


def tools_for(tools: tuple[ToolSpec, ...], request: str) -> tuple[ToolSpec, ...]:
    """The tools that a request needs, for a model with a small window; in their order. All if none is recognised."""
    words = words_of(request)
    wanted = {*_ALWAYS, *words, *(name for word in words for name in _ASKED.get(word, ())), *_connected(tools, words)}
    return tuple(tool for tool in tools if tool.name in wanted) or tools


def _connected(tools: tuple[ToolSpec, ...], words: Collection[str]) -> tuple[str, ...]:
    """Tools of services that the person has connected: those that share words with the request first."""
    services = {tool.service for tool in tools if tool.effect == "outside"}
    theirs = [tool for tool in tools if tool.service in services]
    theirs.sort(key=lambda tool: -len(words_of(f"{tool.name.replace('_', ' ')} {tool.about}") & set(words)))
    return tuple(tool.name for tool in theirs[:_MOST_CONNECTED])
