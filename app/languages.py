"""The languages there are: English, catalogues of translators, and one that shows what cannot be translated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from app.words import ENGLISH, Language

SYSTEM, PLAIN, PSEUDO = "system", "en", "pseudo"
"""What may be chosen besides the catalogues: as the system speaks, English, and the pseudo language."""
_FOLDER = "translations"
_ACCENTS = str.maketrans("aceinosuyzACEINOSUYZ", "àçéîñöšûýžÀÇÉÎÑÖŠÛÝŽ")
_VALUE = re.compile(r"(\{[^{}]*\})")
_LONGER = 0.4
_OPEN, _CLOSE = "⟦", "⟧"


def catalogues(resources: Path) -> dict[str, Path]:
    """The compiled catalogues that ship, by their language (`de`, `pt_BR`), in the order of their names."""
    found = sorted((resources / _FOLDER).glob("*.mo"))
    return {file.stem: file for file in found}


def language(choice: str, resources: Path, spoken: Sequence[str]) -> Language:
    """The chosen language; `spoken` are the system's (`de-CH`), best first. English where there is no other.

    A catalogue that cannot be read is as good as none.
    """
    if choice == PSEUDO:
        return pseudo()
    known = catalogues(resources)
    wanted = _system(known, spoken) if choice == SYSTEM else choice
    file = known.get(wanted)
    return ENGLISH if file is None else _read(file)


def pseudo() -> Language:
    """Accents, brackets and four tenths more length, so that untranslated and too narrow places are seen."""
    return Language(_pseudo, lambda one, many, count: _pseudo(one if count == 1 else many))


def _system(known: dict[str, Path], spoken: Sequence[str]) -> str:
    for name in spoken:
        whole = name.replace("-", "_")
        for one in (whole, whole.split("_")[0]):
            if one in known or one == PLAIN:
                return one
    return PLAIN


def _read(file: Path) -> Language:
    from gettext import GNUTranslations

    try:
        with file.open("rb") as stream:
            made = GNUTranslations(stream)
    except Exception:
        # A file that is damaged makes the reader fail in many ways.
        return ENGLISH
    # Every language speaks of a broken number as of many.
    return Language(
        made.gettext, lambda one, many, count: made.ngettext(one, many, int(count) if count == int(count) else 5)
    )


def _pseudo(text: str) -> str:
    said = "".join(part if _VALUE.fullmatch(part) else part.translate(_ACCENTS) for part in _VALUE.split(text))
    letters = sum(map(str.isalpha, _VALUE.sub("", text)))
    return f"{_OPEN}{said}{'~' * round(letters * _LONGER)}{_CLOSE}" if letters else text
