"""Text: which fonts are used, how wide a text is, and the text as a picture.

The font is a sans-serif font of the system if there is one, else the one that comes with pygame, else the letters drawn
in ``lettering``. Whatever is missing or broken, text is always drawn.
"""

import warnings
from collections import OrderedDict
from typing import NamedTuple

import pygame

from ..pictures.shapes import Color
from . import lettering

_FAMILIES = (
    "inter", "segoeui", "helveticaneue", "notosans", "opensans", "roboto", "ubuntu", "cantarell", "dejavusans",
    "liberationsans", "arial",
)  # fmt: skip
_KEPT_BYTES = 24 << 20
_WIDTHS_KEPT = 20_000
_SIZES_KEPT = 64


class _FontFace(NamedTuple):
    """A font of one size, with the top and bottom of its capital letters in rendered text."""

    font: pygame.font.Font
    cap_top: int
    cap_bottom: int


class FontSet:
    """Fonts in all sizes, regular and bold. With ``system`` False, only the font that comes with pygame is used."""

    def __init__(self, system: bool = True) -> None:
        self.problem: str | None = None
        """Why a font cannot be used, None if all can."""
        self._paths: dict[bool, str | None] = _system_fonts() if system else {False: None, True: None}
        self._faces: OrderedDict[tuple[int, bool], _FontFace | None] = OrderedDict()
        self._widths: OrderedDict[tuple[str, int, bool], float] = OrderedDict()
        self._texts: OrderedDict[tuple[str, int, bool, Color], tuple[pygame.Surface, float]] = OrderedDict()
        self._texts_bytes = 0
        try:
            pygame.font.init()
        except (pygame.error, NotImplementedError) as error:
            self.problem = f"no fonts: {error}"

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """The width of a text in pixels."""
        key = (text, max(1, round(size)), bold)
        found = self._widths.get(key)
        if found is None:
            face = self._face(key[1], bold)
            found = _font_width(face.font, text) if face else lettering.width(text, key[1])
            _keep(self._widths, key, found, _WIDTHS_KEPT)
        return found

    def picture(self, text: str, size: float, color: Color, bold: bool = False) -> tuple[pygame.Surface, float]:
        """The text as a picture, and the distance from its top to the middle of the capital letters."""
        key = (text, max(1, round(size)), bold, color)
        found = self._texts.get(key)
        if found is None:
            face = self._face(key[1], bold)
            if face:
                picture, middle = _font_picture(face.font, text, color), (face.cap_top + face.cap_bottom) / 2
            else:
                picture, middle = lettering.picture(text, key[1], color), key[1] / 2
            if len(color) == 4:
                picture.set_alpha(color[3])
            found = (picture, middle)
            self._texts[key] = found
            self._texts_bytes += _bytes(picture)
            while self._texts_bytes > _KEPT_BYTES and len(self._texts) > 1:
                self._texts_bytes -= _bytes(self._texts.popitem(last=False)[1][0])
        else:
            self._texts.move_to_end(key)
        return found

    def _face(self, size: int, bold: bool) -> _FontFace | None:
        key = (size, bold)
        if key not in self._faces:
            _keep(self._faces, key, self._open(size, bold), _SIZES_KEPT)
        return self._faces[key]

    def _open(self, size: int, bold: bool) -> _FontFace | None:
        for path in dict.fromkeys((self._paths[bold], None)):
            try:
                font = pygame.font.Font(path, size)
                letter = font.render("H", True, (255, 255, 255)).get_bounding_rect()
                return _FontFace(font, letter.top, letter.bottom)
            except (pygame.error, OSError, NotImplementedError) as error:
                self.problem = f"a font cannot be used: {path or 'the font of pygame'}: {error}"
        return None


def _bytes(picture: pygame.Surface) -> int:
    return 4 * picture.get_width() * picture.get_height() + 200


def _keep(kept: OrderedDict, key: object, value: object, most: int) -> None:  # type: ignore[type-arg]
    kept[key] = value
    if len(kept) > most:
        kept.popitem(last=False)


def _system_fonts() -> dict[bool, str | None]:
    """Paths of the first family that has both a regular and a bold face."""
    with warnings.catch_warnings():  # pygame warns if it cannot list the fonts of the system
        warnings.simplefilter("ignore")
        for family in _FAMILIES:
            try:
                regular, bold = pygame.font.match_font(family), pygame.font.match_font(family, bold=True)
            except (pygame.error, OSError, NotImplementedError):
                break
            if regular and bold and regular != bold:
                return {False: regular, True: bold}
    return {False: None, True: None}


def _printable(text: str) -> str:
    """The text without characters that pygame refuses to render, such as those above U+FFFF."""
    return "".join(c if c.isprintable() and ord(c) <= 0xFFFF else "\N{REPLACEMENT CHARACTER}" for c in text)


def _font_width(font: pygame.font.Font, text: str) -> float:
    try:
        return font.size(text)[0]
    except (pygame.error, UnicodeError, ValueError):
        return font.size(_printable(text))[0]


def _font_picture(font: pygame.font.Font, text: str, color: Color) -> pygame.Surface:
    try:
        return font.render(text, True, color[:3])
    except (pygame.error, UnicodeError, ValueError):
        return font.render(_printable(text), True, color[:3])
