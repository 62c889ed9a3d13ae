package io.polytable.redis.model.zset;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.order.Element;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Unions, intersections and differences of sorted sets and sets; results are in order. */
public final class SetAlgebra {
    /** The memory of an element in a result, besides its member: its score, its slot in a list. */
    private static final int ELEMENT_BYTES = 64;

    private static final Comparator<Element> ORDER = Comparator.comparing(Element::place);

    private final Space space;
    private final List<ScoredInput> inputs;

    private SetAlgebra(Space space, List<ScoredInput> inputs) {
        this.space = space;
        this.inputs = inputs;
    }

    /**
     * Opens the values of the keys, at least one.
     *
     * @throws RedisError WRONGTYPE when one holds something other than a sorted set or a set
     */
    public static SetAlgebra of(Space space, List<Bytes> keys) {
        List<ScoredInput> inputs = new ArrayList<>(keys.size());
        for (Bytes key : keys) {
            // As in Redis, a key named twice is looked up twice.
            space.countNextLookup();
            inputs.add(ScoredInput.of(space, key));
        }
        return new SetAlgebra(space, inputs);
    }

    /** How to combine the scores of a member of several sets. */
    public enum Aggregate {
        SUM,
        MIN,
        MAX;

        double of(double one, double other) {
            return switch (this) {
                // Infinity minus infinity counts as zero.
                case SUM -> orZero(one + other);
                // As in Redis, NaN is never the lower or the higher one.
                case MIN -> other < one ? other : one;
                case MAX -> other > one ? other : one;
            };
        }
    }

    private record Weighted(ScoredInput elements, double weight) {}

    private static double orZero(double score) {
        return Double.isNaN(score) ? 0 : score;
    }

    /** Takes one weight per key, by which its scores are multiplied. */
    public List<Element> union(double[] weights, Aggregate aggregate) {
        Map<Bytes, Double> scores = new HashMap<>();
        for (Weighted set : smallestFirst(weights)) {
            set.elements.forEach(element -> {
                int before = scores.size();
                scores.merge(element.member(), orZero(set.weight * element.score()), aggregate::of);
                if (scores.size() > before) {
                    keep(element);
                }
            });
        }
        List<Element> union = new ArrayList<>(scores.size());
        scores.forEach((member, score) -> union.add(new Element(score, member)));
        union.sort(ORDER);
        return union;
    }

    /** Takes one weight per key, by which its scores are multiplied. */
    public List<Element> intersection(double[] weights, Aggregate aggregate) {
        List<Element> common = new ArrayList<>();
        List<Weighted> sets = smallestFirst(weights);
        sets.get(0).elements.forEach(element -> {
            double score = commonScore(sets, element, aggregate);
            if (!Double.isNaN(score)) {
                keep(element);
                common.add(new Element(score, element.member()));
            }
        });
        common.sort(ORDER);
        return common;
    }

    /** NaN when one of the sets lacks the member. */
    private static double commonScore(List<Weighted> sets, Element element, Aggregate aggregate) {
        double score = orZero(sets.get(0).weight * element.score());
        for (int i = 1; i < sets.size(); i++) {
            double other = sets.get(i).elements.score(element.member());
            if (Double.isNaN(other)) {
                return Double.NaN;
            }
            score = aggregate.of(score, other * sets.get(i).weight);
        }
        return score;
    }

    /** The size of the intersection, counted up to a limit; zero for no limit. */
    public long intersectionSize(long limit) {
        List<ScoredInput> sets = new ArrayList<>(inputs);
        sets.sort(Comparator.comparingLong(ScoredInput::size));
        List<ScoredInput> others = sets.subList(1, sets.size());
        long[] common = {0};
        sets.get(0).walk(element -> {
            common[0] += isInAll(others, element.member()) ? 1 : 0;
            return limit == 0 || common[0] < limit;
        });
        return common[0];
    }

    private List<Weighted> smallestFirst(double[] weights) {
        List<Weighted> sets = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            sets.add(new Weighted(inputs.get(i), weights[i]));
        }
        sets.sort(Comparator.comparingLong(set -> set.elements.size()));
        return sets;
    }

    /** The elements of the first set whose members no other one has. */
    public List<Element> difference() {
        ScoredInput first = inputs.get(0);
        List<ScoredInput> others = inputs.subList(1, inputs.size());
        boolean fewOthers = others.stream().mapToLong(ScoredInput::size).sum() < first.size();
        // Few members are loaded at once; with many, each element of the first set is looked up.
        Set<Bytes> taken = fewOthers ? membersOf(others) : Set.of();
        List<Element> rest = new ArrayList<>();
        first.forEach(element -> {
            Bytes member = element.member();
            if (fewOthers ? !taken.contains(member) : isInNone(others, member)) {
                keep(element);
                rest.add(element);
            }
        });
        rest.sort(ORDER);
        return rest;
    }

    private Set<Bytes> membersOf(List<ScoredInput> sets) {
        Set<Bytes> members = new HashSet<>();
        sets.forEach(set -> set.forEach(element -> {
            keep(element);
            members.add(element.member());
        }));
        return members;
    }

    private void keep(Element element) {
        space.keep(ELEMENT_BYTES + element.member().length());
    }

    private static boolean isInAll(List<ScoredInput> sets, Bytes member) {
        return sets.stream().noneMatch(set -> Double.isNaN(set.score(member)));
    }

    private static boolean isInNone(List<ScoredInput> sets, Bytes member) {
        return sets.stream().allMatch(set -> Double.isNaN(set.score(member)));
    }
}
