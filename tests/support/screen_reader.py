"""Run by the system's Python: prints what a screen reader finds of Bandleader, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

_STATES = ("showing", "visible", "enabled", "sensitive", "focused", "checked", "selected", "focusable", "editable")


def main() -> None:
    """One list per thing: role, name, place, states, description, path of places among siblings, actions, value.

    With `find` and a beginning of names, only what can be seen and is named so. With `press` and a path (as JSON) it
    does the first action of the thing there instead.
    """
    import gi  # type: ignore[import-not-found]

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi  # type: ignore[import-not-found]

    found: list[Any] = []
    desktop = Atspi.get_desktop(0)
    for at in range(desktop.get_child_count()):
        program = desktop.get_child_at_index(at)
        if program is None or not (program.get_name() or "").lower().startswith("bandleader"):
            continue
        if sys.argv[1:2] == ["press"]:
            _press(program, json.loads(sys.argv[2]))
        elif sys.argv[1:2] == ["find"]:
            _seek(Atspi, program, (), sys.argv[2], found)
        else:
            _walk(Atspi, program, (), found)
    sys.stdout.write(json.dumps(found))


def _walk(atspi: Any, thing: Any, path: tuple[int, ...], found: list[Any]) -> None:
    if thing is None or len(found) > 20_000:
        return
    try:
        found.append(_told(atspi, thing, thing.get_state_set(), path))
        count = thing.get_child_count()
    except Exception:
        # What went away while it was looked at is not there.
        return
    for at in range(min(count, 3000)):
        _walk(atspi, thing.get_child_at_index(at), (*path, at), found)


def _seek(atspi: Any, thing: Any, path: tuple[int, ...], name: str, found: list[Any]) -> None:
    """Each question goes to the program and back: only what can be seen is asked its name, and only what is named so
    the rest. Nothing can be seen within a part that cannot; of the program itself nothing is said."""
    if thing is None:
        return
    try:
        if path:
            states = thing.get_state_set()
            if not states.contains(atspi.StateType.SHOWING):
                return
            if (thing.get_name() or "").startswith(name):
                found.append(_told(atspi, thing, states, path))
        count = thing.get_child_count()
    except Exception:
        return
    for at in range(min(count, 3000)):
        _seek(atspi, thing.get_child_at_index(at), (*path, at), name, found)


def _told(atspi: Any, thing: Any, states: Any, path: tuple[int, ...]) -> list[Any]:
    told = [name for name in _STATES if states.contains(getattr(atspi.StateType, name.upper()))]
    place = thing.get_extents(atspi.CoordType.SCREEN)
    return [
        thing.get_role_name(), thing.get_name() or "", [place.x, place.y, place.width, place.height], told,
        thing.get_description() or "", list(path), _actions(thing), _value(thing),
    ]


def _actions(thing: Any) -> list[str]:
    acts = thing.get_action_iface()
    return [] if acts is None else [acts.get_action_name(at) for at in range(acts.get_n_actions())]


def _value(thing: Any) -> float | None:
    scale = thing.get_value_iface()
    return None if scale is None else float(scale.get_current_value())


def _press(program: Any, path: list[int]) -> None:
    thing = program
    for at in path:
        thing = thing.get_child_at_index(at)
    thing.get_action_iface().do_action(0)


if __name__ == "__main__":
    main()
