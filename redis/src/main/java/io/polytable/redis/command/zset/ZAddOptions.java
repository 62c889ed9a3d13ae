package io.polytable.redis.command.zset;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.zset.AddRules;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses the arguments of ZADD: options, then scores and members.
 *
 * @param countsUpdates whether the reply counts changed scores as well as new members
 */
record ZAddOptions(AddRules rules, boolean countsUpdates, List<Element> elements) {
    /** As in Redis, ZINCRBY accepts the options too, but its arity then leaves no space for an element. */
    static ZAddOptions read(Call call, boolean increments) {
        boolean nx = false;
        boolean xx = false;
        boolean gt = false;
        boolean lt = false;
        boolean ch = false;
        boolean incr = increments;
        int at = 2;
        for (; at < call.size(); at++) {
            if (call.is(at, "nx")) {
                nx = true;
            } else if (call.is(at, "xx")) {
                xx = true;
            } else if (call.is(at, "gt")) {
                gt = true;
            } else if (call.is(at, "lt")) {
                lt = true;
            } else if (call.is(at, "ch")) {
                ch = true;
            } else if (call.is(at, "incr")) {
                incr = true;
            } else {
                break;
            }
        }
        int words = call.size() - at;
        if (words == 0 || words % 2 == 1) {
            throw RedisError.SYNTAX;
        }
        if (nx && xx) {
            throw new RedisError("XX and NX options at the same time are not compatible");
        }
        if ((gt && nx) || (lt && nx) || (gt && lt)) {
            throw new RedisError("GT, LT, and/or NX options at the same time are not compatible");
        }
        if (incr && words > 2) {
            throw new RedisError("INCR option supports a single increment-element pair");
        }
        return new ZAddOptions(new AddRules(!xx, !nx, gt, lt, incr), ch, elements(call, at));
    }

    private static List<Element> elements(Call call, int from) {
        List<Element> elements = new ArrayList<>((call.size() - from) / 2);
        for (int at = from; at < call.size(); at += 2) {
            double score = Numbers.parseDouble(call.word(at)).orElseThrow(() -> RedisError.NOT_A_FLOAT);
            elements.add(new Element(score, call.word(at + 1)));
        }
        return elements;
    }
}
