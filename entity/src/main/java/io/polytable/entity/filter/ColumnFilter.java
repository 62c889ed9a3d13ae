package io.polytable.entity.filter;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Selects cells of a family by qualifier. A cell that does not match does not count as a version. */
public sealed interface ColumnFilter {
    boolean accepts(String qualifier);

    /** Qualifiers between two bounds, each inclusive or not; an absent bound is unbounded. */
    record Range(Optional<String> min, boolean minIncluded, Optional<String> max, boolean maxIncluded)
            implements ColumnFilter {
        /** From {@code min}, included, to {@code max}, not included. */
        public static Range of(String min, String max) {
            return new Range(Optional.of(min), true, Optional.of(max), false);
        }

        @Override
        public boolean accepts(String qualifier) {
            int low = min.map(bound -> Qualifiers.compare(qualifier, bound)).orElse(1);
            int high = max.map(bound -> Qualifiers.compare(qualifier, bound)).orElse(-1);
            return (low > 0 || (low == 0 && minIncluded)) && (high < 0 || (high == 0 && maxIncluded));
        }
    }

    /** Qualifiers that match a regular expression as a whole. */
    record Matches(Pattern pattern) implements ColumnFilter {
        public static Matches of(String regex) {
            try {
                return new Matches(Pattern.compile(regex));
            } catch (PatternSyntaxException e) {
                throw new EntityException(
                        EntityError.BAD_REQUEST, "Not a regular expression", Map.of("text", regex), e);
            }
        }

        @Override
        public boolean accepts(String qualifier) {
            return pattern.matcher(qualifier).matches();
        }
    }

    record And(List<ColumnFilter> filters) implements ColumnFilter {
        public And {
            filters = List.copyOf(filters);
        }

        @Override
        public boolean accepts(String qualifier) {
            return filters.stream().allMatch(filter -> filter.accepts(qualifier));
        }
    }

    record Or(List<ColumnFilter> filters) implements ColumnFilter {
        public Or {
            filters = List.copyOf(filters);
        }

        @Override
        public boolean accepts(String qualifier) {
            return filters.stream().anyMatch(filter -> filter.accepts(qualifier));
        }
    }

    record Not(ColumnFilter filter) implements ColumnFilter {
        @Override
        public boolean accepts(String qualifier) {
            return !filter.accepts(qualifier);
        }
    }
}
