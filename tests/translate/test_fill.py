from __future__ import annotations

from idtrans.model.artifacts import (
    Argv,
    Emission,
    JsonArgument,
    JsonEncode,
    Native,
    NestedBlock,
    Reference,
    TerraformBlock,
)
from idtrans.model.intents import Names, Scope
from idtrans.translate._fill import fill, fill_scope

NAMES = Names({"gcp-project-id": 'p"\n1'})
EMISSION = Emission(
    natives=(Native("k", "n", [{"role": "projects/<GCP_PROJECT_ID>/roles/r", "version": 1}]),),
    commands=(Argv(("gcloud", "--project=<GCP_PROJECT_ID>", JsonArgument({"a": ["<GCP_PROJECT_ID>", None]}))),),
    terraform=(
        TerraformBlock(
            "resource",
            ("a", "b"),
            {
                "x": NestedBlock({"y": "<GCP_PROJECT_ID>"}),
                "z": JsonEncode(("<GCP_PROJECT_ID>", "<OTHER>")),
                "r": Reference("a.b.c"),
            },
        ),
    ),
    placeholders=("<GCP_PROJECT_ID>", "<OTHER>"),
)


def test_names_stand_where_placeholders_stood():
    filled = fill(EMISSION, NAMES)
    name = 'p"\n1'

    assert [{"role": f"projects/{name}/roles/r", "version": 1}] == filled.natives[0].content
    assert ("gcloud", f"--project={name}", JsonArgument({"a": [name, None]})) == filled.commands[0].words
    assert {
        "x": NestedBlock({"y": name}),
        "z": JsonEncode((name, "<OTHER>")),
        "r": Reference("a.b.c"),
    } == filled.terraform[0].body
    assert ("<OTHER>",) == filled.placeholders


def test_without_names_nothing_changes():
    assert EMISSION is fill(EMISSION, Names())


def test_a_scope_is_filled():
    scope = Scope("account", "//x/projects/<GCP_PROJECT_ID>", {"project_id": "<GCP_PROJECT_ID>"})

    assert Scope("account", "//x/projects/p", {"project_id": "p"}) == fill_scope(scope, Names({"gcp-project-id": "p"}))
