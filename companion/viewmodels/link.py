"""Connected or not, since when, and what comes next: the words of the status chip."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Signal

from gateway_client.errors import ConnectRefused
from gateway_client.status import LinkState, LinkStatus

Tone: TypeAlias = Literal["ok", "warn", "danger"]


class LinkModel(QObject):
    """What the status chip says about the gateway.

    Args:
        gateway_name: What a person calls the gateway.
    """

    changed = Signal()

    def __init__(self, gateway_name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.gateway_name = gateway_name
        self.tone: Tone = "warn"
        self.text = f"{gateway_name} · connecting…"
        self.detail = ""
        """A sentence with a next step, or nothing when all is well."""
        self.is_ready = False
        self.agent = ""
        """Who answers, as far as the gateway says it."""

    def show_status(self, status: LinkStatus) -> None:
        """Take the client's state."""
        match status.state:
            case LinkState.READY:
                trip = f" · {status.round_trip_ms} ms" if status.round_trip_ms is not None else ""
                self._set("ok", f"{self.gateway_name}{trip}", "", is_ready=True)
            case LinkState.CONNECTING:
                self._set("warn", f"{self.gateway_name} · connecting…", "")
            case LinkState.WAITING:
                wait = f" Next try in {status.retry_in_s:.0f} s." if status.retry_in_s else ""
                self._set("warn", f"{self.gateway_name} · reconnecting…", f"{_sentence(status.reason)}{wait}")
            case LinkState.REFUSED:
                self._set("danger", f"{self.gateway_name} · refused", refusal_sentence(status))
            case LinkState.CLOSED:
                self._set("danger", f"{self.gateway_name} · not connected", _sentence(status.reason))

    def show_problem(self, sentence: str) -> None:
        """Show what happened to the embedded gateway, in words."""
        self._set("warn", f"{self.gateway_name} · restarting…", sentence)

    def _set(self, tone: Tone, text: str, detail: str, *, is_ready: bool = False) -> None:
        if (tone, text, detail, is_ready) == (self.tone, self.text, self.detail, self.is_ready):
            return
        self.tone, self.text, self.detail, self.is_ready = tone, text, detail, is_ready
        self.changed.emit()


def refusal_sentence(status: LinkStatus) -> str:
    """Say why the gateway refused us, and what helps."""
    step = status.error.advice if isinstance(status.error, ConnectRefused) else ""
    return f"{_sentence(status.reason)} {step}".strip()


def _sentence(text: str) -> str:
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text.endswith((".", "…", "!", "?")) else ".")
