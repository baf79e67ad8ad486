"""The list of models that a server offers."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from agent.plan.plan import Json
from agent.providers.faults import Faults

if TYPE_CHECKING:
    import httpx2

_WINDOW_NAMES = ("max_input_tokens", "context_length", "max_model_len", "context_window", "max_context_length")


async def listed(ask: Callable[[], Awaitable[httpx2.Response]], faults: Faults) -> list[dict[str, Json]]:
    """The server's description of each model, sorted by `id`; `ask` sends the request for the list. Raises
    `ProviderError`."""
    try:
        response = await ask()
        found = _entries(response)
    except Exception as error:
        failure = faults.of(error)
    else:
        if found is not None and faults.secret.is_in(json.dumps(found, default=str)):
            failure = faults.repeated_key()
        elif found is not None:
            return sorted(found, key=lambda entry: str(entry["id"]))
        else:
            failure = faults.make("not_a_model", "it sent no list of models")
        # A server may repeat the key: no report of this frame's variables may show it.
        del response, found
    raise failure


def names(entries: list[dict[str, Json]]) -> tuple[str, ...]:
    """The names of the models, each once."""
    return tuple(dict.fromkeys(str(entry["id"]) for entry in entries))


def window_of(entries: list[dict[str, Json]], model: str) -> int | None:
    """The model's context window in tokens; None if the server does not say."""
    for entry in entries:
        if entry["id"] == model:
            for name in _WINDOW_NAMES:
                if isinstance(entry.get(name), int) and entry[name] > 0:
                    return int(entry[name])
    return None


def _entries(response: httpx2.Response) -> list[dict[str, Json]] | None:
    try:
        body = response.json()
    except ValueError:
        return None
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, list):
        return None
    return [entry for entry in data if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
