"""Why a document of a surface is refused."""

from __future__ import annotations


class A2uiError(ValueError):
    """The input is refused; the model reads the message, which says what to do.

    Args:
        category: A word for programs, `missing_id`.
        frame: The 1-based number of the line or component that is wrong.
    """

    def __init__(self, category: str, message: str, *, frame: int | None = None) -> None:
        super().__init__(message)
        self.category = category
        self.frame = frame
