"""Tests of the actions: guards, effects, instances."""
