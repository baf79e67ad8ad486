"""The fixed commands: what is run on a machine, by its system. No text of a plan is ever part of one."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from agent.fixes import FixKind
from agent.message import msg
from app.services.machines.errors import MachineError
from app.storage.machines import Machine, System

Question: TypeAlias = Literal["disk_space", "free_memory", "audio_processes", "library_sizes"]
_LONGEST_LINE = 8000
"""Longest command line in characters; that of Windows' own shell is 8,191."""

_POSIX = "LC_ALL=C; export LC_ALL\n"
_FIXED: dict[System, dict[Question, str]] = {
    "linux": {
        "disk_space": "df -Pk",
        "free_memory": "cat /proc/meminfo",
        "audio_processes": "ps -A -o pid= -o rss= -o pcpu= -o comm=",
    },
    "macos": {
        "disk_space": "df -Pk",
        "free_memory": "sysctl -n hw.memsize && vm_stat",
        "audio_processes": "ps -A -o pid= -o rss= -o pcpu= -o comm=",
    },
    "windows": {
        "disk_space": (
            "@{system = $env:SystemDrive; volumes = @(Get-Volume | Where-Object { $_.DriveLetter -and $_.Size }"
            " | ForEach-Object { @{name = [string]$_.DriveLetter; size = $_.Size; free = $_.SizeRemaining} })}"
        ),
        "free_memory": (
            "Get-CimInstance Win32_OperatingSystem"
            " | ForEach-Object { @{size = $_.TotalVisibleMemorySize; free = $_.FreePhysicalMemory} }"
        ),
        "audio_processes": (
            "@{items = @(Get-Process"
            " | ForEach-Object { @{name = $_.ProcessName; pid = $_.Id; memory = $_.WorkingSet64} })}"
        ),
    },
}
_FOLDER = """\
if [ -d {0} ] && [ -r {0} ]; then
  s=$(du -sk {0} 2>/dev/null | cut -f1)
  n=$(find {0} -type f -print0 2>/dev/null | tr -dc '\\000' | wc -c)
  echo "${{s:-none}} $n"
else
  echo missing
fi
"""
_WINDOWS_FOLDERS = (
    "@{{items = @(foreach ($f in @({0})) {{ if (Test-Path -LiteralPath $f -PathType Container) {{"
    " $m = Get-ChildItem -LiteralPath $f -Recurse -File -Force -ErrorAction SilentlyContinue"
    " | Measure-Object -Property Length -Sum;"
    " @{{found = $true; size = [long]$m.Sum; files = $m.Count}} }}"
    " else {{ @{{found = $false; size = 0; files = 0}} }} }})}}"
)


class RemoteCommand(Struct, frozen=True):
    """A command line for SSH and its standard input."""

    line: str
    stdin: str = ""


def script(machine: Machine, question: Question) -> str:
    """The script that answers a question, for `sh`, or for PowerShell on Windows."""
    if machine.system == "windows":
        asked = _WINDOWS_FOLDERS.format(",".join(map(powershell_text, machine.details.folders)))
        text = asked if question == "library_sizes" else _FIXED["windows"][question]
        # A quiet script: what is no answer would stand between the lines of JSON.
        return f"$ErrorActionPreference = 'Stop'; $ProgressPreference = 'SilentlyContinue'; {text} | {_AS_JSON}"
    asked = _folders(machine.details.folders) if question == "library_sizes" else _FIXED[machine.system][question]
    return f"{_POSIX}{asked}\n"


_AS_JSON = "ConvertTo-Json -Compress -Depth 4"


def over_ssh(machine: Machine, question: Question) -> RemoteCommand:
    """The command for SSH that runs that script, whatever the login shell: it needs no quotes that shells read
    differently."""
    text = script(machine, question)
    if machine.system != "windows":
        return RemoteCommand("/bin/sh -s", text)
    said = f"[Console]::OutputEncoding = [Text.Encoding]::UTF8; {text}"
    code = base64.b64encode(said.encode("utf-16-le")).decode("ascii")
    line = f"powershell.exe -NoLogo -NoProfile -NonInteractive -EncodedCommand {code}"
    if len(line) > _LONGEST_LINE:
        raise MachineError(
            msg("machine {machine} has too many folders", machine=machine.name),
            why=msg("Windows takes no command line of that length"), fix=FixKind.REMOVE_MACHINE_FOLDER(machine.name),
        )
    return RemoteCommand(line)


def powershell_text(text: str) -> str:
    """The text as a literal of PowerShell, which takes five characters as single quotes."""
    for quote in "'\u2018\u2019\u201a\u201b":
        text = text.replace(quote, quote * 2)
    return f"'{text}'"


def _folders(folders: Sequence[str]) -> str:
    return "".join(_FOLDER.format(shlex.quote(folder)) for folder in folders)
