package io.polytable.redis.command.list;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.list.ListEnd;
import io.polytable.table.Direction;

/** Parses LEFT and RIGHT. */
final class ListEnds {
    private ListEnds() {}

    /** @throws RedisError when it is neither */
    static ListEnd read(Call call, int at) {
        if (call.is(at, "left")) {
            return ListEnd.LEFT;
        }
        if (call.is(at, "right")) {
            return ListEnd.RIGHT;
        }
        throw RedisError.SYNTAX;
    }

    /** The end where a scan in the direction starts. */
    static ListEnd of(Direction from) {
        return from == Direction.FORWARD ? ListEnd.LEFT : ListEnd.RIGHT;
    }
}
