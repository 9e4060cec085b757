"""The only code that touches a table or a folder of the gateway."""
