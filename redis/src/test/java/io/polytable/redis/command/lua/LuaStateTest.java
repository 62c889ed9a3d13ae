package io.polytable.redis.command.lua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.redis.command.Reply;
import io.polytable.table.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LuaStateTest {
    private final LuaState state = new LuaState(new LuaLimits(32 << 20, 1000), "7.2.5", 0x070205);

    /** Ends a script after some ticks: so many instructions. */
    private static final class CountingHost implements LuaHost {
        private int ticks;

        @Override
        public Reply call(Bytes[] words, int protocol) {
            return Reply.many(Reply.of(words[0]), Reply.of(words.length));
        }

        @Override
        public void tick() {
            if (++ticks > 300) {
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
    }

    @AfterEach
    void close() {
        state.close();
    }

    private Reply run(String script, Bytes... arguments) {
        state.load(1, Bytes.utf8(script));
        return state.run(1, List.of(), List.of(arguments), new CountingHost());
    }

    @Test
    void bytesPassUnchanged() {
        byte[] all = new byte[512];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        Bytes value = Bytes.of(all);
        assertThat(run("return ARGV[1]", value)).isEqualTo(Reply.of(value));
        assertThat(run("return {ARGV[1], #ARGV[1]}", value)).isEqualTo(Reply.many(Reply.of(value), Reply.of(512)));
    }

    @Test
    void callsReachTheHost() {
        assertThat(run("return redis.call('abc', 1, 2.5)"))
                .isEqualTo(Reply.many(Reply.of(Bytes.utf8("abc")), Reply.of(3)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "while true do end",
                "while true do pcall(function() while true do end end) end",
                "local function f() pcall(f) while true do end end f()",
                "local co = coroutine.wrap(function() while true do end end) while true do pcall(co) end",
                "while true do coroutine.wrap(function() while true do end end)() end",
                "local function f() return coroutine.wrap(f)() end while true do pcall(f) end",
                "local s = 'x' while true do s = s .. s end",
                "local s = string.rep('x', 1000000) local t = {} while true do t[#t + 1] = s .. #t end",
                "local t = {} while true do t[#t + 1] = {} end",
                "while true do pcall(string.rep, 'x', 1e9) end",
                "while true do xpcall(function() error('x') end, function() while true do end end) end",
                "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) while true do pcall(function() return t[1] end) end",
                "string.gsub(string.rep('a', 1000), '.', function() while true do end end)",
                "table.sort({3, 2, 1}, function() while true do end end)",
                "local function f(x) return string.gsub('a', 'a', f) end while true do pcall(f, 'a') end"
            })
    void hostileScriptsEnd(String script) {
        assertThatThrownBy(() -> run(script)).isInstanceOfAny(StopScript.class, LuaError.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return string.rep('x', 1e10)",
                "return string.format('%s%s', string.rep('x', 1e7), string.rep('x', 1e7))",
                "return string.gsub(string.rep('a', 1e5), 'a', string.rep('b', 1e5))",
                "local t = {} for i = 1, 100 do t[i] = string.rep('x', 1e6) end return table.concat(t)",
                "return loadstring('\\27Lua')()",
                "return string.find(string.rep('a', 5000), string.rep('a?', 5000))",
                "return unpack({}, 1, 1e7)",
                "return loadstring('return ' .. string.rep('(', 300))()",
                "local function f() return 1 + f() end return f()",
                "x = 1",
                "return os",
                "string.rep = nil",
                "rawset(_G, 'x', 1)",
                "getmetatable('').__index = nil",
                "setmetatable(_G, {})",
                "return string.dump",
                "error()",
                "error({})"
            })
    void errorsAreRaised(String script) {
        if (script.equals("return string.dump")) {
            assertThat(run(script)).isEqualTo(Reply.ABSENT);
        } else {
            assertThatThrownBy(() -> run(script)).isInstanceOfAny(StopScript.class, LuaError.class);
        }
    }
}
