"""How tests start a real browser."""

from __future__ import annotations

import shutil
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# As root in a container there is no sandbox, and /dev/shm is often too small.
LAUNCH: dict[str, Any] = {
    "executable_path": CHROMIUM,
    "args": ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
}
