package io.polytable.redis.model.view;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.list.ListElements;
import io.polytable.redis.model.list.ListShape;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.KeyedHash;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.row.Segments;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Limits;
import io.polytable.table.Reader;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over all live elements of all keys, which can also be positioned at one; a string is one element with an empty
 * sub-key.
 */
final class LiveElements implements AutoCloseable {
    private final RedisTables tables;
    private final Reader reader;
    private final LiveKeys keys;
    private @Nullable Cursor rows;
    private ElementKind kind = ElementKind.HASH_FIELD;
    private long index;
    private final Optional<Bytes> onlySub;
    private Optional<ListElements> lists = Optional.empty();
    private final ByteSlice sub = new ByteSlice();
    private final ByteSlice text = new ByteSlice();

    /** @param onlySub the only sub-key that is wanted; others may be shown nevertheless */
    LiveElements(RedisTables tables, Reader reader, LiveKeys keys, Optional<Bytes> onlySub) {
        this.tables = tables;
        this.reader = reader;
        this.keys = keys;
        this.onlySub = onlySub;
    }

    boolean next() {
        while (!nextOfKey()) {
            if (!keys.next()) {
                return false;
            }
            if (keys.header().type() == Type.STRING) {
                sub.set(Bytes.EMPTY);
                text.set(string(keys.header()));
                return true;
            }
            open((CollectionHeader) keys.header());
        }
        return true;
    }

    /** Positions at an element; false if it does not exist. */
    boolean seek(int database, Bytes key, Bytes wanted) {
        if (!keys.seek(database, key)) {
            return false;
        }
        Header header = keys.header();
        Optional<Bytes> found = header.type() == Type.STRING
                ? Optional.of(wanted).filter(Bytes::isEmpty).map(only -> string(header))
                : element((CollectionHeader) header, wanted);
        sub.set(wanted);
        found.ifPresent(text::set);
        return found.isPresent();
    }

    private Optional<Bytes> element(CollectionHeader header, Bytes wanted) {
        return switch (header.type()) {
            case LIST -> {
                OptionalLong position = Numbers.parseLong(wanted);
                yield position.isEmpty() ? Optional.empty() : lists().at(header, position.getAsLong());
            }
            case HASH, SET, ZSET ->
                reader.read(
                        tables.elements(header.home()),
                        Layout.hashOrderedElement(
                                header.id(),
                                ElementKind.counted(header.type()).orElseThrow(),
                                tables.keyedHash().of(wanted),
                                wanted));
            // Streams have tables of their own.
            case STREAM, STRING -> Optional.empty();
        };
    }

    private ListElements lists() {
        ListElements opened = lists.orElseGet(() -> new ListElements(tables, reader));
        lists = Optional.of(opened);
        return opened;
    }

    private Bytes string(Header header) {
        return header instanceof StringHeader whole ? whole.value() : joined((CollectionHeader) header);
    }

    private Bytes joined(CollectionHeader string) {
        if (isTooLong()) {
            return Bytes.EMPTY;
        }
        Segments segments = new Segments(reader, tables.elements(string.home()), string.id());
        return Bytes.of(segments.read(0, (int) string.size()));
    }

    /** Whether the value is a string too long for the heap: a bitmap may be far longer than what is set in it. */
    boolean isTooLong() {
        return keys.header() instanceof CollectionHeader string
                && string.type() == Type.STRING
                && string.size() > Limits.STRING_BYTES_MAX;
    }

    private void open(CollectionHeader header) {
        // Streams have tables of their own.
        if (header.type() == Type.STREAM) {
            return;
        }
        ElementKind.counted(header.type()).ifPresent(counted -> {
            kind = counted;
            index = 0;
            rows = reader.scan(tables.elements(header.home()), range(header, counted));
        });
    }

    private KeyRange range(CollectionHeader header, ElementKind counted) {
        if (counted == ElementKind.LIST_ELEMENT) {
            return ListShape.elements(header);
        }
        return onlySub.filter(unused -> counted.hashOrdered())
                .map(only -> Layout.justElement(
                        header.id(), counted, tables.keyedHash().of(only), only))
                .orElseGet(() -> Layout.elements(header.id(), counted));
    }

    private boolean nextOfKey() {
        Cursor cursor = rows;
        if (cursor == null) {
            return false;
        }
        if (!cursor.next()) {
            cursor.close();
            rows = null;
            return false;
        }
        // A list element's position in its table means nothing to readers; its index does.
        if (kind == ElementKind.LIST_ELEMENT) {
            sub.set(Bytes.of(Long.toString(index).getBytes(US_ASCII)));
        } else {
            ByteSlice row = cursor.keySlice();
            int prefix = kind.hashOrdered() ? Layout.ELEMENT_PREFIX + KeyedHash.BYTES : Layout.ELEMENT_PREFIX;
            sub.set(row.array(), row.offset() + prefix, row.length() - prefix);
        }
        index++;
        return true;
    }

    LiveKeys key() {
        return keys;
    }

    /** Valid until the next step. */
    ByteSlice sub() {
        return sub;
    }

    /**
     * The value as Redis returns it; for a member of a set or sorted set the member itself. Valid until the next step.
     */
    ByteSlice value() {
        Type type = keys.header().type();
        return type == Type.SET || type == Type.ZSET ? sub : stored();
    }

    private ByteSlice stored() {
        Cursor cursor = rows;
        return cursor == null ? text : cursor.valueSlice();
    }

    /** The score of a sorted set's member. */
    double score() {
        ByteSlice row = stored();
        return SortKeys.score(BigEndian.longAt(Bytes.of(row.array(), row.offset(), row.length()), 0));
    }

    @Override
    public void close() {
        Cursor cursor = rows;
        if (cursor != null) {
            cursor.close();
        }
        keys.close();
    }
}
