from __future__ import annotations

import copy
import tomllib

import pytest

from idtrans.catalog import Basis, Level, Presence, Slot, Tenancy, issuer, issuer_of, issuers
from idtrans.catalog._issuer_files import read_issuer
from idtrans.model.data import rules_dir
from idtrans.model.errors import DataError

GITHUB = "https://token.actions.githubusercontent.com"
SMALL = {
    "kind": "small",
    "title": "Small",
    "references": ["https://example.com/tokens"],
    "deployment": [{"url": "https://small.example.com", "tenancy": "shared"}],
    "components": {"name": {"never": ":", "samples": ["a"]}},
    "claims": {"sub": "job:{name}"},
    "shape": [{"name": "job"}],
    "pin": [{"level": "tenant", "basis": "names", "components": ["name"]}],
}


def test_every_file_is_read_and_named_after_its_kind():
    names = {path.stem for path in (rules_dir() / "issuers").glob("*.toml")}
    assert sorted(names) == [each.kind for each in issuers()]


@pytest.mark.parametrize("each", issuers(), ids=lambda each: each.kind)
def test_every_sample_is_a_value_of_its_component(each):
    for component in each.components.values():
        assert component.samples
        shown = component.samples if component.example is None else (*component.samples, component.example)
        for sample in shown:
            letters = set(sample)
            assert sample or component.alphabet.empty
            assert not letters & component.alphabet.never
            assert component.alphabet.only is None or letters <= component.alphabet.only
            assert component.values.matches(sample)


@pytest.mark.parametrize("each", issuers(), ids=lambda each: each.kind)
def test_strangers_have_two_names_for_all_that_pins_a_shared_tenant(each):
    shared = any(form.tenancy is Tenancy.SHARED for form in each.deployments)
    pins = [name for pin in each.pins_of(Level.TENANT) for name in pin.components]
    assert not shared or all(len(set(each.components[name].samples)) > 1 for name in pins)


@pytest.mark.parametrize("each", issuers(), ids=lambda each: each.kind)
def test_every_page_is_cited_by_a_secure_address(each):
    assert each.references
    assert all(page.startswith("https://") for page in each.references)


@pytest.mark.parametrize(
    ("url", "kind", "tenancy"),
    [
        (GITHUB, "github", Tenancy.SHARED),
        (f"{GITHUB}/acme", "github", Tenancy.TENANT),
        (f"{GITHUB}/acme/more", "generic", Tenancy.SHARED),
        ("https://token.actions.acme.ghe.com", "github", Tenancy.TENANT),
        ("https://github.acme.example/_services/token", "github", Tenancy.PRIVATE),
        ("https://gitlab.com", "gitlab", Tenancy.SHARED),
        ("https://gitlab.acme.example", "gitlab", Tenancy.PRIVATE),
        ("https://oidc.eks.eu-west-1.amazonaws.com/id/0123", "kubernetes", Tenancy.PRIVATE),
        ("https://eastus.oic.prod-aks.azure.com/t/c/", "kubernetes", Tenancy.PRIVATE),
        ("https://cognito-identity.amazonaws.com", "cognito", Tenancy.SHARED),
        ("https://example.com", "generic", Tenancy.SHARED),
        ("", "generic", Tenancy.SHARED),
    ],
)
def test_the_issuer_behind_a_url(url, kind, tenancy):
    found = issuer_of(url)
    assert (kind, tenancy, None) == (found.issuer.kind, found.tenancy, found.spelled)


@pytest.mark.parametrize("url", [f"{GITHUB}/", "https://Token.Actions.GitHubUserContent.com", "https://gitlab.com//"])
def test_a_url_that_no_token_says(url):
    assert issuer_of(url).spelled in {GITHUB, "https://gitlab.com"}


def test_look_up_by_kind():
    found = issuer("github")
    assert found is not None
    assert "GitHub Actions" == found.title
    assert issuer("nothing") is None


def test_the_subjects_of_github():
    found = issuer("github")
    assert found is not None
    shapes = {shape.name: shape for shape in found.shapes}
    subject = shapes["environment-immutable"].claims["sub"]
    parts = [part.component for part in subject.templates[0] if isinstance(part, Slot)]
    assert ["owner", "owner_id", "repo", "repo_id", "environment"] == parts
    assert Presence.NEVER is shapes["ref"].claims["environment"].presence
    assert Presence.ALWAYS is shapes["environment"].claims["environment"].presence
    assert {"names", "immutable"} == {shape.format for shape in found.shapes}
    assert [Basis.IDS, Basis.NAMES] == [pin.basis for pin in found.pins_of(Level.TENANT)]


def test_a_family_of_claims():
    found = issuer("github")
    assert found is not None
    claim = found.shapes[0].claim("repo_property_team")
    assert claim is not None
    assert Presence.OPTIONAL is claim.presence
    assert found.shapes[0].claim("no_such_claim") is None


def test_default_audiences():
    found = issuer("github")
    assert found is not None
    assert {"aws": "sts.amazonaws.com", "azure": "api://AzureADTokenExchange"} == found.audiences


def test_a_small_file_is_enough():
    found = read_issuer(SMALL, name="small.toml")
    assert ("small", True, None) == (found.kind, found.certain, found.customised)


def _changed(**parts):
    return {**copy.deepcopy(SMALL), **parts}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (_changed(colour="red"), "unknown key `colour`"),
        ({key: value for key, value in SMALL.items() if key != "title"}, "`title` is missing"),
        (_changed(deployment=[{"url": "https://x", "tenancy": "mine"}]), "wrong form"),
        (
            _changed(deployment=[{"url": "https://x", "tenancy": "shared", "x": 1}]),
            "the deployment has the unknown key",
        ),
        (_changed(shape=[{"name": "job", "claims": {"sub": "{other}"}}]), "`other` is used and not described"),
        (_changed(pin=[{"level": "tenant", "basis": "ids", "components": ["other"]}]), "`other` is used"),
        (_changed(claims={}), "has no `sub`"),
        (_changed(components=[]), "wrong form"),
        (_changed(customised={"first": "x", "keys": {}}), "first key `x`"),
        (_changed(customised={"keys": {"x": ["x:{other}"]}}), "`other` is used"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_breaks_the_schema_is_refused(content, message):
    with pytest.raises(DataError, match=message) as caught:
        read_issuer(content, name="broken.toml")
    assert caught.value.source is not None
    assert "rules/issuers/broken.toml" == caught.value.source.path


def test_files_are_plain_toml():
    for path in (rules_dir() / "issuers").glob("*.toml"):
        assert path.stem == tomllib.loads(path.read_text("utf-8"))["kind"]
