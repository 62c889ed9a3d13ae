package io.polytable.redis.command.lua;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.Reply;
import io.polytable.table.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A state whose host answers a command with its name and the number of its words, {@code echo} with its argument and
 * {@code ok} with the status. It ends scripts after some ticks.
 */
final class LuaUnderTest implements AutoCloseable {
    static final LuaLimits LIMITS = new LuaLimits(32 << 20, 1000, "7.2.5", 0x070205);

    final Budget memory;
    private final int ticksMax;
    private final LuaState state;
    private List<Bytes> lastWords = List.of();

    LuaUnderTest() {
        this(LIMITS, Budget.of("scripts", 64 << 20), 300);
    }

    LuaUnderTest(LuaLimits limits, Budget memory, int ticksMax) {
        this.memory = memory;
        this.ticksMax = ticksMax;
        state = new LuaState(limits, memory);
    }

    private final class CountingHost implements LuaHost {
        private int ticks;

        @Override
        public Reply call(Bytes[] words, int protocol) {
            lastWords = List.of(words);
            if (words[0].equals(Bytes.utf8("echo"))) {
                return Reply.of(words[1]);
            }
            if (words[0].equals(Bytes.utf8("ok"))) {
                return Reply.simple("OK");
            }
            return Reply.many(Reply.of(words[0]), Reply.of(words.length));
        }

        @Override
        public void tick() {
            if (++ticks > ticksMax) {
                throw new StopScript("enough");
            }
        }

        @Override
        public void usesCoroutines() {}

        @Override
        public void log(int level, String text) {}

        @Override
        public @Nullable String unknown(Bytes[] words) {
            return null;
        }

        @Override
        public boolean allows(Bytes[] words) {
            return true;
        }
    }

    LuaHost host() {
        return new CountingHost();
    }

    /** The words of the last call. */
    List<Bytes> lastWords() {
        return lastWords;
    }

    LuaState state() {
        return state;
    }

    List<LuaFunction> load(LuaCode code) {
        return state.load(code, new CountingHost());
    }

    Reply run(long id, List<Bytes> keys, List<Bytes> arguments) {
        try {
            return state.run(id, keys, arguments, new CountingHost());
        } finally {
            state.settle();
        }
    }

    /** Loads and runs a script without keys. */
    Reply run(String script, Bytes... arguments) {
        load(new LuaCode(1, Bytes.utf8(script), false));
        return run(1, List.of(), List.of(arguments));
    }

    @Override
    public void close() {
        state.close();
    }
}
