"""What a call cost in US dollars, by a maintained price list that lies in a library and is never fetched."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from typing import TypeAlias
from urllib.parse import urlsplit

from agent.providers.private_network import is_private_name
from agent.providers.provider import Usage

Price: TypeAlias = Callable[[str, str, Usage, str | None], float | None]
"""A function like `cost_of`: from model, provider, usage and the server's address to US dollars, None if not known."""

_BY_ADDRESS = "openai-chat"
"""The provider kind used for many servers; only the address tells which one and at which price."""


def cost_of(model: str, provider: str, usage: Usage, address: str | None = None) -> float | None:
    """US dollars for one call, None where the price is unknown.

    `address` is the server's base URL. For `openai-chat` it decides: a server on this machine or in the local network
    costs nothing, one that the list knows has that provider's prices, any other is unknown. The first use imports
    the price list, about half a second: do that in a thread.
    """
    if is_free(provider, address):
        return 0.0
    if provider == _BY_ADDRESS and not address:
        return None
    from genai_prices import Usage as Counted
    from genai_prices import calc_price

    cached = min(usage.cached, usage.input)
    counted = Counted(
        input_tokens=usage.input,
        output_tokens=usage.output,
        cache_read_tokens=cached,
        cache_write_tokens=min(usage.written, usage.input - cached),
    )
    try:
        if provider == _BY_ADDRESS:
            found = calc_price(counted, model, provider_api_url=address)
        else:
            found = calc_price(counted, model, provider_id=provider)
    except (LookupError, ValueError):
        return None
    return float(found.total_price)


def is_free(provider: str, address: str | None) -> bool:
    """Whether calls cost nothing: the provider is `openai-chat` and `address`, the server's base URL, is on this
    machine or in the local network."""
    return provider == _BY_ADDRESS and address is not None and _is_near(address)


def _is_near(address: str) -> bool:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    try:
        return not ip_address(host).is_global
    except ValueError:
        return is_private_name(host)
