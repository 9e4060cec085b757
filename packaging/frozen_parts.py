"""What the freezer cannot see by itself: modules that are loaded by name, data files, what must stay out."""

from __future__ import annotations

from pathlib import Path

PACKAGES = ("companion", "gateway_client")

LOADED_BY_NAME = (
    # uvicorn chooses its parts by strings.
    "uvicorn.logging",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.h11_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvicorn.lifespan.off",
    # pydantic-ai imports the maker of a model when one is asked for (decision 6).
    "pydantic_ai.direct",
    "pydantic_ai.models.openai",
    "pydantic_ai.providers.openai",
    "pydantic_ai.providers.ollama",
)

METADATA = ("gateway-companion", "pydantic-ai-slim", "genai-prices", "opentelemetry-api")
"""Distributions whose version or entry points are read at run time."""

PACKAGE_DATA = ("pydantic_ai", "genai_prices", "jsonschema", "jsonschema_specifications", "certifi")

EXCLUDED = (
    "tkinter",
    "pydoc",
    "lib2to3",
    "test",
    # Not distutils: a hook aliases that name and the build would end.
    "setuptools",
    "pkg_resources",
    "_distutils_hack",
    "numpy",
    "PIL",
    "matplotlib",
    "IPython",
    "PyQt5",
    "PyQt6",
    "PySide2",
    "pytest",
    "_pytest",
    "hypothesis",
    "mypy",
    "PyInstaller",
)


def hidden_imports(root: Path) -> list[str]:
    """Every module of ours, and the foreign ones that are loaded by name."""
    own = [
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        for package in PACKAGES
        for path in sorted((root / package).rglob("*.py"))
        if path.name != "__main__.py" or path.parent.name == "companion"
    ]
    return [*own, *LOADED_BY_NAME]


def resources(root: Path) -> list[tuple[str, str]]:
    """Each file of `resources/` with the folder in which a frozen `companion.resources` looks for it."""
    folder = root / "resources"
    return [
        (str(path), (Path("companion") / "_resources" / path.parent.relative_to(folder)).as_posix())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
