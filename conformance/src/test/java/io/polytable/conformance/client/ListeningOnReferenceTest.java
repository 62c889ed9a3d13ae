package io.polytable.conformance.client;

import io.polytable.conformance.process.Target;
import org.junit.jupiter.api.Tag;

@Tag("peers")
class ListeningOnReferenceTest extends ListeningSuite {
    ListeningOnReferenceTest() {
        super(Target.REFERENCE);
    }
}
