package io.polytable.redis.model.set;

import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.table.Bytes;
import java.util.List;

/**
 * The encodings that Redis would use for a set. A set does not return to a more compact encoding, so a byte in the
 * header's own fields remembers it; without that byte the members tell. The numbers are on disk: never change or reuse
 * one.
 */
public enum SetForm {
    /** Integers only, or not known to be anything else. */
    BY_MEMBERS(0),
    /** Something other than an integer was added. */
    LISTPACK(1),
    /** It had too many members, or a long one. */
    TABLE(2);

    private static final int INTEGER_DIGITS_MAX = 20;

    private final int tag;

    SetForm(int tag) {
        this.tag = tag;
    }

    public static SetForm of(CollectionHeader set) {
        if (set.fields().isEmpty()) {
            return BY_MEMBERS;
        }
        return set.fields().at(0) == LISTPACK.tag ? LISTPACK : TABLE;
    }

    /** The header after the members were added, {@code added} of which are new. */
    static CollectionHeader grown(CollectionHeader set, long added, List<Bytes> members, PackingLimits limits) {
        CollectionHeader next = set.withSize(set.size() + added);
        SetForm form = of(set);
        SetForm then = form == TABLE ? TABLE : form.with(next.size(), members, limits);
        return then == form ? next : next.withFields(Bytes.of(new byte[] {(byte) then.tag}));
    }

    private SetForm with(long size, List<Bytes> members, PackingLimits limits) {
        boolean onlyIntegers = this == BY_MEMBERS;
        boolean tooLong = false;
        for (int i = 0; i < members.size(); i++) {
            Bytes member = members.get(i);
            onlyIntegers = onlyIntegers && isInteger(member);
            tooLong |= limits.set().isTooLong(member);
        }
        long most = Math.max(size, members.size());
        if (onlyIntegers) {
            return most > limits.integers() ? TABLE : BY_MEMBERS;
        }
        return tooLong || most > limits.set().elements() ? TABLE : LISTPACK;
    }

    /** Whether the member spells an integer. */
    public static boolean isInteger(Bytes member) {
        return member.length() <= INTEGER_DIGITS_MAX
                && Numbers.parseLong(member).isPresent();
    }
}
