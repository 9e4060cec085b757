"""From a person's message to the end of its answer."""
