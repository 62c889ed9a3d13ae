package io.polytable.server.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.session.ClientAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestRateTest {
    private static final ClientAddress HERE = ClientAddress.of("192.0.2.1:1");

    private long now;
    private final RequestRate rate = new RequestRate(5, () -> now);

    private int allowed(ClientAddress client, int asked) {
        int allowed = 0;
        for (int i = 0; i < asked; i++) {
            allowed += rate.allows(client) ? 1 : 0;
        }
        return allowed;
    }

    @Test
    void clientsAreLimitedEachOnItsOwn() {
        assertThat(allowed(HERE, 100)).isEqualTo(10);
        assertThat(allowed(ClientAddress.of("192.0.2.2:1"), 100)).isEqualTo(10);
        now += TimeUnit.SECONDS.toNanos(1);
        assertThat(allowed(HERE, 100)).isEqualTo(5);
        now += TimeUnit.HOURS.toNanos(1);
        assertThat(allowed(HERE, 100)).as("a pause is not saved up").isEqualTo(10);
    }

    @Test
    void manyClientsAreForgottenOldestFirst() {
        assertThat(allowed(HERE, 100)).isEqualTo(10);
        for (int i = 0; i < RequestRate.CLIENTS_MAX; i++) {
            assertThat(rate.allows(ClientAddress.of("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255) + ":1")))
                    .isTrue();
        }
        assertThat(rate.allows(HERE)).isTrue();
    }

    @Test
    void zeroIsNoLimit() {
        RequestRate none = new RequestRate(0, () -> now);
        for (int i = 0; i < 1000; i++) {
            assertThat(none.allows(HERE)).isTrue();
        }
    }
}
