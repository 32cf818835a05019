"""A board with its pieces as a picture of pixels, drawn with Pillow."""

from __future__ import annotations

from typing import Any

from PIL import Image, ImageDraw, ImageFont

from catan_p2p.game.board import numbers
from catan_p2p.game.board.places import Place, hexagon, places
from catan_p2p.game.board.svg import CITY, OUTLINE, TERRAIN_COLOURS, VILLAGE, extent
from catan_p2p.game.palette import PLAYER_COLOURS
from catan_p2p.game.state import State


def board_picture(state: State, width: int) -> Image.Image:
    """The picture, ``width`` pixels wide."""
    board = state.constants.board
    left, top, right, bottom = extent(board)
    scale = width / (right - left)
    image = Image.new("RGB", (width, round((bottom - top) * scale)), "white")
    pen = ImageDraw.Draw(image)

    def at(place: Place) -> Place:
        return (place[0] - left) * scale, (place[1] - top) * scale

    where = places(board)
    font: Any = ImageFont.load_default(scale * 0.4)
    for number, tile in enumerate(board.map.tiles, 1):
        corners = [at(corner) for corner in hexagon(where.tiles[number])]
        pen.polygon(corners, fill=TERRAIN_COLOURS[tile.terrain], outline="white")
        if tile.number is not None:
            pen.text(at(where.tiles[number]), str(tile.number), fill="#222222", font=font, anchor="mm")
    # An environment gives its seats the colours in this order.
    colours = [*PLAYER_COLOURS.values()][: state.constants.player_count]
    for colour, roads in zip(colours, state.r, strict=True):
        for road in numbers(roads):
            pen.line([at(end) for end in where.roads[road]], fill=colour, width=max(2, round(scale * 0.13)))
    for seat, colour in enumerate(colours):
        for outline, built in ((VILLAGE, state.s.villages[seat]), (CITY, state.s.cities[seat])):
            for point in numbers(built):
                x, y = where.settlements[point]
                pen.polygon([at((x + dx, y + dy)) for dx, dy in outline], fill=colour, outline=OUTLINE)
    x, y = where.tiles[state.ba]
    pen.ellipse([at((x + 0.3, y - 0.3)), at((x + 0.6, y + 0.3))], fill="#222222")
    return image
