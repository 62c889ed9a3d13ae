package io.polytable.redis.command.scripting;

import io.polytable.redis.command.lua.LuaState;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** A script: its text without the flags in its first line, and what its runs have shown so far. */
public final class Script {
    private static final Set<String> FLAGS =
            Set.of("no-writes", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys");

    private final int id;
    private final String sha;
    private final Bytes text;
    private final boolean noWrites;
    private volatile boolean needsEverything;
    private volatile boolean needsWorker;

    /**
     * Reads the first line, if it begins with {@code #!}.
     *
     * @throws RedisError when that line is invalid
     */
    Script(int id, Bytes body) {
        this.id = id;
        this.sha = LuaState.sha1(body);
        if (body.length() < 2 || body.at(0) != '#' || body.at(1) != '!') {
            this.text = body;
            this.noWrites = false;
            return;
        }
        int end = 0;
        while (end < body.length() && body.at(end) != '\n') {
            end++;
        }
        if (end == body.length()) {
            throw new RedisError("Invalid script shebang");
        }
        String first = new String(body.array(), body.offset(), end, StandardCharsets.ISO_8859_1);
        this.noWrites = forbidsWrites(first);
        this.text = body.from(end);
    }

    private static boolean forbidsWrites(String first) {
        String[] words = first.trim().split("\\s+", -1);
        if (!words[0].equals("#!lua")) {
            throw new RedisError("Unexpected engine in script shebang: " + words[0]);
        }
        boolean forbids = false;
        for (int i = 1; i < words.length; i++) {
            if (!words[i].startsWith("flags=")) {
                throw new RedisError("Unknown lua shebang option: " + words[i]);
            }
            for (String flag : words[i].substring("flags=".length()).split(",", -1)) {
                if (!flag.isEmpty() && !FLAGS.contains(flag)) {
                    throw new RedisError("Unexpected flag in script shebang: " + flag);
                }
                forbids |= flag.equals("no-writes");
            }
        }
        return forbids;
    }

    public int id() {
        return id;
    }

    public String sha() {
        return sha;
    }

    /** What Lua compiles; it begins with the end of the first line if that had flags, so that lines keep numbers. */
    public Bytes text() {
        return text;
    }

    public boolean noWrites() {
        return noWrites;
    }

    /** Whether a run accessed keys that it did not declare. */
    public boolean needsEverything() {
        return needsEverything;
    }

    public void markNeedsEverything() {
        needsEverything = true;
    }

    /** Whether a run took long, or called something that does. */
    public boolean needsWorker() {
        return needsWorker;
    }

    public void markNeedsWorker() {
        needsWorker = true;
    }
}
