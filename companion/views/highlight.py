"""Code to coloured runs, by pygments; colours are tokens of our theme.

Small code in a language that was met before is coloured at once; everything
else goes to a worker and comes back. Code above 200 KB stays plain, and a lexer
that takes longer than 200 ms leaves the rest plain.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from companion.views.renderer import Jobs

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

SYNC_CHARACTERS = 2_000
MAX_CHARACTERS = 200_000
TIME_LIMIT_S = 0.2
CACHED_CODES = 128


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of code with a token of the theme as its colour."""

    start: int
    end: int
    token: str


Runs: TypeAlias = tuple[Run, ...]

_cache: OrderedDict[tuple[str, int, int], Runs] = OrderedDict()
_met: set[str] = set()


def runs_for(language: str, code: str, jobs: Jobs, take: Callable[[Runs], None]) -> Runs | None:
    """Return the runs of *code* if they can be had at once; else *take* gets them later.

    None means that *take* will be called. Code without a language has no runs.
    """
    if not language or len(code) > MAX_CHARACTERS:
        return ()
    key = (language, len(code), hash(code))
    if key in _cache:
        _cache.move_to_end(key)
        return _cache[key]
    if language in _met and len(code) <= SYNC_CHARACTERS:
        return _remember(key, highlight(language, code))

    def finish(runs: Runs) -> None:
        _met.add(language)
        take(_remember(key, runs))

    jobs.submit(lambda: highlight(language, code), finish)
    return None


def _remember(key: tuple[str, int, int], runs: Runs) -> Runs:
    _cache[key] = runs
    if len(_cache) > CACHED_CODES:
        _cache.popitem(last=False)
    return runs


def highlight(language: str, code: str, *, time_limit_s: float = TIME_LIMIT_S) -> Runs:
    """Return the coloured runs of *code*; none for a language nobody knows."""
    lexer = _lexer(language)
    if lexer is None:
        return ()
    deadline = time.monotonic() + time_limit_s
    runs: list[Run] = []
    for start, kind, text in lexer.get_tokens_unprocessed(code + "\n"):
        token = _token(kind)
        end = min(start + len(text), len(code))
        if token and end > start:
            runs.append(Run(start, end, token))
        if time.monotonic() > deadline:
            break
    return tuple(runs)


def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name  # slow to import, and only needed with code
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language)
    except ClassNotFound:
        return None


def _token(kind: _TokenType) -> str:
    from pygments.token import Comment, Generic, Keyword, Literal, Name, Operator

    table = (
        (Comment, "muted"),
        (Keyword, "accent"),
        (Operator.Word, "accent"),
        (Literal.String, "ok"),
        (Literal, "warn"),
        (Name.Function, "strong"),
        (Name.Class, "strong"),
        (Name.Tag, "accent"),
        (Name.Decorator, "warn"),
        (Generic.Inserted, "ok"),
        (Generic.Deleted, "danger"),
        (Generic.Heading, "strong"),
    )
    # The stub takes a token type for a plain tuple of words.
    return next((token for parent, token in table if kind in cast("Any", parent)), "")
