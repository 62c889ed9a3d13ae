package io.polytable.redis.command.lua;

import java.util.List;
import java.util.Optional;

/** A function as its library registered it. */
public record LuaFunction(String name, Optional<String> description, List<String> flags) {}
