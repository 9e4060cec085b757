"""The short texts of a category axis: dates are shortened, all else stays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(
    r"(?P<when>[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2})(:(?P<s>[0-9]{2})(\.[0-9]+)?)?"
    r"(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?"
)


@dataclass(frozen=True, slots=True)
class DateWords:
    """How a language writes dates, with `{month}`, `{day}` and `{year}`."""

    months: tuple[str, ...] = (
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    )  # fmt: skip
    month_pattern: str = "{month} {year}"
    day_pattern: str = "{month} {day}"
    year_pattern: str = "{month} {day}, {year}"

    def write(self, pattern: str, when: datetime) -> str:
        """Fill a pattern."""
        return pattern.format(month=self.months[when.month - 1], day=when.day, year=f"{when.year:04}")


ENGLISH_DATES = DateWords()


def category_texts(labels: Sequence[str], words: DateWords = ENGLISH_DATES) -> tuple[str, ...]:
    """Return a text for each label; where shortening would make two alike, all stay as written."""
    try:
        short = _months(labels, words) or _days(labels, words) or _times(labels, words)
    except ValueError:
        # It looks like a date and is none, such as 30 February.
        return tuple(labels)
    if short is None or len(set(short)) < len(set(labels)):
        return tuple(labels)
    return short


def _months(labels: Sequence[str], words: DateWords) -> tuple[str, ...] | None:
    if not all(_MONTH.fullmatch(label) for label in labels):
        return None
    moments = [datetime.fromisoformat(f"{label}-01") for label in labels]
    return tuple(words.write(words.month_pattern, when) for when in moments)


def _days(labels: Sequence[str], words: DateWords) -> tuple[str, ...] | None:
    if not all(_DAY.fullmatch(label) for label in labels):
        return None
    return _day_texts([datetime.fromisoformat(label) for label in labels], words)


def _day_texts(moments: Sequence[datetime], words: DateWords) -> tuple[str, ...]:
    one_year = len({when.year for when in moments}) == 1
    pattern = words.day_pattern if one_year else words.year_pattern
    return tuple(words.write(pattern, when) for when in moments)


def _times(labels: Sequence[str], words: DateWords) -> tuple[str, ...] | None:
    found = [match for label in labels if (match := _TIME.fullmatch(label))]
    if len(found) < len(labels) or len({match["zone"] for match in found}) != 1:
        return None
    moments = [datetime.fromisoformat(f"{match['when']}:{match['s'] or '00'}") for match in found]
    clock = "%H:%M:%S" if any(when.second for when in moments) else "%H:%M"
    times = [when.strftime(clock) for when in moments]
    if len({when.date() for when in moments}) == 1:
        return tuple(times)
    days = _day_texts(moments, words)
    if len(set(days)) == len(set(labels)):
        return days
    return tuple(f"{day} {time}" for day, time in zip(days, times, strict=True))
