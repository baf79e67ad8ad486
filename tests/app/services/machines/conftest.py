"""Machines for all tests of this room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ssh_machines import SshMachine, SshMachines, ssh_machines


@pytest.fixture(scope="package")
def rack() -> Iterator[SshMachines]:
    with ssh_machines() as made:
        yield made


@pytest.fixture(scope="package")
def plain(rack: SshMachines) -> SshMachine:
    """A machine with nothing but a shell."""
    return rack.start()


@pytest.fixture(scope="package")
def windows(rack: SshMachines) -> SshMachine:
    """A machine with a pretended PowerShell."""
    return rack.start_windows()
