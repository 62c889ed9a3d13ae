package io.polytable.sql.tree;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The definition of a window.
 *
 * @param base the window of the WINDOW clause that it refers to or extends
 * @param bare whether it is only that name: {@code OVER w}
 */
public record Window(
        Optional<String> base, boolean bare, List<Expression> partitions, List<Order> orders, Optional<Frame> frame) {
    public Window {
        partitions = List.copyOf(partitions);
        orders = List.copyOf(orders);
    }

    /** The unit in which a frame's bounds count. */
    public enum Unit {
        ROWS,
        RANGE,
        GROUPS
    }

    /** The rows of a frame that do not count. */
    public enum Exclusion {
        NONE,
        CURRENT_ROW,
        GROUP,
        TIES
    }

    public record Frame(Unit unit, Bound start, Bound end, Exclusion exclusion) {
        Frame map(UnaryOperator<Expression> change) {
            return new Frame(unit, start.map(change), end.map(change), exclusion);
        }
    }

    /** An end of a frame. */
    public sealed interface Bound {
        Bound map(UnaryOperator<Expression> change);

        record Unbounded(boolean preceding) implements Bound {
            @Override
            public Bound map(UnaryOperator<Expression> change) {
                return this;
            }
        }

        record CurrentRow() implements Bound {
            @Override
            public Bound map(UnaryOperator<Expression> change) {
                return this;
            }
        }

        record Distance(Expression value, boolean preceding) implements Bound {
            @Override
            public Bound map(UnaryOperator<Expression> change) {
                return new Distance(change.apply(value), preceding);
            }
        }
    }

    /** A window of the WINDOW clause. */
    public record Named(String name, Window window) {
        public Named map(UnaryOperator<Expression> change) {
            return new Named(name, window.map(change));
        }
    }

    public Window map(UnaryOperator<Expression> change) {
        return new Window(
                base,
                bare,
                Expression.mapped(partitions, change),
                orders.stream().map(order -> order.map(change)).toList(),
                frame.map(each -> each.map(change)));
    }
}
