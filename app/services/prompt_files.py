"""Reads the prompts for language models from the resources folder and the user's own folder."""

from __future__ import annotations

from pathlib import Path

from agent.model_planner.telling.prompts import PLACEHOLDERS, Prompt, PromptError, Prompts, checked_prompts

_MOST = 200_000
_NO_PROMPT = "readme"


def read_prompts(resources: Path, user: Path | None = None) -> Prompts:
    """Every prompt of `resources/prompts/*.md`; a file of the same name in the user's folder replaces it.

    `PromptError` names the file that cannot be read, is no prompt, or has wrong placeholders.
    """
    shipped = {name: resources / "prompts" / f"{name}.md" for name in PLACEHOLDERS}
    own = {}
    if user is not None and user.is_dir():
        own = {file.stem: file for file in sorted(user.glob("*.md")) if file.stem.lower() != _NO_PROMPT}
    return checked_prompts(tuple(_read(name, file) for name, file in {**shipped, **own}.items()))


def _read(name: str, file: Path) -> Prompt:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise PromptError(f"cannot read {file}", why=error.strerror or str(error), fix="check the file") from error
    except UnicodeDecodeError as error:
        raise PromptError(f"{file} is no text in UTF-8", why=str(error), fix="save it as UTF-8") from error
    if len(text) > _MOST:
        raise PromptError(f"{file} is too long for a prompt", why=f"{len(text):,} characters", fix="shorten it")
    return Prompt(name, text, str(file))
