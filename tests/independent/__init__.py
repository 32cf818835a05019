"""A second opinion: our games, move by move, in catanatron, a Catan engine that others wrote.

``island`` translates maps and points, ``opinion`` carries our actions out on the other side and reads its state,
``agreement`` compares, ``differences`` names every way in which the two are known to differ, ``replay`` plays whole
games, ``soak`` very many of them.
docs/research/independent.md explains the differences one by one.
"""
