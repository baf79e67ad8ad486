"""Hosts in the user's own network."""

from __future__ import annotations

import ipaddress
from contextlib import suppress

_ENDINGS = (".localhost", ".local", ".lan", ".home.arpa", ".internal")


def is_private_host(host: str) -> bool:
    """Whether a host is this machine or in its local network, judged by its name or IP address."""
    with suppress(ValueError):
        address = ipaddress.ip_address(host)
        address = getattr(address, "ipv4_mapped", None) or address
        return address.is_loopback or address.is_private or address.is_link_local
    return is_private_name(host)


def is_private_name(host: str) -> bool:
    """Whether a host name is in the local network: it has no dot, or an ending that no public name has."""
    return bool(host) and ("." not in host or host.endswith(_ENDINGS))
