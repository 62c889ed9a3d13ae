package io.polytable.redis.command.stream;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.blocking.Timeouts;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.Optional;

/** Parses the options of XREAD and XREADGROUP. The ids are parsed later, together with the streams they belong to. */
final class XReadOptions {
    private final Call call;
    private final boolean ofGroup;
    private int at = 1;
    private int streamsAt;
    private long count = Long.MAX_VALUE;
    private long timeoutMillis = -1;
    private boolean noAck;
    private Optional<Bytes> group = Optional.empty();
    private Optional<Bytes> consumer = Optional.empty();

    private XReadOptions(Call call, boolean ofGroup) {
        this.call = call;
        this.ofGroup = ofGroup;
    }

    static XReadOptions read(Call call, boolean ofGroup) {
        XReadOptions options = new XReadOptions(call, ofGroup);
        while (options.streamsAt == 0 && options.at < call.size()) {
            options.readOption();
            options.at++;
        }
        if (options.streamsAt == 0) {
            throw RedisError.SYNTAX;
        }
        if (ofGroup && options.group.isEmpty()) {
            throw new RedisError("Missing GROUP option for XREADGROUP");
        }
        return options;
    }

    private void readOption() {
        int more = call.size() - 1 - at;
        if (call.is(at, "block") && more > 0) {
            timeoutMillis = Timeouts.millis(call, ++at);
        } else if (call.is(at, "count") && more > 0) {
            long wanted = call.integer(++at);
            count = wanted <= 0 ? Long.MAX_VALUE : wanted;
        } else if (call.is(at, "streams") && more > 0) {
            readStreams(more);
        } else if (call.is(at, "group") && more > 1) {
            refuseWithoutGroup("GROUP");
            group = Optional.of(call.word(++at));
            consumer = Optional.of(call.word(++at));
        } else if (call.is(at, "noack")) {
            refuseWithoutGroup("NOACK");
            noAck = true;
        } else {
            throw RedisError.SYNTAX;
        }
    }

    private void readStreams(int words) {
        if (words % 2 != 0) {
            throw new RedisError(
                    "Unbalanced '" + call.command().fullName() + "' list of streams: for each stream key an"
                            + " ID or '" + (ofGroup ? '>' : '$') + "' must be specified.");
        }
        streamsAt = at + 1;
    }

    private void refuseWithoutGroup(String option) {
        if (!ofGroup) {
            throw new RedisError(
                    "The " + option + " option is only supported by XREADGROUP. You called XREAD instead.");
        }
    }

    int streams() {
        return (call.size() - streamsAt) / 2;
    }

    Bytes key(int stream) {
        return call.key(streamsAt + stream);
    }

    /** The position of the stream's id. */
    int idAt(int stream) {
        return streamsAt + streams() + stream;
    }

    long count() {
        return count;
    }

    boolean blocks() {
        return timeoutMillis >= 0;
    }

    /** Zero for no timeout. */
    long timeoutMillis() {
        return timeoutMillis;
    }

    boolean noAck() {
        return noAck;
    }

    Bytes group() {
        return group.orElse(Bytes.EMPTY);
    }

    Bytes consumer() {
        return consumer.orElse(Bytes.EMPTY);
    }
}
