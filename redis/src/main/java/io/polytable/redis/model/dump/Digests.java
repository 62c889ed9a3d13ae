package io.polytable.redis.model.dump;

import io.polytable.redis.model.keyspace.KeyWalk;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.list.ListShape;
import io.polytable.redis.model.number.DoubleText;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.stream.StreamTransfer;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.zset.ElementRange;
import io.polytable.redis.model.zset.Selection;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Redis' digests of values and of the whole data set (DEBUG DIGEST): equal where the data is. */
public final class Digests {
    private static final int BYTES = 20;
    private static final Bytes EXPIRES = Bytes.utf8("!!expire!!");
    private static final int PAGE = 1000;

    private final SortedSets sortedSets = new SortedSets();
    private final StreamTransfer streams = new StreamTransfer();
    private final KeyWalk walk = new KeyWalk();
    private final MessageDigest sha1;

    public Digests() {
        try {
            sha1 = MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A digest under construction: either in an order, or of parts without one. */
    private final class Sum {
        private final byte[] bytes = new byte[BYTES];

        /** Adds a part of a set: the order does not matter. */
        Sum xor(Bytes part) {
            sha1.update(part.array(), part.offset(), part.length());
            byte[] hash = sha1.digest();
            for (int i = 0; i < BYTES; i++) {
                bytes[i] ^= hash[i];
            }
            return this;
        }

        Sum xor(Sum part) {
            return xor(Bytes.of(part.bytes));
        }

        /** Adds a part of a sequence. */
        Sum mix(Bytes part) {
            xor(part);
            sha1.update(bytes);
            System.arraycopy(sha1.digest(), 0, bytes, 0, BYTES);
            return this;
        }

        Sum mix(int number) {
            return mix(
                    Bytes.of(ByteBuffer.allocate(Integer.BYTES).putInt(number).array()));
        }

        String hex() {
            return HexFormat.of().formatHex(bytes);
        }
    }

    /** Of all databases. */
    public String ofEverything(UnitOfWork unit, int databases) {
        Sum all = new Sum();
        for (int i = 0; i < databases; i++) {
            Space space = unit.space(i);
            if (space.size() == 0) {
                continue;
            }
            all.mix(i);
            long cursor = 0;
            do {
                var page = walk.step(space, cursor, PAGE, (key, header) -> true);
                page.keys().forEach(key -> {
                    Sum one = new Sum().mix(key);
                    addValue(space, key, one);
                    all.xor(one);
                });
                cursor = page.cursor();
            } while (cursor != 0);
        }
        return all.hex();
    }

    /** Of one value; all zeros when the key is absent. */
    public String of(Space space, Bytes key) {
        Sum sum = new Sum();
        addValue(space, key, sum);
        return sum.hex();
    }

    private void addValue(Space space, Bytes key, Sum sum) {
        Header header = space.peek(key).orElse(null);
        if (header == null) {
            return;
        }
        switch (header.type()) {
            case STRING -> sum.mix(0).mix(space.string(key).orElse(Bytes.EMPTY));
            case LIST -> addList(space, (CollectionHeader) header, sum.mix(1));
            case SET -> addSet(space, (CollectionHeader) header, sum.mix(2));
            case ZSET -> addSortedSet(space, key, sum.mix(3));
            case HASH -> addHash(space, (CollectionHeader) header, sum.mix(4));
            case STREAM -> {
                sum.mix(6);
                streams.eachEntry(space, (CollectionHeader) header, entry -> addEntry(entry, sum));
            }
        }
        if (header.hasDeadline()) {
            sum.xor(EXPIRES);
        }
    }

    private void addList(Space space, CollectionHeader list, Sum sum) {
        try (Cursor rows = space.unit()
                .writes()
                .scan(
                        space.unit().tables().elements(list.home()),
                        ListShape.elements(list),
                        Direction.FORWARD,
                        list.size())) {
            while (rows.next()) {
                sum.mix(rows.value());
            }
        }
    }

    private void addSet(Space space, CollectionHeader set, Sum sum) {
        Elements members = space.elements(set, ElementKind.SET_MEMBER);
        try (Cursor rows = members.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (rows.next()) {
                sum.xor(members.sub(rows));
            }
        }
    }

    private void addHash(Space space, CollectionHeader hash, Sum sum) {
        Elements fields = space.elements(hash, ElementKind.HASH_FIELD);
        try (Cursor rows = fields.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (rows.next()) {
                sum.xor(new Sum().mix(fields.sub(rows)).mix(rows.value()));
            }
        }
    }

    private void addSortedSet(Space space, Bytes key, Sum sum) {
        sortedSets
                .select(space, key, Selection.all(new ElementRange.Ranks(0, -1), Direction.FORWARD))
                .forEach(element -> sum.xor(
                        new Sum().mix(element.member()).mix(Bytes.utf8(DoubleText.seventeenDigits(element.score())))));
    }

    private void addEntry(StreamEntry entry, Sum sum) {
        sum.mix(Bytes.utf8(Long.toUnsignedString(entry.id().millis()) + "."
                + Long.toUnsignedString(entry.id().sequence())));
        entry.fields().forEach(sum::mix);
    }
}
