"""What automation moves, in words."""

from __future__ import annotations

from app.i18n import tr


def curve_in_words(target: str) -> str:
    """The name of an automation's target: "volume", "reverb wet"."""
    known = {
        "volume_db": tr("volume"), "pan": tr("pan"), "bend": tr("pitch bend"), "pedal": tr("pedal"),
        "expression": tr("expression"), "modulation": tr("modulation"),
    }
    return (known.get(target) or target.rpartition(".")[2].replace("_", " ")) if target else ""
