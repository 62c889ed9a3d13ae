package io.polytable.redis.model.set;

import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.InsertionOrder;
import io.polytable.redis.model.row.RingRow;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The encodings that Redis would use for a set, each with its order of members: integers ascending, then as added. A set
 * does not return to a more compact encoding, so the header's own fields remember it; an empty one lets the members
 * tell.
 */
public enum SetForm {
    /** Integers only, or not known to be anything else. */
    BY_MEMBERS,
    /** Something other than an integer was added. */
    LISTPACK,
    /** It had too many members, or a long one. */
    TABLE;

    /** Of earlier versions, which kept no {@link InsertionOrder}. On disk: never reuse it. */
    private static final byte LISTPACK_TAG = 1;

    private static final byte TABLE_TAG = 2;

    private static final int INTEGER_DIGITS_MAX = 20;

    public static SetForm of(CollectionHeader set) {
        if (set.fields().isEmpty()) {
            return BY_MEMBERS;
        }
        return InsertionOrder.isKept(set) || set.fields().at(0) == LISTPACK_TAG ? LISTPACK : TABLE;
    }

    /** The header after the members were added to the rows, the {@code added} ones of which are new. */
    static CollectionHeader grown(
            CollectionHeader set, Elements rows, List<Bytes> added, List<Bytes> members, PackingLimits limits) {
        CollectionHeader next = set.withSize(set.size() + added.size());
        SetForm form = of(set);
        return switch (form == TABLE ? TABLE : form.with(next.size(), members, limits)) {
            case BY_MEMBERS -> next;
            case LISTPACK ->
                form == BY_MEMBERS
                        ? InsertionOrder.of(rows, arranged(all(set, rows, added)))
                                .in(next)
                        : InsertionOrder.of(set)
                                .map(order -> order.plus(rows, added).in(next))
                                .orElse(next);
            case TABLE -> next.withFields(Bytes.of(new byte[] {TABLE_TAG}));
        };
    }

    /** The header of a new set with the members in this order. */
    static CollectionHeader stored(CollectionHeader set, Elements rows, List<Bytes> members, PackingLimits limits) {
        CollectionHeader next = set.withSize(members.size());
        return switch (BY_MEMBERS.with(members.size(), members, limits)) {
            case BY_MEMBERS -> next;
            case LISTPACK -> InsertionOrder.of(rows, members).in(next);
            case TABLE -> next.withFields(Bytes.of(new byte[] {TABLE_TAG}));
        };
    }

    /** The members of a set that had no order until now, with the added ones last. */
    private static List<Bytes> all(CollectionHeader before, Elements rows, List<Bytes> added) {
        if (before.size() == 0) {
            return added;
        }
        List<Bytes> all = InsertionOrder.rows(before, rows).stream()
                .map(RingRow::sub)
                .filter(Predicate.not(Set.copyOf(added)::contains))
                .collect(Collectors.toCollection(ArrayList::new));
        all.addAll(added);
        return all;
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

    /**
     * The order of a set to which these members are added one after the other: as long as all are integers they are
     * ascending.
     */
    public static List<Bytes> arranged(List<Bytes> members) {
        int integers = 0;
        while (integers < members.size() && isInteger(members.get(integers))) {
            integers++;
        }
        if (integers < 2) {
            return members;
        }
        List<Bytes> arranged = new ArrayList<>(members);
        arranged.subList(0, integers)
                .sort(Comparator.comparingLong(
                        member -> Numbers.parseLong(member).orElseThrow()));
        return arranged;
    }

    /** All members, in the order of the form. */
    static List<Bytes> members(CollectionHeader set, Elements rows) {
        List<Bytes> members =
                InsertionOrder.rows(set, rows).stream().map(RingRow::sub).toList();
        return of(set) == BY_MEMBERS ? arranged(members) : members;
    }

    /** Whether the member spells an integer. */
    public static boolean isInteger(Bytes member) {
        return member.length() <= INTEGER_DIGITS_MAX
                && Numbers.parseLong(member).isPresent();
    }
}
