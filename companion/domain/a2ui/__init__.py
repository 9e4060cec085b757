"""Surfaces that agents describe as data: validation, state, drawing as a tree, snapshots. Pure.

The gateway and the app run the same code: what one accepts, the other can draw.
"""
