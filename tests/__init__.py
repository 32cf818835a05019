"""Tests; the folders mirror those of the packages they test."""
