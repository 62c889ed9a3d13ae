package io.polytable.redis.model.set;

import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.table.Bytes;
import java.util.List;

/**
 * The forms in which Redis would keep a set. One that became less compact does not go back, so the header remembers it in a
 * byte of its own fields; without that byte the members tell. The numbers are on disk: never changed, never reused.
 */
public enum SetForm {
    /** Maybe nothing but integers. */
    BY_MEMBERS(0),
    /** Something else than integers was added. */
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

    /** The header after the members were added, so many of which are new. */
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
