"""Chains of effects: added, switched, moved, removed and turned by hand; heard before they are kept."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from agent.song.ids import EffectId, TrackId
from agent.song.song import Song
from agent.song.track import Effect, Track
from app.ui.mixer.chain_model import ChainModel
from app.viewmodels.edits.effect_chain import chain_of
from tests.app.ui.mixer.conftest import HOSTILE, SONG, Mixing

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
Key = Qt.Key
Run = Callable[..., None]
E2 = EffectId("e2")


async def at(one: Mixing, track: str, row: int) -> None:
    """Show the settings of one effect of a track."""
    one.room.opened.focus.track.set(TrackId(track))
    await one.room.still()
    chain = one.panel.inspector.chain
    chain.setCurrentIndex(one.panel.inspector.model.index(row))


def names(one: Mixing) -> list[str]:
    return [effect.name for effect in one.song.tracks[0].effects]


def params(one: Mixing) -> dict[str, float]:
    return dict(one.song.tracks[0].effects[1].params)


def test_an_effect_is_found_and_added_to_a_track_and_to_the_master(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        await at(one, "tc", 0)
        assert not one.panel.inspector.nothing.isHidden()
        popup = one.panel.inspector.made_choices()
        QTest.keyClicks(popup.search, "echo")
        QTest.keyClick(popup.search, Key.Key_Return)
        await one.room.still()
        assert [effect.name for effect in one.song.tracks[2].effects] == ["delay"]
        assert "time" in one.panel.inspector.panel.rows
        await one.choose_master()
        one.panel.inspector.add_effect("limiter")
        await one.room.still()
        assert [effect.name for effect in one.song.master_effects] == ["limiter"]
        assert one.panel.inspector.title.text() == "Effects of Master"
        assert one.labels == ["Add Limiter to Master", "Add Delay to Keys"]

    mixing(story)


def test_keys_switch_move_and_remove(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        await at(one, "ta", 1)
        chain = one.panel.inspector.chain
        QTest.keyClick(chain, Key.Key_Return)
        await one.room.still()
        assert not one.song.tracks[0].effects[1].enabled
        QTest.keyClick(chain, Key.Key_Up, ALT)
        await one.room.still()
        assert names(one) == ["reverb", "eq", "mystery box"]
        assert chain.currentIndex().row() == 0
        QTest.keyClick(chain, Key.Key_Up, ALT)
        QTest.mouseClick(one.panel.inspector.down, LEFT)
        await one.room.still()
        assert names(one) == ["eq", "reverb", "mystery box"]
        QTest.keyClick(chain, Key.Key_Delete)
        await one.room.still()
        assert names(one) == ["eq", "mystery box"]
        assert one.song.tracks[0].automation == ()
        assert one.labels == ["Remove Reverb", "Move Reverb", "Move Reverb", "Bypass Reverb"]

    mixing(story)


def test_an_effect_is_dragged_to_another_place(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        await at(one, "ta", 0)
        chain = one.panel.inspector.chain
        places = [chain.visualRect(chain.model().index(row)).center() for row in range(3)]

        def hold(start: QPoint, end: QPoint) -> None:
            QTest.mousePress(chain.viewport(), LEFT, NONE, start)
            QTest.mouseMove(chain.viewport(), (start + end) / 2)
            QTest.mouseMove(chain.viewport(), end)

        hold(places[0] + QPoint(30, 0), places[2] + QPoint(30, 8))
        assert chain.gap == 3
        QTest.keyClick(chain, Key.Key_Escape)
        QTest.mouseRelease(chain.viewport(), LEFT, NONE, places[2])
        await one.room.still()
        assert names(one) == ["eq", "reverb", "mystery box"]
        hold(places[0] + QPoint(30, 0), places[2] + QPoint(30, 8))
        QTest.mouseRelease(chain.viewport(), LEFT, NONE, places[2] + QPoint(30, 8))
        await one.room.still()
        assert names(one) == ["reverb", "mystery box", "eq"]
        assert one.labels == ["Move Equaliser"]

    mixing(story)


def test_a_parameter_is_heard_while_it_is_dragged_and_becomes_one_version(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        await at(one, "ta", 1)
        slider = one.panel.inspector.panel.rows["mix"].slider
        middle = slider.rect().center()
        QTest.mousePress(slider, LEFT, NONE, middle)
        for dx in (5, 11, 17):
            QTest.mouseMove(slider, middle + QPoint(dx, 0))
        await one.room.until(lambda: one.turned)
        assert params(one)["mix"] == 0.4
        assert one.panel.inspector.panel.rows["mix"].field.text() != "40%"
        QTest.mouseRelease(slider, LEFT, NONE, middle + QPoint(17, 0))
        await one.room.still()
        assert 0.45 < params(one)["mix"] < 0.9
        assert params(one)["room_size"] == 3.0
        assert one.turned == {}
        assert one.labels == ["Reverb settings"]
        kept = params(one)
        QTest.mousePress(slider, LEFT, NONE, middle)
        QTest.mouseMove(slider, middle + QPoint(-20, 0))
        QTest.keyClick(slider, Key.Key_Escape)
        QTest.mouseRelease(slider, LEFT, NONE, middle)
        await one.room.still()
        assert one.turned == {}
        assert params(one) == kept
        QTest.mouseDClick(slider, LEFT, NONE, middle)
        await one.room.still()
        assert params(one)["mix"] == 0.25

    mixing(story)


def test_keys_turn_and_values_are_typed(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        await at(one, "ta", 0)
        row = one.panel.inspector.panel.rows["mid_freq"]
        QTest.keyClick(row.slider, Key.Key_Right)
        QTest.keyClick(row.slider, Key.Key_Right, SHIFT)
        assert row.field.text() == "1.05 kHz"
        assert one.song.tracks[0].effects[0].params == ()
        await one.room.until(lambda: one.song.tracks[0].effects[0].params)
        row.field.setFocus()
        row.field.selectAll()
        QTest.keyClicks(row.field, "2,5k")
        QTest.keyClick(row.field, Key.Key_Return)
        await one.room.still()
        assert dict(one.song.tracks[0].effects[0].params)["mid_freq"] == 2500
        QTest.keyClicks(row.field, "x")
        QTest.keyClick(row.field, Key.Key_Escape)
        assert row.field.text() == "2.5 kHz"
        QTest.keyClick(row.slider, Key.Key_Backspace)
        await one.room.still()
        assert dict(one.song.tracks[0].effects[0].params)["mid_freq"] == 1000
        assert row.slider.accessibleName() == "Mid frequency of Equaliser"

    mixing(story)


def test_what_is_out_of_range_automated_or_unknown_is_shown(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        await at(one, "ta", 1)
        rows = one.panel.inspector.panel.rows
        assert rows["room_size"].field.text() == "300%"
        assert rows["room_size"].slider.accessibleDescription() == "300%, out of range"
        assert "automated" in rows["damping"].slider.accessibleDescription()
        await at(one, "ta", 2)
        assert one.panel.inspector.panel.rows == {}
        assert "not known" in one.panel.inspector.panel.note.text()
        QTest.mouseClick(one.panel.inspector.panel.bypass, LEFT)
        await one.room.still()
        assert not one.song.tracks[0].effects[2].enabled

    mixing(story)


def test_presets_come_with_the_program_and_are_kept(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        await at(one, "ta", 1)
        panel = one.panel.inspector.panel

        def pick(name: str) -> None:
            menu = panel.made_menu()
            next(action for action in menu.actions() if action.text() == name).trigger()
            menu.close()

        pick("Cathedral")
        await one.room.still()
        assert params(one) == {"room_size": 0.9, "damping": 0.25, "mix": 0.4}
        panel.save_preset("  Mine & yours  ")
        await one.room.still()
        pick("Default")
        await one.room.still()
        assert params(one)["room_size"] == 0.5
        pick("Mine && yours")
        await one.room.still()
        assert params(one)["room_size"] == 0.9
        kept = one.panel.board.presets.of("reverb")
        assert [preset.name for preset in kept] == ["Mine & yours"]
        assert kept[0].values["width"] == 1.0
        await one.panel.board.presets.forget(kept[0])
        assert one.panel.board.presets.kept.value == ()

    mixing(story)


def test_a_chain_is_a_sound_model(qapp: QApplication, theme: object) -> None:
    from stages import palette

    model = ChainModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    links = chain_of(SONG, TrackId("ta"), palette())
    told: list[int] = []
    model.switch_wanted.connect(told.append)
    for some in (links, links[:2], (), links):
        model.show_links(some)
    assert model.setData(model.index(1), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert told == [1]
    assert model.data(model.index(1), Qt.ItemDataRole.AccessibleTextRole) == "2. Reverb, on"


def test_hostile_effects_are_plain_and_many(mixing: Run) -> None:
    async def story(one: Mixing) -> None:
        await at(one, "ta", 0)
        inspector = one.panel.inspector
        assert inspector.model.rowCount() == 300
        assert "<img" not in inspector.model.data(inspector.model.index(0), Qt.ItemDataRole.ToolTipRole)
        assert "<img" in inspector.panel.title.text()
        one.panel.grab()

    effects = tuple(Effect(EffectId(f"e{n}"), HOSTILE, ((HOSTILE, 1e300),)) for n in range(300))
    mixing(story, Song(tracks=(Track(TrackId("ta"), HOSTILE, "x", effects=effects),)))
