"""What Linux and macOS say of their disks, memory, processes and folders."""

from __future__ import annotations

import re
from collections.abc import Callable

from app.services.machines.audio_names import plays_music
from app.services.machines.figures import Folder, Process, Volume, volume
from app.services.machines.nonsense import Nonsense, lines, number, plain_name, shown

_ROOT = "/"
_DF = re.compile(r"(?<=\S)\s++(\d{1,19})\s++(\d{1,19})\s++(-?\d{1,19})\s++(?:\d{1,3}%|-)\s++(/.*)", re.DOTALL)
_NO_DISKS = frozenset((
    "tmpfs", "devtmpfs", "udev", "none", "shm", "overlay", "devfs", "proc", "sysfs", "efivarfs", "cgroup", "cgroup2",
    "ramfs", "rootfs",
))
_MOST_VOLUMES = 100
_PS = re.compile(r"\s*(\d{1,10})\s+(\d{1,15})\s+(\d{1,6}(?:[.,]\d{1,3})?)\s+(\S.*)")
_MEMINFO = re.compile(r"(?<!\w)(\w++):\s++(\d{1,19}) kB")
_PAGES = re.compile(r'"?Pages ([\w -]{1,40})"?:\s++(\d{1,19})\.')
_PAGE_SIZE = re.compile(r"page size of (\d{1,8}) bytes")
_FREE_PAGES = ("free", "inactive", "speculative", "purgeable")


def linux_volumes(text: str) -> tuple[str, tuple[Volume, ...]]:
    """(name of the system's volume, all disk volumes) of Linux, from the output of `df -Pk`."""
    return _ROOT, _volumes(text, lambda device, _: device.startswith("/dev/loop"))


def mac_volumes(text: str) -> tuple[str, tuple[Volume, ...]]:
    """(name of the system's volume, all volumes) of macOS, without those of the system's own container."""
    return _ROOT, _volumes(text, lambda device, place: device.startswith("map ") or place.startswith("/System/Vol"))


def _volumes(text: str, hidden: Callable[[str, str], bool]) -> tuple[Volume, ...]:
    found: dict[str, Volume] = {}
    for line in lines(text)[1:]:
        figures = _DF.search(line.rstrip())
        if figures is None or line[:1].isspace():
            raise Nonsense(f"a line of df is {shown(line)}")
        device, (size, _, free, place) = line[: figures.start()], figures.groups()
        if place != _ROOT and (device in _NO_DISKS or hidden(device, place) or number(size, "a size") == 0):
            continue
        left = max(0, int(free))
        name = plain_name(place, "a volume's place")
        found[name] = volume(name, number(size, "a size") * 1024, number(str(left), "what is free") * 1024)
    return tuple(found.values())[:_MOST_VOLUMES]


def linux_memory(text: str) -> tuple[int, int]:
    """(total, free) memory in bytes, from `/proc/meminfo`."""
    said = {name: number(value, name) * 1024 for name, value in _MEMINFO.findall("\n".join(lines(text)))}
    free = said.get("MemAvailable", said.get("MemFree"))
    if not said.get("MemTotal") or free is None:
        raise Nonsense(f"it begins with {shown(text)}")
    return said["MemTotal"], free


def mac_memory(text: str) -> tuple[int, int]:
    """(total, free) memory in bytes, from `sysctl -n hw.memsize` and `vm_stat`."""
    first, *rest = lines(text)
    size = number(first.strip(), "the size of the memory")
    told = "\n".join(rest)
    page = _PAGE_SIZE.search(told)
    pages = dict(_PAGES.findall(told))
    if page is None or "free" not in pages or size == 0:
        raise Nonsense(f"it begins with {shown(text)}")
    free = sum(number(pages.get(name, "0"), name) for name in _FREE_PAGES) * number(page[1], "the size of a page")
    return size, min(free, size)


def processes(text: str) -> tuple[Process, ...]:
    """Running music software, from `ps -A -o pid= -o rss= -o pcpu= -o comm=`."""
    found = []
    for line in lines(text):
        parts = _PS.fullmatch(line.rstrip())
        if parts is None:
            raise Nonsense(f"a line of ps is {shown(line)}")
        name = parts[4].rsplit("/", 1)[-1].strip()
        if plays_music(name):
            cpu = float(parts[3].replace(",", "."))
            found.append(Process(plain_name(name, "a name"), int(parts[1]), number(parts[2], "memory") * 1024, cpu))
    return tuple(found)


def folders(text: str, asked: tuple[str, ...]) -> tuple[Folder, ...]:
    """Sizes of the folders `asked` for, from one line each in this order: its kilobytes and files, or `missing`."""
    said = lines(text)
    if len(said) != len(asked):
        raise Nonsense(f"{len(asked)} folders were asked for, and {len(said)} lines came")
    return tuple(_folder(folder, line.split()) for folder, line in zip(asked, said, strict=True))


def _folder(folder: str, words: list[str]) -> Folder:
    if words == ["missing"] or (len(words) == 2 and words[0] == "none"):
        return Folder(folder, 0, 0, found=False)
    if len(words) != 2:
        raise Nonsense(f"a folder's line is {shown(' '.join(words))}")
    return Folder(folder, number(words[0], "a size") * 1024, number(words[1], "a count of files"))
