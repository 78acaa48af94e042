"""Writes `rules/managed-policies/` from the copies of the documents that the test dependency `moto` carries.

Run it as `python tests/catalog/write_managed_policies.py` after an update of moto. Names of policies as arguments add
these to the ones that are there.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

from moto.iam.aws_managed_policies import aws_managed_policies_data

from idtrans.model.data import rules_dir

EVERYWHERE: Final = frozenset({"AdministratorAccess"})
"""Policies that are the same in all partitions of AWS."""
_PARTITIONS: Final = ("aws", "aws-cn", "aws-us-gov")
_LISTS: Final = {
    "Action": "actions",
    "NotAction": "not_actions",
    "Resource": "resources",
    "NotResource": "not_resources",
}


def names() -> list[str]:
    """Return the names of the policies that are known."""
    return sorted(path.stem for path in _folder().iterdir())


def documents() -> dict[str, dict[str, Any]]:
    """Return moto's copies by name."""
    return json.loads(aws_managed_policies_data)  # type: ignore[no-any-return]


def listed(value: Any) -> list[Any]:
    """Return what is written as one value or as a list of them."""
    return value if isinstance(value, list) else [value]


def spelled(value: Any) -> str:
    """Return a value of a condition as text."""
    return json.dumps(value) if isinstance(value, bool) else str(value)


def render(name: str, policy: dict[str, Any], as_of: str) -> str:
    """Return the file of a policy."""
    lines = [
        f"# https://docs.aws.amazon.com/aws-managed-policy/latest/reference/{name}.html",
        f"arn = {_quoted('arn:aws:iam::aws:policy' + policy['Path'] + name)}",
        f"version = {_quoted(policy['DefaultVersionId'])}",
        f"as_of = {as_of}",
    ]
    if name in EVERYWHERE:
        lines.append(f"partitions = {json.dumps(_PARTITIONS)}")
    for statement in listed(policy["Document"]["Statement"]):
        lines += ["", "[[statement]]", *_statement(statement)]
    return "\n".join(lines) + "\n"


def _statement(statement: dict[str, Any]) -> list[str]:
    lines = [f"sid = {_quoted(statement['Sid'])}"] if statement.get("Sid") else []
    lines.append(f"effect = {_quoted(statement['Effect'].lower())}")
    for element, key in _LISTS.items():
        if element in statement:
            values = sorted(set(listed(statement[element])))
            lines += _array(key, [_quoted(each) for each in (_grouped(values) if "Action" in element else values)])
    tests = [
        f"{{ operator = {_quoted(operator)}, key = {_quoted(key)}, "
        f"values = [{', '.join(_quoted(spelled(each)) for each in listed(values))}] }}"
        for operator, keys in statement.get("Condition", {}).items()
        for key, values in keys.items()
    ]
    return [*lines, *(_array("conditions", tests) if tests else [])]


def _grouped(actions: list[str]) -> list[str]:
    services: dict[str, list[str]] = defaultdict(list)
    for action in actions:
        service, colon, verb = action.partition(":")
        services[service + colon].append(verb)
    return [head + (verbs[0] if len(verbs) == 1 else "{" + ",".join(verbs) + "}") for head, verbs in services.items()]


def _array(key: str, items: list[str]) -> list[str]:
    if len(items) == 1:
        return [f"{key} = [{items[0]}]"]
    return [f"{key} = [", *(f"    {item}," for item in items), "]"]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _folder() -> Path:
    return rules_dir() / "managed-policies"


def main(more: list[str]) -> None:
    """Write all files."""
    known = documents()
    as_of = max(policy["UpdateDate"] for policy in known.values())[:10]
    for name in sorted({*names(), *more}):
        (_folder() / f"{name}.toml").write_text(render(name, known[name], as_of), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
