"""One function a question. Nothing here prints; the command line is a skin over it."""

from __future__ import annotations

from idtrans.api._audits import audit, explain, rules
from idtrans.api._capabilities import capabilities
from idtrans.api._catalogs import catalog_status, import_catalog, use_catalog
from idtrans.api._clouds import clouds, trusters
from idtrans.api._comparison import compare_capabilities
from idtrans.api._demo import demonstrate
from idtrans.api._federations import (
    AskedTokens,
    Breadth,
    GithubIds,
    GithubInfo,
    GithubJob,
    SubjectFormat,
    asked_intent,
    aws_caller_intent,
    customised,
    federate,
    github_info,
    github_intent,
    github_issuer,
    read_github_info,
)
from idtrans.api._file import read_claims
from idtrans.api._load import load
from idtrans.api._paths import paths
from idtrans.api._questions import can, count_graph, diff, export_graph, graph, who_can
from idtrans.api._suites import run_suites
from idtrans.api._translations import translate
from idtrans.api._trusts import translate_trusts, trust

__all__ = [
    "AskedTokens",
    "Breadth",
    "GithubIds",
    "GithubInfo",
    "GithubJob",
    "SubjectFormat",
    "asked_intent",
    "audit",
    "aws_caller_intent",
    "can",
    "capabilities",
    "catalog_status",
    "clouds",
    "compare_capabilities",
    "count_graph",
    "customised",
    "demonstrate",
    "diff",
    "explain",
    "export_graph",
    "federate",
    "github_info",
    "github_intent",
    "github_issuer",
    "graph",
    "import_catalog",
    "load",
    "paths",
    "read_claims",
    "read_github_info",
    "rules",
    "run_suites",
    "translate",
    "translate_trusts",
    "trust",
    "trusters",
    "use_catalog",
    "who_can",
]
