package io.polytable.sql.query.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.dialect.Dialect;
import io.polytable.sql.query.plan.JoinScope.Joined;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rewrites the clauses of one SELECT whose combination PostgreSQL treats differently from DuckDB: the column order of
 * {@code *} with USING, columns that depend on a grouped primary key, and ORDER BY with DISTINCT.
 */
final class SelectShapes {
    private final ObjectNode select;
    private final JoinScope scope;
    private final Set<String> mentioned;

    /** @param mentioned the names of columns in the whole query */
    SelectShapes(ObjectNode select, JoinScope scope, Set<String> mentioned) {
        this.select = select;
        this.scope = scope;
        this.mentioned = mentioned;
    }

    void apply() {
        if (select.path("type").asText().equals("SELECT_NODE")) {
            groupBySelected();
            groupByKey();
            sharedColumnsFirst();
            distinctOrder();
        }
    }

    // --- USING -----------------------------------------------------------------------------------------------------

    /** Moves the columns that a join shares before all others, unless another table has one of that name. */
    private void sharedColumnsFirst() {
        Set<String> shared = leading(select.path("from_table"));
        ArrayNode items = (ArrayNode) select.path("select_list");
        for (int i = 0; i < items.size() && !shared.isEmpty(); i++) {
            JsonNode item = items.get(i);
            boolean plain = item.path("class").asText().equals("STAR")
                    && item.path("relation_name").asText().isEmpty()
                    && item.path("expr").isNull()
                    && item.path("exclude_list").isEmpty();
            if (plain) {
                ArrayNode excluded = ((ObjectNode) item).putArray("exclude_list");
                for (String name : shared) {
                    excluded.add(name);
                    items.insert(i++, column(item, name));
                }
            }
        }
    }

    private ObjectNode column(JsonNode like, String... path) {
        ObjectNode column = select.objectNode();
        column.put("class", "COLUMN_REF").put("type", "COLUMN_REF").put("alias", "");
        column.set("query_location", like.path("query_location"));
        ArrayNode names = column.putArray("column_names");
        for (String name : path) {
            names.add(name);
        }
        return column;
    }

    /**
     * The shared columns that come first: those of the outermost join, then those of the join on its left. EXCLUDE
     * removes a name from every table, so a name that a table on the right may also have stays where it is.
     */
    private Set<String> leading(JsonNode from) {
        Set<String> names = new LinkedHashSet<>();
        if (isJoin(from)) {
            names.addAll(shared(from));
            leading(from.get("left")).stream()
                    .filter(name -> !mayHave(from.get("right"), name))
                    .forEach(names::add);
        }
        return names;
    }

    private static boolean isJoin(JsonNode part) {
        return part.path("type").asText().equals("JOIN");
    }

    private Set<String> shared(JsonNode join) {
        Set<String> names = new LinkedHashSet<>();
        join.path("using_columns").forEach(name -> names.add(name.asText()));
        if (join.path("ref_type").asText().equals("NATURAL")) {
            names.addAll(columnsOf(join.get("left")));
            names.retainAll(columnsOf(join.get("right")));
        }
        return names;
    }

    /** The columns of the known tables in a part of FROM, in the order of {@code *}. */
    private Set<String> columnsOf(JsonNode part) {
        Set<String> names = new LinkedHashSet<>();
        if (isJoin(part)) {
            names.addAll(shared(part));
            names.addAll(columnsOf(part.get("left")));
            names.addAll(columnsOf(part.get("right")));
        }
        known(part).ifPresent(table -> shown(table).forEach(column -> names.add(column.name())));
        return names;
    }

    /** Whether a part of FROM may have a column of that name; the columns of a subquery are not known. */
    private boolean mayHave(JsonNode part, String name) {
        if (isJoin(part)) {
            return mayHave(part.get("left"), name) || mayHave(part.get("right"), name);
        }
        return known(part)
                .map(table -> table.relation().columns().stream()
                        .anyMatch(column -> column.name().equals(name)))
                .orElse(true);
    }

    @SuppressWarnings("ReferenceEquality") // In a self-join the nodes of both sides are equal.
    private Optional<Joined> known(JsonNode part) {
        return scope.joined().stream().filter(table -> table.table() == part).findFirst();
    }

    private static List<RelationColumn> shown(Joined table) {
        return table.relation().columns().stream()
                .filter(column -> !column.hidden())
                .toList();
    }

    // --- GROUP BY --------------------------------------------------------------------------------------------------

    /** Groups by position if the expression has a subquery: DuckDB does not recognise it as the selected one. */
    private void groupBySelected() {
        ArrayNode groups = (ArrayNode) select.path("group_expressions");
        JsonNode items = select.path("select_list");
        for (int i = 0; i < groups.size(); i++) {
            JsonNode group = groups.get(i);
            boolean constant = group.path("class").asText().equals("CONSTANT");
            if (constant && !Dialect.isConstant(group, "INTEGER")) {
                throw new SqlError(SqlCode.SYNTAX_ERROR, "non-integer constant in GROUP BY");
            }
            for (int place = 0; place < items.size() && hasSubquery(group); place++) {
                if (plain(items.get(place)).equals(plain(group))) {
                    groups.set(i, number(group, place + 1));
                    break;
                }
            }
        }
    }

    private static boolean hasSubquery(JsonNode node) {
        if (node.path("class").asText().equals("SUBQUERY")) {
            return true;
        }
        for (JsonNode child : node) {
            if (hasSubquery(child)) {
                return true;
            }
        }
        return false;
    }

    private ObjectNode number(JsonNode like, int number) {
        ObjectNode constant = select.objectNode();
        constant.put("class", "CONSTANT").put("type", "VALUE_CONSTANT").put("alias", "");
        constant.set("query_location", like.path("query_location"));
        constant.putObject("literal").put("kind", "INTEGER").put("text", Integer.toString(number));
        return constant;
    }

    /** Adds the other columns of a table to GROUP BY if its primary key is grouped: they are functionally dependent. */
    private void groupByKey() {
        JsonNode groups = select.path("group_expressions");
        JsonNode sets = select.path("group_sets");
        boolean plain = sets.size() == 1 && sets.get(0).size() == groups.size() && !groups.isEmpty();
        if (!plain) {
            return;
        }
        for (Joined table : scope.joined()) {
            List<String> key = table.relation() instanceof SqlTable own ? own.key() : List.of();
            if (!key.isEmpty() && key.stream().allMatch(column -> isGrouped(table, column))) {
                shown(table).stream()
                        .map(RelationColumn::name)
                        .filter(column -> isWanted(column) && !isGrouped(table, column))
                        .forEach(column -> {
                            ((ArrayNode) sets.get(0)).add(groups.size());
                            ((ArrayNode) groups).add(column(groups.get(0), table.name(), column));
                        });
            }
        }
    }

    private boolean isWanted(String column) {
        boolean all = false;
        for (JsonNode item : select.path("select_list")) {
            all |= item.path("class").asText().equals("STAR");
        }
        return all || mentioned.contains(column);
    }

    private boolean isGrouped(Joined table, String column) {
        for (JsonNode group : select.path("group_expressions")) {
            JsonNode path = group.path("column_names");
            boolean named = group.path("class").asText().equals("COLUMN_REF")
                    && path.get(path.size() - 1).asText().equals(column);
            if (named && scope.isOf(table, path, column)) {
                return true;
            }
        }
        return false;
    }

    // --- DISTINCT --------------------------------------------------------------------------------------------------

    /** Rejects ORDER BY of a column that DISTINCT does not select: rows that it merges may differ in that column. */
    private void distinctOrder() {
        JsonNode targets = modifier("DISTINCT_MODIFIER").path("distinct_on_targets");
        JsonNode orders = modifier("ORDER_MODIFIER").path("orders");
        if (targets.isMissingNode() || orders.isEmpty()) {
            return;
        }
        List<JsonNode> allowed = new ArrayList<>();
        if (targets.isEmpty()) {
            for (JsonNode item : select.path("select_list")) {
                if (item.path("class").asText().equals("STAR")) {
                    return;
                }
                allowed.add(plain(item));
            }
        } else {
            targets.forEach(target -> allowed.add(plain(named(target))));
        }
        int checked = targets.isEmpty() ? orders.size() : Math.min(orders.size(), targets.size());
        for (int i = 0; i < checked; i++) {
            if (!allowed.contains(plain(named(orders.get(i).path("expression"))))) {
                throw new SqlError(
                        SqlCode.INVALID_COLUMN_REFERENCE,
                        targets.isEmpty()
                                ? "for SELECT DISTINCT, ORDER BY expressions must appear in select list"
                                : "SELECT DISTINCT ON expressions must match initial ORDER BY expressions");
            }
        }
    }

    private JsonNode modifier(String type) {
        for (JsonNode modifier : select.path("modifiers")) {
            if (modifier.path("type").asText().equals(type)) {
                return modifier;
            }
        }
        return select.path("none");
    }

    /** The selected expression that a position or an alias refers to. */
    private JsonNode named(JsonNode expression) {
        JsonNode items = select.path("select_list");
        if (Dialect.isConstant(expression, "INTEGER")) {
            int place = expression.path("literal").path("text").asInt();
            return place > 0 && place <= items.size() ? items.get(place - 1) : expression;
        }
        JsonNode path = expression.path("column_names");
        for (JsonNode item : items) {
            boolean alias = path.size() == 1
                    && item.path("alias").asText().equals(path.get(0).asText());
            if (alias) {
                return item;
            }
        }
        return expression;
    }

    /** A copy without locations, aliases and qualifiers, for comparison. */
    private static JsonNode plain(JsonNode expression) {
        JsonNode copy = expression.deepCopy();
        strip(copy);
        return copy;
    }

    private static void strip(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(List.of("query_location", "query_location_length", "alias"));
            if (object.path("column_names") instanceof ArrayNode path) {
                while (path.size() > 1) {
                    path.remove(0);
                }
            }
        }
        node.forEach(SelectShapes::strip);
    }
}
