package io.polytable.redis.model.view;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.list.ListElements;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.row.Segments;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.column.Value;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Builds the rows that the projection writes. */
final class ShownRows {
    /** Larger collections have no list of sub-keys: it is rewritten whenever an element changes. */
    private static final long LISTED_MAX = 1000;

    /** The same for long sub-keys. */
    private static final int LISTED_CHARS_MAX = 1 << 20;

    private static final Value ABSENT = new Value.Absent();

    private final RedisTables tables;
    private final Reader reader;
    private final Databases databases;
    private final ListElements lists;

    // The header read last: rows of one key are asked for one after the other.
    private int seenDatabase = -1;
    private Bytes seenKey = Bytes.EMPTY;
    private Optional<Header> seen = Optional.empty();

    private record Row(Value value, Value score) {
        Row(Bytes value, Value score) {
            this(new Value.OfBytes(value), score);
        }
    }

    ShownRows(RedisTables tables, Reader reader) {
        this.tables = tables;
        this.reader = reader;
        this.databases = tables.databases(reader);
        this.lists = new ListElements(tables, reader);
    }

    /** The only row of a string has an empty sub-key. */
    Optional<List<Value>> data(int database, Bytes key, Bytes sub) {
        return header(database, key)
                .flatMap(header -> element(header, sub)
                        .map(row -> List.of(
                                new Value.OfBytes(key),
                                new Value.OfBytes(sub),
                                new Value.OfString(header.type().text()),
                                row.score(),
                                row.value(),
                                header.hasDeadline() ? new Value.OfBigint(header.expireAt()) : ABSENT,
                                new Value.OfInt(database))));
    }

    Optional<List<Value>> member(int database, Bytes key, Bytes member) {
        return header(database, key)
                .filter(header -> header.type() == Type.ZSET)
                .flatMap(header -> element(header, member))
                .map(row -> List.of(
                        new Value.OfBytes(key), new Value.OfBytes(member), row.score(), new Value.OfInt(database)));
    }

    Optional<List<Value>> subKeys(int database, Bytes key) {
        return header(database, key)
                .filter(header -> shownKind(header.type()).isPresent())
                .map(header -> List.of(
                        new Value.OfBytes(key),
                        SubKeyRows.subKeys(tables, reader, (CollectionHeader) header, LISTED_MAX, LISTED_CHARS_MAX),
                        new Value.OfInt(database)));
    }

    /** The kind of a collection's rows that are shown one to one. */
    static Optional<ElementKind> shownKind(Type type) {
        return switch (type) {
            case HASH -> Optional.of(ElementKind.HASH_FIELD);
            case ZSET -> Optional.of(ElementKind.ZSET_MEMBER);
            case SET -> Optional.of(ElementKind.SET_MEMBER);
            case LIST -> Optional.of(ElementKind.LIST_ELEMENT);
            // Streams have tables of their own.
            case STRING, STREAM -> Optional.empty();
        };
    }

    private Optional<Header> header(int database, Bytes key) {
        if (seenDatabase != database || !seenKey.equals(key)) {
            seen = tables.header(reader, databases.physical(database), key);
            seenDatabase = database;
            seenKey = key;
        }
        return seen;
    }

    private Optional<Row> element(Header header, Bytes sub) {
        if (header instanceof StringHeader string) {
            return sub.isEmpty() ? Optional.of(new Row(string.value(), ABSENT)) : Optional.empty();
        }
        if (header.type() == Type.STRING) {
            return sub.isEmpty() ? Optional.of(new Row(joined((CollectionHeader) header), ABSENT)) : Optional.empty();
        }
        return shownKind(header.type()).flatMap(kind -> element((CollectionHeader) header, kind, sub));
    }

    /** A bitmap may be far longer than what is set in it; one too long for the heap is shown without its value. */
    private Value joined(CollectionHeader string) {
        if (string.size() > Limits.STRING_BYTES_MAX) {
            return ABSENT;
        }
        Segments segments = new Segments(reader, tables.elements(string.home()), string.id());
        return new Value.OfBytes(Bytes.of(segments.read(0, (int) string.size())));
    }

    private Optional<Row> element(CollectionHeader header, ElementKind kind, Bytes sub) {
        if (kind == ElementKind.LIST_ELEMENT) {
            OptionalLong index = Numbers.parseLong(sub);
            return index.isEmpty()
                    ? Optional.empty()
                    : lists.at(header, index.getAsLong()).map(value -> new Row(value, ABSENT));
        }
        RowKey row =
                Layout.hashOrderedElement(header.id(), kind, tables.keyedHash().of(sub), sub);
        return reader.read(tables.elements(header.home()), row).map(value -> shown(header.type(), sub, value));
    }

    private static Row shown(Type type, Bytes sub, Bytes value) {
        return switch (type) {
            case ZSET -> new Row(sub, new Value.OfDouble(SortKeys.score(BigEndian.longAt(value, 0))));
            case SET -> new Row(sub, ABSENT);
            case HASH, STRING, LIST, STREAM -> new Row(value, ABSENT);
        };
    }
}
