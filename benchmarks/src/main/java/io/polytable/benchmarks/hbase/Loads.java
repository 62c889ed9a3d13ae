package io.polytable.benchmarks.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** The loads for both servers, in this order: later loads read what earlier ones wrote. */
final class Loads {
    private static final int THREADS = 8;
    private static final int VALUE_BYTES = 1_000;
    private static final int ROWS_A_CALL = 100;
    private static final int COUNTER_ROWS = 1_000;
    private static final int APPENDED_ROWS = 10_000;
    private static final int COLUMNS_A_PUT = 1_000;
    private static final byte[] QUALIFIER = Bytes.toBytes("q");
    private static final byte[] WIDE_ROW = Bytes.toBytes("wide");

    private final String table;
    private final int rows;
    private final int columns;

    Loads(String table, int rows, int columns) {
        this.table = table;
        this.rows = rows;
        this.columns = columns;
    }

    List<Load> all() {
        return List.of(
                new Load("put", THREADS, rows, 1, onTable(this::put)),
                new Load("BufferedMutator", THREADS, rows, 1, this::buffered),
                new Load("get", THREADS, rows, 1, onTable(this::get)),
                new Load("get of 100", THREADS, rows / ROWS_A_CALL, ROWS_A_CALL, onTable(this::getMany)),
                new Load("full scan", 1, 1, rows * 2.0, onTable((target, n, random) -> fullScan(target))),
                new Load("scan of 100", THREADS, rows / ROWS_A_CALL, ROWS_A_CALL, onTable(this::scan)),
                new Load("increment, one row", THREADS, rows / 4, 1, onTable(Loads::incrementOne)),
                new Load("increment, 1000 rows", THREADS, rows / 2, 1, onTable(Loads::incrementMany)),
                new Load("append", THREADS, rows / 4, 1, onTable(Loads::append)),
                new Load("checkAndMutate", THREADS, rows / 2, 1, onTable(this::check)),
                new Load("wide row, put", 1, columns / COLUMNS_A_PUT, COLUMNS_A_PUT, onTable(Loads::widen)),
                new Load("wide row, get", THREADS, rows / 4, 1, onTable(this::getOfWide)));
    }

    private interface TableCall {
        void on(Table target, long n, SplittableRandom random) throws IOException;
    }

    private Load.Opener onTable(TableCall call) {
        return target -> {
            Table opened = target.connection().getTable(TableName.valueOf(table));
            return new Load.Worker() {
                @Override
                public void call(long n, SplittableRandom random) throws IOException {
                    call.on(opened, n, random);
                }

                @Override
                public void close() throws IOException {
                    opened.close();
                }
            };
        };
    }

    private Load.Worker buffered(Target target) throws IOException {
        BufferedMutator mutator = target.connection().getBufferedMutator(TableName.valueOf(table));
        return new Load.Worker() {
            @Override
            public void call(long n, SplittableRandom random) throws IOException {
                mutator.mutate(new Put(key("b", spread(n, rows))).addColumn(Target.FAMILY, QUALIFIER, value(random)));
            }

            @Override
            public void close() throws IOException {
                mutator.close();
            }
        };
    }

    private static byte[] key(String kind, long number) {
        return Bytes.toBytes("%s%010d".formatted(kind, number));
    }

    /** A permutation of the numbers below the bound: neighbours are not written in sequence. */
    private static long spread(long n, int bound) {
        return n * 7_919 % bound;
    }

    /** Bytes that do not compress. */
    private static byte[] value(SplittableRandom random) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        return value;
    }

    private void put(Table target, long n, SplittableRandom random) throws IOException {
        target.put(new Put(key("p", spread(n, rows))).addColumn(Target.FAMILY, QUALIFIER, value(random)));
    }

    private void get(Table target, long n, SplittableRandom random) throws IOException {
        require(target.get(new Get(key("p", random.nextInt(rows)))));
    }

    private static void require(Result result) throws IOException {
        if (result.isEmpty()) {
            throw new IOException("A row is missing");
        }
    }

    private void getMany(Table target, long n, SplittableRandom random) throws IOException {
        List<Get> gets = new ArrayList<>(ROWS_A_CALL);
        for (int i = 0; i < ROWS_A_CALL; i++) {
            gets.add(new Get(key("p", random.nextInt(rows))));
        }
        for (Result result : target.get(gets)) {
            require(result);
        }
    }

    private void fullScan(Table target) throws IOException {
        long found = 0;
        try (ResultScanner scanner = target.getScanner(new Scan())) {
            for (Result result : scanner) {
                require(result);
                found++;
            }
        }
        if (found != 2L * rows) {
            throw new IOException("A scan found " + found + " rows");
        }
    }

    private void scan(Table target, long n, SplittableRandom random) throws IOException {
        long from = random.nextInt(rows - ROWS_A_CALL);
        int found = 0;
        try (ResultScanner scanner =
                target.getScanner(new Scan().withStartRow(key("p", from)).setLimit(ROWS_A_CALL))) {
            for (Result result : scanner) {
                require(result);
                found++;
            }
        }
        if (found != ROWS_A_CALL) {
            throw new IOException("A scan found " + found + " rows");
        }
    }

    private static void incrementOne(Table target, long n, SplittableRandom random) throws IOException {
        require(target.increment(new Increment(key("c", 0)).addColumn(Target.FAMILY, QUALIFIER, 1)));
    }

    private static void incrementMany(Table target, long n, SplittableRandom random) throws IOException {
        byte[] row = key("d", random.nextInt(COUNTER_ROWS));
        require(target.increment(new Increment(row).addColumn(Target.FAMILY, QUALIFIER, 1)));
    }

    private static void append(Table target, long n, SplittableRandom random) throws IOException {
        byte[] row = key("e", random.nextInt(APPENDED_ROWS));
        require(target.append(new Append(row).addColumn(Target.FAMILY, QUALIFIER, Bytes.toBytes(n))));
    }

    /** On existing rows, so that each check reads and each change is applied. */
    private void check(Table target, long n, SplittableRandom random) throws IOException {
        byte[] row = key("p", random.nextInt(rows));
        boolean done = target.checkAndMutate(CheckAndMutate.newBuilder(row)
                        .ifNotExists(Target.FAMILY, Bytes.toBytes("absent"))
                        .build(new Put(row).addColumn(Target.FAMILY, QUALIFIER, value(random))))
                .isSuccess();
        if (!done) {
            throw new IOException("A check failed");
        }
    }

    private static void widen(Table target, long n, SplittableRandom random) throws IOException {
        Put put = new Put(WIDE_ROW);
        for (int i = 0; i < COLUMNS_A_PUT; i++) {
            put.addColumn(Target.FAMILY, key("w", n * COLUMNS_A_PUT + i), Bytes.toBytes(n));
        }
        target.put(put);
    }

    private void getOfWide(Table target, long n, SplittableRandom random) throws IOException {
        byte[] column = key("w", random.nextInt(columns));
        require(target.get(new Get(WIDE_ROW).addColumn(Target.FAMILY, column)));
    }
}
