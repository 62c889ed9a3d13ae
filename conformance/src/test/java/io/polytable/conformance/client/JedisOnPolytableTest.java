package io.polytable.conformance.client;

import io.polytable.conformance.process.Target;

class JedisOnPolytableTest extends JedisSuite {
    JedisOnPolytableTest() {
        super(Target.POLYTABLE);
    }
}
