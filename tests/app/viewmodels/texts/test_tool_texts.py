"""What a person reads of a tool before approving it: all of it, and nothing hidden."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.services.mcp_servers.pins import differences, pin
from app.services.mcp_servers.plain_text import is_hidden
from app.viewmodels.texts.tool_texts import differences_words, seen_as_approved, seen_with_changes

_SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}


@given(st.text(), st.text(st.characters(exclude_categories=("Cc", "Cs"))))
def test_a_text_shows_all_and_hides_nothing(description: str, title: str) -> None:
    [seen] = seen_as_approved("odd", (pin("say", description, {**_SCHEMA, "title": title}),))
    assert not any(map(is_hidden, seen.text))
    assert seen.hidden is any(map(is_hidden, description + title))
    if not seen.hidden:
        assert description.strip() in seen.text
    for char in filter(is_hidden, description + title):
        assert f"⟨U+{ord(char):04X}⟩" in seen.text


def test_changes_come_first_with_what_was_and_what_is() -> None:
    same, old, gone = pin("same", "Same.", _SCHEMA), pin("say", "Says.", _SCHEMA), pin("old", "Old.", _SCHEMA)
    now = pin("say", "Says.", {**_SCHEMA, "required": ["text"]})
    new = pin("new", "New.", _SCHEMA, None, {"readOnlyHint": True})
    found = differences((same, old, gone), (same, now, new))
    tools = seen_with_changes("odd", (same, now, new), found)
    assert [(tool.name, tool.state) for tool in tools] == [
        ("odd__say", "changed"), ("odd__new", "new"), ("odd__old", "gone"), ("odd__same", "")
    ]
    assert differences_words(found) == "1 tool changed, 1 is gone, 1 is new"
    text = tools[0].text
    assert "Takes, as you approved it:" in text
    assert '"required"' not in text.partition("Takes, now:")[0]
    assert '"required"' in text.partition("Takes, now:")[2]
    assert text.count("What it says it does") == 1
    assert "readOnlyHint" in tools[1].text
    assert "no longer has this tool" in tools[2].text
