package io.polytable.entity.wire;

import io.polytable.entity.filter.ColumnFilter;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellPlace;
import io.polytable.entity.store.CellTimes;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.Partition;
import io.polytable.entity.store.RowQuery;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.ValueMode;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Encodes queries. */
public final class QueryCodec {
    private static final int DEPTH_MAX = 32;

    private static final int RANGE = 1;
    private static final int MATCHES = 2;
    private static final int AND = 3;
    private static final int OR = 4;
    private static final int NOT = 5;

    private QueryCodec() {}

    public static void write(BytesWriter out, RowQuery query) {
        out.varint(query.columns().size());
        query.columns().forEach(column -> write(out, column));
    }

    public static RowQuery rowQuery(BytesReader in) {
        int count = in.count();
        List<ColumnQuery> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(columnQuery(in));
        }
        return new RowQuery(columns);
    }

    private static void write(BytesWriter out, ColumnQuery query) {
        out.text(query.groupId()).text(query.familyId());
        out.u8(query.qualifiers().isPresent() ? 1 : 0);
        query.qualifiers().ifPresent(names -> {
            out.varint(names.size());
            names.forEach(out::text);
        });
        out.varint(query.times().min()).varint(query.times().max());
        out.varint(query.maxVersions()).varint(query.limit());
        out.u8(number(query.values()));
        out.u8(query.filter().isPresent() ? 1 : 0);
        query.filter().ifPresent(filter -> write(out, filter));
        out.u8(query.after().isPresent() ? 1 : 0);
        query.after().ifPresent(place -> out.text(place.qualifier()).zigzag(place.timestamp()));
    }

    private static int number(ValueMode values) {
        return switch (values) {
            case FULL -> 0;
            case NONE -> 1;
            case SIZE -> 2;
        };
    }

    private static ValueMode values(int number) {
        return switch (number) {
            case 0 -> ValueMode.FULL;
            case 1 -> ValueMode.NONE;
            case 2 -> ValueMode.SIZE;
            default -> throw Words.malformed();
        };
    }

    private static ColumnQuery columnQuery(BytesReader in) {
        String group = in.text();
        String family = in.text();
        Optional<NavigableSet<String>> qualifiers = Optional.empty();
        if (in.u8() == 1) {
            NavigableSet<String> names = new TreeSet<>();
            int count = in.count();
            for (int i = 0; i < count; i++) {
                names.add(in.text());
            }
            qualifiers = Optional.of(names);
        }
        CellTimes times = new CellTimes(in.varint(), in.varint());
        int versions = Words.positive(in.varint());
        int limit = Words.positive(in.varint());
        ValueMode values = values(in.u8());
        Optional<ColumnFilter> filter = in.u8() == 1 ? Optional.of(filter(in, 0)) : Optional.empty();
        Optional<CellPlace> after =
                in.u8() == 1 ? Optional.of(new CellPlace(in.text(), in.zigzag())) : Optional.empty();
        return new ColumnQuery(group, family, qualifiers, times, versions, filter, values, limit, after);
    }

    private static void write(BytesWriter out, ColumnFilter filter) {
        if (filter instanceof ColumnFilter.Range range) {
            out.u8(RANGE);
            bound(out, range.min(), range.minIncluded());
            bound(out, range.max(), range.maxIncluded());
        } else if (filter instanceof ColumnFilter.Matches matches) {
            out.u8(MATCHES)
                    .text(matches.pattern().pattern())
                    .varint(matches.pattern().flags());
        } else if (filter instanceof ColumnFilter.And and) {
            write(out.u8(AND), and.filters());
        } else if (filter instanceof ColumnFilter.Or or) {
            write(out.u8(OR), or.filters());
        } else if (filter instanceof ColumnFilter.Not not) {
            write(out.u8(NOT), not.filter());
        }
    }

    private static void write(BytesWriter out, List<ColumnFilter> filters) {
        out.varint(filters.size());
        filters.forEach(filter -> write(out, filter));
    }

    private static void bound(BytesWriter out, Optional<String> bound, boolean included) {
        out.u8(bound.isEmpty() ? 0 : included ? 2 : 1);
        bound.ifPresent(out::text);
    }

    private static ColumnFilter filter(BytesReader in, int depth) {
        if (depth > DEPTH_MAX) {
            throw new EntityException(
                    EntityError.TOO_LARGE, "A filter is nested too deeply", Map.of("depthMax", DEPTH_MAX));
        }
        int kind = in.u8();
        return switch (kind) {
            case RANGE -> range(in);
            case MATCHES -> matches(in.text(), Words.flags(in.varint()));
            case AND -> new ColumnFilter.And(filters(in, depth));
            case OR -> new ColumnFilter.Or(filters(in, depth));
            case NOT -> new ColumnFilter.Not(filter(in, depth + 1));
            default -> throw Words.malformed();
        };
    }

    private static List<ColumnFilter> filters(BytesReader in, int depth) {
        int count = in.count();
        List<ColumnFilter> filters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            filters.add(filter(in, depth + 1));
        }
        return filters;
    }

    private static ColumnFilter range(BytesReader in) {
        int min = in.u8();
        Optional<String> from = min == 0 ? Optional.empty() : Optional.of(in.text());
        int max = in.u8();
        Optional<String> to = max == 0 ? Optional.empty() : Optional.of(in.text());
        return new ColumnFilter.Range(from, min == 2, to, max == 2);
    }

    private static ColumnFilter matches(String regex, int flags) {
        try {
            return new ColumnFilter.Matches(Pattern.compile(regex, flags));
        } catch (PatternSyntaxException e) {
            throw new EntityException(EntityError.BAD_REQUEST, "Not a regular expression", Map.of("text", regex), e);
        }
    }

    public static void write(BytesWriter out, ScanQuery query) {
        write(out, query.range());
        out.u8(query.partition().isPresent() ? 1 : 0);
        query.partition().ifPresent(partition -> write(out, partition));
        out.u8(query.after().isPresent() ? 1 : 0);
        query.after().ifPresent(out::sized);
        write(out, query.query());
    }

    public static ScanQuery scanQuery(BytesReader in) {
        EntityRange range = keyRange(in);
        Optional<Partition> partition = in.u8() == 1 ? Optional.of(partition(in)) : Optional.empty();
        Optional<Bytes> after = in.u8() == 1 ? Optional.of(in.sized().copy()) : Optional.empty();
        return new ScanQuery(range, partition, rowQuery(in), after);
    }

    private static void write(BytesWriter out, EntityRange range) {
        out.sized(range.from()).sized(range.to());
    }

    private static EntityRange keyRange(BytesReader in) {
        return new EntityRange(in.sized().copy(), in.sized().copy());
    }

    public static void write(BytesWriter out, Partition partition) {
        write(out, partition.range());
        out.text(partition.token());
    }

    public static Partition partition(BytesReader in) {
        return new Partition(keyRange(in), in.text());
    }
}
