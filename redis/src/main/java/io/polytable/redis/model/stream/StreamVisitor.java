package io.polytable.redis.model.stream;

import io.polytable.redis.model.stream.StreamContents.NodeContents;
import io.polytable.redis.model.stream.entry.StreamId;

/** Receives a whole stream in the order of Redis' format, piece by piece, so that none of it is kept. */
public interface StreamVisitor {
    /** The number of nodes that follow. */
    void nodes(long count);

    void node(NodeContents node);

    /** Follows the nodes. */
    void counters(StreamId last, StreamId maxDeleted, long added);

    /** The number of groups that follow. */
    void groups(long count);

    /** A group; as many pending entries follow as it says, then its consumers. */
    void group(Group group);

    /** An entry of the last group, in the order of ids. */
    void pending(Pending entry);

    /** A consumer of the last group; as many owned entries follow as it says. */
    void consumer(Consumer consumer);

    /** A pending entry of the last consumer. */
    void owned(StreamId id);
}
