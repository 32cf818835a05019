"""The command line: arguments, output and exit codes, nothing else."""
