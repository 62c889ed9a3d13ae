package io.polytable.redis.model.view;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.stream.Claims;
import io.polytable.redis.model.stream.Group;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.NewId;
import io.polytable.redis.model.stream.Streams;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.StoreException;
import io.polytable.table.column.Value;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Imports rows of the tables of streams: entries first, then their groups, then their pending entries. */
final class ImportedStreams {
    private final Streams streams;
    private final Groups groups = new Groups();
    private final Claims claims = new Claims();

    ImportedStreams(Supplier<NodeLimits> nodes) {
        streams = new Streams(nodes);
    }

    KeyImport.Writer writer(ElementKind kind) {
        return kind == ElementKind.STREAM_ENTRY
                ? this::writeEntries
                : kind == ElementKind.STREAM_GROUP ? this::writeGroups : this::writePending;
    }

    private void writeEntries(Space space, Bytes key, List<List<Value>> rows) {
        for (List<Value> row : rows) {
            StreamId id = id(row.get(1));
            boolean isNew = id.isAfter(streams.last(space, key));
            if (isNew || streams.range(space, key, id, id, Direction.FORWARD, 1).isEmpty()) {
                // The stream itself refuses an id before its last one.
                streams.add(space, key, new NewId.Given(id), fields(row.get(2)), true, null);
            }
        }
    }

    private static List<Bytes> fields(Value packed) {
        List<Bytes> fields;
        try {
            fields = StreamEntry.fields(KeyImport.bytes(packed));
        } catch (StoreException broken) {
            throw KeyImport.bad("An entry's fields cannot be read");
        }
        if (fields.isEmpty()) {
            throw KeyImport.bad("An entry of a stream has no fields");
        }
        return fields;
    }

    private void writeGroups(Space space, Bytes key, List<List<Value>> rows) {
        for (List<Value> row : rows) {
            Bytes name = KeyImport.bytes(row.get(1));
            long read = row.get(4) instanceof Value.OfBigint of ? of.value() : Group.UNKNOWN;
            Groups.Start start = new Groups.Start(Optional.of(id(row.get(2))), read);
            if (streams.exists(space, key) && groups.exists(space, key, name)) {
                groups.setLast(space, key, name, start);
            } else {
                groups.create(space, key, name, start, true);
            }
        }
    }

    private void writePending(Space space, Bytes key, List<List<Value>> rows) {
        for (List<Value> row : rows) {
            Claims.Claimant claimant = new Claims.Claimant(
                    KeyImport.bytes(row.get(1)),
                    KeyImport.bytes(row.get(3)),
                    0,
                    OptionalLong.of(KeyImport.number(row.get(5))),
                    true);
            Claims.Options forced = new Claims.Options(KeyImport.number(row.get(4)), true, StreamId.MIN);
            claims.claim(space, key, claimant, List.of(id(row.get(2))), forced);
        }
    }

    private static StreamId id(Value text) {
        return StreamValues.id(KeyImport.text(text)).orElseThrow(() -> KeyImport.bad("An entry of a stream has no id"));
    }
}
