"""Shell and Terraform text: whatever a name holds, it comes back as that name and as nothing else."""

from __future__ import annotations

import io
import json
import shlex
import shutil
import subprocess
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.model.artifacts import (
    Argv,
    ArtifactFormat,
    Emission,
    JsonArgument,
    JsonEncode,
    Native,
    NestedBlock,
    Reference,
    TerraformBlock,
)
from idtrans.model.errors import InternalError
from idtrans.report import artifacts
from idtrans.report._shell import shell
from idtrans.report._terraform import quoted, terraform

HOSTILE = [
    "plain",
    "",
    "two words",
    "it's",
    'a "quoted" one',
    "back\\slash",
    "$(reboot)",
    "`reboot`",
    "; reboot #",
    "${aws_iam_role.x.arn}",
    "%{ for x in y }",
    "$${kept}",
    "$%{x}%${y}$$${z}",
    "<PLACEHOLDER>",
    "line\nbreak",
    "\r\n\ttabs",
    "\x1b[31mred\x1b[0m",
    "\x00nul",
    "\u202eright to left",
    "漢字 é",
    "-rf",
    "~",
    "*",
]


def _emission(name: str) -> Emission:
    policy: Any = {name: [name, 1]}
    return Emission(
        natives=(Native("aws.trust-policy", "trust", {"Name": name}),),
        commands=(Argv(("aws", "iam", "get-role", name, JsonArgument({name: [name]})), why=name),),
        terraform=(TerraformBlock("resource", ("aws_iam_role", "x"), {"name": name, "policy": JsonEncode(policy)}),),
    )


@pytest.mark.parametrize("name", [name for name in HOSTILE if name.isprintable()])
def test_a_shell_word_is_split_back(name):
    line = shell([Argv(("aws", name, JsonArgument({"k": name})))])
    program, word, argument = shlex.split(line)
    assert ("aws", name) == (program, word)
    assert {"k": name} == json.loads(argument)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_reads_every_word_back(tmp_path):
    names = [name for name in HOSTILE if "\0" not in name]
    script = tmp_path / "s.sh"
    script.write_text(shell([Argv(("printf", "%s\\0", *names), why="a\nreboot")]), "utf-8")
    done = subprocess.run(["bash", str(script)], capture_output=True, check=True)  # noqa: S607 - found on the path
    assert names == done.stdout.decode().split("\0")[:-1]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("form", list(ArtifactFormat))
def test_no_control_character_is_left(name, form):
    for artifact in artifacts(_emission(name), form):
        assert all(line.isprintable() for line in artifact.content.split("\n"))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_comment_is_one_line(name):
    lines = shell([Argv(("true",), why=name)]).splitlines()
    assert "true" == lines[-1]
    assert all(line.startswith("#") for line in lines[:-1])


def test_natives_are_written_one_by_one():
    (written,) = artifacts(_emission("é\x1b"), ArtifactFormat.NATIVE)
    assert ("aws.trust-policy", "trust") == (written.kind, written.name)
    assert {"Name": "é\x1b"} == json.loads(written.content)


@pytest.mark.parametrize("form", list(ArtifactFormat))
def test_nothing_emitted_gives_no_artifact(form):
    assert () == artifacts(Emission(), form)


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("plain", '"plain"'),
        ("${a}", '"$${a}"'),
        ("%{a}", '"%%{a}"'),
        ("$${a}", '"\\u0024$${a}"'),
        ("a$b{c}", '"a$b{c}"'),
        ('"\\', '"\\"\\\\"'),
        ("a\nb", '"a\\nb"'),
        ("\x1b", '"\\u001b"'),
        ("\U000e0001", '"\\U000e0001"'),
        ("\ud800", '"\ufffd"'),
    ],
)
def test_terraform_strings(text, literal):
    assert literal == quoted(text)


def _meaning(literal):
    """Read a literal as HCL does: escapes, and the two doubled markers. An interpolation is an error."""
    assert '"' == literal[0] == literal[-1]
    text, out, index = literal[1:-1], [], 0
    escapes = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
    while index < len(text):
        if text.startswith(("$${", "%%{"), index):
            out.append(text[index + 1 : index + 3])
            index += 3
        elif text.startswith(("${", "%{"), index):
            raise AssertionError(f"interpolation in {literal}")
        elif "\\" == text[index] and text[index + 1] in "uU":
            width = 4 if "u" == text[index + 1] else 8
            out.append(chr(int(text[index + 2 : index + 2 + width], 16)))
            index += 2 + width
        elif "\\" == text[index]:
            out.append(escapes[text[index + 1]])
            index += 2
        else:
            assert '"' != text[index]
            out.append(text[index])
            index += 1
    return "".join(out)


@given(st.text(st.one_of(st.sampled_from('$%{}"\\\n'), st.characters(exclude_categories=["Cs"]))))
def test_a_terraform_string_means_itself(text):
    assert text == _meaning(quoted(text))


POLICY: Any = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow"}]}
RATE: Any = 1.5
BLOCK = TerraformBlock(
    "resource",
    ("aws_iam_role", "deploy"),
    {
        "name": "deploy",
        "max_session_duration": 3600,
        "force": True,
        "path": None,
        "assume_role_policy": JsonEncode(POLICY),
        "role": Reference("aws_iam_role.other[0].arn"),
        "tags": {},
        "list": ("a", "b"),
        "one": ("a",),
        "none": (),
        "rate": RATE,
        "condition": NestedBlock({"title": "t"}),
        "binding": (NestedBlock({"role": "r"}), NestedBlock({"role": "s"})),
    },
)
TEXT = """\
resource "aws_iam_role" "deploy" {
  name                 = "deploy"
  max_session_duration = 3600
  force                = true
  path                 = null
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect = "Allow"
    }]
  })
  role = aws_iam_role.other[0].arn
  tags = {}
  list = [
    "a",
    "b",
  ]
  one  = ["a"]
  none = []
  rate = 1.5

  condition {
    title = "t"
  }

  binding {
    role = "r"
  }

  binding {
    role = "s"
  }
}
"""


def test_a_block_is_laid_out_as_terraform_does():
    assert TEXT == terraform([BLOCK])


def test_blocks_are_apart():
    block = TerraformBlock("variable", ("x",), {})
    assert 'variable "x" {\n}\n\nvariable "x" {\n}\n' == terraform([block, block])


@pytest.mark.parametrize(
    "block",
    [
        TerraformBlock("resource {", (), {}),
        TerraformBlock("resource", ('x" {',), {}),
        TerraformBlock("resource", ("x", "y z"), {}),
        TerraformBlock("resource", (), {"na me": 1}),
        TerraformBlock("resource", (), {"na me": NestedBlock({})}),
        TerraformBlock("resource", (), {"a": Reference('x" + evil')}),
        TerraformBlock("resource", (), {"a": Reference("file(x)")}),
        TerraformBlock("resource", (), {"a": Reference("a.b\n")}),
        TerraformBlock("resource", (), {"a": b"bytes"}),  # type: ignore[dict-item]
    ],
)
def test_names_that_are_no_identifiers_are_refused(block):
    with pytest.raises(InternalError):
        terraform([block])


def _hcl(text):
    hcl2 = pytest.importorskip("hcl2")
    return hcl2.load(io.StringIO(text))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", HOSTILE)
def test_an_hcl_parser_finds_one_block_with_two_arguments(name):
    (resource,) = _hcl(terraform(_emission(name).terraform))["resource"]
    ((_, blocks),) = resource.items()
    ((_, body),) = blocks.items()
    assert {"name", "policy"} == {key for key in body if not key.startswith("__")}


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=30)
@given(st.text(st.sampled_from("ab$%{}\"\\\n'#/*\x1b"), max_size=12))
def test_no_name_ends_its_literal(name):
    (resource,) = _hcl(terraform(_emission(name).terraform))["resource"]
    assert 1 == len(resource)
