package io.polytable.redis.command.lua;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.limit.Budget;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random scripts: each ends with a reply or an error, and the process lives. */
class LuaFuzzTest {
    private static final int SCRIPTS = 3_000;

    private static final List<String> NAMES = List.of(
            "string.rep",
            "string.format",
            "string.gsub",
            "string.find",
            "string.byte",
            "string.char",
            "string.sub",
            "string.gmatch",
            "string.match",
            "string.dump",
            "string.reverse",
            "table.concat",
            "table.insert",
            "table.remove",
            "table.sort",
            "table.foreach",
            "table.setn",
            "table.maxn",
            "math.random",
            "math.randomseed",
            "math.floor",
            "math.ldexp",
            "math.fmod",
            "coroutine.create",
            "coroutine.resume",
            "coroutine.wrap",
            "coroutine.yield",
            "coroutine.status",
            "coroutine.running",
            "pcall",
            "xpcall",
            "error",
            "assert",
            "select",
            "unpack",
            "next",
            "pairs",
            "ipairs",
            "rawget",
            "rawset",
            "rawequal",
            "setmetatable",
            "getmetatable",
            "tostring",
            "tonumber",
            "type",
            "loadstring",
            "load",
            "collectgarbage",
            "gcinfo",
            "redis.call",
            "redis.pcall",
            "redis.error_reply",
            "redis.status_reply",
            "redis.sha1hex",
            "redis.log",
            "redis.setresp",
            "redis.set_repl",
            "redis.acl_check_cmd",
            "redis.register_function",
            "cjson.encode",
            "cjson.decode",
            "cmsgpack.pack",
            "cmsgpack.unpack",
            "cmsgpack.unpack_one",
            "cmsgpack.unpack_limit",
            "struct.pack",
            "struct.unpack",
            "struct.size",
            "bit.band",
            "bit.lshift",
            "bit.tohex",
            "__redis__err__handler");

    private static final List<String> VALUES = List.of(
            "nil",
            "true",
            "false",
            "0",
            "1",
            "-1",
            "2^53",
            "-2^63",
            "1e308",
            "0/0",
            "1/0",
            "''",
            "'x'",
            "'%'",
            "'%b'",
            "'(((('",
            "'[^'",
            "'\\0\\255\\27Lua'",
            "'{\"a\":[1,null]}'",
            "'>I4c0sd!8'",
            "string.rep('a', 3000)",
            "{}",
            "{1, 2, 3}",
            "{a = {}}",
            "_G",
            "redis",
            "string",
            "KEYS",
            "ARGV",
            "t",
            "f",
            "function() return f end",
            "function(...) return ... end",
            "coroutine.create(f)",
            "setmetatable({}, {__index = f, __call = f})",
            "setmetatable({}, {__concat = f, __tostring = f, __lt = f, __eq = f})",
            "print");

    private final Random random = new Random(7);

    @Test
    void randomScriptsEnd() {
        int replies = 0;
        LuaUnderTest lua = newState();
        for (int i = 1; i <= SCRIPTS; i++) {
            boolean isLibrary = i % 4 == 0;
            try {
                lua.load(new LuaCode(1, Bytes.utf8(isLibrary ? library() : script()), isLibrary));
                lua.run(isLibrary ? 2 : 1, List.of(Bytes.utf8("k")), List.of());
                replies++;
            } catch (LuaError | StopScript expected) {
                assertThat(expected.getMessage()).isNotNull();
            }
            if (lua.state().isSpoiled()) {
                lua.close();
                lua = newState();
            }
        }
        lua.close();
        assertThat(replies).isPositive();
    }

    private static LuaUnderTest newState() {
        return new LuaUnderTest(LuaUnderTest.LIMITS.withMemory(16 << 20), Budget.of("scripts", 64 << 20), 20);
    }

    private String library() {
        return "local KEYS, ARGV = {}, {}\n"
                + "redis.register_function('f', function(keys, args)\n" + script() + "\nend)\n"
                + (random.nextInt(4) == 0 ? script() : "");
    }

    private String script() {
        StringBuilder text = new StringBuilder("local t, f = {}, function(...) return ... end\n");
        int statements = 1 + random.nextInt(5);
        for (int i = 0; i < statements; i++) {
            text.append(
                    switch (random.nextInt(8)) {
                        case 0 -> "t = " + value(2);
                        case 1 -> "f = function(...) return " + value(2) + " end";
                        case 2 -> "local ok, e = pcall(function() return " + value(3) + " end)";
                        case 3 -> "for i = 1, 3 do t = " + value(2) + " end";
                        case 4 -> "t = " + value(1) + " .. " + value(1) + " .. " + value(1);
                        case 5 -> "pcall(function() t[" + value(1) + "] = " + value(1) + " end)";
                        case 6 -> "pcall(function() for k, v in pairs(" + value(1) + ") do t = v end end)";
                        default -> "pcall(" + pick(NAMES) + ", " + value(1) + ", " + value(1) + ")";
                    });
            text.append('\n');
        }
        return text.append("return ").append(value(2)).toString();
    }

    private String value(int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return pick(VALUES);
        }
        return switch (random.nextInt(5)) {
            case 0 -> pick(NAMES) + "(" + value(depth - 1) + ", " + value(depth - 1) + ")";
            case 1 -> pick(NAMES) + "(" + value(depth - 1) + ")";
            case 2 -> pick(NAMES) + "(" + value(depth - 1) + ", " + value(depth - 1) + ", " + value(depth - 1) + ")";
            case 3 -> "{" + value(depth - 1) + ", x = " + value(depth - 1) + "}";
            default -> "(" + value(depth - 1) + ")";
        };
    }

    private String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}
