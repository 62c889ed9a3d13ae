package io.polytable.server;

import io.polytable.server.assembly.Assembly;
import io.polytable.server.cli.PolytableCommand;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The entry point of the process. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {}

    public static void main(String[] words) {
        System.exit(exitCode(words));
    }

    /** After an Error, such as a native library that cannot be loaded, threads that remain would keep the process. */
    private static int exitCode(String... words) {
        try {
            return PolytableCommand.run(Assembly.parts(), words);
        } catch (Error failure) {
            LOG.error("The command failed", failure);
            return 1;
        }
    }
}
