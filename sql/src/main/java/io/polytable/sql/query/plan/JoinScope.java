package io.polytable.sql.query.plan;

import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.dialect.Dialect;
import io.polytable.sql.query.dialect.Literals;
import io.polytable.sql.query.scan.ScanSlot;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Column;
import io.polytable.sql.tree.Expression.Comparison;
import io.polytable.sql.tree.Expression.Comparison.Sign;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Source;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
                public Optional<Relation> table(Source.Table table) {
                    return Optional.empty();
                }

                @Override
                public boolean mayHave(Source source, String column) {
                    return false;
                }
            },
            List.of(),
            Optional.empty(),
            Optional.empty());

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}(\\.\\d{1,18})?");

    /** A table of the FROM clause, with the name by which expressions refer to it. */
    record Joined(Source.Table table, String name, Relation relation) {
        /** Whether the query renames its columns. */
        boolean isRenamed() {
            return !table.alias().columns().isEmpty();
        }

        boolean hasHidden(String column) {
            return relation.columns().stream()
                    .anyMatch(
                            candidate -> candidate.hidden() && candidate.name().equals(column));
        }

        boolean has(String column) {
            return relation.columns().stream()
                    .anyMatch(candidate -> candidate.name().equals(column));
        }

        /** Whether it is that place of a FROM clause: both sides of a self-join are equal. */
        @SuppressWarnings("ReferenceEquality")
        boolean isAt(Source place) {
            return table == place;
        }
    }

    /** Resolves the sources of a FROM clause. */
    interface Sources {
        /** The table, if it is one. */
        Optional<Relation> table(Source.Table table);

        /** Whether a source that is no table may have a column of the name. */
        boolean mayHave(Source source, String column);
    }

    private record From(List<Joined> tables, List<Source> derived) {}

    private final List<Joined> all;
    private final List<Source> derived;
    private final Sources sources;
    private final List<Joined> joined;
    private final List<Expression> conjuncts;
    private final Optional<Source> from;
    private final Optional<JoinScope> outer;

    private JoinScope(
            From from,
            Sources sources,
            List<Expression> conjuncts,
            Optional<Source> narrowed,
            Optional<JoinScope> outer) {
        all = from.tables();
        derived = from.derived();
        this.sources = sources;
        joined = all.stream().filter(table -> !table.isRenamed()).toList();
        this.conjuncts = conjuncts;
        this.from = narrowed;
        this.outer = outer;
    }

    static JoinScope of(Query.Select select, Sources sources, JoinScope outer) {
        From all = new From(new ArrayList<>(), new ArrayList<>());
        select.from().ifPresent(from -> tables(from, sources, all));
        List<Expression> conjuncts = new ArrayList<>();
        if (select.from().filter(JoinScope::isByCondition).isPresent()) {
            select.where().ifPresent(where -> conjuncts(where, conjuncts));
            return new JoinScope(all, sources, conjuncts, select.from(), Optional.of(outer));
        }
        return new JoinScope(all, sources, conjuncts, Optional.empty(), Optional.of(outer));
    }

    /** The scope of a query without a FROM clause of its own. */
    static JoinScope within(JoinScope outer, Sources sources) {
        return new JoinScope(new From(List.of(), List.of()), sources, List.of(), Optional.empty(), Optional.of(outer));
    }

    /** Whether the conditions of the WHERE may be pushed down below the joins: in some joins other rows matter. */
    private static boolean isByCondition(Source from) {
        return !(from instanceof Source.Join join)
                || (!join.asof()
                        && join.pairing() != Source.Pairing.POSITIONAL
                        && isByCondition(join.left())
                        && isByCondition(join.right()));
    }

    List<Joined> joined() {
        return joined;
    }

    /** The FROM clause; empty if conditions must not be pushed down. */
    Optional<Source> from() {
        return from;
    }

    List<Expression> conjuncts() {
        return conjuncts;
    }

    /** The table of the column that an expression refers to. */
    Optional<Joined> owner(Expression expression) {
        return expression instanceof Column column
                ? joined.stream()
                        .filter(table -> isOf(table, column.path(), column.name()))
                        .findFirst()
                : Optional.empty();
    }

    /** The type of a column of an SQL table; empty for anything else. */
    Optional<SqlType> typeOf(Expression expression) {
        return expression instanceof Column column
                ? owner(column)
                        .filter(table -> table.relation() instanceof SqlTable)
                        .flatMap(table -> table.relation().columns().stream()
                                .filter(each -> each.name().equals(column.name()))
                                .findFirst())
                        .map(Relation.RelationColumn::type)
                : Optional.empty();
    }

    /** The tables whose hidden column a name refers to: of this SELECT, or else of an enclosing one. */
    List<Joined> hiddenOwners(Column column) {
        List<String> path = column.path();
        String name = path.size() == 1 ? "" : path.get(path.size() - 2);
        List<Joined> owners = called(name).stream()
                .filter(table -> table.hasHidden(column.name()))
                .toList();
        if (!owners.isEmpty() || outer.isEmpty()) {
            return owners;
        }
        // The enclosing scopes first: searching subqueries and views costs more, and few names are hidden columns.
        List<Joined> around = outer.get().hiddenOwners(column);
        return around.isEmpty() || isDerived(name, column.name()) ? owners : around;
    }

    /** Whether a subquery, view or common table expression of this SELECT may have the column. */
    private boolean isDerived(String name, String column) {
        return derived.stream()
                .anyMatch(source -> name.isEmpty()
                        ? sources.mayHave(source, column)
                        : nameOf(source).equals(name));
    }

    /** Whether the WHERE itself excludes tombstones of the table. */
    boolean isOfLiveRows(Source.Table table) {
        for (Expression conjunct : conjuncts) {
            Optional<Column> column = falseColumn(conjunct);
            if (column.filter(each -> each.name().equals(TableDef.DELETED)).isPresent()) {
                List<Joined> owners = hiddenOwners(column.get());
                if (owners.size() == 1 && owners.get(0).isAt(table)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The {@code x} of {@code NOT x} or {@code x = false}. */
    private static Optional<Column> falseColumn(Expression conjunct) {
        boolean compared = conjunct instanceof Comparison comparison
                && comparison.sign() == Sign.EQUAL
                && comparison.right() instanceof Constant constant
                && constant.kind() == Constant.Kind.BOOLEAN
                && constant.text().equals("false");
        Expression operand = compared
                ? ((Comparison) conjunct).left()
                : conjunct instanceof Expression.Not not ? not.operand() : conjunct;
        boolean negated = compared || conjunct instanceof Expression.Not;
        return negated && operand instanceof Column column ? Optional.of(column) : Optional.empty();
    }

    /** The tables of FROM with that name; all if it is empty. */
    List<Joined> called(String name) {
        return all.stream()
                .filter(table -> name.isEmpty() || table.name().equals(name))
                .toList();
    }

    private static void tables(Source from, Sources sources, From into) {
        if (from instanceof Source.Join join) {
            tables(join.left(), sources, into);
            tables(join.right(), sources, into);
            return;
        }
        Optional<Relation> relation = from instanceof Source.Table table ? sources.table(table) : Optional.empty();
        if (relation.isPresent() && from instanceof Source.Table table) {
            into.tables().add(new Joined(table, table.called(), relation.get()));
        } else {
            into.derived().add(from);
        }
    }

    /** The name by which expressions refer to a source of FROM; empty if they cannot. */
    static String nameOf(Source source) {
        if (source instanceof Source.Table table) {
            return table.called();
        }
        if (source instanceof Source.Derived derived) {
            return derived.alias().name().orElse("");
        }
        return source instanceof Source.Function function
                ? function.alias().name().orElse("")
                : "";
    }

    static void conjuncts(Expression where, List<Expression> into) {
        if (where instanceof Expression.Logical logical && logical.and()) {
            logical.operands().forEach(operand -> conjuncts(operand, into));
        } else {
            into.add(where);
        }
    }

    List<ScanSlot.ColumnCondition> conditionsOn(Source.Table table) {
        List<ScanSlot.ColumnCondition> conditions = new ArrayList<>();
        for (Joined candidate : joined) {
            if (candidate.isAt(table)) {
                conjuncts.forEach(conjunct -> condition(candidate, conjunct, conditions));
            }
        }
        return conditions;
    }

    // --- constants beside columns ------------------------------------------------------------------------------------

    /**
     * Converts text constants that are compared with a column: to bytes for a BYTES column, {@code x = '\\x00ff'}, and
     * to a number for a DECIMAL column, because DuckDB would round the text to the column's scale.
     */
    Expression withConstants(Expression expression) {
        if (expression instanceof Comparison comparison) {
            Expression left = constant(comparison.right(), comparison.left());
            return new Comparison(
                    comparison.sign(), left, constant(comparison.left(), comparison.right()), comparison.at());
        }
        if (expression instanceof Expression.Between between) {
            Expression operand = between.operand();
            return new Expression.Between(
                    operand,
                    constant(operand, between.low()),
                    constant(operand, between.high()),
                    between.negated(),
                    between.at());
        }
        if (expression instanceof Expression.InList in) {
            List<Expression> items = Expression.mapped(in.items(), item -> constant(in.operand(), item));
            return new Expression.InList(in.operand(), items, in.negated(), in.at());
        }
        return expression;
    }

    /** Gives operators on a JSON column the meaning that they have for JSON documents. */
    Expression ofDocuments(Expression.Operator operator) {
        boolean documents = operator.isBinary() && (isDocument(operator.left()) || isDocument(operator.right()));
        return documents ? Dialect.ofDocuments(operator) : operator;
    }

    private boolean isDocument(Expression expression) {
        return expression instanceof Column column
                && owner(column)
                        .filter(table -> isOfKind(table, column.name(), SqlType.Kind.JSON))
                        .isPresent();
    }

    private static boolean isOfKind(Joined table, String name, SqlType.Kind kind) {
        return table.relation() instanceof SqlTable
                && table.relation().columns().stream()
                        .anyMatch(found ->
                                found.name().equals(name) && found.type().is(kind));
    }

    private Expression constant(Expression beside, Expression value) {
        boolean text = beside instanceof Column
                && value instanceof Constant constant
                && constant.kind() == Constant.Kind.STRING;
        Optional<Joined> owner = text ? owner(beside) : Optional.empty();
        if (owner.isEmpty() || !(beside instanceof Column column) || !(value instanceof Constant constant)) {
            return value;
        }
        if (isOfKind(owner.get(), column.name(), SqlType.Kind.BYTES)) {
            return new Constant(Constant.Kind.STRING, Literals.blob(Texts.toBytes(constant.text())), constant.at());
        }
        boolean number = isOfKind(owner.get(), column.name(), SqlType.Kind.DECIMAL)
                && NUMBER.matcher(constant.text()).matches();
        return number ? new Constant(Constant.Kind.NUMBER, constant.text(), constant.at()) : constant;
    }

    // --- conditions that a scan applies ------------------------------------------------------------------------------

    private void condition(Joined table, Expression conjunct, List<ScanSlot.ColumnCondition> into) {
        if (conjunct instanceof Comparison comparison) {
            boolean orders = comparison.sign().strict().isPresent() || comparison.sign() == Sign.EQUAL;
            if (orders) {
                one(table, comparison.left(), comparison.sign(), List.of(comparison.right()), into);
                one(table, comparison.right(), comparison.sign().turned(), List.of(comparison.left()), into);
            }
        } else if (conjunct instanceof Expression.Between between && !between.negated()) {
            one(table, between.operand(), Sign.GREATER_OR_EQUAL, List.of(between.low()), into);
            one(table, between.operand(), Sign.LESS_OR_EQUAL, List.of(between.high()), into);
        } else if (conjunct instanceof Expression.InList in && !in.negated()) {
            one(table, in.operand(), Sign.EQUAL, in.items(), into);
        }
    }

    private void one(
            Joined table, Expression side, Sign sign, List<Expression> constants, List<ScanSlot.ColumnCondition> into) {
        boolean known = constants.stream().allMatch(JoinScope::isKnown);
        if (known && side instanceof Column column && isOf(table, column.path(), column.name())) {
            into.add(new ScanSlot.ColumnCondition(column.name(), sign, constants));
        }
    }

    private static boolean isKnown(Expression value) {
        return value instanceof Expression.Parameter
                || Expression.isConstant(value, Constant.Kind.INTEGER)
                || Expression.isConstant(value, Constant.Kind.STRING);
    }

    /** Whether the path refers to that column of the table. */
    boolean isOf(Joined table, List<String> path, String column) {
        if (!table.has(column) || path.size() > 2) {
            return false;
        }
        if (path.size() == 2) {
            return path.get(0).equals(table.name());
        }
        return joined.stream().filter(other -> other.has(column)).count() == 1;
    }
}
