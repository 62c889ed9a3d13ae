package io.polytable.sql.command.session;

import io.polytable.sql.command.plan.Plan;
import io.polytable.sql.model.catalog.CatalogState;
import io.polytable.sql.query.run.PreparedQuery;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.syntax.StatementParser.Parsed;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A parsed statement. {@link PreparedCache} has its plan. Sessions of one user share it. */
public final class Prepared {
    private final Parsed parsed;
    private final Optional<Prepared> inner;

    /**
     * What the names of a statement mean.
     *
     * @param rights the version of what users may do: permissions are checked when a plan is made
     */
    record Meaning(CatalogState state, String namespace, String user, long rights) {
        @SuppressWarnings("ReferenceEquality") // Every definition creates a new state.
        boolean is(Meaning other) {
            return state == other.state
                    && rights == other.rights
                    && namespace.equals(other.namespace)
                    && user.equals(other.user);
        }
    }

    /** What a statement does as long as its names mean the same. */
    static final class Planned {
        /** The parts of a statement whose queries are kept; one with more prepares the others at each run. */
        private static final int PARTS_MAX = 16;

        private final Meaning meaning;
        private volatile @Nullable Plan plan;
        private @Nullable IdentityHashMap<Object, PreparedQuery> queries;

        Planned(Meaning meaning) {
            this.meaning = meaning;
        }

        boolean isOf(Meaning other) {
            return meaning.is(other);
        }

        Plan plan(Supplier<Plan> planner) {
            Plan known = plan;
            if (known == null || !known.isLasting()) {
                known = planner.get();
                plan = known.isLasting() ? known : null;
            }
            return known;
        }

        PreparedQuery query(Object part, Supplier<PreparedQuery> binder) {
            PreparedQuery known = known(part);
            if (known == null || !known.isReusable()) {
                known = binder.get();
                if (known.isReusable()) {
                    keep(part, known);
                }
            }
            return known;
        }

        private synchronized @Nullable PreparedQuery known(Object part) {
            return queries == null ? null : queries.get(part);
        }

        private synchronized void keep(Object part, PreparedQuery query) {
            if (queries == null) {
                // Texts are parsed once, so that a part of a statement is the same object at each run.
                queries = new IdentityHashMap<>();
            }
            if (queries.size() < PARTS_MAX) {
                queries.put(part, query);
            }
        }
    }

    public Prepared(Parsed parsed) {
        this.parsed = parsed;
        inner = inner(parsed.statement()).map(Prepared::new);
    }

    /** The statement inside an EXPLAIN, EXECUTE AS or PREPARE. */
    private static Optional<Parsed> inner(Statement statement) {
        if (statement instanceof Statement.Explain explain) {
            return Optional.of(new Parsed(explain.statement(), "", 0, 0));
        }
        if (statement instanceof Statement.ExecuteAs other) {
            return Optional.of(new Parsed(other.statement(), other.text(), 0, 0));
        }
        return statement instanceof Statement.Prepare prepare
                ? Optional.of(new Parsed(prepare.statement(), "", 0, prepare.parameters()))
                : Optional.empty();
    }

    public Statement statement() {
        return parsed.statement();
    }

    public String text() {
        return parsed.text();
    }

    /** The number of parameters that it takes. */
    public int parameters() {
        return parsed.parameters();
    }

    /** The statement inside it: of EXPLAIN, EXECUTE AS and PREPARE. */
    public Prepared inner() {
        return inner.orElseThrow();
    }
}
