"""Markdown of a model's answer as rich text that loads nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from app.ui.kit.tokens import Tokens

LONGEST = 40_000
"""Characters that are shown; a longer text is cut and says so."""
LONGEST_ADDRESS = 2_000
_CUT = "\n\n… (cut)"
_SCHEMES = ("http", "https")
LINK = "answer:"
"""Prefix of the targets of the program's own links; a number follows."""


def to_html(text: str, tokens: Tokens, links: int = 0) -> str:
    """Markdown as rich text for a label or text browser.

    HTML in the text is escaped, pictures become text, links remain only for http and https, with the target written
    beside them; they must be opened only through `links.ask_to_open`. Of the program's own links, `LINK` and a number
    from 0, the first `links` remain."""
    if len(text) > LONGEST:
        text = text[:LONGEST] + _CUT
    body = str(_parser().render(text, {"tokens": tokens, "links": links}))
    return f"<style>{_rules(tokens)}</style>{body}"


def code_blocks(text: str) -> tuple[str, ...]:
    """The contents of the fenced and indented code blocks of a text, in order."""
    found = _parser().parse(text[:LONGEST])
    return tuple(token.content for token in found if token.type in ("fence", "code_block") and token.content)


def web_address(target: str) -> str | None:
    """The target if it is an http or https address with a host and short enough to be shown whole; else None."""
    if len(target) > LONGEST_ADDRESS:
        return None
    try:
        parts = urlsplit(target)
        host = parts.hostname
    except ValueError:
        return None
    return target if parts.scheme.lower() in _SCHEMES and host else None


def link_number(target: str, links: int) -> int | None:
    """The number of one of the program's own links, below `links`; None for any other target."""
    number = target.removeprefix(LINK)
    known = target.startswith(LINK) and number.isascii() and number.isdecimal() and int(number) < links
    return int(number) if known else None


def _rules(tokens: Tokens) -> str:
    code = f"background-color: {tokens.ctl}; color: {tokens.t1}"
    return (
        f"a {{ color: {tokens.you}; }} code {{ {code}; }} pre {{ {code}; }} blockquote {{ color: {tokens.t2}; }}"
        "p, ul, ol, pre { margin-top: 0; margin-bottom: 6px; }"
        "h1, h2, h3, h4, h5, h6 { font-size: 13px; font-weight: 600; margin: 6px 0 4px 0; }"
    )


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    # Without the image rule "![x](y)" is a "!" before an ordinary link, so nothing is ever loaded.
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Safe)
    return parser.enable("table").disable(["image", "html_block", "html_inline"])


class _Safe(RendererHTML):
    """Writes links with their target in sight."""

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:  # noqa: ARG002
        href = str(tokens[idx].attrs.get("href", ""))
        address = href if link_number(href, env["links"]) is not None else web_address(href)
        return "" if address is None else f'<a href="{escape(address)}">'

    def link_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:  # noqa: ARG002
        opening = _opening(tokens, idx)
        target = str(opening.attrs.get("href", ""))
        if link_number(target, env["links"]) is not None:
            return "</a>"
        end = "" if web_address(target) is None else "</a>"
        shown = "".join(token.content for token in tokens[tokens.index(opening) + 1 : idx])
        return end if shown == target else f"{end} ({escape(target)})"

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:  # noqa: ARG002
        return f"<pre>{escape(tokens[idx].content)}</pre>"


def _opening(tokens: Sequence[Token], close: int) -> Token:
    """The link that ends here; links do not nest."""
    return next(token for token in reversed(tokens[:close]) if token.type == "link_open")
