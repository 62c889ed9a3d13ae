package io.polytable.conformance.client;

import io.polytable.conformance.process.Target;
import org.junit.jupiter.api.Tag;

@Tag("peers")
class SpringOnReferenceTest extends SpringSuite {
    SpringOnReferenceTest() {
        super(Target.REFERENCE);
    }
}
