"""Studies: comparisons of games under settings that a file lists, from the file to tables and figures."""
