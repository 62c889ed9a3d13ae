package io.polytable.conformance.client;

import io.polytable.conformance.process.Target;

class RedissonOnPolytableTest extends RedissonSuite {
    RedissonOnPolytableTest() {
        super(Target.POLYTABLE);
    }
}
