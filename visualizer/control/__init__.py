"""What keys, clicks and the wheel do to a view."""
