"""What the system must bring: the shared libraries of Qt and its web engine, fonts, a virtual display.

Only what is missing is asked for. On Debian-like systems root installs it by apt-get; everyone else is told
the one command. Libraries that only windows on a real or virtual display need do not stop work without one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dev_console import SERVICE_FAILED, Problem, run_shown, say


@dataclass(frozen=True)
class Need:
    """Something that must be present, and the Debian package that brings it."""

    name: str
    package: str
    only_on_a_display: bool = False


LIBRARIES = (
    Need("libEGL.so.1", "libegl1"),
    Need("libGL.so.1", "libgl1"),
    Need("libOpenGL.so.0", "libopengl0"),
    Need("libnss3.so", "libnss3"),
    Need("libdbus-1.so.3", "libdbus-1-3"),
    Need("libasound.so.2", "libasound2"),
    Need("libfontconfig.so.1", "libfontconfig1"),
    Need("libgbm.so.1", "libgbm1"),
    Need("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    Need("libxkbfile.so.1", "libxkbfile1"),
    Need("libXcomposite.so.1", "libxcomposite1"),
    Need("libXdamage.so.1", "libxdamage1"),
    Need("libXrandr.so.2", "libxrandr2"),
    Need("libXtst.so.6", "libxtst6"),
    Need("libxcb-cursor.so.0", "libxcb-cursor0", only_on_a_display=True),
    Need("libxcb-icccm.so.4", "libxcb-icccm4", only_on_a_display=True),
    Need("libxcb-keysyms.so.1", "libxcb-keysyms1", only_on_a_display=True),
    Need("libxcb-shape.so.0", "libxcb-shape0", only_on_a_display=True),
    Need("libxcb-image.so.0", "libxcb-image0", only_on_a_display=True),
    Need("libxcb-render-util.so.0", "libxcb-render-util0", only_on_a_display=True),
)
FONTS = Need("a font", "fonts-dejavu-core")
DISPLAY = Need("Xvfb", "xvfb", only_on_a_display=True)
BINUTILS = Need("objcopy", "binutils")
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")

# A process of its own: what is loaded into ours would stay, and what apt installs must be seen at once.
PROBE = """
import ctypes, sys
for name in sys.argv[1:]:
    try:
        ctypes.CDLL(name)
    except OSError:
        print(name)
"""


def has_display() -> bool:
    """Whether windows can be opened here."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def missing(extra: Sequence[Need] = ()) -> list[Need]:
    """What this system lacks of the libraries, of fonts, and of the programs in `extra`."""
    if sys.platform != "linux":
        return []
    absent = absent_libraries([need.name for need in LIBRARIES])
    lacking = [need for need in LIBRARIES if need.name in absent]
    if not any_font():
        lacking.append(FONTS)
    return lacking + [need for need in extra if shutil.which(need.name) is None]


def absent_libraries(names: Sequence[str]) -> set[str]:
    """Those of the shared libraries that the loader does not find."""
    found = subprocess.run(
        [sys.executable, "-I", "-c", PROBE, *names],
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    return set(found.stdout.split())


def any_font(folders: Sequence[str] = FONT_FOLDERS) -> bool:
    """Whether there is a font file that fontconfig would see."""
    for folder in folders:
        for kind in ("*.ttf", "*.otf", "*.ttc"):
            if next(Path(folder).expanduser().rglob(kind), None) is not None:
                return True
    return False


def ensure(extra: Sequence[Need] = (), *, on_a_display: bool) -> None:
    """Install what is missing, or say how.

    Args:
        extra: Programs that this command needs besides the libraries.
        on_a_display: Whether windows will open on a display, so that nothing may be missing.

    Raises:
        Problem: If something is missing that the command cannot do without.
    """
    lacking = missing(extra)
    if not lacking:
        return
    names = ", ".join(need.name for need in lacking)
    failure = ""
    if may_install():
        say(f"installing what the system lacks: {names}")
        failure = apt_install([need.package for need in lacking])
        lacking = missing(extra)
        if not lacking:
            return
    sentence = advice(lacking, failure)
    if on_a_display or not all(need.only_on_a_display for need in lacking):
        raise Problem(sentence, SERVICE_FAILED if failure else 2)
    say(f"{sentence} Going on, for nothing opens on a display here.")


def advice(lacking: Sequence[Need], failure: str = "") -> str:
    """One sentence on what is missing and one command against it."""
    names = ", ".join(need.name for need in lacking)
    packages = " ".join(package_names([need.package for need in lacking]))
    if shutil.which("apt-get"):
        step = f"Run: sudo apt-get install -y {packages}"
    else:
        step = f"Install the packages of your system that bring them (in Debian: {packages})"
    return f"{failure}\nThe system lacks {names}. {step}.".lstrip()


def may_install() -> bool:
    """Whether this is root on a Debian-like system."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def package_names(packages: Sequence[str]) -> list[str]:
    """The names as this system's release has them: since 2024 some carry the ending `t64`."""
    if shutil.which("apt-cache") is None:
        return list(packages)
    known = subprocess.run(
        ["apt-cache", "pkgnames"], check=False, capture_output=True, encoding="utf-8", timeout=120
    ).stdout.split()
    renamed = {name for name in known if name.endswith("t64")}
    return [f"{package}t64" if f"{package}t64" in renamed else package for package in packages]


def apt_install(packages: Sequence[str]) -> str:
    """Install Debian packages; refresh the lists once if that fails. Returns apt's last words on failure."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    bounds = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-o", "DPkg::Lock::Timeout=120"]
    tail = ""
    for attempt in range(2):
        if attempt:
            say("refreshing the lists of packages")
            run_shown(["apt-get", *bounds, "update"], cwd=Path.cwd(), env=env, shown=lambda line: None)
        code, tail = run_shown(
            ["apt-get", *bounds, "install", "-y", "--no-install-recommends", *package_names(packages)],
            cwd=Path.cwd(),
            env=env,
            shown=lambda line: line if line.startswith("Setting up ") else None,
        )
        if code == 0:
            return ""
    return tail


def ensure_venv_module(interpreter: Path, version: tuple[int, int]) -> None:
    """Make sure that the interpreter can make environments: Debian ships that part apart.

    Raises:
        Problem: If it cannot, with the command that helps.
    """
    check = [str(interpreter), "-I", "-c", "import ensurepip, venv"]
    if subprocess.run(check, check=False, capture_output=True, timeout=60).returncode == 0:
        return
    package = f"python{version[0]}.{version[1]}-venv"
    if may_install():
        say(f"installing {package}")
        apt_install([package])
        if subprocess.run(check, check=False, capture_output=True, timeout=60).returncode == 0:
            return
    raise Problem(f"{interpreter} lacks the module venv. Run: sudo apt-get install -y {package}")
