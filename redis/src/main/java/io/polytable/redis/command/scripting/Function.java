package io.polytable.redis.command.scripting;

import io.polytable.redis.command.lua.LuaCode;
import io.polytable.redis.command.lua.LuaFunction;
import java.util.Optional;
import java.util.Set;

/** A function of a library. */
public final class Function extends Routine {
    private final long id;
    private final LuaCode library;
    private final String name;
    private final Optional<String> description;
    private final Set<ScriptFlag> flags = ScriptFlag.none();

    /** @param place its place in the library, from zero */
    Function(LuaCode library, int place, LuaFunction registered) {
        this.id = library.id() + 1 + place;
        this.library = library;
        this.name = registered.name();
        this.description = registered.description();
        registered.flags().forEach(flag -> ScriptFlag.of(flag).ifPresent(flags::add));
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public LuaCode code() {
        return library;
    }

    @Override
    public String label() {
        return name;
    }

    String name() {
        return name;
    }

    Optional<String> description() {
        return description;
    }

    @Override
    public Set<ScriptFlag> flags() {
        return flags;
    }

    @Override
    public boolean hasFlags() {
        return true;
    }

    @Override
    public boolean isFunction() {
        return true;
    }
}
