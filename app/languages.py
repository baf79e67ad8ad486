"""The languages there are: English, catalogues of translators, and one that shows what cannot be translated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from math import isfinite
from pathlib import Path

from agent.errors import BandleaderError, Blame
from agent.message import msg
from app.atomic_write import read_whole
from app.i18n import ENGLISH, Translations

SYSTEM, PLAIN, PSEUDO = "system", "en", "pseudo"
"""What may be chosen besides the catalogues: as the system speaks, English, and the pseudo language."""
_FOLDER = "translations"
_ACCENTS = str.maketrans("aceinosuyzACEINOSUYZ", "àçéîñöšûýžÀÇÉÎÑÖŠÛÝŽ")
_VALUE = re.compile(r"(\{[^{}]*\})")
_LONGER = 0.4
_LARGEST = 4 * 1024 * 1024
_BROKEN = 5
_OPEN, _CLOSE = "⟦", "⟧"


def catalogues(resources: Path) -> dict[str, Path]:
    """The compiled catalogues that ship, by their language (`de`, `pt_BR`), in the order of their names."""
    found = sorted((resources / _FOLDER).glob("*.mo"))
    return {file.stem: file for file in found}


class LanguageError(BandleaderError):
    """A catalogue that cannot be read; `what` names the file."""

    blame = Blame.MACHINE


def language(choice: str, resources: Path, spoken: Sequence[str]) -> Translations:
    """The chosen language; `spoken` are the system's (`de-CH`), best first. English where there is no other.

    Raises `LanguageError` for a catalogue that is damaged.
    """
    if choice == PSEUDO:
        return pseudo()
    known = catalogues(resources)
    wanted = _system(known, spoken) if choice == SYSTEM else choice
    file = known.get(wanted)
    return ENGLISH if file is None else _read(file)


def pseudo() -> Translations:
    """Accents, brackets and four tenths more length, so that untranslated and too narrow places are seen."""
    return Translations(_pseudo, lambda one, many, count: _pseudo(one if count == 1 else many))


def _system(known: dict[str, Path], spoken: Sequence[str]) -> str:
    for name in spoken:
        whole = name.replace("-", "_")
        for one in (whole, whole.split("_")[0]):
            if one in known or one == PLAIN:
                return one
    return PLAIN


def _read(file: Path) -> Translations:
    from gettext import GNUTranslations

    try:
        made = GNUTranslations(BytesIO(read_whole(file, _LARGEST)))
    except OSError as error:
        raise _unusable(file, error.strerror or "it is no compiled catalogue") from error
    except Exception as error:
        # A file that is damaged makes the reader fail in many ways.
        raise _unusable(file, "it is damaged") from error

    def form(one: str, many: str, count: float) -> str:
        # Every language speaks of a broken number as of many.
        whole = int(count) if isfinite(count) and count == int(count) else _BROKEN
        try:
            return made.ngettext(one, many, whole)
        except ArithmeticError:
            # The rule of plurals is the catalogue's own, and may divide by nothing.
            return one if count == 1 else many

    return Translations(made.gettext, form)


def _unusable(file: Path, why: str) -> LanguageError:
    return LanguageError(
        msg("cannot use {file}", file=file), why=why, fix=msg("reinstall Bandleader; until then it speaks English"),
    )


def _pseudo(text: str) -> str:
    said = "".join(part if _VALUE.fullmatch(part) else part.translate(_ACCENTS) for part in _VALUE.split(text))
    letters = sum(map(str.isalpha, _VALUE.sub("", text)))
    return f"{_OPEN}{said}{'~' * round(letters * _LONGER)}{_CLOSE}" if letters else text
