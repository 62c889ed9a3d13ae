package io.polytable.redis.model.dump;

import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.stream.StreamContents;
import io.polytable.table.Bytes;
import java.util.List;

/** A value between Redis' format and rows. Only a stream may be empty, and no value has duplicates. */
public sealed interface DumpedValue {
    record OfString(Bytes value) implements DumpedValue {}

    record OfList(List<Bytes> elements) implements DumpedValue {}

    record OfSet(List<Bytes> members) implements DumpedValue {}

    /** Fields and values alternate. */
    record OfHash(List<Bytes> pairs) implements DumpedValue {}

    /** In the order of scores and members. */
    record OfSortedSet(List<Element> elements) implements DumpedValue {}

    record OfStream(StreamContents contents) implements DumpedValue {}
}
