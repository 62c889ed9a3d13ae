package io.polytable.redis.command.stream;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Parses the ids of entries. */
final class StreamIds {
    private static final String INVALID = "Invalid stream ID specified as stream command argument";

    private StreamIds() {}

    /** An id; a missing sequence number is 0. */
    static StreamId one(Call call, int index) {
        return exact(call.word(index), 0);
    }

    /** The ids from a position on. */
    static List<StreamId> from(Call call, int index) {
        List<StreamId> ids = new ArrayList<>(call.size() - index);
        for (int i = index; i < call.size(); i++) {
            ids.add(one(call, i));
        }
        return ids;
    }

    private static StreamId exact(Bytes word, long missingSequence) {
        return StreamId.parse(word, missingSequence).orElseThrow(() -> new RedisError(INVALID));
    }

    /** An id, or {@code -} and {@code +} for the lowest and the highest. */
    static StreamId edge(Call call, int index, long missingSequence) {
        String text = call.text(index);
        return text.equals("-")
                ? StreamId.MIN
                : text.equals("+") ? StreamId.MAX : exact(call.word(index), missingSequence);
    }

    /** The lower bound of a range, inclusive; a leading {@code (} makes it exclusive: the next id. */
    static StreamId lower(Call call, int index) {
        if (!isOpen(call, index)) {
            return edge(call, index, 0);
        }
        return exact(call.word(index).from(1), 0)
                .next()
                .orElseThrow(() -> new RedisError("invalid start ID for the interval"));
    }

    static StreamId upper(Call call, int index) {
        if (!isOpen(call, index)) {
            return edge(call, index, StreamId.SEQUENCE_MAX);
        }
        return exact(call.word(index).from(1), StreamId.SEQUENCE_MAX)
                .previous()
                .orElseThrow(() -> new RedisError("invalid end ID for the interval"));
    }

    private static boolean isOpen(Call call, int index) {
        return call.word(index).length() > 1 && call.word(index).at(0) == '(';
    }
}
