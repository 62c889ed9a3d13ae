package io.polytable.hbase.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/** Replaces HBase's filters that fail on some rows by corrected ones, at any nesting depth. */
final class FilterReplacements {
    private FilterReplacements() {}

    static Filter of(Filter filter, boolean reversed) throws IOException {
        if (filter instanceof PrefixFilter prefix && prefix.getPrefix() != null) {
            return new SafePrefixFilter(prefix);
        }
        if (reversed && filter instanceof FuzzyRowFilter fuzzy) {
            return ReverseFuzzyRowFilter.of(fuzzy);
        }
        if (filter instanceof FilterList list) {
            List<Filter> parts = new ArrayList<>();
            for (Filter part : list.getFilters()) {
                parts.add(of(part, reversed));
            }
            return new FilterList(list.getOperator(), parts);
        }
        if (filter instanceof SkipFilter skip) {
            return new SkipFilter(of(skip.getFilter(), reversed));
        }
        return filter instanceof WhileMatchFilter whileMatch
                ? new WhileMatchFilter(of(whileMatch.getFilter(), reversed))
                : filter;
    }
}
