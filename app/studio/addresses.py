"""The addresses of models' servers: which are taken, and to which a key may be sent."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from agent.fixes import FixKind
from agent.message import msg
from agent.providers.private_network import is_private_host
from app.studio.errors import StudioError

_LONGEST = 1000
_PORTS = {"http": 80, "https": 443}
_ADVICE = "give it as https://host/v1, or http://127.0.0.1:PORT/v1 for a server on this machine"


class Address(Struct, frozen=True):
    """A server's base URL without a trailing slash, and its origin with the port; `open`: what is sent there is not
    encrypted on a network that others share."""

    url: str
    origin: str
    open: bool = False


def is_address(text: str) -> bool:
    """Whether a provider's name is a URL."""
    return "://" in text


def parse_address(text: str) -> Address:
    """The address in a text. Raises `StudioError` for a text that is no URL or contains a secret."""
    url = text.strip().rstrip("/")
    # What was given is not repeated where it may hold a password or a key.
    if len(url) > _LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        raise StudioError(msg("the base URL is not an address"), fix=_ADVICE)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise StudioError(msg("the base URL is not an address"), fix=_ADVICE) from None
    if "@" in parts.netloc:
        raise StudioError(
            msg("the base URL holds a user name or password"),
            why=msg("it is stored and shown, so it may hold no secret"), fix=FixKind.GIVE_ADDRESS_ALONE(),
        )
    if parts.query or parts.fragment or "?" in url or "#" in url:
        raise StudioError(msg("the base URL has a query"), why=msg("only an address is taken"), fix=_ADVICE)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise StudioError(msg("the base URL is not one of http or https"), fix=_ADVICE)
    return Address(url, _origin(parts, port), parts.scheme == "http" and not is_private_host(parts.hostname))


def _origin(parts: SplitResult, port: int | None) -> str:
    host = parts.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}:{port or _PORTS[parts.scheme]}"
