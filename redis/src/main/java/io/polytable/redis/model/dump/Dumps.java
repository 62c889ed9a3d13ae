package io.polytable.redis.model.dump;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.dump.DumpFormat.Version;
import io.polytable.redis.model.introspection.Encodings;
import io.polytable.redis.model.introspection.Encodings.Encoding;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.list.ListShape;
import io.polytable.redis.model.number.DoubleText;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.packing.IntSet;
import io.polytable.redis.model.packing.Listpack;
import io.polytable.redis.model.packing.PackedTooLarge;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.stream.StreamTransfer;
import io.polytable.redis.model.zset.ElementRange;
import io.polytable.redis.model.zset.Selection;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** DUMP: writes values, each in the encoding that Redis would use for it. */
public final class Dumps {
    /** Whole scores up to here are packed as integers. */
    private static final double WHOLE_MAX = 0x1p62;

    private final Encodings encodings = new Encodings();
    private final SortedSets sortedSets = new SortedSets();
    private final StreamTransfer streams = new StreamTransfer();

    /**
     * The key's value with version and checksum; empty when the key is absent.
     *
     * @throws RedisError when it would be longer than any string
     */
    public Optional<Bytes> dump(Space space, Bytes key, DumpFormat format) {
        Optional<Header> header = space.header(key);
        if (header.isEmpty()) {
            return Optional.empty();
        }
        ValueOutput out = new ValueOutput(format.compresses());
        try {
            write(space, key, header.get(), format, out);
            return Optional.of(Payload.seal(out.bytes(), format.version()));
        } catch (PackedTooLarge tooLarge) {
            throw new RedisError(RedisError.Code.OOM, "the value is larger than what DUMP may answer");
        }
    }

    private void write(Space space, Bytes key, Header header, DumpFormat format, ValueOutput out) {
        switch (header.type()) {
            case STRING -> out.type(ValueType.STRING).string(space.string(key).orElse(Bytes.EMPTY));
            case LIST -> writeList(space, (CollectionHeader) header, format, out);
            case SET -> writeSet(space, (CollectionHeader) header, format, out);
            case ZSET -> writeSortedSet(space, key, (CollectionHeader) header, format, out);
            case HASH -> writeHash(space, (CollectionHeader) header, format, out);
            case STREAM -> {
                ValueType type = format.version() == Version.OF_7_0 ? ValueType.STREAM_2 : ValueType.STREAM_3;
                out.type(type);
                streams.read(space, key).ifPresent(new StreamWriter(out, type)::write);
            }
        }
    }

    private void writeList(Space space, CollectionHeader list, DumpFormat format, ValueOutput out) {
        ListNodes nodes =
                new ListNodes(format.packing(), encodings.of(space, list, format.packing()) == Encoding.LISTPACK);
        try (Cursor rows = space.unit()
                .writes()
                .scan(
                        space.unit().tables().elements(list.home()),
                        ListShape.elements(list),
                        Direction.FORWARD,
                        list.size())) {
            while (rows.next()) {
                nodes.add(rows.value());
            }
        }
        nodes.write(out.type(ValueType.LIST_QUICKLIST_2));
    }

    private void writeSet(Space space, CollectionHeader set, DumpFormat format, ValueOutput out) {
        Encoding encoding = encodings.of(space, set, format.packing());
        if (encoding == Encoding.INTSET) {
            List<Long> integers = new ArrayList<>();
            walk(
                    space,
                    set,
                    ElementKind.SET_MEMBER,
                    (member, value) -> integers.add(Numbers.parseLong(member).orElseThrow()));
            long[] ascending =
                    integers.stream().mapToLong(Long::longValue).sorted().toArray();
            out.type(ValueType.SET_INTSET).string(IntSet.write(ascending));
        } else if (encoding == Encoding.LISTPACK && format.version() != Version.OF_7_0) {
            Listpack packed = new Listpack();
            walk(space, set, ElementKind.SET_MEMBER, (member, value) -> packed.add(member));
            out.type(ValueType.SET_LISTPACK).string(packed.toBytes());
        } else {
            out.type(ValueType.SET).length(set.size());
            walk(space, set, ElementKind.SET_MEMBER, (member, value) -> out.string(member));
        }
    }

    private void writeHash(Space space, CollectionHeader hash, DumpFormat format, ValueOutput out) {
        if (encodings.of(space, hash, format.packing()) == Encoding.LISTPACK) {
            Listpack packed = new Listpack();
            walk(
                    space,
                    hash,
                    ElementKind.HASH_FIELD,
                    (field, value) -> packed.add(field).add(value));
            out.type(ValueType.HASH_LISTPACK).string(packed.toBytes());
        } else {
            out.type(ValueType.HASH).length(hash.size());
            walk(
                    space,
                    hash,
                    ElementKind.HASH_FIELD,
                    (field, value) -> out.string(field).string(value));
        }
    }

    private static void walk(Space space, CollectionHeader owner, ElementKind kind, BiConsumer<Bytes, Bytes> viewer) {
        Elements elements = space.elements(owner, kind);
        try (Cursor rows = elements.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (rows.next()) {
                viewer.accept(elements.sub(rows), rows.value());
            }
        }
    }

    /** Packed sets are written in ascending order, others as in Redis from the highest down. */
    private void writeSortedSet(Space space, Bytes key, CollectionHeader set, DumpFormat format, ValueOutput out) {
        boolean packs = encodings.of(space, set, format.packing()) == Encoding.LISTPACK;
        Direction direction = packs ? Direction.FORWARD : Direction.REVERSE;
        List<Element> elements = sortedSets.select(space, key, Selection.all(new ElementRange.Ranks(0, -1), direction));
        if (!packs) {
            out.type(ValueType.ZSET).length(elements.size());
            elements.forEach(element -> out.string(element.member()).binaryDouble(element.score()));
            return;
        }
        Listpack packed = new Listpack();
        for (Element element : elements) {
            packed.add(element.member());
            addScore(packed, element.score(), format.version());
        }
        out.type(ValueType.ZSET_LISTPACK).string(packed.toBytes());
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
