"""The sections of the report on measured games."""
