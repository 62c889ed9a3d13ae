package io.polytable.redis.model.view;

import io.polytable.table.TableName;
import java.util.Optional;

/**
 * The names that a user can choose for views.
 *
 * @param data all keys with all their elements
 * @param members the members of sorted sets, where they are shown
 */
public record ViewNames(TableName data, Optional<TableName> members) {
    public static final ViewNames USUAL = new ViewNames(usual("redis_data"), Optional.of(usual("redis_zset_members")));

    static TableName usual(String name) {
        return new TableName("default", name);
    }

    /** Parses a name, with its namespace in front or in the default one. */
    public static TableName parse(String text) {
        int dot = text.indexOf('.');
        return dot < 0 ? usual(text) : new TableName(text.substring(0, dot), text.substring(dot + 1));
    }
}
