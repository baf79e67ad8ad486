"""What a run that changes no song tells at its end: tables that are never silently short, and safe to show."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Step
from agent.plan.tool import ToolSpec
from agent.session.ports import RowReport
from agent.session.report_words import markdown, shown
from agent.session.run_report import BarChart, ReportColumn, ReportSection, RunReport, run_report

SIZES = {"type": "object", "properties": {"volumes": {"type": "array", "items": {"type": "object", "properties": {
    "size": {"type": "integer", "unit": "bytes"}}}}}}
TOOLS = {
    "query": ToolSpec("query", "inventory", "1", "Machines by tag. And more.", {}, {}),
    "disk": ToolSpec("disk", "inventory", "1", "Disks of a machine.", {}, SIZES, effect="outside"),
    "edit": ToolSpec("edit", "song", "1", "Changes the song.", {}, {}, changes_song=True),
}
PLAN = Plan((
    Step("found", "query", {"tags": ["win10"]}),
    Step("disks", "disk", {"machine": "{{item.machine}}"}, title="Sizes of C", for_each="{{found.items}}"),
))


def row(step: str, tool: str, state: StepState = StepState.DONE, result: Any = None, **more: Any) -> RowReport:
    return RowReport(step, 0, tool, state, f"{step}{more.get('item', '')}", result=result, **more)


def disk(item: int, machine: str, *sizes: int) -> RowReport:
    volumes = [{"name": "C:", "size": size} for size in sizes]
    return row("disks", "disk", result={"machine": machine, "volumes": volumes}, item=item,
               inputs={"machine": machine})


def found_out(*items: RowReport, state: StepState = StepState.PARTIAL) -> ReportSection:
    rows = (row("found", "query", result={"items": [{"machine": "a"}]}), row("disks", "disk", state, reason="1 of 3"))
    report = run_report(PLAN, rows, items, TOOLS)
    assert report is not None
    [section] = report.sections
    return section


def test_a_loop_is_one_table_and_the_machine_that_is_down_is_in_it() -> None:
    down = row("disks", "disk", StepState.FAILED, item=1, inputs={"machine": "b"}, reason="b refuses connections")
    section = found_out(disk(2, "c", 4_000), down, disk(0, "a", 256_000_000_000, 1_000))
    assert section.title == "Sizes of C"
    assert section.columns == (
        ReportColumn("machine"), ReportColumn("name"), ReportColumn("size", "bytes"), ReportColumn("state")
    )
    assert section.rows == (
        ("a", "C:", 256_000_000_000, None), ("a", "C:", 1_000, None),
        ("b", None, None, "failed: b refuses connections"), ("c", "C:", 4_000, None),
    )
    assert section.bars == BarChart("machine", "size")


def test_what_went_wrong_stands_last_also_where_the_first_machine_is_down() -> None:
    down = row("disks", "disk", StepState.FAILED, item=0, inputs={"machine": "a"}, reason="a is silent")
    section = found_out(down, disk(1, "b", 4_000))
    assert [column.name for column in section.columns] == ["machine", "name", "size", "state"]
    assert section.rows == (("a", None, None, "failed: a is silent"), ("b", "C:", 4_000, None))


def test_only_rows_that_no_other_row_reads_are_told() -> None:
    assert found_out(disk(0, "a", 5), state=StepState.DONE).step == "disks"


def test_a_run_that_changes_the_song_has_no_report() -> None:
    plan = Plan((*PLAN.steps, Step("s", "edit")))
    assert run_report(plan, (row("found", "query", result={"a": 1}),), (), TOOLS) is None


def test_a_row_that_failed_is_told_even_if_others_would_have_read_it() -> None:
    rows = (
        row("found", "query", StepState.FAILED, reason="the inventory is locked"),
        row("disks", "disk", StepState.NOT_RUN, reason="blocked by row found, which is failed"),
    )
    report = run_report(PLAN, rows, (), TOOLS)
    assert report is not None
    assert [(one.title, one.text) for one in report.sections] == [
        ("Machines by tag", "the inventory is locked"), ("Sizes of C", "blocked by row found, which is failed"),
    ]


@pytest.mark.parametrize(("result", "text"), [
    ({"time": "12:00"}, "12:00"), ({"items": []}, "Nothing was found."), ("plain", "plain"), (7, "7"),
    ({"words": ["a", "b"]}, None), ({"deep": {"words": ["a", "b"]}, "text": ""}, None),
])
def test_results_of_other_shapes(result: Any, text: str | None) -> None:
    report = run_report(Plan((Step("q", "query"),)), (row("q", "query", result=result),), (), TOOLS)
    assert report is not None
    [section] = report.sections
    if text is None:
        assert [column.name for column in section.columns] == ["words"]
        assert [list(one) for one in section.rows] == [["a"], ["b"]]
    else:
        assert section.text == text


def told_of(result: Any) -> dict[str, list[dict[str, Any]] | str]:
    """What a report tells of one answer, by the titles of its sections."""
    report = run_report(Plan((Step("q", "query", title="Q"),)), (row("q", "query", result=result),), (), TOOLS)
    assert report is not None
    return {
        one.title: [dict(zip([column.name for column in one.columns], cells, strict=True)) for cells in one.rows]
        if one.columns else one.text
        for one in report.sections
    }


def test_what_a_server_gives_in_mixed_shapes_is_all_told() -> None:
    mixed = {"items": [{"n": 1}, 3, None, [1]], "other": [{"x": 1}, {"x": 2}], "few": [1, 2], "many": list(range(9)),
             "cut": True}
    assert told_of(mixed) == {
        "Q": [{"cut": True, "few": "1, 2", "many": "9 values"}],
        "Q: items": [{"n": 1, "items": None}, {"n": None, "items": 3}, {"n": None, "items": "1"}],
        "Q: other": [{"x": 1}, {"x": 2}],
    }
    assert told_of({"left_out": 0, "cut": False, "items": [{"a": 1, "b": 2}]}) == {"Q": [{"a": 1, "b": 2}]}
    assert told_of({"count": 3, "items": [{"a": 1, "b": 2}]}) == {"Q": "count: 3", "Q: items": [{"a": 1, "b": 2}]}


def test_facts_beside_a_list_stand_once_and_no_name_hides_another() -> None:
    song = {"name": "Song", "key": "C", "sections": [["Verse", 0, 16], ["End", 16, 4]],
            "tracks": [{"name": "Bass", "effects": ["eq", "reverb"], "clips": [{"name": "one"}, {"name": "two"}]},
                       {"name": "Drums", "effects": [], "clips": []}]}
    told = told_of(song)
    assert told["Q"] == [{"name": "Song", "key": "C"}]
    assert told["Q: sections"] == [{"sections": "Verse, 0, 16"}, {"sections": "End, 16, 4"}]
    bass = {"name": "Bass", "effects": "eq, reverb"}
    assert [{name: value for name, value in one.items() if value} for one in told["Q: tracks"]] == [
        {**bass, "clips.name": "one"}, {**bass, "clips.name": "two"}, {"name": "Drums"},
    ]


def test_a_list_of_more_of_the_same_makes_no_rows_of_its_own() -> None:
    """Each machine tells of one volume, and beside it of all that it has."""
    volumes = [{"name": "C:", "size": 500, "free": 100}, {"name": "D:", "size": 900, "free": 1}]
    asked = [row("disks", "disk", item=item, result={"machine": name, "volume": "C:", "size": 500, "free": 100,
                                                    "volumes": volumes[:count]})
             for item, (name, count) in enumerate([("a", 2), ("b", 1)])]
    section = found_out(*asked, state=StepState.DONE)
    assert [column.name for column in section.columns] == ["machine", "volume", "size", "free", "volumes"]
    assert section.rows == (("a", "C:", 500, 100, "C:, D:"), ("b", "C:", 500, 100, "C:"))
    assert section.bars == BarChart("machine", "size")


def test_values_have_their_units() -> None:
    sizes = [shown(size, "bytes") for size in (0, 999, 1_500, 256_000_000_000, 5 * 10**18)]
    assert sizes == ["0 B", "999 B", "1.5 kB", "256.0 GB", "5000.0 PB"]
    assert [shown(None), shown(True), shown(12345), shown(2.5, "seconds")] == ["", "yes", "12,345", "2.5 seconds"]
    assert [shown(share, "share") for share in (0, 0.756, 1)] == ["0%", "76%", "100%"]


def test_what_a_machine_says_has_no_meaning_in_the_table() -> None:
    evil = "x | y\n| z | [click](https://evil.example) <img src=file:///etc/passwd> `rm` \u202e"
    section = ReportSection("s", evil, columns=(
        ReportColumn("a"), ReportColumn("b", "bytes")
    ), rows=((evil, 5), ("b", 10)),
                      bars=BarChart("a", "b"))
    page = MarkdownIt("commonmark").enable("table").render(markdown(RunReport((section,))))
    assert page.count("<tr>") == 3
    assert page.count("<td") == 6
    assert not [tag for tag in ("<a", "<img", "<code") if tag in page]
    assert "\u202e" not in page
    assert [line.count("█") for line in page.splitlines() if "█" in line] == [8, 16]


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4), max_leaves=20,
))
def test_any_result_can_be_told(result: Any) -> None:
    report = run_report(Plan((Step("q", "query"),)), (row("q", "query", result=result),), (), TOOLS)
    if report is not None:
        assert all(len(one) == len(report.sections[0].columns) for one in report.sections[0].rows)
        assert markdown(report)
