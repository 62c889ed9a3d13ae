package io.polytable.table.codec;

import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.WriteBuffers;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.SortOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A {@link TableSpec} as bytes, for an engine's catalog. The layout is in docs/formats/rows.md; the first byte is the
 * format's version, so that a spec from newer code is refused rather than misread.
 */
public final class SpecCodec {
    public static final int VERSION = 1;

    private static final int COMPRESSION = 1;
    private static final int BLOOM = 2;
    private static final int MEMORY = 4;
    private static final int TTL = 8;
    private static final int PREFIXED = 16;
    private static final int BUFFERS = 32;

    private SpecCodec() {}

    public static Bytes encode(TableSpec spec) {
        BytesWriter out = new BytesWriter(256);
        out.u8(VERSION);
        out.text(spec.name().namespace());
        out.text(spec.name().name());
        out.u8(spec.kind().tag());
        out.varint(spec.columns().size());
        for (Column column : spec.columns()) {
            out.text(column.name()).u8(column.type().tag());
        }
        encodeKey(out, spec, spec.partitionKey());
        encodeKey(out, spec, spec.sortKey());
        encodeOptions(out, spec.options());
        return out.toBytes();
    }

    private static void encodeKey(BytesWriter out, TableSpec spec, List<KeyColumn> key) {
        out.varint(key.size());
        for (KeyColumn column : key) {
            out.varint(spec.indexOf(column.column()));
            out.u8(column.order() == SortOrder.ASCENDING ? 0 : 1);
        }
    }

    private static void encodeOptions(BytesWriter out, TableOptions options) {
        out.u8((options.compression() ? COMPRESSION : 0)
                | (options.bloom() ? BLOOM : 0)
                | (options.memory() ? MEMORY : 0)
                | (options.ttl().isPresent() ? TTL : 0)
                | (options.prefixed() ? PREFIXED : 0)
                | (options.buffers().isPresent() ? BUFFERS : 0));
        options.ttl().ifPresent(ttl -> out.i64(ttl.getSeconds()).i32(ttl.getNano()));
        options.buffers().ifPresent(buffers -> out.i64(buffers.memtableBytes()).i64(buffers.totalBytes()));
    }

    /**
     * Decodes a spec.
     *
     * @throws StoreException {@link StoreError#NEWER_FORMAT} if newer code wrote it, {@link StoreError#CORRUPT} if it
     *     is invalid
     */
    public static TableSpec decode(Bytes bytes) {
        BytesReader in = new BytesReader(bytes);
        requireKnown(in.u8());
        try {
            TableSpec spec = decodeBody(in);
            in.end();
            return spec;
        } catch (StoreException e) {
            throw e.error() == StoreError.BAD_SPEC
                    ? new StoreException(StoreError.CORRUPT, "A table's spec breaks the rules", Map.of(), e)
                    : e;
        }
    }

    private static void requireKnown(int version) {
        if (version > VERSION) {
            throw new StoreException(
                    StoreError.NEWER_FORMAT,
                    "A table's spec was written by newer code",
                    Map.of("version", version, "known", VERSION));
        }
        if (version != VERSION) {
            throw new StoreException(StoreError.CORRUPT, "Not a table's spec", Map.of("version", version));
        }
    }

    private static TableSpec decodeBody(BytesReader in) {
        TableName name = new TableName(in.text(), in.text());
        TableKind kind = kindOf(in);
        List<Column> columns = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            columns.add(new Column(in.text(), typeOf(in)));
        }
        List<KeyColumn> partitionKey = decodeKey(in, columns);
        List<KeyColumn> sortKey = decodeKey(in, columns);
        return new TableSpec(name, kind, columns, partitionKey, sortKey, decodeOptions(in));
    }

    private static TableKind kindOf(BytesReader in) {
        int tag = in.u8();
        for (TableKind kind : TableKind.values()) {
            if (kind.tag() == tag) {
                return kind;
            }
        }
        throw in.corrupt("Unknown kind of table");
    }

    private static ColumnType typeOf(BytesReader in) {
        int tag = in.u8();
        for (ColumnType type : ColumnType.values()) {
            if (type.tag() == tag) {
                return type;
            }
        }
        throw in.corrupt("Unknown type of column");
    }

    private static List<KeyColumn> decodeKey(BytesReader in, List<Column> columns) {
        List<KeyColumn> key = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            long index = in.varint();
            int order = in.u8();
            if (index < 0 || index >= columns.size() || order > 1) {
                throw in.corrupt("Not a key column");
            }
            String column = columns.get((int) index).name();
            key.add(order == 0 ? KeyColumn.ascending(column) : KeyColumn.descending(column));
        }
        return key;
    }

    private static TableOptions decodeOptions(BytesReader in) {
        int flags = in.u8();
        if (flags > (COMPRESSION | BLOOM | MEMORY | TTL | PREFIXED | BUFFERS)) {
            throw in.corrupt("Unknown options");
        }
        Optional<Duration> ttl = (flags & TTL) == 0 ? Optional.empty() : Optional.of(decodeTtl(in));
        Optional<WriteBuffers> buffers = (flags & BUFFERS) == 0 ? Optional.empty() : Optional.of(decodeBuffers(in));
        return new TableOptions(
                ttl,
                (flags & COMPRESSION) != 0,
                (flags & BLOOM) != 0,
                (flags & MEMORY) != 0,
                (flags & PREFIXED) != 0,
                buffers);
    }

    private static WriteBuffers decodeBuffers(BytesReader in) {
        try {
            return new WriteBuffers(in.i64(), in.i64());
        } catch (IllegalArgumentException outOfBounds) {
            throw in.corrupt("Not sizes of write buffers");
        }
    }

    private static Duration decodeTtl(BytesReader in) {
        long seconds = in.i64();
        int nanos = in.i32();
        if (seconds < 0 || nanos < 0 || nanos > 999_999_999) {
            throw in.corrupt("Not a duration");
        }
        return Duration.ofSeconds(seconds, nanos);
    }
}
