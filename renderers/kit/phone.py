"""What can be read on a phone: one unit for the sizes of all pictures that stand in a card."""

from __future__ import annotations

import math

#: The width of a picture in pixels, and in points the least that a card gives it on a phone of 390 points.
WIDTH, SHOWN = 780, 272
POINT = WIDTH / SHOWN
#: Lettering of nine points: nothing that a person needs is smaller.
LEAST = math.ceil(9 * POINT)
#: Lettering of ten points, of pages of text.
TEXT = math.ceil(10 * POINT)
