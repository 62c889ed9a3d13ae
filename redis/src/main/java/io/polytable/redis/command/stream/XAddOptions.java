package io.polytable.redis.command.stream;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.stream.NewId;
import io.polytable.redis.model.stream.TrimRule;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses the options between the key and the fields of XADD, and those of XTRIM. */
final class XAddOptions {
    private static final String TWO_STRATEGIES =
            "syntax error, MAXLEN and MINID options at the same time are not compatible";

    private final Call call;
    private final boolean adds;
    private int at = 2;
    private NewId id = new NewId.Generated();
    private boolean makeStream = true;
    private boolean approximate;
    private long length = -1;
    private @Nullable StreamId minId;
    private long limit;
    private boolean limitGiven;

    private XAddOptions(Call call, boolean adds) {
        this.call = call;
        this.adds = adds;
    }

    static XAddOptions ofAdd(Call call, NodeLimits nodes) {
        XAddOptions options = new XAddOptions(call, true);
        options.read(nodes);
        return options;
    }

    static XAddOptions ofTrim(Call call, NodeLimits nodes) {
        XAddOptions options = new XAddOptions(call, false);
        options.read(nodes);
        return options;
    }

    NewId id() {
        return id;
    }

    boolean makeStream() {
        return makeStream;
    }

    /** Rejects 0-0, the one id that no entry can have, before any lookup. */
    void checkId() {
        if (id.equals(new NewId.Given(StreamId.MIN))) {
            throw new RedisError("The ID specified in XADD must be greater than 0-0");
        }
    }

    /** The position of the first field. */
    int fieldsAt() {
        return at + 1;
    }

    Optional<TrimRule> rule() {
        StreamId from = minId;
        if (from != null) {
            return Optional.of(new TrimRule.ToId(from, approximate, limit));
        }
        return trims() ? Optional.of(new TrimRule.ToLength(length, approximate, limit)) : Optional.empty();
    }

    private boolean trims() {
        return length >= 0 || minId != null;
    }

    private void read(NodeLimits nodes) {
        while (at < call.size() && readOption()) {
            at++;
        }
        if (limit != 0 && !trims()) {
            throw new RedisError("syntax error, LIMIT cannot be used without specifying a trimming strategy");
        }
        if (!adds && !trims()) {
            throw new RedisError("syntax error, XTRIM must be called with a trimming strategy");
        }
        if (limitGiven && !approximate) {
            throw new RedisError("syntax error, LIMIT cannot be used without the special ~ option");
        }
        if (approximate && !limitGiven) {
            limit = nodes.trimmedMax();
        }
    }

    /** Parses one option; false at the id, which ends the options. */
    private boolean readOption() {
        boolean isLast = at == call.size() - 1;
        if (adds && call.text(at).equals("*")) {
            return false;
        }
        if (call.is(at, "maxlen") && !isLast) {
            readLength();
        } else if (call.is(at, "minid") && !isLast) {
            readMinId();
        } else if (call.is(at, "limit") && !isLast) {
            readLimit();
        } else if (adds && call.is(at, "nomkstream")) {
            makeStream = false;
        } else if (adds) {
            id = given(call.word(at));
            return false;
        } else {
            throw RedisError.SYNTAX;
        }
        return true;
    }

    private void readLength() {
        readOperator();
        length = call.integer(++at);
        if (length < 0) {
            throw new RedisError("The MAXLEN argument must be >= 0.");
        }
    }

    private void readMinId() {
        readOperator();
        minId = StreamIds.one(call, ++at);
    }

    private void readOperator() {
        if (trims()) {
            throw new RedisError(TWO_STRATEGIES);
        }
        approximate = false;
        if (at + 2 < call.size()) {
            String operator = call.text(at + 1);
            approximate = operator.equals("~");
            at += approximate || operator.equals("=") ? 1 : 0;
        }
    }

    private void readLimit() {
        limit = call.integer(++at);
        if (limit < 0) {
            throw new RedisError("The LIMIT argument must be >= 0.");
        }
        limitGiven = true;
    }

    private NewId given(Bytes word) {
        int dash = word.length() - 2;
        if (dash > 0 && word.at(dash) == '-' && word.at(dash + 1) == '*') {
            Optional<StreamId> time = StreamId.parse(word.slice(0, dash), 0);
            if (time.isPresent() && isWithoutSequence(word.slice(0, dash))) {
                return new NewId.InMillis(time.get().millis());
            }
        }
        return new NewId.Given(StreamIds.one(call, at));
    }

    private static boolean isWithoutSequence(Bytes text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.at(i) == '-' || text.at(i) == 0) {
                return false;
            }
        }
        return true;
    }
}
