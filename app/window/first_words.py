"""The language of the window, from its first frame on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from agent.errors import BandleaderError
from app.i18n import ENGLISH, speak
from app.languages import PLAIN, PSEUDO, SYSTEM, LanguageError, language


def speak_to(
    app: QApplication, choice: str, resources: Path, tell: Callable[[BandleaderError], object]
) -> None:
    """Set the language of the application, as chosen in the settings (`choice`), and of Qt's own dialogs, as far as Qt
    is translated. English if the catalogue cannot be used, which is reported to `tell`."""
    if choice == PLAIN:
        return
    try:
        found = language(choice, resources, QLocale.system().uiLanguages() if choice == SYSTEM else ())
    except LanguageError as error:
        tell(error)
        return
    speak(found)
    if found is ENGLISH or choice == PSEUDO:
        return
    translator = QTranslator(app)
    place = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(QLocale.system() if choice == SYSTEM else QLocale(choice), "qtbase", "_", place):
        app.installTranslator(translator)
