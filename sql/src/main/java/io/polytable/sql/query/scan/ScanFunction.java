package io.polytable.sql.query.scan;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.transaction.StatementMemory;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import io.polytable.table.Bytes;
import io.polytable.table.column.ColumnBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.duckdb.DuckDBTableFunctionState;
import org.duckdb.DuckDBWritableVector;
import org.jspecify.annotations.Nullable;

/** The table function through which DuckDB reads our relations. Its one argument is the number of an {@link OpenScan}. */
public final class ScanFunction implements DuckDBTableFunction<ScanFunction.Registered, ScanFunction.Walk, Object> {
    static final String NAME = "polytable_scan";

    /** The call in a query's text that reads the scan with this number or marker. */
    static String call(Object number) {
        return NAME + "(" + number + ")";
    }

    /** A chunk of this size is passed to DuckDB, however few rows it has. */
    private static final long CHUNK_BYTES_FULL = 4L << 20;

    /** The numbers of a range, more than a query has scans. */
    private static final int RANGE_BITS = 32;

    private static final AtomicLong RANGES = new AtomicLong();

    private final Map<Long, Registered> scans = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /** A scan as DuckDB knows it. A plan that DuckDB keeps must not keep what the scan reads. */
    static final class Registered {
        private volatile @Nullable OpenScan scan;

        Registered(OpenScan scan) {
            this.scan = scan;
        }

        OpenScan scan() throws SQLException {
            OpenScan present = scan;
            if (present == null) {
                throw new SQLException("There is no such scan");
            }
            return present;
        }
    }

    /** Reserves a range of numbers and returns the first. */
    public static long reserve() {
        return RANGES.incrementAndGet() << RANGE_BITS;
    }

    public void register(Connection connection) throws SQLException {
        DuckDBFunctions.tableFunction()
                .withName(NAME)
                .withParameter(long.class)
                .withProjectionPushdown()
                .withFunction(this)
                .register(connection);
    }

    /** Registers a scan and returns its number; {@link #remove} it when the query has ended. */
    public long add(OpenScan scan) {
        long number = numbers.incrementAndGet();
        add(number, scan);
        return number;
    }

    /** Registers a scan under a number of a reserved range. */
    public void add(long number, OpenScan scan) {
        scans.put(number, new Registered(scan));
    }

    public void remove(long number) {
        Registered removed = scans.remove(number);
        if (removed != null) {
            removed.scan = null;
        }
    }

    @Override
    public Registered bind(DuckDBTableFunctionBindInfo info) throws Exception {
        Registered registered = scans.get(info.getParameter(0).getLong());
        if (registered == null) {
            throw new SQLException("There is no such scan");
        }
        OpenScan scan = registered.scan();
        scan.bound = true;
        for (RelationColumn column : scan.columns) {
            info.addResultColumn(column.name(), ScanTypes.transferType(column.type()));
        }
        return registered;
    }

    /** The state of a running scan. */
    static final class Walk implements DuckDBTableFunctionState {
        private final OpenScan scan;
        private final int[] wanted;
        private final Relation.@Nullable Batches batches;
        private final Relation.@Nullable Rows rows;
        private final VectorWriter[] writers;
        private boolean closed;

        Walk(OpenScan scan, int[] wanted) {
            this.scan = scan;
            this.wanted = wanted;
            List<Integer> columns = new ArrayList<>();
            for (int column : wanted) {
                columns.add(column);
            }
            writers = new VectorWriter[wanted.length];
            for (int i = 0; i < wanted.length; i++) {
                writers[i] = new VectorWriter(scan.relation, scan.columns.get(wanted[i]));
            }
            batches = scan.openBatches(columns).orElse(null);
            rows = batches == null ? scan.open(columns) : null;
        }

        synchronized int fill(DuckDBDataChunkWriter output) {
            if (closed) {
                return 0;
            }
            if (batches != null) {
                ColumnBatch batch = batches.next();
                for (int i = 0; i < wanted.length && batch.rows() > 0; i++) {
                    writers[i].write(batch.column(i), output.vector(i));
                    if (writers[i].sawInfinity()) {
                        scan.sawInfinity = true;
                    }
                }
                return batch.rows();
            }
            return rows == null ? 0 : fillByRows(output, rows);
        }

        private int fillByRows(DuckDBDataChunkWriter output, Relation.Rows from) {
            int capacity = (int) output.capacity();
            int count = 0;
            @Nullable Object[][] chunk = new Object[capacity][];
            long bytes = 0;
            while (count < capacity && bytes < CHUNK_BYTES_FULL && from.next()) {
                chunk[count++] = from.row().clone();
                bytes += StatementMemory.sizeOf(from.row());
            }
            for (int i = 0; i < wanted.length; i++) {
                column(output.vector(i), chunk, count, wanted[i]);
            }
            return count;
        }

        private void column(DuckDBWritableVector vector, @Nullable Object[][] chunk, int count, int index) {
            SqlType type = scan.columns.get(index).type();
            boolean asText = ScanTypes.isShownAsText(scan.relation, type);
            for (int row = 0; row < count; row++) {
                Object value = chunk[row][index];
                if (value == null) {
                    vector.setNull(row);
                } else {
                    if (!scan.sawInfinity && isInfinite(value)) {
                        scan.sawInfinity = true;
                    }
                    set(vector, row, type, value, asText);
                }
            }
        }

        private static boolean isInfinite(Object value) {
            return value instanceof String text
                    ? VectorWriter.hasInfinity(text)
                    : (value instanceof Double || value instanceof Float)
                            && Double.isInfinite(((Number) value).doubleValue());
        }

        private static void set(DuckDBWritableVector vector, int row, SqlType type, Object value, boolean asText) {
            switch (type.kind()) {
                case BOOLEAN -> vector.setBoolean(row, (Boolean) value);
                case SMALLINT -> vector.setShort(row, ((Integer) value).shortValue());
                case INT -> vector.setInt(row, (Integer) value);
                case BIGINT -> vector.setLong(row, (Long) value);
                case FLOAT -> vector.setFloat(row, (Float) value);
                case DOUBLE -> vector.setDouble(row, (Double) value);
                case DATE -> vector.setInt(row, (int) ((LocalDate) value).toEpochDay());
                case TIME -> vector.setLong(row, ((LocalTime) value).toNanoOfDay() / 1000);
                case TIMESTAMP -> vector.setLong(row, micros((Instant) value));
                case BYTES -> vector.setString(row, asText ? Texts.bytes((Bytes) value) : hex((Bytes) value));
                case DECIMAL, TEXT, JSON, UUID, UNKNOWN -> vector.setString(row, Texts.of(value));
            }
        }

        private static String hex(Bytes bytes) {
            return HexFormat.of().formatHex(bytes.array(), bytes.offset(), bytes.offset() + bytes.length());
        }

        private static long micros(Instant moment) {
            return Math.addExact(Math.multiplyExact(moment.getEpochSecond(), 1_000_000L), moment.getNano() / 1000);
        }

        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                if (batches != null) {
                    batches.close();
                }
                if (rows != null) {
                    rows.close();
                }
            }
        }
    }

    @Override
    public Walk init(DuckDBTableFunctionInitInfo info) throws Exception {
        Registered registered = info.getBindData();
        OpenScan scan = registered.scan();
        int[] wanted = new int[(int) info.getColumnCount()];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = (int) info.getColumnIndex(i);
        }
        info.setMaxThreads(1);
        try {
            return new Walk(scan, wanted);
        } catch (RuntimeException failed) {
            scan.failure.set(failed);
            throw failed;
        }
    }

    @Override
    public long apply(DuckDBTableFunctionCallInfo info, DuckDBDataChunkWriter output) throws Exception {
        Walk walk = info.getInitData();
        try {
            return walk.fill(output);
        } catch (RuntimeException failed) {
            walk.scan.failure.set(failed);
            throw failed;
        }
    }
}
