package io.polytable.sql.command.session;

import io.polytable.sql.model.catalog.CatalogState;
import io.polytable.sql.query.plan.Plan;
import io.polytable.sql.type.LruCache;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plans of queries that come again: to analyse a text takes DuckDB's parser several times. They hold as long as the catalog is the
 * same one; those of queries over what the server makes up for each statement are not kept.
 */
public final class PlanCache {
    private static final int PLANS_MAX = 256;
    private static final int TEXT_MAX = 10_000;

    private final LruCache<Key, Plan> plans = new LruCache<>(PLANS_MAX, (key, plan) -> 1);

    private @Nullable CatalogState of;

    /** What a text means depends on where names are looked up and on who asks. */
    public record Key(String text, String namespace, String user) {}

    public Plan plan(Key key, CatalogState state, Supplier<Plan> analysis) {
        Plan known = known(key, state);
        if (known != null && known.isAsItWas()) {
            return known;
        }
        Plan plan = analysis.get();
        if (plan.canBeKept() && key.text().length() <= TEXT_MAX) {
            keep(key, state, plan);
        }
        return plan;
    }

    private synchronized @Nullable Plan known(Key key, CatalogState state) {
        return of == state ? plans.get(key) : null;
    }

    private synchronized void keep(Key key, CatalogState state, Plan plan) {
        if (of != state) {
            plans.clear();
            of = state;
        }
        plans.put(key, plan);
    }
}
