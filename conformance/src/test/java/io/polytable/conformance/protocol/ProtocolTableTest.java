package io.polytable.conformance.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.differential.KnownDifferences;
import io.polytable.conformance.process.RedisServerProcess;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.Target;
import io.polytable.conformance.resp.RespText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hand-written requests: the same reply as the reference, and the connection is closed where the reference closes it.
 */
class ProtocolTableTest {
    private final KnownDifferences known = KnownDifferences.load();

    @Test
    void answersAndClosesAsTheReferenceDoes(@TempDir Path directory) {
        try (RespServer reference = RedisServerProcess.start(directory.resolve("reference"));
                RespServer ours = Target.POLYTABLE.start(directory.resolve("ours"))) {
            assertThat(differences(reference, ours, ProtocolCases.read("requests")))
                    .isEmpty();
        }
    }

    @Test
    void refusesStrangersAsTheReferenceDoes(@TempDir Path directory) {
        try (RespServer reference = RedisServerProcess.start(directory.resolve("ref"), "--requirepass", "s3cret");
                RespServer ours = Target.POLYTABLE.startWithPassword(directory.resolve("ours"), "s3cret")) {
            assertThat(differences(reference, ours, ProtocolCases.read("strangers")))
                    .isEmpty();
        }
    }

    private List<String> differences(RespServer reference, RespServer ours, List<String> requests) {
        List<String> differences = new ArrayList<>();
        for (String request : requests) {
            Transcript expected = Transcript.of(reference, request);
            Transcript given = Transcript.of(ours, request);
            boolean same = known.verdict(RespText.quoted(request), expected.toString(), given.toString())
                    .orElseGet(() -> given.equals(expected));
            if (!same) {
                differences.add(
                        RespText.quoted(request) + "\n    reference: " + expected + "\n    ours:      " + given + "\n");
            }
        }
        return differences;
    }
}
