package io.polytable.hbase.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FirstKeyValueMatchingQualifiersFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Any filter that HBase ships, alone, inside of another, or in a list. */
@SuppressWarnings("deprecation") // Filters that old programs still send.
final class Filters {
    private static final int KINDS = 25;
    private static final CompareOperator[] OPERATORS = {
        CompareOperator.LESS,
        CompareOperator.LESS_OR_EQUAL,
        CompareOperator.EQUAL,
        CompareOperator.NOT_EQUAL,
        CompareOperator.GREATER_OR_EQUAL,
        CompareOperator.GREATER
    };

    private final Dice dice;
    private final Schema schema;

    /** Whether the filter being drawn is for a reversed scan. */
    private boolean backwards;

    Filters(Dice dice, Schema schema) {
        this.dice = dice;
        this.schema = schema;
    }

    Function<Rows, Filter> any() {
        return any(false);
    }

    /** Neither inside of another nor in a list. */
    Function<Rows, Filter> single() {
        backwards = false;
        return any(0);
    }

    Function<Rows, Filter> any(boolean reversed) {
        backwards = reversed;
        return any(2);
    }

    private Function<Rows, Filter> any(int depth) {
        if (depth > 0 && dice.percent(30)) {
            return composed(depth - 1);
        }
        int kind = dice.below(KINDS);
        if (kind < 6) {
            return ofRows(kind);
        }
        return kind < 15 ? ofColumns(kind) : ofValues(kind);
    }

    private Function<Rows, Filter> composed(int depth) {
        Function<Rows, Filter> one = any(depth);
        return switch (dice.below(5)) {
            case 0 -> rows -> new SkipFilter(one.apply(rows));
            case 1 -> rows -> new WhileMatchFilter(one.apply(rows));
            default -> list(one, depth);
        };
    }

    private Function<Rows, Filter> list(Function<Rows, Filter> one, int depth) {
        List<Function<Rows, Filter>> all = new ArrayList<>(List.of(one));
        for (int more = dice.between(0, 2); more > 0; more--) {
            all.add(any(depth));
        }
        FilterList.Operator operator = dice.pick(FilterList.Operator.values());
        return rows -> {
            List<Filter> made = new ArrayList<>();
            all.forEach(filter -> made.add(filter.apply(rows)));
            return new FilterList(operator, made);
        };
    }

    private Function<Rows, Filter> ofRows(int kind) {
        String name = dice.pick(Rows.NAMES);
        CompareOperator operator = dice.pick(OPERATORS);
        return switch (kind) {
            case 0 -> rows -> new RowFilter(operator, new BinaryComparator(rows.of(name)));
            case 1 -> rows -> new PrefixFilter(rows.of(name));
            case 2 -> rows -> new InclusiveStopFilter(rows.of(name));
            case 3 -> backwards ? ranges() : fuzzy();
            case 4 -> ranges();
            default -> rows -> new RowFilter(operator, new RegexStringComparator(rows.prefix() + "[a-c]$"));
        };
    }

    /** The last byte, or none, may be anything. Going backwards, HBase's class can look for a row forever. */
    private Function<Rows, Filter> fuzzy() {
        String name = dice.pick(Rows.NAMES);
        boolean any = dice.percent(50);
        return rows -> {
            byte[] key = rows.of(name);
            byte[] mask = new byte[key.length];
            if (any) {
                mask[key.length - 1] = 1;
            }
            return new FuzzyRowFilter(List.of(new Pair<>(key, mask)));
        };
    }

    private Function<Rows, Filter> ranges() {
        String one = dice.pick(Rows.NAMES);
        String other = dice.pick(Rows.NAMES);
        boolean swapped = one.compareTo(other) > 0;
        String low = swapped ? other : one;
        String high = swapped ? one : other;
        boolean second = dice.percent(40);
        return rows -> {
            List<MultiRowRangeFilter.RowRange> all = new ArrayList<>();
            all.add(new MultiRowRangeFilter.RowRange(rows.of(low), true, rows.of(high), true));
            if (second) {
                all.add(new MultiRowRangeFilter.RowRange(rows.of("d"), true, rows.of("e"), false));
            }
            return new MultiRowRangeFilter(all);
        };
    }

    private byte[] family() {
        return Bytes.toBytes(dice.pick(Schema.FAMILY_NAMES));
    }

    private byte[] qualifier() {
        return Bytes.toBytes(dice.pick(Schema.QUALIFIERS));
    }

    private Function<Rows, Filter> ofColumns(int kind) {
        CompareOperator operator = dice.pick(OPERATORS);
        byte[] qualifier = qualifier();
        byte[] other = qualifier();
        int count = dice.between(1, 4);
        int offset = dice.below(4);
        byte[] family = family();
        boolean flag = dice.percent(50);
        return switch (kind) {
            case 6 -> rows -> new FamilyFilter(operator, new BinaryComparator(family));
            case 7 -> rows -> new QualifierFilter(operator, new BinaryComparator(qualifier));
            case 8 -> rows -> new ColumnCountGetFilter(count);
            case 9 -> rows -> new ColumnPaginationFilter(count, offset);
            case 10 -> rows -> new ColumnPaginationFilter(count, qualifier);
            case 11 -> rows -> new ColumnPrefixFilter(qualifier);
            case 12 -> rows -> new MultipleColumnPrefixFilter(new byte[][] {qualifier, other});
            case 13 ->
                rows -> new ColumnRangeFilter(
                        flag ? qualifier : null, offset % 2 == 0, count > 2 ? other : null, !flag);
            default -> rows -> new FirstKeyValueMatchingQualifiersFilter(names(qualifier, other));
        };
    }

    private static Set<byte[]> names(byte[] one, byte[] other) {
        Set<byte[]> names = new TreeSet<>(Bytes.BYTES_COMPARATOR);
        names.add(one);
        names.add(other);
        return names;
    }

    private Function<Rows, Filter> ofValues(int kind) {
        CompareOperator operator = dice.pick(OPERATORS);
        ByteArrayComparable comparator = comparator();
        byte[] family = family();
        byte[] qualifier = qualifier();
        boolean one = dice.percent(50);
        boolean two = dice.percent(50);
        int count = dice.between(1, 3);
        return switch (kind) {
            case 15, 16 -> rows -> new ValueFilter(operator, comparator);
            case 17 -> rows -> single(new SingleColumnValueFilter(family, qualifier, operator, comparator), one, two);
            case 18 ->
                rows -> single(new SingleColumnValueExcludeFilter(family, qualifier, operator, comparator), one, two);
            case 19 -> rows -> new ColumnValueFilter(family, qualifier, operator, comparator);
            case 20 -> rows -> new DependentColumnFilter(family, qualifier, one, operator, comparator);
            case 21 -> rows -> one ? new FirstKeyOnlyFilter() : new KeyOnlyFilter(two);
            case 22 -> rows -> new PageFilter(count);
            case 23 -> rows -> new RandomRowFilter(one ? 2 : -1);
            default -> timestamps(one);
        };
    }

    private static Filter single(SingleColumnValueFilter filter, boolean ifMissing, boolean latestOnly) {
        filter.setFilterIfMissing(ifMissing);
        filter.setLatestVersionOnly(latestOnly);
        return filter;
    }

    private Function<Rows, Filter> timestamps(boolean canHint) {
        List<Long> times = new ArrayList<>();
        for (int count = dice.between(1, 6); count > 0; count--) {
            times.add(schema.time(dice.between(1, Schema.TICKS)));
        }
        return rows -> new TimestampsFilter(times, canHint);
    }

    /** Those that read any value; others fail on what is not of their kind. */
    private ByteArrayComparable comparator() {
        long number = dice.below(10);
        return switch (dice.below(8)) {
            case 0 -> new BinaryComparator(Bytes.toBytes(number));
            case 1 -> new BinaryPrefixComparator(Bytes.toBytes("v"));
            case 2 -> new SubstringComparator("v" + number % 5);
            case 3 -> new RegexStringComparator("^[vw][0-3]?$");
            case 4 -> new BitComparator(Bytes.toBytes(number), dice.pick(BitComparator.BitwiseOp.values()));
            case 5 -> new NullComparator();
            case 6 -> new BinaryComparator(Bytes.toBytes("v1"));
            default -> new BinaryComparator(Bytes.toBytes("w"));
        };
    }
}
