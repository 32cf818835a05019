"""A tournament of LMU clients: pairings, games that outlive the server, results, the organizer's commands."""
