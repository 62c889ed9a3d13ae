package io.polytable.redis.command.stream;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.stream.Claims;
import io.polytable.redis.model.stream.entry.StreamId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Parses the arguments of XCLAIM: ids up to the first word that is none, then options. */
record XClaimOptions(Claims.Claimant claimant, List<StreamId> ids, Claims.Options options) {
    private static final int IDS_AT = 5;

    static XClaimOptions read(Call call) {
        long minIdle = Math.max(0, call.integer(4, invalid("min-idle-time")));
        List<StreamId> ids = new ArrayList<>();
        int at = IDS_AT;
        for (Optional<StreamId> id = id(call, at); id.isPresent(); id = id(call, at)) {
            ids.add(id.get());
            at++;
        }
        return new Parser(call, minIdle).read(at, ids);
    }

    private static Optional<StreamId> id(Call call, int index) {
        return index < call.size() ? StreamId.parse(call.word(index), 0) : Optional.empty();
    }

    private static RedisError invalid(String argument) {
        return new RedisError("Invalid " + argument + " argument for XCLAIM");
    }

    /** Parses the options, in any order. */
    private static final class Parser {
        private static final long NOT_GIVEN = -1;

        private final Call call;
        private final long minIdle;
        private boolean force;
        private boolean idsOnly;
        private long deliveredMillis = NOT_GIVEN;
        private long deliveries = NOT_GIVEN;
        private StreamId last = StreamId.MIN;
        private int at;

        Parser(Call call, long minIdle) {
            this.call = call;
            this.minIdle = minIdle;
        }

        XClaimOptions read(int from, List<StreamId> ids) {
            for (at = from; at < call.size(); at++) {
                readOption(at < call.size() - 1);
            }
            long now = call.nowMillis();
            boolean isSane = deliveredMillis >= 0 && deliveredMillis <= now;
            return new XClaimOptions(
                    new Claims.Claimant(
                            call.word(2),
                            call.word(3),
                            minIdle,
                            deliveries >= 0 ? OptionalLong.of(deliveries) : OptionalLong.empty(),
                            idsOnly),
                    ids,
                    new Claims.Options(isSane ? deliveredMillis : now, force, last));
        }

        private void readOption(boolean hasMore) {
            if (call.is(at, "force")) {
                force = true;
            } else if (call.is(at, "justid")) {
                idsOnly = true;
            } else if (call.is(at, "idle") && hasMore) {
                deliveredMillis = call.nowMillis() - call.integer(++at, invalid("IDLE option"));
            } else if (call.is(at, "time") && hasMore) {
                deliveredMillis = call.integer(++at, invalid("TIME option"));
            } else if (call.is(at, "retrycount") && hasMore) {
                deliveries = call.integer(++at, invalid("RETRYCOUNT option"));
            } else if (call.is(at, "lastid") && hasMore) {
                last = StreamIds.one(call, ++at);
            } else {
                throw new RedisError("Unrecognized XCLAIM option '" + call.quoted(at) + "'");
            }
        }
    }
}
