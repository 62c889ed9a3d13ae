package io.polytable.redis.command;

import java.util.List;

/** A group of related commands; each is declared on one line. */
public interface CommandFamily {
    Group group();

    List<Command> commands();
}
