"""A tournament of LMU clients: who meets whom, games that outlive the server, results, the organizer's commands."""
