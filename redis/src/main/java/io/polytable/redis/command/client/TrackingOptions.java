package io.polytable.redis.command.client;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.PushState;
import io.polytable.redis.command.Session;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Parses the options of CLIENT TRACKING. */
final class TrackingOptions {
    private final List<Bytes> prefixes = new ArrayList<>();
    private boolean broadcast;
    private boolean optIn;
    private boolean optOut;
    private boolean noLoop;
    private long redirect;

    private TrackingOptions() {}

    static TrackingOptions read(Call call, LongFunction<@Nullable Session> clients) {
        TrackingOptions options = new TrackingOptions();
        for (int i = 3; i < call.size(); i++) {
            boolean more = i + 1 < call.size();
            if (call.is(i, "redirect") && more) {
                options.redirect(call, ++i, clients);
            } else if (call.is(i, "prefix") && more) {
                options.prefixes.add(call.word(++i));
            } else {
                options.flag(call, i);
            }
        }
        return options;
    }

    private void redirect(Call call, int index, LongFunction<@Nullable Session> clients) {
        if (redirect != 0) {
            throw new RedisError("A client can only redirect to a single other client");
        }
        redirect = call.integer(index);
        if (clients.apply(redirect) == null) {
            throw new RedisError("The client ID you want redirect to does not exist");
        }
    }

    private void flag(Call call, int index) {
        if (call.is(index, "bcast")) {
            broadcast = true;
        } else if (call.is(index, "optin")) {
            optIn = true;
        } else if (call.is(index, "optout")) {
            optOut = true;
        } else if (call.is(index, "noloop")) {
            noLoop = true;
        } else {
            throw RedisError.SYNTAX;
        }
    }

    PushState.Tracking mode(SortedSet<Bytes> allPrefixes) {
        return new PushState.Tracking(broadcast, optIn, optOut, noLoop, redirect, allPrefixes);
    }

    List<Bytes> prefixes() {
        return prefixes;
    }

    boolean broadcast() {
        return broadcast;
    }

    boolean optIn() {
        return optIn;
    }

    boolean optOut() {
        return optOut;
    }
}
