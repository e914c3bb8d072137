"""18LRA-Lower Rhine Area, by the rulebook of 2024."""
