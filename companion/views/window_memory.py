"""What the window remembers from one start to the next: place, theme, text size, conversation."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from companion.views.main_window import MainWindow

THEME_CHOICES = ("system", "light", "dark", "high-contrast")


class WindowMemory:
    """Reads and writes `window.ini` of the profile; what it cannot read counts as not said."""

    def __init__(self, folder: Path) -> None:
        self._settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)

    @property
    def theme_choice(self) -> str:
        """The theme a person chose: `system`, or the name of one."""
        value = self._settings.value("theme", "system")
        return value if isinstance(value, str) and value in THEME_CHOICES else "system"

    @theme_choice.setter
    def theme_choice(self, name: str) -> None:
        self._settings.setValue("theme", name)

    @property
    def zoom(self) -> float:
        """The size of text, 1.0 for normal."""
        try:
            return float(str(self._settings.value("zoom", "1.0")))
        except ValueError:
            return 1.0

    @zoom.setter
    def zoom(self, factor: float) -> None:
        self._settings.setValue("zoom", f"{factor:.2f}")

    @property
    def session_key(self) -> str:
        """The conversation that was open, or an empty text."""
        return str(self._settings.value("session", "") or "")

    @session_key.setter
    def session_key(self, key: str) -> None:
        self._settings.setValue("session", key)

    def restore_place(self, window: MainWindow) -> None:
        """Put the window where it was; Qt moves it back if that screen is gone."""
        geometry = self._settings.value("geometry")
        if isinstance(geometry, QByteArray):
            window.restoreGeometry(geometry)

    def keep_place(self, window: MainWindow) -> None:
        """Remember where the window is, and write everything to disk."""
        self._settings.setValue("geometry", window.saveGeometry())
        self._settings.sync()
