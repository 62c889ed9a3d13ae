package io.polytable.server.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** This build's version, which the build writes into a resource. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"polytable " + text()};
    }

    /** The plain version number. */
    public static String text() {
        Properties properties = new Properties();
        try (InputStream resource =
                Objects.requireNonNull(Version.class.getResourceAsStream("/polytable-version.properties"))) {
            properties.load(resource);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return properties.getProperty("version", "");
    }
}
