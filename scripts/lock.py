"""Writes requirements/*.txt: the exact version and hashes of every library that is installed, for all systems.

Run by `make lock`. Versions that the files hold already stay; `--upgrade` takes the newest that pyproject.toml allows.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "requirements"
HEADER = "# Written by `make lock` from pyproject.toml: do not edit.\n"
# No code of a library runs while it is installed: a hash says which archive it is, not what its build fetches.
WHEELS_ONLY = "--only-binary :all:\n"

EXTRAS = {"run": ("mcp", "machines"), "dev": ("dev",), "bench": ("bench",)}
"""The extras in each file. A file leaves out what those before it hold, and keeps to their versions."""


def main(arguments: list[str] | None = None) -> int:
    """The exit status: that of the first resolution that failed, and then no file was touched."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--upgrade", action="store_true", help="take newer versions")
    upgrade = parser.parse_args(arguments).upgrade
    held: list[str] = []
    locks: dict[str, list[str]] = {}
    for name, extras in EXTRAS.items():
        known = [] if upgrade else pins(FOLDER / f"{name}.txt")
        try:
            resolved = resolve(extras, held, known)
        except subprocess.CalledProcessError as error:
            return error.returncode
        locks[name] = [pin for pin in resolved if pin not in held]
        held += locks[name]
    FOLDER.mkdir(exist_ok=True)
    for name, own in locks.items():
        (FOLDER / f"{name}.txt").write_text(HEADER + WHEELS_ONLY + "".join(own), "utf-8")
        print(f"requirements/{name}.txt: {len(own)} libraries")
    return 0


def pins(path: Path) -> list[str]:
    """The pins of a lock file, each with its lines of hashes; none when the file is not there."""
    if not path.exists():
        return []
    return re.findall(r"^[A-Za-z0-9].*\n(?:    .*\n)*", path.read_text("utf-8"), re.MULTILINE)


def resolve(extras: tuple[str, ...], held: list[str], known: list[str]) -> list[str]:
    """Pins of the project with `extras` and of its builder: versions of `held`, and where they still fit of `known`."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    with tempfile.TemporaryDirectory() as folder:
        builder, constraint, lock = (Path(folder) / name for name in ("build.in", "held.txt", "lock.txt"))
        builder.write_text("\n".join(build), "utf-8")
        constraint.write_text("".join(held), "utf-8")
        lock.write_text("".join(known), "utf-8")
        command = [
            sys.executable, "-m", "uv", "pip", "compile", "--quiet", "pyproject.toml", str(builder),
            *(word for extra in extras for word in ("--extra", extra)),
            "--constraint", str(constraint), "--output-file", str(lock),
            "--universal", "--python-version", "3.11", "--fork-strategy", "fewest", "--no-build",
            "--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url",
        ]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return pins(lock)


if __name__ == "__main__":
    raise SystemExit(main())
