"""The authorizer of a node: made from its configuration, and kept up to date with the published entries."""

from __future__ import annotations

from collections.abc import Callable

from kraftpy.authorizer.principal_mapping import PrincipalMapper
from kraftpy.authorizer.standard import StandardAuthorizer
from kraftpy.config.authorization import AuthorizationConfig
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import MetadataImage
from kraftpy.image.publishing import Manifest, MetadataPublisher
from kraftpy.model.features import CIDR_ACL_LEVEL
from kraftpy.transport.authorization import Authorization


class AclPublisher(MetadataPublisher):
    """Gives the authorizer the entries of each published state."""

    name = "acls"

    def __init__(self, authorizer: StandardAuthorizer) -> None:
        self._authorizer = authorizer

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Load the entries at the first update, and follow the changes from then on."""
        del manifest
        self._authorizer.takes_ranges = image.level >= CIDR_ACL_LEVEL
        if not self._authorizer.is_loaded:
            self._authorizer.load(image.acls)
        elif delta.acls is not None:
            self._authorizer.change(delta.acls)


class Permissions:
    """What a node asks about requests, and what keeps it up to date.

    Args:
        config: of the authorizer.
        image: the published state.
        on_denied: called for each denial that an error reports.
    """

    def __init__(
        self, config: AuthorizationConfig, image: Callable[[], MetadataImage], on_denied: Callable[[], None]
    ) -> None:
        self._config = config
        self._image = image
        self._on_denied = on_denied
        self._authorizer = StandardAuthorizer(config.super_users, allow_without_entries=config.allow_without_entries)
        self.publisher = AclPublisher(self._authorizer)

    def of_listener(self, name: str) -> Authorization:
        """Return what a listener asks: one authorizer for all, by the names that its own rules give."""
        mapper = PrincipalMapper(self._config.rules_of(name))
        return Authorization(self._authorizer, self._image, self._on_denied, mapper)
