package io.polytable.redis.command.zset;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.zset.SetAlgebra;
import io.polytable.redis.model.zset.SetAlgebra.Aggregate;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Parses the arguments of ZUNION, ZINTER and ZDIFF: a number of keys, the keys, then options. */
final class AlgebraArguments {
    private final Call call;
    private final SetAlgebra sets;
    private final double[] weights;
    private Aggregate aggregate = Aggregate.SUM;
    private boolean withScores;
    private long limit;
    private int at;

    /** Parses the keys; the options that may follow depend on the command. */
    AlgebraArguments(Call call, int countAt) {
        this.call = call;
        long count = call.integer(countAt);
        if (count < 1) {
            throw new RedisError(
                    "at least 1 input key is needed for '" + call.command().fullName() + "' command");
        }
        if (count > call.size() - countAt - 1) {
            throw RedisError.SYNTAX;
        }
        at = countAt + 1;
        List<Bytes> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(call.key(at++));
        }
        sets = SetAlgebra.of(call.space(), keys);
        weights = new double[keys.size()];
        Arrays.fill(weights, 1);
    }

    /**
     * The operands. As in Redis, they are read before the options, so a wrong type is reported before a syntax error.
     */
    SetAlgebra sets() {
        return sets;
    }

    double[] weights() {
        return weights;
    }

    Aggregate aggregate() {
        return aggregate;
    }

    boolean withScores() {
        return withScores;
    }

    /** Zero for none. */
    long limit() {
        return limit;
    }

    /** Parses WEIGHTS, AGGREGATE and, if elements are returned, WITHSCORES. */
    AlgebraArguments readCombining(boolean answers) {
        while (at < call.size()) {
            if (call.is(at, "weights") && call.size() - at > weights.length) {
                readWeights();
            } else if (call.is(at, "aggregate") && at + 1 < call.size()) {
                aggregate = aggregate(at + 1);
                at += 2;
            } else {
                readWithScores(answers);
            }
        }
        return this;
    }

    /** Parses WITHSCORES, if elements are returned. */
    AlgebraArguments readPlain(boolean answers) {
        while (at < call.size()) {
            readWithScores(answers);
        }
        return this;
    }

    private void readWithScores(boolean allowed) {
        if (!allowed || !call.is(at, "withscores")) {
            throw RedisError.SYNTAX;
        }
        withScores = true;
        at++;
    }

    /** Parses LIMIT. */
    AlgebraArguments readCounting() {
        for (; at < call.size(); at += 2) {
            if (!call.is(at, "limit") || at + 1 == call.size()) {
                throw RedisError.SYNTAX;
            }
            RedisError negative = new RedisError("LIMIT can't be negative");
            limit = call.integer(at + 1, negative);
            if (limit < 0) {
                throw negative;
            }
        }
        return this;
    }

    private void readWeights() {
        at++;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = Numbers.parseDouble(call.word(at++))
                    .orElseThrow(() -> new RedisError("weight value is not a float"));
        }
    }

    private Aggregate aggregate(int index) {
        if (call.is(index, "sum")) {
            return Aggregate.SUM;
        }
        if (call.is(index, "min")) {
            return Aggregate.MIN;
        }
        if (call.is(index, "max")) {
            return Aggregate.MAX;
        }
        throw RedisError.SYNTAX;
    }
}
