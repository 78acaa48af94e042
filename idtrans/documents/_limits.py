"""How much one input may hold before reading it is refused."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on hostile or mistaken inputs. A larger real input is read by passing larger bounds."""

    max_bytes: int = 256 * 1024 * 1024
    """Size of one file."""
    max_depth: int = 200
    """Lists and objects inside one another, in one document."""
    max_values: int = 20_000_000
    """Values in one document."""
    max_files: int = 50_000
    """Files found under all paths together."""
    max_alias_values: int = 1_000_000
    """Values that YAML aliases may stand for in one document, so that ten lines cannot expand to a billion values."""

    def advice(self, name: str) -> str:
        """Say how to raise the limit called `name`."""
        return f"if the input is meant to be this large, read it with `Limits({name}=...)` above {getattr(self, name)}"


LIMITS = Limits()
"""The bounds that apply unless others are passed."""
