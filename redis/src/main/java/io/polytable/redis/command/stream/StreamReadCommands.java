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

/** XREAD and XREADGROUP: entries of several streams, which a client can wait for. */
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

    /** Half of the words behind STREAMS. */
    private static KeySpecs streamsFrom(int word) {
        return KeySpecs.of(new KeySpec.Begin.Keyword("STREAMS", word), new KeySpec.Find.Range(-1, 1, 2));
    }

    private Reply xRead(Call call) {
        ReadWords words = ReadWords.read(call, false);
        List<StreamId> after = new ArrayList<>();
        for (int i = 0; i < words.streams(); i++) {
            after.add(afterId(call, words, i));
        }
        List<Map.Entry<Bytes, List<StreamEntry>>> found = new ArrayList<>();
        for (int i = 0; i < words.streams(); i++) {
            // As in Redis, each stream is looked for twice: for its last id, and for its entries.
            call.space().countNextLookup();
            List<StreamEntry> entries = streams.after(call.space(), words.key(i), after.get(i), words.count());
            if (!entries.isEmpty()) {
                found.add(Map.entry(words.key(i), entries));
            }
        }
        if (!found.isEmpty() || !words.blocks()) {
            return answer(call, found);
        }
        // The next try must not take what came meanwhile for what was there at the first.
        Bytes[] resolved = call.copyWords();
        for (int i = 0; i < words.streams(); i++) {
            resolved[words.idAt(i)] = after.get(i).text();
        }
        return waiter(call, words).runAs(List.of(resolved)).reply();
    }

    private StreamId afterId(Call call, ReadWords words, int stream) {
        StreamId last = streams.last(call.space(), words.key(stream));
        String text = call.text(words.idAt(stream));
        if (text.equals("$")) {
            return last;
        }
        if (text.equals(">")) {
            throw new RedisError("The > ID can be specified only when calling XREADGROUP using the GROUP <group>"
                    + " <consumer> option.");
        }
        return IdWords.one(call, words.idAt(stream));
    }

    private Reply xReadGroup(Call call) {
        ReadWords words = ReadWords.read(call, true);
        List<StreamId> after = new ArrayList<>();
        for (int i = 0; i < words.streams(); i++) {
            after.add(afterIdOfGroup(call, words, i));
        }
        GroupReads.Reader reader = new GroupReads.Reader(words.group(), words.consumer(), words.count(), words.noAck());
        List<Map.Entry<Bytes, List<StreamEntry>>> found = new ArrayList<>();
        for (int i = 0; i < words.streams(); i++) {
            // The highest id stands for entries that nobody got yet.
            boolean isNew = after.get(i).equals(StreamId.MAX);
            List<StreamEntry> entries = isNew
                    ? groupReads.deliver(call.space(), words.key(i), reader)
                    : groupReads.history(call.space(), words.key(i), reader, after.get(i));
            if (!isNew || !entries.isEmpty()) {
                found.add(Map.entry(words.key(i), entries));
            }
        }
        return found.isEmpty() && words.blocks() ? waiter(call, words).orGone().reply() : answer(call, found);
    }

    private StreamId afterIdOfGroup(Call call, ReadWords words, int stream) {
        groups.checkForRead(call.space(), words.key(stream), words.group());
        String text = call.text(words.idAt(stream));
        if (text.equals("$")) {
            throw new RedisError("The $ ID is meaningless in the context of XREADGROUP: you want to read the history of"
                    + " this consumer by specifying a proper ID, or use the > ID to get new messages. The $ ID would"
                    + " just return an empty result set.");
        }
        return text.equals(">") ? StreamId.MAX : IdWords.one(call, words.idAt(stream));
    }

    private static Reply answer(Call call, List<Map.Entry<Bytes, List<StreamEntry>>> found) {
        return found.isEmpty() ? Reply.ABSENT_ARRAY : StreamReplies.byStream(call, found);
    }

    private static Waiter waiter(Call call, ReadWords words) {
        List<Bytes> keys = new ArrayList<>();
        for (int i = 0; i < words.streams(); i++) {
            keys.add(words.key(i));
        }
        return Waiter.of(call, keys, Type.STREAM, words.timeoutMillis(), Reply.ABSENT_ARRAY);
    }
}
