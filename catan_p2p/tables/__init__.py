"""Opening a table, taking a seat at it, and the seat's repository on disk."""
