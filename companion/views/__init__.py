"""What is on screen; no rules."""
