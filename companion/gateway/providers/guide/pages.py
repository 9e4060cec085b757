"""The widgets that the Guide shows. Colours come from the host's theme."""

from __future__ import annotations

from dataclasses import dataclass

from companion import resources

AFTER = (
    "Here is a widget. It was made by the tool `show_widget`, runs in a sandbox without a network, "
    "and takes its colours from this window."
)


@dataclass(frozen=True, slots=True)
class Page:
    """A widget of the Guide: its title and the file that holds its markup."""

    title: str
    file: str

    @property
    def code(self) -> str:
        """Return what goes into `show_widget`."""
        return resources.read_text(f"guide/{self.file}").strip()


PAGES: tuple[tuple[str, Page], ...] = (
    ("svg", Page("How an answer reaches you", "diagram.svg")),
    ("counter", Page("Counter", "counter.html")),
    ("", Page("A small dashboard", "dashboard.html")),
)
"""Word to page, looked at in order; the last one is for any words."""


def choose(text: str) -> Page:
    """Return the page that *text*, in lower case, asks for."""
    return next(page for word, page in PAGES if word in text)
