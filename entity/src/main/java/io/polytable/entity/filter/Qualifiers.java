package io.polytable.entity.filter;

import io.polytable.table.Bytes;
import java.util.Comparator;

/** The order of qualifiers: that of their UTF-8 bytes, which is what every store sorts by. */
public final class Qualifiers {
    public static final Comparator<String> ORDER = Qualifiers::compare;

    private Qualifiers() {}

    public static int compare(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                // Surrogates encode the highest code points, although their own values are below some others.
                return Character.isSurrogate(a) || Character.isSurrogate(b)
                        ? Bytes.utf8(left).compareTo(Bytes.utf8(right))
                        : Character.compare(a, b);
            }
        }
        return Integer.compare(left.length(), right.length());
    }
}
