"""The REST side of Discord's API, one module for each family of routes."""
