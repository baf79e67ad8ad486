"""Reads styles and the words of requests from the resources folder and the user's own folder."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from agent.composer.styles import Style, StyleBook, StyleError, check_style
from agent.composer.vocabulary import Vocabulary, check_vocabulary
from app.services.toml_files import read_toml

_T = TypeVar("_T", Style, Vocabulary)


def read_styles(resources: Path, user: Path | None = None) -> StyleBook:
    """Every style of `resources/styles/*.toml`, then of the user's folder, whose styles replace equal names.

    Sorted by name. `StyleError` names the file and the key that is wrong.
    """
    files = sorted((resources / "styles").glob("*.toml"))
    if not files:
        raise StyleError(f"{resources / 'styles'} holds no .toml files", fix="reinstall Bandleader")
    if user is not None and user.is_dir():
        files += sorted(user.glob("*.toml"))
    found: dict[str, Style] = {}
    for file in files:
        style = _convert(file, Style)
        try:
            check_style(style)
        except StyleError as error:
            raise StyleError(f"{file}: {error.what}", why=error.why, fix=error.fix) from error
        found[style.name] = style
    return StyleBook(tuple(found[name] for name in sorted(found)))


def read_vocabulary(resources: Path, language: str = "english") -> Vocabulary:
    """The words of `resources/language/LANGUAGE.toml`; `StyleError` names the file and the key."""
    file = resources / "language" / f"{language}.toml"
    words = _convert(file, Vocabulary)
    try:
        check_vocabulary(words)
    except StyleError as error:
        raise StyleError(f"{file}: {error.what}", why=error.why) from error
    return words


def _convert(file: Path, kind: type[_T]) -> _T:
    try:
        return msgspec.convert(read_toml(file, StyleError), kind)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at ")
        key = place.strip("`").removeprefix("$.") or "the file"
        raise StyleError(f"{file}: {key}", why=reason, fix="compare it with the styles that ship") from error
