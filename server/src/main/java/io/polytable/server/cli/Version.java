package io.polytable.server.cli;

import io.polytable.server.run.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** The version for {@code --version}. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"polytable " + text()};
    }

    /** The plain version number. */
    public static String text() {
        return BuildVersion.text();
    }
}
