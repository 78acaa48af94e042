"""Rule files to rules. They are data: whatever a file says, nothing in it is run."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from idtrans.audit._conditions import OPERATORS, FieldTest, read_test
from idtrans.audit._fields import fields_of
from idtrans.audit._page import Page, PageOrigin, read_page
from idtrans.audit._rule import Rule
from idtrans.audit._template import Template
from idtrans.model.data import rules_dir
from idtrans.model.errors import DataError, UsageError
from idtrans.model.facts import FACT_KINDS
from idtrans.model.spans import Place, Source, escape_token

if TYPE_CHECKING:
    from pydantic import ValidationError

    from idtrans.audit._front_matter import FrontMatter

MAX_BYTES: Final = 256 * 1024
"""Size of one rule file."""
MAX_FILES: Final = 2_000
"""Rule files in one folder."""

_TOML_LINE: Final = re.compile(r"\(at line (\d+), column \d+\)$")


def load_rules(folders: Sequence[Path] = ()) -> tuple[Rule, ...]:
    """Return the bundled rules and those of the folders, sorted by id.

    Every `*.md` file directly in a folder is a rule, named after its id.

    Raises:
        DataError: a file breaks the schema, a limit is exceeded, or two files have one id.
    """
    bundled = rules_dir() / "audit"
    rules: dict[str, Rule] = {}
    for folder in (bundled, *folders):
        for path in _files(folder):
            name = f"rules/audit/{path.name}" if folder == bundled else path.as_posix()
            rule = read_rule(_text(path, name), name)
            other = rules.setdefault(rule.id, rule)
            if other is not rule:
                source = Source(rule.page.origin, "/id")
                raise DataError(f"rule `{rule.id}` is already in `{other.page.origin.path}`", source=source)
    return tuple(rules[name] for name in sorted(rules))


def explain(rule_id: str, rules: Iterable[Rule] | None = None) -> str:
    """Return a rule's page as Markdown, of the bundled rules unless others are given.

    Raises:
        UsageError: there is no such rule.
    """
    rule = named(rule_id, tuple(load_rules() if rules is None else rules))
    facts = [
        f"- severity {rule.severity}, confidence {rule.confidence}",
        f"- looks at: {rule.select} facts of {', '.join(rule.clouds)}",
    ]
    if rule.frameworks:
        facts.append(f"- asked for by: {'; '.join(rule.frameworks)}")
    return "\n".join([f"# {rule.id}", "", f"{rule.title}.", "", *facts, "", rule.page.body, ""])


def named(rule_id: str, rules: Sequence[Rule]) -> Rule:
    """Return the rule with an id.

    Raises:
        UsageError: there is none; the advice names similar ones.
    """
    found = {rule.id: rule for rule in rules}
    if rule_id in found:
        return found[rule_id]
    close = get_close_matches(rule_id[:200], found, 3)
    advice = f"did you mean {' or '.join(f'`{name}`' for name in close)}?" if close else "`idtrans rules` lists them"
    raise UsageError(f"there is no rule `{rule_id}`", advice=advice)


def read_rule(text: str, path: str) -> Rule:
    """Return the rule that a file states.

    Raises:
        DataError: it breaks the schema: an unknown key, fact kind, field or operator, a value of the wrong type, a
            page without its sections, a file that is not named after the rule.
    """
    page = read_page(text, path)
    front = _front_matter(page)
    if Path(path).stem != front.id:
        raise DataError(f"rule `{front.id}` is not in a file of its name", source=Source(page.origin, "/id"))
    _check_names(page, front)
    return Rule(
        id=front.id,
        title=front.title,
        severity=front.severity,
        confidence=front.confidence,
        persona=front.persona,
        clouds=tuple(front.clouds),
        select=front.select,
        where=tuple(_tests(page, front)),
        subject=Template(front.subject),
        message=Template(front.message),
        identity_fields=tuple(front.identity_fields),
        references=tuple(front.references),
        frameworks=tuple(front.frameworks),
        page=page,
    )


def _files(folder: Path) -> list[Path]:
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix == ".md")
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise DataError(f"a folder of rules cannot be listed: {reason}", source=Source(Place(str(folder)))) from error
    if len(found) > MAX_FILES:
        raise DataError(f"more than {MAX_FILES} rule files", source=Source(Place(str(folder))))
    return found


def _text(path: Path, name: str) -> str:
    source = Source(Place(name))
    if not path.is_file():
        raise DataError("a rule is not a regular file", source=source)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise DataError(f"a rule cannot be read: {reason}", source=source) from error
    except UnicodeDecodeError as error:
        raise DataError("a rule is not UTF-8 text", source=source) from error
    if len(data) > MAX_BYTES:
        raise DataError(f"a rule is larger than {MAX_BYTES} bytes", source=source)
    return text


def _front_matter(page: Page) -> FrontMatter:
    from pydantic import ValidationError

    from idtrans.audit._front_matter import FrontMatter

    try:
        return FrontMatter.model_validate(_toml(page))
    except ValidationError as error:
        raise _schema_error(page.origin, error) from error


def _toml(page: Page) -> dict[str, Any]:
    try:
        return tomllib.loads(page.front_matter)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_LINE.search(str(error))
        # The text starts below the first line of `+++`.
        number = int(place[1]) + 1 if place else 2 + page.front_matter.count("\n")
        message = _TOML_LINE.sub("", str(error)).strip()
        source = Source(page.origin, f"/#{number}")
        raise DataError(f"broken TOML: {message[:1].lower()}{message[1:200]}", source=source) from error
    except RecursionError as error:
        raise DataError("the front matter is nested too deeply", source=Source(page.origin, "/#1")) from error


def _schema_error(origin: PageOrigin, error: ValidationError) -> DataError:
    from idtrans.audit._front_matter import FrontMatter

    first = error.errors(include_url=False)[0]
    tokens = first["loc"]
    # An entry of a list stands on the line of its key.
    source = Source(origin, "".join(f"/{escape_token(token)}" for token in tokens if isinstance(token, str)))
    name = ".".join(map(str, tokens))[:200]
    if first["type"] == "extra_forbidden":
        return DataError(f"unknown key `{name}`", source=source, advice=f"known: {', '.join(FrontMatter.model_fields)}")
    return DataError(f"`{name}` is not valid: {first['msg'][:1].lower()}{first['msg'][1:]}", source=source)


def _check_names(page: Page, front: FrontMatter) -> None:
    """Refuse kinds of facts that do not exist, and fields that the selected facts do not have."""
    if front.select not in FACT_KINDS:
        source = Source(page.origin, "/select")
        raise DataError(
            f"unknown kind of facts `{front.select}`", source=source, advice=f"known: {', '.join(FACT_KINDS)}"
        )
    known = fields_of(front.select)
    for key in ("subject", "message"):
        source = Source(page.origin, f"/{key}")
        try:
            names = Template(getattr(front, key)).fields
        except ValueError as error:
            raise DataError(str(error), source=source) from error
        for name in names:
            _check_name(name, front.select, source)
    for name in front.identity_fields:
        _check_name(name, front.select, Source(page.origin, "/identity_fields"))
    for name in front.where:
        if name not in known:
            _check_name(name, front.select, Source(page.origin, f"/where/{escape_token(name)}"))


def _check_name(name: str, kind: str, source: Source) -> None:
    known = fields_of(kind)
    if name not in known:
        raise DataError(f"`{kind}` facts have no field `{name}`", source=source, advice=f"known: {', '.join(known)}")


def _tests(page: Page, front: FrontMatter) -> Iterable[FieldTest]:
    known = fields_of(front.select)
    for name, conditions in front.where.items():
        source = Source(page.origin, f"/where/{escape_token(name)}")
        if not conditions:
            raise DataError(f"`{name}` is compared with nothing", source=source, advice=f"use {', '.join(OPERATORS)}")
        for operator, operand in conditions.items():
            if operator not in OPERATORS:
                advice = f"known: {', '.join(OPERATORS)}"
                raise DataError(f"unknown operator `{operator}`", source=source, advice=advice)
            try:
                yield read_test(known[name], operator, operand)
            except ValueError as error:
                raise DataError(str(error), source=source) from error
