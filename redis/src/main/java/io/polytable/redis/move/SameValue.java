package io.polytable.redis.move;

import io.polytable.redis.model.dump.DumpedValue;
import io.polytable.redis.model.stream.Pending;
import io.polytable.redis.model.stream.StreamContents;
import io.polytable.redis.model.stream.StreamContents.GroupContents;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.table.Bytes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Whether two values are the same to clients: the order of fields and members, encodings and times of use do not count. */
final class SameValue {
    private SameValue() {}

    static boolean of(DumpedValue one, DumpedValue other) {
        if (one instanceof DumpedValue.OfSet set && other instanceof DumpedValue.OfSet otherSet) {
            return new HashSet<>(set.members()).equals(new HashSet<>(otherSet.members()));
        }
        if (one instanceof DumpedValue.OfHash hash && other instanceof DumpedValue.OfHash otherHash) {
            return fields(hash).equals(fields(otherHash));
        }
        if (one instanceof DumpedValue.OfStream stream && other instanceof DumpedValue.OfStream otherStream) {
            return same(stream.contents(), otherStream.contents());
        }
        return one.equals(other);
    }

    private static Map<Bytes, Bytes> fields(DumpedValue.OfHash hash) {
        Map<Bytes, Bytes> fields = new HashMap<>();
        for (int i = 0; i < hash.pairs().size(); i += 2) {
            fields.put(hash.pairs().get(i), hash.pairs().get(i + 1));
        }
        return fields;
    }

    private static boolean same(StreamContents one, StreamContents other) {
        return one.last().equals(other.last())
                && one.added() == other.added()
                && entries(one).equals(entries(other))
                && groups(one).equals(groups(other));
    }

    private static List<StreamEntry> entries(StreamContents stream) {
        return stream.nodes().stream().flatMap(node -> node.entries().stream()).toList();
    }

    /** What a group has delivered to whom. */
    private record Delivered(Object last, Map<Object, Bytes> owners) {}

    private static Map<Bytes, Delivered> groups(StreamContents stream) {
        Map<Bytes, Delivered> groups = new HashMap<>();
        for (GroupContents group : stream.groups()) {
            Map<Object, Bytes> owners = new HashMap<>();
            for (Pending pending : group.pending()) {
                owners.put(pending.id(), pending.consumer());
            }
            groups.put(group.name(), new Delivered(group.last(), owners));
        }
        return groups;
    }
}
