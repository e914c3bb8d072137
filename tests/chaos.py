"""`python -m tests.chaos` is `python -m workshop chaos`."""

import sys

from workshop.chaos.__main__ import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
