"""Trusts: which outside tokens become which service account, or reach a resource directly.

Two stages decide together: the provider lets a token into the pool when its condition holds and every mapped claim
exists, and a binding names some identities of the pool. https://cloud.google.com/iam/docs/workload-identity-federation
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from idtrans.algebra import ALWAYS, NEVER, Condition, Has, Opaque, all_of, any_of
from idtrans.clouds.gcp._conditions import Claim, Missing, TokenVocabulary, condition_of, mapped
from idtrans.clouds.gcp._fields import CLOUD_NAME
from idtrans.clouds.gcp._index import Index, index_of, remembered
from idtrans.clouds.gcp._members import VALID_FORMS, Member, PoolMember, member
from idtrans.clouds.gcp._names import IAM_HOST, account_of, full_name
from idtrans.clouds.gcp._roles import permissions_of
from idtrans.clouds.gcp._trust_notes import MAX_SUBJECT, condition_notes, fitting, long_subjects, same_subjects
from idtrans.model.entities import IdentityProvider, RoleBinding
from idtrans.model.estate import Estate
from idtrans.model.values import Reach
from idtrans.ports import Note, Trust, TrustKind

IMPERSONATION = (
    "iam.serviceAccounts.getAccessToken",
    "iam.serviceAccounts.getOpenIdToken",
    "iam.serviceAccounts.signJwt",
    "iam.serviceAccounts.signBlob",
)
"""Permissions on a service account that let the holder act as it."""

_GKE = ".svc.id.goog"
_KINDS = {"oidc": TrustKind.WEB_IDENTITY, "saml": TrustKind.SAML, "aws": TrustKind.ACCOUNT}
_GKE_REACH = {"subject": Reach.WORKLOAD, "namespace": Reach.PROJECT, "kubernetes.cluster": Reach.PROJECT}


@dataclass(frozen=True, slots=True)
class _Bound:
    """A binding that names identities of a pool."""

    binding: RoleBinding
    member: Member
    pool: PoolMember


def trusts(estate: Estate) -> tuple[Trust, ...]:
    """Return every trust, in the order of the bindings, then the providers that no binding uses."""
    index = index_of(estate)
    return remembered(estate, "trusts", lambda: tuple(_trusts(index)))


def _trusts(index: Index) -> Iterator[Trust]:
    providers = _providers(index)
    used: set[str] = set()
    for (target, pool), bounds in _by_target(index).items():
        used.add(pool)
        found = providers.get(pool, ())
        for provider in found:
            yield _trust(target, provider, bounds, found, index)
        if not found:
            yield _unprovided(target, pool, bounds)
    yield from _malformed(index)
    for pool, found in providers.items():
        if pool not in used:
            yield from (_unbound(provider, found, index) for provider in found)


def _providers(index: Index) -> Mapping[str, tuple[IdentityProvider, ...]]:
    return remembered(index.estate, "providers", lambda: _by_pool(index))


def _by_pool(index: Index) -> Mapping[str, tuple[IdentityProvider, ...]]:
    found: dict[str, dict[str, IdentityProvider]] = {}
    for provider in index.estate.of(IdentityProvider, CLOUD_NAME):
        found.setdefault(_pool_id(provider.pool or provider.id, index), {})[provider.id] = provider
    return {pool: tuple(by_id.values()) for pool, by_id in found.items()}


def _pool_id(pool: str, index: Index) -> str:
    """Return the name of a pool with its project as the index knows it."""
    head, _, rest = pool.partition("/locations/")
    return f"{index.container(head)}/locations/{rest}" if rest else pool


def _by_target(index: Index) -> Mapping[tuple[str, str], list[_Bound]]:
    found: dict[tuple[str, str], list[_Bound]] = {}
    for binding in index.bindings:
        for text in binding.members:
            each = member(text)
            if each.pool is not None and not each.deleted:
                key = (_target(binding, index), _pool_id(each.pool.pool, index))
                found.setdefault(key, []).append(_Bound(binding, each, each.pool))
    return found


def _target(binding: RoleBinding, index: Index) -> str:
    """Return the service account that a binding hands out, else the scope that it opens."""
    if not isinstance(binding.scope, str):
        return "unknown"
    account = account_of(binding.scope)
    if account is None:
        return binding.scope
    held = permissions_of(binding.role, index)
    becomes = held.doubt is not None or any(held.sure.matches(name) for name in IMPERSONATION)
    return account if becomes else full_name(binding.scope)


def _trust(
    target: str, provider: IdentityProvider, bounds: list[_Bound], siblings: tuple[IdentityProvider, ...], index: Index
) -> Trust:
    notes = [*_provider_notes(provider, siblings, index)]
    tests = []
    for bound in bounds:
        test, note = _member_test(bound.pool, provider)
        if bound.binding.condition is not None:
            test = all_of(test, Opaque(bound.binding.condition, "the condition of the binding is not about the token"))
        tests.append(test)
        if note is not None and not _disabled(provider, index):
            notes.append(note)
    whole = any(bound.pool.kind == "*" for bound in bounds)
    if whole:
        notes.append(Note("WHOLE_POOL", f"every identity of the pool `{provider.pool}` is let in"))
    admits = all_of(_admitted(provider, index), any_of(*tests))
    return Trust(
        cloud=CLOUD_NAME,
        kind=_KINDS.get(provider.kind, TrustKind.WEB_IDENTITY),
        target=target,
        issuer=provider.issuer if provider.kind == "oidc" else None,
        admits=admits,
        source=bounds[0].binding.source,
        provider_admits=NEVER if _disabled(provider, index) else _condition(provider),
        audiences=_audiences(provider),
        reach=_known_reach(provider, admits, whole=whole),
        whole_pool=whole,
        outside_account=_outside_account(provider),
        notes=tuple(dict.fromkeys(notes)),
    )


def _condition(provider: IdentityProvider) -> Condition:
    if provider.condition is None:
        return ALWAYS
    return condition_of(provider.condition, TokenVocabulary(provider.mapping))


def _admitted(provider: IdentityProvider, index: Index) -> Condition:
    """Return which tokens the provider lets into the pool."""
    if _disabled(provider, index):
        return NEVER
    terms = (mapped(target, provider.mapping) for target in sorted(provider.mapping))
    admitted = all_of(_condition(provider), *(term.present() for term in terms if term is not None))
    subject = mapped("google.subject", provider.mapping)
    return fitting(admitted, subject.key) if isinstance(subject, Claim) else admitted


def _disabled(provider: IdentityProvider, index: Index) -> bool:
    pool = index.resources.get(f"{IAM_HOST}{provider.pool}")
    return provider.disabled or (pool is not None and pool.settings.get("disabled") is True)


def _member_test(pool: PoolMember, provider: IdentityProvider) -> tuple[Condition, Note | None]:
    """Return which tokens of a provider are among the identities that a binding names."""
    if pool.kind == "*":
        return ALWAYS, None
    if pool.kind == "subject" and len(pool.value.encode()) > MAX_SUBJECT:
        return NEVER, Note("SUBJECT_TOO_LONG", f"`{pool.value}` has more than {MAX_SUBJECT} bytes, no subject can")
    target = {"subject": "google.subject", "group": "google.groups"}.get(pool.kind, f"attribute.{pool.attribute}")
    term = mapped(target, provider.mapping)
    if isinstance(term, Missing):
        return NEVER, Note("UNMAPPED_ATTRIBUTE", f"the provider `{provider.id}` does not map `{target}`")
    if pool.kind == "group":
        return _group_test(pool, term), None
    test = term.within(((pool.value,),)) if term is not None else None
    if test is None:
        text = provider.mapping[target]
        return Opaque(f"({text}) == {pool.value}", f"the mapping of `{target}` is not understood"), None
    return test.true, None


def _group_test(pool: PoolMember, term: object) -> Condition:
    present = Has(term.key) if isinstance(term, Claim) else ALWAYS
    return all_of(present, Opaque(f"google.groups holds {pool.value}", "group claims are not looked into"))


def _provider_notes(provider: IdentityProvider, siblings: tuple[IdentityProvider, ...], index: Index) -> Iterator[Note]:
    if _disabled(provider, index):
        # It lets nobody in, so nothing else about it matters.
        yield Note("DISABLED", f"the provider `{provider.id}` or its pool is disabled or deleted")
        return
    if provider.condition is None and provider.kind == "oidc":
        yield Note("NO_ATTRIBUTE_CONDITION", f"the provider `{provider.id}` takes every token of its issuer")
    yield from condition_notes(provider)
    subject = mapped("google.subject", provider.mapping)
    for text in long_subjects(_condition(provider), subject.key) if isinstance(subject, Claim) else ():
        yield Note("SUBJECT_TOO_LONG", f"`{text}` has more than {MAX_SUBJECT} bytes, no subject can")
    others = (each for each in siblings if not _disabled(each, index))
    rivals = sorted({each.issuer or each.kind for each in others if same_subjects(provider, each)})
    if rivals:
        named = ", ".join(f"`{rival}`" for rival in rivals)
        yield Note("SHARED_SUBJECTS", f"{named} may vouch for the same subjects in the pool `{provider.pool}`")


def _audiences(provider: IdentityProvider) -> tuple[str, ...]:
    """Return the audiences that a provider takes: without a list, its own name with and without `https:`."""
    if provider.audiences or provider.kind != "oidc":
        return provider.audiences
    return (f"{IAM_HOST}{provider.id}", f"https:{IAM_HOST}{provider.id}")


def _known_reach(provider: IdentityProvider, admits: Condition, *, whole: bool) -> Reach | None:
    """Return the reach of trusts without a token issuer; tokens are judged elsewhere."""
    if provider.kind == "oidc":
        return None
    if admits == NEVER:
        return Reach.DEAD
    if provider.kind == "aws":
        return Reach.TENANT if whole and provider.condition is None else Reach.WORKLOAD
    return Reach.UNKNOWN


def _outside_account(provider: IdentityProvider) -> str:
    return (provider.issuer or "").split(":")[4] if provider.kind == "aws" and provider.issuer else ""


def _unprovided(target: str, pool: str, bounds: list[_Bound]) -> Trust:
    """Return the trust of a pool whose providers were not supplied, or that has none."""
    text = " or ".join(bound.member.id for bound in bounds)
    gke = pool.endswith(_GKE)
    if gke:
        note = Note("KUBERNETES_SAMENESS", "every cluster of the project can have such a workload")
        reaches = [_GKE_REACH.get(bound.pool.kind, Reach.TENANT) for bound in bounds]
        reach = max(reaches, key=list(Reach).index)
    else:
        note, reach = Note("PROVIDER_NOT_SUPPLIED", f"the providers of `{pool}` were not supplied"), Reach.UNKNOWN
    return Trust(
        cloud=CLOUD_NAME,
        kind=TrustKind.WEB_IDENTITY,
        target=target,
        issuer=None,
        admits=Opaque(text, note.message),
        source=bounds[0].binding.source,
        reach=reach,
        whole_pool=any(bound.pool.kind == "*" for bound in bounds),
        notes=(note,),
    )


def _malformed(index: Index) -> Iterator[Trust]:
    """Return a dead trust for each identifier of a pool that the API refuses."""
    for binding in index.bindings:
        for text in binding.members:
            if not member(text).valid and "workloadIdentityPools/" in text:
                yield Trust(
                    cloud=CLOUD_NAME,
                    kind=TrustKind.WEB_IDENTITY,
                    target=_target(binding, index),
                    issuer=None,
                    admits=NEVER,
                    source=binding.source,
                    reach=Reach.DEAD,
                    notes=(Note("MALFORMED_PRINCIPAL", f"`{text}` is not a valid principal; valid are {VALID_FORMS}"),),
                )


def _unbound(provider: IdentityProvider, siblings: tuple[IdentityProvider, ...], index: Index) -> Trust:
    note = Note("NO_BINDING_SEEN", f"no binding that was supplied names the pool `{provider.pool}`")
    admits = _admitted(provider, index)
    return Trust(
        cloud=CLOUD_NAME,
        kind=_KINDS.get(provider.kind, TrustKind.WEB_IDENTITY),
        target=provider.id,
        issuer=provider.issuer if provider.kind == "oidc" else None,
        admits=admits,
        source=provider.source,
        provider_admits=NEVER if _disabled(provider, index) else _condition(provider),
        audiences=_audiences(provider),
        reach=_known_reach(provider, admits, whole=True),
        outside_account=_outside_account(provider),
        notes=(*_provider_notes(provider, siblings, index), note),
    )


def unprovided_pools(principal: str, estate: Estate) -> Iterator[tuple[str, RoleBinding]]:
    """Yield the bindings that hand a service account to a pool whose providers were not supplied."""
    index = index_of(estate)
    yield from remembered(estate, "unprovided", lambda: _unprovided_by_target(index)).get(principal, ())


def _unprovided_by_target(index: Index) -> Mapping[str, list[tuple[str, RoleBinding]]]:
    found: dict[str, list[tuple[str, RoleBinding]]] = {}
    providers = _providers(index)
    for (target, pool), bounds in _by_target(index).items():
        if pool not in providers and not pool.endswith(_GKE):
            found.setdefault(target, []).append((pool, bounds[0].binding))
    return found


__all__ = ["IMPERSONATION", "MAX_SUBJECT", "trusts", "unprovided_pools"]
