package io.polytable.sql.query.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.query.Names;
import io.polytable.sql.query.duck.ParsedSql;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Determines from their parse trees which columns a subquery, view or common table expression has. */
final class DerivedColumns {
    /** At this depth the search stops and assumes that the column exists. */
    private static final int DEPTH_MAX = 50;

    private final ParsedSql parser;

    /** The views of a query, each parsed once. */
    private final Map<TableName, JsonNode> parsed = new HashMap<>();

    DerivedColumns(ParsedSql parser) {
        this.parser = parser;
    }

    /**
     * The scope in which names are resolved.
     *
     * @param with the common table expressions by name
     */
    record Place(Names names, Map<String, JsonNode> with) {
        /** The scope inside a common table expression: its own name has another meaning there, or is recursive. */
        Place without(String name) {
            Map<String, JsonNode> left = new HashMap<>(with);
            left.remove(name);
            return new Place(names, left);
        }

        Place inside(JsonNode query) {
            Map<String, JsonNode> more = new HashMap<>(with);
            query.path("cte_map")
                    .path("map")
                    .forEach(entry -> more.put(entry.path("key").asText(), entry.path("value")));
            return new Place(names, more);
        }
    }

    /** Whether a source of a FROM clause that is no table may have a column of the name. */
    boolean mayHave(JsonNode source, String column, Place place) {
        return new Search(column).has(source, place, 0);
    }

    /** The inner names, with the first ones replaced by the outer names. */
    private static List<String> renamed(List<String> outer, List<String> inner) {
        List<String> all = new ArrayList<>(outer);
        all.addAll(inner.subList(Math.min(outer.size(), inner.size()), inner.size()));
        return all;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private JsonNode query(ViewDef view) {
        return parsed.computeIfAbsent(
                view.name(),
                first -> parser.parse(view.query()).path("statements").path(0).path("node"));
    }

    /** The search for one column; a query that several sources read is searched once. */
    private final class Search {
        private final String column;
        private final IdentityHashMap<JsonNode, Set<Integer>> seen = new IdentityHashMap<>();

        Search(String column) {
            this.column = column;
        }

        boolean has(JsonNode source, Place place, int depth) {
            List<String> given = texts(source.path("column_name_alias"));
            String name = source.path("table_name").asText();
            if (name.isEmpty()) {
                return shows(source.path("subquery").path("node"), given, place, depth);
            }
            String schema = source.path("schema_name").asText();
            JsonNode entry = schema.isEmpty() ? place.with().get(name) : null;
            if (entry != null) {
                List<String> all = renamed(given, texts(entry.path("aliases")));
                return shows(entry.path("query_node"), all, place.without(name), depth);
            }
            Optional<ViewDef> view = place.names()
                    .view(new TableName(schema.isEmpty() ? place.names().namespace() : schema, name));
            if (view.isEmpty()) {
                return given.contains(column);
            }
            Place behind = new Place(place.names().in(view.get().namespace()), Map.of());
            return shows(query(view.get()), renamed(given, view.get().columns()), behind, depth);
        }

        /** @param given names that replace those of the query's first columns */
        private boolean shows(JsonNode query, List<String> given, Place outside, int depth) {
            if (given.contains(column) || depth > DEPTH_MAX) {
                return true;
            }
            if (!seen.computeIfAbsent(query, first -> new HashSet<>()).add(given.size())) {
                return false;
            }
            Place place = outside.inside(query);
            if (query.has("left")) {
                return shows(query.path("left"), given, place, depth + 1);
            }
            JsonNode list = query.path("select_list");
            if (list.isEmpty()) {
                return query.toString().contains('"' + column + '"');
            }
            boolean starred = false;
            for (int i = 0; i < list.size(); i++) {
                JsonNode item = list.get(i);
                boolean star = item.path("class").asText().equals("STAR");
                starred |= star;
                boolean hasOwnName = starred || i >= given.size();
                if (hasOwnName && (star ? isInStar(item, query, place, depth) : isNamed(item))) {
                    return true;
                }
            }
            return false;
        }

        private boolean isNamed(JsonNode item) {
            JsonNode path = item.path("column_names");
            String alias = item.path("alias").asText();
            return alias.isEmpty()
                    ? !path.isEmpty() && path.get(path.size() - 1).asText().equals(column)
                    : alias.equals(column);
        }

        /** Whether {@code *} includes the column. Only hidden columns are searched, which a table's star leaves out. */
        private boolean isInStar(JsonNode star, JsonNode query, Place place, int depth) {
            String name = star.path("relation_name").asText();
            return !texts(star.path("exclude_list")).contains(column)
                    && isIn(query.path("from_table"), name, place, depth + 1);
        }

        /** @param name the source to search; empty for all */
        private boolean isIn(JsonNode from, String name, Place place, int depth) {
            if (from.path("type").asText().equals("JOIN")) {
                return isIn(from.path("left"), name, place, depth) || isIn(from.path("right"), name, place, depth);
            }
            return (name.isEmpty() || name.equals(JoinScope.nameOf(from))) && has(from, place, depth);
        }
    }
}
