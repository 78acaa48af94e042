"""The wheel is complete: built offline and laid beside the installed dependencies, it runs the demo by itself."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile

import pytest

pytestmark = pytest.mark.xdist_group("wheel")


def _python(*arguments, cwd, extra_path=None):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PYTHON", "COV_"))}
    if extra_path is not None:
        environment["PYTHONPATH"] = str(extra_path)
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert 0 == done.returncode, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory):
    """The wheel as hatchling builds it in this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    _python("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=root)
    (built,) = folder.glob("idtrans-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A folder with nothing but the installed wheel."""
    target = tmp_path_factory.mktemp("installed")
    pip = ("-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--quiet")
    _python(*pip, "--no-deps", "--no-index", "--target", str(target), str(wheel), cwd=target)
    return target


def _files(root, folder):
    return sorted(
        path.relative_to(root).as_posix()
        for path in (root / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )


@pytest.mark.parametrize("folder", ["rules", "fixtures/acme"])
def test_every_data_file_is_in_the_wheel(root, wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert [] == [name for name in _files(root, folder) if f"idtrans/_data/{name}" not in names]


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
        names = set(archive.namelist())
    assert {"idtrans"} == {top for top in tops if not top.endswith(".dist-info")}
    assert "idtrans/py.typed" in names


def test_data_comes_from_the_wheel(installed, tmp_path):
    probe = "from idtrans.model.data import fixtures_dir, rules_dir; print(rules_dir()); print(fixtures_dir())"
    data = (installed / "idtrans" / "_data").resolve()
    said = _python("-c", probe, cwd=tmp_path, extra_path=installed).splitlines()
    assert [str(data / "rules"), str(data / "fixtures")] == said


def test_the_demo_runs_from_the_wheel(installed, tmp_path):
    said = _python("-m", "idtrans", "demo", cwd=tmp_path, extra_path=installed)
    assert said.strip()
    assert [] == list(tmp_path.iterdir()), "the demo leaves no files behind"
