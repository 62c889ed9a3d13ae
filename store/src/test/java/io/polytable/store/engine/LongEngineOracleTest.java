package io.polytable.store.engine;

import org.junit.jupiter.api.Tag;

/** {@link EngineOracleTest} with many more histories. */
@Tag("crash")
class LongEngineOracleTest extends EngineOracleTest {
    @Override
    protected int seedCount() {
        return 40;
    }
}
