"""A model's answer may say anything, and the window loads nothing for it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QMessageBox, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from app.ui.kit.links import ask_to_open
from app.ui.kit.markdown import LONGEST, LONGEST_ADDRESS, code_blocks, to_html
from app.ui.kit.tokens import DARK

HARMLESS = {
    "style", "p", "strong", "em", "code", "pre", "ul", "ol", "li", "a", "blockquote", "br", "hr",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
}
HOSTILE = [
    '<img src="file:///etc/passwd">', "![x](file:///etc/passwd)", "![x](https://evil.example/x.png)",
    "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](data:text/html,<script>1</script>)",
    "<script>alert(1)</script>", "[x](vbscript:x)", "[x](file:///etc/passwd)", "<a href='file:///x'>x</a>",
    "![x][r]\n\n[r]: file:///etc/passwd", "[x][r]\n\n[r]: javascript:alert(1)", "<javascript:alert(1)>",
    '[x](https://a.example/"onmouseover="x)', "```<img src=x>\n<img src=x>", "&lt;img src=x&gt;",
    "[![x](https://evil.example/x.png)](https://evil.example)", "<style>*{}</style>", "[x](https:///nohost)",
    "[x](qrc:/a)", "[x](mailto:a@b.c)", "[x](//evil.example/x)", "\x00\ud7ff\u202e<b>",
]


class Seen(HTMLParser):
    """Every tag and target of a piece of rich text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.targets: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.targets += [value or "" for name, value in attrs if name == "href"]


def assert_harmless(text: str) -> None:
    seen = Seen(to_html(text, DARK))
    assert seen.tags <= HARMLESS
    assert seen.attributes <= {"href", "start", "style"}
    assert all(re.match(r"https?://[^/]", target) for target in seen.targets)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    assert_harmless(text)


@given(st.lists(st.sampled_from([*HOSTILE, "[", "](", ")", "`", "*", "\n", "> ", "- ", "| a | b |\n|--|--|\n", "x"])))
def test_any_mixture_stays_text(parts: list[str]) -> None:
    assert_harmless("".join(parts))


def test_a_document_never_asks_for_a_resource(qtbot: QtBot) -> None:
    asked: list[QUrl] = []

    class Watching(QTextBrowser):
        def loadResource(self, kind: int, name: QUrl) -> object:  # noqa: N802
            asked.append(name)
            return None

    browser = Watching()
    qtbot.addWidget(browser)
    browser.setHtml(to_html("\n\n".join(HOSTILE), DARK))
    browser.resize(300, 300)
    browser.grab()
    assert asked == []
    browser.setHtml('<img src="file:///etc/passwd">')
    browser.grab()
    assert asked, "this test could not fail"


def test_ordinary_markdown_is_formatted() -> None:
    html = to_html("**Slower.** `set_tempo`\n\n- one\n- two\n\n| a | b |\n|--|--|\n| 1 | 2 |", DARK)
    for piece in ("<strong>Slower.</strong>", "<code>set_tempo</code>", "<li>one</li>", "<td>1</td>"):
        assert piece in html


def test_a_link_shows_where_it_leads() -> None:
    html = to_html("[your bank](https://evil.example/x)", DARK)
    assert '<a href="https://evil.example/x">your bank</a> (https://evil.example/x)' in html
    assert to_html("<https://plain.example>", DARK).count("https://plain.example") == 2


def test_an_unclosed_fence_while_streaming_is_code_already() -> None:
    whole = "Look:\n```python\nx = 1 < 2\n```\nDone."
    for end in range(len(whole)):
        assert_harmless(whole[:end])
    assert re.search(r"<pre>x = 1 &lt; 2", to_html(whole[:25], DARK))


def test_megabytes_are_cut_and_say_so() -> None:
    html = to_html("a " * 2_000_000, DARK)
    assert len(html) < 2 * LONGEST
    assert "(cut)" in html


def test_a_link_is_opened_only_after_it_was_shown(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    assert ask_to_open("file:///etc/passwd", parent) is None
    assert ask_to_open("javascript:alert(1)", parent) is None
    box = ask_to_open("https://a.example/<b>", parent)
    assert isinstance(box, QMessageBox)
    assert "https://a.example/<b>" in box.informativeText()
    assert box.defaultButton().text() == "Cancel"
    box.close()


def test_all_of_a_long_address_is_shown_with_whom_it_asks(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    address = "https://your-bank.example@evil.example/" + "a" * 1500 + "end"
    box = ask_to_open(address, parent)
    assert isinstance(box, QMessageBox)
    assert box.informativeText().replace("\u200b", "") == address
    assert " evil.example " in box.text()
    box.close()
    assert ask_to_open("https://a.example/" + "a" * LONGEST_ADDRESS, parent) is None


def test_code_of_a_text_is_found() -> None:
    assert code_blocks("a\n\n```py\nx = 1\n```\n\n    y = 2\n\n`no`") == ("x = 1\n", "y = 2\n")
