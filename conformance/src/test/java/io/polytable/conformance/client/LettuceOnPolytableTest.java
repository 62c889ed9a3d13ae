package io.polytable.conformance.client;

import io.polytable.conformance.process.Target;

class LettuceOnPolytableTest extends LettuceSuite {
    LettuceOnPolytableTest() {
        super(Target.POLYTABLE);
    }
}
