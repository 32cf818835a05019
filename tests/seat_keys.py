"""The keys of players in tests, by colour: a game that players may leave needs one for every seat."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from catan_p2p.log.commit import Commit
from catan_p2p.log.keys import new_private_key, spell_public_key
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.signing import signer

KEYS: dict[str, Ed25519PrivateKey] = {colour: new_private_key(colour.encode().ljust(32, b"-")) for colour in COLOURS}
PUBLIC_KEYS = {colour: spell_public_key(key) for colour, key in KEYS.items()}
SIGNERS = {colour: signer(key) for colour, key in KEYS.items()}


def sign_as_author(commit: Commit) -> Commit:
    """Sign a commit by its author's key, in place of any signature; a stranger's stays unsigned."""
    commit = commit._replace(signature=None)
    sign = SIGNERS.get(commit.author.name.partition("_")[0])
    return commit if sign is None else sign(commit)
