"""The JSON documents of `machines`, field by field."""

from __future__ import annotations

from app.cli.output import Document
from app.studio.integrations.machines import HostKey, Machine


def machine_shape(machine: Machine) -> Document:
    """A machine without its host key; the key's fingerprint is in the document of `pin`."""
    return {
        "name": machine.name, "address": machine.address, "port": machine.port, "user": machine.user,
        "way": machine.way, "system": machine.system, "tags": list(machine.tags),
        "host_key_pinned": machine.host_key is not None, "folders": list(machine.details.folders),
        "created": machine.created,
    }


def key_shape(key: HostKey) -> Document:
    """The host key that a machine presents."""
    return {"fingerprint": key.fingerprint, "known": key.known}
