"""What decisions say about the statements that decided: the layer that each hangs on, and through which group."""

from __future__ import annotations

from idtrans.model.values import Layer
from tests.clouds.aws.builders import (
    ACCOUNT,
    ANA,
    BUCKET,
    OBJECT,
    allow,
    ask,
    attached,
    deny,
    estate,
    identity,
    managed,
    member,
    person,
)

GROUP = f"arn:aws:iam::{ACCOUNT}:group/eng/Developers"
READ = f"arn:aws:iam::{ACCOUNT}:policy/Read"


def reasons(*entities, action="s3:GetObject", target=OBJECT):
    found = ask(estate(person(ANA), *entities), ANA, action, target).reasons
    return [(reason.effect.value, reason.layer, reason.statement) for reason in found]


def test_a_managed_policy_counts_on_the_layer_that_it_hangs_on():
    world = (managed(READ, allow("s3:GetObject", Sid="Read")), identity(ANA, allow("s3:*", Sid="All")))
    boundary = attached(READ, ANA, Layer.BOUNDARY)
    shown = reasons(*world, boundary)
    assert ("allow", "boundary", f"statement Read of policy {READ}") in shown
    assert ("identity", f"statement Read of policy {READ}") not in {each[1:] for each in shown}
    own = reasons(*world, attached(READ, ANA))
    assert ("allow", "identity", f"statement Read of policy {READ}") in own


def test_a_boundary_that_denies_is_named_as_one():
    world = (managed(READ, allow("s3:*"), deny("s3:GetObject", Sid="No")), identity(ANA, allow("s3:*")))
    shown = reasons(*world, attached(READ, ANA, Layer.BOUNDARY))
    assert [("deny", "boundary", f"statement No of policy {READ}")] == [each for each in shown if each[0] == "deny"]


def test_what_comes_through_a_group_names_the_group():
    world = (member(ANA, GROUP), identity(ANA, allow("ec2:*")))
    shown = reasons(*world, managed(READ, allow("s3:GetObject", Sid="Read")), attached(READ, GROUP))
    assert ("allow", "identity", f"statement Read of policy {READ} through the group Developers") in shown
    inline = reasons(*world, identity(GROUP, allow("s3:GetObject", f"{BUCKET}/*", Sid="Own")))
    assert any(statement.endswith(" through the group Developers") for _, _, statement in inline)
