"""Writing federation: a pool, a provider with a condition, and a binding on a service account.

https://cloud.google.com/iam/docs/workload-identity-federation-with-deployment-pipelines
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from idtrans.clouds.gcp._cel import quote
from idtrans.clouds.gcp._emit_aws_provider import KIND as AWS_NATIVE
from idtrans.clouds.gcp._emit_aws_provider import aws_callers
from idtrans.clouds.gcp._emit_binding import Binding, binding_of
from idtrans.clouds.gcp._emit_text import label, placeholders, pool_id
from idtrans.clouds.gcp._shapes import PROVIDERS, SEARCH
from idtrans.clouds.gcp._trusts import MAX_SUBJECT
from idtrans.model.artifacts import (
    Argv,
    Emission,
    Loss,
    LossEffect,
    Native,
    NestedBlock,
    Reference,
    TerraformBlock,
    TerraformValue,
)
from idtrans.model.documents import Json
from idtrans.model.errors import UsageError
from idtrans.model.intents import ClaimPin, FederationIntent, Names

_CLAIM: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ATTRIBUTE_NAME: Final = re.compile(r"[a-z0-9_]{1,100}")
_PREFERRED: Final = ("repository_id", "project_id", "repository", "project_path")
"""Claims that name one workload's home: the first of them that is pinned is what the binding names."""
_CONSTANT: Final = "trust"
_REGEX_SPECIAL: Final = re.compile(r"([\\^$.|?+()\[\]{}])")
_MAX_CONDITION: Final = 4096


@dataclass(frozen=True, slots=True)
class _Plan:
    """Everything that is written, before its notation is chosen."""

    pool: str
    provider: str
    provider_name: str
    project: str
    binding: Binding
    mapping: dict[str, str]
    condition: str
    members: tuple[str, ...]
    source: dict[str, Json]
    """Whose tokens, as the API says it: `{"oidc": ...}` or `{"aws": ...}`."""
    label: str


def emit_federation(intent: FederationIntent, names: Names) -> Emission:
    """Write a pool with one provider, whose condition holds for the wanted tokens alone, and the binding.

    Raises:
        UsageError: the issuer is not an https URL, nothing restricts the tokens, or they cannot be told apart.
    """
    if intent.issuer_kind == AWS_NATIVE:
        plan, long = _aws_plan(intent, names), []
    else:
        _check(intent)
        long = [subject for subject in intent.subjects if _is_literal(subject) and len(subject.encode()) > MAX_SUBJECT]
        plan = _plan(intent, names, long)
    natives, commands, blocks = tuple(_natives(plan)), tuple(_commands(plan)), tuple(_blocks(plan))
    return Emission(natives, commands, blocks, tuple(_losses(long)), placeholders(natives, commands, blocks))


def _check(intent: FederationIntent) -> None:
    if not intent.issuer.startswith("https://"):
        raise UsageError(f"the issuer `{intent.issuer}` is not an https URL", advice="write it as tokens do in `iss`")
    if not any(subject != "*" for subject in intent.subjects) and not intent.pins:
        raise UsageError("nothing says which tokens of the issuer are to be let in", advice="give a subject or a claim")


def _pool(intent: FederationIntent, names: Names) -> tuple[str, str, str]:
    """Return the id of the pool, its name, and the id of its provider."""
    pool = names.values.get("gcp-pool") or pool_id(intent.name)
    provider = names.values.get("gcp-provider") or pool_id(intent.name, "-oidc")
    name = f"projects/{names.get('gcp-project-number')}/locations/global/workloadIdentityPools/{pool}"
    return pool, name, provider


def _aws_plan(intent: FederationIntent, names: Names) -> _Plan:
    pool, name, provider = _pool(intent, names)
    callers = aws_callers(intent)
    project = names.get("gcp-project-id")
    return _Plan(
        pool=pool,
        provider=provider,
        provider_name=f"{name}/providers/{provider}",
        project=project,
        binding=binding_of(names, project),
        mapping=callers.mapping,
        condition=callers.condition,
        members=tuple(f"principalSet://iam.googleapis.com/{name}/attribute.{each}" for each in callers.attributes),
        source={"aws": {"accountId": callers.account}},
        label=label(intent.name),
    )


def _plan(intent: FederationIntent, names: Names, long: list[str]) -> _Plan:
    pool, name, provider = _pool(intent, names)
    project = names.get("gcp-project-id")
    condition = _condition(intent)
    if len(condition) > _MAX_CONDITION:
        raise UsageError(
            f"the condition has {len(condition)} characters, more than {_MAX_CONDITION}",
            advice="name fewer subjects, or pin an id instead",
        )
    mapping = _mapping(intent, long)
    oidc: dict[str, Json] = {"issuerUri": intent.issuer}
    if intent.audience is not None:
        oidc["allowedAudiences"] = [intent.audience]
    return _Plan(
        pool=pool,
        provider=provider,
        provider_name=f"{name}/providers/{provider}",
        project=project,
        binding=binding_of(names, project),
        mapping=mapping,
        condition=condition,
        members=_members(intent, name, mapping),
        source={"oidc": oidc},
        label=label(intent.name),
    )


def _is_literal(subject: str) -> bool:
    return "*" not in subject


def _ordered(intent: FederationIntent) -> list[ClaimPin]:
    """Return the pins, ids first: they stay what they are when names change hands."""
    return sorted(intent.pins, key=lambda pin: not pin.claim.endswith("_id"))


def _condition(intent: FederationIntent) -> str:
    tests = [_equals(f"assertion{_field(pin.claim)}", pin.values) for pin in _ordered(intent)]
    subject = _subject_test(intent.subjects)
    return " && ".join([*tests, subject] if subject else tests)


def _field(claim: str) -> str:
    return f".{claim}" if _CLAIM.fullmatch(claim) else f"[{quote(claim)}]"


def _equals(left: str, values: tuple[str, ...]) -> str:
    if len(values) == 1:
        return f"{left} == {quote(values[0])}"
    return f"{left} in [{', '.join(map(quote, values))}]"


def _subject_test(subjects: tuple[str, ...]) -> str | None:
    """Return the test of the subject, `None` when any will do."""
    if "*" in subjects or not subjects:
        return None
    literal = tuple(subject for subject in subjects if _is_literal(subject))
    tests = [_equals("assertion.sub", literal)] if literal else []
    tests += [_pattern_test(subject) for subject in subjects if not _is_literal(subject)]
    return tests[0] if len(tests) == 1 else f"({' || '.join(tests)})"


def _pattern_test(subject: str) -> str:
    head = subject.removesuffix("*")
    if _is_literal(head):
        return f"assertion.sub.startsWith({quote(head)})"
    pieces = (_REGEX_SPECIAL.sub(r"\\\1", piece) for piece in subject.split("*"))
    return f"assertion.sub.matches({quote('^' + '.*'.join(pieces) + '$')})"


def _mapping(intent: FederationIntent, long: list[str]) -> dict[str, str]:
    home = _home(intent)
    mapping = {"google.subject": "assertion.sub"}
    if long or (home is None and not _by_subject(intent)):
        mapping |= _replacement(home, long)
    for pin in intent.pins:
        if _ATTRIBUTE_NAME.fullmatch(pin.claim) and _CLAIM.fullmatch(pin.claim):
            mapping[f"attribute.{pin.claim}"] = f"assertion.{pin.claim}"
    return mapping


def _replacement(home: ClaimPin | None, long: list[str]) -> dict[str, str]:
    """Return what is mapped where the subject cannot be what the binding names."""
    if not long:
        # The provider's condition decides alone; the constant ties the binding to this provider, not to the pool.
        return {f"attribute.{_CONSTANT}": quote(_CONSTANT)}
    if home is None or len(home.values[0].encode()) > MAX_SUBJECT:
        raise UsageError(
            f"the subject `{long[0]}` has {len(long[0].encode())} bytes, and Google Cloud takes {MAX_SUBJECT}",
            advice="pin an id, such as the repository id, to name the workload by",
        )
    return {"google.subject": f"assertion.{home.claim}"}


def _by_subject(intent: FederationIntent) -> bool:
    """Tell whether the binding can name the subjects themselves."""
    return bool(intent.subjects) and all(
        _is_literal(subject) and len(subject.encode()) <= MAX_SUBJECT for subject in intent.subjects
    )


def _home(intent: FederationIntent) -> ClaimPin | None:
    """Return the pin that names the workload's home, with one value."""
    pins = {pin.claim: pin for pin in intent.pins if len(pin.values) == 1 and _ATTRIBUTE_NAME.fullmatch(pin.claim)}
    wanted = (*_PREFERRED, *(pin.claim for pin in _ordered(intent)))
    return next((pins[claim] for claim in wanted if claim in pins and _CLAIM.fullmatch(claim)), None)


def _members(intent: FederationIntent, pool_name: str, mapping: dict[str, str]) -> tuple[str, ...]:
    if _by_subject(intent):
        return tuple(f"principal://iam.googleapis.com/{pool_name}/subject/{subject}" for subject in intent.subjects)
    home = _home(intent)
    attribute = f"{home.claim}/{home.values[0]}" if home is not None else f"{_CONSTANT}/{_CONSTANT}"
    return (f"principalSet://iam.googleapis.com/{pool_name}/attribute.{attribute}",) if mapping else ()


def _losses(long: list[str]) -> Iterator[Loss]:
    for subject in long:
        size = len(subject.encode())
        why = (
            f"the subject has {size} bytes and `google.subject` takes {MAX_SUBJECT}: "
            "the provider's condition tests it, and the binding names the workload by an attribute"
        )
        yield Loss("subject", LossEffect.SPLIT, why)


def _natives(plan: _Plan) -> Iterator[Native]:
    provider: dict[str, Json] = {
        "name": plan.provider_name,
        "state": "ACTIVE",
        "attributeMapping": dict(plan.mapping),
        "attributeCondition": plan.condition,
        **plan.source,
    }
    yield Native(PROVIDERS, "workload-identity-provider", provider)
    policy = {"version": 1, "bindings": [{"role": plan.binding.role, "members": list(plan.members)}]}
    label = "service-account-binding" if plan.binding.account is not None else "resource-binding"
    yield Native(SEARCH, label, [{"resource": plan.binding.resource, "policy": policy}])


def _commands(plan: _Plan) -> Iterator[Argv]:
    pools = ("gcloud", "iam", "workload-identity-pools")
    place = (f"--project={plan.project}", "--location=global")
    yield Argv((*pools, "create", plan.pool, *place), "a pool of its own keeps the subjects of other issuers out")
    mapping = ",".join(f"{target}={value}" for target, value in plan.mapping.items())
    oidc, aws = plan.source.get("oidc", {}), plan.source.get("aws")
    words = [
        *(*pools, "providers", "create-aws" if aws else "create-oidc", plan.provider, *place),
        f"--workload-identity-pool={plan.pool}",
        f"--account-id={aws['accountId']}" if aws else f"--issuer-uri={oidc['issuerUri']}",
        *(f"--attribute-mapping={mapping}", f"--attribute-condition={plan.condition}"),
    ]
    if "allowedAudiences" in oidc:
        words.append(f"--allowed-audiences={','.join(oidc['allowedAudiences'])}")
    yield Argv(tuple(words))
    for member in plan.members:
        yield plan.binding.command(member)


def _blocks(plan: _Plan) -> Iterator[TerraformBlock]:
    pool = "google_iam_workload_identity_pool"
    yield TerraformBlock(
        "resource", (pool, plan.label), {"project": plan.project, "workload_identity_pool_id": plan.pool}
    )
    yield TerraformBlock(
        "resource",
        (f"{pool}_provider", plan.label),
        {
            "project": plan.project,
            "workload_identity_pool_id": Reference(f"{pool}.{plan.label}.workload_identity_pool_id"),
            "workload_identity_pool_provider_id": plan.provider,
            "attribute_mapping": dict(plan.mapping),
            "attribute_condition": plan.condition,
            **_source_block(plan.source),
        },
    )
    for number, member in enumerate(plan.members):
        yield plan.binding.block(member, plan.label if not number else f"{plan.label}_{number + 1}")


def _source_block(source: dict[str, Json]) -> dict[str, TerraformValue]:
    if "aws" in source:
        return {"aws": NestedBlock({"account_id": source["aws"]["accountId"]})}
    oidc = source["oidc"]
    body: dict[str, TerraformValue] = {"issuer_uri": oidc["issuerUri"]}
    if "allowedAudiences" in oidc:
        body["allowed_audiences"] = tuple(oidc["allowedAudiences"])
    return {"oidc": NestedBlock(body)}
