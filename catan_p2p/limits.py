"""Every limit on what is written into a game's logs and read from other people's repositories.

A reader refuses whatever exceeds a limit; a writer takes the number from here too and never exceeds it.
docs/reference/log-format.md lists those that decide what is valid. A name says whether it counts bytes or characters;
every other limit is a number of things. Pauses and deadlines stand with the code that waits.
"""

# Players

MAX_SEATS = 6
"""Players in a game; the extension's island has no room for a seventh."""
MAX_NAME_BYTES = 64
"""A player's name in UTF-8; each of the player's commits contains it four times."""

# Commits

MAX_COMMIT_BYTES = 16 << 10
"""One commit. Only a vote that proves a lie comes near it, because it contains two other commits."""
MAX_HIDDEN_COMMIT_BYTES = 192 << 10
"""One commit of a game of hidden hands: a vote that proves a lie contains two others."""
MAX_HIDDEN_PROOF_BYTES = 64 << 10
"""The same without such votes: room for the proofs of a hand of every resource card of the game."""
MAX_OBJECT_BYTES = 64 << 10
"""One file or tree of a game. Larger objects of a neighbour are not read at all."""
MAX_PROOF_BYTES = 4 << 10
"""Each of the two commits that prove a lie. All commits except such votes stay below this, so every lie can be
proven.
"""
MAX_NEW_COMMITS = 100_000
"""Unknown commits behind one branch of a neighbour at one look."""

# Votes

MAX_MERGED_VOTES_OF_PLAYER = 8
"""Votes of one player that one commit merges."""
MAX_MERGED_VOTES = MAX_SEATS * MAX_MERGED_VOTES_OF_PLAYER
"""Votes that one commit merges in all."""
MAX_PARENTS = 1 + (MAX_SEATS - 1) + MAX_MERGED_VOTES
"""The commit before, a reply of every other player, and votes."""
MAX_OPEN_VOTES = 64
"""Votes of one player that no commit of the line has merged yet. More are neither accepted nor written."""
MAX_CHARGES = 8
"""Votes of one player, with proof of a lie, against one liar. More are neither accepted nor written."""
MAX_OWN_CHARGES = 4
"""How many of these may concern lies that nobody else has voted on and that, as far as is known, divide nobody."""
MAX_LIES = 64
"""Lies of one player that are remembered, and as many again that divide the other players."""

# Chat

MAX_LETTERS = 280
"""One chat message, in characters."""
MAX_MESSAGES = 1000
"""Chat messages of one player that are kept in a game."""
MAX_A_MINUTE = 20
"""Chat messages of one player that are accepted, and may be sent, in a minute."""
MAX_MESSAGE_BYTES = 4096
"""One commit of the chat."""

# Branches

MAX_COPIES = 16
"""Commits by others that a player shows copies of; the player's next action makes most of them needless."""
MAX_STRAY_BRANCHES = 16
"""New branches of each player, with votes or late replies, that are read at one look at one repository."""
MAX_OWN_COPIES = 64
"""Copies of the player's own branches that are taken back from one repository after a restart."""
MAX_REMEMBERED = 1024
"""Refs of one repository, and refused commits of all repositories, that are remembered; the oldest are forgotten."""

# Evidence: whoever sends rubbish for ever cannot fill the disk

MAX_EVIDENCE_COMMITS = 64
"""Refused commits that are kept for each player; contradictions are counted apart from the rest."""
MAX_REFUSAL_LINES = 256
"""Lines in the list of refusals, for each player."""

# What a neighbour's or a relay's repository may send

MAX_REF_FILE_BYTES = 1024
"""A file that holds one ref."""
MAX_PACKED_REFS_BYTES = 1 << 20
"""How much of the file with all packed refs is read."""
MAX_LISTED_ENTRIES = 10_000
"""Entries of folders that are read to list refs."""
MAX_REF_FOLDER_DEPTH = 8
"""Levels of folders below ``refs`` that are read."""
MAX_REFS_IN_FOLDER = 4096
"""Refs that are listed of one folder; a ref that is asked for by name is always found."""
MAX_TOLD_REFS = 20_000
"""Refs that the process reading a neighbour's repository reports."""
COSTLY_BYTES = 1 << 20
"""A look that reads this much and finds nothing valid is not repeated at once."""
MAX_QUARANTINED_BYTES = 64 << 20
"""All files of one fetch together."""
MAX_QUARANTINED_PACKS = 32
"""After this many fetches their packs are removed; what is still needed is fetched again."""
MAX_WRITTEN_FILE_BYTES = 64 << 20
"""Any file written by a process that reads or fetches."""
MAX_LISTING_BYTES = 8 << 20
"""A server's list of refs: some eighty thousand of them."""
MAX_FETCHED_PACK_BYTES = 64 << 20
"""The pack that a daemon sends."""
MAX_INFLATED_BYTES = 256 << 20
"""All objects of that pack, inflated."""
MAX_PACK_OBJECTS = 200_000
"""Objects of that pack: as many as in a game of thirty thousand actions."""
MAX_PREFACE_LINES = 1000
"""Lines that a server may send before the pack."""
MAX_WORDS_BYTES = 1000
"""A line without a length: what a helper of Git's says before it passes anything on."""
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
"""How much such a process reports of an error."""
MAX_COMPLAINT_BYTES = 64 << 10
"""How much of a process's standard error is read."""
MAX_COMPLAINT_CHARACTERS = 300
"""How much of what ssh or a hook prints is shown."""

# What a peer pushes to a relay

MAX_PUSH_OUTPUT_BYTES = 32 << 20
"""Output of Git when it reads or writes a relay that is a folder."""
MAX_PUSH_REPORT_BYTES = 1 << 20
"""Output of ``git push``."""

# Visitors of a peer that serves its repository

MAX_UNSERVED_CONNECTIONS = 128
"""Connections that have not sent a request, or said anything since; a new one takes the place of one of them."""
MAX_SERVED_CONNECTIONS = 128
"""Connections that are being served."""
MAX_CONNECTIONS_OF_ADDRESS = 32
"""Connections from one address that are being served."""
MAX_SERVING_PROCESSES = 16
"""Git processes that serve at the same time; further requests wait for one to end."""
MAX_REQUEST_BYTES = 4096
"""The line in which a visitor states a request."""
MAX_HELD_ANSWER_BYTES = 8 << 20
"""Output of Git that is buffered for a slow reader."""

# Those who follow a peer that serves its repository

MAX_FOLLOWERS = 256
"""Connections over which a server tells what moves; a new one takes the place of one from where most come from."""
MAX_FOLLOWERS_OF_ADDRESS = 32
"""Such connections from one address; further ones are not accepted."""
MAX_FOLLOWED_FOLDERS = 16
"""Folders of refs that one follower asks for."""
MAX_UNTOLD_BYTES = 512 << 10
"""What waits for a follower that reads slowly; then the connection ends, and the follower has to look."""
MAX_TOLD_COMMITS = 256
"""Commits that are told with one publication; whoever lacks more fetches them."""
MAX_TOLD_BYTES = 256 << 10
"""The same in bytes."""
MAX_KEPT_TOLD_BYTES = 1 << 20
"""Commits that a follower was told and has not asked for yet; further ones are fetched."""
TOLD_COMMIT_BYTES = 256
"""What keeping such a commit takes besides its bytes."""
MAX_TOLD_AT_ONCE_BYTES = 1 << 20
"""What a follower hears at once of a server that tells; more is heard as slowly as the next line says."""
MAX_TOLD_A_SECOND_BYTES = 256 << 10
"""How fast a follower listens to a server that tells without end."""

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
