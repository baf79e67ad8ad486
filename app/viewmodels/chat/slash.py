"""Short commands that are written in the request box: what they are called, what they take, and what is meant."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from app.i18n import tr

Deed = Literal["request", "lock", "unlock", "action", "attach", "planner", "find", "help"]


class Slash(Struct, frozen=True):
    """A slash command; `about` says what it does, `deed` is the kind of action. `takes` names its argument, empty for
    none; `needs`: the argument is required. `value` is the id of the window's action, or the English request with `{}`
    for the argument."""

    name: str
    about: str
    deed: Deed
    value: str = ""
    takes: str = ""
    needs: bool = False


class PlainRequest(Struct, frozen=True):
    """A text without a command, to be planned."""

    words: str


class SlashCommand(Struct, frozen=True):
    """A command with its argument `rest`, empty for none."""

    slash: Slash
    rest: str = ""


class Unknown(Struct, frozen=True):
    """A text that begins with a slash but is no valid command; `why` says what is wrong."""

    why: str


Read: TypeAlias = PlainRequest | SlashCommand | Unknown


def commands() -> tuple[Slash, ...]:
    """All commands, in the order in which they are listed."""
    words, bpm = tr("words"), tr("BPM")
    part = tr("a track or bars 9-16")
    return (
        Slash("plan", tr("Plan a request"), "request", "{}", words, True),
        Slash("tempo", tr("Plan another tempo"), "request", "set the tempo to {} BPM", bpm, True),
        Slash("key", tr("Plan another key"), "request", "change the key to {}", tr("a key, such as D minor"), True),
        Slash("attach", tr("Attach what is selected"), "attach"),
        Slash("lock", tr("Lock a track or bars, or what is selected"), "lock", "", part),
        Slash("unlock", tr("Let a track or bars go, or what is selected"), "unlock", "", part),
        Slash("undo", tr("Undo the last change"), "action", "edit.undo"),
        Slash("redo", tr("Redo what was undone"), "action", "edit.redo"),
        Slash("compare", tr("Compare iterations"), "action", "history.compare"),
        Slash("play", tr("Play or stop"), "action", "transport.play"),
        Slash("stop", tr("Stop the answer or the run"), "action", "plan.stop"),
        Slash("export", tr("Export the song"), "action", "file.export"),
        Slash("new", tr("Begin a new song"), "action", "file.new"),
        Slash("find", tr("Find words in this conversation"), "find", "", words),
        Slash("model", tr("Choose who plans"), "planner"),
        Slash("settings", tr("Open the settings"), "action", "file.settings"),
        Slash("help", tr("Show these commands"), "help"),
    )


def read(text: str) -> Read:
    """The command in a text, or the text as request; two slashes at the beginning stand for one of a plain text."""
    line = text.strip()
    if not line.startswith("/"):
        return PlainRequest(text)
    if line.startswith("//"):
        return PlainRequest(line[1:])
    name, _, rest = line[1:].partition(" ")
    rest = rest.strip()
    slash = next((one for one in commands() if one.name == name.casefold()), None)
    if slash is None:
        shown = name[:20]
        return Unknown(tr("No command /{name}: try /help", name=shown))
    if slash.needs and not rest:
        return Unknown(tr("/{name} needs {what}", name=slash.name, what=slash.takes))
    if rest and not slash.takes:
        return Unknown(tr("/{name} takes nothing more", name=slash.name))
    return PlainRequest(slash.value.format(rest)) if slash.deed == "request" else SlashCommand(slash, rest)


def fitting(text: str) -> tuple[Slash, ...]:
    """The commands whose name begins with what is typed; none once there is an argument."""
    if not text.startswith("/") or text.startswith("//") or any(map(str.isspace, text)):
        return ()
    begun = text[1:].casefold()
    return tuple(one for one in commands() if one.name.startswith(begun))


def help_text() -> str:
    """All commands, as Markdown."""
    lines = [f"`/{one.name}{f' {one.takes}' if one.takes else ''}` {one.about}" for one in commands()]
    more = tr("Two slashes at the beginning stand for one that is no command.")
    return "  \n".join(lines) + f"\n\n{more}"
