"""Programs for those who work on Kursbuch: they test, measure, record, draw and read rulebooks a second time.

They are no part of what is installed. `python -m workshop` lists them; README.md here says more.
"""

from pathlib import Path

#: The project's folder.
ROOT = Path(__file__).resolve().parents[1]
#: Where the recorded game of real people lies, if it is there: beside the project, not in it.
ORACLE = ROOT.parent / "shared" / "oracle"
