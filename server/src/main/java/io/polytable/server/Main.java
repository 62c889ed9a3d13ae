package io.polytable.server;

import io.polytable.server.assembly.Assembly;
import io.polytable.server.cli.PolytableCommand;

/** Where the process begins. */
public final class Main {
    private Main() {}

    public static void main(String[] words) {
        System.exit(PolytableCommand.run(Assembly.parts(), words));
    }
}
