"""The flat core: the same rules as ``catan_p2p.game.rules``, played some ten to a hundred times as fast.

The mirror reads as the specification does, action by action; this core is held to it. A state is two arrays of numbers
that change in place, a move is a number, and the moves of a player are listed in the order of the mirror's
``decisions``. The same source runs in Python and, compiled by Cython, from a wheel that was built where there is a C
compiler, or in a checkout after ``make compiled``. ``why_not_covered`` says which games it leaves to the mirror.
"""

from catan_p2p.compiled import why_not_compiled as why_not_compiled
from catan_p2p.game.flat.cores import PYTHON as PYTHON
from catan_p2p.game.flat.cores import CoreBuild as CoreBuild
from catan_p2p.game.flat.cores import beginning as beginning
from catan_p2p.game.flat.cores import fastest as fastest
from catan_p2p.game.flat.episodes import FlatEpisode as FlatEpisode
from catan_p2p.game.flat.game import FlatGame as FlatGame
from catan_p2p.game.flat.mirror import KIND_NUMBER as KIND_NUMBER
from catan_p2p.game.flat.mirror import PHASE_NUMBER as PHASE_NUMBER
from catan_p2p.game.flat.mirror import NotCovered as NotCovered
from catan_p2p.game.flat.mirror import action_of as action_of
from catan_p2p.game.flat.mirror import drawn_by as drawn_by
from catan_p2p.game.flat.mirror import is_offer as is_offer
from catan_p2p.game.flat.mirror import move_of as move_of
from catan_p2p.game.flat.mirror import state_of as state_of
from catan_p2p.game.flat.mirror import why_not_covered as why_not_covered
from catan_p2p.game.flat.observing import ObservationBuffer as ObservationBuffer
