"""`python tests/oracle/routes.py FILE` is `python -m workshop oracle routes FILE`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from workshop.oracle.routes import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
