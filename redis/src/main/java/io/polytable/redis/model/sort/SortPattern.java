package io.polytable.redis.model.sort;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import java.util.Optional;

/** A pattern of BY or GET: the element itself, or a string or a hash's field whose key is made from the element. */
public sealed interface SortPattern {
    /** The element itself. */
    record Self() implements SortPattern {
        @Override
        public Optional<Bytes> value(Space space, Bytes element) {
            return Optional.of(element);
        }
    }

    /** A pattern without an asterisk: the same for all elements, so Redis treats it as absent. */
    record Constant() implements SortPattern {
        @Override
        public Optional<Bytes> value(Space space, Bytes element) {
            return Optional.empty();
        }
    }

    /** The element between two texts is a key; with a field, that of a hash. */
    record OfKey(Bytes prefix, Bytes suffix, Optional<Bytes> field) implements SortPattern {
        @Override
        public Optional<Bytes> value(Space space, Bytes element) {
            // No key is so long; looking it up would be refused.
            if ((long) prefix.length() + element.length() + suffix.length() > Layout.REDIS_KEY_BYTES_MAX) {
                return Optional.empty();
            }
            Bytes key = prefix.concat(element).concat(suffix);
            Optional<Header> header = space.header(key);
            if (header.isEmpty()) {
                space.missed(key);
                return Optional.empty();
            }
            if (field.isEmpty()) {
                return header.get().type() == Type.STRING ? space.string(key) : Optional.empty();
            }
            return header.get().type() == Type.HASH && header.get() instanceof CollectionHeader hash
                    ? space.elements(hash, ElementKind.HASH_FIELD).get(field.get())
                    : Optional.empty();
        }
    }

    /** The value that the element leads to; absent when there is no such key or field, or it has another type. */
    Optional<Bytes> value(Space space, Bytes element);

    /** Parses as C does: what makes it a pattern must come before a zero byte. */
    static SortPattern parse(Bytes word) {
        int end = indexOf(word, 0, word.length(), (byte) 0);
        int textEnd = end < 0 ? word.length() : end;
        if (textEnd == 1 && word.at(0) == '#') {
            return new Self();
        }
        int star = indexOf(word, 0, textEnd, (byte) '*');
        if (star < 0) {
            return new Constant();
        }
        int arrow = arrow(word, star + 1, textEnd);
        boolean hasField = arrow >= 0 && arrow + 2 < textEnd;
        return new OfKey(
                word.slice(0, star),
                word.slice(star + 1, hasField ? arrow : word.length()),
                hasField ? Optional.of(word.from(arrow + 2)) : Optional.empty());
    }

    private static int indexOf(Bytes word, int from, int to, byte wanted) {
        for (int i = from; i < to; i++) {
            if (word.at(i) == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int arrow(Bytes word, int from, int to) {
        for (int i = from; i + 1 < to; i++) {
            if (word.at(i) == '-' && word.at(i + 1) == '>') {
                return i;
            }
        }
        return -1;
    }
}
