package io.polytable.redis.model.set;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Elements;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The sets that a union, intersection or difference combines. An intersection walks the smallest set and looks its
 * members up in the others; a difference takes the one of two ways that touches fewer rows.
 */
public final class SetOperands {
    private static final Operand NOTHING = new Operand(Optional.empty(), Optional.empty());

    /** In the order of the keys; an absent key is an empty set. */
    private final List<Operand> operands;

    private final Space space;

    private SetOperands(Space space, List<Operand> operands) {
        this.space = space;
        this.operands = operands;
    }

    private record Operand(Optional<CollectionHeader> header, Optional<Elements> rows) {
        long size() {
            return header.map(CollectionHeader::size).orElse(0L);
        }

        boolean contains(Bytes member) {
            return rows.flatMap(present -> present.get(member)).isPresent();
        }

        /** Walks over the members while more are wanted; a caller that keeps one charges it. */
        void walk(Predicate<Bytes> wantsMore) {
            if (size() > 0 && Sets.isSmall(header.orElseThrow())) {
                boolean unusedAll = SetForm.members(header.get(), rows.orElseThrow()).stream()
                        .allMatch(wantsMore);
                return;
            }
            rows.ifPresent(present -> {
                try (Cursor cursor = present.scan(Direction.FORWARD, Long.MAX_VALUE)) {
                    while (cursor.next() && wantsMore.test(present.subUncharged(cursor))) {
                        // The test is the action.
                    }
                }
            });
        }
    }

    /**
     * Opens the sets of the keys, at least one.
     *
     * @throws RedisError WRONGTYPE when one holds something other than a set
     */
    public static SetOperands of(Space space, List<Bytes> keys) {
        List<Operand> operands = new ArrayList<>(keys.size());
        for (Bytes key : keys) {
            space.countNextLookup();
            Optional<CollectionHeader> header = Sets.header(space, key);
            if (header.isPresent()) {
                operands.add(new Operand(header, Optional.of(Sets.rows(space, header.get()))));
            } else {
                space.missed(key);
                operands.add(NOTHING);
            }
        }
        return new SetOperands(space, operands);
    }

    public List<Bytes> union() {
        Set<Bytes> seen = new HashSet<>();
        List<Bytes> union = new ArrayList<>();
        for (Operand operand : operands) {
            operand.walk(member -> {
                if (seen.add(member)) {
                    space.keep(member.length());
                    union.add(member);
                }
                return true;
            });
        }
        return SetForm.arranged(union);
    }

    public List<Bytes> intersection() {
        List<Bytes> common = new ArrayList<>();
        walkIntersection(member -> {
            space.keep(member.length());
            common.add(member);
            return true;
        });
        return common;
    }

    /** The size of the intersection, counted up to a limit; zero for no limit. */
    public long intersectionSize(long limit) {
        long[] count = {0};
        walkIntersection(member -> {
            count[0]++;
            return limit == 0 || count[0] < limit;
        });
        return count[0];
    }

    private void walkIntersection(Predicate<Bytes> wantsMore) {
        List<Operand> sorted = new ArrayList<>(operands);
        sorted.sort(Comparator.comparingLong(Operand::size));
        if (sorted.get(0).size() == 0) {
            return;
        }
        List<Operand> others = sorted.subList(1, sorted.size());
        sorted.get(0).walk(member -> {
            for (Operand other : others) {
                if (!other.contains(member)) {
                    return true;
                }
            }
            return wantsMore.test(member);
        });
    }

    /** The members of the first set that no other one has. */
    public List<Bytes> difference() {
        Operand first = operands.get(0);
        List<Operand> others = operands.subList(1, operands.size());
        boolean fewOthers = others.stream().mapToLong(Operand::size).sum() < first.size();
        // Few members are loaded at once; with many, each member of the first set is looked up.
        Set<Bytes> taken = fewOthers ? membersOf(others) : Set.of();
        List<Bytes> rest = new ArrayList<>();
        first.walk(member -> {
            if (fewOthers ? !taken.contains(member) : isInNone(others, member)) {
                space.keep(member.length());
                rest.add(member);
            }
            return true;
        });
        return SetForm.arranged(rest);
    }

    private Set<Bytes> membersOf(List<Operand> sets) {
        Set<Bytes> members = new HashSet<>();
        for (Operand set : sets) {
            set.walk(member -> {
                space.keep(member.length());
                members.add(member);
                return true;
            });
        }
        return members;
    }

    private static boolean isInNone(List<Operand> sets, Bytes member) {
        return sets.stream().noneMatch(set -> set.contains(member));
    }
}
