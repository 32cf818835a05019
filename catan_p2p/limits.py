"""Every limit on what is written into a game's logs and read out of others' repositories.

A reader refuses what is beyond a limit. A writer takes the same number from here, and makes nothing that is beyond it.
docs/log-format.md has the same limits in a table.
"""

from __future__ import annotations

# Players

MAX_SEATS = 6
MAX_NAME_BYTES = 64
"""Of a player's name in UTF-8, which is in each of their commits four times."""

# Commits

MAX_COMMIT_BYTES = 16 << 10
"""No commit is larger; a vote by the proof of a lie, which holds two others, is the only one that comes near."""
MAX_FILE_BYTES = 64 << 10
"""No file and no tree of a game is larger."""
MAX_PROOF_BYTES = 4 << 10
"""Of each commit in the proof of a lie. No commit but such a vote is larger, so that every lie can be proven."""
MAX_NEW_COMMITS = 200_000
"""No more commits that are not known yet are looked at behind one branch."""

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
"""No message is longer, in characters."""
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
