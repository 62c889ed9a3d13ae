package io.polytable.server;

import io.polytable.server.assembly.Assembly;
import io.polytable.server.cli.PolytableCommand;

/** The entry point of the process. */
public final class Main {
    private Main() {}

    public static void main(String[] words) {
        System.exit(PolytableCommand.run(Assembly.parts(), words));
    }
}
