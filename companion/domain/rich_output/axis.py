"""Value axes: their domain, their ticks, and the labels of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext

from companion.domain.rich_output.model import ChartKind
from companion.domain.rich_output.numbers import Number, decimal_of

_WIDE = Context(prec=60, Emin=-99_999, Emax=99_999)
_STEPS = (Decimal(1), Decimal(2), Decimal("2.5"), Decimal(5))
_TENTH = Decimal("0.1")
# Between these, differences of floats neither overflow nor lose their digits.
_PLAIN_FROM, _PLAIN_TO = Decimal("1e-270"), Decimal("1e290")


@dataclass(frozen=True, slots=True)
class NumberWords:
    """How a language writes numbers; divisors from large to small."""

    group: str = ","
    point: str = "."
    divisors: tuple[tuple[int, str], ...] = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K"))

    def write(self, number: Decimal, decimals: int) -> str:
        """Return *number* with grouped digits and that many decimals."""
        text = f"{number:,.{decimals}f}"
        return text.translate({ord(","): self.group, ord("."): self.point})


ENGLISH = NumberWords()


@dataclass(frozen=True, slots=True)
class Axis:
    """Ticks from low to high; the first and the last are the domain."""

    ticks: tuple[Decimal, ...]
    step: Decimal
    is_empty: bool
    """Whether there is no value to draw."""

    def sharing(self) -> Callable[[Number], float]:
        """Return the function from a value to its place between the first tick (0) and the last (1)."""
        low, high = self.ticks[0], self.ticks[-1]
        if _PLAIN_FROM < high - low < _PLAIN_TO:
            start, span = float(low), float(high) - float(low)
            return lambda value: (value - start) / span
        return self._exact_share

    def _exact_share(self, value: Number) -> float:
        low, high = self.ticks[0], self.ticks[-1]
        with localcontext(_WIDE):
            return float((_exact(value) - low) / (high - low))


def _exact(value: Number) -> Decimal:
    # The shortest text of a number near the smallest float has fewer digits than its value.
    return Decimal(value) if value and abs(value) < 1e-280 else decimal_of(value)


def value_axis(
    values: Iterable[Number | None], kind: ChartKind, wanted: int, *, from_zero: bool = False
) -> Axis:
    """Return the axis for *values* with about *wanted* ticks, at least 2."""
    with localcontext(_WIDE):
        numbers = [value for value in values if value is not None]
        ends = [_exact(min(numbers)), _exact(max(numbers))] if numbers else []
        low, high = _domain(ends, from_zero or kind == "bar")
        whole = bool(numbers) and all(float(number).is_integer() for number in numbers)
        step = _step_from((high - low) / (wanted - 1), whole)
        while True:
            first, last = _floor(low / step), -_floor(-high / step)
            if last - first + 1 <= wanted + 1:
                break
            step = _step_from(step, whole, larger=True)
        ticks = tuple((step * count) for count in range(first, last + 1))
    return Axis(ticks, step, not numbers)


def _floor(number: Decimal) -> int:
    return int(number.to_integral_value("ROUND_FLOOR"))


def _domain(numbers: Sequence[Decimal], with_zero: bool) -> tuple[Decimal, Decimal]:
    zero = Decimal(0)
    if not numbers:
        return zero, Decimal(1)
    low, high = min(numbers), max(numbers)
    near = (low > 0 and 2 * low <= high) or (high < 0 and 2 * high >= low)
    if with_zero or near:
        low, high = min(low, zero), max(high, zero)
    if low == high:
        return (low - abs(low) * _TENTH, high + abs(high) * _TENTH) if low else (zero, Decimal(1))
    return low, high


def _step_from(least: Decimal, whole: bool, *, larger: bool = False) -> Decimal:
    exponent = least.adjusted()
    for power in (exponent, exponent + 1, max(exponent, 0) + 1):
        for factor in _STEPS:
            step = factor.scaleb(power)
            fits = step > least if larger else step >= least
            if fits and not (whole and step != step.to_integral_value()):
                return step
    return Decimal(1)


def axis_labels(axis: Axis, words: NumberWords = ENGLISH) -> tuple[str, ...]:
    """Return the labels of the ticks; they are always distinct, and zero is `0`."""
    with localcontext(_WIDE):
        largest = max(abs(tick) for tick in axis.ticks)
        if largest >= Decimal("1e15") or largest < Decimal("1e-4"):
            return _scientific(axis.ticks, words)
        divisor, suffix = 1, ""
        if largest >= 100_000:
            divisor, suffix = next((pair for pair in words.divisors if largest >= pair[0]), (1, ""))
        decimals = _decimals(axis.step / divisor)
        return tuple(words.write(tick / divisor, decimals) + suffix if tick else "0" for tick in axis.ticks)


def _decimals(step: Decimal) -> int:
    exponent = step.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _scientific(ticks: Sequence[Decimal], words: NumberWords) -> tuple[str, ...]:
    for decimals in range(60):
        rounded = [_mantissa(tick, decimals) for tick in ticks]
        exact = all(
            abs(mantissa.scaleb(exponent) - tick) <= abs(tick) / 1000
            for (mantissa, exponent), tick in zip(rounded, ticks, strict=True)
        )
        if exact and len(set(rounded)) == len(ticks):
            break
    return tuple(
        f"{words.write(mantissa, decimals)}e{exponent}" if mantissa else "0" for mantissa, exponent in rounded
    )


def _mantissa(tick: Decimal, decimals: int) -> tuple[Decimal, int]:
    if not tick:
        return Decimal(0), 0
    exponent = tick.adjusted()
    return round(tick.scaleb(-exponent), decimals), exponent
