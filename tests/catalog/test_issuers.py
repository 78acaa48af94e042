from __future__ import annotations

import copy
import tomllib

import pytest

from idtrans.catalog import Basis, Level, Presence, Slot, Tenancy, issuer, issuer_of, issuers
from idtrans.catalog._issuer_files import read_issuer
from idtrans.model.data import rules_dir
from idtrans.model.errors import DataError

GITHUB = "https://token.actions.githubusercontent.com"
CIRCLE = "https://oidc.circleci.com"
PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad"
DEFENDER = "33e01921-4d64-4f8c-a055-5bdaffd5e33d"
TURBONOMIC = "2f785sojlpb85i7402pk3qogugim5nfb"
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
        (f"{CIRCLE}/org/11111111-2222-4333-8444-555555555555", "circleci", Tenancy.TENANT),
        (CIRCLE, "circleci", Tenancy.SHARED),
        (
            "https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc",
            "bitbucket",
            Tenancy.TENANT,
        ),
        ("https://agent.buildkite.com", "buildkite", Tenancy.SHARED),
        ("https://app.eu.terraform.io", "terraform-cloud", Tenancy.SHARED),
        ("https://vstoken.dev.azure.com/0000", "azure-devops", Tenancy.TENANT),
        ("https://app.vstoken.visualstudio.com/0000", "azure-devops", Tenancy.TENANT),
        ("https://acme.app.spacelift.io", "spacelift", Tenancy.TENANT),
        ("https://acme.app.us.spacelift.io", "spacelift", Tenancy.TENANT),
        ("https://oidc.vercel.com", "vercel", Tenancy.SHARED),
        ("https://oidc.vercel.com/acme", "vercel", Tenancy.TENANT),
        ("https://api.pulumi.com/oidc", "pulumi", Tenancy.SHARED),
        ("https://accounts.google.com", "google", Tenancy.SHARED),
        ("https://sts.windows.net/0000/", "entra", Tenancy.TENANT),
        ("https://login.microsoftonline.com/0000/v2.0", "entra", Tenancy.TENANT),
        (f"https://login.microsoftonline.com/{PERSONAL}/v2.0", "entra", Tenancy.SHARED),
        (f"https://sts.windows.net/{DEFENDER}/", "microsoft-defender", Tenancy.SHARED),
        ("https://0a1b.tokens.sts.global.api.aws", "aws", Tenancy.TENANT),
        ("https://codeberg.org/api/actions", "forgejo", Tenancy.SHARED),
        ("https://git.acme.example/api/actions", "forgejo", Tenancy.PRIVATE),
        ("https://oidc.codefresh.io", "codefresh", Tenancy.SHARED),
        ("https://scalr.io", "scalr", Tenancy.SHARED),
        ("https://tokens.cloud.shisho.dev", "shisho", Tenancy.SHARED),
        ("https://proidc.upbound.io", "upbound", Tenancy.SHARED),
        ("https://studio.datachain.ai/api", "dvc-studio", Tenancy.SHARED),
        ("https://sandboxes.cloud", "sandboxes", Tenancy.SHARED),
        ("https://oidc-configuration.audit-log.githubusercontent.com", "github-audit-log", Tenancy.SHARED),
        (f"https://oidc.op1.openshiftapps.com/{TURBONOMIC}", "turbonomic", Tenancy.SHARED),
        ("https://oidc.op1.openshiftapps.com/0123", "kubernetes", Tenancy.PRIVATE),
        (
            "https://container.googleapis.com/v1/projects/p/locations/europe-west1/clusters/c",
            "kubernetes",
            Tenancy.PRIVATE,
        ),
        ("https://graph.facebook.com", "facebook", Tenancy.SHARED),
        ("https://www.amazon.com", "amazon", Tenancy.SHARED),
        ("https://example.com", "generic", Tenancy.SHARED),
        ("", "generic", Tenancy.SHARED),
    ],
)
def test_the_issuer_behind_a_url(url, kind, tenancy):
    found = issuer_of(url)
    assert (kind, tenancy, None) == (found.issuer.kind, found.tenancy, found.spelled)


@pytest.mark.parametrize(
    ("url", "meant"),
    [
        (f"{GITHUB}/", GITHUB),
        ("https://Token.Actions.GitHubUserContent.com", GITHUB),
        ("https://gitlab.com//", "https://gitlab.com"),
        (f" {GITHUB}\n", GITHUB),
        ("http://gitlab.com", "https://gitlab.com"),
        (f"{GITHUB}/acme/", f"{GITHUB}/acme"),
        ("https://eastus.oic.prod-aks.azure.com/t/c", "https://eastus.oic.prod-aks.azure.com/t/c/"),
        ("https://sts.windows.net/0000", "https://sts.windows.net/0000/"),
        ("https://login.microsoftonline.com/0000/v2.0/", "https://login.microsoftonline.com/0000/v2.0"),
        ("https://example.com/", None),
        ("ftp://gitlab.com", None),
    ],
)
def test_a_url_that_no_token_says(url, meant):
    assert meant == issuer_of(url).spelled


def test_an_instance_is_known_by_the_kind_that_is_named():
    url = "https://ci.acme.example/x"
    assert ("spiffe", Tenancy.PRIVATE) == (issuer_of(url, "spiffe").issuer.kind, issuer_of(url, "spiffe").tenancy)
    # A hosted service has no instances, and a known URL is what it is.
    assert "generic" == issuer_of(url, "vercel").issuer.kind
    assert "gitlab" == issuer_of("https://gitlab.com", "spiffe").issuer.kind


@pytest.mark.parametrize("each", [each for each in issuers() if each.wanted is not None], ids=lambda each: each.kind)
def test_what_is_asked_for_by_name_is_described(each):
    wanted = each.wanted
    assert wanted is not None
    assert wanted.parts
    assert all(part.help for part in wanted.parts)
    assert len(wanted.parts) == len({part.name for part in wanted.parts})
    assert wanted.part(wanted.parts[0].name) is wanted.parts[0]
    assert wanted.part("no such part") is None
    for name, value in wanted.defaults.items():
        assert each.components[name].values.matches(value)


def test_braces_may_be_letters_of_a_token():
    found = issuer("bitbucket")
    assert found is not None
    template = found.shapes[0].claims["sub"].templates[0]
    assert ("{", Slot("repository"), "}:{", Slot("step"), "}") == template


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
        (_changed(federate={"part": [{"name": "x", "value": "{other}", "help": "x"}]}), "`other` is asked for"),
        (_changed(federate={"part": [], "issuer": "https://{other}"}), "`other` is asked for"),
        (_changed(federate={"part": [], "shape": "other"}), "shape `other` is asked for"),
        (_changed(federate={"part": [], "colour": "red"}), "the federate has the unknown key"),
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
