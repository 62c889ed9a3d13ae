package io.polytable.redis.command.introspection;

import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Body;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.introspection.Encodings;
import io.polytable.redis.model.keyspace.EvictionPolicy.Order;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.StringHeader;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** OBJECT and its subcommands: the answers of a Redis with the same value. */
public final class ObjectCommands implements CommandFamily {
    /** Redis shares one object for each of the first integers between all keys. */
    private static final long SHARED_INTEGERS = 10_000;

    private static final long SHARED_REFERENCES = Integer.MAX_VALUE;

    private final Encodings encodings = new Encodings();
    private final RedisConfig settings;
    private final long startMillis;

    /** @param startMillis since when key accesses are tracked */
    public ObjectCommands(RedisConfig settings, long startMillis) {
        this.settings = settings;
        this.startMillis = startMillis;
    }

    @Override
    public Group group() {
        return Group.GENERIC;
    }

    @Override
    public List<Command> commands() {
        return List.of(container(
                "object",
                List.of(
                        asks("encoding", this::encoding),
                        asks("freq", this::frequency),
                        speaks("help", exactly(2), this::help).with(LOADING, STALE),
                        asks("idletime", this::idleSeconds),
                        asks("refcount", (call, header) -> Reply.of(references(header))))));
    }

    private static Command asks(String name, BiFunction<Call, Header, Reply> answer) {
        Body body = call -> call.space()
                .peek(call.key(2))
                .map(header -> answer.apply(call, header))
                .orElse(Reply.ABSENT);
        return reads(name, exactly(3), KeySpecs.range(2, 2, 1).as(KeyFlag.RO), body)
                .tips("nondeterministic_output");
    }

    private Reply encoding(Call call, Header header) {
        return Reply.of(
                encodings.of(call.space(), header, settings.packing()).name().toLowerCase(Locale.ROOT));
    }

    /** A key that was not accessed since the start counts from there. */
    private Reply idleSeconds(Call call, Header header) {
        if (countsFrequency()) {
            throw new RedisError("An LFU maxmemory policy is selected, idle time not tracked. Please note that when"
                    + " switching between policies at runtime LRU and LFU data will take some time to adjust.");
        }
        long last = call.space().lastUseSeconds(call.key(2));
        return Reply.of(Math.max(0, call.nowMillis() / 1000 - (last == 0 ? startMillis / 1000 : last)));
    }

    private boolean countsFrequency() {
        return settings.dataLimit().policy().order() == Order.LEAST_FREQUENT;
    }

    private Reply frequency(Call call, Header header) {
        if (countsFrequency()) {
            return Reply.of(call.space().frequency(call.key(2)));
        }
        throw new RedisError("An LFU maxmemory policy is not selected, access frequency not tracked. Please note that"
                + " when switching between policies at runtime LRU and LFU data will take some time to adjust.");
    }

    private long references(Header header) {
        return header instanceof StringHeader string && encodings.isShared(string, SHARED_INTEGERS)
                ? SHARED_REFERENCES
                : 1;
    }

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
