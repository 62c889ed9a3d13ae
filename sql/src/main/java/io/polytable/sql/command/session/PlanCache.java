package io.polytable.sql.command.session;

import io.polytable.sql.model.catalog.CatalogState;
import io.polytable.sql.query.run.PreparedQuery;
import io.polytable.sql.type.LruCache;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cache of query plans: analysing a text runs DuckDB's parser several times. Any change of the catalog invalidates
 * all plans. Plans over virtual tables are not cached.
 */
public final class PlanCache {
    private static final int PLANS_MAX = 256;
    private static final int TEXT_MAX = 10_000;

    private final LruCache<Key, PreparedQuery> plans = new LruCache<>(PLANS_MAX, (key, plan) -> 1);

    private @Nullable CatalogState of;

    /**
     * The meaning of a text depends on the default namespace and on the user.
     *
     * @param rights the version of what users may do: a plan is checked when it is made
     */
    public record Key(String text, String namespace, String user, long rights) {}

    public PreparedQuery plan(Key key, CatalogState state, Supplier<PreparedQuery> analysis) {
        PreparedQuery known = known(key, state);
        if (known != null && known.query().isCurrent()) {
            return known;
        }
        PreparedQuery plan = analysis.get();
        if (plan.query().isCacheable() && key.text().length() <= TEXT_MAX) {
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
