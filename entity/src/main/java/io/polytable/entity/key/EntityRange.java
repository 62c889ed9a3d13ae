package io.polytable.entity.key;

import io.polytable.table.Bytes;

/** Row keys from {@code from} (inclusive) to {@code to} (exclusive); an empty {@code to} is unbounded. */
public record EntityRange(Bytes from, Bytes to) {
    public static final EntityRange ALL = new EntityRange(Bytes.EMPTY, Bytes.EMPTY);

    private static final Bytes ZERO = Bytes.of(new byte[] {0});

    public static EntityRange prefix(Bytes prefix) {
        return new EntityRange(prefix, prefix.successorOfPrefix());
    }

    public static EntityRange only(Bytes rowKey) {
        return new EntityRange(rowKey, rowKey.concat(ZERO));
    }

    public static EntityRange from(EntityId first) {
        return new EntityRange(first.rowKey(), Bytes.EMPTY);
    }

    /** From the first entity to before the last one. */
    public static EntityRange between(EntityId first, EntityId end) {
        return new EntityRange(first.rowKey(), end.rowKey());
    }

    public boolean contains(Bytes rowKey) {
        return rowKey.compareTo(from) >= 0 && (to.isEmpty() || rowKey.compareTo(to) < 0);
    }

    public boolean isEmpty() {
        return !to.isEmpty() && from.compareTo(to) >= 0;
    }

    public EntityRange intersection(EntityRange other) {
        Bytes start = from.compareTo(other.from) >= 0 ? from : other.from;
        Bytes end = to.isEmpty() ? other.to : other.to.isEmpty() || to.compareTo(other.to) <= 0 ? to : other.to;
        return new EntityRange(start, end);
    }
}
