package io.polytable.hbase.rpc;

import io.polytable.cells.CellException;
import io.polytable.frontend.session.FailureLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Translates failures into HBase's exceptions, whose class decides whether the client retries. */
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    public static IOException of(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wraps = failure instanceof CompletionException || failure instanceof UncheckedIOException;
        if (wraps && cause != null) {
            return of(cause);
        }
        if (failure instanceof IOException known) {
            return known;
        }
        if (failure instanceof CellException refused) {
            return of(refused);
        }
        if (failure instanceof IllegalArgumentException mistake) {
            return new DoNotRetryIOException(String.valueOf(mistake.getMessage()));
        }
        LOG.error("A call failed", failure);
        return new DoNotRetryIOException("Internal error: " + failure);
    }

    private static IOException of(CellException refused) {
        String text = String.valueOf(refused.getMessage());
        return switch (refused.error()) {
            case NO_SUCH_FAMILY -> new NoSuchColumnFamilyException(text);
            case NO_SUCH_TABLE -> new TableNotFoundException(text);
            case NO_SUCH_SNAPSHOT -> new SnapshotDoesNotExistException(text);
            case SNAPSHOT_EXISTS -> new SnapshotExistsException(text);
            case TOO_MANY, BUSY, IN_PROGRESS -> new RegionTooBusyException(text);
            case ANSWERED_ENOUGH -> new MultiActionResultTooLarge(text);
            case CLOSED -> new NotServingRegionException(text);
            case STORE_FAILED -> logged(refused, new IOException(text));
            case CORRUPT -> logged(refused, new DoNotRetryIOException(text));
            case NOT_A_COUNTER ->
                new DoNotRetryIOException(
                        "Field is not a long, it's " + refused.facts().get("bytes") + " bytes wide");
            case TABLE_EXISTS, BAD_SPEC, BAD_REQUEST, TOO_LARGE, COMPUTED_TOO_LARGE, RETIRED_LAYOUT ->
                new DoNotRetryIOException(text);
        };
    }

    private static IOException logged(CellException failure, IOException answer) {
        FailureLog.report(LOG, "A call", failure.error(), failure);
        return answer;
    }
}
