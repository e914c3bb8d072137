"""Who is reminded of what, when, and how."""
