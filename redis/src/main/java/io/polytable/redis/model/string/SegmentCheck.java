package io.polytable.redis.model.string;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.row.Segments;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Reader;
import java.util.function.Consumer;

/** Verifies that the segments of a string are within its length and in the only form that writers leave. */
public final class SegmentCheck {
    private final RedisTables tables;
    private final Reader reader;
    private final CollectionHeader header;
    private final Consumer<String> problems;

    public SegmentCheck(RedisTables tables, Reader reader, CollectionHeader header, Consumer<String> problems) {
        this.tables = tables;
        this.reader = reader;
        this.header = header;
        this.problems = problems;
    }

    public void run() {
        if (header.size() <= 0 || header.size() > Strings.LENGTH_MAX) {
            problems.accept("it is a string in segments of " + header.size() + " bytes");
        }
        try (Cursor rows =
                reader.scan(tables.elements(header.home()), Layout.elements(header.id(), ElementKind.STRING_SEGMENT))) {
            while (rows.next()) {
                if (rows.key().length() != Layout.ELEMENT_PREFIX + Integer.BYTES) {
                    problems.accept("it has a segment without a number");
                } else {
                    check(Segments.number(rows), rows.value());
                }
            }
        }
    }

    private void check(int number, Bytes stored) {
        if (number < 0 || (long) number * Segments.BYTES + stored.length() > header.size()) {
            problems.accept("its segment " + number + " lies behind its length of " + header.size());
        }
        if (stored.length() > Segments.BYTES) {
            problems.accept("its segment " + number + " is too long");
        }
        if (stored.isEmpty() || stored.at(stored.length() - 1) == 0) {
            problems.accept("its segment " + number + " ends in zeros, which are never stored");
        }
    }
}
