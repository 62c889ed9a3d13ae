package io.polytable.sql.command.session;

import io.polytable.sql.model.catalog.CatalogState;
import io.polytable.sql.query.run.PreparedQuery;
import io.polytable.sql.type.LruCache;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cache of query plans: binding a query asks the catalog for each of its names. Any change of the catalog invalidates
 * all plans. Plans over virtual tables are not cached.
 */
public final class PlanCache {
    private static final int PLANS_MAX = 256;

    private final LruCache<Key, PreparedQuery> plans = new LruCache<>(PLANS_MAX, (key, plan) -> 1);

    private @Nullable CatalogState of;

    /**
     * The meaning of a query depends on the default namespace and on the user. Texts are parsed once, so a repeated text
     * has the same tree, and identity is the key.
     *
     * @param tree the query, or the part of another statement that it is made of
     * @param rights the version of what users may do: a plan is checked when it is made
     */
    public record Key(Object tree, String namespace, String user, long rights) {
        @Override
        @SuppressWarnings("ReferenceEquality")
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && key.tree == tree
                    && key.namespace.equals(namespace)
                    && key.user.equals(user)
                    && key.rights == rights;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(tree);
        }
    }

    public PreparedQuery plan(Key key, CatalogState state, Supplier<PreparedQuery> analysis) {
        PreparedQuery known = known(key, state);
        if (known != null && known.query().isCurrent()) {
            return known;
        }
        PreparedQuery plan = analysis.get();
        if (plan.query().isCacheable()) {
            keep(key, state, plan);
        }
        return plan;
    }

    private synchronized @Nullable PreparedQuery known(Key key, CatalogState state) {
        return of == state ? plans.get(key) : null;
    }

    private synchronized void keep(Key key, CatalogState state, PreparedQuery plan) {
        if (of != state) {
            plans.clear();
            of = state;
        }
        plans.put(key, plan);
    }
}
