"""Every limit on data written into a game's logs and read from other people's repositories.

Readers refuse what exceeds a limit. Writers take the number from here too and never exceed it.
docs/reference/log-format.md lists the limits that decide what is valid. A limit counts bytes or characters if its name
says so, and items otherwise. Pauses and deadlines are next to the code that waits.
"""

# Players

MAX_SEATS = 6
"""Players in a game; the extension's island has no room for a seventh."""
MAX_NAME_BYTES = 64
"""A player's name in UTF-8; each of the player's commits contains it four times."""

# Commits

MAX_COMMIT_BYTES = 16 << 10
"""One commit."""
MAX_HIDDEN_COMMIT_BYTES = 64 << 10
"""One commit of a game of hidden hands: room to prove a hand of every resource card of the game."""
MAX_OBJECT_BYTES = 64 << 10
"""One file or tree of a game. A neighbour's larger objects are not read at all."""
MAX_NEW_COMMITS = 100_000
"""Unknown commits behind one branch of a neighbour that one look reads."""
MAX_GAME_COMMITS = 99_000
"""Commits of a game after which nobody acts, so that a newcomer can read it, with what others write meanwhile."""

# Views

MAX_PARENTS = 54
"""The previous commit, a reply of every other player, what is merged of a change of the view, and the player's own."""
MAX_ROUNDS = 1000
"""Rounds of one change of the view; each begins with votes of more than half."""
MAX_CHANGES = 256
"""Changes of the view that begin where the one before began, in a game; there are as many others as actions at most."""

# Chat

MAX_LETTERS = 280
"""One chat message, in characters."""
MAX_MESSAGES = 1000
"""Kept chat messages of one player in a game."""
MAX_A_MINUTE = 20
"""Chat messages that one player may send, and that others accept, in a minute."""
MAX_MESSAGE_BYTES = 4096
"""One commit of the chat."""

# Branches

MAX_COPIES = 16
"""Commits of others of which a player publishes copies; the player's next action makes most of them needless."""
MAX_STRAY_BRANCHES = 16
"""New branches of each player, with late replies or copies, that one look at one repository reads."""
MAX_UNLINKED = 64
"""Commits of a proven forker that one acceptance makes others keep: a turn, and what is signed in some rounds."""
MAX_LINKED = MAX_GAME_COMMITS
"""Commits that one player's make others judge, with those of proven forkers: all that an honest one can build on."""
MAX_OWN_COPIES = 64
"""Copies of the player's own branches that are read back from one repository after a restart."""
MAX_REMEMBERED = 1024
"""Remembered refs of one repository, and remembered refused commits of all; the oldest are forgotten first."""

# Evidence: a peer that sends rubbish for ever cannot fill the disk

MAX_EVIDENCE_COMMITS = 64
"""Refused commits that are kept for each player; contradictions are counted separately."""
MAX_REFUSAL_LINES = 256
"""Lines in the list of refusals, for each player."""

# What a neighbour's or a relay's repository may send

MAX_REF_FILE_BYTES = 1024
"""A file that holds one ref."""
MAX_PACKED_REFS_BYTES = 1 << 20
"""At most this much of the file with all packed refs is read."""
MAX_LISTED_ENTRIES = 10_000
"""Folder entries that are read to list refs."""
MAX_REF_FOLDER_DEPTH = 8
"""Levels of folders below ``refs`` that are read."""
MAX_REFS_IN_FOLDER = 4096
"""Refs listed from one folder; a ref that is requested by name is always found."""
MAX_TOLD_REFS = 20_000
"""Refs that the process reading a neighbour's repository reports."""
COSTLY_BYTES = 1 << 20
"""A look that reads this much and finds nothing valid is not repeated immediately."""
MAX_QUARANTINED_BYTES = 64 << 20
"""All files of one fetch together."""
MAX_QUARANTINED_PACKS = 32
"""The packs of this many fetches are kept; then all are removed, and what is still needed is fetched again."""
MAX_WRITTEN_FILE_BYTES = 64 << 20
"""Any file written by a process that reads or fetches."""
MAX_LISTING_BYTES = 8 << 20
"""A server's list of refs: about eighty thousand of them."""
MAX_FETCHED_PACK_BYTES = 64 << 20
"""The pack that a daemon sends."""
MAX_INFLATED_BYTES = 256 << 20
"""All objects of that pack, inflated."""
MAX_PACK_OBJECTS = 200_000
"""Objects of that pack: as many as in a game of thirty thousand actions."""
MAX_PREFACE_LINES = 1000
"""Lines that a server may send before the pack."""
MAX_WORDS_BYTES = 1000
"""A line without a length prefix: a message of one of Git's remote helpers before it passes on any data."""
MAX_WANTS = 64
"""Heads requested in one fetch; the rest follow in the next."""
MAX_HAVES = 64
"""Commits that a fetch names as already present."""
MAX_FRAME_HEAD_BYTES = 8 << 20
"""One answer of the process that reads a neighbour's repository, without its objects."""
MAX_FRAME_BODY_BYTES = 32 << 20
"""All commits that one request can bring; a whole game takes a thirtieth of it."""
MAX_WORKER_MEMORY_BYTES = 512 << 20
"""Address space of the process that reads a neighbour's repository, and of each process that it starts."""
MAX_WORKER_FILES = 256
"""Files that each of these processes may have open."""
MAX_ANSWER_CHARACTERS = 500
"""At most this much of an error is reported by such a process."""
MAX_COMPLAINT_BYTES = 64 << 10
"""At most this much of a process's standard error is read."""
MAX_COMPLAINT_CHARACTERS = 300
"""At most this much of what ssh or a hook prints is shown."""

# What a peer pushes to a relay

MAX_PUSH_OUTPUT_BYTES = 32 << 20
"""Output of Git when it reads or writes a relay that is a folder."""
MAX_PUSH_REPORT_BYTES = 1 << 20
"""Output of ``git push``."""

# Clients of a peer that serves its repository

MAX_UNSERVED_CONNECTIONS = 128
"""Connections without a request, or silent since their request; a new connection replaces one of them."""
MAX_SERVED_CONNECTIONS = 128
"""Connections that are being served."""
MAX_CONNECTIONS_OF_ADDRESS = 32
"""Connections from one address that are being served."""
MAX_SERVING_PROCESSES = 16
"""Git processes that serve at the same time; further requests wait for one to end."""
MAX_REQUEST_BYTES = 4096
"""The line in which a client states a request."""
MAX_HELD_ANSWER_BYTES = 8 << 20
"""Output of Git that is buffered for a slow reader."""

# Followers of a peer that serves its repository

MAX_FOLLOWERS = 256
"""Connections over which a server sends moved refs. A new one replaces one of the most crowded address."""
MAX_FOLLOWERS_OF_ADDRESS = 32
"""Such connections from one address; further ones are not accepted."""
MAX_FOLLOWED_FOLDERS = 16
"""Folders of refs that one follower asks for."""
MAX_UNTOLD_BYTES = 512 << 10
"""Unsent data for a follower that reads slowly; beyond it the connection ends, and the follower has to look."""
MAX_TOLD_COMMITS = 256
"""Commits that are sent with one publication; a follower that lacks more fetches them."""
MAX_TOLD_BYTES = 256 << 10
"""The same in bytes."""
MAX_KEPT_TOLD_BYTES = 1 << 20
"""Received commits that a follower keeps: those it has read make room for others, and what it has lost is fetched."""
TOLD_COMMIT_BYTES = 256
"""What each kept commit counts besides its bytes."""
MAX_TOLD_AT_ONCE_BYTES = 1 << 20
"""What a follower reads from a server in one burst; the rest is read at the rate below."""
MAX_TOLD_A_SECOND_BYTES = 256 << 10
"""The rate at which a follower reads from a server that sends without end."""

# Tables before the game

MAX_RECORD_BYTES = 4096
"""A record that a host or a guest writes at a table."""
MAX_RECORD_VALUE_CHARACTERS = 1000
"""The value of one field in a record."""
MAX_URL_CHARACTERS = 300
"""A guest's address."""
MAX_INVITATION_CHARACTERS = 2000
"""An invitation."""
MAX_ANNOUNCED_TABLES = 100
"""Announced tables of the local network that are remembered."""
MAX_ANNOUNCED_BYTES = 255 - len("invitation=")
"""An announced invitation, or its words: multicast DNS allows 255 bytes for name and value together."""
MAX_GAME_FILE_BYTES = 256 << 20
"""A file with games in a notation."""
MAX_KEY_FILE_BYTES = 16 << 10
"""How much of a file is read as a private key."""
