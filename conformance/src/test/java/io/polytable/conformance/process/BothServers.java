package io.polytable.conformance.process;

import java.nio.file.Path;

/** The reference server and ours. */
public record BothServers(RespServer reference, RespServer ours) implements AutoCloseable {
    public static BothServers start(Path directory) {
        return new BothServers(
                Target.REFERENCE.start(directory.resolve("reference")),
                Target.POLYTABLE.start(directory.resolve("ours")));
    }

    @Override
    public void close() {
        ours.close();
        reference.close();
    }
}
