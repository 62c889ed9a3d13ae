package io.polytable.redis.command;

import java.util.List;

/** Commands that belong together: one line declares one. */
public interface CommandFamily {
    Group group();

    List<Command> commands();
}
