package io.polytable.hbase.differential;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.jspecify.annotations.Nullable;

/** A call as somebody who looks for the reason of a difference wants to read it. */
final class CallText {
    private static final Set<String> DULL = Set.of(
            "totalColumns",
            "consistency",
            "mvccReadPoint",
            "targetReplicaId",
            "priority",
            "filter",
            "cacheBlocks",
            "queryMetricsEnabled",
            "needCursorResult",
            "allowPartialResults",
            "readType");

    private CallText() {}

    static String of(Object call) {
        if (call instanceof List<?> many) {
            return many.stream().map(CallText::of).toList().toString();
        }
        if (call instanceof RowMutations together) {
            return "together " + of(together.getMutations());
        }
        if (call instanceof CheckAndMutate check) {
            return "if %s:%s %s %s within %s, filter %s then %s"
                    .formatted(
                            text(check.getFamily()),
                            text(check.getQualifier()),
                            check.getCompareOp(),
                            text(check.getValue()),
                            check.getTimeRange(),
                            of(check.getFilter()),
                            of(check.getAction()));
        }
        if (call instanceof Mutation mutation) {
            return of(mutation);
        }
        if (call instanceof Scan scan) {
            return (scan.isRaw() ? "raw " : "")
                    + scan.toMap(100).entrySet().stream()
                            .filter(part -> !DULL.contains(part.getKey()))
                            .toList() + " filter " + of(scan.getFilter());
        }
        return call instanceof Get get
                ? get.toMap(100).entrySet().stream()
                                .filter(part -> !DULL.contains(part.getKey()))
                                .toList() + " filter " + of(get.getFilter())
                : String.valueOf(call);
    }

    private static String of(Mutation mutation) {
        List<String> cells = new ArrayList<>();
        mutation.getFamilyCellMap().values().forEach(family -> family.forEach(cell -> cells.add(of(cell))));
        String life = mutation.getTTL() == Long.MAX_VALUE ? "" : " for " + mutation.getTTL() + " ms";
        return mutation.getClass().getSimpleName() + " " + text(mutation.getRow()) + " " + cells + life;
    }

    private static String of(Cell cell) {
        return "%s:%s@%d/%s=%s"
                .formatted(
                        text(CellUtil.cloneFamily(cell)),
                        text(CellUtil.cloneQualifier(cell)),
                        cell.getTimestamp(),
                        cell.getType(),
                        text(CellUtil.cloneValue(cell)));
    }

    /** With its bytes: many filters do not say what they were made of. */
    private static String of(@Nullable Filter filter) {
        try {
            return filter == null ? "none" : filter + " " + text(filter.toByteArray());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Bytes as text, whatever they are. */
    static String text(byte @Nullable [] bytes) {
        if (bytes == null) {
            return "none";
        }
        StringBuilder out = new StringBuilder();
        for (char c : new String(bytes, StandardCharsets.ISO_8859_1).toCharArray()) {
            out.append(c >= ' ' && c < 127 ? String.valueOf(c) : String.format("\\x%02x", (int) c));
        }
        return out.toString();
    }
}
