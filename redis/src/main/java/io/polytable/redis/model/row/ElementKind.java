package io.polytable.redis.model.row;

import io.polytable.redis.model.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The kinds of element rows. The tags are on disk: never change or reuse one.
 *
 * <p>The rows of a hash-ordered kind are sorted by a {@link KeyedHash} of the sub-key, not by the sub-key itself. For
 * types without an order, this gives what Redis promises: a SCAN cursor is a position in hash order, a plain number
 * that needs no state in the server, and a seek to a random hash finds a random element.
 */
public enum ElementKind {
    HASH_FIELD(1, Type.HASH, true),
    ZSET_MEMBER(2, Type.ZSET, true),
    ZSET_ORDER(3, Type.ZSET, false),
    ZSET_FENCE(4, Type.ZSET, false),
    SET_MEMBER(5, Type.SET, true),
    LIST_ELEMENT(6, Type.LIST, false),
    LIST_FENCE(7, Type.LIST, false),
    STRING_SEGMENT(8, Type.STRING, false),
    STREAM_ENTRY(16, Type.STREAM, false),
    STREAM_NODE(17, Type.STREAM, false),
    STREAM_GROUP(18, Type.STREAM, false),
    STREAM_CONSUMER(19, Type.STREAM, false),
    STREAM_PENDING(20, Type.STREAM, false),
    STREAM_OWNED(21, Type.STREAM, false);

    private final int tag;
    private final Type type;
    private final boolean hashOrdered;

    ElementKind(int tag, Type type, boolean hashOrdered) {
        this.tag = tag;
        this.type = type;
        this.hashOrdered = hashOrdered;
    }

    public int tag() {
        return tag;
    }

    public Type type() {
        return type;
    }

    /** The kinds of rows that collections of the type have. */
    public static List<ElementKind> of(Type type) {
        return Arrays.stream(values()).filter(kind -> kind.type == type).toList();
    }

    public boolean isOf(Type wanted) {
        return type == wanted;
    }

    /** The kind with one row per element that a client counts. */
    public static Optional<ElementKind> counted(Type type) {
        return switch (type) {
            case HASH -> Optional.of(HASH_FIELD);
            case ZSET -> Optional.of(ZSET_MEMBER);
            case SET -> Optional.of(SET_MEMBER);
            case LIST -> Optional.of(LIST_ELEMENT);
            case STREAM -> Optional.of(STREAM_ENTRY);
            case STRING -> Optional.empty();
        };
    }

    public boolean hashOrdered() {
        return hashOrdered;
    }
}
