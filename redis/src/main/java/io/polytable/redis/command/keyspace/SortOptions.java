package io.polytable.redis.command.keyspace;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.sort.SortPattern;
import io.polytable.redis.model.sort.SortQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Parses the options of SORT and SORT_RO.
 *
 * @param storeAt the position of STORE's key; 0 for none
 */
record SortOptions(SortQuery query, int storeAt) {
    /**
     * Parses the options; of repeated ones the last counts.
     *
     * @throws RedisError on a syntax error
     */
    static SortOptions read(Call call, boolean stores) {
        Optional<SortPattern> by = Optional.empty();
        List<SortPattern> gets = new ArrayList<>();
        long offset = 0;
        long count = -1;
        boolean reversed = false;
        boolean byText = false;
        int storeAt = 0;
        for (int i = 2; i < call.size(); i++) {
            int left = call.size() - i - 1;
            if (call.is(i, "asc") || call.is(i, "desc")) {
                reversed = call.is(i, "desc");
            } else if (call.is(i, "alpha")) {
                byText = true;
            } else if (call.is(i, "limit") && left >= 2) {
                offset = call.integer(++i);
                count = call.integer(++i);
            } else if (stores && call.is(i, "store") && left >= 1) {
                storeAt = ++i;
            } else if (call.is(i, "by") && left >= 1) {
                i++;
                if (call.text(i).indexOf('*') >= 0) {
                    requireEveryKey(call, "BY");
                }
                by = Optional.of(SortPattern.parse(call.word(i)));
            } else if (call.is(i, "get") && left >= 1) {
                requireEveryKey(call, "GET");
                gets.add(SortPattern.parse(call.word(++i)));
            } else {
                throw RedisError.SYNTAX;
            }
        }
        return new SortOptions(new SortQuery(by, gets, offset, count, reversed, byText), storeAt);
    }

    /** The keys come from values, so nobody can check them before the call. */
    private static void requireEveryKey(Call call, String option) {
        if (!call.session().account().permissions().readsEveryKey(call)) {
            throw new RedisError(option + " option of SORT denied due to insufficient ACL permissions.");
        }
    }

    /** The position of STORE's key in a call that may have syntax errors; 0 for none. */
    static int storeAt(Call call) {
        int storeAt = 0;
        for (int i = 2; i < call.size(); i++) {
            int left = call.size() - i - 1;
            if (call.is(i, "limit") && left >= 2) {
                i += 2;
            } else if (call.is(i, "store") && left >= 1) {
                storeAt = ++i;
            } else if ((call.is(i, "by") || call.is(i, "get")) && left >= 1) {
                i++;
            }
        }
        return storeAt;
    }
}
