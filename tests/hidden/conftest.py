"""Players' folders are read in this process."""

from tests.reading_here import reads_here as reads_here
