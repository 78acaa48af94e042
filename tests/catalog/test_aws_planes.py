"""Planes of AWS actions: every action has one, no row is idle, and the traps are told from what they look like."""

from __future__ import annotations

import pytest

from idtrans.catalog import ActionProfile, action_profile, aws_actions
from idtrans.catalog._profiles import _by_access_level, _Row, _rows, _rows_of, _service
from idtrans.model.values import Plane, Use

_R, _U, _W = Use.READ, Use.USE, Use.WRITE
_TABLE = {
    # what lists and describes
    (Plane.METADATA, _R): (
        "s3:ListAllMyBuckets ec2:DescribeInstances iam:ListRoles rds:DescribeDBInstances dynamodb:ListTables "
        "secretsmanager:ListSecrets ssm:DescribeParameters logs:DescribeLogGroups sts:GetCallerIdentity kms:ListKeys "
        "ecs:ListTasks sns:ListTopics"
    ),
    (Plane.CONFIG, _R): (
        "s3:GetBucketPolicy s3:GetObjectAcl iam:GetRole iam:GetAccountAuthorizationDetails dynamodb:DescribeTable "
        "secretsmanager:DescribeSecret sqs:GetQueueAttributes kms:DescribeKey lambda:GetPolicy ecr:DescribeRepositories"
    ),
    (Plane.CONFIG, _W): (
        "s3:CreateBucket s3:PutLifecycleConfiguration ec2:CreateTags iam:TagRole dynamodb:CreateTable kms:CreateKey "
        "logs:CreateLogGroup ec2:AuthorizeSecurityGroupIngress ecr:PutLifecyclePolicy"
    ),
    (Plane.CONFIG, _U): "sts:TagSession sts:SetSourceIdentity",
    # access levels say `Read`, `List` or `Write`, content says data
    (Plane.DATA, _R): (
        "s3:GetObject s3:ListBucket s3:GetObjectVersion dynamodb:Query dynamodb:PartiQLSelect kinesis:GetRecords "
        "logs:FilterLogEvents logs:GetQueryResults athena:GetQueryResults ebs:GetSnapshotBlock ecr:BatchGetImage "
        "codecommit:GitPull rds:DownloadDBLogFilePortion cloudtrail:LookupEvents es:ESHttpGet "
        "elasticfilesystem:ClientMount backup-storage:GetChunk ec2:GetConsoleOutput redshift-data:GetStatementResult"
    ),
    (Plane.DATA, _W): (
        "s3:PutObject s3:DeleteObjectVersion s3:PutObjectTagging dynamodb:PutItem dynamodb:BatchWriteItem "
        "sqs:SendMessage sqs:PurgeQueue sns:Publish logs:PutLogEvents ecr:PutImage codecommit:GitPush "
        "events:PutEvents es:ESHttpPost "
        "ses:SendEmail"
    ),
    # receiving takes the message, and connecting says nothing of what is sent
    (Plane.DATA, _U): (
        "sqs:ReceiveMessage rds-db:connect rds-data:ExecuteStatement athena:StartQueryExecution dsql:DbConnectAdmin "
        "comprehend:DetectSentiment rds:StartExportTask"
    ),
    (
        Plane.CRYPTO,
        _U,
    ): "kms:Decrypt kms:GenerateDataKeyWithoutPlaintext kms:ReEncryptFrom kms:Sign kms:DeriveSharedSecret",
    (Plane.CRYPTO, _W): "kms:ScheduleKeyDeletion kms:ImportKeyMaterial",
    (Plane.CRYPTO, _R): "kms:GetPublicKey",
    # environment variables and start-up scripts count as the secrets that people keep there
    (Plane.SECRET, _R): (
        "secretsmanager:GetSecretValue secretsmanager:BatchGetSecretValue ssm:GetParameter ssm:GetParametersByPath "
        "lambda:GetFunction lambda:GetFunctionConfiguration ecs:DescribeTaskDefinition ec2:DescribeInstanceAttribute "
        "ec2:GetPasswordData acm:ExportCertificate codebuild:BatchGetProjects"
    ),
    (Plane.SECRET, _U): (
        "sts:AssumeRole sts:AssumeRoot sts:GetFederationToken ecr:GetAuthorizationToken redshift:GetClusterCredentials "
        "redshift:GetClusterCredentialsWithIAM cognito-identity:GetCredentialsForIdentity lakeformation:GetDataAccess "
        "signin:CreateOAuth2Token s3express:CreateSession sagemaker:CreatePresignedDomainUrl"
    ),
    (Plane.SECRET, _W): (
        "iam:CreateAccessKey iam:CreateLoginProfile iam:UploadSSHPublicKey ec2:CreateKeyPair ssm:PutParameter "
        "secretsmanager:PutSecretValue"
    ),
    # access levels say `Read` of some of these
    (Plane.EXECUTE, _U): (
        "bedrock:InvokeModel sagemaker:InvokeEndpoint lambda:InvokeFunction ssm:SendCommand ssm:StartSession "
        "ecs:ExecuteCommand states:StartExecution codebuild:StartBuild glue:StartJobRun eks:AccessKubernetesApi "
        "ec2-instance-connect:SendSSHPublicKey"
    ),
    (Plane.EXECUTE, _W): (
        "ec2:RunInstances lambda:UpdateFunctionCode lambda:CreateFunction cloudformation:CreateStack "
        "ecs:RegisterTaskDefinition"
    ),
    (Plane.ADMIN, _W): (
        "iam:AttachRolePolicy iam:CreatePolicyVersion iam:UpdateAssumeRolePolicy iam:CreateUser iam:AddUserToGroup "
        "iam:DeactivateMFADevice s3:PutBucketPolicy s3:PutBucketAcl s3:PutObjectAcl s3:PutBucketPublicAccessBlock "
        "kms:PutKeyPolicy kms:CreateGrant lambda:AddPermission ec2:ModifySnapshotAttribute "
        "rds:ModifyDBSnapshotAttribute ram:CreateResourceShare organizations:AttachPolicy "
        "sso:CreateAccountAssignment eks:AssociateAccessPolicy "
        "kinesis:PutResourcePolicy secretsmanager:PutResourcePolicy lakeformation:GrantPermissions "
        "ecr:SetRepositoryPolicy events:PutPermission sso:PutInlinePolicyToPermissionSet"
    ),
    (Plane.ADMIN, _U): "iam:PassRole",
}


@pytest.mark.parametrize(
    ("action", "plane", "use"),
    [(action, plane, use) for (plane, use), actions in _TABLE.items() for action in actions.split()],
)
def test_planes(action, plane, use) -> None:
    assert ActionProfile(plane, use) == action_profile("aws", action)


def test_the_table_speaks_of_actions_that_exist() -> None:
    assert set() == {action for actions in _TABLE.values() for action in actions.split()} - set(aws_actions())


def test_every_action_has_a_plane_and_a_use() -> None:
    profiles = {action_profile("aws", action) for action in aws_actions()}
    assert all(isinstance(each.plane, Plane) and isinstance(each.use, Use) for each in profiles)
    assert set(Plane) == {each.plane for each in profiles}


def test_no_row_is_idle() -> None:
    """A row that decides no action, or says of all of them what is said without it, has no business in the file."""
    needed = set()
    for action in aws_actions():
        rows = [row for row in _rows_of("aws", _service(action)) if row.actions.matches(action)]
        if rows and rows[0].profile != (rows[1].profile if len(rows) > 1 else _by_access_level(action)):
            needed.add(rows[0].pattern)
    assert [] == [row.pattern for row in _rows("aws") if row.pattern not in needed]


def test_rows_are_told_once() -> None:
    patterns = [row.pattern for row in _rows("aws")]
    assert sorted(set(patterns)) == sorted(patterns)


@pytest.mark.parametrize(
    ("pattern", "service", "speaks"),
    [
        ("s3:Get*", "s3", True),
        ("S3:Get*", "s3", True),
        ("s3:Get*", "s3tables", False),
        ("*:PutResourcePolicy", "s3", True),
        ("s?:Publish", "sns", True),
        ("storage.objects.get", "", True),
    ],
)
def test_rows_by_service(pattern, service, speaks) -> None:
    row = _Row(pattern, None, None)  # type: ignore[arg-type]
    assert speaks is row.speaks_of(service)
