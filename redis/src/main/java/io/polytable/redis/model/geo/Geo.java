package io.polytable.redis.model.geo;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.zset.ElementRange;
import io.polytable.redis.model.zset.ScoreBound;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Positions in a sorted set: points near each other mostly have scores near each other, so a search is a few score
 * ranges.
 */
public final class Geo {
    private static final Comparator<Hit> NEAREST_FIRST = Comparator.comparingDouble(Hit::metres);

    /** The overhead of a {@link Hit} on the heap, besides its member's bytes. */
    private static final int HIT_BYTES = 96;

    private final SortedSets sets;

    public Geo(SortedSets sets) {
        this.sets = sets;
    }

    /** The order of hits. */
    public enum Order {
        AS_FOUND,
        NEAREST_FIRST,
        FARTHEST_FIRST
    }

    /**
     * The options of a search.
     *
     * @param count the number of hits; 0 for all
     * @param any whether any hits will do, not only the nearest
     */
    public record Search(GeoShape shape, Order order, long count, boolean any) {}

    /** A member that a search found. */
    public record Hit(Bytes member, double score, GeoPoint point, double metres) {}

    public Optional<GeoPoint> position(Space space, Bytes key, Bytes member) {
        OptionalDouble score = sets.score(space, key, member);
        return score.isPresent() ? Optional.of(GeoPoint.ofScore(score.getAsDouble())) : Optional.empty();
    }

    /**
     * The position of a member that must exist.
     *
     * @throws RedisError when it does not
     */
    public GeoPoint centre(Space space, Bytes key, Bytes member) {
        return position(space, key, member).orElseThrow(() -> new RedisError("could not decode requested zset member"));
    }

    public List<Hit> search(Space space, Bytes key, Search search) {
        // The nearest few are known only when all are found and sorted.
        Order order =
                search.count > 0 && search.order == Order.AS_FOUND && !search.any ? Order.NEAREST_FIRST : search.order;
        long enough = search.any ? search.count : Long.MAX_VALUE;
        List<Hit> hits = new ArrayList<>();
        for (GeoHash cell : GeoCover.of(search.shape)) {
            if (hits.size() < enough) {
                collect(space, key, cell, search.shape, enough, hits);
            }
        }
        switch (order) {
            case AS_FOUND -> {}
            case NEAREST_FIRST -> hits.sort(NEAREST_FIRST);
            case FARTHEST_FIRST -> hits.sort(NEAREST_FIRST.reversed());
        }
        return search.count > 0 && hits.size() > search.count ? hits.subList(0, (int) search.count) : hits;
    }

    private void collect(Space space, Bytes key, GeoHash cell, GeoShape shape, long enough, List<Hit> hits) {
        ElementRange scores =
                new ElementRange.Scores(new ScoreBound(cell.score(), false), new ScoreBound(cell.scoreBehind(), true));
        sets.walk(space, key, scores, element -> {
            GeoPoint point = GeoPoint.ofScore(element.score());
            if (shape.contains(point)) {
                space.keep(HIT_BYTES + element.member().length());
                double metres = shape.centre().metresTo(point);
                hits.add(new Hit(element.member(), element.score(), point, metres));
            }
            return hits.size() < enough;
        });
    }

    /** The scores of stored hits: distances from a point in a unit, otherwise positions. */
    public record StoredDistance(GeoPoint from, double unitMetres) {}

    /** Replaces the target by a sorted set of the hits; answers their number. */
    public long store(Space space, Bytes target, List<Hit> hits, Optional<StoredDistance> distance, KeyEvent event) {
        List<Element> elements = new ArrayList<>(hits.size());
        for (Hit hit : hits) {
            double score = distance.map(wanted -> wanted.from.storedMetresTo(hit.point) / wanted.unitMetres)
                    .orElse(hit.score);
            elements.add(new Element(score, hit.member));
        }
        elements.sort(Comparator.comparing(Element::place));
        sets.store(space, target, elements, event);
        return elements.size();
    }
}
