"""What the screen says."""
