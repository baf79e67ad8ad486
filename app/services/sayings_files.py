"""Reads the examples of sayings and the manual from the resources folder, and keeps the model that is learned from
them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from agent.chat.reading.intent_model import METHOD, IntentModel
from agent.chat.sayings import Learn, ManualEntry, Sayings
from agent.composer.styles import StyleError
from agent.message import msg
from app.services.kept_tables import KeptTables
from app.services.toml_files import clipped, read_toml

_MODEL = "intents.msgpack"
_Kind = TypeVar("_Kind", Sayings, "_Manual")


class _Manual(Struct, frozen=True, forbid_unknown_fields=True):
    entries: tuple[ManualEntry, ...] = ()


def read_sayings(resources: Path, language: str = "english", kept: KeptTables | None = None) -> Sayings:
    """The examples of `resources/language/LANGUAGE_sayings_*.toml`, put together. Raises `StyleError`, which names the
    file and what is wrong."""
    files = sorted((resources / "language").glob(f"{language}_sayings_*.toml"))
    read = [_read(file, Sayings, kept) for file in files]
    examples = {name: lines for one in read for name, lines in one.examples.items()}
    return Sayings(tuple(ending for one in read for ending in one.endings), examples)


def read_manual(resources: Path, language: str = "english", kept: KeptTables | None = None) -> tuple[ManualEntry, ...]:
    """The entries of `resources/language/LANGUAGE_manual.toml`. Raises `StyleError` as `read_sayings` does."""
    return _read(resources / "language" / f"{language}_manual.toml", _Manual, kept).entries


def kept_model(cache: Path, made: Path, *of: object) -> Learn:
    """A way to learn that keeps the model under the digest of what it is learned from (`of`): in `cache`, unless the
    installation brings it in `made`."""
    def learn(make: Callable[[], IntentModel]) -> IntentModel:
        text = msgspec.json.encode((METHOD, *of)).decode("utf-8")
        brought = KeptTables(made, _MODEL)
        kept = brought if brought.has(text) else KeptTables(cache, _MODEL)
        tables = kept.of(text, lambda _: {"model": msgspec.msgpack.encode(make())})
        kept.write()
        try:
            return msgspec.msgpack.decode(tables["model"], type=IntentModel)
        except msgspec.ValidationError:
            # Another version of the program kept it.
            with suppress(OSError):
                (cache / _MODEL).unlink()
            return make()

    return learn


def _read(file: Path, kind: type[_Kind], kept: KeptTables | None) -> _Kind:
    try:
        return msgspec.convert(read_toml(file, StyleError, kept), kind)
    except msgspec.ValidationError as error:
        raise StyleError(
            msg("{file}: there is something wrong in it", file=file), why=clipped(str(error)),
            fix=msg("reinstall Bandleader"),
        ) from error
