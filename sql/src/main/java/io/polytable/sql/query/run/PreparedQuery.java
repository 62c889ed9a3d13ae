package io.polytable.sql.query.run;

import io.polytable.sql.query.plan.DuckQuery;
import io.polytable.sql.query.render.Rendered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A bound query and what its first run has shown: which of its texts DuckDB accepts, and the columns of its result. Later
 * runs are one DuckDB statement each.
 */
public final class PreparedQuery {
    private final DuckQuery query;
    private volatile @Nullable Form form;

    public PreparedQuery(DuckQuery query) {
        this.query = query;
    }

    /**
     * A text that DuckDB accepts.
     *
     * @param shape the columns of its result
     * @param parameters the types of the parameters, on which those of the columns may depend
     */
    record Form(Rendered text, ResultShape shape, List<String> parameters) {}

    public DuckQuery query() {
        return query;
    }

    /** Whether the next statement may run it: it has no virtual table, and the same tables have files. */
    public boolean isReusable() {
        return query.isCacheable() && query.isCurrent();
    }

    /** What a run with parameters of the same types has shown. */
    Optional<Form> form(@Nullable Object[] parameters) {
        Form known = form;
        return known != null && known.parameters().equals(types(parameters)) ? Optional.of(known) : Optional.empty();
    }

    Form learn(Rendered text, ResultShape shape, @Nullable Object[] parameters) {
        Form learned = new Form(text, shape, types(parameters));
        form = learned;
        return learned;
    }

    private static List<String> types(@Nullable Object[] parameters) {
        List<String> types = new ArrayList<>();
        for (Object parameter : parameters) {
            types.add(parameter == null ? "" : parameter.getClass().getName());
        }
        return types;
    }
}
