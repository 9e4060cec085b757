"""The desktop companion: what a person sees, and the gateway it brings along."""

__version__ = "0.1.0"
