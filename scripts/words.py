"""Texts to translate: reads them from the code into resources/translations, and compiles what translators gave back.

`bandleader.pot` is the list of all texts. A language is a file `<code>.po` beside it (copy the list to begin one): it
is brought up to date here and compiled into `<code>.mo`, which the settings then offer.
"""

from __future__ import annotations

import io
import sys
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "translations"
KEYWORDS: dict[str, tuple[int, ...] | None] = {"tr": None, "trn": (1, 2), "lazy": None, "msg": (1,), "Action": (2,)}
"""Who takes a text, and as which of its arguments; the table of actions translates its texts where it shows them."""
_BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
"""The same in every run, so that the files change only with their texts."""
_HEAD = "# Texts of Bandleader. Free software under the GPL, version 3 or later.\n#"
_WIDTH = 120


def template(rooms: Sequence[Path] = (ROOT / "agent", ROOT / "app")) -> Catalog:
    """All texts that the code of these rooms shows or says in errors, with the files that they are in."""
    made = Catalog(project="Bandleader", version="", copyright_holder="its authors", msgid_bugs_address="",
                   creation_date=_BEGAN, header_comment=_HEAD, charset="utf-8", fuzzy=False)
    for room in rooms:
        found = extract_from_dir(room, method_map=[("**.py", "python")], keywords=KEYWORDS, comment_tags=())
        for file, _line, text, comments, context in sorted(found, key=lambda one: (one[0], one[1])):
            texts = tuple(one for one in text if isinstance(one, str)) if isinstance(text, tuple) else text
            made.add(texts, locations=[(f"{room.name}/{file}", 0)], auto_comments=comments, context=context)
    for file, text in palette_texts():
        made.add(text, locations=[(file, 0)])
    return made


def palette_texts(folder: Path = ROOT / "resources") -> Iterator[tuple[str, str]]:
    """What instruments and effects are called and said to be, with the file that it is in."""
    for file in sorted([*folder.glob("effects/*.toml"), *folder.glob("instruments/*.toml")]):
        rows = tomllib.loads(file.read_text("utf-8"))
        name = file.relative_to(folder.parent).as_posix()
        for one in (*rows.get("effects", ()), *rows.get("instruments", ())):
            family = one.get("family", "")
            terms = one.get("samples", {}).get("terms", "")
            named = (one["label"], one.get("about", ""), terms, f"{family[:1].upper()}{family[1:]}")
            texts = (*named, *one.get("tags", ()))
            for text in (*texts, *(parameter.get("about", "") for parameter in one.get("params", ()))):
                if text:
                    yield name, text


def as_text(catalog: Catalog) -> bytes:
    """A catalogue as its file has it."""
    stream = io.BytesIO()
    write_po(stream, catalog, width=_WIDTH, sort_output=False, include_previous=False, omit_header=False,
             include_lineno=False)
    return stream.getvalue()


def renew(folder: Path, texts: Catalog) -> list[str]:
    """Bring the files of a folder up to date; returns a line about each."""
    (folder / "bandleader.pot").write_bytes(as_text(texts))
    said = [f"bandleader.pot: {len(texts)} texts"]
    for file in sorted(folder.glob("*.po")):
        catalog = read_po(io.BytesIO(file.read_bytes()), locale=file.stem)
        catalog.update(texts, update_creation_date=False)
        file.write_bytes(as_text(catalog))
        stream = io.BytesIO()
        write_mo(stream, catalog)
        file.with_suffix(".mo").write_bytes(stream.getvalue())
        done = sum(1 for one in catalog if one.id and _translated(one) and not one.fuzzy)
        said.append(f"{file.name}: {done} of {len(texts)} translated")
    return said


def _translated(message: Message) -> bool:
    forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return all(forms)


def main() -> int:
    """Renew what is in the project."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for line in renew(FOLDER, template()):
        sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
