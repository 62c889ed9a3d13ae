package io.polytable.sql.syntax;

import io.polytable.sql.model.definition.PolicyDef.Command;
import java.util.List;
import java.util.Optional;

/** A statement about a row policy. */
public sealed interface PolicyStatement {
    String name();

    Name table();

    record Create(String name, Name table, boolean permissive, Command command, List<Role> roles, Conditions conditions)
            implements PolicyStatement {}

    /** Absent parts stay as they are. */
    record Alter(String name, Name table, Optional<List<Role>> roles, Conditions conditions)
            implements PolicyStatement {}

    record Rename(String name, Name table, String to) implements PolicyStatement {}

    record Drop(String name, Name table, boolean ifExists) implements PolicyStatement {}

    /** The conditions of USING and WITH CHECK. */
    record Conditions(Optional<Fragment> using, Optional<Fragment> check) {}

    /** A user, or with {@code current} the one who runs the statement. */
    record Role(String name, boolean current) {}
}
