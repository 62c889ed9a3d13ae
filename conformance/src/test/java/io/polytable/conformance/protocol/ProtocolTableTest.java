package io.polytable.conformance.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.differential.KnownDifferences;
import io.polytable.conformance.process.OnSharedServers;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.process.SharedServers;
import io.polytable.conformance.process.Target;
import io.polytable.conformance.resp.RespText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Hand-written requests: the same reply as the reference, and the connection is closed where the reference closes it.
 */
@OnSharedServers
class ProtocolTableTest {
    private final KnownDifferences known = KnownDifferences.load();

    @Test
    void answersAndClosesAsTheReferenceDoes(SharedServers servers) {
        assertThat(differences(
                        servers.of(Target.REFERENCE), servers.of(Target.POLYTABLE), ProtocolCases.read("requests")))
                .isEmpty();
    }

    @Test
    void refusesStrangersAsTheReferenceDoes(SharedServers servers) {
        RespServer reference = servers.withPassword(Target.REFERENCE);
        RespServer ours = servers.withPassword(Target.POLYTABLE);
        assertThat(differences(reference, ours, ProtocolCases.read("strangers")))
                .isEmpty();
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
