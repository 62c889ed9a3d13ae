package io.polytable.sql.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A part of a FROM clause. */
public sealed interface Source {
    At at();

    /** The names by which expressions refer to the tables of a source, in their order. */
    static List<String> names(Source source) {
        if (source instanceof Join join) {
            List<String> names = new ArrayList<>(names(join.left()));
            names.addAll(names(join.right()));
            return names;
        }
        if (source instanceof Table table) {
            return List.of(table.called());
        }
        if (source instanceof Function function) {
            return List.of(function.alias().name().orElse(function.call().function()));
        }
        return source instanceof Derived derived
                ? derived.alias().name().map(List::of).orElse(List.of())
                : List.of();
    }

    /** The name by which expressions refer to a source, and the names of its columns. */
    record Alias(Optional<String> name, List<String> columns) {
        public static final Alias NONE = new Alias(Optional.empty(), List.of());

        public Alias {
            columns = List.copyOf(columns);
        }

        public Alias(String name) {
            this(Optional.of(name), List.of());
        }

        /** This alias; the name if it has none. */
        public Alias or(String other) {
            return name.isPresent() ? this : new Alias(Optional.of(other), columns);
        }

        /** These columns, if it names none itself. */
        public Alias orColumns(List<String> others) {
            return columns.isEmpty() ? new Alias(name, others) : this;
        }
    }

    /** A table, view or common table expression; with a version, the table as it was then. */
    record Table(List<String> path, OptionalLong version, Alias alias, At at) implements Source {
        public Table {
            path = List.copyOf(path);
        }

        /** The name without its qualifiers. */
        public String name() {
            return path.get(path.size() - 1);
        }

        /** The name by which expressions refer to it. */
        public String called() {
            return alias.name().orElse(name());
        }
    }

    record Derived(Query query, boolean lateral, Alias alias, At at) implements Source {}

    record Function(Expression.Call call, boolean lateral, boolean ordinality, Alias alias, At at) implements Source {}

    /** How rows of both sides are paired. */
    enum Pairing {
        INNER,
        LEFT,
        RIGHT,
        FULL,
        CROSS,
        SEMI,
        ANTI,
        POSITIONAL
    }

    /**
     * A join.
     *
     * @param asof whether each row is joined with the nearest one only
     */
    record Join(
            Source left,
            Source right,
            Pairing pairing,
            boolean asof,
            boolean natural,
            Optional<Expression> on,
            List<String> using,
            At at)
            implements Source {
        public Join {
            using = List.copyOf(using);
        }
    }

    /** One of our relations: the number of the scan that reads it. The parser makes none. */
    record Scan(int slot, Alias alias, At at) implements Source {}
}
