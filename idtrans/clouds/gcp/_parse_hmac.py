"""HMAC keys of Cloud Storage: secrets that sign requests as an account, as access keys do elsewhere.

https://cloud.google.com/storage/docs/authentication/hmackeys
"""

from __future__ import annotations

from typing import Final

from idtrans.clouds.gcp._fields import CLOUD_NAME, Item, problem, shown
from idtrans.clouds.gcp._parse_policies import Found
from idtrans.model.entities import Credential, CredentialKind, CredentialStatus
from idtrans.model.values import UNKNOWN

HMAC: Final = "storage#hmacKeyMetadata"
"""What the metadata of a key says that it is."""
_STATES: Final = {
    "ACTIVE": CredentialStatus.ACTIVE,
    "INACTIVE": CredentialStatus.INACTIVE,
    "DELETED": CredentialStatus.INACTIVE,
}


def parse_hmac(item: Item) -> Found:
    """Read the metadata of one key; a state that is not known is UNKNOWN.

    https://cloud.google.com/storage/docs/json_api/v1/projects/hmacKeys
    """
    access_id, address, state = item.text("accessId"), item.text("serviceAccountEmail"), item.text("state")
    if not access_id:
        yield problem(f"an HMAC key without an access id: {shown(dict(item.data))}", item.source)
        return
    if state not in _STATES:
        yield problem(f"the state {shown(state)} of the HMAC key `{access_id}` is not known", item.source, access_id)
    yield Credential(
        cloud=CLOUD_NAME,
        id=item.text("id") or access_id,
        kind=CredentialKind.GCP_HMAC_KEY,
        owner=f"serviceAccount:{address.lower()}" if address else UNKNOWN,
        status=_STATES.get(state or "", UNKNOWN),
        source=item.source,
        created=item.time("timeCreated"),
        last_used=UNKNOWN,
        name=access_id,
    )
