"""Services that resource control policies reach."""

from __future__ import annotations

from pathlib import Path

from idtrans.catalog import _aws_actions, aws_rcp_services, aws_services


def test_the_services_are_known():
    found = aws_rcp_services()
    assert found is not None
    assert {"s3", "kms", "sts", "sqs", "secretsmanager"} <= found
    assert "ec2" not in found
    assert "s3" in found & aws_services()


def test_without_the_list_it_is_not_known(monkeypatch, tmp_path: Path):
    monkeypatch.setattr(_aws_actions, "files", lambda package: tmp_path / package)
    assert aws_rcp_services.__wrapped__() is None
