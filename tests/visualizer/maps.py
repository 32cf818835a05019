"""Maps of many shapes, drawn as text: each word is a tile, a letter for its terrain and its number."""

from catan_p2p.game.board import DEFAULT_MAP, HexCoordinates, Map, Terrain, Tile, Wharf, make_map

LETTERS: dict[str, Terrain] = {
    "~": "sea",
    "d": "desert",
    "f": "forest",
    "h": "hills",
    "p": "pasture",
    "w": "fields",
    "m": "mountains",
}


def drawn(text: str, wharfs: tuple[tuple[tuple[int, int, int], tuple[int, int, int], str], ...] = ()) -> Map:
    """A map from a drawing: a line is a row of tiles, every four characters half a tile further right."""
    tiles = []
    for y, line in enumerate(text.strip("\n").split("\n")):
        for place, word in _words(line):
            x = place // 2
            arr = y % 2
            assert x % 2 == 1 - arr, f"row {y}, {word!r}: column {place}"
            number = int(word[1:]) if len(word) > 1 else None
            tiles.append(Tile(HexCoordinates(arr, y // 2, (x - (1 - arr)) // 2), LETTERS[word[0]], number))
    return make_map(tiles, [Wharf((HexCoordinates(*a), HexCoordinates(*b)), type) for a, b, type in wharfs])


def _words(line: str) -> list[tuple[int, str]]:
    found, at = [], 0
    for word in line.split():
        at = line.index(word, at)
        found.append((at, word))
        at += len(word)
    return found


TWO_ISLANDS = drawn(
    """
  ~   ~   ~   ~   ~   ~   ~
~   f5  h9  ~   ~   m10 p3  ~
  ~   w6  p8  ~   w4  f11 ~
~   ~   ~   ~   ~   h8  d   ~
  ~   ~   ~   ~   ~   ~   ~
""",
    (((1, 0, 1), (0, 0, 0), "ThreeToOne"), ((1, 0, 2), (1, 0, 3), "Brick"), ((0, 1, 4), (0, 1, 3), "Ore")),
)

SIX_PLAYERS = drawn(
    """
        ~   ~   ~   ~
      ~   f2  h5  m4  ~
    ~   w6  p3  f9  h8  ~
  ~   m8  w11 p11 d   w4  ~
~   f5  p10 h12 m6  w9  p3  ~
  ~   h4  f10 d   w12 m5  ~
    ~   p9  w8  f3  h11 ~
      ~   m10 p6  f2  ~
        ~   ~   ~   ~
""".replace("\n", "\n  "),
)

ONE_TILE = drawn("  ~   ~\n~   f8  ~\n  ~   ~")

CROWDED_BAY = drawn(
    """
  ~   f4  h9  ~
~   m3  ~   w10 ~
  ~   p5  f6  ~
~   ~   ~   ~   ~
""",
    (
        ((0, 0, 1), (1, 0, 2), "Lumber"),
        ((0, 0, 2), (1, 0, 2), "ThreeToOne"),
        ((1, 0, 1), (1, 0, 2), "Ore"),
        ((1, 0, 3), (1, 0, 2), "Grain"),
        ((0, 1, 1), (1, 0, 2), "Wool"),
        ((0, 1, 2), (1, 0, 2), "Brick"),
    ),
)

WITHOUT_SEA = make_map([tile for tile in DEFAULT_MAP.tiles if tile.is_land], [])

MAPS = {
    "default": DEFAULT_MAP,
    "two islands": TWO_ISLANDS,
    "six players": SIX_PLAYERS,
    "one tile": ONE_TILE,
    "crowded bay": CROWDED_BAY,
    "without sea": WITHOUT_SEA,
}
