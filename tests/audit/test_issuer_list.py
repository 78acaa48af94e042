"""The rule of one's own that the documentation shows: which issuers are allowed."""

from __future__ import annotations

import pytest

from idtrans import api
from tests.audit.trust_documents import azure, claims, estate_of, gcp, provider

HELD = "issuer-not-allowed"


@pytest.fixture
def folder(root, tmp_path):
    """Write the rule of the page into a folder."""
    page = (root / "docs" / "adding-a-rule.md").read_text("utf-8")
    path = tmp_path / "rules"
    path.mkdir()
    (path / f"{HELD}.md").write_text(page.partition("~~~~markdown\n")[2].partition("~~~~")[0], "utf-8")
    return path


@pytest.mark.parametrize(
    ("documents", "found"),
    [
        (claims(sub="repo:acme/app:environment:prod"), []),
        (azure("repo:acme/app:environment:prod"), []),
        (gcp(provider("assertion.repository_id == '1'"), "*"), []),
        (claims(issuer="gitlab.com", sub="project_path:acme/app:ref_type:branch:ref:main"), [HELD]),
        (azure("project_path:acme/app:ref_type:branch:ref:main", issuer="https://gitlab.com"), [HELD]),
        (gcp(provider("assertion.project_id == '1'", issuer="https://gitlab.com"), "*"), [HELD]),
    ],
    ids=["aws", "azure", "gcp", "aws-other", "azure-other", "gcp-other"],
)
def test_issuers_beside_the_list_are_found(tmp_path, folder, documents, found):
    estate = tmp_path / "estate"
    estate.mkdir()
    report = api.audit(estate_of(estate, documents), folders=[folder], select=[HELD])
    assert found == [finding.rule for finding in report.findings]
