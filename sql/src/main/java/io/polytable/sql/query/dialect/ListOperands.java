package io.polytable.sql.query.dialect;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Expression.Listing;
import io.polytable.sql.tree.Expression.Operator;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** {@code ||} with a list literal: appends or prepends an element, concatenates another list. */
final class ListOperands {
    private static final Pattern PLAIN_LIST = Pattern.compile("\\{[^{}\"\\\\]*}");

    private ListOperands() {}

    static Expression apply(Operator joined) {
        Expression left = joined.left();
        Expression right = joined.right();
        if (left instanceof Listing && isElement(right)) {
            return Call.of("array_append", joined.at(), left, right);
        }
        if (isElement(left) && right instanceof Listing) {
            return Call.of("array_prepend", joined.at(), left, right);
        }
        // NULL concatenated with a list counts as an empty list.
        if (left instanceof Listing && isNull(right)) {
            return left;
        }
        if (isNull(left) && right instanceof Listing) {
            return right;
        }
        if (left instanceof Listing list && isListText(right)) {
            return joined(list, right, false);
        }
        return right instanceof Listing list && isListText(left) ? joined(list, left, true) : joined;
    }

    private static boolean isElement(Expression value) {
        return value instanceof Constant && !isNull(value) && !isListText(value);
    }

    private static boolean isNull(Expression value) {
        return Expression.isConstant(value, Constant.Kind.NULL);
    }

    /** Whether a constant is a list as text: {@code '{a,b}'}. */
    private static boolean isListText(Expression value) {
        return value instanceof Constant constant
                && constant.kind() == Constant.Kind.STRING
                && constant.text().strip().startsWith("{");
    }

    /** {@code ARRAY[1] || '{2,3}'}: the elements of the text get the type of the list's elements. */
    private static Expression joined(Listing list, Expression text, boolean before) {
        String listed = ((Constant) text).text().strip();
        if (!PLAIN_LIST.matcher(listed).matches()) {
            throw new SqlError(SqlCode.UNSUPPORTED, "a list in quotes next to || has plain elements only: " + listed);
        }
        String inner = listed.substring(1, listed.length() - 1).strip();
        List<Expression> words = new ArrayList<>();
        for (String word : inner.isEmpty() ? new String[0] : inner.split(",", -1)) {
            boolean absent = word.strip().equalsIgnoreCase("null");
            words.add(new Constant(absent ? Constant.Kind.NULL : Constant.Kind.STRING, word.strip(), text.at()));
        }
        List<Expression> items = new ArrayList<>(list.items());
        items.addAll(before ? 0 : items.size(), words);
        return new Listing(items, list.at());
    }
}
