package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parsed expression of the subset that we evaluate without DuckDB; {@code position} is its offset in the text. */
public sealed interface Expr {
    int position();

    /** The direct subexpressions. */
    default List<Expr> parts() {
        return List.of();
    }

    /** Whether the expression refers to a column of that name, whatever its qualifier. */
    default boolean names(String column) {
        Deque<Expr> left = new ArrayDeque<>(List.of(this));
        while (!left.isEmpty()) {
            Expr part = left.pop();
            if (part instanceof ColumnRef ref && ref.name().equals(column)) {
                return true;
            }
            part.parts().forEach(left::push);
        }
        return false;
    }

    /** A literal. A string has unknown type until its context determines one. */
    record Literal(@Nullable Object value, SqlType type, int position) implements Expr {}

    /** A parameter, by its index from zero. */
    record Parameter(int index, int position) implements Expr {}

    /** A column, optionally qualified by its table and namespace. */
    record ColumnRef(List<String> path, int position) implements Expr {
        public ColumnRef {
            path = List.copyOf(path);
        }

        public String name() {
            return path.get(path.size() - 1);
        }
    }

    /** {@code -}, {@code +} or {@code not}. */
    record Unary(String operator, Expr operand, int position) implements Expr {
        @Override
        public List<Expr> parts() {
            return List.of(operand);
        }
    }

    /** Arithmetic, comparisons, {@code ||}, {@code and}, {@code or}, {@code is distinct from} and its opposite. */
    record Binary(String operator, Expr left, Expr right, int position) implements Expr {
        @Override
        public List<Expr> parts() {
            return List.of(left, right);
        }
    }

    record IsNull(Expr operand, boolean negated, int position) implements Expr {
        @Override
        public List<Expr> parts() {
            return List.of(operand);
        }
    }

    /** {@code is [not] true} or {@code is [not] false}. */
    record IsTruth(Expr operand, boolean truth, boolean negated, int position) implements Expr {
        @Override
        public List<Expr> parts() {
            return List.of(operand);
        }
    }

    record InList(Expr operand, List<Expr> items, boolean negated, int position) implements Expr {
        public InList {
            items = List.copyOf(items);
        }

        @Override
        public List<Expr> parts() {
            List<Expr> all = new ArrayList<>(items);
            all.add(operand);
            return all;
        }
    }

    record Between(Expr operand, Expr low, Expr high, boolean negated, int position) implements Expr {
        @Override
        public List<Expr> parts() {
            return List.of(operand, low, high);
        }
    }

    record Like(Expr operand, Expr pattern, boolean caseless, boolean negated, int position) implements Expr {
        @Override
        public List<Expr> parts() {
            return List.of(operand, pattern);
        }
    }

    record Call(String function, List<Expr> arguments, int position) implements Expr {
        public Call {
            arguments = List.copyOf(arguments);
        }

        @Override
        public List<Expr> parts() {
            return arguments;
        }
    }

    record Cast(Expr operand, SqlType type, int position) implements Expr {
        @Override
        public List<Expr> parts() {
            return List.of(operand);
        }
    }

    /** A CASE. With a subject, the conditions of the branches are values that it is compared with. */
    record Case(
            @Nullable Expr subject,
            List<Branch> branches,
            @Nullable Expr otherwise,
            int position) implements Expr {
        public Case {
            branches = List.copyOf(branches);
        }

        @Override
        public List<Expr> parts() {
            List<Expr> all = new ArrayList<>();
            for (Branch branch : branches) {
                all.add(branch.condition());
                all.add(branch.result());
            }
            if (subject != null) {
                all.add(subject);
            }
            if (otherwise != null) {
                all.add(otherwise);
            }
            return all;
        }
    }

    /** A {@code when ... then ...}. */
    record Branch(Expr condition, Expr result) {}
}
