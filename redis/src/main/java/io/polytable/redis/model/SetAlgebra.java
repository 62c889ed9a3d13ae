package io.polytable.redis.model;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Unions, intersections and differences of sorted sets and sets; the answers are in order. */
public final class SetAlgebra {
    private static final Comparator<Element> ORDER = Comparator.comparing(Element::place);

    /** One of the sets, and what its scores are multiplied with. */
    public record Weighted(Bytes key, double weight) {}

    /** How the scores of a member of several sets become one. */
    public enum Aggregate {
        SUM,
        MIN,
        MAX;

        double of(double one, double other) {
            return switch (this) {
                // Infinity and its opposite are nothing together.
                case SUM -> orZero(one + other);
                // As Redis compares: what is not a number is never the lower or the higher one.
                case MIN -> other < one ? other : one;
                case MAX -> other > one ? other : one;
            };
        }
    }

    private record Input(ScoredInput elements, double weight) {}

    private static double orZero(double score) {
        return Double.isNaN(score) ? 0 : score;
    }

    public List<Element> union(Space space, List<Weighted> sets, Aggregate aggregate) {
        Map<Bytes, Double> scores = new HashMap<>();
        for (Input input : smallestFirst(space, sets)) {
            input.elements.forEach(element -> scores.merge(
                    element.member(),
                    orZero(input.weight * element.score()),
                    (one, other) -> aggregate.of(one, other)));
        }
        List<Element> union = new ArrayList<>(scores.size());
        scores.forEach((member, score) -> union.add(new Element(score, member)));
        union.sort(ORDER);
        return union;
    }

    public List<Element> intersection(Space space, List<Weighted> sets, Aggregate aggregate) {
        List<Element> common = new ArrayList<>();
        List<Input> inputs = smallestFirst(space, sets);
        inputs.get(0).elements.forEach(element -> {
            double score = commonScore(inputs, element, aggregate);
            if (!Double.isNaN(score)) {
                common.add(new Element(score, element.member()));
            }
        });
        common.sort(ORDER);
        return common;
    }

    /** NaN when one of the sets does not have the member. */
    private static double commonScore(List<Input> inputs, Element element, Aggregate aggregate) {
        double score = orZero(inputs.get(0).weight * element.score());
        for (int i = 1; i < inputs.size(); i++) {
            double other = inputs.get(i).elements.score(element.member());
            if (Double.isNaN(other)) {
                return Double.NaN;
            }
            score = aggregate.of(score, other * inputs.get(i).weight);
        }
        return score;
    }

    /** How many members all the sets have, counted up to a limit; zero for none. */
    public long intersectionSize(Space space, List<Bytes> keys, long limit) {
        List<Input> inputs = smallestFirst(
                space, keys.stream().map(key -> new Weighted(key, 1)).toList());
        long[] common = {0};
        inputs.get(0).elements.walk(element -> {
            common[0] += Double.isNaN(commonScore(inputs, element, Aggregate.SUM)) ? 0 : 1;
            return limit == 0 || common[0] < limit;
        });
        return common[0];
    }

    /** The elements of the first set whose members no other one has. */
    public List<Element> difference(Space space, List<Bytes> keys) {
        List<ScoredInput> inputs =
                keys.stream().map(key -> ScoredInput.of(space, key)).toList();
        ScoredInput first = inputs.get(0);
        List<ScoredInput> others = inputs.subList(1, inputs.size());
        List<Element> rest = new ArrayList<>();
        if (first.size() > 0) {
            Set<Bytes> taken =
                    others.stream().mapToLong(ScoredInput::size).sum() < first.size() ? membersOf(others) : Set.of();
            boolean byLookup = taken.isEmpty();
            first.forEach(element -> {
                if (byLookup ? isInNone(others, element.member()) : !taken.contains(element.member())) {
                    rest.add(element);
                }
            });
        }
        rest.sort(ORDER);
        return rest;
    }

    private static Set<Bytes> membersOf(List<ScoredInput> inputs) {
        Set<Bytes> members = new HashSet<>();
        inputs.forEach(input -> input.forEach(element -> members.add(element.member())));
        return members;
    }

    private static boolean isInNone(List<ScoredInput> inputs, Bytes member) {
        return inputs.stream().allMatch(input -> Double.isNaN(input.score(member)));
    }

    private static List<Input> smallestFirst(Space space, List<Weighted> sets) {
        List<Input> inputs = new ArrayList<>();
        for (Weighted set : sets) {
            inputs.add(new Input(ScoredInput.of(space, set.key), set.weight));
        }
        inputs.sort(Comparator.comparingLong(input -> input.elements.size()));
        return inputs;
    }
}
