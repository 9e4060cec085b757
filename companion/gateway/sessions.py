"""Keys of sessions: what a client may say, and the one form the gateway uses. Pure."""

from __future__ import annotations

AGENT_ID = "main"
MAIN_KEY = "main"
_PREFIX = f"agent:{AGENT_ID}:"


def canonical(key: str) -> str:
    """Return the full form of a session's key: `main` becomes `agent:main:main`.

    Raises:
        ValueError: If the key names another agent; this gateway has one.
    """
    key = key.strip()
    if not key.startswith("agent:"):
        if not key:
            raise ValueError("the session key is blank")
        return _PREFIX + key
    if not key.startswith(_PREFIX) or len(key) == len(_PREFIX):
        raise ValueError(f"no session {key!r} here: this gateway has one agent, {AGENT_ID!r}")
    return key
