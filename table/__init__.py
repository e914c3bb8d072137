"""A local table: Discord's protocol on loopback, and the channel as a web page."""
