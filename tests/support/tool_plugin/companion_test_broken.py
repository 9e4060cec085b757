"""A plugin whose import ends the interpreter, if nobody stops it."""

raise SystemExit("this plugin cannot start")
