"""Numbers of agents and of CSV cells: which are taken, and their shortest exact text."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import TypeAlias, TypeGuard

Number: TypeAlias = int | float

_PLAIN = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WORDS = frozenset({"nan", "inf", "infinity", "null", "none", "n/a", "na", "-", "–", "—"})
_CURRENCIES = tuple("$€£¥")
_GROUPS = re.compile(r"[+-]?[0-9]{1,3}([,.'’ \u00a0\u2009\u202f_][0-9]{3})+([.,][0-9]+)?")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")

ADVICE = {
    "overflow": "The number is out of range for a 64-bit float.",
    "unicode_minus": "Use the ASCII hyphen-minus.",
    "not_a_number_token": "Leave the cell empty for a gap.",
    "percent": 'Drop the sign and put "(%)" into the label.',
    "currency": "Drop the sign and put it into the label.",
    "thousands_separator": "Remove the thousands separator.",
    "decimal_comma": "Use a point for decimals.",
    "text": "The column must be numeric.",
}


class CellRefused(ValueError):
    """A cell is neither a number nor empty."""

    def __init__(self, hint: str) -> None:
        self.hint = hint
        super().__init__(ADVICE[hint])


def is_number(value: object) -> TypeGuard[Number]:
    """Say whether *value* is a number and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_finite(value: Number) -> bool:
    """Say whether a number is finite as a 64-bit float."""
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def tidy(value: Number) -> Number:
    """Return a finite number as it is kept: whole ones below 2^53 as integers, without a negative zero."""
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def read_cell(cell: str) -> Number | None:
    """Return the number of a cell, or None for an empty one.

    Raises:
        CellRefused: If it is anything else.
    """
    text = cell.strip()
    if not text:
        return None
    if not _PLAIN.fullmatch(text):
        raise CellRefused(_looks_like(text))
    number = float(text)
    if not math.isfinite(number):
        raise CellRefused("overflow")
    return tidy(number)


def _looks_like(text: str) -> str:
    tests = {
        "unicode_minus": text[0] == "\u2212" and bool(_PLAIN.fullmatch(text[1:])),
        "not_a_number_token": text.casefold().lstrip("+-") in _WORDS or text.casefold() in _WORDS,
        "percent": text.endswith("%"),
        "currency": text.startswith(_CURRENCIES) or text.endswith(_CURRENCIES),
        "thousands_separator": bool(_GROUPS.fullmatch(text)),
        "decimal_comma": bool(_COMMA.fullmatch(text)),
    }
    return next((hint for hint, fits in tests.items() if fits), "text")


def decimal_of(value: Number) -> Decimal:
    """Return a number as the decimal that a person would write for it."""
    return Decimal(value) if isinstance(value, int) else Decimal(repr(value))


def scientific(number: Decimal) -> str:
    """Return a decimal as `1.5e21`."""
    digits = number.normalize()
    exponent = digits.adjusted()
    return f"{digits.scaleb(-exponent):f}e{exponent}" if digits else "0"


def shortest(value: Number) -> str:
    """Return the shortest text that reads back as the same number."""
    number = decimal_of(value)
    if not number:
        return "0"
    if -7 < number.adjusted() < 21:
        return f"{number.normalize():f}"
    return scientific(number)
