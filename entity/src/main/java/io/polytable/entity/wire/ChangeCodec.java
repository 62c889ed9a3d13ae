package io.polytable.entity.wire;

import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.RowChange;
import io.polytable.entity.store.StoredCell;
import io.polytable.entity.store.WriteAnswer;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Encodes changes of rows and their outcomes. */
public final class ChangeCodec {
    private static final int PUT = 1;
    private static final int INCREMENT = 2;
    private static final int DELETE_ROW = 3;
    private static final int DELETE_FAMILY = 4;
    private static final int DELETE_COLUMN = 5;
    private static final int DELETE_CELL = 6;

    private static final int NO_CHECK = 0;
    private static final int CHECK_ABSENT = 1;
    private static final int CHECK_EQUAL = 2;

    private static final int NOT_APPLIED = 0;
    private static final int APPLIED = 1;
    private static final int FAILED = 2;

    /** The outcome of a change: applied or not, or failed by itself. */
    public sealed interface Outcome {
        record Answered(WriteAnswer answer) implements Outcome {}

        record Failed(EntityException failure) implements Outcome {}
    }

    private ChangeCodec() {}

    /** About how many bytes the change takes. */
    public static long size(RowChange change) {
        long bytes = change.rowKey().length() + 64L;
        for (CellEdit edit : change.edits()) {
            bytes += 64;
            bytes += edit instanceof CellEdit.Put put
                    ? put.value().length() + put.place().qualifier().length()
                    : 0;
        }
        return bytes;
    }

    public static void write(BytesWriter out, RowChange change) {
        out.sized(change.rowKey());
        if (change.check().isEmpty()) {
            out.u8(NO_CHECK);
        } else {
            RowChange.Check check = change.check().get();
            out.u8(check.expected().isPresent() ? CHECK_EQUAL : CHECK_ABSENT);
            write(out, check.place());
            check.expected().ifPresent(out::sized);
        }
        out.varint(change.edits().size());
        change.edits().forEach(edit -> write(out, edit));
    }

    public static RowChange change(BytesReader in) {
        Bytes rowKey = in.sized().copy();
        int kind = in.u8();
        Optional<RowChange.Check> check = Optional.empty();
        if (kind == CHECK_ABSENT || kind == CHECK_EQUAL) {
            ColumnPlace place = place(in);
            check = Optional.of(new RowChange.Check(
                    place, kind == CHECK_EQUAL ? Optional.of(in.sized().copy()) : Optional.empty()));
        } else if (kind != NO_CHECK) {
            throw Words.malformed();
        }
        int count = in.count();
        List<CellEdit> edits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            edits.add(edit(in));
        }
        return new RowChange(rowKey, edits, check);
    }

    private static void write(BytesWriter out, ColumnPlace place) {
        out.text(place.groupId()).text(place.familyId()).text(place.qualifier());
    }

    private static ColumnPlace place(BytesReader in) {
        return new ColumnPlace(in.text(), in.text(), in.text());
    }

    private static void write(BytesWriter out, CellEdit edit) {
        if (edit instanceof CellEdit.Put put) {
            write(out.u8(PUT), put.place());
            out.varint(put.timestamp()).sized(put.value()).varint(put.ttlMillis());
        } else if (edit instanceof CellEdit.Increment increment) {
            write(out.u8(INCREMENT), increment.place());
            out.zigzag(increment.amount()).varint(increment.ttlMillis());
        } else if (edit instanceof CellEdit.DeleteRow row) {
            out.u8(DELETE_ROW).varint(row.upTo());
        } else if (edit instanceof CellEdit.DeleteFamily family) {
            out.u8(DELETE_FAMILY).text(family.groupId()).text(family.familyId()).varint(family.upTo());
        } else if (edit instanceof CellEdit.DeleteColumn column) {
            write(out.u8(DELETE_COLUMN), column.place());
            out.varint(column.upTo());
        } else if (edit instanceof CellEdit.DeleteCell cell) {
            write(out.u8(DELETE_CELL), cell.place());
            out.varint(cell.timestamp());
        }
    }

    private static CellEdit edit(BytesReader in) {
        return switch (in.u8()) {
            case PUT -> new CellEdit.Put(place(in), time(in), in.sized().copy(), time(in));
            case INCREMENT -> new CellEdit.Increment(place(in), in.zigzag(), time(in));
            case DELETE_ROW -> new CellEdit.DeleteRow(time(in));
            case DELETE_FAMILY -> new CellEdit.DeleteFamily(in.text(), in.text(), time(in));
            case DELETE_COLUMN -> new CellEdit.DeleteColumn(place(in), time(in));
            case DELETE_CELL -> new CellEdit.DeleteCell(place(in), time(in));
            default -> throw Words.malformed();
        };
    }

    private static long time(BytesReader in) {
        long value = in.varint();
        if (value < 0) {
            throw Words.malformed();
        }
        return value;
    }

    public static void write(BytesWriter out, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            CallAnswer.write(out.u8(FAILED), failed.failure());
        } else if (outcome instanceof Outcome.Answered answered) {
            out.u8(answered.answer().applied() ? APPLIED : NOT_APPLIED);
            RowCodec.write(out, answered.answer().counters());
        }
    }

    public static Outcome outcome(BytesReader in) {
        int kind = in.u8();
        if (kind == FAILED) {
            return new Outcome.Failed(CallAnswer.failure(in));
        }
        List<StoredCell> counters = RowCodec.cells(in);
        return new Outcome.Answered(new WriteAnswer(kind == APPLIED, counters));
    }
}
