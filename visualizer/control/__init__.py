"""What keys, clicks, the wheel and time do to a view."""
