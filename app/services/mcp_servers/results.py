"""What a server answered, as the result of a row: data, cleaned and cut, that never becomes an instruction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from agent.plan.inputs import Schema
from agent.plan.plan import Json
from app.services.mcp_servers.pins import Pin
from app.services.mcp_servers.plain_text import Cleaner, cleaned_json
from app.services.mcp_servers.schemas import readable_result

MOST = 800_000
"""Most bytes of text and structured content kept of one answer; a row stores at most a million."""
_MOST_ITEMS = 200
_SEAM = 8_000
_ERROR = 400


class CallResult(Struct, frozen=True):
    """The answer to a call: `content` as in the MCP protocol, `structured` content (None for none), and whether the
    server says that the call `failed`."""

    content: tuple[Mapping[str, Any], ...] = ()
    structured: Json = None
    failed: bool = False


_ITEM: Schema = {
    "type": "object",
    "properties": {
        "kind": {"type": "string"}, "type": {"type": "string"}, "bytes": {"type": "integer"},
        "name": {"type": "string"},
    },
    "required": ["kind"],
}
GENERAL: Schema = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "description": "all texts of the answer"},
        "structured": {"description": "the answer as data, if it is"},
        "items": {"type": "array", "items": _ITEM, "description": "what is no text, by kind and size"},
        "cut": {"type": "boolean", "description": "whether something was too long to be kept"},
    },
    "required": ["text"],
}
"""The result schema of a tool that declares none."""


def result_schema(one: Pin) -> Schema:
    """The schema of a tool's results."""
    return readable_result(one.outputs) if isinstance(one.outputs, dict) else GENERAL


def result_of(answer: CallResult, one: Pin, clean: Cleaner) -> Json:
    """The result of a row: structured content if it fits the tool's declaration, else texts and kinds."""
    structured, too_long = _structured(answer.structured, clean)
    if isinstance(one.outputs, dict) and isinstance(structured, dict):
        return structured
    # Cut a little later than it is kept, so that no secret is cut in two and missed.
    whole = clean("\n".join(_texts(answer.content))[: MOST + _SEAM])
    text = _cut(whole, MOST - _size(structured))
    cut = too_long or text != whole
    if structured is None and not cut and _size(text) <= MOST // 2:
        structured = _data_in(text)
    parts: dict[str, Json] = {"text": text}
    if structured is not None:
        parts["structured"] = structured
    if items := [_item(one, clean) for one in answer.content if one.get("type") != "text"][:_MOST_ITEMS]:
        parts["items"] = items
    return {**parts, "cut": True} if cut else parts


def error_of(answer: CallResult, clean: Cleaner) -> str:
    """The server's own error message, on one line."""
    said = " ".join(clean("\n".join(_texts(answer.content))[: 4 * _ERROR]).split())
    return said if len(said) <= _ERROR else f"{said[:_ERROR]}…"


def _texts(content: Iterable[Mapping[str, Any]]) -> list[str]:
    texts = [one.get("text") for one in content if one.get("type") == "text"]
    held = [one.get("resource") for one in content if one.get("type") == "resource"]
    texts += [one.get("text") for one in held if isinstance(one, dict)]
    return [text for text in texts if isinstance(text, str)]


def _structured(value: Json, clean: Cleaner) -> tuple[Json, bool]:
    if value is None:
        return None, False
    if _size(value) > MOST:
        return None, True
    return cleaned_json(value, clean), False


def _size(value: Json) -> int:
    return 0 if value is None else len(msgspec.json.encode(value))


def _cut(text: str, room: int) -> str:
    """The beginning of a text that takes no more bytes than there is room for."""
    while (size := _size(text)) > max(room, 2):
        text = text[: max(0, min(len(text) - 1, len(text) * room // size))]
    return text


def _data_in(text: str) -> Json:
    """The object or list that the text is written as, if it is; many servers answer so."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


def _item(one: Mapping[str, Any], clean: Cleaner) -> Json:
    """An image, a sound or a resource by kind and size; its bytes are not kept."""
    held = one.get("resource")
    inner: Mapping[str, Any] = held if isinstance(held, dict) else one
    data = inner.get("data", inner.get("blob"))
    item: dict[str, Json] = {"kind": clean(str(one.get("type")))[:40]}
    if isinstance(kind := inner.get("mimeType"), str):
        item["type"] = clean(kind)[:100]
    if isinstance(data, str):
        item["bytes"] = len(data) * 3 // 4 - data[-2:].count("=")
    elif isinstance(text := inner.get("text"), str):
        item["bytes"] = len(text.encode(errors="replace"))
    if isinstance(name := inner.get("uri", inner.get("name")), str):
        item["name"] = clean(name)[:300]
    return item
