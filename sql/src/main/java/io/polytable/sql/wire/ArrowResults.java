package io.polytable.sql.wire;

import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Writes a result as an Arrow stream, in batches. */
final class ArrowResults {
    private static final int BATCH_ROWS = 4096;
    private static final long MICROS = 1_000_000;

    private ArrowResults() {}

    static void write(OutputStream out, QueryRows rows) throws IOException {
        List<Field> fields = new ArrayList<>();
        for (QueryRows.Output column : rows.columns()) {
            fields.add(new Field(column.name(), FieldType.nullable(type(column.type())), null));
        }
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), allocator)) {
            // Never closed: closing writes the end of the stream, and a result that failed must not look complete.
            ArrowStreamWriter writer = new ArrowStreamWriter(root, null, Channels.newChannel(out));
            writer.start();
            int count = 0;
            while (rows.next()) {
                for (int i = 0; i < fields.size(); i++) {
                    set(root.getVector(i), count, rows.row()[i]);
                }
                if (++count == BATCH_ROWS) {
                    flush(root, writer, count);
                    count = 0;
                }
            }
            if (count > 0) {
                flush(root, writer, count);
            }
            writer.end();
        }
    }

    private static void flush(VectorSchemaRoot root, ArrowStreamWriter writer, int count) throws IOException {
        root.setRowCount(count);
        writer.writeBatch();
        root.clear();
    }

    private static ArrowType type(SqlType type) {
        return switch (type.kind()) {
            case BOOLEAN -> new ArrowType.Bool();
            case SMALLINT -> new ArrowType.Int(16, true);
            case INT -> new ArrowType.Int(32, true);
            case BIGINT -> new ArrowType.Int(64, true);
            case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case DECIMAL -> new ArrowType.Decimal(type.precision(), type.scale(), 128);
            case BYTES -> new ArrowType.Binary();
            case DATE -> new ArrowType.Date(DateUnit.DAY);
            case TIME -> new ArrowType.Time(TimeUnit.MICROSECOND, 64);
            case TIMESTAMP -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC");
            case TEXT, JSON, UUID, UNKNOWN -> new ArrowType.Utf8();
        };
    }

    private static void set(FieldVector vector, int row, @Nullable Object value) {
        if (value == null) {
            if (row >= vector.getValueCapacity()) {
                vector.reAlloc();
            }
            vector.setNull(row);
        } else if (vector instanceof BigIntVector longs) {
            longs.setSafe(row, ((Number) value).longValue());
        } else if (vector instanceof IntVector ints) {
            ints.setSafe(row, ((Number) value).intValue());
        } else if (vector instanceof SmallIntVector shorts) {
            shorts.setSafe(row, ((Number) value).intValue());
        } else if (vector instanceof Float8Vector doubles) {
            doubles.setSafe(row, ((Number) value).doubleValue());
        } else if (vector instanceof Float4Vector floats) {
            floats.setSafe(row, ((Number) value).floatValue());
        } else if (vector instanceof BitVector bits) {
            bits.setSafe(row, (Boolean) value ? 1 : 0);
        } else {
            other(vector, row, value);
        }
    }

    private static BigDecimal scaled(BigDecimal number, DecimalVector column) {
        BigDecimal scaled = number.setScale(column.getScale(), RoundingMode.HALF_UP);
        if (scaled.precision() > column.getPrecision()) {
            throw new SqlError(
                    SqlCode.OUT_OF_RANGE,
                    "a number has more than the " + column.getPrecision() + " digits of its column");
        }
        return scaled;
    }

    private static void other(FieldVector vector, int row, Object value) {
        if (vector instanceof DecimalVector decimals) {
            decimals.setSafe(row, scaled((BigDecimal) value, decimals));
        } else if (vector instanceof VarBinaryVector bytes) {
            bytes.setSafe(row, ((Bytes) value).toByteArray());
        } else if (vector instanceof DateDayVector days) {
            days.setSafe(row, (int) ((LocalDate) value).toEpochDay());
        } else if (vector instanceof TimeMicroVector times) {
            times.setSafe(row, ((LocalTime) value).toNanoOfDay() / 1000);
        } else if (vector instanceof TimeStampMicroTZVector moments) {
            Instant moment = (Instant) value;
            moments.setSafe(row, moment.getEpochSecond() * MICROS + moment.getNano() / 1000);
        } else {
            ((VarCharVector) vector).setSafe(row, Texts.of(value).getBytes(StandardCharsets.UTF_8));
        }
    }
}
