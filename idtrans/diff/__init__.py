"""Does the new policy grant anything that the old one did not?"""

from __future__ import annotations

__all__: list[str] = []
