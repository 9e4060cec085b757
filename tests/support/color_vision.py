"""How far apart two colours look, for every kind of sight."""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Triple = tuple[float, float, float]

# Full loss of one kind of cone, on linear RGB (Machado, Oliveira and Fernandes, 2009).
SIGHTS: dict[str, tuple[Triple, Triple, Triple]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def _linear(color: str) -> list[float]:
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(color: str, sight: str = "normal") -> Triple:
    """Return a colour `#rrggbb` in CIE L*a*b* (D65), as it is seen."""
    linear = _linear(color)
    red, green, blue = (
        min(1.0, max(0.0, sum(factor * part for factor, part in zip(row, linear, strict=True))))
        for row in SIGHTS[sight]
    )
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (
        part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: Triple, other: Triple) -> float:
    """Return the distance CIEDE2000 of two colours in L*a*b*."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c = (hypot(a1, b1) + hypot(a2, b2)) / 2
    grow = 1.5 - 0.5 * sqrt(mean_c**7 / (mean_c**7 + 25.0**7))
    c1, c2 = hypot(a1 * grow, b1), hypot(a2 * grow, b2)
    h1, h2 = degrees(atan2(b1, a1 * grow)) % 360, degrees(atan2(b2, a2 * grow)) % 360
    turn, mean_h = h2 - h1, (h1 + h2) / 2
    if c1 * c2 == 0:
        turn, mean_h = 0.0, h1 + h2
    elif abs(turn) > 180:
        mean_h += 180 if h1 + h2 < 360 else -180
        turn += 360 if turn < 0 else -360
    dl, dc, dh = l2 - l1, c2 - c1, 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    weight = (
        1
        - 0.17 * cos(radians(mean_h - 30))
        + 0.24 * cos(radians(2 * mean_h))
        + 0.32 * cos(radians(3 * mean_h + 6))
        - 0.20 * cos(radians(4 * mean_h - 63))
    )
    sl = 1 + 0.015 * (mean_l - 50) ** 2 / sqrt(20 + (mean_l - 50) ** 2)
    sc, sh = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * weight
    twist = -sin(radians(60 * exp(-(((mean_h - 275) / 25) ** 2)))) * 2
    twist *= sqrt(mean_c**7 / (mean_c**7 + 25.0**7))
    return sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + twist * (dc / sc) * (dh / sh))
