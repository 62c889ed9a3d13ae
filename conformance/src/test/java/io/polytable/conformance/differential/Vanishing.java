package io.polytable.conformance.differential;

import io.polytable.conformance.history.Step;
import io.polytable.conformance.resp.Resp;
import io.polytable.table.testkit.Await;
import java.util.List;

/** Waits for a key that expires in a millisecond. */
final class Vanishing {
    private static final int SOON_MILLIS = 5_000;

    private Vanishing() {}

    static void await(Speaker speaker, Step.Vanish vanish) {
        if (vanish.untouched()) {
            // Both servers read the clock of this machine, and the expiry was at most a millisecond ahead.
            long expiry = System.currentTimeMillis() + 1;
            Await.until("the clock has passed the expiry", () -> System.currentTimeMillis() > expiry);
            return;
        }
        Await.until(() -> "the key expires: " + vanish, () -> {
            Resp left = speaker.call(vanish.connection(), List.of("PTTL", vanish.key()))
                    .tree();
            // Where the command was refused the key may live on, with its old expiry or with none.
            return left.isError() || left.number() < 0 || left.number() > SOON_MILLIS;
        });
    }
}
