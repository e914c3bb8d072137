"""How colours look to people without one kind of cones (Machado, Oliveira and Fernandes 2009), in CIELAB."""

from __future__ import annotations

import math

from renderers.kit.theme import Colour

Matrix = tuple[tuple[float, float, float], ...]
Lab = tuple[float, float, float]

#: What remains of linear red, green and blue.
KINDS: dict[str, Matrix] = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def _linear(channel: int) -> float:
    value = channel / 255
    return value / 12.92 if value <= 0.04045 else math.pow((value + 0.055) / 1.055, 2.4)


def seen(colour: Colour, kind: str) -> Lab:
    """A colour as somebody sees it, in CIELAB."""
    light = [_linear(channel) for channel in colour]
    red, green, blue = (min(max(sum(a * b for a, b in zip(row, light, strict=True)), 0.0), 1.0) for row in KINDS[kind])
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883

    def root(t: float) -> float:
        return math.pow(t, 1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116

    return 116 * root(y) - 16, 500 * (root(x) - root(y)), 200 * (root(y) - root(z))


def apart(one: Colour, other: Colour, kind: str) -> float:
    """The distance between two colours as somebody sees them."""
    return math.dist(seen(one, kind), seen(other, kind))


def contrast(one: Colour, other: Colour, kind: str) -> float:
    """How much lighter the lighter of two colours is to somebody, from 1 to 21."""
    light, dark = sorted((_luminance(one, kind), _luminance(other, kind)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour, kind: str) -> float:
    light = [_linear(channel) for channel in colour]
    red, green, blue = (min(max(sum(a * b for a, b in zip(row, light, strict=True)), 0.0), 1.0) for row in KINDS[kind])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
