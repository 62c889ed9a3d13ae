package io.polytable.redis.model.dump;

import io.polytable.redis.model.dump.DumpFormat.Version;
import io.polytable.redis.model.introspection.Encodings;
import io.polytable.redis.model.introspection.Encodings.Encoding;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.list.ListShape;
import io.polytable.redis.model.number.DoubleText;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.order.OrderRows;
import io.polytable.redis.model.order.Ordering;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.packing.IntSet;
import io.polytable.redis.model.packing.Listpack;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.InsertionOrder;
import io.polytable.redis.model.row.Segments;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.redis.model.stream.StreamTransfer;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Writes values in Redis' format, each in the encoding that Redis would use for it. Packed collections are small. Others
 * are written row by row, so that a stream of them takes no more memory than one element.
 */
public final class ValueWriter {
    /** Whole scores up to here are packed as integers. */
    private static final double WHOLE_MAX = 0x1p62;

    /** A piece of a long string. */
    private static final int PIECE_BYTES = 1 << 16;

    private final Encodings encodings = new Encodings();
    private final StreamTransfer streams = new StreamTransfer();

    /** Writes the type and the value of the header's key. */
    public void write(Space space, Header header, DumpFormat format, ValueOutput out) {
        if (header instanceof StringHeader string) {
            out.type(ValueType.STRING).string(string.value());
            return;
        }
        CollectionHeader collection = (CollectionHeader) header;
        switch (header.type()) {
            case STRING -> writeSegments(space, collection, out.type(ValueType.STRING));
            case LIST -> writeList(space, collection, format, out);
            case SET -> writeSet(space, collection, format, out);
            case ZSET -> writeSortedSet(space, collection, format, out);
            case HASH -> writeHash(space, collection, format, out);
            case STREAM -> {
                ValueType type = format.version() == Version.OF_7_0 ? ValueType.STREAM_2 : ValueType.STREAM_3;
                streams.walk(space, collection, new StreamWriter(out.type(type), type, () -> pause(space, out)));
            }
        }
    }

    private static void writeSegments(Space space, CollectionHeader string, ValueOutput out) {
        Segments segments = space.segments(string);
        if (!out.isStream()) {
            // One string, which may be compressed; whoever asks for it as a payload has space for it.
            space.keep(string.size());
            out.string(Bytes.of(segments.read(0, (int) string.size())));
            return;
        }
        out.length(string.size());
        for (long at = 0; at < string.size(); at += PIECE_BYTES) {
            out.raw(Bytes.of(segments.read(at, (int) Math.min(PIECE_BYTES, string.size() - at))));
            pause(space, out);
        }
    }

    /** Between elements of a stream nothing that was read is kept. */
    private static void pause(Space space, ValueOutput out) {
        if (out.isStream()) {
            out.pause();
            space.unit().forgetReads(0);
        }
    }

    private void writeList(Space space, CollectionHeader list, DumpFormat format, ValueOutput out) {
        boolean isSingle = encodings.of(space, list, format.packing()) == Encoding.LISTPACK;
        if (out.isStream() && !isSingle) {
            // The number of nodes would need to be known before them; Redis reads the older form as well.
            out.type(ValueType.LIST).length(list.size());
            walkList(space, list, element -> out.string(element), out);
            return;
        }
        ListNodes nodes = new ListNodes(format.packing(), isSingle);
        walkList(space, list, nodes::add, out);
        nodes.write(out.type(ValueType.LIST_QUICKLIST_2));
    }

    private static void walkList(Space space, CollectionHeader list, Consumer<Bytes> viewer, ValueOutput out) {
        Table table = space.unit().tables().elements(list.home());
        try (Cursor rows =
                space.unit().writes().scan(table, ListShape.elements(list), Direction.FORWARD, list.size())) {
            while (rows.next()) {
                viewer.accept(rows.value());
                pause(space, out);
            }
        }
    }

    private void writeSet(Space space, CollectionHeader set, DumpFormat format, ValueOutput out) {
        Encoding encoding = encodings.of(space, set, format.packing());
        if (encoding == Encoding.INTSET) {
            List<Long> integers = new ArrayList<>();
            walk(
                    space,
                    set,
                    ElementKind.SET_MEMBER,
                    (member, value) -> integers.add(Numbers.parseLong(member).orElseThrow()),
                    out);
            long[] ascending =
                    integers.stream().mapToLong(Long::longValue).sorted().toArray();
            out.type(ValueType.SET_INTSET).string(IntSet.write(ascending));
        } else if (encoding == Encoding.LISTPACK && format.version() != Version.OF_7_0) {
            Listpack packed = new Listpack();
            walk(space, set, ElementKind.SET_MEMBER, (member, value) -> packed.add(member), out);
            out.type(ValueType.SET_LISTPACK).string(packed.toBytes());
        } else {
            out.type(ValueType.SET).length(set.size());
            walk(space, set, ElementKind.SET_MEMBER, (member, value) -> out.string(member), out);
        }
    }

    private void writeHash(Space space, CollectionHeader hash, DumpFormat format, ValueOutput out) {
        if (encodings.of(space, hash, format.packing()) == Encoding.LISTPACK) {
            Listpack packed = new Listpack();
            walk(
                    space,
                    hash,
                    ElementKind.HASH_FIELD,
                    (field, value) -> packed.add(field).add(value),
                    out);
            out.type(ValueType.HASH_LISTPACK).string(packed.toBytes());
        } else {
            out.type(ValueType.HASH).length(hash.size());
            walk(
                    space,
                    hash,
                    ElementKind.HASH_FIELD,
                    (field, value) -> out.string(field).string(value),
                    out);
        }
    }

    private static void walk(
            Space space, CollectionHeader owner, ElementKind kind, BiConsumer<Bytes, Bytes> viewer, ValueOutput out) {
        InsertionOrder.forEach(owner, space.elements(owner, kind), (sub, value) -> {
            viewer.accept(sub, value);
            pause(space, out);
        });
    }

    /** Packed sets are written in ascending order, others as in Redis from the highest down. */
    private void writeSortedSet(Space space, CollectionHeader set, DumpFormat format, ValueOutput out) {
        if (encodings.of(space, set, format.packing()) == Encoding.LISTPACK) {
            Listpack packed = new Listpack();
            walkOrder(
                    space,
                    set,
                    Direction.FORWARD,
                    (member, score) -> addScore(packed.add(member), score, format.version()),
                    out);
            out.type(ValueType.ZSET_LISTPACK).string(packed.toBytes());
        } else {
            out.type(ValueType.ZSET).length(set.size());
            walkOrder(
                    space,
                    set,
                    Direction.REVERSE,
                    (member, score) -> out.string(member).binaryDouble(score),
                    out);
        }
    }

    private static void walkOrder(
            Space space, CollectionHeader set, Direction direction, BiConsumer<Bytes, Double> viewer, ValueOutput out) {
        OrderRows order = new OrderRows(space.unit().tables().elements(set.home()), set.id(), Ordering.SCORES);
        try (Cursor rows = order.scan(space.unit().writes(), SortKeys.START, SortKeys.END, direction, Long.MAX_VALUE)) {
            while (rows.next()) {
                Bytes place = OrderRows.placeOf(rows.key());
                viewer.accept(SortKeys.member(place), OrderRows.scoreOf(place, rows.value()));
                pause(space, out);
            }
        }
    }

    private static void addScore(Listpack packed, double score, Version version) {
        if (Math.abs(score) <= WHOLE_MAX && (long) score == score) {
            packed.add((long) score);
        } else {
            packed.add(Bytes.utf8(
                    version == Version.OF_7_0 ? DoubleText.seventeenDigits(score) : DoubleText.shortest(score)));
        }
    }
}
