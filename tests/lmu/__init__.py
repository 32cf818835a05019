"""Tests of the LMU protocol's server and client."""
