"""`python -m tests.bot.taps` is `python -m workshop taps`."""

import sys

from workshop.taps import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
