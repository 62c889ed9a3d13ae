package io.polytable.conformance.client;

import io.polytable.conformance.process.Target;
import org.junit.jupiter.api.Tag;

@Tag("peers")
class RedissonOnReferenceTest extends RedissonSuite {
    RedissonOnReferenceTest() {
        super(Target.REFERENCE);
    }
}
