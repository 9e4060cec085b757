"""Numbers for people: in full for the table, short for reading one point."""

from __future__ import annotations

from decimal import Context, Decimal, localcontext

from companion.domain.rich_output.axis import ENGLISH, NumberWords
from companion.domain.rich_output.numbers import Number, decimal_of, scientific

GAP = "—"
_SHORT_DIGITS = 4
_SHORT_DECIMALS = 3


def full_text(value: Number | None, words: NumberWords = ENGLISH) -> str:
    """Return a value with all its digits; a gap is a dash."""
    return GAP if value is None else _write(decimal_of(value), words)


def short_text(value: Number | None, words: NumberWords = ENGLISH) -> str:
    """Return a value with 3 decimals from 1 upwards and 4 digits below; a gap is a dash."""
    if value is None:
        return GAP
    number = decimal_of(value)
    if _is_extreme(number) or abs(number) < 1:
        rounded = Context(prec=_SHORT_DIGITS).plus(number)
    else:
        with localcontext(Context(prec=60)):
            rounded = round(number, _SHORT_DECIMALS)
    return _write(rounded, words)


def _is_extreme(number: Decimal) -> bool:
    return bool(number) and not -6 <= number.adjusted() < 15


def _write(number: Decimal, words: NumberWords) -> str:
    if not number:
        return "0"
    if _is_extreme(number):
        return scientific(number).replace(".", words.point)
    exponent = number.normalize().as_tuple().exponent
    return words.write(number, max(0, -exponent) if isinstance(exponent, int) else 0)
