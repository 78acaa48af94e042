"""`python -m idtrans`."""

from __future__ import annotations

from idtrans.cli import console

if __name__ == "__main__":
    console()
