"""The way to an address: proxies and trusted certificates as the system and the environment name them."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

from agent.errors import BandleaderError, Blame
from agent.message import msg
from agent.providers.private_network import is_private_host

if TYPE_CHECKING:
    import httpx2

Client = TypeVar("Client")
_TRUST = (
    "if you know the server, add the authority that signed its certificate to those of your system, or name a file"
    " with it in SSL_CERT_FILE"
)
_LEAVE = "check the address; if it is right, ask whoever runs the server for a new certificate"
_CLOCK = "set the clock of this computer, if it is wrong; else ask whoever runs the server"
_WHY: dict[int, tuple[str, str]] = {
    2: ("this computer does not know who signed its certificate", _TRUST),
    9: ("its certificate is not valid yet", _CLOCK),
    10: ("its certificate has expired", _CLOCK),
    18: ("its certificate is signed by itself", _TRUST),
    19: ("its certificate is signed by an authority that this computer does not trust", _TRUST),
    20: ("this computer does not know who signed its certificate", _TRUST),
    21: ("this computer does not know who signed its certificate", _TRUST),
    23: ("its certificate was revoked", _LEAVE),
    62: ("its certificate is for another host", _LEAVE),
    64: ("its certificate is for another host", _LEAVE),
}
"""Cause and advice by OpenSSL's number of the verification error (`X509_V_ERR_…`)."""


class BadRoute(BandleaderError):
    """A proxy or certificate file, named by the environment, that cannot be used."""

    blame = Blame.MACHINE


class Distrust(Struct, frozen=True):
    """Why nothing was sent to a server, and what the person can do."""

    why: str
    fix: str


def client_to(url: str, make: Callable[[httpx2.AsyncBaseTransport | None], Client]) -> Client:
    """An HTTP client for the server at `url`. `make` makes it from a transport; with None it uses its own. This machine
    and the local network are reached directly, as a proxy must not learn of them; others by the system's proxies, if
    there are any. Raises `BadRoute`."""
    import httpx2

    try:
        return make(httpx2.AsyncHTTPTransport() if is_private_host(_host(url)) else None)
    except ImportError:
        raise BadRoute(
            msg("the proxy of the environment cannot be used"),
            why=msg("it speaks SOCKS, and what speaks that is not installed"),
            fix=msg("name an HTTP proxy in HTTPS_PROXY, or the host in NO_PROXY"),
        ) from None
    except OSError:
        raise BadRoute(
            msg("the trusted certificates cannot be read"),
            why=msg("SSL_CERT_FILE or SSL_CERT_DIR names what holds none"),
            fix=msg("name a file of certificates in PEM form, or none"),
        ) from None
    except (ValueError, httpx2.InvalidURL):
        # Not repeated: the address of a proxy may hold a password.
        raise BadRoute(
            msg("the proxy of the environment cannot be used"), why=msg("its address is none"),
            fix=msg("correct HTTPS_PROXY, HTTP_PROXY and ALL_PROXY"),
        ) from None


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""  # no address; whoever asks it says so


def distrust_of(error: BaseException) -> Distrust | None:
    """Why a server's certificate is not trusted, or that the server does not support TLS, if that caused the error;
    otherwise None."""
    for cause in causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            said = getattr(cause, "verify_message", "") or "nothing more is known"
            why, fix = _WHY.get(cause.verify_code, (f"its certificate is not trusted: {said:.120}", _TRUST))
            return Distrust(why, fix)
        if isinstance(cause, ssl.SSLError) and cause.reason == "WRONG_VERSION_NUMBER":
            return Distrust("what answers there does not speak TLS", "check the address, and whether it is https")
    return None


def causes(error: BaseException) -> Iterator[BaseException]:
    """The error and its chain of causes, as an SDK wraps errors of the network. Ends even if they form a ring."""
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        following = following.__cause__ or following.__context__
