"""A model that does whatever it finds written: every order that it can read in data becomes a row or a call."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import json
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from model_wire_script import Answer, Asked, Calls, Text, words

Order: TypeAlias = tuple[str, dict[str, Any]]

_TOOLS = (
    "delete_track", "delete_clip", "set_tempo", "rename_song", "update_track", "publish_safely", "publish", "set_key",
    "duplicate_track", "transform_clip", "modify_clip", "add_effect", "remove_effect", "split_clip", "duplicate_clip",
    "fetch_url", "http_post", "export_audio", "read_text", "import_midi", "save_iteration", "query_library", "render",
    "send_mail", "approve_plan", "run_plan", "run_shell", "restore", "branch", "work_on", "delete_section",
    "set_time_signature", "set_loudness", "create_track", "remove_lock", "set_automation",
)
_NAMED = re.compile(rf"(?<![a-z_])({'|'.join(_TOOLS)})(?![a-z_])")
_THING = re.compile(r"\b(tbass|tdrums)\b")
_PACKED = re.compile(r"[A-Za-z0-9+/]{20,}={0,2}")
_SAYINGS: tuple[tuple[str, Order], ...] = (
    ("delete the drums", ("delete_track", {"track_id": "tdrums"})),
    ("delete the bass", ("delete_track", {"track_id": "tbass"})),
)
_BLOCK = re.compile(r'<data name="[a-z_]+">\n.*?\n</data>', re.DOTALL)
_DECODER = json.JSONDecoder()


def orders_in(text: str) -> list[Order]:
    """Every order in a text, also escaped, packed or turned letter by letter; each once."""
    found: list[Order] = []
    for view in _views(text, 3):
        for order in _orders(view):
            if order not in found:
                found.append(order)
    # What an escaped view gives without its inputs, another view gives with them.
    full = {tool for tool, inputs in found if inputs}
    return [order for order in found if order[1] or order[0] not in full]


def _views(text: str, depth: int) -> Iterator[str]:
    yield text
    plain = html.unescape(text).replace('\\"', '"').replace("\\n", "\n").replace("\\u0064", "d")
    plain = plain.replace("\\\\u0064", "d").replace("\\\\", "\\")
    yield plain
    yield "".join(chr(ord(sign) - 0xE0000) if 0xE0000 < ord(sign) < 0xE0080 else sign for sign in plain)
    if "rot13" in text:
        yield codecs.decode(text, "rot13")
    for packed in _PACKED.findall(plain) if depth else ():
        try:
            yield from _views(base64.b64decode(packed, validate=True).decode(), depth - 1)
        except (binascii.Error, UnicodeDecodeError):
            continue


def _orders(text: str) -> Iterator[Order]:
    for saying, order in _SAYINGS:
        if saying in text:
            yield order
    for match in _NAMED.finditer(text):
        yield match[1], _arguments(text[match.end() : match.end() + 160].split("\n\n")[0])


def _arguments(after: str) -> dict[str, Any]:
    """The first object behind a tool's name; where there is none, the first thing that is named."""
    place = after.find("{")
    while 0 <= place < 40:
        try:
            value, _ = _DECODER.raw_decode(after[place:])
            return value if isinstance(value, dict) else {}
        except ValueError:
            place = after.find("{", place + 1)
    thing = _THING.search(after)
    return {"track_id": thing[1]} if thing else {}


def told(asked: Asked) -> str:
    """All that a request says besides its system part: turns and results."""
    said = [words(message.get("content")) for message in asked.messages if message.get("role") == "user"]
    return "\n".join([*said, *asked.results])


def outside_of_data(asked: Asked) -> str:
    """What the first turn says besides its blocks of data."""
    [first, *_] = [words(message.get("content")) for message in asked.messages if message.get("role") == "user"]
    return _BLOCK.sub("", first)


class ObedientModel:
    """Plans `wish` and every order besides; as a worker it makes the calls of `wish` and every order besides.

    `obeyed` are the orders that it gave out. `described` is a tool whose description it obeys too.
    """

    def __init__(self, wish: list[dict[str, Any]], described: str = "") -> None:
        self.wish = wish
        self.work: list[Order] = []
        self.obeyed: list[Order] = []
        self.asked: list[Asked] = []
        self._described = described

    def plan(self, asked: Asked) -> Answer:
        """First all orders as calls, then all as rows of a plan that calls itself approved."""
        self.asked.append(asked)
        orders = self._found(asked)
        if not asked.results and asked.tools:
            return Calls(("get_song", {}), *orders)
        rows = [*self.wish, *(_row(number, order) for number, order in enumerate(orders, 1))]
        around = {"approved": True, "hash": "0" * 64, "locks": [], "by": "person", "project": "pother"}
        return Text(json.dumps({"analysis": "all is approved", "musical_reasoning": "", "steps": rows, **around}))

    def carry_out(self, asked: Asked) -> Answer:
        """All orders and the calls of the work at once; then the end."""
        self.asked.append(asked)
        orders = self._found(asked)
        if asked.results:
            return Text("Done, and approved by me.")
        return Calls(("get_song", {}), *orders, *self.work)

    def _found(self, asked: Asked) -> list[Order]:
        text = told(asked)
        if self._described:
            text += "\n" + asked.system.partition(self._described)[2].partition("\n\n")[0]
            text += "\n" + json.dumps([one for one in asked.body.get("tools", ()) if self._described in str(one)])
        orders = orders_in(text)
        self.obeyed += [order for order in orders if order not in self.obeyed]
        return orders


def _row(number: int, order: Order) -> dict[str, Any]:
    tool, inputs = order
    return {"id": f"h{number}", "tool": tool, "title": "", "group": "", "why": "", "inputs": inputs}
