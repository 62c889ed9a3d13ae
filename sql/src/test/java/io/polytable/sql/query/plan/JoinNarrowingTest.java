package io.polytable.sql.query.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.query.Cancellation;
import io.polytable.sql.query.render.Rendered;
import io.polytable.sql.query.scan.ScanSlot;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The reads before a join can be cancelled, even in a relation that skips rows without end. */
@Timeout(60)
class JoinNarrowingTest {
    private static final List<Relation.Condition> KNOWN = List.of(new Relation.Condition("id", "=", List.of(1)));

    private static final TableSpec TABLE = new TableSpec(
            new TableName("test", "rows"),
            TableKind.FACE,
            List.of(new Column("key", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("key")),
            List.of(),
            TableOptions.DEFAULT);

    /** Walks the table again and again, and never answers a row. */
    private record Deleted(Table table) implements Relation {
        @Override
        public TableName name() {
            return new TableName("default", "deleted");
        }

        @Override
        public List<RelationColumn> columns() {
            return List.of(RelationColumn.shown("id", SqlType.INT));
        }

        @Override
        public List<String> key() {
            return List.of("id");
        }

        @Override
        public boolean isNarrowedBy(List<Condition> conditions) {
            return !conditions.isEmpty();
        }

        @Override
        public Rows open(Reader reader, Request request) {
            return new Rows() {
                @Override
                public boolean next() {
                    while (true) {
                        reader.scan(table, KeyRange.ALL, Direction.FORWARD, Long.MAX_VALUE)
                                .close();
                    }
                }

                @Override
                public @Nullable Object[] row() {
                    throw new IllegalStateException("There is no row");
                }

                @Override
                public void close() {
                    // Nothing is open.
                }
            };
        }
    }

    private static void refused(Cancellation cancellation, SqlCode code) {
        try (MemoryStore store = new MemoryStore()) {
            Relation relation = new Deleted(store.create(TABLE));
            List<ScanSlot> slots = List.of(
                    new ScanSlot(relation, List.of(), relation.columns(), false, true, false),
                    new ScanSlot(relation, List.of(), relation.columns(), false, true, false));
            DuckQuery plan = new DuckQuery(
                    new Rendered(List.of(), List.of()),
                    Optional.empty(),
                    slots,
                    List.of(new JoinNarrowing.SlotLink(0, "id", 1, "id")),
                    false,
                    false,
                    Optional.empty());
            assertThatThrownBy(() -> JoinNarrowing.apply(plan, store, "root", cancellation, List.of(KNOWN, List.of())))
                    .isInstanceOfSatisfying(
                            SqlError.class, error -> assertThat(error.code()).isEqualTo(code));
        }
    }

    @Test
    void theTimeLimitEndsIt() {
        refused(new Cancellation(Duration.ofMillis(20)), SqlCode.TIMEOUT);
    }

    @Test
    void aCancellationEndsIt() {
        Cancellation cancellation = new Cancellation(Duration.ofDays(1));
        cancellation.cancel();
        refused(cancellation, SqlCode.CANCELLED);
    }
}
