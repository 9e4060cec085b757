"""Files of `resources/`, found from a source checkout, from an installed wheel and in a frozen program.

The only place that knows where they lie. Names are relative and use forward slashes: `styles/dark.qss`.
"""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath


class ResourceMissing(LookupError):
    """A file that belongs to the installation is not there, or its name leads outside."""


def resource_path(name: str) -> Path:
    """Find a file or folder of `resources/`.

    Args:
        name: Path below `resources/`, with forward slashes.

    Raises:
        ResourceMissing: If the name leads outside, or nothing of that name is installed.
    """
    parts = PurePosixPath(name).parts
    if not parts or "\\" in name or PurePosixPath(name).is_absolute() or ".." in parts:
        raise ResourceMissing(
            f"{name!r} is no name of a resource. Use a relative path with forward slashes, without '..'."
        )
    for root in _roots():
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise ResourceMissing(
        f"the file {name!r} of Companion is missing. Install the program again; looked in "
        + ", ".join(str(root) for root in _roots())
        + "."
    )


def read_text(name: str) -> str:
    """Read a text file of `resources/`, as UTF-8.

    Raises:
        ResourceMissing: As `resource_path`.
    """
    return resource_path(name).read_text(encoding="utf-8")


def _roots() -> tuple[Path, ...]:
    frozen = getattr(sys, "_MEIPASS", None)
    if frozen is not None:
        # A frozen program looks nowhere else: a folder beside it is not part of it.
        return (Path(frozen) / "companion" / "_resources",)
    package = Path(__file__).resolve().parent
    return (package / "_resources", package.parent / "resources")
