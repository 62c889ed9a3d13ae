package io.polytable.entity.permit;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import java.util.Map;
import java.util.Optional;

/** Checks one user's permissions. They are read at each call, so a revoked one is void at once. */
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

    /** Layouts and schemas are readable for every user with any permission. */
    void requireKnown() {
        if (!permissions.isKnown(user)) {
            throw new EntityException(
                    EntityError.DENIED, "The user has no permission in this instance", Map.of("user", user));
        }
    }

    /** Requires WRITE for anything in the instance. */
    void requireWriter() {
        if (!permissions.isWriter(user)) {
            throw new EntityException(
                    EntityError.DENIED, "The user may write nothing in this instance", Map.of("user", user));
        }
    }
}
