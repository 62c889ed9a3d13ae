package io.polytable.redis.command.list;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.DELETE;
import static io.polytable.redis.command.KeyFlag.INSERT;
import static io.polytable.redis.command.KeyFlag.RW;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.blocking.PopOptions;
import io.polytable.redis.model.list.ListEnd;
import io.polytable.redis.model.list.Lists;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;

/** LMOVE, RPOPLPUSH, LMPOP. */
public final class ListMoveCommands implements CommandFamily {
    static final KeySpecs FROM_AND_TO =
            KeySpecs.FIRST.as(RW, ACCESS, DELETE).and(KeySpecs.range(2, 2, 1).as(RW, INSERT));

    private final Lists lists;

    public ListMoveCommands(Lists lists) {
        this.lists = lists;
    }

    @Override
    public Group group() {
        return Group.LIST;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                writes("lmove", exactly(5), FROM_AND_TO, this::lMove).with(DENYOOM),
                writes("lmpop", atLeast(4), KeySpecs.counted(1).as(RW, ACCESS, DELETE), this::lMPop),
                writes("rpoplpush", exactly(3), FROM_AND_TO, this::rPopLPush).with(DENYOOM));
    }

    private Reply lMove(Call call) {
        ListEnd from = ListEnds.read(call, 3);
        ListEnd to = ListEnds.read(call, 4);
        return Reply.of(lists.move(call.space(), call.key(1), from, call.key(2), to));
    }

    private Reply rPopLPush(Call call) {
        return Reply.of(lists.move(call.space(), call.key(1), ListEnd.RIGHT, call.key(2), ListEnd.LEFT));
    }

    private Reply lMPop(Call call) {
        PopOptions options = PopOptions.read(call, 1, "left", "right");
        for (Bytes key : options.keys()) {
            Optional<List<Bytes>> taken = lists.pop(call.space(), key, ListEnds.of(options.from()), options.count());
            if (taken.isPresent()) {
                return taken(key, taken.get());
            }
        }
        return Reply.ABSENT_ARRAY;
    }

    /** The reply of LMPOP and BLMPOP. */
    static Reply taken(Bytes key, List<Bytes> elements) {
        return Reply.many(Reply.of(key), Reply.bulks(elements));
    }
}
