package io.polytable.redis.command.lua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.Reply;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LuaStateTest {
    private final LuaUnderTest lua = new LuaUnderTest();

    @AfterEach
    void close() {
        lua.close();
    }

    private Reply run(String script, Bytes... arguments) {
        return lua.run(script, arguments);
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

    @Test
    void aLibraryRegistersFunctions() {
        List<LuaFunction> registered = lua.load(new LuaCode(
                4096,
                Bytes.utf8("local n = 0 "
                        + "redis.register_function('count', function(keys, args) n = n + #keys return {n, args[1]} end) "
                        + "redis.register_function{function_name = 'other', description = 'd', flags = {'no-writes'}, "
                        + "callback = function() return redis.call('x') end}"),
                true));
        assertThat(registered)
                .containsExactly(
                        new LuaFunction("count", Optional.empty(), List.of()),
                        new LuaFunction("other", Optional.of("d"), List.of("no-writes")));
        List<Bytes> words = List.of(Bytes.utf8("a"), Bytes.utf8("b"));
        assertThat(lua.run(4097, words, words)).isEqualTo(Reply.many(Reply.of(2), Reply.of(words.get(0))));
        assertThat(lua.run(4097, words, List.of())).isEqualTo(Reply.many(Reply.of(4)));
        assertThat(lua.run(4098, List.of(), List.of())).isEqualTo(Reply.many(Reply.of("x"), Reply.of(1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "while true do end",
                "while true do pcall(function() end) end",
                "local s = 'x' while true do s = s .. s end",
                "local function f() return f() + 1 end f()",
                "redis.call('set', 'x', 1)",
                "x = 1",
                "error('x')",
                "redis.register_function('a b', function() end)",
                "redis.register_function('a', function() end) redis.register_function('a', function() end)",
                "local function f() end while true do redis.register_function('f', f) end",
                "redis.register_function = nil",
                "f("
            })
    void badLibrariesAreRefusedAndTheStateLives(String code) {
        assertThatThrownBy(() -> lua.load(new LuaCode(4096, Bytes.utf8(code), true)))
                .isInstanceOfAny(StopScript.class, LuaError.class);
        assertThat(run("return 1")).isEqualTo(Reply.ONE);
    }

    /** The second call of a name, with words of the run, passes numbers. */
    @Test
    void wordsReachTheHostHoweverTheyArePassed() {
        List<Bytes> keys = List.of(Bytes.utf8("k"), Bytes.of(new byte[] {0, -1, 7}));
        List<Bytes> arguments = List.of(Bytes.utf8("v"), Bytes.utf8("more"));
        Bytes name = Bytes.utf8("abc");
        for (String call :
                List.of("KEYS[1]", "KEYS[2]", "ARGV[1]", "ARGV[2]", "KEYS[2], ARGV[1]", "ARGV[1], KEYS[1]")) {
            lua.load(new LuaCode(1, Bytes.utf8("return redis.call('abc', " + call + ")"), false));
            for (int i = 0; i < 2; i++) {
                Reply unused = lua.run(1, keys, arguments);
                List<Bytes> expected = new ArrayList<>(List.of(name));
                for (String word : call.split(", ", -1)) {
                    expected.add((word.startsWith("KEYS") ? keys : arguments).get(word.charAt(5) - '1'));
                }
                assertThat(lua.lastWords()).as(call).isEqualTo(expected);
            }
        }
        lua.load(new LuaCode(1, Bytes.utf8("return redis.call('abc', 'k', 'w')"), false));
        Reply unused = lua.run(1, List.of(Bytes.utf8("w")), List.of(Bytes.utf8("k")));
        assertThat(lua.lastWords()).isEqualTo(List.of(name, Bytes.utf8("k"), Bytes.utf8("w")));
        assertThat(run("return {pcall(redis.call, 'abc', nil)}").toString()).contains("must be strings or integers");
        assertThat(run("return {pcall(redis.call, 'abc', 'x', {})}").toString())
                .contains("must be strings or integers");
        assertThat(run("return redis.call('abc', 5)")).isEqualTo(Reply.many(Reply.of(Bytes.utf8("abc")), Reply.of(2)));
        assertThat(lua.lastWords()).isEqualTo(List.of(name, Bytes.utf8("5")));
    }

    @Test
    void whatACallReturnedIsReturnedUnchangedOrAsChanged() {
        Bytes a = Bytes.of(new byte[] {1, 0, -5});
        Bytes b = Bytes.utf8("b".repeat(5000));
        for (int i = 0; i < 2; i++) {
            assertThat(run("return redis.call('echo', ARGV[1])", a)).isEqualTo(Reply.of(a));
            assertThat(run("return redis.call('echo', ARGV[1])", b)).isEqualTo(Reply.of(b));
            assertThat(run("local x = redis.call('echo', ARGV[1]) redis.call('echo', ARGV[2]) return x", a, b))
                    .isEqualTo(Reply.of(a));
            assertThat(run("local x = redis.call('echo', ARGV[1]) redis.call('ok') return x", a))
                    .isEqualTo(Reply.of(a));
            assertThat(run("local x = redis.call('echo', ARGV[1]) pcall(redis.call) return x", a))
                    .isEqualTo(Reply.of(a));
            assertThat(run("return redis.call('echo', ARGV[1]) .. 'x'", Bytes.utf8("y")))
                    .isEqualTo(Reply.of(Bytes.utf8("yx")));
            assertThat(run("return redis.call('ok')")).isEqualTo(Reply.simple("OK"));
            assertThat(run("return redis.call('ok').ok")).isEqualTo(Reply.of(Bytes.utf8("OK")));
            assertThat(run("local r = redis.pcall('ok') r.ok = 'other' return r"))
                    .isEqualTo(Reply.simple("other"));
            assertThat(run("local r = redis.pcall('ok') r.err = 'bad' return r"))
                    .isInstanceOf(Reply.Failure.class);
            assertThat(run("local r = redis.pcall('ok') r.ok = nil return r")).isEqualTo(Reply.many(List.of()));
        }
    }

    /** The instructions of many short runs together say nothing of one of them: it may wait for the machine. */
    @Test
    void aShortRunIsNotEndedForItsTime() {
        try (LuaUnderTest strict = new LuaUnderTest(LuaUnderTest.LIMITS, Budget.of("scripts", 64 << 20), 0)) {
            strict.load(new LuaCode(1, Bytes.utf8("return redis.call('echo', KEYS[1]) .. 'x'"), false));
            Bytes key = Bytes.utf8("x".repeat(1000));
            for (int i = 0; i < 5000; i++) {
                assertThat(strict.run(1, List.of(key), List.of())).isNotNull();
            }
            assertThatThrownBy(() -> strict.run("for i = 1, 100000 do end")).isInstanceOf(StopScript.class);
        }
    }

    /** What a script did to a read-only table is noticed, by whatever way it came to the raw function. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "table.insert(string, 1)",
                "local t = rawget(_G, 'table') t.insert(string, 1)",
                "for k, v in pairs(table) do if k == 'insert' then v(string, 1) end end",
                "rawget(table, 'insert')(string, 1)",
                "local k, v repeat k, v = next(table, k) until k == 'insert' v(string, 1)"
            })
    void aChangedReadOnlyTableSpoilsTheState(String script) {
        Reply unused = run("local t = table.concat({1}) return t");
        assertThat(lua.state().isSpoiled()).isFalse();
        Reply unusedToo = run(script);
        assertThat(lua.state().isSpoiled()).isTrue();
    }

    @Test
    void aStateIsChargedForWhatItHolds() {
        Budget memory = lua.memory;
        long idle = memory.heldBytes();
        lua.load(new LuaCode(
                1, Bytes.utf8("local t = {} for i = 1, 100 do t[i] = string.rep('x', 30000) .. i end"), false));
        lua.state().run(1, List.of(), List.of(), lua.host());
        assertThat(memory.heldBytes()).as("after the run").isGreaterThan(idle);
        lua.state().settle();
        assertThat(memory.heldBytes()).as("settled").isEqualTo(idle);
        lua.close();
        assertThat(memory.heldBytes()).as("closed").isZero();
    }

    @Test
    void theBudgetOfAllStatesEndsAScript() {
        try (LuaUnderTest small = new LuaUnderTest(LuaUnderTest.LIMITS, Budget.of("scripts", 4 << 20), 10_000)) {
            assertThatThrownBy(
                            () -> small.run("local t = {} while true do t[#t + 1] = string.rep('x', 1000) .. #t end"))
                    .isInstanceOf(StopScript.class)
                    .hasMessageContaining("all scripts together");
            assertThat(small.run("return 1")).isEqualTo(Reply.ONE);
        }
    }
}
