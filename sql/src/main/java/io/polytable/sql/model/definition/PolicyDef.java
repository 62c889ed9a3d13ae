package io.polytable.sql.model.definition;

import java.util.List;
import java.util.Optional;

/**
 * A row policy of a table, immutable.
 *
 * @param permissive whether it adds rows; otherwise it is restrictive and every row must pass it
 * @param roles the users that it is for, or {@link #PUBLIC}
 * @param using the condition of rows that exist
 * @param check the condition of rows that are written; absent if {@code using} is
 */
public record PolicyDef(
        String name,
        boolean permissive,
        Command command,
        List<String> roles,
        Optional<String> using,
        Optional<String> check) {
    /** Stands for all users. */
    public static final String PUBLIC = "public";

    /** The statements that a policy is for. */
    public enum Command {
        ALL,
        SELECT,
        INSERT,
        UPDATE,
        DELETE
    }

    public PolicyDef {
        roles = List.copyOf(roles);
    }

    public boolean isFor(String user, Command wanted) {
        return (command == Command.ALL || command == wanted) && (roles.contains(PUBLIC) || roles.contains(user));
    }

    /** The condition of rows that exist, or of rows that are written. */
    public Optional<String> condition(boolean written) {
        return written && check.isPresent() ? check : using;
    }
}
