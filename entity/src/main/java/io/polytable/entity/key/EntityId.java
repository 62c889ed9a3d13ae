package io.polytable.entity.key;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entity's name and the row key derived from it. Ids are equal if their row keys are, and ordered by them.
 *
 * <p>Components are the parts of a formatted key (String, Integer, Long, null), or a single String or byte array for
 * the other formats. A hashed id that was read from a store has no components.
 */
public final class EntityId implements Comparable<EntityId> {
    private final Bytes rowKey;
    private final List<@Nullable Object> components;

    EntityId(Bytes rowKey, List<? extends @Nullable Object> components) {
        this.rowKey = rowKey;
        this.components = Collections.unmodifiableList(new ArrayList<@Nullable Object>(components));
    }

    public Bytes rowKey() {
        return rowKey;
    }

    /** Empty if the key contains only a hash of them. */
    public List<@Nullable Object> components() {
        return components;
    }

    public @Nullable Object component(int index) {
        return components.get(index);
    }

    @Override
    public int compareTo(EntityId other) {
        return rowKey.compareTo(other.rowKey);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EntityId id && id.rowKey.equals(rowKey);
    }

    @Override
    public int hashCode() {
        return rowKey.hashCode();
    }

    /** The text form; see {@link EntityIdText}. */
    @Override
    public String toString() {
        return EntityIdText.of(this);
    }
}
