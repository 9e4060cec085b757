"""Why a call was refused, told so that a model can mend it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MAX_PROBLEMS = 5


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong."""

    code: str
    pointer: str
    """A JSON pointer into the arguments."""
    message: str
    """A sentence without its place and without absolute paths."""
    advice: str = ""
    """What to do instead, as a sentence."""
    hint: str = ""
    """A word for what a refused cell looks like."""
    row: int | None = None
    """The record, where the header is 1."""
    line: int | None = None
    """The line of the file where the record starts."""
    column: str | None = None

    def told(self) -> str:
        """Return the line that the model reads."""
        places = [f"row {self.row}" if self.row is not None else ""]
        if self.line is not None:
            places[0] += f" (line {self.line})"
        if self.column is not None:
            places.append(f'column "{self.column}"')
        place = ", ".join(part for part in places if part)
        where = f"{self.pointer or 'the arguments'}: {place + ': ' if place else ''}"
        advice = f"\nHint: {self.advice}" if self.advice else ""
        return f"[{self.code}] {where}{self.message}{advice}"

    def to_json(self) -> dict[str, Any]:
        """Return the same for programs; fields that say nothing are left out."""
        told: dict[str, Any] = {"code": self.code, "pointer": self.pointer, "message": self.message}
        more = {"row": self.row, "line": self.line, "column": self.column, "hint": self.advice or None}
        return told | {name: value for name, value in more.items() if value is not None}


class Refused(Exception):
    """A call is not accepted; the first problem is the outcome."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        super().__init__("\n".join(problem.told() for problem in problems))

    @property
    def first(self) -> Problem:
        """The first problem in the order of the document."""
        return self.problems[0]


class EnoughProblems(Exception):
    """As many problems were found as are told at once."""


class Findings:
    """Collects problems in the order in which they are found."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def add(self, code: str, pointer: str, message: str, advice: str = "") -> None:
        """Note a problem.

        Raises:
            EnoughProblems: If no more are told.
        """
        self.problems.append(Problem(code, pointer, message, advice))
        if len(self.problems) == MAX_PROBLEMS:
            raise EnoughProblems


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: `1 point`, `2 points`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
