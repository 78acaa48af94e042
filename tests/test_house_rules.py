"""Rules of the house that no linter knows. Each check is a function from a parsed module to its offences."""

from __future__ import annotations

import ast
import importlib
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "idtrans"
MOST_LINES = 350
MOST_FUNCTION_LINES = 50
CLOUDS = frozenset({"aws", "azure", "gcp"})
ROOMS_WITHOUT_A_SUBJECT = frozenset({"common", "helper", "helpers", "misc", "tools", "util", "utils"})
# What a person's or a build machine's disk looks like, and where packages are downloaded from.
PRIVATE_TEXT = re.compile(
    r"(?<![\w.~$}])/(?:home|root|Users|work)/\w|https?://\S+/simple\b|index-url|find-links",
    re.IGNORECASE,
)
WORK = "work"
"""Kept apart from its slashes, so that no line here looks like a path."""
TEXT_SUFFIXES = frozenset({".cfg", ".ini", ".json", ".md", ".py", ".toml", ".txt", ".yaml", ".yml"})


@dataclass(frozen=True, slots=True)
class Module:
    path: str
    """POSIX path from the top of the repository."""
    text: str

    @property
    def tree(self):
        return ast.parse(self.text, self.path)


def modules():
    paths = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)
    return [Module(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in paths]


def _names_a_cloud(node):
    if isinstance(node, ast.Constant):
        return node.value in CLOUDS if isinstance(node.value, str) else False
    if isinstance(node, ast.Attribute):
        return node.attr.lower() in CLOUDS and node.attr.isupper()
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(_names_a_cloud(element) for element in node.elts)
    return False


def cloud_branches(module):
    """Comparisons with, and matches on, the name of a cloud."""
    if module.path.startswith("idtrans/clouds/"):
        return []
    found = []
    for node in ast.walk(module.tree):
        parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        if isinstance(node, ast.MatchValue):
            parts = [node.value]
        found += [f"{module.path}:{part.lineno}" for part in parts if _names_a_cloud(part)]
    return found


def imports_of_networkx(module):
    if module.path.startswith("idtrans/graph/"):
        return []
    found = []
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        if any(name.partition(".")[0] == "networkx" for name in names):
            found.append(f"{module.path}:{node.lineno}")
    return found


def broad_excepts(module):
    found = []
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.ExceptHandler):
            continue
        caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        broad = (isinstance(name, ast.Name) and name.id in {"Exception", "BaseException"} for name in caught)
        if node.type is None or any(broad):
            found.append(f"{module.path}:{node.lineno}")
    return found


def long_modules(module):
    lines = len(module.text.splitlines())
    return [f"{module.path}: {lines} lines"] if lines > MOST_LINES else []


def long_functions(module):
    """Functions whose body, without its docstring, is long."""
    found = []
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
        if lines > MOST_FUNCTION_LINES:
            found.append(f"{module.path}:{node.lineno}: `{node.name}` has {lines} lines")
    return found


def _is_all(node):
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.target, ast.Name) and node.target.id == "__all__"
    return isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets)


def _sort_key(name):
    """Order of ruff's RUF022: constants, then classes, then the rest; numbers by value."""
    kind = 0 if name.isupper() else 1 if name[:1].isupper() else 2
    return kind, [(part.isdigit(), int(part) if part.isdigit() else part) for part in re.findall(r"\d+|\D+", name)]


def interfaces_without_order(module):
    """Packages whose `__all__` is missing, computed or unsorted."""
    if not module.path.endswith("__init__.py"):
        return []
    for node in module.tree.body:
        if _is_all(node) and isinstance(node.value, ast.List | ast.Tuple):
            names = [str(element.value) for element in node.value.elts if isinstance(element, ast.Constant)]
            if len(names) < len(node.value.elts):
                break
            return [] if names in (sorted(names), sorted(names, key=_sort_key)) else [f"{module.path}: not sorted"]
    return [f"{module.path}: no literal `__all__`"]


def rooms_without_a_subject(module):
    parts = [part.removesuffix(".py").strip("_") for part in module.path.split("/")]
    return [module.path] if ROOMS_WITHOUT_A_SUBJECT.intersection(parts) else []


CHECKS = (
    broad_excepts,
    cloud_branches,
    imports_of_networkx,
    interfaces_without_order,
    long_functions,
    long_modules,
    rooms_without_a_subject,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_package_keeps(check):
    assert [] == [offence for module in modules() for offence in check(module)]


@pytest.mark.parametrize(
    ("check", "path", "text"),
    [
        (broad_excepts, "idtrans/diff/_a.py", "try:\n    x()\nexcept Exception:\n    pass\n"),
        (broad_excepts, "idtrans/diff/_a.py", "try:\n    x()\nexcept:\n    pass\n"),
        (broad_excepts, "idtrans/diff/_a.py", "try:\n    x()\nexcept (ValueError, BaseException):\n    pass\n"),
        (cloud_branches, "idtrans/diff/_a.py", "if cloud == 'aws':\n    pass\n"),
        (cloud_branches, "idtrans/diff/_a.py", "if Cloud.GCP is not cloud:\n    pass\n"),
        (cloud_branches, "idtrans/diff/_a.py", "if cloud in {'x', 'azure'}:\n    pass\n"),
        (cloud_branches, "idtrans/diff/_a.py", "match cloud:\n    case 'aws':\n        pass\n"),
        (imports_of_networkx, "idtrans/api.py", "import networkx as nx\n"),
        (imports_of_networkx, "idtrans/api.py", "def f():\n    from networkx.algorithms import dag\n"),
        (interfaces_without_order, "idtrans/diff/__init__.py", "from x import a\n"),
        (interfaces_without_order, "idtrans/diff/__init__.py", "__all__ = ['b', 'a']\n"),
        (interfaces_without_order, "idtrans/diff/__init__.py", "__all__ = [*other.__all__]\n"),
        (long_functions, "idtrans/diff/_a.py", "def f():\n" + "    x()\n" * 51),
        (long_modules, "idtrans/diff/_a.py", "x()\n" * 351),
        (rooms_without_a_subject, "idtrans/diff/_utils.py", ""),
        (rooms_without_a_subject, "idtrans/common/_a.py", ""),
    ],
)
def test_a_breach_is_seen(check, path, text):
    assert 1 == len(check(Module(path, text)))


@pytest.mark.parametrize(
    ("check", "path", "text"),
    [
        (broad_excepts, "idtrans/diff/_a.py", "try:\n    x()\nexcept (ValueError, OSError):\n    pass\n"),
        (cloud_branches, "idtrans/clouds/aws/_a.py", "if cloud == 'aws':\n    pass\n"),
        (
            cloud_branches,
            "idtrans/diff/_a.py",
            "port = clouds['aws']\nif port is None or other == 'unknown':\n    pass\n",
        ),
        (imports_of_networkx, "idtrans/graph/_a.py", "import networkx as nx\n"),
        (interfaces_without_order, "idtrans/diff/__init__.py", "__all__ = ['LIMIT', 'Answer', 'diff']\n"),
        (interfaces_without_order, "idtrans/diff/__init__.py", "__all__: list[str] = []\n"),
        (interfaces_without_order, "idtrans/diff/_a.py", ""),
        (long_functions, "idtrans/diff/_a.py", 'def f():\n    """' + "words\n" * 60 + '"""\n' + "    x()\n" * 50),
        (long_modules, "idtrans/diff/_a.py", "x()\n" * 350),
        (rooms_without_a_subject, "idtrans/diff/_commonality.py", ""),
    ],
)
def test_what_is_fine_stays_fine(check, path, text):
    assert [] == check(Module(path, text))


def test_every_name_of_an_interface_exists():
    missing = []
    for module in modules():
        if not module.path.endswith("__init__.py"):
            continue
        name = module.path.removesuffix("/__init__.py").replace("/", ".")
        package = importlib.import_module(name)
        missing += [f"{name}.{part}" for part in package.__all__ if not hasattr(package, part)]
    assert [] == missing


def _project_files():
    for place in ("idtrans", "rules", "fixtures", "tests", "docs", ".ci", ".github"):
        yield from sorted((ROOT / place).rglob("*"))
    yield from sorted(ROOT.glob("*"))


def test_no_file_names_a_machine_or_a_registry():
    offences = []
    for path in _project_files():
        is_text = path.suffix in TEXT_SUFFIXES or path.name in {"Makefile", "run"}
        if not path.is_file() or not is_text or path == Path(__file__).resolve():
            continue
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), 1):
            if PRIVATE_TEXT.search(line):
                offences.append(f"{path.relative_to(ROOT).as_posix()}:{number}: {line.strip()[:80]}")
    assert [] == offences


@pytest.mark.parametrize(
    "text", ["see /home/someone/x", "`/root/x`", "https://index.example/simple", "--extra-index-url x", f"/{WORK}/x"]
)
def test_private_text_is_seen(text):
    assert PRIVATE_TEXT.search(text)


@pytest.mark.parametrize(
    "text",
    [f"role/{WORK}/x", "arn:aws:iam::111122223333:root", f"~/{WORK}/x", "https://example.com/home/page", "/workers/a"],
)
def test_public_text_is_fine(text):
    assert not PRIVATE_TEXT.search(text)
