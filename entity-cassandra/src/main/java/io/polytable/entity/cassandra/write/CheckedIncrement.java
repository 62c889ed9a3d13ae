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

/** An increment as a conditional write: exact, with a known new value. */
public record CheckedIncrement(GroupCells cells, Bytes rowKey, CellEdit.Increment increment) {
    public CompletableFuture<WriteAnswer> by(CheckedWrites checked, ConsistencyLevel level) {
        ColumnPlace place = increment.place();
        CheckedWrites.Task task =
                new CheckedWrites.Task(cells, rowKey, place, level, cells.isSingle(), this::guess, found -> {
                    CellStamp stamp = stamp(found);
                    Bytes value = new BytesWriter(Long.BYTES)
                            .i64(found.value().map(CheckedIncrement::counter).orElse(0L) + increment.amount())
                            .toBytes();
                    return CompletableFuture.completedFuture(Optional.of(new CheckedWrites.Writes(
                            GroupWrites.timeEntry(cells, rowKey, place, stamp),
                            List.of(GroupWrites.checkedPut(cells, rowKey, place, stamp, value)),
                            Optional.of(new StoredCell(place.familyId(), place.qualifier(), stamp.time(), value)))));
                });
        return checked.write(task)
                .thenApply(made -> new WriteAnswer(
                        true,
                        made.flatMap(CheckedWrites.Writes::counter).stream().toList()));
    }

    /** The counter that this process wrote last, or none. */
    private CheckedWrites.Found guess(Optional<CheckedWrites.Last> last) {
        Optional<StoredCell> same = last.flatMap(CheckedWrites.Last::counter)
                .filter(cell -> cell.familyId().equals(increment.place().familyId())
                        && cell.qualifier().equals(increment.place().qualifier()));
        return new CheckedWrites.Found(
                same.map(StoredCell::value),
                same.map(StoredCell::timestamp).orElse(0L),
                0,
                last.map(CheckedWrites.Last::revision).orElse(null));
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
