"""Questions about one estate: may this principal do this, who may, and do all cases of a suite come out as expected."""

from idtrans.access._can import can, who_can
from idtrans.access._chains import chains
from idtrans.access._paths import Asked, paths
from idtrans.access._suites import Case, Doors, Token, failed, run
from idtrans.access._ways import Ways

__all__ = ["Asked", "Case", "Doors", "Token", "Ways", "can", "chains", "failed", "paths", "run", "who_can"]
