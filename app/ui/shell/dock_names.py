"""Names of docks, and of the views that share one: as they are written in a layout."""

from __future__ import annotations

CHAT, HISTORY, PLAN, PIANOROLL, MIXER, EVENTS = "chat", "history", "plan", "pianoroll", "mixer", "events"
