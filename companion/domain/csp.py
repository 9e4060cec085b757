"""Content security policies of foreign pages and of the document around them, as values and headers. Pure.

A page is never given more than `PAGE_POLICY` says, whatever policy its gateway
sent with it. Which request is answered at all is decided in `serving`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Tier: TypeAlias = Literal["strict", "scripts"]
"""How much a page may do: nothing but show itself, or run its own inline scripts as well."""

SCHEME = "companion-view"
"""The scheme of every foreign page; its host is the id of a view."""

Header: TypeAlias = tuple[str, str]

_NONE = ("'none'",)

# Written out, not derived: this is what a reviewer compares with the design.
_SCRIPTS_DIRECTIVES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("default-src", _NONE),
    ("script-src", ("'unsafe-inline'",)),
    ("style-src", ("'unsafe-inline'",)),
    ("img-src", ("data:", "blob:")),
    ("font-src", ("data:",)),
    ("media-src", ("data:", "blob:")),
    ("connect-src", _NONE),
    ("frame-src", _NONE),
    ("child-src", _NONE),
    ("worker-src", _NONE),
    ("object-src", _NONE),
    ("manifest-src", _NONE),
    ("base-uri", _NONE),
    ("form-action", _NONE),
    ("webrtc", ("'block'",)),
    ("sandbox", ("allow-scripts", "allow-forms")),
)

# Names this engine does not know are ignored by it, so the list may be longer than the engine's own.
_FEATURES = (
    "accelerometer",
    "ambient-light-sensor",
    "attribution-reporting",
    "autoplay",
    "bluetooth",
    "browsing-topics",
    "camera",
    "captured-surface-control",
    "clipboard-read",
    "clipboard-write",
    "compute-pressure",
    "cross-origin-isolated",
    "deferred-fetch",
    "digital-credentials-get",
    "direct-sockets",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "gamepad",
    "geolocation",
    "gyroscope",
    "hid",
    "identity-credentials-get",
    "idle-detection",
    "join-ad-interest-group",
    "keyboard-map",
    "local-fonts",
    "local-network-access",
    "magnetometer",
    "microphone",
    "midi",
    "otp-credentials",
    "payment",
    "picture-in-picture",
    "private-aggregation",
    "private-state-token-issuance",
    "private-state-token-redemption",
    "publickey-credentials-create",
    "publickey-credentials-get",
    "run-ad-auction",
    "screen-wake-lock",
    "serial",
    "shared-storage",
    "shared-storage-select-url",
    "speaker-selection",
    "storage-access",
    "sync-xhr",
    "unload",
    "usb",
    "usb-unrestricted",
    "web-share",
    "window-management",
    "xr-spatial-tracking",
)


@dataclass(frozen=True, slots=True)
class Policy:
    """A content security policy: directives in order, each with its sources."""

    directives: tuple[tuple[str, tuple[str, ...]], ...]

    def text(self) -> str:
        """Return the value of the `Content-Security-Policy` header."""
        return "; ".join(" ".join((name, *sources)) for name, sources in self.directives)

    def sources(self, name: str) -> tuple[str, ...]:
        """Return the sources of directive *name*; empty if the policy does not have it."""
        return dict(self.directives).get(name, ())


def page_policy(tier: Tier) -> Policy:
    """Return the policy of a foreign page; tier `strict` runs no script at all."""
    if tier == "scripts":
        return Policy(_SCRIPTS_DIRECTIVES)
    kept = (entry for entry in _SCRIPTS_DIRECTIVES if entry[0] != "script-src")
    return Policy(
        tuple(("sandbox", ("allow-forms",)) if name == "sandbox" else (name, s) for name, s in kept)
    )


def outer_policy(view_id: str) -> Policy:
    """Return the policy of our own document around the page of view *view_id*.

    It frames that one page and nothing else, so a page that navigates itself
    elsewhere is stopped here before anything is sent.
    """
    return Policy(
        (
            ("default-src", _NONE),
            ("style-src", ("'unsafe-inline'",)),
            ("frame-src", (f"{SCHEME}://{view_id}/page",)),
            ("base-uri", _NONE),
            ("form-action", _NONE),
        )
    )


def permissions_policy() -> str:
    """Return the value of the `Permissions-Policy` header: every feature for nobody."""
    return ", ".join(f"{feature}=()" for feature in _FEATURES)


def headers(policy: Policy) -> tuple[Header, ...]:
    """Return every header that goes out with a document under *policy*."""
    return (
        ("Content-Security-Policy", policy.text()),
        ("Permissions-Policy", permissions_policy()),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("X-DNS-Prefetch-Control", "off"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    )
