package io.polytable.redis.command.scripting;

import io.polytable.redis.command.lua.LuaCode;
import io.polytable.redis.command.lua.LuaState;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** A script: its text without the flags in its first line. */
public final class Script extends Routine {
    private final String sha;
    private final LuaCode code;
    private final boolean hasFlags;
    private final Set<ScriptFlag> flags = ScriptFlag.none();

    /**
     * Reads the first line, if it begins with {@code #!}.
     *
     * @throws RedisError when that line is invalid
     */
    Script(long id, Bytes body) {
        this.sha = LuaState.sha1(body);
        this.hasFlags = body.length() >= 2 && body.at(0) == '#' && body.at(1) == '!';
        if (!hasFlags) {
            this.code = new LuaCode(id, body, false);
            return;
        }
        int end = 0;
        while (end < body.length() && body.at(end) != '\n') {
            end++;
        }
        if (end == body.length()) {
            throw new RedisError("Invalid script shebang");
        }
        readFlags(new String(body.array(), body.offset(), end, StandardCharsets.ISO_8859_1));
        // It begins with the end of the first line, so that lines keep their numbers.
        this.code = new LuaCode(id, body.from(end), false);
    }

    private void readFlags(String first) {
        String[] words = first.trim().split("\\s+", -1);
        if (!words[0].equals("#!lua")) {
            throw new RedisError("Unexpected engine in script shebang: " + words[0]);
        }
        for (int i = 1; i < words.length; i++) {
            if (!words[i].startsWith("flags=")) {
                throw new RedisError("Unknown lua shebang option: " + words[i]);
            }
            for (String flag : words[i].substring("flags=".length()).split(",", -1)) {
                if (!flag.isEmpty()) {
                    flags.add(ScriptFlag.of(flag)
                            .orElseThrow(() -> new RedisError("Unexpected flag in script shebang: " + flag)));
                }
            }
        }
    }

    public String sha() {
        return sha;
    }

    @Override
    public long id() {
        return code.id();
    }

    @Override
    public LuaCode code() {
        return code;
    }

    @Override
    public String label() {
        return sha;
    }

    @Override
    public Set<ScriptFlag> flags() {
        return flags;
    }

    @Override
    public boolean hasFlags() {
        return hasFlags;
    }

    @Override
    public boolean isFunction() {
        return false;
    }
}
