"""The rules of the companion: pure functions and values."""
