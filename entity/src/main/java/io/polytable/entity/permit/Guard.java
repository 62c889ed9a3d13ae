package io.polytable.entity.permit;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import java.util.Map;
import java.util.Optional;

/** What one user may do. Permissions are read at each call: one that was taken back counts no more. */
record Guard(Permissions permissions, String user) {
    boolean may(Permission permission, Optional<String> table) {
        return permissions.of(user, table).contains(permission);
    }

    void require(Permission permission, Optional<String> table) {
        if (!may(permission, table)) {
            throw new EntityException(
                    EntityError.DENIED,
                    "The user lacks a permission",
                    Map.of("user", user, "permission", permission, "for", table.orElse("the instance")));
        }
    }

    /** Layouts and schemas are shown to whoever has a permission for anything. */
    void requireKnown() {
        if (!permissions.isKnown(user)) {
            throw new EntityException(
                    EntityError.DENIED, "The user has no permission in this instance", Map.of("user", user));
        }
    }

    /** Of someone who may write something here. */
    void requireWriter() {
        if (!permissions.isWriter(user)) {
            throw new EntityException(
                    EntityError.DENIED, "The user may write nothing in this instance", Map.of("user", user));
        }
    }
}
