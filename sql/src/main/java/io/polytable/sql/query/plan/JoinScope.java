package io.polytable.sql.query.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.dialect.Dialect;
import io.polytable.sql.query.scan.ScanSlot;
import io.polytable.sql.syntax.AsOf;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The tables that one SELECT joins, and the conditions of its WHERE on each of them. A condition on a column may be
 * applied before the join, even for the optional side of an outer join: a row that lost its partner has NULL there, and
 * a comparison with NULL is not true.
 */
final class JoinScope {
    static final JoinScope NONE = new JoinScope(
            new From(List.of(), List.of()),
            new Sources() {
                @Override
                public Optional<Relation> table(JsonNode node) {
                    return Optional.empty();
                }

                @Override
                public boolean mayHave(JsonNode node, String column) {
                    return false;
                }
            },
            List.of(),
            JsonNodeFactory.instance.nullNode(),
            Optional.empty());

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}(\\.\\d{1,18})?");

    /** Joins in which each pair is decided on its own; in ASOF and POSITIONAL joins other rows matter. */
    private static final Set<String> BY_CONDITION = Set.of("REGULAR", "NATURAL", "CROSS", "DEPENDENT");

    /** A table of the FROM clause, with the name by which expressions refer to it. */
    record Joined(JsonNode table, String name, Relation relation) {
        /** Whether the query renames its columns. */
        boolean isRenamed() {
            return !table.path("column_name_alias").isEmpty();
        }

        boolean hasHidden(String column) {
            return relation.columns().stream()
                    .anyMatch(
                            candidate -> candidate.hidden() && candidate.name().equals(column));
        }
    }

    /** A source of the FROM clause that is no table: a subquery, view or common table expression. */
    private record Derived(JsonNode node, String name) {}

    /** Resolves the sources of a FROM clause. */
    interface Sources {
        /** The table, if it is one. */
        Optional<Relation> table(JsonNode node);

        /** Whether a source that is no table may have a column of the name. */
        boolean mayHave(JsonNode node, String column);
    }

    private final List<Joined> all;
    private final List<Derived> derived;
    private final Sources sources;
    private final List<Joined> joined;
    private final List<JsonNode> conjuncts;
    private final JsonNode from;
    private final Optional<JoinScope> outer;

    private JoinScope(
            From from, Sources sources, List<JsonNode> conjuncts, JsonNode narrowed, Optional<JoinScope> outer) {
        all = from.tables();
        derived = from.derived();
        this.sources = sources;
        joined = all.stream().filter(table -> !table.isRenamed()).toList();
        this.conjuncts = conjuncts;
        this.from = narrowed;
        this.outer = outer;
    }

    private record From(List<Joined> tables, List<Derived> derived) {}

    static JoinScope of(JsonNode select, Sources sources, JoinScope outer) {
        From all = new From(new ArrayList<>(), new ArrayList<>());
        JsonNode from = select.path("from_table");
        tables(from, sources, all);
        List<JsonNode> conjuncts = new ArrayList<>();
        if (isByCondition(from)) {
            conjuncts(select.path("where_clause"), conjuncts);
            return new JoinScope(all, sources, conjuncts, from, Optional.of(outer));
        }
        return new JoinScope(all, sources, conjuncts, JsonNodeFactory.instance.nullNode(), Optional.of(outer));
    }

    /** Whether the conditions of the WHERE may be pushed down below the joins. */
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

    /** The FROM clause; a null node if conditions must not be pushed down. */
    JsonNode from() {
        return from;
    }

    List<JsonNode> conjuncts() {
        return conjuncts;
    }

    /** The table of the column that an expression refers to. */
    Optional<Joined> owner(JsonNode expression) {
        if (!expression.path("class").asText().equals("COLUMN_REF")) {
            return Optional.empty();
        }
        JsonNode path = expression.get("column_names");
        return joined.stream()
                .filter(table -> isOf(table, path, path.get(path.size() - 1).asText()))
                .findFirst();
    }

    /** The tables whose hidden column a name refers to: of this SELECT, or else of an enclosing one. */
    List<Joined> hiddenOwners(JsonNode path) {
        String column = path.get(path.size() - 1).asText();
        String name = path.size() == 1 ? "" : path.get(path.size() - 2).asText();
        List<Joined> owners =
                called(name).stream().filter(table -> table.hasHidden(column)).toList();
        if (!owners.isEmpty() || outer.isEmpty()) {
            return owners;
        }
        // The enclosing scopes first: searching subqueries and views costs more, and few names are hidden columns.
        List<Joined> around = outer.get().hiddenOwners(path);
        return around.isEmpty() || isDerived(name, column) ? owners : around;
    }

    /** Whether a subquery, view or common table expression of this SELECT may have the column. */
    private boolean isDerived(String name, String column) {
        return derived.stream()
                .anyMatch(source -> name.isEmpty()
                        ? sources.mayHave(source.node(), column)
                        : source.name().equals(name));
    }

    /** Whether the WHERE itself excludes tombstones of the table. */
    @SuppressWarnings("ReferenceEquality") // In a self-join the nodes of both sides are equal.
    boolean isOfLiveRows(JsonNode table) {
        for (JsonNode conjunct : conjuncts) {
            JsonNode path = falseColumn(conjunct).path("column_names");
            if (!path.isEmpty() && path.get(path.size() - 1).asText().equals(TableDef.DELETED)) {
                List<Joined> owners = hiddenOwners(path);
                if (owners.size() == 1 && owners.get(0).table() == table) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The {@code x} of {@code NOT x} or {@code x = false}. */
    private static JsonNode falseColumn(JsonNode conjunct) {
        boolean compared = conjunct.path("type").asText().equals("COMPARE_EQUAL")
                && Dialect.isConstant(conjunct.path("right"), "BOOLEAN")
                && conjunct.path("right").path("literal").path("text").asText().equals("false");
        if (compared) {
            return conjunct.path("left");
        }
        return conjunct.path("type").asText().equals("OPERATOR_NOT")
                ? conjunct.path("children").path(0)
                : conjunct.path("none");
    }

    /** The tables of FROM with that name; all if it is empty. */
    List<Joined> called(String name) {
        return all.stream()
                .filter(table -> name.isEmpty() || table.name().equals(name))
                .toList();
    }

    private static void tables(JsonNode from, Sources sources, From into) {
        switch (from.path("type").asText()) {
            case "JOIN" -> {
                tables(from.get("left"), sources, into);
                tables(from.get("right"), sources, into);
            }
            case "BASE_TABLE" -> {
                String name = nameOf(from);
                sources.table(from)
                        .ifPresentOrElse(
                                relation -> into.tables().add(new Joined(from, name, relation)),
                                () -> into.derived().add(new Derived(from, name)));
            }
            default -> into.derived().add(new Derived(from, nameOf(from)));
        }
    }

    /** The name by which expressions refer to a source of FROM. */
    static String nameOf(JsonNode source) {
        String alias = source.path("alias").asText();
        return alias.isEmpty() ? AsOf.plain(source.path("table_name").asText()) : alias;
    }

    static void conjuncts(JsonNode where, List<JsonNode> into) {
        if (where.path("type").asText().equals("CONJUNCTION_AND")) {
            where.get("children").forEach(child -> conjuncts(child, into));
        } else if (where.isObject()) {
            into.add(where);
        }
    }

    @SuppressWarnings("ReferenceEquality") // In a self-join the nodes of both sides are equal.
    List<ScanSlot.ColumnCondition> conditionsOn(JsonNode table) {
        List<ScanSlot.ColumnCondition> conditions = new ArrayList<>();
        for (Joined candidate : joined) {
            if (candidate.table() == table) {
                conjuncts.forEach(conjunct -> condition(candidate, conjunct, conditions));
            }
        }
        return conditions;
    }

    /**
     * Converts text constants that are compared with a column: to bytes for a BYTES column, {@code x = '\\x00ff'}, and
     * to a number for a DECIMAL column, because DuckDB would round the text to the column's scale.
     */
    void writeConstants(ObjectNode comparison) {
        switch (comparison.path("type").asText()) {
            case "COMPARE_BETWEEN", "COMPARE_NOT_BETWEEN" -> {
                writeConstant(comparison.path("input"), comparison.path("lower"));
                writeConstant(comparison.path("input"), comparison.path("upper"));
            }
            case "COMPARE_IN", "COMPARE_NOT_IN" -> {
                JsonNode items = comparison.path("children");
                items.forEach(item -> writeConstant(items.path(0), item));
            }
            default -> {
                writeConstant(comparison.path("left"), comparison.path("right"));
                writeConstant(comparison.path("right"), comparison.path("left"));
            }
        }
    }

    /** Gives operators on a JSON column the meaning that they have for JSON documents. */
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

    private void writeConstant(JsonNode column, JsonNode literal) {
        Optional<Joined> owner = Dialect.isConstant(literal, "STRING") ? owner(column) : Optional.empty();
        if (owner.isEmpty()) {
            return;
        }
        ObjectNode value = (ObjectNode) literal.path("literal");
        String text = value.path("text").asText();
        JsonNode path = column.get("column_names");
        if (isOfKind(owner.get(), path, SqlType.Kind.BYTES)) {
            value.put("text", Dialect.blob(Texts.toBytes(text)));
        } else if (isOfKind(owner.get(), path, SqlType.Kind.DECIMAL)
                && NUMBER.matcher(text).matches()) {
            value.put("kind", "NUMERIC");
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
            // Copies, because constants are rewritten for DuckDB later. A parameter is shared: it is renumbered later.
            List<JsonNode> written = constants.stream()
                    .map(node -> Dialect.isConstant(node, "STRING") ? node.deepCopy() : node)
                    .toList();
            into.add(new ScanSlot.ColumnCondition(column, operator, written));
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

    /** Whether the path refers to that column of the table. */
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
