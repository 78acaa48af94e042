"""Where the data files that ship with idtrans lie: rules, and the sample estate."""

from __future__ import annotations

from pathlib import Path

from idtrans.model.errors import DataError

_PACKAGE = Path(__file__).resolve().parent.parent


def rules_dir() -> Path:
    """Return the folder of the bundled rules, capabilities, issuers, techniques and role facts.

    Raises:
        DataError: the installation has no such folder.
    """
    return _data_dir("rules", package=_PACKAGE)


def fixtures_dir() -> Path:
    """Return the folder that holds the sample estate `acme`.

    Raises:
        DataError: the installation has no such folder.
    """
    return _data_dir("fixtures", package=_PACKAGE)


def _data_dir(name: str, *, package: Path) -> Path:
    """Look inside the package, where a wheel puts data, then beside it, where a checkout has them."""
    bundled = package / "_data" / name
    if bundled.is_dir():
        return bundled
    checkout = package.parent
    # Beside an installed package lie other people's packages: only a checkout has a project file there.
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    raise DataError(f"the data folder `{name}` is missing from this installation", advice="reinstall idtrans")
