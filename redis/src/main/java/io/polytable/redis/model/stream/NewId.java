package io.polytable.redis.model.stream;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.stream.entry.StreamId;
import java.util.Optional;

/** The id that XADD asks for. */
public sealed interface NewId {
    /** {@code *}: the present time, or the successor of the last id when that is not earlier. */
    record Generated() implements NewId {}

    /** {@code millis-*}: the next sequence number of that time. */
    record InMillis(long millis) implements NewId {}

    record Given(StreamId id) implements NewId {}

    /**
     * The id of an entry to be added after the last one.
     *
     * @throws RedisError when it would not be after it
     */
    default StreamId behind(StreamId last, long nowMillis) {
        if (last.equals(StreamId.MAX)) {
            throw new RedisError("The stream has exhausted the last possible ID, unable to add more items");
        }
        return wanted(last, nowMillis)
                .filter(id -> id.isAfter(last))
                .orElseThrow(() ->
                        new RedisError("The ID specified in XADD is equal or smaller than the target stream top item"));
    }

    private Optional<StreamId> wanted(StreamId last, long nowMillis) {
        if (this instanceof Given given) {
            return Optional.of(given.id);
        }
        if (this instanceof InMillis time) {
            boolean isLast = time.millis == last.millis();
            if (isLast && last.sequence() == StreamId.SEQUENCE_MAX) {
                return Optional.empty();
            }
            return Optional.of(new StreamId(time.millis, isLast ? last.sequence() + 1 : 0));
        }
        return Long.compareUnsigned(nowMillis, last.millis()) > 0
                ? Optional.of(new StreamId(nowMillis, 0))
                : last.next();
    }
}
