package io.polytable.entity.hbase;

import io.polytable.entity.filter.ColumnFilter;
import io.polytable.entity.store.ColumnQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;

/**
 * Translates a query of a family into server-side filters. They return all requested cells, and possibly a few more.
 */
final class PushedFilters {
    /** Within comments a closing bracket of ours would be one. */
    private static final Pattern INLINE_COMMENTS = Pattern.compile("\\(\\?[a-zA-Z]*x");

    private PushedFilters() {}

    /** For a read with a single query: the server seeks to the family's columns and stops after them. */
    static Filter seeking(ColumnQuery query) {
        byte[] from = Names.prefix(query.familyId());
        boolean included = true;
        if (query.after().isPresent()) {
            from = Names.qualifier(query.familyId(), query.after().get().qualifier());
            included = query.after().get().timestamp() != RowReads.BEHIND_COLUMN;
        }
        List<Filter> all = new ArrayList<>();
        all.add(new ColumnRangeFilter(from, included, Names.prefixEnd(query.familyId()), false));
        query.filter().ifPresent(filter -> all.add(of(query.familyId(), filter, false)));
        return all.size() == 1 ? all.get(0) : new FilterList(FilterList.Operator.MUST_PASS_ALL, all);
    }

    /** For one of several queries: decides on each column without seeking. */
    static Filter deciding(ColumnQuery query) {
        List<Filter> all = new ArrayList<>();
        all.add(new QualifierFilter(CompareOperator.EQUAL, new BinaryPrefixComparator(Names.prefix(query.familyId()))));
        query.filter().ifPresent(filter -> all.add(of(query.familyId(), filter, false)));
        return all.size() == 1 ? all.get(0) : new FilterList(FilterList.Operator.MUST_PASS_ALL, all);
    }

    /** Whether the server evaluates the filter exactly, and not only a wider one. */
    static boolean isExact(ColumnFilter filter) {
        if (filter instanceof ColumnFilter.Not not) {
            return isExact(not.filter());
        }
        if (filter instanceof ColumnFilter.And and) {
            return !and.filters().isEmpty() && and.filters().stream().allMatch(PushedFilters::isExact);
        }
        if (filter instanceof ColumnFilter.Or or) {
            return !or.filters().isEmpty() && or.filters().stream().allMatch(PushedFilters::isExact);
        }
        if (filter instanceof ColumnFilter.Matches matches) {
            return !hasOddSyntax(matches.pattern());
        }
        ColumnFilter.Range range = (ColumnFilter.Range) filter;
        return range.min().isPresent() || range.max().isPresent();
    }

    /** HBase has no negation of filters, so a negation is pushed down to the comparisons. */
    private static Filter of(String familyId, ColumnFilter filter, boolean negated) {
        if (filter instanceof ColumnFilter.Not not) {
            return of(familyId, not.filter(), !negated);
        }
        if (filter instanceof ColumnFilter.And and) {
            return list(familyId, and.filters(), negated, true);
        }
        if (filter instanceof ColumnFilter.Or or) {
            return list(familyId, or.filters(), negated, false);
        }
        if (filter instanceof ColumnFilter.Matches matches) {
            return matches(familyId, matches.pattern(), negated);
        }
        return range(familyId, (ColumnFilter.Range) filter, negated);
    }

    private static Filter list(String familyId, List<ColumnFilter> filters, boolean negated, boolean all) {
        FilterList.Operator operator =
                all != negated ? FilterList.Operator.MUST_PASS_ALL : FilterList.Operator.MUST_PASS_ONE;
        List<Filter> pushed = new ArrayList<>();
        filters.forEach(filter -> pushed.add(of(familyId, filter, negated)));
        if (pushed.isEmpty()) {
            // An empty filter list of HBase accepts everything; the result is cut afterwards anyway.
            return everything();
        }
        return new FilterList(operator, pushed);
    }

    private static Filter everything() {
        return new QualifierFilter(CompareOperator.GREATER_OR_EQUAL, new BinaryComparator(new byte[0]));
    }

    private static Filter matches(String familyId, Pattern pattern, boolean negated) {
        if (hasOddSyntax(pattern)) {
            return everything();
        }
        // HBase searches for a match anywhere in the qualifier, which starts with the family's id. Inline flags end
        // with their group.
        String whole = "\\A" + Pattern.quote(familyId + ":") + flags(pattern) + "(?:" + pattern.pattern() + ")\\z";
        RegexStringComparator comparator = new RegexStringComparator(whole, 0);
        comparator.setCharset(StandardCharsets.UTF_8);
        return new QualifierFilter(negated ? CompareOperator.NOT_EQUAL : CompareOperator.EQUAL, comparator);
    }

    private static boolean hasOddSyntax(Pattern pattern) {
        return (pattern.flags() & (Pattern.LITERAL | Pattern.COMMENTS | Pattern.CANON_EQ)) != 0
                || INLINE_COMMENTS.matcher(pattern.pattern()).find();
    }

    private static String flags(Pattern pattern) {
        StringBuilder letters = new StringBuilder();
        addFlag(letters, pattern, Pattern.CASE_INSENSITIVE, 'i');
        addFlag(letters, pattern, Pattern.MULTILINE, 'm');
        addFlag(letters, pattern, Pattern.DOTALL, 's');
        addFlag(letters, pattern, Pattern.UNICODE_CASE, 'u');
        addFlag(letters, pattern, Pattern.UNIX_LINES, 'd');
        addFlag(letters, pattern, Pattern.UNICODE_CHARACTER_CLASS, 'U');
        return letters.isEmpty() ? "" : "(?" + letters + ")";
    }

    private static void addFlag(StringBuilder letters, Pattern pattern, int flag, char letter) {
        if ((pattern.flags() & flag) != 0) {
            letters.append(letter);
        }
    }

    private static Filter range(String familyId, ColumnFilter.Range range, boolean negated) {
        List<Filter> bounds = new ArrayList<>();
        bound(familyId, range.min(), range.minIncluded(), negated, CompareOperator.GREATER)
                .ifPresent(bounds::add);
        bound(familyId, range.max(), range.maxIncluded(), negated, CompareOperator.LESS)
                .ifPresent(bounds::add);
        if (bounds.isEmpty()) {
            return everything();
        }
        FilterList.Operator operator = negated ? FilterList.Operator.MUST_PASS_ONE : FilterList.Operator.MUST_PASS_ALL;
        return new FilterList(operator, bounds);
    }

    private static Optional<Filter> bound(
            String familyId, Optional<String> bound, boolean included, boolean negated, CompareOperator side) {
        boolean above = (side == CompareOperator.GREATER) != negated;
        boolean equal = included != negated;
        CompareOperator operator;
        if (above) {
            operator = equal ? CompareOperator.GREATER_OR_EQUAL : CompareOperator.GREATER;
        } else {
            operator = equal ? CompareOperator.LESS_OR_EQUAL : CompareOperator.LESS;
        }
        return bound.map(name -> new QualifierFilter(operator, new BinaryComparator(Names.qualifier(familyId, name))));
    }
}
