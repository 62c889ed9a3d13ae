package io.polytable.redis.command.scripting;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.lua.LuaCode;
import io.polytable.redis.command.lua.LuaError;
import io.polytable.redis.command.lua.LuaLimits;
import io.polytable.redis.command.lua.LuaState;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Libraries;
import io.polytable.table.Bytes;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The functions of the store's libraries. The libraries themselves are rows, part of the unit of work that changes them;
 * this knows which functions they register. Thread safe.
 */
public final class Functions {
    private static final Logger LOG = LoggerFactory.getLogger("io.polytable.redis.script");

    private final LongSupplier ids;
    private final LuaLimits limits;
    private final Budget memory;
    private volatile Loaded latest = Loaded.of(Libraries.none(), Map.of());

    /** The libraries of one state of the store, by name, and their functions. */
    private record Loaded(Libraries source, Map<String, Library> libraries, Map<String, Function> functions) {
        static Loaded of(Libraries source, Map<String, Library> libraries) {
            Map<String, Function> functions = new HashMap<>();
            libraries
                    .values()
                    .forEach(library -> library.functions().forEach(each -> functions.put(key(each.name()), each)));
            return new Loaded(source, libraries, functions);
        }

        @Nullable
        Function find(String name) {
            return functions.get(key(name));
        }

        /** As in Redis, case does not matter. */
        private static String key(String name) {
            return name.toLowerCase(Locale.ROOT);
        }
    }

    /** @param ids numbers for what states load */
    Functions(LongSupplier ids, LuaLimits limits, Budget memory) {
        this.ids = ids;
        this.limits = limits;
        this.memory = memory;
    }

    /** The function of this name, or null. */
    public @Nullable Function find(Libraries source, String name) {
        return of(source).find(name);
    }

    Collection<Library> all(Libraries source) {
        return of(source).libraries.values();
    }

    private Loaded of(Libraries source) {
        Loaded known = latest;
        return known.source == source ? known : load(source);
    }

    private synchronized Loaded load(Libraries source) {
        Map<String, Library> next = new LinkedHashMap<>();
        source.all().forEach((name, body) -> {
            Library known = latest.libraries.get(name);
            if (known != null && known.body().equals(body)) {
                next.put(name, known);
            } else {
                loadStored(name, body, next);
            }
        });
        latest = Loaded.of(source, next);
        return latest;
    }

    private void loadStored(String name, Bytes body, Map<String, Library> loaded) {
        try {
            loaded.put(name, load(body));
        } catch (RedisError invalid) {
            LOG.warn("Library {} cannot be loaded: {}", name, invalid.text());
        }
    }

    /**
     * The libraries with another one.
     *
     * @throws RedisError when it is invalid, or is there and must not be replaced, or shares a function with another
     */
    public Libraries with(Libraries source, Bytes body, boolean replaces) {
        String name = Library.Header.of(body).name();
        if (!replaces && source.all().containsKey(name)) {
            throw new RedisError("Library '" + name + "' already exists");
        }
        Library added = load(body.copy());
        Loaded others = of(source);
        Map<String, Library> all = new HashMap<>(others.libraries);
        all.remove(name);
        Loaded remaining = Loaded.of(source, all);
        for (Function function : added.functions()) {
            if (remaining.find(function.name()) != null) {
                throw new RedisError("Function " + function.name() + " already exists");
            }
        }
        Libraries next = source.with(name, added.body());
        Map<String, Library> libraries = new LinkedHashMap<>();
        next.all().keySet().forEach(each -> {
            Library library = each.equals(name) ? added : all.get(each);
            if (library != null) {
                libraries.put(each, library);
            }
        });
        latest = Loaded.of(next, libraries);
        return next;
    }

    /**
     * Compiles a script in a state of its own.
     *
     * @throws LuaError when it does not compile
     */
    void check(LuaCode script) {
        try (LuaState compiler = new LuaState(limits, memory)) {
            compiler.load(script, new LoadingHost());
        }
    }

    private Library load(Bytes body) {
        try (LuaState compiler = new LuaState(limits, memory)) {
            return Library.load(ids.getAsLong(), body, compiler, new LoadingHost());
        }
    }

    /** The number of all functions. */
    public int count(Libraries source) {
        return of(source).functions.size();
    }
}
