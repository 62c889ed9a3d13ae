package io.polytable.hbase.convert;

import io.polytable.cells.Cell;
import io.polytable.cells.TimeRange;
import io.polytable.cells.request.Condition;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.Selection;
import io.polytable.hbase.rpc.CallFailure;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;

/** Converts the condition of a checkAndMutate. */
public final class Conditions {
    /** Comparators that take time linear in the value's length; a regular expression may take arbitrarily long. */
    private static final Set<String> BRIEF_COMPARATORS = Set.of(
            BinaryComparator.class.getName(),
            BinaryPrefixComparator.class.getName(),
            LongComparator.class.getName(),
            NullComparator.class.getName());

    private Conditions() {}

    /** Whether the condition, if any, is fast to evaluate. A filter may read a whole row. */
    public static boolean isBrief(ClientProtos.Condition condition) {
        return !condition.hasFilter()
                && (!condition.hasComparator()
                        || BRIEF_COMPARATORS.contains(condition.getComparator().getName()));
    }

    public static Condition of(ClientProtos.Condition condition) throws IOException {
        TimeRange times = condition.hasTimeRange() ? HBaseTypes.times(condition.getTimeRange()) : TimeRange.ALL;
        Bytes family = HBaseTypes.bytes(condition.getFamily());
        Bytes qualifier = HBaseTypes.bytes(condition.getQualifier());
        if (condition.hasFilter()) {
            Selection selection = Selection.ALL.withTimes(times);
            if (condition.hasFamily()) {
                selection = selection.with(family, FamilySelection.of(List.of(qualifier)));
            }
            return new Condition.Selects(selection.withFilter(HBaseFilter.of(condition.getFilter(), false)));
        }
        ByteArrayComparable comparator = comparator(condition.getComparator());
        CompareOperator operator =
                CompareOperator.valueOf(condition.getCompareType().name());
        return new Condition.Matches(family, qualifier, times, cell -> matches(operator, comparator, cell));
    }

    private static ByteArrayComparable comparator(ComparatorProtos.Comparator proto) throws DoNotRetryIOException {
        try {
            return ProtobufUtil.toComparator(proto);
        } catch (IOException | RuntimeException | LinkageError unknown) {
            throw new DoNotRetryIOException(
                    "The comparator " + proto.getName() + " is not one of HBase's own, or cannot be read: " + unknown);
        }
    }

    /**
     * HBase compares the given value with the stored one, in this order. For an empty given value it tests whether
     * there is no stored value, whatever the operator; only NOT_EQUAL inverts that.
     */
    private static boolean matches(CompareOperator operator, ByteArrayComparable comparator, Optional<Cell> stored) {
        byte[] given = comparator.getValue();
        if (given == null || given.length == 0) {
            boolean none = stored.isEmpty() || stored.get().value().isEmpty();
            return none == (operator != CompareOperator.NOT_EQUAL);
        }
        if (stored.isEmpty()) {
            return false;
        }
        Bytes value = stored.get().value();
        int order = CallFailure.of(() -> comparator.compareTo(value.array(), value.offset(), value.length()));
        return switch (operator) {
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case GREATER_OR_EQUAL -> order >= 0;
            case GREATER -> order > 0;
            case NO_OP -> throw new IllegalArgumentException("A condition without an operator");
        };
    }
}
