"""The folders of a conversation, and reading files in them without ever leaving them.

A path is resolved once, judged as a real path, and then opened step by step
from the folder's own descriptor without following any link: what was judged is
what is read, whatever happens to the names meanwhile.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.domain.rich_output.paths import Platform, segments

PLATFORM: Platform = "windows" if sys.platform == "win32" else "posix"
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FILE = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_NONBLOCK", 0)
_FOLDER = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_DIRECTORY", 0)
_CAN_WALK = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd
_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR})


class WorkspaceRefused(Exception):
    """A file is not read; the message says why, without absolute paths."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that is attached to a conversation."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Located:
    """A file that lay inside the folders when it was looked for."""

    root: Path
    """The real path of the folder it lies in."""
    parts: tuple[str, ...]
    """The way from there, without links."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """The bytes of a file, all of one moment."""

    data: bytes
    modified_at_s: float
    """Seconds since 1970."""


class Workspace:
    """The attached folders in order; the first one is the default."""

    def __init__(self, folders: Sequence[Folder]) -> None:
        self._folders = tuple(folders)

    def locate(self, repo: str, path: str) -> Located:
        """Find the file at *path* in the folder that *repo* names.

        Raises:
            WorkspaceRefused: If it is not there, or lies outside.
        """
        base = self._base(repo)
        real = _resolved(base.joinpath(*segments(path, PLATFORM)))
        for folder in self._folders:
            root = _root(folder)
            if root is not None and real != root and _lies_in(real, root):
                return Located(root, Path(os.path.relpath(real, root)).parts)
        raise WorkspaceRefused("path_outside", "the file lies outside the folders of this conversation.")

    def _base(self, repo: str) -> Path:
        if not self._folders:
            raise WorkspaceRefused("workspace_unavailable", "no folder is attached to this conversation.")
        named = next((folder for folder in self._folders if folder.name == repo), None)
        base = _root(named or self._folders[0])
        if base is None:
            raise WorkspaceRefused("workspace_unavailable", "the folder of this conversation is gone.")
        if named is not None or not repo:
            return base
        below = base.joinpath(*segments(repo, PLATFORM))
        if not below.is_dir():
            names = ", ".join(folder.name for folder in self._folders)
            raise WorkspaceRefused("repo_unknown", f"there is no such folder; attached are {names}.")
        return below


def read_file(located: Located, limit: int) -> FileRead:
    """Read at most *limit* bytes of a file; may block, so it runs in a worker thread.

    Raises:
        WorkspaceRefused: `file_too_large` above the limit; else if it is no plain file or cannot be read.
    """
    try:
        descriptor = _open(located)
    except OSError as error:
        raise _refusal(error) from None
    try:
        for _ in range(2):
            before = os.fstat(descriptor)
            _check_size(before.st_size, limit)
            data = _read(descriptor, limit + 1)
            after = os.fstat(descriptor)
            _check_size(len(data), limit)
            if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
                return FileRead(data, after.st_mtime)
    except OSError as error:
        raise _refusal(error) from None
    finally:
        os.close(descriptor)
    raise WorkspaceRefused("file_unreadable", "the file changes while it is read. Try again when it is done.")


def _check_size(size: int, limit: int) -> None:
    if size > limit:
        raise WorkspaceRefused("file_too_large", f"the file has more than {limit} bytes ({size}).")


def _read(descriptor: int, most: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    chunks: list[bytes] = []
    left = most
    while left and (chunk := os.read(descriptor, left)):
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks)


def _open(located: Located) -> int:
    if not _CAN_WALK:
        return _open_by_name(located)
    descriptor = os.open(located.root, _FOLDER)
    device = os.fstat(descriptor).st_dev
    try:
        for part in located.parts[:-1]:
            below = os.open(part, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        # A device may act when it is opened, so its kind is asked for first, and again of what was opened.
        _check_kind(os.stat(located.parts[-1], dir_fd=descriptor, follow_symlinks=False), device)
        file = os.open(located.parts[-1], _FILE, dir_fd=descriptor)
    finally:
        os.close(descriptor)
    return _checked(file, device)


def _open_by_name(located: Located) -> int:
    path = located.root.joinpath(*located.parts)
    device = os.stat(located.root).st_dev
    _check_kind(os.lstat(path), device)
    file = os.open(path, _FILE)
    # Without steps by descriptor, the name must still lead to what was opened, and there without links.
    if _resolved(path) != path or not os.path.samestat(os.fstat(file), os.stat(path)):
        os.close(file)
        raise WorkspaceRefused("path_outside", "the file was replaced while it was opened. Try again.")
    return _checked(file, device)


def _checked(file: int, device: int) -> int:
    try:
        _check_kind(os.fstat(file), device)
    except WorkspaceRefused:
        os.close(file)
        raise
    return file


def _check_kind(found: os.stat_result, device: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise WorkspaceRefused("file_not_regular", "this is no plain file.")
    if found.st_dev != device:
        raise WorkspaceRefused("path_outside", "the file lies on another file system than its folder.")


def _root(folder: Folder) -> Path | None:
    real = Path(os.path.realpath(folder.path))
    return real if real.is_dir() else None


def _resolved(path: Path) -> Path:
    try:
        return Path(os.path.realpath(path, strict=True))
    except OSError as error:
        raise _refusal(error) from None


def _refusal(error: OSError) -> WorkspaceRefused:
    if error.errno in _ABSENT:
        return WorkspaceRefused("file_missing", "there is no such file.")
    reason = os.strerror(error.errno) if error.errno else "it failed"
    return WorkspaceRefused("file_unreadable", f"the file cannot be read: {reason}.")


def _lies_in(path: Path, root: Path) -> bool:
    try:
        common = os.path.commonpath([os.path.normcase(path), os.path.normcase(root)])
    except ValueError:
        # Different drives have nothing in common.
        return False
    return common == os.path.normcase(root)
