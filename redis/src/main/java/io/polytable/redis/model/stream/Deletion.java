package io.polytable.redis.model.stream;

import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.stream.entry.StreamNode;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Removes single entries of a stream. It reads everything it needs before it writes the first row: a scan over many
 * uncommitted rows is slow.
 */
final class Deletion {
    private final OpenStream stream;
    private final TreeMap<StreamId, StreamNode> nodes = new TreeMap<>();

    private Deletion(OpenStream stream) {
        this.stream = stream;
    }

    /** Returns how many of the ids existed; the caller saves the stream. */
    static long delete(OpenStream stream, List<StreamId> ids) {
        return new Deletion(stream).run(ids);
    }

    private long run(List<StreamId> ids) {
        List<StreamId> present = present(ids);
        if (present.isEmpty()) {
            return 0;
        }
        for (StreamId id : present) {
            findNode(id).ifPresent(node -> nodes.put(node.first(), node.without(1)));
        }
        StreamMeta meta = stream.meta();
        boolean isFirstGone = false;
        for (StreamId id : present) {
            stream.rows().entries().delete(id.bytes());
            isFirstGone |= id.equals(meta.first());
            stream.meta(stream.meta().withDeleted(id));
        }
        StreamNode tail = saveNodes(meta.tail());
        boolean isAnyLeft = stream.length() > present.size();
        StreamId first =
                isFirstGone && isAnyLeft ? stream.firstFrom(meta.first()).orElse(StreamId.MIN) : meta.first();
        stream.shrink(present.size(), first, tail);
        return present.size();
    }

    private List<StreamId> present(List<StreamId> ids) {
        List<StreamId> distinct = List.copyOf(new LinkedHashSet<>(ids));
        List<Optional<Bytes>> rows = stream.rows()
                .entries()
                .getMany(distinct.stream().map(StreamId::bytes).toList());
        List<StreamId> present = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i).isPresent()) {
                present.add(distinct.get(i));
            }
        }
        return present;
    }

    private Optional<StreamNode> findNode(StreamId id) {
        Map.Entry<StreamId, StreamNode> known = nodes.floorEntry(id);
        if (known != null && !id.isAfter(known.getValue().last())) {
            return Optional.of(known.getValue());
        }
        StreamNode tail = stream.meta().tail();
        if (tail != null && !id.isBefore(tail.first())) {
            return Optional.of(tail);
        }
        return stream.node(id, Direction.REVERSE);
    }

    /** Writes the changed nodes and answers the new tail: the node before it when the tail lost its last entry. */
    private @Nullable StreamNode saveNodes(@Nullable StreamNode tail) {
        StreamNode newTail = tail;
        for (StreamNode node : nodes.values()) {
            if (tail != null && node.first().equals(tail.first())) {
                newTail = node.live() == 0 ? null : node;
            } else if (node.live() == 0) {
                stream.deleteNode(node);
            } else {
                stream.putNode(node);
            }
        }
        return newTail != null || tail == null ? newTail : takeBack();
    }

    private @Nullable StreamNode takeBack() {
        Optional<StreamNode> before = stream.node(StreamId.MAX, Direction.REVERSE);
        before.ifPresent(stream::deleteNode);
        return before.orElse(null);
    }
}
