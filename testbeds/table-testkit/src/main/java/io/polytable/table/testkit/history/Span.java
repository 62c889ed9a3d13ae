package io.polytable.table.testkit.history;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.testkit.Rows;

/** A range of keys, printed as the code that makes it. */
record Span(String from, String to, boolean inPartition) {
    static final Span ALL = new Span("", "", false);

    KeyRange range() {
        return inPartition ? Rows.within(from, to) : KeyRange.between(Bytes.utf8(from), Bytes.utf8(to));
    }

    @Override
    public String toString() {
        return (inPartition ? "within(\"" : "between(\"") + from + "\", \"" + to + "\")";
    }
}
