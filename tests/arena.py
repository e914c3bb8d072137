"""House players against each other: `python -m tests.arena`, which is workshop/arena.py."""

import sys

from workshop.arena import main

if __name__ == "__main__":
    sys.exit(main())
