"""Reads styles and the words of requests from the resources folder and the user's own folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct, inspect

from agent.chat.vocabulary import ChatWords, check_chat_words
from agent.composer.added_part_words import AddedPartWords
from agent.composer.asking_words import AskingWords
from agent.composer.assigning_words import AssigningWords
from agent.composer.changing.operations.catalogue import catalogue
from agent.composer.form_rules import FormRules
from agent.composer.harmony_words import HarmonyWords
from agent.composer.note_words import NoteWords
from agent.composer.operation_words import ClauseFrame, Framing, OperationWords
from agent.composer.part_words import PartWords
from agent.composer.performing_words import Dynamics, PerformingWords
from agent.composer.piece_words import (
    CarrierWords,
    CourseWords,
    Ensemble,
    FigureWords,
    Genre,
    Phrases,
    PlayerWords,
    PresenceWords,
    RampWords,
    Setting,
    Technique,
    TuneWords,
)
from agent.composer.refining_words import RefiningWords
from agent.composer.styles import Style, StyleBook, StyleError, check_style
from agent.composer.typed_words import AsideWords, Typing
from agent.composer.vocabulary import Thing, Vocabulary
from agent.composer.vocabulary_check import check_vocabulary
from agent.message import msg
from agent.song.palette import Palette
from app.services.kept_tables import KeptTables
from app.services.style_checks import faults, word_faults
from app.services.style_faults import Fault, first_fault, odd_number, offer, said_place
from app.services.toml_files import clipped, read_toml

_T = TypeVar(
    "_T", Style, FormRules, Vocabulary, Typing, AsideWords, ChatWords, "_Genres", "_Settings", "_Players", "_Course",
    "_Techniques", "_Figures",
    "_Parts", "_Notes", "_Refining", Framing, "_Performing", "_Added", "_Forms", "_Harmony", "_Assigning",
    "_Tunes", "_Asking",
)


class Styles(Struct, frozen=True):
    """All usable styles. `own` are names of the user's styles, `replaced` those of them that replace a shipped one;
    `left_out` are errors of the user's files, by file name."""

    book: StyleBook
    own: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    left_out: tuple[StyleError, ...] = ()


def read_styles(resources: Path, kept: KeptTables | None = None) -> StyleBook:
    """Every style of `resources/styles/*.toml`, sorted by name. `StyleError` names the file and what is wrong."""
    files = sorted((resources / "styles").glob("*.toml"))
    if not files:
        raise StyleError(
            msg("{resources} holds no .toml files", resources=resources / "styles"), fix=msg("reinstall Bandleader"),
        )
    families = _families(resources, kept)
    return _book(_checked(file, _of_family(file, _style(file, kept), families)) for file in files)


def _families(resources: Path, kept: KeptTables | None) -> dict[str, FormRules]:
    """The rules of `resources/forms/*.toml` by the names of their families."""
    files = sorted((resources / "forms").glob("*.toml"))
    rules = [_converted(file, read_toml(file, StyleError, kept), FormRules) for file in files]
    return {one.name: one for one in rules}


def _style(file: Path, kept: KeptTables | None) -> Style:
    return _converted(file, read_toml(file, StyleError, kept), Style)


def _of_family(file: Path, style: Style, families: Mapping[str, FormRules]) -> Style:
    """The style with the rules of its family where it has none of its own, and any families are known."""
    if style.rules is not None or not style.family or not families:
        return style
    if style.family not in families:
        fault = Fault(("family",), f"there is no family {style.family!r}", offer(style.family, families))
        raise _error(file, fault, {})
    return msgspec.structs.replace(style, rules=families[style.family])


def gather_styles(resources: Path, user: Path, palette: Palette, kept: KeptTables | None = None) -> Styles:
    """The styles that ship and those of the user's folder, which replace equal names.

    A file of the user that cannot be used is left out. `StyleError` only where the styles that ship are broken.
    """
    shipped = read_styles(resources, kept)
    known = {style.name: style for style in shipped.styles}
    found: dict[str, Path] = {}
    left_out: list[StyleError] = []
    try:
        files = own_files(user)
    except OSError as error:
        files = []
        left_out.append(StyleError(
            msg("cannot read {user}", user=user), why=error.strerror or str(error), fix=msg("check the folder"),
        ))
    for file in files:
        try:
            style = read_own(file, palette, known.values())
            if style.name in found:
                raise StyleError(
                    msg("{file}: name", file=file),
                    why=msg("{name} gives a style {style!r} too", name=found[style.name].name, style=style.name),
                    fix=msg("rename one of them"),
                )
        except StyleError as error:
            left_out.append(error)
        else:
            known[style.name], found[style.name] = style, file
    replaced = {style.name for style in shipped.styles} & found.keys()
    return Styles(_book(known.values()), tuple(sorted(found)), tuple(sorted(replaced)), tuple(left_out))


def own_files(user: Path) -> list[Path]:
    """The style files of the user's folder by name, without hidden ones; none where the folder does not exist."""
    if not user.exists():
        return []
    return sorted(file for file in user.iterdir() if file.suffix == ".toml" and not file.name.startswith("."))


def read_own(file: Path, palette: Palette, others: Iterable[Style] = ()) -> Style:
    """A style file that anyone may have written, checked against all that the composer relies on.

    `others` are the styles beside it, whose words it must not take and whose families it may be of. `StyleError` names
    file, place, cause and what to write instead; nothing else is raised.
    """
    tables = read_toml(file, StyleError)
    odd = odd_number(tables)
    if odd is not None:
        raise _error(file, odd, tables)
    others = tuple(others)
    families = {other.family: other.rules for other in others if other.rules is not None and other.family}
    style = _of_family(file, _converted(file, tables, Style), families)
    fault = next(faults(style, palette), None) or next(word_faults(style, others), None)
    if fault is not None:
        raise _error(file, fault, tables)
    return _checked(file, style)


class _Genres(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of genres."""

    genres: tuple[Genre, ...]


class _Course(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of words for the course of a piece."""

    course: CourseWords
    presence: PresenceWords
    ramps: RampWords
    carriers: CarrierWords


class _Tunes(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of tunes that exist."""

    tunes: TuneWords


class _Parts(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of words for the parts of a song."""

    parts: PartWords


class _Assigning(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of words for who plays the parts of a song."""

    assigning: AssigningWords


class _Added(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of words for parts that come in."""

    added: AddedPartWords


class _Notes(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of words for the notes of a piece."""

    notes: NoteWords


class _Refining(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of words about a plan that waits."""

    refining: RefiningWords


class _Forms(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of forms and frames of one kind of operations."""

    groups: dict[str, Phrases] = {}
    operations: tuple[OperationWords, ...] = ()
    frames: tuple[ClauseFrame, ...] = ()


class _Harmony(_Forms, frozen=True, forbid_unknown_fields=True):
    """A file of forms and frames for the harmony, and how it is spoken."""

    harmony: HarmonyWords = HarmonyWords()


class _Players(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of instruments and groups of players."""

    scoring: Phrases
    alternatives: Phrases
    alone: Phrases
    sizes: dict[str, Annotated[int, Meta(ge=2, le=12)]]
    players: PlayerWords
    things: tuple[Thing, ...]
    ensembles: tuple[Ensemble, ...]


class _Asking(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of what is asked back with."""

    asking: AskingWords


class _Performing(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of dynamic marks, and of the operations of those who perform a song: how, who, and when."""

    between: Phrases
    following: Phrases
    sequels: Phrases
    dynamics: Dynamics
    groups: dict[str, Phrases]
    operations: tuple[OperationWords, ...]


class _Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of settings."""

    settings: tuple[Setting, ...]


class _Techniques(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of techniques."""

    techniques: tuple[Technique, ...]


class _Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of words for figures."""

    figures: FigureWords


_CHECKS = 1
"""To be counted up with every change of what a check accepts or returns."""
_SETTINGS = ("_settings", "_terms", "_directions", "_scenes")
"""Names of settings files in the resources folder."""


def read_vocabulary(
    resources: Path, language: str = "english", kept: KeptTables | None = None
) -> Vocabulary:
    """The words in `resources/language/LANGUAGE.toml` and the files beside it. Raises `StyleError`, which names file
    and key."""
    def read(part: str, kind: type[_T]) -> _T:
        path = resources / "language" / f"{language}{part}.toml"
        return _converted(path, read_toml(path, StyleError, kept), kind)

    file = resources / "language" / f"{language}.toml"
    players = read("_players", _Players)
    performing = read("_performing", _Performing)
    course = read("_course", _Course)
    timing, rooms, fonts = (read(part, _Forms) for part in ("_timing", "_rooms", "_soundfonts"))
    framing, harmony = read("_frames", Framing), read("_harmony", _Harmony)
    words = read("", Vocabulary)
    words = msgspec.structs.replace(
        words, typing=read("_typing", Typing), asides=read("_asides", AsideWords),
        genres=read("_genres", _Genres).genres, things=(*words.things, *players.things),
        settings=tuple(setting for part in _SETTINGS for setting in read(part, _Settings).settings),
        scoring=players.scoring, alternatives=players.alternatives, alone=players.alone,
        sizes=players.sizes, ensembles=players.ensembles, players=players.players,
        course=course.course, presence=course.presence, ramps=course.ramps,
        carriers=course.carriers, tunes=read("_tunes", _Tunes).tunes,
        techniques=read("_techniques", _Techniques).techniques,
        figures=read("_figures", _Figures).figures, parts=read("_parts", _Parts).parts,
        notes=read("_notes", _Notes).notes, added=read("_added_parts", _Added).added,
        assigning=read("_assigning", _Assigning).assigning,
        refining=read("_refining", _Refining).refining, harmony=harmony.harmony,
        asking=read("_asking", _Asking).asking,
        framing=msgspec.structs.replace(framing, frames=(*framing.frames, *timing.frames, *harmony.frames)),
        performing=PerformingWords(
            performing.dynamics, performing.between, performing.following, performing.sequels
        ),
        groups={**words.groups, **performing.groups, **timing.groups, **rooms.groups, **fonts.groups, **harmony.groups},
        operations=(
            *words.operations, *performing.operations, *timing.operations, *rooms.operations, *fonts.operations,
            *harmony.operations,
        ),
    )
    needs = {name: reading.needs for name, reading in catalogue().readings.items()}

    def check() -> dict[str, Any]:
        check_vocabulary(words, needs)
        return words.parser.parsed()

    try:
        words.parser.take(_once([words, needs], check, kept))
    except StyleError as error:
        raise StyleError(
            msg("{file}: {what}", file=file, what=error.said.what), why=error.said.why,
            fix=error.fix or msg("reinstall Bandleader"),
        ) from error
    return words


def _checked(file: Path, style: Style) -> Style:
    try:
        check_style(style)
    except StyleError as error:
        raise StyleError(
            msg("{file}: {what}", file=file, what=error.said.what), why=error.said.why, fix=error.fix,
        ) from error
    return style


def _book(styles: Iterable[Style]) -> StyleBook:
    return StyleBook(tuple(sorted(styles, key=lambda style: style.name)))


def _converted(file: Path, tables: dict[str, object], kind: type[_T]) -> _T:
    try:
        return msgspec.convert(tables, kind)
    except msgspec.ValidationError as error:
        fault = first_fault(inspect.type_info(kind), tables) or Fault((), str(error), "compare it with those that ship")
        raise _error(file, fault, tables) from error


def _error(file: Path, fault: Fault, tables: object) -> StyleError:
    fix = clipped(fault.fix) if isinstance(fault.fix, str) else fault.fix
    return StyleError(
        msg("{file}: {place}", file=file, place=said_place(fault.place, tables)), why=clipped(fault.why), fix=fix,
    )


def _once(checked: object, check: Callable[[], dict[str, Any]], kept: KeptTables | None) -> dict[str, Any]:
    """What `check` returns; it is not called again where `kept` has what it returned for an equal `checked`."""
    if kept is None:
        return check()
    return kept.of(msgspec.json.encode([_CHECKS, checked], order="deterministic").decode(), lambda _: check())


def read_chat_words(resources: Path, language: str = "english", kept: KeptTables | None = None) -> ChatWords:
    """The chat's words in `resources/language/LANGUAGE_chat.toml`. Raises `StyleError`, which names file and key."""
    file = resources / "language" / f"{language}_chat.toml"
    words = _converted(file, read_toml(file, StyleError, kept), ChatWords)

    def check() -> dict[str, Any]:
        check_chat_words(words)
        return {}

    try:
        _once(words, check, kept)
    except StyleError as error:
        raise StyleError(
            msg("{file}: {what}", file=file, what=error.said.what), why=error.said.why,
            fix=error.fix or msg("reinstall Bandleader"),
        ) from error
    return words
