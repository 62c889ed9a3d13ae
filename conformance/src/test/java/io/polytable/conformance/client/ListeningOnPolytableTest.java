package io.polytable.conformance.client;

import io.polytable.conformance.process.Target;

class ListeningOnPolytableTest extends ListeningSuite {
    ListeningOnPolytableTest() {
        super(Target.POLYTABLE);
    }
}
