"""The embedded gateway; it runs alone, too, and never imports Qt."""
