"""Headless simulation: policies, schedules, one game, many games."""
