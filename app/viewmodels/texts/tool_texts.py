"""Tools of servers as a person reads them before approving: whole, as plain text, nothing hidden in it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from agent.plan.plan import Json
from app.i18n import lazy, tr, trn
from app.services.mcp_servers.pins import Differences, Pin
from app.services.mcp_servers.plain_text import hides, revealed
from app.services.mcp_servers.tool_names import offered_name

ToolState: TypeAlias = Literal["", "changed", "new", "gone"]
_PARTS = (("description", lazy("What it says it does")), ("inputs", lazy("Takes")), ("outputs", lazy("Gives")),
          ("annotations", lazy("Says of itself")))


class ToolSeen(Struct, frozen=True):
    """A server's tool, by the `name` that plans use. `before` is as approved, `now` as offered; one may be None.
    `hidden`: it contains hidden characters."""

    name: str
    state: ToolState
    before: Pin | None
    now: Pin | None
    hidden: bool

    @property
    def text(self) -> str:
        """All its texts, with hidden characters written as ⟨U+200B⟩; for a changed tool each part before and now."""
        lines = [f"{self.name}"]
        if self.hidden:
            lines.append(tr("It holds hidden characters, written here as ⟨U+…⟩."))
        if self.state == "gone":
            lines.append(tr("The server no longer has this tool. It was:"))
        for part, title in _PARTS:
            lines += _part(tr(title), *(None if one is None else getattr(one, part) for one in (self.before, self.now)),
                           both=self.before is not None and self.now is not None)
        digest = self.now or self.before
        return "\n".join([*lines, "", f"SHA-256 {digest.digest if digest else ''}"])


def seen_as_approved(server: str, tools: Iterable[Pin]) -> tuple[ToolSeen, ...]:
    """Tools of the server named `server` without known changes. Slow if there are many."""
    return tuple(_seen(server, "", None, one) for one in tools)


def seen_with_changes(server: str, tools: Iterable[Pin], found: Differences) -> tuple[ToolSeen, ...]:
    """All tools of the server named `server`: changed, new and gone ones first, then those that are unchanged."""
    other = {now.name for _, now in found.changed} | {one.name for one in found.new}
    return (
        *(_seen(server, "changed", before, now) for before, now in found.changed),
        *(_seen(server, "new", None, one) for one in found.new),
        *(_seen(server, "gone", one, None) for one in found.gone),
        *seen_as_approved(server, (one for one in tools if one.name not in other)),
    )


def _seen(server: str, state: ToolState, before: Pin | None, now: Pin | None) -> ToolSeen:
    there = [one for one in (before, now) if one is not None]
    return ToolSeen(offered_name(server, there[-1].name), state, before, now, any(map(_hides, there)))


def differences_words(found: Differences) -> str:
    """ "2 tools changed, 1 is gone, 1 is new"; empty if nothing differs."""
    parts = []
    if found.changed:
        parts.append(trn("{count:,} tool changed", "{count:,} tools changed", len(found.changed)))
    if found.gone:
        parts.append(trn("{count:,} is gone", "{count:,} are gone", len(found.gone)))
    if found.new:
        parts.append(trn("{count:,} is new", "{count:,} are new", len(found.new)))
    return ", ".join(parts)


def _part(title: str, before: Json, now: Json, *, both: bool) -> list[str]:
    if both and before != now:
        approved, anew = tr("{title}, as you approved it:", title=title), tr("{title}, now:", title=title)
        return ["", approved, _said(before), "", anew, _said(now)]
    value = before if now is None else now
    if value is None:
        return []
    return ["", f"{title}:", _said(value)]


def _said(value: Json) -> str:
    if isinstance(value, str):
        return revealed(value).strip() or tr("It says nothing.")
    return "nothing" if value is None else revealed(json.dumps(value, ensure_ascii=False, indent=2))


def _hides(one: Pin) -> bool:
    return hides(one.description) or hides(json.dumps([one.inputs, one.outputs, one.annotations], ensure_ascii=False))
