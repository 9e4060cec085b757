"""What a page that greets its host is told about where it stands."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QLocale, QTimeZone

from companion.domain.sizing import MAX_HEIGHT_PX


def host_context(*, is_dark: bool, width_px: int) -> dict[str, Any]:
    """Return the context of a page in the transcript, in the words of the page protocol."""
    return {
        "theme": "dark" if is_dark else "light",
        "displayMode": "inline",
        "availableDisplayModes": ["inline"],
        "containerDimensions": {"width": width_px, "maxHeight": MAX_HEIGHT_PX},
        "locale": QLocale().bcp47Name(),
        "timeZone": bytes(QTimeZone.systemTimeZoneId().data()).decode("ascii", "replace"),
        "platform": "desktop",
    }
