"""What goes over the wire, in one definition for both ends.

Everything in here is pure: no sockets, no clock, no random numbers.
"""
