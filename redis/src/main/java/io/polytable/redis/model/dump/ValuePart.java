package io.polytable.redis.model.dump;

import io.polytable.redis.model.stream.StreamContents.GroupContents;
import io.polytable.redis.model.stream.StreamContents.NodeContents;
import io.polytable.redis.model.stream.entry.StreamId;
import java.util.List;

/** A part of a value, small enough for one commit unless a single element or a group of a stream is not. */
public sealed interface ValuePart {
    /** The beginning: it replaces what the key held. For most values it is all. */
    record First(DumpedValue value) implements ValuePart {}

    /** A collection without elements, as old versions of Redis could write them; Redis skips it. */
    record Nothing() implements ValuePart {}

    /** More elements of the same type. */
    record More(DumpedValue value) implements ValuePart {}

    /** The next nodes of a stream. */
    record Nodes(List<NodeContents> nodes) implements ValuePart {}

    /** What follows the nodes of a stream. */
    record Counters(StreamId last, StreamId maxDeleted, long added) implements ValuePart {}

    /** A consumer group of a stream, after the counters. */
    record Group(GroupContents group) implements ValuePart {}
}
