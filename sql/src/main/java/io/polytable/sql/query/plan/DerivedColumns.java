package io.polytable.sql.query.plan;

import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.query.Names;
import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Source;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Determines which columns a subquery, view or common table expression has. */
final class DerivedColumns {
    /** At this depth the search stops and assumes that the column exists. */
    private static final int DEPTH_MAX = 50;

    /** The views of a query, each parsed once. */
    private final Map<TableName, Query> parsed = new HashMap<>();

    /**
     * The scope in which names are resolved.
     *
     * @param with the common table expressions by name
     */
    record Place(Names names, Map<String, Query.Cte> with) {
        /** The scope inside a common table expression: its own name has another meaning there, or is recursive. */
        Place without(String name) {
            Map<String, Query.Cte> left = new HashMap<>(with);
            left.remove(name);
            return new Place(names, left);
        }

        Place inside(Query query) {
            Map<String, Query.Cte> more = new HashMap<>(with);
            query.with().forEach(cte -> more.put(cte.name(), cte));
            return new Place(names, more);
        }
    }

    /** Whether a source of a FROM clause that is no table may have a column of the name. */
    boolean mayHave(Source source, String column, Place place) {
        return new Search(column).has(source, place, 0);
    }

    /** The inner names, with the first ones replaced by the outer names. */
    private static List<String> renamed(List<String> outer, List<String> inner) {
        List<String> all = new ArrayList<>(outer);
        all.addAll(inner.subList(Math.min(outer.size(), inner.size()), inner.size()));
        return all;
    }

    private Query query(ViewDef view) {
        return parsed.computeIfAbsent(view.name(), first -> QueryParser.parse(view.query()));
    }

    /** The search for one column; a query that several sources read is searched once. */
    private final class Search {
        private final String column;
        private final IdentityHashMap<Query.Body, Set<Integer>> seen = new IdentityHashMap<>();

        Search(String column) {
            this.column = column;
        }

        boolean has(Source source, Place place, int depth) {
            if (source instanceof Source.Derived derived) {
                return shows(derived.query(), derived.alias().columns(), place, depth);
            }
            if (source instanceof Source.Function function) {
                return function.alias().columns().contains(column);
            }
            return source instanceof Source.Table table && has(table, place, depth);
        }

        private boolean has(Source.Table table, Place place, int depth) {
            List<String> given = table.alias().columns();
            Query.Cte cte = table.path().size() == 1 ? place.with().get(table.name()) : null;
            if (cte != null) {
                return shows(cte.query(), renamed(given, cte.columns()), place.without(table.name()), depth);
            }
            Optional<ViewDef> view = place.names().view(QueryBinder.full(table, place.names()));
            if (view.isEmpty()) {
                return given.contains(column);
            }
            Place behind = new Place(place.names().in(view.get().namespace()), Map.of());
            return shows(query(view.get()), renamed(given, view.get().columns()), behind, depth);
        }

        /** @param given names that replace those of the query's first columns */
        private boolean shows(Query query, List<String> given, Place outside, int depth) {
            return shows(query.body(), given, outside.inside(query), depth);
        }

        private boolean shows(Query.Body body, List<String> given, Place place, int depth) {
            if (given.contains(column) || depth > DEPTH_MAX) {
                return true;
            }
            if (!seen.computeIfAbsent(body, first -> new HashSet<>()).add(given.size())) {
                return false;
            }
            if (body instanceof Query.SetOperation operation) {
                return shows(operation.parts().get(0), given, place, depth + 1);
            }
            if (body instanceof Query.Nested nested) {
                return shows(nested.query(), given, place, depth + 1);
            }
            if (!(body instanceof Query.Select select)) {
                // VALUES has columns that no table hides.
                return false;
            }
            boolean starred = false;
            for (int i = 0; i < select.items().size(); i++) {
                Query.Item item = select.items().get(i);
                starred |= item.value() instanceof Expression.Star;
                boolean hasOwnName = starred || i >= given.size();
                if (hasOwnName && isShown(item, select, place, depth)) {
                    return true;
                }
            }
            return false;
        }

        private boolean isShown(Query.Item item, Query.Select select, Place place, int depth) {
            if (item.value() instanceof Expression.Star star) {
                return isInStar(star, select, place, depth);
            }
            return item.alias()
                    .map(column::equals)
                    .orElseGet(() -> item.value() instanceof Expression.Column path
                            && path.name().equals(column));
        }

        /** Whether {@code *} includes the column. Only hidden columns are searched, which a table's star leaves out. */
        private boolean isInStar(Expression.Star star, Query.Select select, Place place, int depth) {
            boolean excluded = star.without().stream()
                    .anyMatch(path -> path.get(path.size() - 1).equals(column));
            return !excluded && select.from().isPresent() && isIn(select.from().get(), star.table(), place, depth + 1);
        }

        /** @param name the source to search; empty for all */
        private boolean isIn(Source from, Optional<String> name, Place place, int depth) {
            if (from instanceof Source.Join join) {
                return isIn(join.left(), name, place, depth) || isIn(join.right(), name, place, depth);
            }
            return (name.isEmpty() || name.get().equals(JoinScope.nameOf(from))) && has(from, place, depth);
        }
    }
}
