from __future__ import annotations

import pytest

from idtrans.model.data import _data_dir, fixtures_dir, rules_dir
from idtrans.model.errors import DataError


def test_rules_and_fixtures_are_found():
    assert "rules" == rules_dir().name
    assert (fixtures_dir() / "acme").is_dir()


def test_bundled_data_comes_before_the_checkout(tmp_path):
    package = tmp_path / "idtrans"
    (package / "_data" / "rules").mkdir(parents=True)
    (tmp_path / "rules").mkdir()
    (tmp_path / "pyproject.toml").touch()
    assert package / "_data" / "rules" == _data_dir("rules", package=package)


def test_checkout_is_used_without_bundled_data(tmp_path):
    package = tmp_path / "idtrans"
    (tmp_path / "rules").mkdir()
    (tmp_path / "pyproject.toml").touch()
    assert tmp_path / "rules" == _data_dir("rules", package=package)


def test_a_neighbour_of_an_installed_package_is_not_taken_for_the_checkout(tmp_path):
    (tmp_path / "rules").mkdir()
    with pytest.raises(DataError, match="the data folder `rules` is missing"):
        _data_dir("rules", package=tmp_path / "idtrans")
