package io.polytable.redis.model.effect;

import io.polytable.redis.model.list.ListShape;
import io.polytable.redis.model.number.DoubleText;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.InsertionOrder;
import io.polytable.redis.model.row.Segments;
import io.polytable.redis.model.set.SetForm;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The commands for the changed elements of one collection. */
final class TypeEffects {
    /** The elements of one command. */
    private static final int AT_ONCE = 1000;

    /** So many elements are pushed only to be popped again; beyond, the list is sent whole. */
    private static final long PASSING_MAX = 1000;

    private final Effects effects;
    private final int database;
    private final Bytes key;
    private final Optional<CollectionHeader> before;
    private final CollectionHeader after;

    /** @param before the header of the same collection, empty for a new one */
    TypeEffects(Effects effects, int database, Bytes key, Optional<CollectionHeader> before, CollectionHeader after) {
        this.effects = effects;
        this.database = database;
        this.key = key;
        this.before = before;
        this.after = after;
    }

    /** Adds the commands; false, without any, when only the whole value will do. */
    boolean add(ElementRows rows) {
        return switch (after.type()) {
            case STRING -> addSegments(rows.of(ElementKind.STRING_SEGMENT));
            case HASH -> addHash(rows);
            case SET -> addSet(rows);
            case ZSET -> addSortedSet(rows);
            case LIST -> addList(rows.of(ElementKind.LIST_ELEMENT));
            case STREAM -> addStream(rows);
        };
    }

    private void command(Object... words) {
        effects.in(database, words);
    }

    private void commands(String name, List<Bytes> words, int multiple) {
        for (int from = 0; from < words.size(); from += AT_ONCE * multiple) {
            List<Bytes> all = new ArrayList<>(List.of(Bytes.utf8(name), key));
            all.addAll(words.subList(from, Math.min(words.size(), from + AT_ONCE * multiple)));
            effects.in(database, all);
        }
    }

    private boolean addHash(ElementRows rows) {
        if (rows.hasRanges(ElementKind.HASH_FIELD)) {
            return false;
        }
        List<Bytes> put = new ArrayList<>();
        List<Bytes> fields = new ArrayList<>();
        List<Bytes> deleted = new ArrayList<>();
        rows.of(ElementKind.HASH_FIELD).forEach((field, value) -> {
            if (value.isPresent()) {
                fields.add(field);
                put.add(field);
                put.add(value.get());
            } else {
                deleted.add(field);
            }
        });
        if (!keepsOrder(rows, ElementKind.HASH_FIELD, fields, deleted)) {
            return false;
        }
        commands("HSET", put, 2);
        commands("HDEL", deleted, 1);
        return true;
    }

    private boolean addSet(ElementRows rows) {
        if (rows.hasRanges(ElementKind.SET_MEMBER)) {
            return false;
        }
        List<Bytes> put = new ArrayList<>();
        List<Bytes> deleted = new ArrayList<>();
        rows.of(ElementKind.SET_MEMBER).forEach((member, value) -> (value.isPresent() ? put : deleted).add(member));
        if (!keepsOrder(rows, ElementKind.SET_MEMBER, before.isEmpty() ? SetForm.arranged(put) : put, deleted)) {
            return false;
        }
        commands("SADD", put, 1);
        commands("SREM", deleted, 1);
        return true;
    }

    /** Whether a replica that adds these and then removes those has the elements in the same order as here. */
    private boolean keepsOrder(ElementRows rows, ElementKind kind, List<Bytes> put, List<Bytes> deleted) {
        Optional<InsertionOrder> order = InsertionOrder.of(after).filter(each -> each.size() == after.size());
        Optional<InsertionOrder> old = before.flatMap(InsertionOrder::of);
        if (order.isEmpty() || (before.isPresent() && old.isEmpty())) {
            // There is none, or it starts with integers, which a replica arranges as well.
            return true;
        }
        InsertionOrder there = old.orElse(InsertionOrder.NONE);
        InsertionOrder then = there.plus(Arrays.stream(rows.hashes(kind, put))
                        .filter(hash -> !there.contains(hash))
                        .toArray())
                .minus(rows.hashes(kind, deleted));
        return then.isSameAs(order.get());
    }

    private boolean addSortedSet(ElementRows rows) {
        if (rows.hasRanges(ElementKind.ZSET_MEMBER)) {
            return false;
        }
        List<Bytes> put = new ArrayList<>();
        List<Bytes> deleted = new ArrayList<>();
        rows.of(ElementKind.ZSET_MEMBER).forEach((member, score) -> {
            if (score.isPresent()) {
                put.add(Bytes.utf8(DoubleText.seventeenDigits(SortKeys.score(BigEndian.longAt(score.get(), 0)))));
                put.add(member);
            } else {
                deleted.add(member);
            }
        });
        commands("ZADD", put, 2);
        commands("ZREM", deleted, 1);
        return true;
    }

    private boolean addSegments(Map<Bytes, Optional<Bytes>> segments) {
        long end = before.map(CollectionHeader::size).orElse(0L);
        for (Map.Entry<Bytes, Optional<Bytes>> segment : segments.entrySet()) {
            long at = (long) BigEndian.intAt(segment.getKey(), 0) * Segments.BYTES;
            int length = (int) Math.min(Segments.BYTES, after.size() - at);
            if (length > 0) {
                byte[] bytes =
                        Arrays.copyOf(segment.getValue().orElse(Bytes.EMPTY).toByteArray(), length);
                command("SETRANGE", key, at, Bytes.of(bytes));
                end = Math.max(end, at + length);
            }
        }
        if (end < after.size()) {
            // What follows are zeros without a row.
            command("SETRANGE", key, after.size() - 1, Bytes.of(new byte[1]));
        }
        return true;
    }

    private boolean addList(Map<Bytes, Optional<Bytes>> elements) {
        boolean isDense = ListShape.of(after) instanceof ListShape.Dense
                && before.map(ListShape::of)
                        .map(ListShape.Dense.class::isInstance)
                        .orElse(true);
        if (!isDense) {
            return false;
        }
        long first = ((ListShape.Dense) ListShape.of(after)).first();
        long end = first + after.size();
        long oldFirst =
                before.map(old -> ((ListShape.Dense) ListShape.of(old)).first()).orElse(first);
        long oldEnd = oldFirst + before.map(CollectionHeader::size).orElse(0L);
        if (first - oldEnd > PASSING_MAX || oldFirst - end > PASSING_MAX) {
            return false;
        }
        List<Bytes> right = positions(elements, oldEnd, end, first, end);
        List<Bytes> left = positions(elements, first, Math.min(oldFirst, oldEnd), first, end);
        if (right == null || left == null) {
            return false;
        }
        Collections.reverse(left);
        commands("RPUSH", right, 1);
        commands("LPUSH", left, 1);
        long dropped = first - Math.min(first, oldFirst);
        if (dropped > 0) {
            command("LPOP", key, dropped);
        }
        if (Math.max(end, oldEnd) > end) {
            command("RPOP", key, Math.max(end, oldEnd) - end);
        }
        for (Map.Entry<Bytes, Optional<Bytes>> element : elements.entrySet()) {
            long position = ListShape.positionOf(element.getKey());
            boolean isKept = position >= Math.max(first, oldFirst) && position < Math.min(end, oldEnd);
            if (isKept && element.getValue().isEmpty()) {
                throw new IllegalStateException("an element of a dense list is missing");
            }
            if (isKept) {
                command("LSET", key, position - first, element.getValue().get());
            }
        }
        return true;
    }

    private static @Nullable List<Bytes> positions(
            Map<Bytes, Optional<Bytes>> elements, long from, long to, long first, long end) {
        List<Bytes> values = new ArrayList<>();
        for (long position = from; position < to; position++) {
            Optional<Bytes> value = elements.getOrDefault(ListShape.placeOf(position), Optional.empty());
            boolean isPassing = position < first || position >= end;
            if (value.isEmpty() && !isPassing) {
                return null;
            }
            // What does not stay is popped again below, whatever it was.
            values.add(value.orElse(Bytes.EMPTY));
        }
        return values;
    }

    private boolean addStream(ElementRows rows) {
        new StreamEffects(words -> effects.in(database, words), key, before, after).add(rows);
        return true;
    }
}
