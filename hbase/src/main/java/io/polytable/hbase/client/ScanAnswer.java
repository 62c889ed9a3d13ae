package io.polytable.hbase.client;

import io.polytable.cells.CellRow;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.StepLimit;
import io.polytable.hbase.convert.Results;
import io.polytable.hbase.rpc.Answer;
import io.polytable.hbase.rpc.Call;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MapReduceProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Builds the response to one Scan call: rows up to the client's limits, and whether there are more. */
final class ScanAnswer {
    private static final int MEMORY_PER_COUNTED = 4;

    private final OpenScanner scanner;
    private final ClientProtos.ScanRequest request;
    private final ClientLimits limits;
    private final Call call;
    private final Results results;
    private final ClientProtos.ScanResponse.Builder response = ClientProtos.ScanResponse.newBuilder();
    private boolean moreInRegion = true;
    private boolean more = true;

    ScanAnswer(OpenScanner scanner, ClientProtos.ScanRequest request, Call call, ClientLimits limits) {
        this.scanner = scanner;
        this.request = request;
        this.call = call;
        this.limits = limits;
        results = new Results(call.client());
    }

    void read() {
        int rows = rowsWanted();
        if (rows <= 0) {
            return;
        }
        ScanStep step = scanner.next(limit(rows));
        addRows(step.rows());
        if (request.getTrackScanMetrics()) {
            addMetrics(step);
        }
        moreInRegion = step.hasMore();
        if (step.end() == ScanStep.End.SCAN_DONE && step.rows().isEmpty()) {
            more = false;
        }
        if (step.end() == ScanStep.End.HEARTBEAT) {
            response.setHeartbeatMessage(true);
            addCursor();
        }
    }

    /**
     * Without a number, a call that closes wants no rows and one that advances wants one. The row limit does not apply
     * to batched scans: their rows are several results each, and a client that got them in other portions than from
     * HBase would count differently.
     */
    private int rowsWanted() {
        int byDefault = request.getCloseScanner() ? 0 : 1;
        int rows = request.hasNumberOfRows() ? request.getNumberOfRows() : byDefault;
        boolean isLimited = request.getLimitOfRows() > 0 && scanner.scan().getBatchSize() <= 0;
        return isLimited ? Math.min(rows, request.getLimitOfRows()) : rows;
    }

    private StepLimit limit(int rows) {
        boolean partial = request.getClientHandlesPartials();
        boolean heartbeats = partial && request.getClientHandlesHeartbeats();
        return new StepLimit(
                rows, bytesMax(), countedMax(), Long.MAX_VALUE, partial, heartbeats ? timeUp() : () -> false);
    }

    /**
     * The limit for a read-ahead of the next call; empty if a read-ahead is not worth it. A scan's first call may be
     * its only one, a scan with a row limit ends soon, and a filter may take long to find anything.
     */
    Optional<StepLimit> ahead() {
        int rows = rowsWanted();
        boolean goesOn = request.hasScannerId() && rows > 1 && request.getLimitOfRows() <= 0;
        boolean isPlain = request.getClientHandlesPartials()
                && request.getClientHandlesHeartbeats()
                && !request.getRenew()
                && !scanner.scan().hasFilter();
        return goesOn && isPlain ? Optional.of(limit(rows)) : Optional.empty();
    }

    private long countedMax() {
        long asked = scanner.scan().getMaxResultSize();
        return asked > 0 ? asked : Long.MAX_VALUE;
    }

    /** Memory for what the client may get: a small cell takes up to four times what it counts. */
    private long bytesMax() {
        long countedMax = countedMax();
        return countedMax < limits.resultBytesMax() / MEMORY_PER_COUNTED
                ? countedMax * MEMORY_PER_COUNTED
                : limits.resultBytesMax();
    }

    /** Half of the client's timeout or the scanner's lease, whichever is shorter. */
    private BooleanSupplier timeUp() {
        long lease = limits.scannerLease().toMillis();
        long patience = call.timeoutMillis() > 0 ? Math.min(lease, call.timeoutMillis()) : lease;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.max(1, patience / 2));
        return () -> System.nanoTime() - deadline > 0;
    }

    /**
     * Adds rows until the client's row limit is reached. A partial row is complete at the latest when another row
     * follows: a part may turn out to be the last one only then.
     */
    private void addRows(List<CellRow> rows) {
        int limit = request.getLimitOfRows() > 0 ? request.getLimitOfRows() : Integer.MAX_VALUE;
        Optional<Bytes> open = scanner.openRow();
        int complete = 0;
        for (CellRow row : rows) {
            if (open.isPresent() && !open.get().equals(row.row()) && ++complete >= limit) {
                break;
            }
            add(row);
            open = row.partial() ? Optional.of(row.row()) : Optional.empty();
            if (!row.partial() && ++complete >= limit) {
                break;
            }
        }
        scanner.openRow(open.map(Bytes::copy));
        more = more && complete < limit;
    }

    private void add(CellRow row) {
        if (results.areCarried()) {
            results.carry(row.cells());
            response.addCellsPerResult(row.cells().size());
            response.addPartialFlagPerResult(row.partial());
        } else {
            response.addResults(results.of(row.cells(), row.partial()));
        }
    }

    private void addMetrics(ScanStep step) {
        response.setScanMetrics(MapReduceProtos.ScanMetrics.newBuilder()
                .addMetrics(metric(ServerSideScanMetrics.COUNT_OF_ROWS_SCANNED_KEY_METRIC_NAME, step.rowsScanned()))
                .addMetrics(metric(ServerSideScanMetrics.COUNT_OF_ROWS_FILTERED_KEY_METRIC_NAME, step.rowsFiltered())));
    }

    private static HBaseProtos.NameInt64Pair metric(String name, long value) {
        return HBaseProtos.NameInt64Pair.newBuilder()
                .setName(name)
                .setValue(value)
                .build();
    }

    private void addCursor() {
        Optional<ResumePoint> position = scanner.cells().position();
        if (scanner.scan().getNeedCursorResult() && position.isPresent()) {
            response.setCursor(ClientProtos.Cursor.newBuilder()
                    .setRow(UnsafeByteOperations.unsafeWrap(position.get().row().toByteArray())));
        }
    }

    /** Whether the scanner is exhausted. */
    boolean isLast() {
        return !more || !moreInRegion;
    }

    Answer finish() {
        response.setScannerId(scanner.id())
                .setTtl((int) limits.scannerLease().toMillis())
                .setMoreResults(more)
                .setMoreResultsInRegion(moreInRegion);
        return new Answer(response.build(), results.cells());
    }
}
