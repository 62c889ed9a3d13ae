package io.polytable.redis.command;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The documentation group of a command; most are an ACL category too. */
public enum Group {
    GENERIC(Category.KEYSPACE),
    STRING(Category.STRING),
    LIST(Category.LIST),
    SET(Category.SET),
    SORTED_SET(Category.SORTEDSET),
    HASH(Category.HASH),
    PUBSUB(null),
    TRANSACTIONS(Category.TRANSACTION),
    CONNECTION(Category.CONNECTION),
    SERVER(null),
    SCRIPTING(Category.SCRIPTING),
    HYPERLOGLOG(Category.HYPERLOGLOG),
    CLUSTER(null),
    SENTINEL(null),
    GEO(Category.GEO),
    STREAM(Category.STREAM),
    BITMAP(Category.BITMAP);

    private final @Nullable Category category;

    Group(@Nullable Category category) {
        this.category = category;
    }

    Optional<Category> category() {
        return Optional.ofNullable(category);
    }

    /** As COMMAND DOCS writes it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
