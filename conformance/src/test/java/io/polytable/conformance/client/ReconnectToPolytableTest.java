package io.polytable.conformance.client;

import io.polytable.conformance.process.Target;

class ReconnectToPolytableTest extends ReconnectSuite {
    ReconnectToPolytableTest() {
        super(Target.POLYTABLE);
    }
}
