"""Hints for a person who plays for the first time; each is shown until it has been followed once."""

HINTS = {
    "start": "Click what is framed in gold, or press Enter. Point at anything to have it explained.",
    "settle": "Click a ring on the island, or reach it with Tab or arrows and press Enter. More dots bring more cards.",
    "settle road": "Roads grow from villages; further villages stand on them, at least two roads apart.",
    "ask": "You confirm what cannot be taken back; Settings switches that off.",
    "dice": "Everybody with a village at a tile of that number gets its resource; a seven brings the bandit.",
    "turn": "Bright buttons can be used; rings on the island can be clicked at once.",
    "place": "Click one of the rings, or Tab and Enter. Escape goes back.",
    "pick": "Keys 1 to 5 choose, with Shift they take back.",
    "bank": "Four equal cards for one; a village at a wharf makes it three or two.",
    "offer": "Keys 1 to 5 give, 6 to 0 want, with Shift less. All others are asked at once.",
    "offer to one": "Keys 1 to 5 give, 6 to 0 want, with Shift less. T: one alone is asked, or all others.",
    "asked": "No card moves before the player who offers chooses one of those who accept.",
    "declined": "Nothing to do: a counter-offer is still possible. Settings lets you answer such offers yourself.",
    "answers": "Trade with one of those who accept, or take the offer back.",
    "discard": "A player with more than seven cards gives half of them back.",
    "bandit": "The bandit's tile yields nothing; you steal one card from a player there.",
    "wait": "P lets a computer play for you; P again, and you play. L opens the log of all actions.",
}
