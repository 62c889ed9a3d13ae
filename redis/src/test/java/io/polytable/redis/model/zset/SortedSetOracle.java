package io.polytable.redis.model.zset;

import io.polytable.redis.model.order.Element;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The plainest sorted set: scores by member, sorted whenever someone asks. */
final class SortedSetOracle {
    private static final Comparator<Element> ORDER = Comparator.comparingDouble(
                    (Element element) -> element.score() + 0.0)
            .thenComparing(Element::member);

    private final Map<Bytes, Double> scores = new HashMap<>();

    SortedSetOracle copy() {
        SortedSetOracle copy = new SortedSetOracle();
        copy.scores.putAll(scores);
        return copy;
    }

    Map<Bytes, Double> scores() {
        return scores;
    }

    List<Element> sorted() {
        List<Element> elements = new ArrayList<>();
        scores.forEach((member, score) -> elements.add(new Element(score, member)));
        return sorted(elements);
    }

    static List<Element> sorted(Collection<Element> elements) {
        List<Element> sorted = new ArrayList<>(elements);
        sorted.sort(ORDER);
        return sorted;
    }

    List<Element> withScores(ScoreBound min, ScoreBound max) {
        return sorted().stream()
                .filter(element -> min.exclusive() ? element.score() > min.score() : element.score() >= min.score())
                .filter(element -> max.exclusive() ? element.score() < max.score() : element.score() <= max.score())
                .toList();
    }

    static List<Element> inDirection(List<Element> elements, Direction direction) {
        List<Element> ordered = new ArrayList<>(elements);
        if (direction == Direction.REVERSE) {
            Collections.reverse(ordered);
        }
        return ordered;
    }

    void remove(List<Element> elements) {
        elements.forEach(element -> scores.remove(element.member()));
    }
}
