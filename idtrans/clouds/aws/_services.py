"""Service principals: which of them act on behalf of other customers' resources.

Such a service can be told by a stranger to use a role or resource that trusts it, unless the trust says for whom.
https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html
"""

from __future__ import annotations

from typing import Final

from idtrans.model.values import Reach

_OWN: Final = frozenset(
    {
        "apprunner",
        "application-autoscaling",
        "autoscaling",
        "batch",
        "build.apprunner",
        "cloudformation",
        "dax",
        "ec2",
        "ecs",
        "ecs-tasks",
        "edgelambda",
        "eks",
        "eks-fargate-pods",
        "eks-nodegroup",
        "elasticbeanstalk",
        "elasticmapreduce",
        "lambda",
        "opsworks",
        "pods.eks",
        "rolesanywhere",
        "spotfleet",
        "tasks.apprunner",
    }
)
"""Services that use a role only for resources of the account that passed it, and send no source key."""
_DEPUTIES: Final = frozenset(
    {
        "apigateway",
        "backup",
        "bedrock",
        "chatbot",
        "cloudfront",
        "cloudtrail",
        "codebuild",
        "codepipeline",
        "cognito-idp",
        "config",
        "connect",
        "databrew",
        "datasync",
        "delivery.logs",
        "dms",
        "events",
        "firehose",
        "glue",
        "guardduty",
        "iot",
        "kinesisanalytics",
        "logdelivery.elasticloadbalancing",
        "logging.s3",
        "logs",
        "macie",
        "pipes",
        "quicksight",
        "s3",
        "sagemaker",
        "scheduler",
        "securityhub",
        "ses",
        "sns",
        "sqs",
        "ssm",
        "states",
        "transfer",
        "vpc-flow-logs",
    }
)
"""Services documented to send `aws:SourceArn` and `aws:SourceAccount`, which act for resources of any account."""


def service_reach(principal: str) -> Reach:
    """Return who can make a service use what trusts it without naming a source.

    A service that is neither known to act for other accounts nor known not to leaves it unknown.
    """
    name = principal.removeprefix("service:").removesuffix(".cn").removesuffix(".amazonaws.com")
    # Regional principals, such as `logs.eu-west-1`, and those of one use, `dynamodb.application-autoscaling`, are the
    # same service.
    names = {name, *name.split(".")}
    if names & _OWN:
        return Reach.TENANT
    return Reach.PLATFORM if names & _DEPUTIES else Reach.UNKNOWN
