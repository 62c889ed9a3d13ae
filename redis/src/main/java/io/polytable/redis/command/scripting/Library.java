package io.polytable.redis.command.scripting;

import io.polytable.redis.command.lua.LuaCode;
import io.polytable.redis.command.lua.LuaError;
import io.polytable.redis.command.lua.LuaFunction;
import io.polytable.redis.command.lua.LuaHost;
import io.polytable.redis.command.lua.LuaState;
import io.polytable.redis.command.lua.StopScript;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A library and the functions that it registers. */
final class Library {
    private static final String NAMES =
            "can only contain letters, numbers, or underscores(_) and must be at least one character long";

    private final Header header;
    private final Bytes body;
    private final List<Function> functions;

    /**
     * The name in the first line of a library, and what follows.
     *
     * @param code begins with the end of the first line, so that lines keep their numbers
     */
    record Header(String name, Bytes code) {
        /**
         * Reads the first line.
         *
         * @throws RedisError when it is invalid
         */
        static Header of(Bytes body) {
            String text = new String(body.array(), body.offset(), body.length(), StandardCharsets.ISO_8859_1);
            if (!text.startsWith("#!")) {
                throw new RedisError("Missing library metadata");
            }
            int end = text.indexOf('\n');
            if (end < 0) {
                throw new RedisError("Invalid library metadata");
            }
            String[] words = text.substring(0, end).trim().split("\\s+", -1);
            String name = nameIn(words);
            if (!name.matches("[A-Za-z0-9_]+")) {
                throw new RedisError("Library names " + NAMES);
            }
            String engine = words[0].substring(2);
            if (!engine.equalsIgnoreCase("lua")) {
                throw new RedisError("Engine '" + engine + "' not found");
            }
            return new Header(name, body.from(end));
        }

        private static String nameIn(String[] words) {
            String name = null;
            for (int i = 1; i < words.length; i++) {
                if (!words[i].toLowerCase(Locale.ROOT).startsWith("name=")) {
                    throw new RedisError("Invalid metadata value given: " + words[i]);
                }
                if (name != null) {
                    throw new RedisError("Invalid metadata value, name argument was given multiple times");
                }
                name = words[i].substring("name=".length());
            }
            if (name == null) {
                throw new RedisError("Library name was not given");
            }
            return name;
        }
    }

    private Library(Header header, Bytes body, List<Function> functions) {
        this.header = header;
        this.body = body;
        this.functions = List.copyOf(functions);
    }

    /**
     * Loads a library for the first time, to know its functions.
     *
     * @throws RedisError when it is invalid
     */
    static Library load(long id, Bytes body, LuaState state, LuaHost host) {
        Header header = Header.of(body);
        LuaCode code = new LuaCode(id, header.code(), true);
        List<Function> functions = new ArrayList<>();
        try {
            for (LuaFunction each : state.load(code, host)) {
                functions.add(new Function(code, functions.size(), each));
            }
        } catch (LuaError invalid) {
            throw new RedisError(invalid.text());
        } catch (StopScript stopped) {
            throw new RedisError("Error registering functions: ERR " + stopped.getMessage());
        }
        if (functions.isEmpty()) {
            throw new RedisError("No functions registered");
        }
        return new Library(header, body, functions);
    }

    String name() {
        return header.name();
    }

    /** All of it, with the first line. */
    Bytes body() {
        return body;
    }

    List<Function> functions() {
        return functions;
    }
}
