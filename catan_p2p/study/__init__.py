"""Studies: games compared by what they were played with, from a file to tables and figures."""
