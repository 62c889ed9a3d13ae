package io.polytable.server.run;

import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.metric.MetricSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** This build's version, which the build writes into a resource; a metric too, so that graphs can show upgrades. */
public final class BuildVersion implements MetricSource {
    private static final Metric BUILD =
            new Metric("polytable_build", "Always 1; its labels are the versions of Polytable and Java");

    private final String text = text();

    /** The plain version number. */
    public static String text() {
        Properties properties = new Properties();
        try (InputStream resource =
                Objects.requireNonNull(BuildVersion.class.getResourceAsStream("/polytable-version.properties"))) {
            properties.load(resource);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return properties.getProperty("version", "");
    }

    @Override
    public void sample(MetricSink sink) {
        sink.info(BUILD, Labels.of("version", text, "java", Runtime.version().toString()));
    }
}
