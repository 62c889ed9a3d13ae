package io.polytable.hbase.differential;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * What a call answered, as text in which equal answers are equal. Timestamps that a server set are all the same here; of a
 * failure only the class counts, since a client decides by it.
 */
final class Outcome {
    private static final long A_MINUTE = 60_000;
    private static final String FAILURE = "fails with ";
    private static final String OUT_OF_BOUNDS = "out of bounds for length";
    private static final String DEFECT = FAILURE + OUT_OF_BOUNDS;
    private static final Pattern MARKER = Pattern.compile("[^\\[\\],\\s]+/Delete\\w*=");

    private Outcome() {}

    static String of(@Nullable Object answer, Rows rows) {
        if (answer == null) {
            return "nothing";
        }
        if (answer instanceof Result result) {
            return of(result, rows);
        }
        if (answer instanceof CheckAndMutateResult checked) {
            return checked.isSuccess() + " " + of((Object) checked.getResult(), rows);
        }
        if (answer instanceof Throwable failure) {
            return of(failure);
        }
        return String.valueOf(answer);
    }

    private static String of(Result result, Rows rows) {
        if (result.getExists() != null) {
            return "exists " + result.getExists();
        }
        List<String> cells = new ArrayList<>();
        if (!result.isEmpty()) {
            for (Cell cell : result.rawCells()) {
                cells.add(of(cell, rows));
            }
        }
        return cells.toString();
    }

    private static String of(Cell cell, Rows rows) {
        String row = rows.nameOf(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
        boolean set = cell.getTimestamp() > Schema.START_MILLIS - A_MINUTE;
        return row
                + "/" + CallText.text(CellUtil.cloneFamily(cell))
                + ":" + CallText.text(CellUtil.cloneQualifier(cell))
                + "@" + (set ? "now" : Long.toString(cell.getTimestamp()))
                + "/" + cell.getType()
                + "=" + CallText.text(CellUtil.cloneValue(cell));
    }

    static String of(Throwable failure) {
        Throwable cause = cause(failure);
        return isDefect(cause) ? DEFECT : FAILURE + cause.getClass().getName();
    }

    /** HBase's PrefixFilter reads beyond a shorter row, and where that is the array's end the scan fails. */
    private static boolean isDefect(Throwable cause) {
        return cause.getClass() == IOException.class
                && String.valueOf(cause.getMessage()).contains(OUT_OF_BOUNDS);
    }

    /**
     * Where one of HBase's filters throws what it should not, HBase's clients try again and again; ours are told not to, or
     * get their answer.
     */
    static boolean areAlike(String theirs, String ours) {
        return theirs.equals(ours)
                || theirs.equals(DEFECT)
                || (theirs.equals(FAILURE + IOException.class.getName())
                        && ours.equals(FAILURE + DoNotRetryIOException.class.getName()));
    }

    /** The same without delete markers, and without rows that have nothing else. */
    static String withoutMarkers(String rows) {
        return MARKER.matcher(rows)
                .replaceAll("")
                .replaceAll("[\\[\\],\\s]+", " ")
                .strip();
    }

    /** What the server said, without what the client wraps around it. */
    static Throwable cause(Throwable failure) {
        if (failure instanceof RetriesExhaustedWithDetailsException many && many.getNumExceptions() > 0) {
            return cause(many.getCause(0));
        }
        if (failure instanceof RemoteException remote) {
            return remote.unwrapRemoteException();
        }
        Throwable inner = failure.getCause();
        boolean wraps = failure instanceof RetriesExhaustedException
                || failure.getClass() == IOException.class
                || failure.getClass() == RuntimeException.class
                || failure instanceof UncheckedIOException;
        return wraps && inner != null && inner != failure ? cause(inner) : failure;
    }
}
