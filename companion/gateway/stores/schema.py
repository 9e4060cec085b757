"""The steps of the database's schema, oldest first. A step that was released never changes."""

from __future__ import annotations

_FIRST = """
CREATE TABLE sessions (
    key TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    session_key TEXT NOT NULL REFERENCES sessions(key),
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL,
    accepted_at_ms INTEGER NOT NULL,
    ended_at_ms INTEGER
) STRICT;
CREATE INDEX runs_by_state ON runs(state);

CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    session_key TEXT NOT NULL REFERENCES sessions(key),
    seq INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    run_id TEXT,
    role TEXT NOT NULL,
    timestamp_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (session_key, seq)
) STRICT;
CREATE INDEX messages_by_turn ON messages(session_key, turn, seq);
CREATE INDEX messages_by_run ON messages(run_id);

CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_key TEXT NOT NULL,
    title TEXT NOT NULL,
    html TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX documents_by_session ON documents(session_key, number);
"""

MIGRATIONS: tuple[str, ...] = (_FIRST,)
"""Step N of this tuple brings a database to version N."""
