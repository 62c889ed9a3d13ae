package io.polytable.entity.cassandra.write;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.polytable.entity.cassandra.group.CellStamp;
import io.polytable.entity.cassandra.group.GroupCells;
import io.polytable.entity.cassandra.group.GroupWrites;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.StoredCell;
import io.polytable.entity.store.WriteAnswer;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** An increment as a conditional write: exact, and its new value is known. */
public record CheckedIncrement(GroupCells cells, Bytes rowKey, CellEdit.Increment increment) {
    public CompletableFuture<WriteAnswer> by(CheckedWrites checked, ConsistencyLevel level) {
        ColumnPlace place = increment.place();
        AtomicReference<StoredCell> made = new AtomicReference<>();
        CheckedWrites.Task task = new CheckedWrites.Task(cells, rowKey, place, level, found -> {
            CellStamp stamp = stamp(found);
            Bytes value = new BytesWriter(Long.BYTES)
                    .i64(found.value().map(CheckedIncrement::counter).orElse(0L) + increment.amount())
                    .toBytes();
            made.set(new StoredCell(place.familyId(), place.qualifier(), stamp.time(), value));
            return CompletableFuture.completedFuture(Optional.of(new CheckedWrites.Writes(
                    GroupWrites.timeEntry(cells, rowKey, place, stamp),
                    List.of(GroupWrites.checkedPut(cells, rowKey, place, stamp, value)))));
        });
        return checked.write(task).thenApply(done -> new WriteAnswer(true, List.of(made.get())));
    }

    private CellStamp stamp(CheckedWrites.Found found) {
        long micros = cells.clock().nextMicros();
        return CellStamp.at(found.nextTime(micros), increment.ttlMillis(), micros);
    }

    private static long counter(Bytes value) {
        if (value.length() != Long.BYTES) {
            throw new EntityException(EntityError.BAD_VALUE, "A counter has eight bytes");
        }
        return new BytesReader(value).i64();
    }
}
