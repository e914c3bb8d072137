"""`python tests/oracle/replay.py FILE` is `python -m workshop oracle replay FILE`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from workshop.oracle.replay import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
