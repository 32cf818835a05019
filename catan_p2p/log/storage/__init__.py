"""The single-writer store under the logs: objects and refs in a Git repository, safe against a crash at any instant."""
