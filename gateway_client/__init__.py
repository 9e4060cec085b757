"""A client for agent gateways: connect, chat, and read what comes back."""
