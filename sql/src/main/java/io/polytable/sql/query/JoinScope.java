package io.polytable.sql.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.model.Relation;
import io.polytable.sql.model.SqlTable;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The tables that one SELECT joins, and what its WHERE says about each. A condition on a column of a table may be applied
 * before the join, also for the optional side of an outer join: a row that lost its partner has NULL there, and a
 * comparison with NULL does not hold.
 */
final class JoinScope {
    static final JoinScope NONE = new JoinScope(List.of(), List.of(), JsonNodeFactory.instance.nullNode());

    /** Joins whose pairs do not depend on which other rows a side has; ASOF and POSITIONAL ones do. */
    private static final Set<String> BY_CONDITION = Set.of("REGULAR", "NATURAL", "CROSS", "DEPENDENT");

    /** A table of the FROM clause, under the name by which expressions call it. */
    record Joined(JsonNode table, String name, Relation relation) {}

    private final List<Joined> joined;
    private final List<JsonNode> conjuncts;
    private final JsonNode from;

    private JoinScope(List<Joined> joined, List<JsonNode> conjuncts, JsonNode from) {
        this.joined = joined;
        this.conjuncts = conjuncts;
        this.from = from;
    }

    static JoinScope of(JsonNode select, Function<JsonNode, Optional<Relation>> lookUp) {
        List<Joined> joined = new ArrayList<>();
        JsonNode from = select.path("from_table");
        tables(from, lookUp, joined);
        List<JsonNode> conjuncts = new ArrayList<>();
        if (isByCondition(from)) {
            conjuncts(select.path("where_clause"), conjuncts);
            return new JoinScope(joined, conjuncts, from);
        }
        return new JoinScope(joined, conjuncts, JsonNodeFactory.instance.nullNode());
    }

    /** Whether rows that the WHERE refuses may be left out of every table beforehand. */
    private static boolean isByCondition(JsonNode from) {
        if (!from.path("type").asText().equals("JOIN")) {
            return from.path("sample").isMissingNode() || from.path("sample").isNull();
        }
        return BY_CONDITION.contains(from.path("ref_type").asText())
                && from.path("ranking_expression").isNull()
                && isByCondition(from.get("left"))
                && isByCondition(from.get("right"));
    }

    List<Joined> joined() {
        return joined;
    }

    /** The FROM clause; null when rows must not be left out of its tables beforehand. */
    JsonNode from() {
        return from;
    }

    List<JsonNode> conjuncts() {
        return conjuncts;
    }

    /** The table whose column an expression is. */
    Optional<Joined> owner(JsonNode expression) {
        if (!expression.path("class").asText().equals("COLUMN_REF")) {
            return Optional.empty();
        }
        JsonNode path = expression.get("column_names");
        return joined.stream()
                .filter(table -> isOf(table, path, path.get(path.size() - 1).asText()))
                .findFirst();
    }

    private static void tables(JsonNode from, Function<JsonNode, Optional<Relation>> lookUp, List<Joined> into) {
        switch (from.path("type").asText()) {
            case "JOIN" -> {
                tables(from.get("left"), lookUp, into);
                tables(from.get("right"), lookUp, into);
            }
            case "BASE_TABLE" -> {
                String alias = from.path("alias").asText();
                String name = alias.isEmpty() ? from.path("table_name").asText() : alias;
                boolean renamed = !from.path("column_name_alias").isEmpty();
                if (!renamed) {
                    lookUp.apply(from).ifPresent(relation -> into.add(new Joined(from, name, relation)));
                }
            }
            default -> {}
        }
    }

    static void conjuncts(JsonNode where, List<JsonNode> into) {
        if (where.path("type").asText().equals("CONJUNCTION_AND")) {
            where.get("children").forEach(child -> conjuncts(child, into));
        } else if (where.isObject()) {
            into.add(where);
        }
    }

    @SuppressWarnings("ReferenceEquality") // A table may be joined with itself: equal nodes, different places.
    List<ScanSlot.ColumnCondition> conditionsOn(JsonNode table) {
        List<ScanSlot.ColumnCondition> conditions = new ArrayList<>();
        for (Joined candidate : joined) {
            if (candidate.table() == table) {
                conjuncts.forEach(conjunct -> condition(candidate, conjunct, conditions));
            }
        }
        return conditions;
    }

    /** Text beside a column of bytes means bytes: {@code x = '\\x00ff'}. */
    void writeBytes(ObjectNode comparison) {
        writeBytes(comparison.path("left"), comparison.path("right"));
        writeBytes(comparison.path("right"), comparison.path("left"));
    }

    /** Operators beside a column of documents mean documents, as they do where a cast says so. */
    void writeDocuments(ObjectNode function) {
        boolean documents = function.path("is_operator").asBoolean()
                && function.path("arguments").size() == 2
                && (isDocument(Dialect.argument(function, 0)) || isDocument(Dialect.argument(function, 1)));
        if (documents) {
            Dialect.json(function, function.path("function_name").asText());
        }
    }

    private boolean isDocument(JsonNode expression) {
        return owner(expression)
                .filter(table -> isOfKind(table, expression.get("column_names"), SqlType.Kind.JSON))
                .isPresent();
    }

    private static boolean isOfKind(Joined table, JsonNode path, SqlType.Kind kind) {
        String name = path.get(path.size() - 1).asText();
        return table.relation() instanceof SqlTable
                && table.relation().columns().stream()
                        .anyMatch(found ->
                                found.name().equals(name) && found.type().is(kind));
    }

    private void writeBytes(JsonNode column, JsonNode literal) {
        if (!column.path("class").asText().equals("COLUMN_REF") || !Dialect.isConstant(literal, "STRING")) {
            return;
        }
        JsonNode path = column.get("column_names");
        String name = path.get(path.size() - 1).asText();
        boolean bytes = joined.stream()
                .filter(table -> isOf(table, path, name))
                .anyMatch(table -> isOfKind(table, path, SqlType.Kind.BYTES));
        if (bytes) {
            ObjectNode value = (ObjectNode) literal.path("literal");
            value.put("text", Dialect.blob(Texts.toBytes(value.path("text").asText())));
        }
    }

    private void condition(Joined table, JsonNode conjunct, List<ScanSlot.ColumnCondition> into) {
        switch (conjunct.path("type").asText()) {
            case "COMPARE_EQUAL" -> both(table, conjunct, "=", "=", into);
            case "COMPARE_LESSTHAN" -> both(table, conjunct, "<", ">", into);
            case "COMPARE_LESSTHANOREQUALTO" -> both(table, conjunct, "<=", ">=", into);
            case "COMPARE_GREATERTHAN" -> both(table, conjunct, ">", "<", into);
            case "COMPARE_GREATERTHANOREQUALTO" -> both(table, conjunct, ">=", "<=", into);
            case "COMPARE_BETWEEN" -> {
                one(table, conjunct.get("input"), ">=", List.of(conjunct.get("lower")), into);
                one(table, conjunct.get("input"), "<=", List.of(conjunct.get("upper")), into);
            }
            case "COMPARE_IN" -> {
                List<JsonNode> items = new ArrayList<>();
                conjunct.get("children").forEach(items::add);
                one(table, items.get(0), "=", items.subList(1, items.size()), into);
            }
            default -> {}
        }
    }

    private void both(
            Joined table, JsonNode node, String operator, String turned, List<ScanSlot.ColumnCondition> into) {
        one(table, node.get("left"), operator, List.of(node.get("right")), into);
        one(table, node.get("right"), turned, List.of(node.get("left")), into);
    }

    private void one(
            Joined table,
            JsonNode side,
            String operator,
            List<JsonNode> constants,
            List<ScanSlot.ColumnCondition> into) {
        if (!side.path("class").asText().equals("COLUMN_REF")) {
            return;
        }
        boolean known = constants.stream().allMatch(JoinScope::isConstant);
        JsonNode path = side.get("column_names");
        String column = path.get(path.size() - 1).asText();
        if (known && isOf(table, path, column)) {
            into.add(new ScanSlot.ColumnCondition(column, operator, constants));
        }
    }

    private static boolean isConstant(JsonNode node) {
        return switch (node.path("class").asText()) {
            case "PARAMETER" -> true;
            case "CONSTANT" -> {
                String kind = node.path("literal").path("kind").asText();
                yield kind.equals("INTEGER") || kind.equals("STRING");
            }
            default -> false;
        };
    }

    /** Whether the path names that column of the table. */
    boolean isOf(Joined table, JsonNode path, String column) {
        boolean has = table.relation().columns().stream()
                .anyMatch(candidate -> candidate.name().equals(column));
        if (!has || path.size() > 2) {
            return false;
        }
        if (path.size() == 2) {
            return path.get(0).asText().equals(table.name());
        }
        long owners = joined.stream()
                .filter(other -> other.relation().columns().stream()
                        .anyMatch(candidate -> candidate.name().equals(column)))
                .count();
        return owners == 1;
    }
}
