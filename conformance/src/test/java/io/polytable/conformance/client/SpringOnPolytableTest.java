package io.polytable.conformance.client;

import io.polytable.conformance.process.Target;

class SpringOnPolytableTest extends SpringSuite {
    SpringOnPolytableTest() {
        super(Target.POLYTABLE);
    }
}
