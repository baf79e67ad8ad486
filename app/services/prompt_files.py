"""Reads the prompts for language models from the resources folder and the user's own folder."""

from __future__ import annotations

from pathlib import Path

from agent.message import msg
from agent.model_planner.prompt.prompts import PLACEHOLDERS, Prompt, PromptError, Prompts, check_name, checked_prompts
from app.atomic_write import read_whole

_MOST = 200 * 1024
"""Largest prompt in bytes; those that ship have less than 20,000."""
_NO_PROMPT = "readme"


def read_prompts(resources: Path, user: Path | None = None) -> Prompts:
    """Every prompt of `resources/prompts/*.md`; a file of the same name in the user's folder replaces it.

    `PromptError` names the file that cannot be read, is no prompt, or has wrong placeholders.
    """
    shipped = {name: resources / "prompts" / f"{name}.md" for name in PLACEHOLDERS}
    return checked_prompts(tuple(_read(name, file) for name, file in {**shipped, **_own(user)}.items()))


def _own(user: Path | None) -> dict[str, Path]:
    """The user's files by the prompts that they replace."""
    try:
        found = sorted(user.glob("*.md")) if user is not None and user.is_dir() else []
    except OSError as error:
        raise PromptError(
            msg("cannot read {user}", user=user), why=error.strerror or str(error), fix=msg("check the folder"),
        ) from error
    own = {file.stem: file for file in found if file.stem.lower() != _NO_PROMPT}
    for name, file in own.items():
        check_name(name, str(file))
    return own


def _read(name: str, file: Path) -> Prompt:
    try:
        text = read_whole(file, _MOST).decode("utf-8-sig")
    except OSError as error:
        raise PromptError(
            msg("cannot read {file}", file=file), why=error.strerror or str(error), fix=msg("check the file"),
        ) from error
    except UnicodeDecodeError as error:
        raise PromptError(
            msg("{file} is no text in UTF-8", file=file), why=str(error), fix=msg("save it as UTF-8"),
        ) from error
    return Prompt(name, text.replace("\r\n", "\n"), str(file))
