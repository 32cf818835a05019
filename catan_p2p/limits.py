"""Every limit on what is written into a game's logs and read out of others' repositories.

A reader refuses what is beyond a limit. A writer takes the same number from here, and makes nothing that is beyond it.
docs/log-format.md has the limits of logs and chats in a table, and the others in a second one. Sizes are in bytes where
a name says so, in characters where it says that, and else counts. Pauses and deadlines are with what waits.
"""

from __future__ import annotations

# Players

MAX_SEATS = 6
"""A game has no more players: the island of the extension has no room for a seventh."""
MAX_NAME_BYTES = 64
"""Of a player's name in UTF-8, which is in each of their commits four times."""

# Commits

MAX_COMMIT_BYTES = 16 << 10
"""No commit is larger; a vote by the proof of a lie, which holds two others, is the only one that comes near."""
MAX_OBJECT_BYTES = 64 << 10
"""No file and no tree of a game is larger; a neighbour's larger object is not read, whatever it is."""
MAX_PROOF_BYTES = 4 << 10
"""Of each commit in the proof of a lie. No commit but such a vote is larger, so that every lie can be proven."""
MAX_NEW_COMMITS = 100_000
"""A neighbour shows no more commits behind one branch that are not known yet, at one look."""

# Votes

MAX_MERGED_VOTES_OF_PLAYER = 8
"""A commit merges no more votes of one player."""
MAX_MERGED_VOTES = MAX_SEATS * MAX_MERGED_VOTES_OF_PLAYER
"""A commit merges no more votes in all."""
MAX_PARENTS = 1 + (MAX_SEATS - 1) + MAX_MERGED_VOTES
"""The commit before, a reply of every other player, and votes."""
MAX_OPEN_VOTES = 64
"""A player has no more votes that no commit of the line has merged; what is beyond is not taken in, nor written."""
MAX_CHARGES = 8
"""A player has no more votes on one liar by the proof of a lie; what is beyond is not taken in, nor written."""
MAX_OWN_CHARGES = 4
"""Of these so many on lies that nobody else has voted on, and that keep nobody apart as far as is known."""
MAX_LIES = 64
"""Of each player so many lies are remembered, and as many again that keep others apart."""

# Chat

MAX_LETTERS = 280
"""No message of a player is longer, in characters."""
MAX_MESSAGES = 1000
"""So many messages of one player are kept in a game."""
MAX_A_MINUTE = 20
"""So many new messages of one player are taken in a minute, and may be said."""
MAX_MESSAGE_BYTES = 4096
"""No commit of the chat is larger."""

# Branches

MAX_STRAY_BRANCHES = 16
"""At one look at one repository, so many new branches of each player are looked at that hold votes or late replies."""
MAX_OWN_COPIES = 64
"""At one look at one repository, so many copies of the own branches are taken back after a restart."""
MAX_REMEMBERED = 1024
"""So many refs of one repository, and so many refused commits of all, are remembered; the oldest is forgotten."""

# Evidence: who sends rubbish for ever does not fill the disk

MAX_EVIDENCE_COMMITS = 64
"""So many refused commits are kept of each player, contradictions and everything else apart, ..."""
MAX_REFUSAL_LINES = 256
"""... and so many refusals are listed."""

# What a neighbour's or a relay's repository may send

MAX_REF_FILE_BYTES = 1024
"""Of a file that holds one ref."""
MAX_PACKED_REFS_BYTES = 1 << 20
"""Of the file that holds all packed refs, as far as it is read."""
MAX_LISTED_ENTRIES = 10_000
"""So many entries of folders are looked at when refs are listed."""
MAX_REF_FOLDER_DEPTH = 8
"""So deep below ``refs`` folders are looked into."""
MAX_REFS_IN_FOLDER = 4096
"""So many refs of a folder are told; those that are asked for by name always are."""
MAX_TOLD_REFS = 20_000
"""So many refs the process may tell that reads a neighbour's repository."""
COSTLY_BYTES = 1 << 20
"""What takes so much, and comes to nothing, is not tried again at once."""
MAX_QUARANTINED_BYTES = 64 << 20
"""All files of one fetch take no more room on the disk."""
MAX_QUARANTINED_PACKS = 32
"""After so many fetches what they brought is removed, and brought anew where it is needed."""
MAX_WRITTEN_FILE_BYTES = 64 << 20
"""No process that reads or fetches writes a larger file."""
MAX_LISTING_BYTES = 8 << 20
"""Of the refs that a server lists: some eighty thousand."""
MAX_FETCHED_PACK_BYTES = 64 << 20
"""Of the pack that a daemon sends."""
MAX_INFLATED_BYTES = 256 << 20
"""Of all objects in it."""
MAX_PACK_OBJECTS = 200_000
"""Objects in it; those of a game of thirty thousand actions."""
MAX_PREFACE_LINES = 1000
"""So many lines may come before it."""
MAX_WANTS = 64
"""So many heads are asked for in one fetch; the others in the next."""
MAX_HAVES = 64
"""So many commits a fetch says that it has."""
MAX_FRAME_HEAD_BYTES = 8 << 20
"""Of what the process that reads a neighbour's repository tells in one answer, besides objects."""
MAX_FRAME_BODY_BYTES = 32 << 20
"""All commits that one request can bring; those of a whole game take a thirtieth."""
MAX_WORKER_MEMORY_BYTES = 512 << 20
"""Address space of the process that reads a neighbour's repository, and of each process that it starts."""
MAX_WORKER_FILES = 256
"""Files that each of these may have open."""
MAX_ANSWER_CHARACTERS = 500
"""So much such a process tells of what went wrong."""
MAX_COMPLAINT_BYTES = 64 << 10
"""So much of what a process complains of is read."""
MAX_COMPLAINT_CHARACTERS = 300
"""So much is told of what ssh or a hook says."""

# What a peer pushes to a relay

MAX_PUSH_OUTPUT_BYTES = 32 << 20
"""So much Git may print that reads or writes a relay that is a folder."""
MAX_PUSH_REPORT_BYTES = 1 << 20
"""So much ``git push`` may print."""

# Visitors of a peer that serves its repository

MAX_UNSERVED_CONNECTIONS = 128
"""Connections that have not said yet what they want: who comes then, takes the place of one of them."""
MAX_SERVED_CONNECTIONS = 128
"""Connections that are served."""
MAX_CONNECTIONS_OF_ADDRESS = 32
"""Connections from one address that are served."""
MAX_SERVING_PROCESSES = 16
"""Processes of Git at the same time; who comes later waits for one to end."""
MAX_REQUEST_BYTES = 4096
"""Of the line in which a visitor says what they want."""
MAX_HELD_ANSWER_BYTES = 8 << 20
"""So much of what Git says is held for a reader who is slower."""

# Tables before the game

MAX_RECORD_BYTES = 4096
"""No record that a host or a guest writes at a table is larger."""
MAX_RECORD_VALUE_CHARACTERS = 1000
"""No value of a field in it is longer."""
MAX_URL_CHARACTERS = 300
"""No address of a guest is longer."""
MAX_INVITATION_CHARACTERS = 2000
"""No invitation is longer."""
MAX_ANNOUNCED_TABLES = 100
"""So many tables of the local network are listened to."""
MAX_ANNOUNCED_BYTES = 255 - len("invitation=")
"""Of an announced table's invitation, and of its words: multicast DNS takes 255 bytes with their name."""
MAX_KEY_FILE_BYTES = 16 << 10
"""So much of a file is read for a private key."""
