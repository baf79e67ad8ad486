"""Names of hosts in the user's own network."""

from __future__ import annotations

_ENDINGS = (".localhost", ".local", ".lan", ".home.arpa", ".internal")


def is_near_name(host: str) -> bool:
    """Whether a host that is no IP address is in the local network: its name has no dot, or an ending that no public
    name has."""
    return bool(host) and ("." not in host or host.endswith(_ENDINGS))
