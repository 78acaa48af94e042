"""Trusts and tokens: who can use a trust, does a token get in, and how to write a trust that lets in no more."""

from __future__ import annotations

from idtrans.federation._admits import admits
from idtrans.federation._asked import AskedTokens, asked_intent
from idtrans.federation._asked_aws import AWS_NATIVE, aws_caller_intent
from idtrans.federation._contained import is_contained
from idtrans.federation._facts import trust_facts
from idtrans.federation._federate import FederationResult, FederationTarget, federate
from idtrans.federation._github import (
    Breadth,
    GithubIds,
    GithubJob,
    SubjectFormat,
    github_intent,
    github_issuer,
    github_losses,
)
from idtrans.federation._github_info import GithubInfo, customised, github_info
from idtrans.federation._judge import judge
from idtrans.federation._neutral import NeutralTrust, neutral_trust
from idtrans.federation._reach import PinnedBy, Pinning
from idtrans.federation._report import Nearest, TrustReport
from idtrans.federation._translate import (
    Broader,
    TrustTranslation,
    TrustVerdict,
    translate_trust,
    translate_trusts,
    written_reach,
)
from idtrans.federation._workflow import github_workflow
from idtrans.model.answers import Admission, TokenAnswer

__all__ = [
    "AWS_NATIVE",
    "Admission",
    "AskedTokens",
    "Breadth",
    "Broader",
    "FederationResult",
    "FederationTarget",
    "GithubIds",
    "GithubInfo",
    "GithubJob",
    "Nearest",
    "NeutralTrust",
    "PinnedBy",
    "Pinning",
    "SubjectFormat",
    "TokenAnswer",
    "TrustReport",
    "TrustTranslation",
    "TrustVerdict",
    "admits",
    "asked_intent",
    "aws_caller_intent",
    "customised",
    "federate",
    "github_info",
    "github_intent",
    "github_issuer",
    "github_losses",
    "github_workflow",
    "is_contained",
    "judge",
    "neutral_trust",
    "translate_trust",
    "translate_trusts",
    "trust_facts",
    "written_reach",
]
