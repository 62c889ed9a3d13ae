package io.polytable.redis.command;

import java.util.Locale;
import java.util.Set;

/** The chapter of the manual a command stands in; most chapters are an ACL category too. */
public enum Group {
    GENERIC(Set.of(Category.KEYSPACE)),
    STRING(Set.of(Category.STRING)),
    LIST(Set.of(Category.LIST)),
    SET(Set.of(Category.SET)),
    SORTED_SET(Set.of(Category.SORTEDSET)),
    HASH(Set.of(Category.HASH)),
    PUBSUB(Set.of()),
    TRANSACTIONS(Set.of(Category.TRANSACTION)),
    CONNECTION(Set.of(Category.CONNECTION)),
    SERVER(Set.of()),
    SCRIPTING(Set.of(Category.SCRIPTING)),
    HYPERLOGLOG(Set.of(Category.HYPERLOGLOG)),
    CLUSTER(Set.of()),
    SENTINEL(Set.of()),
    GEO(Set.of(Category.GEO)),
    STREAM(Set.of(Category.STREAM)),
    BITMAP(Set.of(Category.BITMAP));

    private final Set<Category> categories;

    Group(Set<Category> categories) {
        this.categories = categories;
    }

    Set<Category> categories() {
        return categories;
    }

    /** As COMMAND DOCS writes it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
