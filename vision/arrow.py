"""Where a raised arrow points, weighed pixel by pixel and matched in polar order.

A pixel is the bare dial in full light, the bare dial in shadow (darker, of the same hue), the arrow, or
something strange. The logarithm of how much likelier the arrow is than the dial is the pixel's weight; the
arrow's angle is where its shape, turned, gathers the greatest weight. Head and tail are told apart by the whole
shape. The arrow is looked at in its own level, some millimetres above the card, where it turns without parallax.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.frames import FloatArray
from vision.medians import medians
from vision.polar import DIRECTIONS, Pixels, dot

MOST_WEIGHT = 6.0
"""No single pixel may say more for or against the arrow: e to the power of 3 is 20 to 1."""

MOST_DOUBT = 3.0

_NOISE = 8.0
"""Standard deviation of a pixel of the bare dial, of 255: sensor, JPEG and the learnt picture's own errors."""
_STRANGE = -19.6
"""Log likelihood of a pixel that nothing explains: one in twenty, any of 256^3 colours."""
_DARKEST_SHADE, _BRIGHTEST_SHADE = 0.08, 1.12
_LIGHT_SPREAD = 0.05
"""How much the light varies over a dial."""
_OWN_SHADOW_SHARE = 0.7
_LIT_SHARE, _SHADOW_SHARE, _ARROW_SHARE = np.log(0.7), np.log(0.3), np.log(0.8)
_STRANGE_MISFIT = 12
_APART_DEG, _PLAIN_LEAD, _TELLING_LEVELS = 30, 0.2, 45
_SMEAR_DEG = 13
_AROUND = np.arange(-60, 61)
_LOG_TAU = np.log(2 * np.pi)


@dataclass(frozen=True)
class ArrowLook:
    """What an arrow looks like.

    Attributes:
        height_mm: of its level above the card.
        color: mean colour, BGR, 0 to 255, float32, shape (3,).
        whiten: turns a difference of colours into standard deviations, float32, shape (3, 3).
        shape: how much of each place the arrow covers when it points to the card's top, 0 to 1, float32,
            shape (RINGS, DIRECTIONS).
        fit: how well it matched when it was learnt, see `Match`.
        smear: how smeared it was when it was learnt, see `Match`; None for an arrow that may be taken for shadow:
            there smearing shows in the fit alone.
        shadow: of the arrow on the dial, when it was seen.
    """

    height_mm: float
    color: Pixels
    whiten: Pixels
    shape: Pixels
    fit: float = 1.0
    smear: float | None = 1.0
    shadow: "Shadow | None" = None

    @cached_property
    def to_apart(self) -> Pixels:
        """From a colour to how far it is from the arrow's, in standard deviations: affine, shape (3, 4)."""
        return np.column_stack((self.whiten.T, -self.whiten.T @ self.color)).astype(np.float32)

    @cached_property
    def base(self) -> np.float32:
        """Log likelihood of a pixel of exactly the arrow's colour."""
        return np.float32(np.linalg.slogdet(self.whiten)[1] - 1.5 * _LOG_TAU + _ARROW_SHARE)


@dataclass(frozen=True, slots=True)
class Shadow:
    """How dark the arrow's shadow is: ``shade`` is what is left of the light, 0 to 1, ``spread`` its deviation."""

    shade: float
    spread: float


@dataclass(frozen=True)
class Backdrop:
    """The bare dial behind an arrow: colours, BGR, float32, shape (RINGS, DIRECTIONS, 3)."""

    colors: Pixels

    @cached_property
    def square(self) -> Pixels:
        """Squared length of each colour."""
        return np.maximum(dot(self.colors, self.colors), np.float32(1))

    @cached_property
    def variance(self) -> Pixels:
        """How uncertain each colour is: more so at printed edges, which never lie quite where they should."""
        along = np.abs(np.roll(self.colors, 1, axis=1) - np.roll(self.colors, -1, axis=1)).max(axis=-1) / 2
        across = np.abs(np.gradient(self.colors, axis=0)).max(axis=-1)
        return np.asarray(_NOISE**2 + (0.5 * np.maximum(along, across)) ** 2, dtype=np.float32)

    @cached_property
    def lit_base(self) -> Pixels:
        """Log likelihood of a lit pixel of exactly this colour."""
        along = self.variance + _LIGHT_SPREAD**2 * self.square
        return np.asarray(_LIT_SHARE - 1.5 * _LOG_TAU - np.log(self.variance) - 0.5 * np.log(along), dtype=np.float32)

    @cached_property
    def lit_pull(self) -> Pixels:
        """How much likelihood a lit pixel loses for being darker or brighter, per squared difference of shade."""
        return np.asarray(0.5 * self.square / (self.variance + _LIGHT_SPREAD**2 * self.square), dtype=np.float32)

    @cached_property
    def shadow_base(self) -> Pixels:
        """Log likelihood of a shadowed pixel of exactly this hue, but for how likely its shade is."""
        length = 0.5 * np.log(self.square)
        return np.asarray(-(_LOG_TAU + np.log(self.variance)) - length + _SHADOW_SHARE, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Match:
    """Where an arrow was found.

    Attributes:
        angle_deg: clockwise from the card's top, 0 <= angle < 360.
        fit: mean weight of the pixels that the arrow should cover, -1 to 1.
        lead: how clearly it beats every angle more than 30 degrees elsewhere: 1 if no pixel that tells the two
            apart speaks for the other.
        smear: how well the arrow's outer half agrees with a smeared shape, 1 being as well as with the sharp one;
            0 where it is not measured.
    """

    angle_deg: float
    fit: float
    lead: float
    smear: float


def weigh(seen: Pixels, backdrop: Backdrop, look: ArrowLook, shaded: tuple[Pixels, Pixels]) -> Pixels:
    """Weigh each pixel: the logarithm of how much likelier it is the arrow than the dial.

    Args:
        seen: colours at the arrow's level, in the light of the set-up, float32, shape (RINGS, DIRECTIONS, 3).
        backdrop: the bare dial behind.
        look: the arrow's colour.
        shaded: as `shades` explains them.

    Returns:
        float32, shape (RINGS, DIRECTIONS), within `MOST_WEIGHT` of 0.
    """
    shade, misfit = shaded
    off = shade - np.float32(1)
    lit = backdrop.lit_base - backdrop.lit_pull * off * off
    dial = np.maximum(lit, backdrop.shadow_base + _rate_shade(shade, look.shadow)) - np.float32(0.5) * misfit
    apart = np.asarray(cv2.transform(seen, look.to_apart), dtype=np.float32)
    arrow = dot(apart, apart) * np.float32(-0.5) + look.base
    weights = np.maximum(arrow, _STRANGE) - np.maximum(dial, _STRANGE)
    return np.asarray(np.clip(weights, -MOST_DOUBT, MOST_WEIGHT))


def shades(seen: Pixels, backdrop: Backdrop) -> tuple[Pixels, Pixels]:
    """Explain pixels as the bare dial in some light.

    Returns:
        How much of the light is left, 1 being that of the set-up, and how badly this explains the pixel, in squared
        standard deviations; each float32, shape (RINGS, DIRECTIONS).
    """
    along = dot(seen, backdrop.colors)
    shade = np.clip(along / backdrop.square, _DARKEST_SHADE, _BRIGHTEST_SHADE)
    # |seen - shade * bare|^2, multiplied out so that no array of colours is needed.
    off = dot(seen, seen) + shade * (shade * backdrop.square - 2 * along)
    return shade, np.maximum(off, 0) / backdrop.variance


def _rate_shade(shade: Pixels, shadow: Shadow | None) -> Pixels | np.float32:
    """Give the log likelihood of a shadow's shade: near that of the arrow's own shadow, or any other."""
    any_shade = -np.log(1 - _DARKEST_SHADE)
    if shadow is None:
        return np.float32(any_shade)
    off = (shade - np.float32(shadow.shade)) / np.float32(shadow.spread)
    own = np.float32(np.log(_OWN_SHADOW_SHARE / shadow.spread) - 0.5 * _LOG_TAU) - np.float32(0.5) * off * off
    return np.asarray(np.maximum(own, np.float32(np.log(1 - _OWN_SHADOW_SHARE) + any_shade)))


def light_gain(seen: Pixels, backdrop: Backdrop) -> Pixels:
    """Find how much brighter each colour of the dial is than at set-up, shape (3,), most of it being bare."""
    # Every fourth direction and ring is plenty for a median.
    ratio = ((seen[::4, ::4] + 1) / (backdrop.colors[::4, ::4] + 1)).reshape(-1, 3).T
    first = medians(ratio)
    close = (np.abs(ratio - first[:, None]) < 0.15 * first[:, None]).all(axis=0)
    return medians(ratio[:, close]) if close.sum() > 50 else first


@dataclass(frozen=True)
class Matcher:
    """Finds where the arrow of one look points; ``radii`` are those of the rings, shape (RINGS,)."""

    look: ArrowLook
    radii: FloatArray

    def find(self, seen: Pixels, backdrop: Backdrop) -> Match:
        """Find the arrow.

        Args:
            seen: as for `weigh`.
            backdrop: the bare dial behind.
        """
        shaded = shades(seen, backdrop)
        weights = weigh(seen, backdrop, self.look, shaded)
        spectrum = np.fft.rfft(weights, axis=1) * self._spectrum
        fits = np.fft.irfft(spectrum.sum(axis=0), DIRECTIONS) / (self._whole * MOST_WEIGHT)
        best = int(fits.argmax())
        before, here, after = (float(fits[(best + step) % DIRECTIONS]) for step in (-1, 0, 1))
        bend = before - 2 * here + after
        part = 0.5 * (before - after) / bend if bend < 0 else 0.0
        # Two ways to lie can be told apart only where the shape covers one place and not the other.
        leads = (here - np.roll(fits, -best)) / self._unlike
        rival = int(leads[_APART_DEG:-_APART_DEG].argmin()) + _APART_DEG
        lead = float(leads[rival])
        if lead < _PLAIN_LEAD:
            lead = self._head_lead(weights, backdrop, (best, best + rival))
        return Match(
            angle_deg=(best + part) % 360,
            fit=here,
            lead=lead,
            smear=0.0 if self.look.smear is None else self._smear(seen, backdrop, shaded[1], best + part),
        )

    def _head_lead(self, weights: Pixels, backdrop: Backdrop, ways: tuple[int, int]) -> float:
        """Say how much more speaks for the first than for the second way, when head and tail are much alike.

        An arrow is symmetric and its shadow is not: of two sides the one that speaks less for the arrow counts. Where
        the arrow's colour is the sector's own in shadow, it counts less. Only the outer half counts, for head and
        tail are the same near the pivot.
        """
        shade = np.clip(cv2.transform(backdrop.colors, self.look.color[None]) / backdrop.square, 0, 1)
        off = self.look.color - shade[..., None] * backdrop.colors
        telling = np.where(dot(off, off) > _TELLING_LEVELS**2, np.float32(1), np.float32(0.4)) * self.radii[:, None]
        telling[: len(self.radii) // 2] = 0
        shapes = [np.roll(self.look.shape, way, axis=1) * telling for way in ways]
        fits = [
            float((np.minimum(weights, np.roll(weights[:, ::-1], 2 * way + 1, axis=1)) * shape).sum())
            for way, shape in zip(ways, shapes, strict=True)
        ]
        return (fits[0] - fits[1]) / max(float(np.abs(shapes[0] - shapes[1]).sum()) * MOST_WEIGHT, 1e-6)

    def strange_share(self, seen: Pixels, backdrop: Backdrop) -> float:
        """Say which share of the dial is neither bare, in whatever light, nor arrow, nor a blur of the two."""
        _, misfit = shades(seen, backdrop)
        way = self.look.color - backdrop.colors
        off = seen - backdrop.colors
        off = off - np.clip(dot(off, way) / np.maximum(dot(way, way), 30**2), 0, 1)[..., None] * way
        strange = (misfit > _STRANGE_MISFIT) & (dot(off, off) > _STRANGE_MISFIT * backdrop.variance)
        return float((strange * self.radii[:, None]).sum() / (DIRECTIONS * self.radii.sum()))

    def _smear(self, seen: Pixels, backdrop: Backdrop, misfit: Pixels, angle_deg: float) -> float:
        """Compare how the arrow's outer half, where it moves fastest, agrees with a smeared and the sharp shape."""
        columns = (_AROUND + round(angle_deg)) % DIRECTIONS
        rings = slice(len(self.radii) // 2, None)
        colors, base = seen[rings][:, columns], backdrop.colors[rings][:, columns]
        way = self.look.color - base
        cover = np.clip(dot(colors - base, way) / np.maximum(dot(way, way), 40**2), 0, 1)
        cover = cover * ((misfit[rings][:, columns] > 6) | (cover > 0.8)) * self.radii[rings, None]
        sharp, smeared = (float((cover * shape).sum()) for shape in self._outer_shapes)
        return smeared / max(sharp, 1e-6)

    @cached_property
    def _outer_shapes(self) -> list[Pixels]:
        """The outer half of the shape, sharp and smeared, each of length 1."""
        sharp = self.look.shape[len(self.radii) // 2 :, _AROUND % DIRECTIONS]
        shapes = [sharp, np.asarray(cv2.blur(sharp, (_SMEAR_DEG, 1)), dtype=np.float32)]
        return [shape / max(float(np.linalg.norm(shape)), 1e-6) for shape in shapes]

    @cached_property
    def _whole(self) -> float:
        return float((self.look.shape * self.radii[:, None]).sum())

    @cached_property
    def _spectrum(self) -> FloatArray:
        return np.conj(np.fft.rfft(self.look.shape * self.radii[:, None], axis=1))

    @cached_property
    def _unlike(self) -> FloatArray:
        """How much the shape differs from itself turned by each angle, as a share of itself, shape (DIRECTIONS,)."""
        turns = [np.abs(self.look.shape - np.roll(self.look.shape, turn, axis=1)) for turn in range(DIRECTIONS)]
        return np.asarray(np.einsum("tRd,R->t", np.stack(turns), self.radii) / self._whole + 1e-6)
