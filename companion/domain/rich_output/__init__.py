"""Charts, metrics and file cards that agents show as data: judged, read, replayed and told as text. Pure."""
