package io.polytable.redis.command.stream;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.BLOCKING;
import static io.polytable.redis.command.KeyFlag.ACCESS;
import static io.polytable.redis.command.KeyFlag.RO;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpec;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.stream.GroupReads;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.Streams;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** XREAD and XREADGROUP: read several streams, optionally blocking. */
public final class StreamReadCommands implements CommandFamily {
    private final Streams streams;
    private final Groups groups;
    private final GroupReads groupReads;

    public StreamReadCommands(Streams streams, Groups groups, GroupReads groupReads) {
        this.streams = streams;
        this.groups = groups;
        this.groupReads = groupReads;
    }

    @Override
    public Group group() {
        return Group.STREAM;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                reads("xread", atLeast(4), streamsFrom(1), this::xRead).with(BLOCKING),
                writes("xreadgroup", atLeast(7), streamsFrom(4).as(RO, ACCESS), this::xReadGroup)
                        .with(BLOCKING));
    }

    /** The first half of the words behind STREAMS. */
    private static KeySpecs streamsFrom(int word) {
        return KeySpecs.of(new KeySpec.Begin.Keyword("STREAMS", word), new KeySpec.Find.Range(-1, 1, 2));
    }

    private Reply xRead(Call call) {
        XReadOptions options = XReadOptions.read(call, false);
        List<StreamId> after = new ArrayList<>();
        for (int i = 0; i < options.streams(); i++) {
            after.add(afterId(call, options, i));
        }
        List<Map.Entry<Bytes, List<StreamEntry>>> found = new ArrayList<>();
        for (int i = 0; i < options.streams(); i++) {
            // As in Redis, each stream is looked up twice: for its last id, and for its entries.
            call.space().countNextLookup();
            List<StreamEntry> entries = streams.after(call.space(), options.key(i), after.get(i), options.count());
            if (!entries.isEmpty()) {
                found.add(Map.entry(options.key(i), entries));
            }
        }
        if (!found.isEmpty() || !options.blocks()) {
            return answer(call, found);
        }
        // $ is resolved now: the next run must not skip entries added in between.
        Bytes[] resolved = call.copyWords();
        for (int i = 0; i < options.streams(); i++) {
            resolved[options.idAt(i)] = after.get(i).text();
        }
        return waiter(call, options).runAs(List.of(resolved)).reply();
    }

    private StreamId afterId(Call call, XReadOptions options, int stream) {
        StreamId last = streams.last(call.space(), options.key(stream));
        String text = call.text(options.idAt(stream));
        if (text.equals("$")) {
            return last;
        }
        if (text.equals(">")) {
            throw new RedisError("The > ID can be specified only when calling XREADGROUP using the GROUP <group>"
                    + " <consumer> option.");
        }
        return StreamIds.one(call, options.idAt(stream));
    }

    private Reply xReadGroup(Call call) {
        XReadOptions options = XReadOptions.read(call, true);
        List<StreamId> after = new ArrayList<>();
        for (int i = 0; i < options.streams(); i++) {
            after.add(afterIdOfGroup(call, options, i));
        }
        GroupReads.Reader reader =
                new GroupReads.Reader(options.group(), options.consumer(), options.count(), options.noAck());
        List<Map.Entry<Bytes, List<StreamEntry>>> found = new ArrayList<>();
        for (int i = 0; i < options.streams(); i++) {
            // The highest id stands for >: entries that were never delivered.
            boolean isNew = after.get(i).equals(StreamId.MAX);
            List<StreamEntry> entries = isNew
                    ? groupReads.deliver(call.space(), options.key(i), reader)
                    : groupReads.history(call.space(), options.key(i), reader, after.get(i));
            if (!isNew || !entries.isEmpty()) {
                found.add(Map.entry(options.key(i), entries));
            }
        }
        return found.isEmpty() && options.blocks()
                ? waiter(call, options).orGone().reply()
                : answer(call, found);
    }

    private StreamId afterIdOfGroup(Call call, XReadOptions options, int stream) {
        groups.checkForRead(call.space(), options.key(stream), options.group());
        String text = call.text(options.idAt(stream));
        if (text.equals("$")) {
            throw new RedisError("The $ ID is meaningless in the context of XREADGROUP: you want to read the history of"
                    + " this consumer by specifying a proper ID, or use the > ID to get new messages. The $ ID would"
                    + " just return an empty result set.");
        }
        return text.equals(">") ? StreamId.MAX : StreamIds.one(call, options.idAt(stream));
    }

    private static Reply answer(Call call, List<Map.Entry<Bytes, List<StreamEntry>>> found) {
        return found.isEmpty() ? Reply.ABSENT_ARRAY : StreamReplies.byStream(call, found);
    }

    private static Waiter waiter(Call call, XReadOptions options) {
        List<Bytes> keys = new ArrayList<>();
        for (int i = 0; i < options.streams(); i++) {
            keys.add(options.key(i));
        }
        return Waiter.of(call, keys, Type.STREAM, options.timeoutMillis(), Reply.ABSENT_ARRAY);
    }
}
